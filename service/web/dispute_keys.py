"""The keyboard of the chief's page of disputes, as `keys` has that of the wall."""

from __future__ import annotations

from typing import Any

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from service.web import keys
from service.web.keys import Binding, Group


def groups() -> tuple[Group, ...]:
    """All keys in the current language; the actions are those of `static/disputes/main.js`."""
    return (
        Group(
            pgettext("keys", "Verdicts"),
            (
                Binding("rule_right", ("r", "1"), _("the whole group is right")),
                Binding("rule_wrong", ("w", "2"), _("the whole group is wrong")),
                Binding("rule_blank", ("0",), _("nothing written, or only crossed out")),
                Binding(
                    "exception",
                    ("Space",),
                    _("take the answer out of its group: right, wrong, still disputed"),
                ),
                Binding("to_key", ("k",), _("add the answer to the key, and rule with it")),
            ),
        ),
        Group(
            pgettext("keys", "Moving"),
            (
                Binding("group_before", ("ArrowUp",), _("previous group")),
                Binding("group_after", ("ArrowDown",), _("next group")),
                Binding("answer_before", ("ArrowLeft",), _("previous answer")),
                Binding("answer_after", ("ArrowRight",), _("next answer")),
                Binding("go_unseen", ("u",), _("next answer that you have not seen")),
            ),
        ),
        Group(
            pgettext("keys", "Looking"),
            (
                Binding("enlarge", ("z",), _("enlarge the answer")),
                Binding("around", ("x",), _("show its place on the page")),
            ),
        ),
        Group(
            pgettext("keys", "Going on"),
            (
                Binding("undo", ("Ctrl+z",), _("take back what you ruled or added last")),
                Binding("show_keys", ("?",), _("show these keys")),
                Binding("close", ("Escape",), _("close what is open")),
            ),
        ),
    )


def as_json() -> list[dict[str, Any]]:
    """The list for the browser."""
    return keys.as_json(groups())
