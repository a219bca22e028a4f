"""A PDF that is written page by page, so that a pile of 3,000 sheets takes no more memory than one.

reportlab keeps all pages and pictures until the end, twice over. Here every page goes to the file as
soon as it is done, and only its number and offset are kept; the fonts, which have to know all letters
used, come last. The file is the one that reportlab would write, with its objects in another order.
"""

from __future__ import annotations

from typing import Any, BinaryIO

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas


class _Counted(pdfdoc.PDFFile):
    """The output: written through at once, with the offset kept."""

    def __init__(self, file: BinaryIO, version: Any) -> None:
        super().__init__(version)
        file.write(self.format(None))
        self.strings: list[bytes] = []
        self.write = file.write


class StreamedPdf:
    """Writes the finished parts of a canvas's document to a file.

    Args:
        canvas: Draws the pages; its own `save` is never called.
        file: Open for writing in binary; only ever written to, from its present position on.
    """

    def __init__(self, canvas: Canvas, file: BinaryIO) -> None:
        self._canvas = canvas
        self._document = canvas._doc
        self._out = _Counted(file, self._document._pdfVersion)
        self._written: set[str] = set()

    def write_object(self, name: str) -> None:
        """Write an object that is complete, and forget it; doing so again does nothing."""
        self._write(name)

    def page_done(self) -> None:
        """Write the page that has just been shown, with its drawing."""
        pages = self._document.Pages.pages
        page = pages[-1]
        name = page.__InternalName__
        self._write(name)
        self._write(page.Contents.__InternalName__)
        pages[-1] = pdfdoc.PDFObjectReference(name)

    def finish(self) -> None:
        """Write what all pages share, the table of offsets and the end."""
        document = self._document
        for font in document.delayedFonts:
            font.addObjects(document)
        document.info.invariant = document.invariant
        document.info.digest(document.signature)
        catalog = document.Reference(document.Catalog)
        info = document.Reference(document.info)
        document.Outlines.prepare(document, self._canvas)
        if document.Outlines.ready < 0:
            document.Catalog.Outlines = None
        document.encrypt.prepare(document)
        number = 1
        # Writing one object may bring others to life, behind the ones that are known.
        while number in document.numberToId:
            self._write(document.numberToId[number])
            number += 1
        table = pdfdoc.PDFCrossReferenceTable()
        table.addsection(0, [document.numberToId[at] for at in range(1, number)])
        start = self._out.add(table.format(document))
        trailer = pdfdoc.PDFTrailer(
            startxref=start, Size=number, Root=catalog, Info=info, ID=document.ID()
        )
        self._out.add(trailer.format(document))

    def _write(self, name: str) -> None:
        document = self._document
        if name in self._written:
            return
        indirect = pdfdoc.PDFIndirectObject(name, document.idToObject[name])
        document.idToOffset[name] = self._out.add(indirect.format(document))
        self._written.add(name)
        # A stub stays, for its name must never be given twice.
        document.idToObject[name] = None
