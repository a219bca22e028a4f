"""Guards the watched folder: half a file must never be taken, a finished one always, and only once."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_event import make_event, page, pdf, scan, words

from otbor.errors import InputFileError
from scanner.contracts import Outcome
from scanner.whole_file import is_whole
from service import intake, watch
from service.watch import FolderWatch


class Watched:
    """A folder with a watch on it; the scanner's clock is set by hand."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.taken: list[str] = []
        self.told: list[str] = []
        self.watch = FolderWatch(folder, self._take, self.told.append)
        self._time = 1_000_000_000

    def _take(self, paths: list[Path]) -> None:
        self.taken += [path.name for path in paths]

    def write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        self._time += 10**9
        os.utime(path, ns=(self._time, self._time))
        return path

    def looks(self, count: int) -> None:
        for _look in range(count):
            self.watch.step()


def _picture(kind: str) -> bytes:
    file = io.BytesIO()
    noise = np.random.default_rng(3).integers(0, 255, (160, 120), dtype=np.uint8)
    images = [Image.fromarray(noise), Image.fromarray(noise.T.copy())]
    more = {"save_all": True, "append_images": images[1:]} if kind in ("PDF", "TIFF") else {}
    if kind == "HEIF":
        import pi_heif  # noqa: F401 - reading only; a frame of boxes is enough here

        body = b"x" * 500
        return b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + (len(body) + 8).to_bytes(4) + b"mdat" + body
    images[0].save(file, kind, **more)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["PDF", "TIFF", "JPEG", "PNG", "HEIF"])
def test_a_file_that_is_cut_short_anywhere_is_not_whole(tmp_path: Path, kind: str) -> None:
    data = _picture(kind)
    path = tmp_path / "scan"
    path.write_bytes(data)
    assert is_whole(path)
    for share in (0.02, 0.1, 0.3, 0.5, 0.77, 0.9, 0.99):
        path.write_bytes(data[: int(len(data) * share)])
        assert not is_whole(path), share
    # The last bytes of all: an end that is nearly there is none.
    path.write_bytes(data[:-70])
    assert not is_whole(path)


def test_noughts_that_a_program_has_reserved_are_no_end(tmp_path: Path) -> None:
    """Some programs make the file as long as it will be, and then fill it."""
    data = _picture("PDF")
    path = tmp_path / "scan.pdf"
    path.write_bytes(data[: len(data) // 2] + b"\0" * (len(data) - len(data) // 2))
    assert not is_whole(path)


def test_a_pdf_that_arrives_in_two_halves_is_taken_once_and_whole(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    data = _picture("PDF")
    watched.write("scan.pdf", data[: len(data) // 2])
    watched.looks(8)
    assert watched.taken == []
    path = watched.write("scan.pdf", data)
    watched.looks(1)
    assert watched.taken == []
    watched.looks(5)
    assert watched.taken == ["scan.pdf"]
    assert path.read_bytes() == data


def test_a_file_that_still_grows_is_left_alone(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    whole = _picture("PDF")
    for copies in range(1, 5):
        # Each state is complete by itself: scanners append pages.
        watched.write("scan.pdf", whole + b"\n" * copies)
        watched.looks(1)
    assert watched.taken == []
    watched.looks(2)
    assert watched.taken == ["scan.pdf"]


def test_a_file_that_changes_later_is_looked_at_again(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    watched.write("scan.png", _picture("PNG"))
    watched.looks(4)
    watched.write("scan.png", _picture("PNG") + b"")
    watched.looks(4)
    assert watched.taken == ["scan.png", "scan.png"]


def test_what_stays_cut_short_is_told_once(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    watched.write("scan.pdf", _picture("PDF")[:300])
    watched.looks(watch.PATIENCE - 1)
    assert watched.told == []
    watched.looks(3 * watch.PATIENCE)
    assert len(watched.told) == 1
    assert watched.watch.waiting() == 1
    watched.write("scan.pdf", _picture("PDF")[:400])
    watched.looks(2 * watch.PATIENCE)
    assert len(watched.told) == 2


def test_hidden_and_passing_files_are_not_scans_and_folders_below_are(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    for name in (".scan.pdf", "scan.pdf.part", "~$scan.pdf", "Thumbs.db"):
        watched.write(name, _picture("PDF"))
    watched.write("2026-11-30/scan.pdf", _picture("PDF"))
    watched.looks(3)
    assert watched.taken == ["scan.pdf"]


def test_a_network_folder_that_is_away_for_a_while_is_told_once(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "scans")
    watched.write("scan.png", _picture("PNG"))
    watched.looks(3)
    (tmp_path / "scans").rename(tmp_path / "away")
    watched.looks(5)
    assert len(watched.told) == 1
    (tmp_path / "away").rename(tmp_path / "scans")
    watched.looks(5)
    # It is the same file still: nothing is taken twice.
    assert watched.taken == ["scan.png"]
    with pytest.raises(InputFileError):
        watch.open_folder(tmp_path / "nowhere")


def test_finished_scans_come_into_the_event_and_the_scanner_keeps_them(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    folder = tmp_path / "scans"
    folder.mkdir()
    reports: list[intake.ScanReport] = []
    watching = FolderWatch(folder, lambda paths: reports.append(scan(event, *paths)))
    whole = pdf(tmp_path / "whole.pdf", [page(1, words((1, 10))), page(2)]).read_bytes()
    (folder / "scan.pdf").write_bytes(whole[: len(whole) // 2])
    (folder / "letter.txt").write_text("not a scan")
    for _look in range(3):
        watching.step()
    (folder / "scan.pdf").write_bytes(whole)
    for _look in range(3):
        watching.step()
    assert [report.counts()[Outcome.SHEET] for report in reports] == [0, 2]
    assert len(intake.page_records(event)) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["letter.txt", "scan.pdf"]
