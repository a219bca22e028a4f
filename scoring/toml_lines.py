"""On which line of a TOML file a field stands, so that a message can name it."""

from __future__ import annotations

import re
import tomllib

Path = tuple[str | int, ...]

_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_FIELD = re.compile(rf"\s*({_NAMES})\s*=")
_TABLE = re.compile(rf"\s*\[\s*({_NAMES})\s*\]\s*(?:#.*)?$")
_LISTED = re.compile(rf"\s*\[\[\s*({_NAMES})\s*\]\]\s*(?:#.*)?$")
_STRING_OR_COMMENT = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'|#.*""")
_LONG = re.compile(r'"""|\'\'\'')


def lines_of(text: str) -> dict[Path, int]:
    """The line, from 1, of every table and field of a valid TOML file.

    A path is made of names and, for the tables of a list, their index from 0:
    `("stage", 1, "cut", "places")`. Fields of inline tables have the line of their table only.
    """
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    depth = 0
    long = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if long:
            long = "" if line.count(long) % 2 else long
            continue
        if depth == 0:
            if header := _LISTED.match(line):
                *above, name = _split(header[1])
                path = (*_resolve(tuple(above), counts), name)
                counts[path] = counts.get(path, 0) + 1
                table = (*path, counts[path] - 1)
                found.setdefault(path, number)
                found[table] = number
                continue
            if header := _TABLE.match(line):
                table = _resolve(_split(header[1]), counts)
                found.setdefault(table, number)
                continue
            if field := _FIELD.match(line):
                path = (*table, *_split(field[1]))
                for length in range(len(table) + 1, len(path) + 1):
                    found.setdefault(path[:length], number)
        opened = _LONG.findall(line)
        if len(opened) % 2:
            long = opened[-1]
            continue
        bare = _STRING_OR_COMMENT.sub("", line)
        depth = max(0, depth + len(re.findall(r"[\[{]", bare)) - len(re.findall(r"[\]}]", bare)))
    return found


def _split(names: str) -> tuple[str, ...]:
    """The names of a dotted key, without quotes."""
    found = re.findall(_NAME, names)
    return tuple(next(iter(tomllib.loads(f"{name} = 1"))) for name in found)


def _resolve(names: tuple[str, ...], counts: dict[Path, int]) -> Path:
    """A name of a list of tables means its last table."""
    path: Path = ()
    for name in names:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path] - 1)
    return path
