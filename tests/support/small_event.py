"""A small event for tests of the service: five players, real blanks, answers written with a font."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import fontpkg_caveat
import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFont

from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from scanner.geometry import SheetKind, default
from service import intake
from service.event import Event, Source
from service.executors import SerialExecutor

CODE = "TEST1"
DPI = 150
FONT = next(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf"))
PLAYERS = """number;name;category;school
1;Ёжиков Ёж;младшие;школа № 1
2;Петров-Водкин Кузьма;младшие;школа № 1
3;Иванов Иван;младшие;школа № 2
4;Иванов Иван;старшие;школа № 3
5;Ли Су;старшие;
"""
Answers = Mapping[tuple[int, int], str]
"""(theme, nominal) → what is written."""


def key_text() -> str:
    """Eight themes; the answer to every question is «ответ ТН»."""
    lines = ['title = "Проба"']
    for theme in range(1, 9):
        lines.append(f'[[theme]]\ntitle = "Тема {theme}"')
        for nominal in (10, 20, 30, 40, 50):
            lines.append(
                f'[[theme.question]]\nnominal = {nominal}\ntext = "Вопрос {theme}-{nominal}"\n'
                f'answer = "ответ {theme}{nominal}"\naccepted = []\nrejected = ["мимо"]'
            )
    return "\n".join(lines)


def source(folder: Path) -> Path:
    """The files an event is made from."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "players.csv").write_text(PLAYERS, encoding="utf-8")
    (folder / "key.toml").write_text(key_text(), encoding="utf-8")
    (folder / "event.toml").write_text(f'title = "Проба"\ncode = "{CODE}"\n', encoding="utf-8")
    return folder


def make_event(folder: Path, code: str = CODE) -> Event:
    """A fresh event."""
    return Event.create(folder / "event", Source.of_folder(source(folder / "source")), code=code)


@cache
def _empty(kind: SheetKind, number: int, code: str) -> np.ndarray:
    pdf = blanks_pdf(default(), BlankEvent(code, "Проба"), [SheetToPrint(kind, number)])
    document = pdfium.PdfDocument(pdf)
    pixels = document[0].render(scale=DPI / 72, grayscale=True).to_numpy().copy()
    document.close()
    return pixels.reshape(pixels.shape[:2])


def page(
    number: int,
    answers: Answers | None = None,
    *,
    kind: SheetKind = SheetKind.PERSONAL,
    code: str = CODE,
    blur: float = 0.0,
) -> Image.Image:
    """A scanned sheet as a grey picture."""
    pixels = _empty(kind, number, code)
    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(str(FONT), 36)
    per_mm = pixels.shape[0] / 297
    for (theme, nominal), text in (answers or {}).items():
        rect = default().blanks["personal"].box(theme, nominal // 10).rect
        draw.text(
            ((rect.x + 4) * per_mm, (rect.y + rect.height / 2) * per_mm),
            text,
            fill=60,
            font=font,
            anchor="lm",
        )
    # Seeded by the sheet: two different sheets never share their bytes, the same one always does.
    noise = np.random.default_rng(number).normal(0, 2, pixels.shape)
    shaded = np.clip(np.asarray(image, dtype=np.float32) * 0.95 + noise, 0, 255).astype(np.uint8)
    if blur:
        import cv2

        shaded = cv2.GaussianBlur(shaded, (0, 0), blur)
    return Image.fromarray(shaded)


def pdf(path: Path, pages: Sequence[Image.Image]) -> Path:
    """Pages as a PDF of embedded pictures."""
    pages[0].save(path, save_all=True, append_images=list(pages[1:]), resolution=DPI)
    return path


def words(*pairs: tuple[int, int], text: str = "ответ") -> Answers:
    """The same word in several boxes."""
    return dict.fromkeys(pairs, text)


def scan(event: Event, *files: Path, **options: object) -> intake.ScanReport:
    """Take files in, in this process, without a reader."""
    options.setdefault("reader", "none")
    options.setdefault("factory", SerialExecutor)
    return intake.take_in(event, list(files), **options)  # type: ignore[arg-type]
