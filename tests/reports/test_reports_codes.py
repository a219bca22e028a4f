"""Guards against a child's page that a stranger finds: codes that repeat, follow from each other, or are
misread."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.codes import ALPHABET, LENGTH, player_code, printed, typed

SECRET = bytes(range(32))


def test_three_thousand_players_have_three_thousand_codes() -> None:
    for secret in (SECRET, b"x" * 16, b"another secret of an event"):
        assert len({player_code(secret, number) for number in range(1, 3001)}) == 3000


def test_codes_are_spread_over_the_alphabet() -> None:
    letters = Counter("".join(player_code(SECRET, number) for number in range(1, 3001)))
    assert set(letters) == set(ALPHABET)
    # 36,000 letters over 31: 1,161 each, standard deviation 33.
    assert max(letters.values()) < 1161 + 5 * 34 and min(letters.values()) > 1161 - 5 * 34


def test_another_secret_gives_other_codes() -> None:
    mine = {player_code(SECRET, number) for number in range(1, 3001)}
    theirs = {player_code(SECRET[:-1] + b"?", number) for number in range(1, 3001)}
    assert not mine & theirs


def test_a_code_never_changes() -> None:
    """Blanks are printed with it weeks before the results."""
    assert player_code(SECRET, 17) == player_code(SECRET, 17) == "mu78x63yr25w"


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        player_code(b"secret", 1)


@given(st.integers(0, 10**6), st.sampled_from(["{}", " {} ", "{}\n"]), st.booleans())
def test_what_is_printed_can_be_typed(number: int, frame: str, lower: bool) -> None:
    code = player_code(SECRET, number)
    text = printed(code)
    assert len(code) == LENGTH and text.count("-") == 2
    for dash in ("-", "–", " ", ""):
        given = frame.format(text.lower() if lower else text).replace("-", dash)
        assert typed(given) == code


@pytest.mark.parametrize(
    "text", ["", "K7QF", "K7QF-3M2X-9AT", "K7QF-3M2X-9ATB-1", "00II-OOLL-1111"]
)
def test_what_is_no_code(text: str) -> None:
    assert typed(text) == ""
