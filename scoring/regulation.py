"""The regulation out of a TOML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from otbor.i18n import gettext as _
from scoring.fields import Fields, read_fields
from scoring.folding import fold
from scoring.model import Regulation, TiePolicy

FIELDS = ("name", "themes", "nominals", "cut", "tie_policy", "categories")


def parse_regulation(text: str, *, source: str) -> Regulation:
    """Read a regulation; fields that are missing have the values of `Regulation`.

    Args:
        text: TOML with `name`, `themes`, `nominals`, `cut`, `tie_policy`, `categories`.
        source: The file's name, for messages.

    Raises:
        TableError: No TOML, an unknown field, a value of the wrong kind, or values that contradict
            each other; the message names the line of the field.
    """
    fields = read_fields(text, source=source)
    fields.known_only(*FIELDS)
    default = Regulation()
    nominals = fields.integers("nominals", default.nominals)
    categories = fields.strings("categories")
    if not nominals:
        raise fields.refused(
            _("“nominals” is empty"), _("List what the questions of a theme are worth."), "nominals"
        )
    _each_once(fields, "nominals", nominals)
    _each_once(fields, "categories", [fold(category) for category in categories])
    return Regulation(
        name=fields.string("name"),
        themes=fields.integer("themes", default.themes),
        nominals=nominals,
        cut=fields.integer("cut", default.cut),
        tie_policy=_tie_policy(fields, default.tie_policy),
        categories=categories,
    )


def _each_once(fields: Fields, name: str, values: Iterable[object]) -> None:
    for value, times in Counter(values).items():
        if times > 1:
            raise fields.refused(
                _("“{field}” names “{value}” twice").format(field=name, value=value),
                _("Leave each of them once."),
                name,
            )


def _tie_policy(fields: Fields, default: TiePolicy) -> TiePolicy:
    word = fields.string("tie_policy", default.value)
    try:
        return TiePolicy(word)
    except ValueError as error:
        raise fields.refused(
            _("“{value}” is no known way to decide a tie").format(value=word),
            _("Known are: {policies}.").format(policies=", ".join(TiePolicy)),
            "tie_policy",
        ) from error
