"""The line and its ties out of a regulation's TOML."""

from __future__ import annotations

import re
from collections import Counter

from otbor.i18n import gettext as _
from scoring.fields import Fields
from scoring.rules import (
    FINAL_POLICIES,
    Announcing,
    CountBack,
    Counted,
    CutRule,
    Formula,
    Grouping,
    TiePolicy,
    TieRule,
)

_CUT_FIELDS = (
    "each",
    "places",
    "at_least",
    "counted",
    "other_by_chief",
    "quotas",
    "sure",
    "least_score",
)
# «N/3 + 1», «2N/3», «N», «N − 4»; a dot or sign of multiplication may stand between number and N.
_FORMULA = re.compile(
    r"\s*(?P<times>\d+)?\s*[*·×]?\s*N\s*(?:/\s*(?P<by>\d+))?\s*(?:(?P<sign>[+−-])\s*(?P<plus>\d+))?\s*"
)


def read_cut(fields: Fields, name: str, *, written: bool) -> CutRule:
    """The cut of a round: a plain number, or a table.

    Args:
        fields: The table of the round.
        name: The field.
        written: True for the written round; the others may be drawn by bout, and in them a plain number is
            one.

    Raises:
        TableError: A field is missing, unknown or contradicts another.
    """
    if not isinstance(fields.data.get(name, 0), dict):
        each = Grouping.CATEGORY if written else Grouping.BOUT
        return CutRule(each=each, places=fields.integer(name, CutRule().places))
    cut = fields.table(name)
    assert cut is not None
    cut.known_only(*_CUT_FIELDS)
    each = cut.word("each", Grouping.CATEGORY if written else Grouping.BOUT)
    if written and each is Grouping.BOUT:
        raise cut.refused(
            _("the written round has no bouts"),
            _("Set “each” to “category”, “site” or “all”."),
            "each",
        )
    quotas = _quotas(cut, each)
    places, formula, announcing = _places(cut, quotas)
    if "at_least" in cut.data and formula is None and announcing is Announcing.FIXED:
        raise cut.refused(
            _("“at_least” has no sense with a fixed number of places"),
            _("Remove it, or give “places” as a formula such as “N/3 + 1”."),
            "at_least",
        )
    if "counted" in cut.data and formula is None:
        raise cut.refused(
            _("“counted” has no sense without a formula"),
            _("Remove it, or give “places” as a formula such as “N/3 + 1”."),
            "counted",
        )
    at_least = cut.integer("at_least", 1)
    sure, least_score = _sure(cut)
    smallest = at_least if formula or announcing is Announcing.REQUIRED else places
    if sure is not None and sure > smallest:
        raise cut.refused(
            _("{sure} are sure to go on, but there may be only {places} places").format(
                sure=sure, places=smallest
            ),
            _("Lower “sure”, or raise the number of places."),
            "sure",
        )
    return CutRule(
        each=each,
        places=places,
        formula=formula,
        at_least=at_least,
        counted=cut.word("counted", Counted.PRESENT),
        announcing=announcing,
        quotas=quotas,
        sure=sure,
        least_score=least_score,
    )


def _quotas(cut: Fields, each: Grouping) -> tuple[tuple[str, int], ...]:
    table = cut.table("quotas")
    if table is None:
        return ()
    if each not in (Grouping.CATEGORY, Grouping.SITE):
        raise cut.refused(
            _("quotas are named, but the line is drawn neither by category nor by site"),
            _("Remove “quotas”, or set “each” to “category” or “site”."),
            "quotas",
        )
    return tuple((name, table.integer(name, 1)) for name in table.data)


def _places(
    cut: Fields, quotas: tuple[tuple[str, int], ...]
) -> tuple[int, Formula | None, Announcing]:
    """The fixed number, the formula, and who names the number."""
    by_chief = cut.yes("other_by_chief", False)
    value = cut.data.get("places")
    if value is None and not quotas:
        raise cut.refused(
            _("the number of places is missing"),
            _("Give “places” as a number, a formula such as “N/3 + 1”, or “announced”."),
        )
    announcing = Announcing.BY_CHIEF if by_chief else Announcing.FIXED
    if value is None or value == "announced":
        if by_chief:
            raise cut.refused(
                _("“other_by_chief” has no sense where the organizer announces the number"),
                _("Remove it."),
                "other_by_chief",
            )
        least = cut.integer("at_least", 1)
        return least, None, Announcing.REQUIRED
    if isinstance(value, str):
        formula = _formula(cut, value)
        return cut.integer("at_least", 1), formula, announcing
    return cut.integer("places", 1), None, announcing


