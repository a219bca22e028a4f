"""Guards the generated pile: other bytes tomorrow, or ink that is not where the truth says, and every
figure measured on the sample is worthless. Once the fax pages came out white on black."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray
from PIL import Image

from otbor.errors import InputFileError
from samples.generate import STROKES_FILE, GeneratedSample, generate, main
from samples.pack import FILES, pack
from scanner.contracts import Outcome
from scanner.geometry import SheetKind, default
from scoring.model import Verdict

SHEETS = 8
BLANK = default().blank_of(SheetKind.PERSONAL)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSample:
    return generate(tmp_path_factory.mktemp("sample"), sheets=SHEETS, dpi=150, seed=5)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def picture(folder: Path, name: str, page: int) -> NDArray[np.uint8]:
    """A page's stored pixels in grey, decoded by other programs than those that wrote them."""
    path = folder / name
    if path.suffix == ".pdf":
        document = pdfium.PdfDocument(path)
        (image,) = document[page - 1].get_objects()
        pixels = image.get_bitmap().to_pil().convert("L")
        document.close()
        return np.array(pixels)
    with Image.open(path) as image:
        image.seek(page - 1)
        return np.array(image.convert("L"))


def test_same_seed_same_bytes_whatever_the_workers(sample: GeneratedSample, tmp_path: Path) -> None:
    again = generate(tmp_path, sheets=SHEETS, dpi=150, seed=5, workers=1)
    assert digests(again.folder) == digests(sample.folder)


def test_another_seed_gives_another_pile(sample: GeneratedSample, tmp_path: Path) -> None:
    other = generate(tmp_path, sheets=1, dpi=100, seed=6, workers=1, extras=False)
    assert len(other.pages) == 1
    assert other.truth.read_bytes() != sample.truth.read_bytes()
    assert other.files[0].read_bytes() != sample.files[0].read_bytes()


def test_every_page_is_accounted_for(sample: GeneratedSample) -> None:
    table = rows(sample.page_table)
    assert [(r["file"], int(r["page"])) for r in table] == [(p.file, p.page) for p in sample.pages]
    counted = Counter(page.outcome for page in sample.pages)
    assert counted == {
        Outcome.SHEET: SHEETS,
        Outcome.DUPLICATE: 1,
        Outcome.UNKNOWN: 1,
        Outcome.FOREIGN: 1,
        Outcome.EMPTY: 1,
    }
    own = [page.sheet for page in sample.pages if page.outcome is Outcome.SHEET]
    assert sorted(own) == sorted(sheet.sheet for sheet in sample.plan.sheets)
    assert {path.name for path in sample.files} == {page.file for page in sample.pages}
    for path in sample.files:
        assert pages_in(path) == sum(page.file == path.name for page in sample.pages)


def pages_in(path: Path) -> int:
    if path.suffix == ".pdf":
        document = pdfium.PdfDocument(path)
        count = len(document)
        document.close()
        return count
    with Image.open(path) as image:
        return int(getattr(image, "n_frames", 1))


def test_the_duplicate_lies_behind_its_original(sample: GeneratedSample) -> None:
    names = [(page.outcome, page.sheet) for page in sample.pages]
    (copy,) = [page.sheet for page in sample.pages if page.outcome is Outcome.DUPLICATE]
    assert names.index((Outcome.SHEET, copy)) < names.index((Outcome.DUPLICATE, copy))


def test_all_modes_and_file_kinds_are_there(sample: GeneratedSample) -> None:
    assert {page.effects.mode for page in sample.pages} == {spec.mode for spec in FILES}
    assert {path.suffix for path in sample.files} == {".pdf", ".tif", ".jpg"}


def test_scores_and_rulings_follow_from_the_truth(sample: GeneratedSample) -> None:
    truth = rows(sample.truth)
    assert len(truth) == 40 * SHEETS
    points = Counter[int]()
    for row in truth:
        sign = {Verdict.RIGHT.value: 1, Verdict.WRONG.value: -1, Verdict.BLANK.value: 0}
        points[int(row["player"])] += sign[row["verdict"]] * int(row["nominal"])
    scores = {int(row["player"]): int(row["score"]) for row in rows(sample.scores)}
    assert scores == dict(points) == sample.plan.scores
    rulings = [
        (row["sheet"], row["theme"], row["nominal"], row["verdict"]) for row in rows(sample.rulings)
    ]
    assert rulings == [(r["sheet"], r["theme"], r["nominal"], r["verdict"]) for r in truth]
    spares = {row["sheet"]: row["player"] for row in rows(sample.spares)}
    assert set(spares) == {"S1", "S2"}
    assert all(r["player"] == spares[r["sheet"]] for r in truth if r["sheet"] in spares)


