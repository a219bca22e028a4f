"""Measures the readers: `make bench-reading` prints the figures and writes `out/bench-reading.json`.

Loss guarded against: a change that makes the wall's order worse without anybody seeing it.

Data that never comes with the product is asked for by `--handwriting` (real writing, see DESIGN.md) and
`--words` (dictionary words, `python -m training.vocabulary`); what is missing is left out, and said so.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rapidfuzz.distance import Levenshtein

from jury.suggestion import suggest
from samples.cutting import cut
from samples.effects import Mode
from samples.event_files import load_event
from samples.generate import SAMPLE_CODE, generate
from samples.pack import FILES, FileSpec
from samples.pdf import Coding
from samples.plan import Kind
from scanner.contracts import Gray, Ink, Reader, Reading
from scanner.geometry import default
from scanner.pages import PageSource, count_pages
from scanner.readers import choice, tesseract
from scanner.readers.alphabet import folded
from scanner.readers.verification import evidence
from scoring.model import Verdict
from service import verification
from tests import bench_digits

SEED = 7
OTHERS = 500
EDGES = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0001)


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop and what it says; of a sample event also its question and the jury's verdict."""

    image: Gray
    text: str
    question: Any = None
    verdict: Verdict | None = None
    near_miss: bool = False


def free_figures(readings: Sequence[Reading], crops: Sequence[Crop]) -> dict[str, float]:
    """Errors of free reading, folded as the jury compares."""
    wanted = [folded(crop.text) for crop in crops]
    got = [folded(reading.text) for reading in readings]
    errors = sum(Levenshtein.distance(a, b) for a, b in zip(wanted, got, strict=True))
    return {
        "crops": len(crops),
        "cer": round(errors / max(1, sum(map(len, wanted))), 4),
        "exact": round(float(np.mean([a == b for a, b in zip(wanted, got, strict=True)])), 4),
    }


def scores(readings: Sequence[Reading], texts: Sequence[Sequence[str]]) -> list[list[float]]:
    """How well each text fits each crop: by the trace where there is one, else by likeness."""
    if any(reading.trace for reading in readings):
        found = evidence([reading.trace for reading in readings], texts)
        return [
            [-99.0 if item is None else item.ratio for item in some or [None] * len(wanted)]
            for some, wanted in zip(found, texts, strict=True)
        ]
    likeness = Levenshtein.normalized_similarity
    return [
        [likeness(folded(reading.text), folded(text)) for text in some]
        for reading, some in zip(readings, texts, strict=True)
    ]


def first_among(
    readings: Sequence[Reading], crops: Sequence[Crop], words: Sequence[str]
) -> dict[str, float]:
    """The true word against 500 others of like length, and the equal error rate against the nearest."""
    rng = np.random.default_rng(SEED)
    by_length: dict[int, list[str]] = {}
    for word in words:
        by_length.setdefault(len(word), []).append(word)
    texts = []
    for crop in crops:
        length, own = len(crop.text), folded(crop.text)
        near = [word for size in range(length - 1, length + 2) for word in by_length.get(size, ())]
        drawn = rng.choice(near, 2 * OTHERS, replace=False).tolist()
        others = [word for word in drawn if folded(word) != own][:OTHERS]
        texts.append([crop.text, *others])
    found = [np.array(some) for some in scores(readings, texts)]
    true = np.array([some[0] for some in found])
    best = np.array([some[1:].max() for some in found])
    return {
        "first_among_500": round(float((true > best).mean()), 4),
        "equal_error": round(equal_error(true, best), 4),
    }


def equal_error(true: np.ndarray, false: np.ndarray) -> float:
    """Where as many true ones are refused as false ones accepted."""
    cuts = np.unique(np.concatenate([true, false]))
    refused = np.searchsorted(np.sort(true), cuts) / len(true)
    accepted = 1 - np.searchsorted(np.sort(false), cuts) / len(false)
    at = int(np.abs(refused - accepted).argmin())
    return float((refused[at] + accepted[at]) / 2)


def auc(right: np.ndarray, wrong: np.ndarray) -> float:
    """How often a right one stands above a wrong one; ties count half."""
    if not len(right) or not len(wrong):
        return float("nan")
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left")
    upto = np.searchsorted(ordered, right, "right")
    return float(((below + upto) / 2).mean() / len(wrong))


def wrong_side(right: np.ndarray, wrong: np.ndarray) -> int:
    """How many stand on the wrong side of the best boundary."""
    cuts = np.concatenate([np.unique(np.concatenate([right, wrong])), [np.inf]])
    missed = np.searchsorted(np.sort(right), cuts)
    passed = len(wrong) - np.searchsorted(np.sort(wrong), cuts)
    return int((missed + passed).min())


