"""The regulation out of a TOML file, refused where it lacks a field or contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from otbor.i18n import gettext as _
from scoring.fields import Fields, read_fields
from scoring.folding import fold
from scoring.model import Regulation
from scoring.regulation_appeals import read_appeals
from scoring.regulation_cut import read_cut, read_ties
from scoring.regulation_stake import read_stake
from scoring.rules import CarryOver, CutRule, Grouping, Part, Price, Prices, ReserveCall, Stage

_LINE = ("tie_policy", "shoot_out_themes", "count_back", "prizes")
FIELDS = (
    "title",
    "name",
    "themes",
    "nominals",
    "cut",
    "categories",
    "answers",
    "exempt",
    "reserve",
    "reserve_call",
    "removal",
    "appeals",
    "final",
    "stage",
    *_LINE,
)
_STAGE_FIELDS = (
    "title",
    "name",
    "part",
    "bout_size",
    "cut",
    "carry_over",
    "final",
    "seeded_enter",
    *_LINE,
)
_SIGNED = {"+nominal": 1, "nominal": 1, "-nominal": -1, "−nominal": -1, "0": 0}


def parse_regulation(text: str, *, source: str) -> Regulation:
    """Read a regulation; fields that are missing have the values of `Regulation`.

    Args:
        text: TOML as docs/regulations.md describes it.
        source: The file's name, for messages.

    Raises:
        TableError: No TOML, an unknown field, a value of the wrong kind, a field missing that another
            needs, or values that contradict each other; the message names the line and the reason.
    """
    fields = read_fields(text, source=source)
    fields.known_only(*FIELDS)
    default = Regulation()
    categories = fields.strings("categories")
    _each_once(fields, "categories", [fold(category) for category in categories])
    cut = read_cut(fields, "cut", written=True)
    if categories and cut.each is not Grouping.CATEGORY:
        raise fields.refused(
            _("categories are named, but the line is not drawn by category"),
            _("Remove “categories”, or set “each” to “category” in [cut]."),
            "categories",
        )
    ties = read_ties(fields)
    reserve_call = fields.word("reserve_call", ReserveCall.SCORE)
    return Regulation(
        name=fields.string("name"),
        themes=fields.integer("themes", default.themes),
        nominals=_nominals(fields, default.nominals),
        cut=cut.places,
        tie_policy=ties.steps[0],
        categories=categories,
        prices=_prices(fields.table("answers")),
        # The number itself is `cut`; `Regulation.rule` puts the two together.
        cut_rule=replace(cut, places=CutRule().places),
        ties=ties,
        prizes=_count(fields, "prizes"),
        exempt=fields.yes("exempt", default.exempt),
        reserve=_reserve(fields, reserve_call),
        reserve_call=reserve_call,
        removal=fields.yes("removal", default.removal),
        final=read_stake(fields.table("final")),
        stages=_stages(fields),
        title=fields.string("title"),
        appeals=read_appeals(fields.table("appeals")),
    )


def _nominals(fields: Fields, default: tuple[int, ...]) -> tuple[int, ...]:
    nominals = fields.integers("nominals", default)
    if not nominals:
        raise fields.refused(
            _("“nominals” is empty"), _("List what the questions of a theme are worth."), "nominals"
        )
    _each_once(fields, "nominals", nominals)
    return nominals


def _each_once(fields: Fields, name: str, values: Iterable[object]) -> None:
    for value, times in Counter(values).items():
        if times > 1:
            raise fields.refused(
                _("“{field}” names “{value}” twice").format(field=name, value=value),
                _("Leave each of them once."),
                name,
            )


def _count(fields: Fields, name: str) -> int:
    """A whole number of at least 0."""
    if fields.data.get(name) == 0 and not isinstance(fields.data[name], bool):
        return 0
    return fields.integer(name, 1) if name in fields.data else 0


def _reserve(fields: Fields, call: ReserveCall) -> int:
    reserve = _count(fields, "reserve")
    if reserve and call is ReserveCall.HOST:
        raise fields.refused(
            _("a reserve list of {count} contradicts the host's free choice").format(count=reserve),
            _("Remove “reserve”, or set “reserve_call” to “score”."),
            "reserve",
        )
    return reserve


def _prices(fields: Fields | None) -> Prices:
    """What the kinds of answers are worth; a wrong one may not be worth more than nothing written."""
    default = Prices()
    if fields is None:
        return default
    fields.known_only("right", "wrong", "blank", "missing")
    prices = Prices(
        right=_price(fields, "right", default.right),
        wrong=_price(fields, "wrong", default.wrong),
        blank=_price(fields, "blank", default.blank),
        missing=_price(fields, "missing", default.missing),
    )
    if prices.right.times < 0 or prices.right.points < 0 or prices.right == Price():
        raise fields.refused(
            _("a right answer must be worth something"), _("As a rule “+nominal”."), "right"
        )
    # Both ends of any nominals: prices are linear in the nominal.
    for nominal in (1, 1_000_000):
        if prices.wrong.of(nominal) >= prices.right.of(nominal):
            raise fields.refused(
                _("a wrong answer is worth as much as a right one"),
                _("As a rule right is “+nominal” and wrong “-nominal”."),
                "wrong",
            )
        if prices.blank.of(nominal) < prices.wrong.of(nominal):
            raise fields.refused(
                _("writing nothing costs more than a wrong answer"),
                _("As a rule a blank is 0 and a wrong answer “-nominal”."),
                "blank",
            )
    return prices


def _price(fields: Fields, name: str, default: Price) -> Price:
    value: Any = fields.data.get(name)
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return Price(points=value)
    if isinstance(value, str) and value.replace(" ", "") in _SIGNED:
        return Price(times=_SIGNED[value.replace(" ", "")])
    raise fields.refused(
        _("“{value}” is no price of an answer").format(value=value),
        _("Write “+nominal”, “-nominal” or a number of points without quotes."),
        name,
    )


def _stages(fields: Fields) -> tuple[Stage, ...]:
    tables = fields.tables(
        "stage", lambda number: _("stage {number}").format(number=number), by_line=True
    )
    stages = tuple(_stage(table) for table in tables)
    for table, stage in zip(tables[:-1], stages[:-1], strict=True):
        if stage.cut is None:
            raise table.refused(
                _("“{stage}” is followed by another stage, but says nothing of who goes on").format(
                    stage=stage.name
                ),
                _("Give it a table [stage.cut]."),
            )
    if tables and stages[-1].cut is not None:
        raise tables[-1].refused(
            _("places lead on from “{stage}”, but no stage follows").format(stage=stages[-1].name),
            _("Remove its [stage.cut], or describe the next stage."),
            "cut",
        )
    return stages


def _stage(fields: Fields) -> Stage:
    fields.known_only(*_STAGE_FIELDS)
    if not fields.string("name"):
        raise fields.refused(_("the stage has no name"), _("Give it a “name”."), "name")
    bout_size = _count(fields, "bout_size")
    cut = read_cut(fields, "cut", written=False) if "cut" in fields.data else None
    if cut is not None and cut.each is Grouping.BOUT:
        if not bout_size:
            raise fields.refused(
                _("the line is drawn in each bout, but “bout_size” is missing"),
                _("Say how many meet in a bout."),
                "cut",
            )
        if cut.places >= bout_size:
            raise fields.refused(
                _("{places} go on from a bout of {size}: nobody would be out").format(
                    places=cut.places, size=bout_size
                ),
                _("Let fewer go on, or make the bouts larger."),
                "cut",
            )
    return Stage(
        name=fields.string("name"),
        parts=tuple(
            _part(part)
            for part in fields.tables(
                "part", lambda number: _("part {number}").format(number=number), by_line=True
            )
        ),
        bout_size=bout_size,
        cut=cut,
        ties=read_ties(fields),
        prizes=_count(fields, "prizes"),
        carry_over=fields.word("carry_over", CarryOver.NONE),
        final=read_stake(fields.table("final")),
        seeded_enter=fields.yes("seeded_enter", False),
    )


def _part(fields: Fields) -> Part:
    fields.known_only("name", "themes", "nominals")
    for name in ("themes", "nominals"):
        if name not in fields.data:
            raise fields.refused(
                _("“{field}” is missing").format(field=name),
                _("A part of a stage has “themes” and “nominals”."),
            )
    return Part(fields.string("name"), fields.integer("themes", 1), _nominals(fields, ()))
