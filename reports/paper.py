"""A drawing surface in the frame of the blank's geometry: mm, origin top left, y downwards.

reportlab counts points from the bottom; the turn is made here and nowhere else. Font sizes stay
points, as everybody says them. The PDF is reproducible: the same drawing gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from reportlab.pdfgen.canvas import Canvas

from reports.fitting import Fitted
from reports.fonts import MM, REGULAR, register, width
from reports.pictures import Picture, place_picture
from reports.streamed import StreamedPdf

LEADING = 1.18
"""Distance of two baselines as a share of the font size."""


class Paper:
    """A PDF being drawn, page by page.

    Args:
        width: The page's width, mm.
        height: The page's height, mm.
        title: The document's title, as the viewer's window shows it.
        keywords: What the document's properties say beside it.
        file: Where every page goes as soon as it is done, so that a long document takes no more
            memory than a short one; None keeps it in memory until `finish`.
    """

    def __init__(
        self,
        width: float = 210.0,
        height: float = 297.0,
        title: str = "",
        *,
        keywords: str = "",
        file: BinaryIO | None = None,
    ) -> None:
        register()
        self.width = width
        self.height = height
        self._bytes = io.BytesIO()
        self._canvas = Canvas(
            self._bytes, pagesize=(width * MM, height * MM), invariant=1, pageCompression=1
        )
        self._canvas.setTitle(title)
        self._canvas.setCreator("Otbor")
        self._canvas.setProducer("Otbor")
        self._canvas.setKeywords(keywords)
        self._stream = StreamedPdf(self._canvas, file) if file is not None else None

    def next_page(self) -> None:
        """End this page; what is drawn next stands on a new one."""
        self._canvas.showPage()
        if self._stream is not None:
            self._stream.page_done()

    def bookmark(self, title: str, key: str) -> None:
        """Name this page in the viewer's table of contents; `key` is unique in the document."""
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key)

    def finish(self) -> bytes:
        """The PDF; nothing can be drawn afterwards. The last page counts even if it is empty.

        Empty where the pages went to a file.
        """
        self.next_page()
        if self._stream is not None:
            self._stream.finish()
            return b""
        self._canvas.save()
        return self._bytes.getvalue()

    @contextmanager
    def moved(self, right: float, down: float = 0.0) -> Iterator[None]:
        """What is drawn inside stands further to the right and lower by so many mm."""
        self._canvas.saveState()
        self._canvas.translate(right * MM, -down * MM)
        yield
        self._canvas.restoreState()

    def picture(self, picture: Picture, x: float, y: float, width: float, height: float) -> None:
        """A picture that fills a rectangle, mm; a JPEG goes in byte by byte as it is."""
        name = place_picture(
            self._canvas, picture, x * MM, self._up(y + height), width * MM, height * MM
        )
        if self._stream is not None:
            self._stream.write_object(name)

    def text(
        self,
        x: float,
        baseline: float,
        text: str,
        size: float,
        font: str = REGULAR,
        *,
        align: str = "left",
        grey: float = 0.0,
    ) -> None:
        """One line of text.

        Args:
            x: Its left end, middle or right end, as `align` says; mm.
            baseline: Where it stands, mm.
            text: Printable text.
            size: Points.
            font: A face of `reports.fonts`.
            align: `left`, `center` or `right`.
            grey: 0 black to 1 white.
        """
        self._canvas.setFillGray(grey)
        self._canvas.setFont(font, size)
        draw = {
            "left": self._canvas.drawString,
            "center": self._canvas.drawCentredString,
            "right": self._canvas.drawRightString,
        }[align]
        draw(x * MM, self._up(baseline), text)

    def fitted(
        self,
        x: float,
        baseline: float,
        fitted: Fitted,
        font: str = REGULAR,
        *,
        align: str = "left",
        grey: float = 0.0,
    ) -> float:
        """Lines of a fitted text, the first on `baseline`; returns the last baseline, mm."""
        step = fitted.size * LEADING / MM
        for index, line in enumerate(fitted.lines):
            self.text(x, baseline + index * step, line, fitted.size, font, align=align, grey=grey)
        return baseline + (len(fitted.lines) - 1) * step

    def line(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        thickness: float,
        *,
        grey: float = 0.0,
        dash: Sequence[float] = (),
    ) -> None:
        """A straight line between two points; thickness and dashes in mm."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(thickness * MM)
        self._canvas.setDash([part * MM for part in dash])
        self._canvas.line(x0 * MM, self._up(y0), x1 * MM, self._up(y1))
        if dash:
            self._canvas.setDash([])

    def stroke(
        self, points: Sequence[tuple[float, float]], thickness: float, *, grey: float = 0.0
    ) -> None:
        """A broken line through points, with round ends and corners; mm."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(thickness * MM)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        path = self._canvas.beginPath()
        (x, y), *rest = points
        path.moveTo(x * MM, self._up(y))
        for x, y in rest:
            path.lineTo(x * MM, self._up(y))
        self._canvas.drawPath(path, stroke=1, fill=0)
        self._canvas.setLineCap(0)

    def disc(self, x: float, y: float, radius: float, *, grey: float = 0.0) -> None:
        """A filled circle about a point, mm."""
        self._canvas.setFillGray(grey)
        self._canvas.circle(x * MM, self._up(y), radius * MM, stroke=0, fill=1)

    def frame(
        self, x: float, y: float, width: float, height: float, thickness: float, *, grey: float = 0
    ) -> None:
        """The outline of a rectangle; the stroke's middle lies on its edges."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(thickness * MM)
        self._canvas.setLineJoin(0)
        self._canvas.rect(x * MM, self._up(y + height), width * MM, height * MM, stroke=1, fill=0)

    def fill(self, rects: Iterable[tuple[float, float, float, float]], *, grey: float = 0) -> None:
        """Fill rectangles (x, y, width, height) as one path, so that touching ones show no seam."""
        self._canvas.setFillGray(grey)
        path = self._canvas.beginPath()
        for x, y, width_, height in rects:
            path.rect(x * MM, self._up(y + height), width_ * MM, height * MM)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def _up(self, y: float) -> float:
        return (self.height - y) * MM


def text_width(text: str, font: str, size: float) -> float:
    """The width of a printable text in mm; `size` in points."""
    return width(text, font, size) / MM