def test_ink_is_where_the_truth_says(sample: GeneratedSample) -> None:
    kinds = {
        (r["sheet"], int(r["theme"]), int(r["nominal"]) // 10): r["kind"]
        for r in rows(sample.truth)
    }
    for place in sheets_of(sample):
        gray = picture(sample.folder, place["file"], place["page"])
        for box in BLANK.boxes:
            dark = darkness(gray, np.array(place["matrix"]), box.rect.grown(-1.0))
            kind = kinds[place["sheet"], box.theme, box.row]
            where = (place["file"], place["page"], box.key, kind)
            if kind == "blank":
                # A tail of the answer above may hang in.
                assert dark < 6.0, where
            else:
                assert dark > 0.3, where


def darkness(gray: NDArray[np.uint8], matrix: NDArray[np.float64], rect: Any) -> float:
    """Ink in a rectangle of the blank, mm² of full black."""
    per_mm = 8
    to_mm = np.array([[1 / per_mm, 0, rect.x], [0, 1 / per_mm, rect.y], [0, 0, 1]])
    size = (round(rect.width * per_mm), round(rect.height * per_mm))
    crop = cv2.warpPerspective(gray, np.linalg.inv(matrix @ to_mm), size).astype(float)
    paper = float(np.median(crop))
    assert paper > 90
    return float(np.clip((paper - crop) / paper - 0.2, 0, None).sum()) / per_mm**2


def sheets_of(sample: GeneratedSample) -> list[dict[str, Any]]:
    places = json.loads(sample.places.read_text(encoding="utf-8"))
    own = {(page.file, page.page) for page in sample.pages if page.outcome is Outcome.SHEET}
    return [place for place in places if (place["file"], place["page"]) in own]


def test_homographies_lead_to_the_fiducials(sample: GeneratedSample) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, BLANK.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    markers = {marker.id: marker.rect.corners() for marker in BLANK.markers}
    crumple = {(page.file, page.page): page.effects.crumple for page in sample.pages}
    seen = 0
    for place in sheets_of(sample):
        gray = picture(sample.folder, place["file"], place["page"])
        corners, ids, _ = detector.detectMarkers(gray)
        per_mm = float(np.hypot(*np.array(place["matrix"])[:2, 0]))
        for found, marker in zip(corners, np.ravel(ids), strict=True):
            true = cv2.perspectiveTransform(
                np.array([markers[int(marker)]]), np.array(place["matrix"])
            )
            off = np.abs(true.reshape(4, 2) - found.reshape(4, 2)).max() / per_mm
            assert off < 0.25 + 1.5 * crumple[place["file"], place["page"]], place["file"]
            seen += 1
    assert seen >= 4 * SHEETS - 2


def test_a_photo_carries_its_orientation(sample: GeneratedSample) -> None:
    jobs = pack([True] * 101, 1)
    assert {job.effects.orientation for job in jobs if job.effects.mode == "phone"} == {1, 3, 6}
    for page in sample.pages:
        if page.file.endswith(".jpg"):
            with Image.open(sample.folder / page.file) as image:
                assert image.getexif().get(0x0112, 1) == page.effects.orientation


def test_pale_ink_never_meets_a_1_bit_scan() -> None:
    dark = [index % 3 != 0 for index in range(101)]
    for seed in range(5):
        for job in pack(dark, seed, extras=False):
            assert job.sheet is not None
            assert dark[job.sheet] or job.effects.mode != "1-bit"


@pytest.mark.parametrize("count", [1, 2, 5, 6, 40, 101, 300])
def test_every_sheet_is_packed_once(count: int) -> None:
    jobs = pack([True] * count, 3, extras=False)
    assert sorted(job.sheet for job in jobs if job.sheet is not None) == list(range(count))
    places = [(job.file, job.page) for job in jobs]
    assert len(set(places)) == count


def test_the_command_and_its_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = main([str(tmp_path / "pile"), "--sheets", "1", "--dpi", "100", "--workers", "1"])
    assert done == 0
    assert str(tmp_path / "pile") in capsys.readouterr().out.replace("\n", "")
    missing = tmp_path / "no.json"
    refused = main([str(tmp_path / "none"), "--hand", "real", "--strokes", str(missing)])
    assert refused == InputFileError.exit_status
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(
    not STROKES_FILE.exists(), reason="recordings of real writers (shared/handwriting) are absent"
)
def test_real_hands(sample: GeneratedSample, tmp_path: Path) -> None:
    real = generate(tmp_path, sheets=4, dpi=120, seed=5, hand="real", workers=1, extras=False)
    assert rows(real.truth) == [
        row
        for row in rows(sample.truth)
        if row["sheet"] in {sheet.sheet for sheet in real.plan.sheets}
    ]
    test_ink_is_where_the_truth_says(real)
