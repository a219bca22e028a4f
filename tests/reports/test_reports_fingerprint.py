"""Guards against a posted list that nobody can tell from an older or an edited one."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otbor.i18n import speaking
from reports.fingerprint import ALPHABET, Match, fingerprint, seal, short, verify
from reports.protocol_pdf import protocol_pdf
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from scoring.model import CategoryStandings, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 40, tied=4, left=2, absent=1), category("Старшая", 5, first_number=201)
    )


def _changed(event: Standings, **fields: object) -> Standings:
    """The first player of the last category is another one in some respect."""
    part = event.categories[-1]
    row = dataclasses.replace(part.rows[0], **fields)  # type: ignore[arg-type]
    rows = (row, *part.rows[1:])
    return dataclasses.replace(
        event, categories=(*event.categories[:-1], dataclasses.replace(part, rows=rows))
    )


@given(st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_no_order_changes_it(category: Make, standings: MakeAll, rng: random.Random) -> None:
    event = standings(category("Б", 9, absent=2), category("А", 4, first_number=50))
    parts = [
        dataclasses.replace(part, rows=tuple(rng.sample(part.rows, len(part.rows))))
        for part in event.categories
    ]
    rng.shuffle(parts)
    assert fingerprint(dataclasses.replace(event, categories=tuple(parts))) == fingerprint(event)


def test_every_posted_thing_changes_it(event: Standings) -> None:
    row = event.categories[-1].rows[0]
    player = dataclasses.replace(row.player, name=row.player.name + "а")
    cells = (*row.cells[:-1], None)
    variants = [
        event,
        dataclasses.replace(event, title="Другой"),
        _changed(event, score=row.score + 1),
        _changed(event, player=player),
        _changed(event, places=(1, 2)),
        _changed(event, status=Status.OUT),
        _changed(event, cells=cells),
        dataclasses.replace(event, categories=event.categories[:1]),
    ]
    assert len({fingerprint(variant) for variant in variants}) == len(variants)


def test_the_printed_form_can_be_read_out(event: Standings) -> None:
    form = short(fingerprint(event))
    groups = form.split("-")
    assert [len(part) for part in groups] == [4, 4, 4, 4]
    assert set("".join(groups)) <= set(ALPHABET)
    assert short("0" * 64) == "0000-0000-0000-0000"
    assert short("f" * 64) == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"


@pytest.mark.parametrize("layout", list(LayoutName))
@pytest.mark.parametrize("language", ["ru", "en"])
def test_each_printed_list_is_known_again(
    layout: LayoutName, language: str, event: Standings
) -> None:
    with speaking(language):
        data = standings_pdf(event, layout=layout, link="https://a.example/")
    result = verify(data, event)
    assert result.match is Match.SAME
    assert result.found == result.expected == short(fingerprint(event))
    for page in pdfium.PdfDocument(data):
        assert result.expected in page.get_textpage().get_text_bounded()


def test_another_result_is_told_apart(event: Standings) -> None:
    other = _changed(event, score=event.categories[-1].rows[0].score + 10)
    result = verify(standings_pdf(event), other)
    assert result.match is Match.OTHER
    assert (result.found, result.expected) == (short(fingerprint(event)), short(fingerprint(other)))


def test_an_edited_file_is_told_apart(event: Standings) -> None:
    data = standings_pdf(event)
    at = data.index(b"/MediaBox")
    edited = data[:at] + data[at:].replace(b"841", b"842", 1)
    assert edited != data and len(edited) == len(data)
    assert verify(edited, event).match is Match.EDITED
    longer = data + b"\n% saved again\n%%EOF\n"
    assert verify(longer, event).match is Match.EDITED


def test_what_bears_no_fingerprint(event: Standings) -> None:
    assert verify(protocol_pdf(event), event).match is Match.NONE
    assert verify(b"hello", event).match is Match.NO_PDF
    assert verify(b"", event).match is Match.NO_PDF
    assert seal(b"no room") == b"no room"