def _formula(cut: Fields, text: str) -> Formula:
    found = _FORMULA.fullmatch(text)
    if found is None or found["by"] == "0" or found["times"] == "0":
        raise cut.refused(
            _("“{text}” is no formula").format(text=text),
            _("Write for instance “N/3 + 1”; it is rounded down."),
            "places",
        )
    plus = int(found["plus"] or 0) * (-1 if found["sign"] in ("-", "−") else 1)
    return Formula(int(found["times"] or 1), int(found["by"] or 1), plus)


def _sure(cut: Fields) -> tuple[int | None, int | None]:
    """How many are sure, and the least score of the others: both or neither."""
    for name, other in (("sure", "least_score"), ("least_score", "sure")):
        if name in cut.data and other not in cut.data:
            raise cut.refused(
                _("“{field}” is there, “{other}” is missing").format(field=name, other=other),
                _("The places beyond the sure ones need a least score: give both or neither."),
                name,
            )
    if "sure" not in cut.data:
        return None, None
    sure = 0 if cut.data["sure"] == 0 else cut.integer("sure", 1)
    return sure, cut.number("least_score", 1)


def read_ties(fields: Fields) -> TieRule:
    """How ties of a round are decided: one policy or several steps.

    Raises:
        TableError: An unknown step, one after a step that leaves nothing to decide, or a step without its
            themes or keys.
    """
    value = fields.data.get("tie_policy", TiePolicy.UNDECIDED.value)
    words = value if isinstance(value, list) else [value]
    steps = tuple(fields.as_word("tie_policy", word, TiePolicy) for word in words)
    if not steps:
        raise fields.refused(
            _("“tie_policy” is empty"),
            _("Write “undecided” if the regulation says nothing of ties."),
            "tie_policy",
        )
    for step, times in Counter(steps).items():
        if times > 1:
            raise fields.refused(
                _("“{field}” names “{value}” twice").format(field="tie_policy", value=step),
                _("Leave each of them once."),
                "tie_policy",
            )
    for step in steps[:-1]:
        if step in FINAL_POLICIES or step is TiePolicy.UNDECIDED:
            raise fields.refused(
                _("nothing can come after “{step}”").format(step=step),
                _("It must be the last step of “tie_policy”."),
                "tie_policy",
            )
    return TieRule(steps, _themes(fields, steps), _keys(fields, steps))


def _themes(fields: Fields, steps: tuple[TiePolicy, ...]) -> int:
    _both(fields, "shoot_out_themes", TiePolicy.SHOOT_OUT, steps)
    return fields.integer("shoot_out_themes", 1) if TiePolicy.SHOOT_OUT in steps else 0


def _keys(fields: Fields, steps: tuple[TiePolicy, ...]) -> tuple[CountBack, ...]:
    _both(fields, "count_back", TiePolicy.COUNT_BACK, steps)
    keys = tuple(
        fields.as_word("count_back", key, CountBack) for key in fields.strings("count_back")
    )
    if TiePolicy.COUNT_BACK in steps and not keys:
        raise fields.refused(
            _("“{field}” is empty").format(field="count_back"),
            _("Known are: {words}.").format(words=", ".join(CountBack)),
            "count_back",
        )
    return keys


def _both(fields: Fields, name: str, step: TiePolicy, steps: tuple[TiePolicy, ...]) -> None:
    """A step needs its field, and the field its step."""
    if step in steps and name not in fields.data:
        raise fields.refused(
            _("the step “{step}” needs the field “{field}”").format(step=step, field=name),
            _("Add it."),
            "tie_policy",
        )
    if name in fields.data and step not in steps:
        raise fields.refused(
            _("“{field}” is there, but “tie_policy” has no step “{step}”").format(
                field=name, step=step
            ),
            _("Add the step, or remove the field."),
            name,
        )
