"""HTML built from elements: every text is escaped, since only an element can be markup.

A name typed as `<script>` is shown as it was typed. There is no way to put a ready string of markup in.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = frozenset({"meta", "link", "input", "img", "br"})


class Element:
    """An element, or a piece of several; made by `element` and `group` only.

    Args:
        text: Its HTML, escaped already.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


Child = Element | str | int | None
"""What stands inside an element: another one, or text to be escaped; None is nothing."""


def element(
    name: str, *children: Child, attributes: dict[str, str | int | bool | None] | None = None
) -> Element:
    """An element with its attributes and what stands inside it.

    An attribute that is True stands without a value; one that is None or False is left out.
    """
    inside = "".join(_html(child) for child in children)
    head = name + "".join(_attribute(key, value) for key, value in (attributes or {}).items())
    return Element(f"<{head}>" if name in VOID else f"<{head}>{inside}</{name}>")


def group(children: Iterable[Child]) -> Element:
    """Several one after the other, each on a line of its own."""
    return Element("\n".join(_html(child) for child in children if child is not None))


def page(language: str, head: Iterable[Element], body: Iterable[Child]) -> bytes:
    """A whole document, UTF-8."""
    html = element(
        "html",
        element("head", group(head)),
        element("body", group(body)),
        attributes={"lang": language},
    )
    return f"<!doctype html>\n{html.text}\n".encode()


def _html(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Element):
        return child.text
    # A lone surrogate out of a broken file can't be written as UTF-8.
    return escape(str(child).encode("utf-8", "replace").decode("utf-8"), quote=True)


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{_html(str(value))}"'
