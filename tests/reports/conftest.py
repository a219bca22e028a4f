"""Standings made by hand: the reports are tested without the code that ranks."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from scoring.model import (
    CategoryStandings,
    Cut,
    Player,
    Regulation,
    StandingRow,
    Standings,
    Status,
)

LONG_NAME = "Константинопольская-Преображенская Александрина-Виктория Иги"
assert len(LONG_NAME) == 60

SURNAMES = """
    Абрамова Берёзкин Волгина Громов Дымова Ежов Ёлкина Жарова Зимин Ильина Ключев Лунина Мельник
    Новикова Осокин Полевая Ручьёв Соколова Тихонов Уланова Фролов Хромова Чайкин Ясенева
"""
NAMES = "Аня Борис Вера Глеб Дарья Егор Ева Жанна Игорь Кира Лев Мария Нина Олег Пётр Рита"

REGULATION = Regulation()


def _cells(rng: random.Random, unconfirmed: int) -> tuple[int | None, ...]:
    points: list[int | None] = []
    for _theme in range(REGULATION.themes):
        for nominal in REGULATION.nominals:
            points.append(rng.choices((nominal, -nominal, 0), (5, 2, 2 + nominal / 10))[0])
    for at in rng.sample(range(len(points)), unconfirmed):
        points[at] = None
    return tuple(points)


def make_category(
    category: str,
    players: int,
    *,
    absent: int = 0,
    tied: int = 0,
    left: int = 0,
    cut: int = 32,
    unconfirmed: int = 0,
    first_number: int = 1,
    long_names: bool = False,
    seed: int = 7,
) -> CategoryStandings:
    """A category that is consistent in itself.

    `tied` players share the places around the cut, of which `left` are to be had; `unconfirmed` boxes
    are missing in each of the first three rows.
    """
    rng = random.Random(f"{seed}{category}{players}")
    sheets = [_cells(rng, 0) for _ in range(players)]
    sheets.sort(key=lambda cells: -sum(points or 0 for points in cells))
    if tied:
        start = cut - left
        for index in range(start, start + tied):
            sheets[index] = sheets[start]
    scores = [sum(points or 0 for points in cells) for cells in sheets]
    rows = []
    for index in range(players + absent):
        number = first_number + index
        name = f"{rng.choice(SURNAMES.split())} {rng.choice(NAMES.split())}"
        if long_names:
            name = LONG_NAME if index % 2 else "Ш" * 29 + " " + "Щ" * 30
        school = LONG_NAME * 2 if long_names else f"Школа № {number % 40 + 1}"
        player = Player(number, name, category, school, "Заречный" if number % 3 else "")
        if index >= players:
            row = StandingRow(player, None, 0, 0, 0, 0, 0, Status.ABSENT, (None,) * 40)
            rows.append(row)
            continue
        cells, score = sheets[index], scores[index]
        places = (scores.index(score) + 1, players - scores[::-1].index(score))
        status = Status.IN if places[1] <= cut else Status.OUT
        if places[0] <= cut < places[1]:
            status = Status.TIED
        open_boxes = unconfirmed if index < 3 else 0
        if open_boxes:
            at = [i for i, points in enumerate(cells) if points == 0][:open_boxes]
            cells = tuple(None if i in at else points for i, points in enumerate(cells))
        rows.append(
            StandingRow(
                player,
                places,
                score,
                sum(points is not None and points > 0 for points in cells),
                sum(points is not None and points < 0 for points in cells),
                sum(points == 0 for points in cells),
                sum(points is None for points in cells),
                status,
                cells,
            )
        )
    sure = sum(row.status is Status.IN for row in rows)
    on_the_line = tuple(row.player.number for row in rows if row.status is Status.TIED)
    line = Cut(cut, sure, cut - sure if on_the_line else 0, on_the_line)
    return CategoryStandings(category, tuple(rows), line)


def make_standings(*categories: CategoryStandings) -> Standings:
    """All of an event with the usual regulation."""
    return Standings("Осенний марафон: письменный отбор", REGULATION, categories)


@pytest.fixture(scope="session")
def category() -> Callable[..., CategoryStandings]:
    """The builder of one category."""
    return make_category


@pytest.fixture(scope="session")
def standings() -> Callable[..., Standings]:
    """The builder of standings."""
    return make_standings
