"""The keyboard of the wall, in one list: the browser acts by it, the help shows it, a test compares both.

Letters are those of the Latin keyboard's keys, whatever layout is chosen: the key with «К» and «R» on it
marks an answer as right under the Russian layout too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from otbor.i18n import gettext as _
from otbor.i18n import pgettext


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys that do one thing.

    Args:
        action: A function of `static/wall/actions.js`.
        keys: As `static/wall/keyboard.js` names them.
        meaning: What they do, for the help; in the current language.
    """

    action: str
    keys: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class Group:
    """Bindings under one heading of the help."""

    title: str
    bindings: tuple[Binding, ...]


def groups() -> tuple[Group, ...]:
    """All keys in the current language, in the order in which the help shows them."""
    return (
        Group(
            pgettext("keys", "Verdicts"),
            (
                Binding("flip", ("Space",), _("change right to wrong or wrong to right")),
                Binding("mark_right", ("r", "1"), _("right")),
                Binding("mark_wrong", ("w", "2"), _("wrong")),
                Binding("mark_disputed", ("d", "3"), _("disputed: the chief decides")),
                Binding("remark", ("c",), _("disputed, with a remark for the chief")),
                Binding("mark_blank", ("0",), _("nothing written, or only crossed out")),
                Binding("mark_same", ("e",), _("the same verdict for all equal readings")),
                Binding("to_key", ("k",), _("add the answer to the key; a juror proposes it")),
            ),
        ),
        Group(
            pgettext("keys", "Boundary"),
            (
                Binding("boundary_after", ("b", "]"), _("boundary after this answer")),
                Binding("boundary_before", ("[",), _("boundary before this answer")),
                Binding("go_to_boundary", ("g",), _("go to the boundary")),
            ),
        ),
        Group(
            pgettext("keys", "Moving"),
            (
                Binding("go_left", ("ArrowLeft",), _("previous answer")),
                Binding("go_right", ("ArrowRight",), _("next answer")),
                Binding("go_up", ("ArrowUp",), _("answer above")),
                Binding("go_down", ("ArrowDown",), _("answer below")),
                Binding("go_first", ("Home",), _("first answer")),
                Binding("go_last", ("End",), _("last answer")),
                Binding("go_unseen", ("u",), _("next answer that you have not seen")),
            ),
        ),
        Group(
            pgettext("keys", "Looking"),
            (
                Binding("enlarge", ("z",), _("enlarge the answer")),
                Binding("around", ("x",), _("show its place on the page")),
                Binding("larger", ("+",), _("larger pictures")),
                Binding("smaller", ("-",), _("smaller pictures")),
            ),
        ),
        Group(
            pgettext("keys", "Going on"),
            (
                Binding("confirm", ("Enter",), _("confirm the question and go on")),
                Binding("undo", ("Ctrl+z",), _("undo; then take back what was confirmed last")),
                Binding("next_question", ("n",), _("next question with work left")),
                Binding("show_keys", ("?",), _("show these keys")),
                Binding("close", ("Escape",), _("close what is open")),
            ),
        ),
    )


def shown(key: str) -> str:
    """A key as it is printed on the keyboard or called by people."""
    special = {
        "Space": pgettext("key", "Space"),
        "Enter": "Enter",
        "Escape": "Esc",
        "ArrowLeft": "←",
        "ArrowRight": "→",
        "ArrowUp": "↑",
        "ArrowDown": "↓",
        "Home": "Home",
        "End": "End",
        "-": "−",
    }
    if key in special:
        return special[key]
    return "+".join(part.upper() if len(part) == 1 else part for part in key.split("+")) or key


def as_json(chosen: tuple[Group, ...] | None = None) -> list[dict[str, Any]]:
    """The list for the browser; that of the wall if None."""
    return [
        {
            "title": group.title,
            "bindings": [
                {
                    "action": binding.action,
                    "keys": list(binding.keys),
                    "shown": [shown(key) for key in binding.keys],
                    "meaning": binding.meaning,
                }
                for binding in group.bindings
            ],
        }
        for group in chosen or groups()
    ]
