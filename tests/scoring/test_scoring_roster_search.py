"""Guards the search at the desk: a player who is there must be found by any beginning, quickly."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from scoring.folding import fold
from scoring.model import Player
from scoring.roster_search import search

NAMES = ("Ёлкина Мария", "Петров-Водкин Кузьма", "О’Нил Шон", "Иванов Иван", "Қасым Али")
ROSTER = [
    Player(number, f"{NAMES[number % 5]}", "5–7", f"школа № {number % 60}", "Заречинск")
    for number in range(1, 3001)
]


@given(st.sampled_from(ROSTER), st.data())
def test_the_beginning_of_any_word_finds_the_player(player: Player, data: st.DataObject) -> None:
    """Whatever is typed on: case, ё and the kind of hyphen do not count."""
    word = data.draw(st.sampled_from(fold(player.name).replace("-", " ").split()))
    typed = word[: data.draw(st.integers(2, len(word)))]
    if data.draw(st.booleans()):
        typed = typed.upper()
    found = search(ROSTER, f"{typed} {player.number}", most=3000)
    assert player in found
    assert found[0].number == player.number


def test_a_number_stands_before_numbers_that_begin_so_and_before_schools() -> None:
    found = search(ROSTER, "12", most=3000)
    numbers = [player.number for player in found]
    assert numbers[0] == 12
    school = next(player for player in found if not str(player.number).startswith("12"))
    assert school.school == "школа № 12"
    before = numbers[: numbers.index(school.number)]
    assert sorted(before) == [n for n in range(1, 3001) if str(n).startswith("12")]
    assert search(ROSTER, "0012")[0].number == 12


def test_every_word_must_fit_and_nonsense_finds_nobody() -> None:
    assert {player.name for player in search(ROSTER, "водк куз")} == {"Петров-Водкин Кузьма"}
    assert search(ROSTER, "кузьма мария") == []
    assert search(ROSTER, "  –  ") == []
    assert search(ROSTER, "зареч школа 7 елк")[0].name == "Ёлкина Мария"


def test_three_thousand_players_are_searched_between_two_key_presses() -> None:
    search(ROSTER, "а")
    best = min(_seconds() for _attempt in range(5))
    assert best < 0.25


def _seconds() -> float:
    start = time.perf_counter()
    search(ROSTER, "иван зар шк")
    return time.perf_counter() - start
