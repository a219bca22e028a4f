"""Guards the hands: a letter that a font lacks becomes a box, and an answer cut off can't be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otbor.errors import InputFileError
from otbor.i18n import speaking
from samples.event_files import EVENT_DIR
from samples.fill import OVER, fill_box
from samples.generate import STROKES_FILE
from samples.hands.contracts import PX_PER_MM, Hand, Pen
from samples.hands.fonts import FACES, GREAT_VIBES, FontHand, choose_font_hand, covers, runs_of
from samples.hands.ink_strokes import draw, resampled
from samples.hands.marks import Strike, dash, strike_out
from samples.hands.pens import choose_pen
from samples.hands.strokes import choose_stroke_hand
from samples.hands.writers import load_writers
from samples.plan import Kind, PlannedBox
from scoring.model import Verdict

LONG = "Сказка о попе и о работнике его Балде"
BOX = (82.0, 9.2)

needs_writers = pytest.mark.skipif(
    not STROKES_FILE.exists(), reason="recordings of real writers (shared/handwriting) are absent"
)


def hands() -> list[Hand]:
    made: list[Hand] = []
    for index in range(12):
        rng = np.random.default_rng(index)
        made.append(choose_font_hand(choose_pen(rng), rng))
        if STROKES_FILE.exists():
            made.append(choose_stroke_hand(STROKES_FILE, index, choose_pen(rng), rng))
    return made


def box(kind: Kind, text: str = "", struck: str = "") -> PlannedBox:
    return PlannedBox(1, 1, 10, kind, text, struck, Verdict.BLANK)


def test_every_character_of_the_event_has_a_face() -> None:
    names = ("key.toml", "answers.toml", "players.csv")
    text = "".join((EVENT_DIR / name).read_text(encoding="utf-8") for name in names)
    for face in FACES:
        for used, run in runs_of(text, face):
            assert covers(used, run), run


def test_all_russian_letters_are_in_every_face() -> None:
    letters = "".join(chr(code) for code in range(ord("А"), ord("я") + 1)) + "Ёё"
    for face in FACES:
        assert covers(face, letters), face.package


def test_a_missing_character_comes_from_another_face() -> None:
    assert not covers(GREAT_VIBES, "Қ")
    runs = list(runs_of("Қасымов", GREAT_VIBES))
    assert [run for _, run in runs] == ["Қ", "асымов"]
    assert runs[0][0] is not GREAT_VIBES
    assert runs[1][0] is GREAT_VIBES


@pytest.mark.parametrize("text", [LONG, "64", "дезоксирибонуклеиновая кислота", "WWF", "«Бигль»"])
def test_answers_stay_on_their_box(text: str) -> None:
    for index, hand in enumerate(hands()):
        mask = fill_box(hand, box(Kind.RIGHT, text), BOX, np.random.default_rng(index))
        assert mask is not None
        assert mask.shape == tuple(round((side + 2 * OVER) * PX_PER_MM) for side in BOX[::-1])
        # Ink at the canvas's very edge would have been cut off there.
        edge = np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]])
        assert (edge > 40).sum() < 0.6 * PX_PER_MM
        assert mask.max() > 120


def test_long_answers_keep_a_readable_size() -> None:
    for index, hand in enumerate(hands()):
        mask = fill_box(hand, box(Kind.RIGHT, LONG), BOX, np.random.default_rng(index))
        assert mask is not None
        columns = np.flatnonzero(mask.max(axis=0) > 40)
        assert (columns[-1] - columns[0]) / PX_PER_MM > 35


def test_blank_dash_crossed_and_rewritten() -> None:
    hand = hands()[0]
    rng = np.random.default_rng(3)
    assert fill_box(hand, box(Kind.BLANK), BOX, rng) is None
    inked = {
        kind: int((mask > 60).sum())
        for kind, mask in {
            Kind.DASH: fill_box(hand, box(Kind.DASH), BOX, rng),
            Kind.RIGHT: fill_box(hand, box(Kind.RIGHT, "Сириус"), BOX, rng),
            Kind.CROSSED: fill_box(hand, box(Kind.CROSSED, "", "Сириус"), BOX, rng),
            Kind.REWRITTEN: fill_box(hand, box(Kind.REWRITTEN, "Вега", "Сириус"), BOX, rng),
        }.items()
        if mask is not None
    }
    assert 0 < inked[Kind.DASH] < inked[Kind.RIGHT] < inked[Kind.CROSSED] < inked[Kind.REWRITTEN]


def test_a_hand_is_the_same_for_the_same_random_numbers() -> None:
    for hand in hands()[:4]:
        one, two = (hand.line("Окаванго", 2.4, np.random.default_rng(9)) for _ in range(2))
        other = hand.line("Окаванго", 2.4, np.random.default_rng(10))
        assert np.array_equal(one.mask, two.mask)
        assert one.mask.shape != other.mask.shape or not np.array_equal(one.mask, other.mask)


def test_small_letters_have_the_height_asked_for() -> None:
    pen = Pen("gel", 0.5, (0, 0, 0), 1.0, 0.0)
    for face in FACES:
        hand = FontHand(face, pen, 2.5, 400, 0.0, 1.0, 0.0)
        line = hand.line("н", 2.5, np.random.default_rng(1))
        assert line.above == pytest.approx(2.5, abs=0.5)
        assert line.below < 0.4


def test_pen_width_is_that_of_a_pen() -> None:
    mask = np.zeros((120, 480), dtype=np.uint8)
    path = np.array([[1.0, 2.5], [19.0, 2.5]])
    draw(mask, [path], 0.5, np.random.default_rng(0))
    thick = (mask[:, 100:380] > 127).sum(axis=0) / PX_PER_MM
    assert 0.38 < thick.min() <= thick.max() < 0.65


def test_marks() -> None:
    for style in Strike:
        mask = strike_out((20.0, 4.0), 0.5, np.random.default_rng(2), style)
        columns = np.flatnonzero(mask.max(axis=0))
        assert (columns[-1] - columns[0]) / PX_PER_MM > 18, style
    line = dash(0.5, np.random.default_rng(4))
    assert 3.5 < (np.flatnonzero(line.max(axis=0)).size) / PX_PER_MM < 24
    assert len(resampled(np.array([[0.0, 0.0], [1.2, 0.0]]), 0.12)) == 11


def test_missing_recordings_say_what_to_do(tmp_path: Path) -> None:
    missing = tmp_path / "strokes.json"
    with speaking("ru"), pytest.raises(InputFileError) as caught:
        load_writers(missing)
    assert str(missing) in caught.value.message
    assert "--hand fonts" in caught.value.hint
    missing.write_text('[{"session": "w", "kind": "word"}]')
    with pytest.raises(InputFileError):
        load_writers(missing)


@needs_writers
def test_real_writers_have_whole_alphabets() -> None:
    writers = load_writers(STROKES_FILE)
    assert len(writers) == 18
    for writer in writers:
        assert set("абвгдеёжзийклмнопрстуфхцчшщъыьэюя0123456789") <= set(writer.letters)
        assert all(writer.letters.values()), writer.name
        plain = [writer.letters[char][0] for char in "анопш"]
        heights = [-min(path[:, 1].min() for path in letter.body) for letter in plain]
        assert np.median(heights) == pytest.approx(1.0, abs=0.3)


@needs_writers
def test_real_letters_are_joined_to_words() -> None:
    pen = Pen("gel", 0.5, (0, 0, 0), 1.0, 0.0)
    joined, apart = [], []
    for index in range(6):
        hand = choose_stroke_hand(STROKES_FILE, 3 * index, pen, np.random.default_rng(index))
        line = hand.line("лимон", 2.5, np.random.default_rng(index))
        columns = line.mask.max(axis=0) > 60
        joined.append(int((np.diff(columns.astype(int)) == 1).sum()))
        spaced = hand.line("л и м о н", 2.5, np.random.default_rng(index))
        columns = spaced.mask.max(axis=0) > 60
        apart.append(int((np.diff(columns.astype(int)) == 1).sum()))
    assert sum(joined) < sum(apart) / 2
