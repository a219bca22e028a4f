"""CSV as organizers have it: any of the usual encodings and separators, headings in two languages."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from otbor.errors import TableError
from otbor.i18n import gettext as _
from otbor.i18n import language
from scoring.folding import clean, fold

SEPARATORS = (";", "\t", ",")
# The 32-bit marks come first: one of them begins like a 16-bit one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# A file that fails as UTF-8 though this many letters are good UTF-8 for each bad byte is damaged UTF-8,
# not cp1251: Russian in cp1251 has hardly a pair of bytes that is good UTF-8 (letter + ё, letter + »).
_DAMAGED_FROM = 4
# Excel writes this line by itself and hides it; it only repeats the separator.
_SEPARATOR_LINE = re.compile(r"\A\s*sep=(.)[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One record: the line of the file on which it begins, and its cells by column, cleaned."""

    number: int
    cells: Mapping[str, str]


def refused(source: str, line: int, reason: str, hint: str) -> TableError:
    """The error for one line; `reason` is a clause without a full stop."""
    return TableError(
        _("{source}, line {line}: {reason}.").format(source=source, line=line, reason=reason), hint
    )


def decode(data: bytes, *, source: str) -> str:
    """The text of a file: by its byte order mark, else as strict UTF-8, else as cp1251.

    UTF-16 without a mark is known by its zero bytes, which no text in the other encodings has.

    Raises:
        TableError: The file is no text (a spreadsheet, say), or UTF-8 with a damaged place.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        # A separator or digit has its zero byte second in little-endian, first in big-endian.
        zeros_at_odd = data[1::2].count(0) > data[::2].count(0)
        encoding = "utf-16-le" if zeros_at_odd else "utf-16-be"
    try:
        if data.startswith(b"PK\x03\x04"):
            raise UnicodeError("a zip container")
        text = data.decode(encoding) if encoding else _utf8_or_cp1251(data, source)
        if "\0" in text:
            raise UnicodeError("zero bytes")
    except UnicodeError as error:
        raise TableError(
            _("{source} is not a table in text form.").format(source=source),
            _("Save it from the spreadsheet as “CSV UTF-8”."),
        ) from error
    return text


def _utf8_or_cp1251(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        lenient = data.decode("utf-8", errors="replace")
        bad = lenient.count("\ufffd")
        good = sum(char > "\x7f" for char in lenient) - bad
        if good > bad * _DAMAGED_FROM:
            line = data.count(b"\n", 0, error.start) + 1
            raise refused(
                source,
                line,
                _("a letter is damaged"),
                _("Save the file anew as “CSV UTF-8” and look at that line."),
            ) from error
        return data.decode("cp1251")


def read_table(
    data: bytes,
    *,
    source: str,
    columns: Mapping[str, Sequence[str]],
    required: Collection[str],
) -> list[Line]:
    """Read a CSV file whose first line names the columns.

    Columns stand in any order; unknown ones are passed over. Lines with nothing in them are skipped.

    Args:
        data: The file's bytes.
        source: The file's name, for messages.
        columns: For every column its headings: the English one, the Russian one, further ones.
        required: The columns that must be there.

    Returns:
        At least one line; `cells` has exactly the columns found.

    Raises:
        TableError: No text, nothing in the file, a column missing or there twice, broken quotes, a line
            with more cells than the heading.
    """
    text = decode(data, source=source)
    separator_line = _SEPARATOR_LINE.match(text)
    offset = 1 if separator_line else 0
    text = text[separator_line.end() :] if separator_line else text
    if not text.strip():
        raise _empty(source)
    known = {fold(heading): name for name, headings in columns.items() for heading in headings}
    separator = max(SEPARATORS, key=lambda sep: _headings_known(text, sep, known))
    records = _records(text, separator, source, offset)
    line, heading = next(records)
    places = _places(heading, known, columns, required, source, line)
    lines: list[Line] = []
    for line, cells in records:
        if len(cells) > len(heading) and any(cells[len(heading) :]):
            raise refused(
                source,
                line,
                _("the number of cells is {found}, that of columns only {expected}").format(
                    found=len(cells), expected=len(heading)
                ),
                _("Put text that contains the separator into double quotes."),
            )
        found = {name: cells[at] if at < len(cells) else "" for name, at in places.items()}
        lines.append(Line(line, found))
    if not lines:
        raise _empty(source)
    return lines


def _empty(source: str) -> TableError:
    return TableError(
        _("There is nothing in {source}.").format(source=source),
        _("The first line names the columns, the lines after it hold the data."),
    )


def _records(
    text: str, separator: str, source: str, offset: int
) -> Iterator[tuple[int, list[str]]]:
    """The records that have something in them, each with the line on which it begins."""
    # Strict, since a lenient reader swallows the rest of the file after one open quote.
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
    )
    begin = offset + 1
    try:
        for cells in reader:
            cleaned = [clean(cell) for cell in cells]
            if any(cleaned):
                yield begin, cleaned
            begin = offset + reader.line_num + 1
    except csv.Error as error:
        raise refused(
            source,
            begin,
            _("the quotation marks do not match"),
            _("A cell with quotes in it stands in double quotes, and each quote in it is doubled."),
        ) from error


def _headings_known(text: str, separator: str, known: Mapping[str, str]) -> tuple[int, int]:
    """How well a separator suits the first line: headings known, then cells."""
    first = text.lstrip().splitlines()[0]
    cells = next(csv.reader([first], delimiter=separator, skipinitialspace=True), [])
    return sum(_heading(cell) in known for cell in cells), len(cells)


def _heading(cell: str) -> str:
    return fold(cell).strip(" .:*")


def _places(
    heading: Sequence[str],
    known: Mapping[str, str],
    columns: Mapping[str, Sequence[str]],
    required: Collection[str],
    source: str,
    line: int,
) -> dict[str, int]:
    """Where each known column stands."""
    places: dict[str, int] = {}
    for index, cell in enumerate(heading):
        name = known.get(_heading(cell))
        if name is None:
            continue
        if name in places:
            raise refused(
                source,
                line,
                _("the columns “{first}” and “{second}” mean the same").format(
                    first=heading[places[name]], second=cell
                ),
                _("Remove one of the two, or give it another heading."),
            )
        places[name] = index
    in_language = 1 if language() == "ru" else 0
    for name in required:
        if name not in places:
            raise refused(
                source,
                line,
                _("there is no column “{heading}”").format(heading=columns[name][in_language]),
                _("The first line must name these columns: {headings}.").format(
                    headings=", ".join(columns[each][in_language] for each in required)
                ),
            )
    return places
