"""Guards against blanks with another player's code, or with none though codes were asked for."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
from small_event import make_event

from reports.codes import printed
from service.player_codes import codes
from service.printing import print_blanks


def _texts(path: Path) -> list[str]:
    document = pdfium.PdfDocument(path.read_bytes())
    return [str(page.get_textpage().get_text_bounded()) for page in document]


def test_every_personal_blank_bears_its_players_own_code(tmp_path: Path) -> None:
    with make_event(tmp_path) as event:
        personal, *others = print_blanks(event, tmp_path / "out", spares=1)
        own = codes(event)
        again = print_blanks(event, tmp_path / "again", spares=1)[0]
    texts = _texts(personal)
    assert len(texts) == len(own) == 5
    for number, text in zip(own, texts, strict=True):
        assert [key for key, code in own.items() if printed(code) in text] == [number]
    assert again.read_bytes() == personal.read_bytes()
    for path in others:
        assert not any(printed(code) in text for code in own.values() for text in _texts(path))


def test_without_codes_there_is_no_strip_and_no_secret(tmp_path: Path) -> None:
    with make_event(tmp_path) as event:
        personal = print_blanks(event, tmp_path / "out", spares=1, own_codes=False)[0]
        assert not list(event.folder.glob("player-codes*"))
    assert not any("код игрока" in text for text in _texts(personal))
