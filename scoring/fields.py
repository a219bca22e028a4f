"""Typed fields out of TOML text, refused with a place and a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from otbor.errors import TableError
from otbor.i18n import gettext as _
from scoring.folding import clean
from scoring.toml_lines import Path, lines_of

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Fields:
    """One table of a TOML file and how to name it in a message.

    `place` is where it stands («theme 3, 40 points»), empty for the top of the file; `text` is the whole
    file if its lines can be named, `path` how the table is reached in it.
    """

    data: Mapping[str, Any]
    source: str
    place: str = ""
    text: str = ""
    path: Path = ()

    def refused(self, reason: str, hint: str, field: str = "") -> TableError:
        """The error for this table, naming the line of `field`, or of the table, where it can be found."""
        place = self.place
        if self.text:
            lines = lines_of(self.text)
            line = lines.get((*self.path, field)) if field else None
            line = line or lines.get(self.path)
            if line:
                place = _("line {line}").format(line=line)
        where = f"{self.source}, {place}" if place else self.source
        return TableError(
            _("{where}: {reason}.").format(where=where, reason=reason),
            hint,
        )

    def known_only(self, *names: str) -> None:
        """Refuse fields that nobody reads: a misspelled one would otherwise be lost in silence."""
        for name in self.data:
            if name not in names:
                raise self.refused(
                    _("the field “{field}” is unknown").format(field=name),
                    _("Known fields are: {fields}.").format(fields=", ".join(names)),
                    name,
                )

    def string(self, name: str, default: str = "") -> str:
        """A text, cleaned; a whole number written without quotes is taken as text."""
        return self._string(name, self.data.get(name, default))

    def strings(self, name: str) -> tuple[str, ...]:
        """A list of texts, none of them empty; empty if the field is missing."""
        found = tuple(self._string(name, value) for value in self._list(name))
        if "" in found:
            raise self.refused(
                _("“{field}” holds an empty text").format(field=name), _("Remove it."), name
            )
        return found

    def integer(self, name: str, default: int) -> int:
        """A whole number of at least 1."""
        return self._integer(name, self.data.get(name, default))

    def number(self, name: str, default: int) -> int:
        """A whole number of any sign."""
        value = self.data.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong_type(name, _("a whole number"))
        return value

    def yes(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.data.get(name, default)
        if not isinstance(value, bool):
            raise self._wrong_type(name, _("true or false, without quotes"))
        return value

    def word(self, name: str, default: Word) -> Word:
        """One of the words of an enumeration."""
        return self.as_word(name, self.data.get(name, default), type(default))

    def as_word(self, name: str, value: object, words: type[Word]) -> Word:
        """A value of the field as one of the words of an enumeration."""
        try:
            return words(self._string(name, value))
        except ValueError as error:
            raise self.refused(
                _("“{value}” is not known as “{field}”").format(value=value, field=name),
                _("Known are: {words}.").format(words=", ".join(words)),
                name,
            ) from error

    def table(self, name: str) -> Fields | None:
        """The table of this name; None if it is missing."""
        value = self.data.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._wrong_type(name, _("a table, begun by [{name}]"))
        return Fields(value, self.source, self.place, self.text, (*self.path, name))

    def integers(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers of at least 1."""
        values = self._list(name) if name in self.data else default
        return tuple(self._integer(name, value) for value in values)

    def tables(
        self, name: str, place: Callable[[int], str], *, by_line: bool = False
    ) -> list[Fields]:
        """The tables of a list, `[[name]]`; `place` names each of them by its number from 1.

        With `by_line` a message names the line instead of the place.
        """
        text = self.text if by_line else ""
        values = self._list(name)
        if not all(isinstance(value, dict) for value in values):
            raise self._wrong_type(name, _("a list of tables, each begun by [[{name}]]"))
        return [
            Fields(value, self.source, place(number), text, (*self.path, name, number - 1))
            for number, value in enumerate(values, start=1)
        ]

    def _list(self, name: str) -> list[Any]:
        values = self.data.get(name, [])
        if not isinstance(values, list):
            raise self._wrong_type(name, _("a list in square brackets"))
        return values

    def _string(self, name: str, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise self._wrong_type(name, _("text in double quotes"))
        return clean(value)

    def _integer(self, name: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self._wrong_type(name, _("a whole number of at least 1"))
        return value

    def _wrong_type(self, name: str, expected: str) -> TableError:
        return self.refused(
            _("the field “{field}” is not what it should be").format(field=name),
            _("It should be {expected}.").format(expected=expected.format(name=name)),
            name,
        )


def read_fields(text: str, *, source: str) -> Fields:
    """The top table of a TOML file.

    Raises:
        TableError: The text is no TOML; the message names the line.
    """
    try:
        return Fields(tomllib.loads(text.removeprefix("\ufeff")), source, text=text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = _("line {line}").format(line=line[1]) if line else _("at its end")
        raise Fields({}, source, where).refused(
            _("this is no valid TOML ({error})").format(error=error),
            _(
                "Text stands in double quotes, lists in square brackets; compare with the sample event."
            ),
        ) from error
