"""Own pages and pictures for tests: answers that agree with a row of the standings."""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image, ImageDraw

from reports.own_page import OwnAnswer, OwnPage
from scoring.model import AnswerKey, Question, StandingRow, Standings, Theme, Verdict

NOMINALS = (10, 20, 30, 40, 50)


def jpeg(text: str = "ответ", mode: str = "L", size: tuple[int, int] = (160, 22)) -> bytes:
    """A small picture of a box; another text gives other bytes."""
    image = Image.new("L", size, 235)
    ImageDraw.Draw(image).text((4, 4), text.encode("ascii", "replace").decode(), fill=40)
    file = io.BytesIO()
    image.convert(mode).save(file, "JPEG", quality=70, comment=text.encode())
    return file.getvalue()


def verdict(points: int | None) -> Verdict | None:
    """The verdict that was worth so many points."""
    if points is None:
        return None
    return Verdict.RIGHT if points > 0 else Verdict.WRONG if points < 0 else Verdict.BLANK


def own_page(row: StandingRow, *, crops: bool = True, code: str = "") -> OwnPage:
    """The page that belongs to a row."""
    answers = []
    for at, points in enumerate(row.cells):
        theme, index = divmod(at, 5)
        name = f"{row.player.number}-{theme + 1}-{NOMINALS[index]}"
        answers.append(
            OwnAnswer(
                theme + 1,
                NOMINALS[index],
                verdict(points),
                points,
                f"ответ {name}" if points else "",
                jpeg(name) if crops else b"",
            )
        )
    return OwnPage(row.player.number, tuple(answers), code)


def own_pages(standings: Standings, *, crops: bool = True) -> Iterator[OwnPage]:
    """Everybody's pages, made one at a time."""
    for part in standings.categories:
        for row in part.rows:
            yield own_page(row, crops=crops)


def key() -> AnswerKey:
    """Eight themes with an answer and a variant each."""
    return AnswerKey(
        "Ключ",
        tuple(
            Theme(
                theme,
                f"Заголовок {theme}",
                tuple(
                    Question(theme, row, nominal, f"Верно {theme}-{nominal}", ("Иначе & так",))
                    for row, nominal in enumerate(NOMINALS, start=1)
                ),
            )
            for theme in range(1, 9)
        ),
    )