def wall_of_words(readings: Sequence[Reading], crops: Sequence[Crop]) -> dict[str, float]:
    """Each distinct word in turn as the key, the crops of all other words as wrong answers."""
    words = sorted({crop.text for crop in crops})
    found = np.array(scores(readings, [words] * len(crops)))
    areas, misplaced, answers = [], 0, 0
    for column, word in enumerate(words):
        says = np.array([crop.text == word for crop in crops])
        areas.append(auc(found[says, column], found[~says, column]))
        misplaced += wrong_side(found[says, column], found[~says, column])
        answers += len(crops)
    return {
        "wall_auc": round(float(np.mean(areas)), 5),
        "wall_wrong_per_1000": round(1000 * misplaced / answers, 2),
    }


def tablet_words(folder: Path) -> list[Crop]:
    """The real pen words."""
    rows = [
        line.split("\t") for line in (folder / "tablet_words.tsv").read_text("utf-8").splitlines()
    ]
    return [
        Crop(cv2.imread(str(folder / "tablet_words" / name), cv2.IMREAD_GRAYSCALE), word)
        for name, word in rows
    ]


def pen_words(folder: Path, words: Sequence[str]) -> list[Crop]:
    """500 dictionary words composed of real pen letters, side by side on one line."""
    archive = np.load(folder / "pen_letters_28.npz")
    labels = archive["labels"].astype(str)
    by_label = {label: archive["images"][labels == label] for label in np.unique(labels)}
    rng = np.random.default_rng(SEED)
    fitting = [w for w in words if 3 <= len(w) <= 12 and all(char in by_label for char in w)]
    crops = []
    for word in rng.choice(fitting, 500, replace=False).tolist():
        glyphs = [by_label[char][int(rng.integers(len(by_label[char])))] for char in word]
        trimmed = []
        for glyph in glyphs:
            columns = np.flatnonzero((glyph < 160).any(axis=0))
            inside = glyph[:, columns[0] : columns[-1] + 1] if len(columns) else glyph
            trimmed += [inside, np.full((28, 2), 255, np.uint8)]
        line = np.hstack(trimmed)
        crops.append(Crop(cv2.resize(line, None, fx=1.5, fy=1.5), word))
    return crops


# A 1-bit scan, and a grey one for those whose ink would not survive it.
BILEVEL = (
    FileSpec("1-bit.pdf", Mode.BILEVEL, (200,), (Coding.G4,), 0.7),
    FileSpec("pale.pdf", Mode.GREY, (200,), (Coding.JPEG,), 0.3),
)


def event_crops(
    folder: Path, hand: str, sheets: int, dpi: int = 200, bilevel: bool = False
) -> tuple[list[Crop], dict[str, int]]:
    """The written boxes of a sample event, cut by the scanner itself, and what of the ink was told wrongly.

    With `bilevel` only what a 1-bit scan shows: those whose pens are too pale for one are left out.
    """
    sample = generate(
        folder / (f"{hand}-1-bit" if bilevel else hand),
        event_code=SAMPLE_CODE,
        hand=hand,
        sheets=sheets,
        dpi=dpi,
        extras=False,
        piles=BILEVEL if bilevel else FILES,
    )
    files = [path for path in sample.files if not bilevel or path.name == BILEVEL[0].name]
    ink = {"written": 0, "taken_for_blank": 0, "blank": 0, "taken_for_written": 0}
    boxes = {
        (sheet.sheet, f"t{box.theme}r{box.row}"): box
        for sheet in sample.plan.sheets
        for box in sheet.boxes
    }
    questions = {f"t{q.theme}r{q.row}": q for q in load_event().key.questions()}
    source, found = PageSource(), []
    for path in files:
        for index in range(count_pages(path)):
            result, kept = cut(source.page(path, index).gray, default(), SAMPLE_CODE)
            if result.code is None:
                continue
            for box in result.boxes:
                planned = boxes.get((result.code.sheet, box.key))
                if planned is not None:
                    written, seen = bool(planned.text), box.ink is Ink.WRITTEN
                    ink["written" if written else "blank"] += 1
                    ink["taken_for_blank"] += written and not seen
                    ink["taken_for_written"] += seen and planned.kind is Kind.BLANK
                # What was crossed out and written anew has two texts in it: measured with the whole way.
                crop = kept.of(box)
                if crop is None or planned is None or not planned.text or planned.struck:
                    continue
                found.append(
                    Crop(
                        crop,
                        planned.text,
                        questions[box.key],
                        planned.verdict,
                        planned.kind.value == "near_miss",
                    )
                )
    source.close()
    return found, ink


