"""Guards against a picture that tells whose it is, and a label that the jury did not give."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from web_event import filled_event, rule

from scoring.model import Verdict
from service.cli import app
from training.own_crops import OwnCrops

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
RULED = (
    ("1", "t1r1", RIGHT),
    ("2", "t1r1", WRONG),
    ("3", "t1r1", RIGHT),
    ("4", "t1r1", DISPUTED),
    ("5", "t1r1", BLANK),
)


def _export(folder: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    assert app.run(["crops", "export", str(folder), str(out), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def _rows(out: Path) -> list[dict[str, str]]:
    text = (out / "crops.csv").read_text(encoding="utf-8-sig")
    return list(csv.DictReader(text.splitlines(), delimiter=";"))


def test_every_decided_answer_is_there_with_its_verdict_and_nothing_says_whose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with filled_event(tmp_path) as event:
        rule(event, "juror", *RULED)
        people = [(player.name, player.school) for player in event.players()]
        folder = event.folder
    out = tmp_path / "crops"
    assert _export(folder, out, capsys)["pictures"] == 4
    rows = _rows(out)
    assert sorted(row["verdict"] for row in rows) == ["blank", "right", "right", "wrong"]
    assert {row["question"] for row in rows} == {"t1r1"}
    assert {row["file"] for row in rows} == {path.name for path in out.glob("*.png")}
    said = (out / "crops.csv").read_text(encoding="utf-8-sig")
    assert not any(word and word in said for pair in people for word in pair)
    for row in rows:
        image = cv2.imread(str(out / row["file"]), cv2.IMREAD_GRAYSCALE)
        assert image is not None
        # The frame is gone: nothing dark touches the edge.
        edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
        assert (edge > 200).all()
        assert (image < 128).any() == (row["verdict"] != "blank")


def test_the_same_again_gives_the_same_bytes_and_what_was_taken_back_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with filled_event(tmp_path) as event:
        rule(event, "juror", *RULED)
        out = tmp_path / "crops"
        _export(event.folder, out, capsys)
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        _export(event.folder, out, capsys)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == before
        rule(event, "juror", ("5", "t1r1", DISPUTED))
        assert _export(event.folder, out, capsys)["pictures"] == 3
        assert len(list(out.glob("*.png"))) == 3


def test_a_folder_with_other_things_and_an_event_without_rulings_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with filled_event(tmp_path) as event:
        assert app.run(["crops", "export", str(event.folder), str(tmp_path / "new")]) == 7
        rule(event, "juror", *RULED)
        other = tmp_path / "other"
        other.mkdir()
        (other / "mine.txt").write_text("mine", encoding="utf-8")
        assert app.run(["crops", "export", str(event.folder), str(other)]) == 7
        assert "other" in capsys.readouterr().err
        assert [path.name for path in other.iterdir()] == ["mine.txt"]


def test_what_is_not_an_earlier_export_of_this_event_is_never_touched(tmp_path: Path) -> None:
    """A folder with a foreign crops.csv once lost its pictures."""
    with filled_event(tmp_path) as event:
        rule(event, "juror", *RULED)
        foreign, ours = tmp_path / "foreign", tmp_path / "ours"
        foreign.mkdir()
        (foreign / "crops.csv").write_text("a;b", encoding="utf-8")
        (foreign / "holiday.png").write_bytes(b"sea")
        assert app.run(["crops", "export", str(event.folder), str(ours)]) == 0
        (ours / "holiday.png").write_bytes(b"sea")
        another = tmp_path / "another"
        another.mkdir()
        (another / "otbor-crops.txt").write_text("of another event", encoding="utf-8")
        for folder in (foreign, ours, another):
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            assert app.run(["crops", "export", str(event.folder), str(folder)]) == 7
            assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_training_takes_the_pictures_that_have_a_text(tmp_path: Path) -> None:
    picture = np.full((60, 300), 255, np.uint8)
    cv2.putText(picture, "mars", (20, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 0, 3)
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    rows = [
        "file;question;text;won;verdict;ink",
        "a.png;t1r1;mars;read;right;written",
        "b.png;t1r1;;;wrong;written",
        # It may hold a slip: nothing is learnt from it.
        "c.png;t1r1;mercury;fits;right;written",
    ]
    (tmp_path / "crops.csv").write_text("\n".join(rows), encoding="utf-8")
    own = OwnCrops([tmp_path])
    assert own.known == [(tmp_path / "a.png", "mars")]
    drawn = own.draw(np.random.default_rng(1), 45)
    assert drawn is not None
    assert drawn[1] == "mars"
    assert (drawn[0] < 128).any()
    assert own.draw(np.random.default_rng(1), 3) is None
    with pytest.raises(SystemExit, match=r"crops\.csv"):
        OwnCrops([tmp_path / "none"])
    old = "file;question;text;verdict;ink\na.png;t1r1;mars;right;written\n"
    (tmp_path / "crops.csv").write_text(old, encoding="utf-8")
    with pytest.raises(SystemExit, match="again"):
        OwnCrops([tmp_path])
