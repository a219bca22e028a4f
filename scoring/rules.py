"""What a regulation may lay down: prices of answers, cuts, ties, what is carried over, the final stake.

These are the nouns of the rules. `scoring.regulation` reads them out of TOML, `scoring.explain` says them as
sentences, `scoring.cut`, `scoring.stakes` and `scoring.carrying` apply them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Price:
    """What an answer is worth: `times` the nominal plus `points`. One of the two is 0."""

    times: int = 0
    points: int = 0

    def of(self, nominal: int) -> int:
        """The points for a question of this nominal."""
        return self.times * nominal + self.points


@dataclass(frozen=True, slots=True)
class Prices:
    """What each kind of answer is worth.

    `missing` is a box that the player had no chance to fill: a theme played before a late player came, a
    part of the blank that was never handed out. Nothing written is `blank`.
    """

    right: Price = Price(times=1)
    wrong: Price = Price(times=-1)
    blank: Price = Price()
    missing: Price = Price()


class Grouping(StrEnum):
    """Among whom a line is drawn."""

    CATEGORY = "category"
    SITE = "site"
    ALL = "all"
    BOUT = "bout"


class Counted(StrEnum):
    """Who is N in a formula."""

    PRESENT = "present"
    REGISTERED = "registered"


class Announcing(StrEnum):
    """Whether the number of places is the regulation's or the organizer's.

    FIXED: the regulation's alone. REQUIRED: the organizer must announce it before the start. BY_CHIEF: the
    regulation's as a rule, another only with the leave of the chief judge.
    """

    FIXED = "fixed"
    REQUIRED = "required"
    BY_CHIEF = "by_chief"


@dataclass(frozen=True, slots=True)
class Formula:
    """⌊N · `numerator` / `divisor`⌋ + `plus` places."""

    numerator: int
    divisor: int
    plus: int = 0

    def of(self, count: int) -> int:
        """The places for N = `count`."""
        return count * self.numerator // self.divisor + self.plus


@dataclass(frozen=True, slots=True)
class CutRule:
    """How many go on.

    `places` is the quota of each group unless `quotas` names another for it; a `formula` gives the quota
    from the number of players and never less than `at_least`. The first `sure` are in whatever their
    scores, the places beyond them only with `least_score`; None means that every place is sure.
    """

    each: Grouping = Grouping.CATEGORY
    places: int = 32
    formula: Formula | None = None
    at_least: int = 1
    counted: Counted = Counted.PRESENT
    announcing: Announcing = Announcing.FIXED
    quotas: tuple[tuple[str, int], ...] = ()
    sure: int | None = None
    least_score: int | None = None


class TiePolicy(StrEnum):
    """What a tie across the cut means. There is no silent default: `undecided` leaves it open."""

    UNDECIDED = "undecided"
    ALL_IN = "all_in"
    NONE_IN = "none_in"
    SHOOT_OUT = "shoot_out"
    COUNT_BACK = "count_back"
    LOT = "lot"


# After these nothing is left to decide.
FINAL_POLICIES = frozenset({TiePolicy.ALL_IN, TiePolicy.NONE_IN, TiePolicy.LOT})


class CountBack(StrEnum):
    """By what players of equal scores are told apart, in the order that the regulation names.

    DEAREST_FIRST compares the rights on the dearest nominal, then on the next, and so on; LAST_THEMES the
    points of the last theme, then of the one before it, and so on.
    """

    MOST_RIGHTS = "most_rights"
    FEWEST_WRONGS = "fewest_wrongs"
    MOST_DEAREST = "most_dearest"
    DEAREST_FIRST = "dearest_first"
    MOST_WON = "most_won"
    BEST_THEME = "best_theme"
    LAST_THEMES = "last_themes"


@dataclass(frozen=True, slots=True)
class TieRule:
    """The steps by which a tie is decided, one after another.

    `themes` is how many themes a shoot-out has, 0 without one; `keys` what is compared in a count-back.
    A shoot-out that is the last step is played again until it decides.
    """

    steps: tuple[TiePolicy, ...] = (TiePolicy.UNDECIDED,)
    themes: int = 0
    keys: tuple[CountBack, ...] = ()


class CarryOver(StrEnum):
    """What a player brings into the next round: nothing, the own score, or its lead on the last one in."""

    NONE = "none"
    OWN = "own"
    DIFFERENCE = "difference"


class ReserveCall(StrEnum):
    """Who gets the place of a player who declines: the next by score, or whom the host chooses."""

    SCORE = "score"
    HOST = "host"


class Remedy(StrEnum):
    """What becomes of a stake that is not as it should be; `count` comes with a number."""

    CHIEF = "chief"
    COUNT = "count"
    LEAST = "least"
    MOST = "most"
    NOT_PLAYING = "not_playing"


@dataclass(frozen=True, slots=True)
class Mending:
    """A remedy and, for `count`, the stake that counts instead."""

    remedy: Remedy = Remedy.CHIEF
    stake: int = 0


class StakeFault(StrEnum):
    """What may be wrong with a stake on paper."""

    MISSING = "missing"
    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    OFF_STEP = "off_step"
    UNREADABLE = "unreadable"
    DOUBLED = "doubled"


class NoAnswer(StrEnum):
    """What a stake without a written answer means."""

    CHIEF = "chief"
    WRONG = "wrong"
    NOTHING = "nothing"


class NobodyPositive(StrEnum):
    """Who wins when nobody has a positive sum before the final."""

    NO_WINNER = "no_winner"
    BEST_SUM = "best_sum"


@dataclass(frozen=True, slots=True)
class FinalStake:
    """The last question, answered in writing for a stake: ±stake.

    `everyone` lets players stake whose sum is not positive (they need `most`). `most` None means the
    player's own sum. `single_wins`: a single positive player wins and the final is not played.
    `lead_factor` k: a leader with more than k times the next positive sum wins and it is not played.
    """

    everyone: bool = False
    least: int = 1
    most: int | None = None
    step: int = 1
    mendings: tuple[tuple[StakeFault, Mending], ...] = ()
    no_answer: NoAnswer = NoAnswer.CHIEF
    nobody_positive: NobodyPositive = NobodyPositive.NO_WINNER
    single_wins: bool = False
    lead_factor: int | None = None

    def mending(self, fault: StakeFault) -> Mending:
        """What the regulation says of a fault; the chief decides where it says nothing."""
        return dict(self.mendings).get(fault, Mending())


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stage («blue», «red»): so many themes of these nominals."""

    name: str
    themes: int
    nominals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage after the written round.

    `bout_size` is how many meet in one bout, 0 where all play together. `cut` is None in the last stage.
    `carry_over` is what players bring into this stage. Ties are decided at the cut and within the first
    `prizes` places. `final` is the stake at its end, if any. `seeded_enter`: seeded players begin here.
    """

    name: str
    parts: tuple[Part, ...] = ()
    bout_size: int = 0
    cut: CutRule | None = None
    ties: TieRule = TieRule()
    prizes: int = 0
    carry_over: CarryOver = CarryOver.NONE
    final: FinalStake | None = None
    seeded_enter: bool = False


@dataclass(frozen=True, slots=True)
class AppealRule:
    """What a player may do who finds a verdict wrong.

    `allowed` False: the verdicts are final. `minutes` is how long after a publication an appeal can be
    filed; None: until the next publication, or until the organizer ends it. `most` is how many a player
    may file on one publication; those withdrawn do not count.
    """

    allowed: bool = True
    minutes: int | None = None
    most: int = 10


# What holds where a regulation says nothing else.
USUAL_APPEALS = AppealRule()
USUAL_PRICES = Prices()
USUAL_CUT = CutRule()
NO_TIE_RULE = TieRule()