def event_figures(readings: Sequence[Reading], crops: Sequence[Crop]) -> dict[str, Any]:
    """The wall of every question, as the service orders it."""
    if any(reading.trace for reading in readings):
        matched = verification.matches(
            [reading.trace for reading in readings], [crop.question for crop in crops]
        )
    else:
        matched = [()] * len(crops)
    suggestions = [
        suggest(reading.text, reading.confidence, Ink.WRITTEN, crop.question, tuple(some))
        for reading, crop, some in zip(readings, crops, matched, strict=True)
    ]
    probability = np.array([suggestion.probability for suggestion in suggestions])
    agree = np.array(
        [s.verdict is crop.verdict for s, crop in zip(suggestions, crops, strict=True)]
    )
    silent = np.array([suggestion.verdict is None for suggestion in suggestions])
    right = np.array([crop.verdict is Verdict.RIGHT for crop in crops])
    near = np.array([crop.near_miss for crop in crops])
    misplaced = 0
    for question in {crop.question for crop in crops}:
        here = np.array([crop.question == question for crop in crops])
        misplaced += wrong_side(probability[here & right], probability[here & ~right])
    plain = ~near
    decided = (probability >= 0.98) | (probability <= 0.02)
    mistaken = decided & ((probability > 0.5) != right)
    table = []
    for low, high in itertools.pairwise(EDGES):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            table.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "count": int(inside.sum()),
                    "mean": round(float(probability[inside].mean()), 4),
                    "right": round(float(right[inside].mean()), 4),
                }
            )
    return {
        "auc": round(auc(probability[right], probability[~right]), 5),
        "auc_without_near_misses": round(
            auc(probability[right & plain], probability[~right & plain]), 5
        ),
        "wrong_side_per_1000": round(1000 * misplaced / len(crops), 2),
        "near_misses": int(near.sum()),
        "confirmed_share": round(float(agree.mean()), 4),
        "without_suggestion": round(float(silent.mean()), 4),
        "sure_right_share": round(float((probability >= 0.98).mean()), 4),
        "sure_right_errors": round(float((~right[probability >= 0.98]).mean()), 5),
        "decided_share": round(float(decided.mean()), 4),
        "decided_errors": round(float(mistaken.sum() / max(1, decided.sum())), 5),
        "reliability": table,
    }


def measured(reader: Reader, crops: Sequence[Crop]) -> tuple[list[Reading], float]:
    """The readings, and milliseconds of processor time and wall a crop, whichever is more."""
    started, spent = time.perf_counter(), time.process_time()
    readings: list[Reading] = []
    # As many at once as a page has.
    for start in range(0, len(crops), 20):
        readings += reader.read([crop.image for crop in crops[start : start + 20]])
    own = time.process_time() - spent
    wall = time.perf_counter() - started
    # Tesseract works in processes of its own: only the wall tells.
    took = own if own > 0.3 * wall else wall
    return readings, 1000 * took / max(1, len(crops))


def main() -> None:
    """Measure every reader that is there."""
    parser = argparse.ArgumentParser(description="Measure the readers.")
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument(
        "--handwriting", type=Path, help="folder with tablet_words/ and pen letters"
    )
    parser.add_argument("--words", type=Path, help="dictionary words, kind and word a line")
    parser.add_argument("--sheets", type=int, default=70)
    parser.add_argument("--readers", nargs="*", default=["handwriting", "tesseract"])
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    words = []
    if arguments.words and arguments.words.exists():
        lines = arguments.words.read_text("utf-8").splitlines()
        words = [line.split("\t")[1] for line in lines if line.startswith(("common", "rare"))]
        words = [word for word in words if "-" not in word]
    sets: dict[str, list[Crop]] = {}
    if arguments.handwriting and words:
        sets["tablet words"] = tablet_words(arguments.handwriting)
        sets["words of pen letters"] = pen_words(arguments.handwriting, words)
    else:
        print("Without --handwriting and --words: only the sample event in fonts.")
    figures: dict[str, Any] = {}
    scans = arguments.out / "bench-reading-scans"
    hands = [("fonts", False), ("fonts", True)]
    if arguments.handwriting:
        hands.insert(1, ("real", False))
    for hand, bilevel in hands:
        title = f"sample event, {hand}{', 1-bit' if bilevel else ''}"
        sets[title], ink = event_crops(scans, hand, arguments.sheets, bilevel=bilevel)
        figures.setdefault("ink", {})[title] = ink
        print(f"ink, {title}: {json.dumps(ink)}", flush=True)
    for name in arguments.readers:
        if name == "tesseract" and not tesseract.available():
            print("Tesseract is not installed: left out.")
            continue
        reader = choice.make(name)
        assert reader is not None
        for title, crops in sets.items():
            readings, took = measured(reader, crops)
            found: dict[str, Any] = {
                **free_figures(readings, crops),
                "ms_per_crop": round(took, 2),
                "crops_a_second_and_core": round(1000 / max(took, 1e-3)),
            }
            if crops[0].question is None:
                found |= first_among(readings, crops, words)
            if title == "tablet words":
                found |= wall_of_words(readings, crops)
            if crops[0].question is not None:
                found |= event_figures(readings, crops)
            figures.setdefault(name, {})[title] = found
            shown = {key: value for key, value in found.items() if key != "reliability"}
            print(f"{name}, {title}: {json.dumps(shown, ensure_ascii=False)}", flush=True)
            for row in found.get("reliability", ()):
                print("   ", row)
    figures["digits"] = bench_digits.figures(arguments.handwriting)
    for title, parts in figures["digits"].items():
        for part, found in parts.items():
            print(f"digits, {title}, {part}: {json.dumps(found, ensure_ascii=False)}", flush=True)
    path = arguments.out / "bench-reading.json"
    path.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
