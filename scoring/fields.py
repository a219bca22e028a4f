"""Typed fields out of TOML text, refused with a place and a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from otbor.errors import TableError
from otbor.i18n import gettext as _
from scoring.folding import clean


@dataclass(frozen=True, slots=True)
class Fields:
    """One table of a TOML file and how to name it in a message.

    `place` is where it stands («theme 3, 40 points»), empty for the top of the file; `text` is the whole
    file if its lines can be named.
    """

    data: Mapping[str, Any]
    source: str
    place: str = ""
    text: str = ""

    def refused(self, reason: str, hint: str, field: str = "") -> TableError:
        """The error for this table, naming the line of `field` where that can be found."""
        place = self.place
        line = re.search(rf"^[ \t]*{re.escape(field)}[ \t]*=", self.text, re.MULTILINE)
        if field and line:
            number = self.text.count("\n", 0, line.start()) + 1
            place = _("line {line}").format(line=number)
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

    def integers(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers of at least 1."""
        values = self._list(name) if name in self.data else default
        return tuple(self._integer(name, value) for value in values)

    def tables(self, name: str, place: Callable[[int], str]) -> list[Fields]:
        """The tables of a list, `[[name]]`; `place` names each of them by its number from 1."""
        values = self._list(name)
        if not all(isinstance(value, dict) for value in values):
            raise self._wrong_type(name, _("a list of tables, each begun by [[{name}]]"))
        return [
            Fields(value, self.source, place(number))
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
