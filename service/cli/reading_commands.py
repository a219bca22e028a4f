"""`otbor read`: single pictures of answers, for people who want to try their own writing, and for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from jury.forms import written_forms
from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from scanner.contracts import Gray, Ink, Reading
from scanner.loose_crop import prepared
from scanner.readers import choice, network, struck
from scanner.readers.struck import StrikeFinder, Strikes
from scanner.readers.verification import TraceVerifier
from service.cli.options import json_option, reader_to_use
from service.cli.speech import Command, out, print_json
from service.settings import settings


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "read",
        cls=Command,
        help=_(
            "Read pictures of single answers and check them against expected texts: text, confidence, "
            "ink, and for every text how well it fits (0 is as well as can be) and the probability."
        ),
    )
    def read(
        images: Annotated[
            list[Path],
            typer.Argument(metavar=_("IMAGES…"), help=_("Pictures."), show_default=False),
        ],
        expect: Annotated[
            list[str] | None,
            typer.Option(
                metavar=_("TEXT"),
                help=_("A text that the answer may say; may be given again."),
                show_default=False,
            ),
        ] = None,
        reader: Annotated[
            str,
            typer.Option(
                metavar="|".join(choice.names()),
                help=_("Who reads; else OTBOR_READER, then handwriting."),
                show_default=False,
            ),
        ] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        crops = [prepared(_picture(path)) for path in images]
        engine = choice.make(reader_to_use(reader or settings().reader, asked=bool(reader)))
        pictures = [crop for crop, _finding in crops]
        strikes = _strikes(pictures) if engine else [struck.NOTHING] * len(crops)
        readings = engine.read(pictures) if engine else [Reading("", 0.0)] * len(crops)
        rows = []
        for path, (_crop, finding), found, reading in zip(
            images, crops, strikes, readings, strict=True
        ):
            crossed = found.empties(finding.ink, finding.sure)
            rows.append(
                {
                    "image": str(path),
                    "text": reading.text,
                    "confidence": reading.confidence,
                    "ink": (Ink.CROSSED if crossed else finding.ink).value,
                    "sure": finding.sure and not crossed,
                    "expected": _matches(reading, expect or []),
                }
            )
        if json_:
            print_json(rows)
            return
        for row in rows:
            out.print(
                _("{image}: “{text}”, confidence {confidence}, ink: {ink}").format(**row),
                markup=False,
            )
            for match in row["expected"]:  # type: ignore[attr-defined]
                if match["probability"] is None:
                    line = _("    {text}: this reader cannot tell").format(**match)
                else:
                    line = _("    {text}: probability {probability}, ratio {ratio}").format(**match)
                out.print(line, markup=False)


def _strikes(pictures: list[Gray]) -> list[Strikes]:
    """What is crossed out; nothing where the network for it is missing."""
    if not network.available(struck.MODEL):
        return [struck.NOTHING] * len(pictures)
    return StrikeFinder().find(pictures)


def _matches(reading: Reading, expected: list[str]) -> list[dict[str, Any]]:
    """Every expected text with the best of the ways to write it."""
    found: list[dict[str, Any]] = []
    for text in expected:
        (matches,) = TraceVerifier().verify([reading.trace], [written_forms(text)])
        best = max(matches, key=lambda match: match.probability, default=None)
        found.append(
            {
                "text": text,
                "ratio": best.ratio if best else None,
                "probability": best.probability if best else None,
            }
        )
    return found


def _picture(path: Path) -> Gray:
    """A picture in grey.

    Raises:
        InputFileError: It is missing or no picture.
    """
    try:
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if data.size else None
    except (OSError, cv2.error) as error:
        raise _no_picture(path) from error
    if image is None or image.size == 0:
        raise _no_picture(path)
    return image  # type: ignore[return-value]


def _no_picture(path: Path) -> InputFileError:
    return InputFileError(
        _("{path} is no picture that can be read.").format(path=path),
        _("Give pictures of single answers, PNG or JPEG."),
    )
