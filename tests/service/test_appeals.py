"""Guards appeals: one rejected that costs points, one accepted in silence, one decided on what nobody saw."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from appeal_event import publish, ruled_event
from moved_clock import Clock
from small_event import key_text
from standings_bytes import standings_bytes

from jury.appeals import State
from jury.boxes import BoxVerdict
from otbor.errors import ConflictError, NotFoundError
from scoring.model import Status, Verdict
from service import (
    appeal_decisions,
    appeals,
    decisions,
    intake,
    journal,
    key_changes,
    publications,
    results,
    rulings,
    sheets,
)
from service.appeal_decisions import Choice
from service.appeal_log import Appeal, AppealError
from service.decisions import Decision
from service.event import Event
from service.executors import SerialExecutor
from service.journal import Kind
from service.posted import posted_player


@pytest.fixture
def clock(appeal_clock: Clock) -> Clock:
    return appeal_clock


@pytest.fixture
def event(posted_event: Event) -> Event:
    return posted_event


def _file(
    event: Event, player: int = 1, theme: int = 1, nominal: int = 20, **more: object
) -> Appeal:
    more.setdefault("who", "desk")
    return appeals.file(event, player, theme, nominal, "Там верный ответ", **more)  # type: ignore[arg-type]


def _row(event: Event, number: int) -> tuple[int, Status]:
    return next(
        (row.score, row.status)
        for part in results.event_standings(event).categories
        for row in part.rows
        if row.player.number == number
    )


def _bytes(event: Event) -> bytes:
    return standings_bytes(results.event_standings(event))


def test_a_rejected_appeal_leaves_minus_nominal(event: Event) -> None:
    before = _bytes(event)
    appeal = _file(event)
    assert appeal.verdict is Verdict.WRONG
    appeal = appeal_decisions.reject(event, appeal.id, who="chief", why="«Мимо» — не ответ")
    assert (appeal.state, _row(event, 1)[0]) == (State.REJECTED, -10)
    assert _bytes(event) == before
    assert rulings.current(event)["1", "t1r2"] is Verdict.WRONG


def test_the_effect_is_known_before_and_is_what_happens(event: Event) -> None:
    before, appeal = _bytes(event), _file(event)
    found = appeal_decisions.effect(event, appeal, Choice(Verdict.RIGHT))
    assert {change.number: change.points for change in found.changes.players if change.points} == {
        1: 40
    }
    assert {change.number for change in found.changes.players if change.crosses_in} == {1}
    assert _bytes(event) == before
    blank = appeal_decisions.effect(event, appeal, Choice(Verdict.BLANK))
    assert [change.points for change in blank.changes.players if change.number == 1] == [20]
    done = appeal_decisions.accept(
        event, appeal.id, Choice(Verdict.RIGHT), who="chief", shown=found.shown
    )
    assert done == found.changes
    assert _row(event, 1) == (30, Status.IN)


def test_an_accepted_appeal_taken_back_restores_every_byte(event: Event) -> None:
    """All that an appeal can bring with it at once: rulings, equal answers, a form of the key, a removal."""
    before, key = _bytes(event), event.key()
    appeal = _file(event, 2, 1, 10)
    choice = Choice(Verdict.RIGHT, sheets=("4",), form="мимо дома", remove=False)
    appeal_decisions.accept(event, appeal.id, choice, who="chief", why="засчитать")
    assert _row(event, 2)[0] == 30
    assert _row(event, 4)[0] == 60
    assert "мимо дома" in event.key().question(1, 10).accepted
    assert _bytes(event) != before
    appeal_decisions.reopen(event, appeal.id, who="chief", why="поспешили")
    assert _bytes(event) == before
    assert event.key() == key
    whole = _file(event, 3, 1, 10, whole=True)
    appeal_decisions.accept(event, whole.id, Choice(remove=True), who="chief")
    assert results.event_standings(event).removed == ((1, 10),)
    appeal_decisions.reopen(event, whole.id, who="chief")
    assert _bytes(event) == before
    assert appeals.find(event, appeal.id).state is State.OPEN


def test_appeals_taken_back_out_of_order_keep_later_rulings(event: Event) -> None:
    first = _file(event, 2, 1, 10)
    appeal_decisions.accept(event, first.id, Choice(sheets=("4",)), who="chief")
    second = _file(event, 4, 1, 10)
    appeal_decisions.accept(event, second.id, Choice(Verdict.BLANK), who="chief")
    assert _row(event, 4)[0] == 50
    assert list(appeal_decisions.still_ruled(event, appeals.find(event, first.id))) == [
        ("4", "t1r1")
    ]
    appeal_decisions.reopen(event, first.id, who="chief")
    assert _row(event, 2)[0] == 10
    assert _row(event, 4)[0] == 50
    # Sheet 4 goes back to what it had when the second was accepted: the first one's «right» has fallen.
    appeal_decisions.reopen(event, second.id, who="chief")
    assert {_row(event, number)[0] for number in (2, 4)} == {10, 60}


def test_a_trial_of_taking_back_changes_nothing(event: Event) -> None:
    appeal = _file(event)
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    before = _bytes(event)
    changes = appeal_decisions.reopen(event, appeal.id, who="chief", dry_run=True)
    assert [change.points for change in changes.players if change.points] == [-40]
    assert _bytes(event) == before
    assert appeals.find(event, appeal.id).state is State.ACCEPTED


def test_nothing_is_applied_that_was_not_shown(event: Event) -> None:
    appeal = _file(event)
    shown = appeal_decisions.effect(event, appeal, Choice()).shown
    data = {"number": 2, "points": 10}
    decisions.decide(event, Decision.PENALTY, data, who="organizer")
    with pytest.raises(ConflictError, match="no longer what you were shown"):
        appeal_decisions.accept(event, appeal.id, Choice(), who="chief", shown=shown)
    assert appeals.find(event, appeal.id).state is State.OPEN
    assert _row(event, 1)[0] == -10


def test_the_next_publication_lists_the_difference(event: Event) -> None:
    appeal = _file(event)
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    posted = posted_player(event, 1)
    assert posted is not None
    assert (posted.row.score, posted.answer(1, 20).verdict) == (-10, Verdict.WRONG)  # type: ignore[union-attr]
    _entry, changes = publications.publish(event, who="organizer")
    assert changes is not None
    assert {change.number for change in changes.crossing} >= {1}
    posted = posted_player(event, 1)
    assert posted is not None
    assert (posted.row.score, posted.answer(1, 20).verdict) == (30, Verdict.RIGHT)  # type: ignore[union-attr]


def test_the_deadline_counts_from_the_publication(event: Event, clock: Clock) -> None:
    clock.wait(29.9)
    kept = _file(event)
    clock.wait(0.1)
    with pytest.raises(AppealError, match="is over"):
        _file(event, 2, 1, 10)
    with pytest.raises(AppealError, match="is over"):
        _file(event, 2, 1, 10, own=True, late=True)
    late = _file(event, 2, 1, 10, late=True)
    assert (kept.late, late.late) == (False, True)
    # Deciding and withdrawing have no deadline.
    appeal_decisions.reject(event, kept.id, who="chief", why="нет")
    appeals.withdraw(event, late.id, who="desk")


def test_the_organizer_gives_more_time_and_ends_it(event: Event, clock: Clock) -> None:
    clock.wait(40)
    found = appeals.set_deadline(event, 15, who="organizer")
    assert found.left(clock.now) == 15 * 60
    _file(event)
    appeals.set_deadline(event, 0, who="organizer")
    with pytest.raises(AppealError, match="is over"):
        _file(event, 2, 1, 10)
    appeal = appeals.appeals(event)[0]
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    publish(event)  # a new publication has its own time
    assert appeals.current_window(event).left(clock.now) == 30 * 60  # type: ignore[union-attr]
    with pytest.raises(AppealError):
        appeals.set_deadline(event, -1, who="organizer")


def test_without_a_deadline_appeals_are_open_until_the_next_publication(
    tmp_path: Path, clock: Clock
) -> None:
    with ruled_event(tmp_path, 'name = "x"\ncut = 1\n') as event:
        publish(event)
        assert appeals.current_window(event).closes is None  # type: ignore[union-attr]
        clock.wait(60 * 24 * 30)
        assert _file(event).publication == 1


def test_nothing_posted_means_no_appeals(tmp_path: Path, clock: Clock) -> None:
    with ruled_event(tmp_path) as event:
        with pytest.raises(AppealError, match="No results are posted"):
            _file(event)
        publish(event)
        appeal = _file(event)
        publications.withdraw(event, 1, who="organizer")
        assert posted_player(event, 1) is None
        with pytest.raises(AppealError, match="No results are posted"):
            _file(event, 2, 1, 10)
        # One that was filed is still decided.
        appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
        assert _row(event, 1)[0] == 30


def test_a_regulation_without_appeals(tmp_path: Path, clock: Clock) -> None:
    with ruled_event(tmp_path, "cut = 1\n[appeals]\nallowed = false\n") as event:
        publish(event)
        with pytest.raises(AppealError, match="allows no appeals"):
            _file(event)


def test_one_open_appeal_a_question_and_no_more_than_allowed(event: Event) -> None:
    first = _file(event, own=True)
    with pytest.raises(AppealError, match="already"):
        _file(event, own=True)
    with pytest.raises(AppealError, match="already"):
        _file(event, own=True, whole=True)
    appeals.withdraw(event, first.id, who="player 1", player=1)
    first = _file(event, own=True)
    appeal_decisions.reject(event, first.id, who="chief", why="нет")
    with pytest.raises(AppealError, match="has been decided"):
        _file(event, own=True)
    _file(event, 1, 1, 30, own=True)
    with pytest.raises(AppealError, match="all that a player may file"):
        _file(event, 1, 1, 40, own=True)
    assert _file(event, 1, 1, 40).own is False  # the desk may


@pytest.mark.parametrize("text", ["", "  \n ", "\x00\x01", "я" * 501])
def test_a_text_that_says_nothing_or_too_much(event: Event, text: str) -> None:
    with pytest.raises(AppealError):
        appeals.file(event, 1, 1, 20, text, who="desk")
    assert appeals.appeals(event) == []


def test_appeals_against_nothing(event: Event) -> None:
    with pytest.raises(AppealError, match="counts as right"):
        _file(event, 1, 1, 10)
    with pytest.raises(NotFoundError):
        _file(event, 77)
    with pytest.raises(NotFoundError):
        _file(event, 1, 9, 10)
    with pytest.raises(NotFoundError):
        appeals.find(event, 1)
    assert appeals.appeals(event) == []


def test_a_decided_appeal_is_not_decided_again(event: Event) -> None:
    appeal = _file(event)
    with pytest.raises(AppealError, match="not decided yet"):
        appeal_decisions.reopen(event, appeal.id, who="chief")
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    for again in (
        lambda: appeal_decisions.accept(event, appeal.id, Choice(), who="chief"),
        lambda: appeal_decisions.reject(event, appeal.id, who="chief", why="нет"),
        lambda: appeals.withdraw(event, appeal.id, who="chief"),
    ):
        with pytest.raises(AppealError, match="accepted already"):
            again()
    appeal_decisions.reopen(event, appeal.id, who="chief")
    appeals.withdraw(event, appeal.id, who="desk")
    with pytest.raises(AppealError, match="withdrawn"):
        appeal_decisions.accept(event, appeal.id, Choice(), who="chief")


@pytest.mark.parametrize(
    "choice",
    [
        Choice(Verdict.WRONG),
        Choice(Verdict.DISPUTED),
        Choice(sheets=("77",)),
        Choice(form="ответ 120"),
        Choice(form="по смыслу"),
    ],
)
def test_a_choice_that_cannot_be_meant_changes_nothing(event: Event, choice: Choice) -> None:
    appeal, before = _file(event), _bytes(event)
    with pytest.raises((AppealError, NotFoundError, ConflictError)):
        appeal_decisions.effect(event, appeal, choice)
    with pytest.raises((AppealError, NotFoundError, ConflictError)):
        appeal_decisions.accept(event, appeal.id, choice, who="chief")
    assert appeals.find(event, appeal.id).state is State.OPEN
    assert _bytes(event) == before
    assert key_changes.entries(event) == []


def test_a_rejection_has_a_reason(event: Event) -> None:
    appeal = _file(event)
    with pytest.raises(AppealError, match="needs a reason"):
        appeal_decisions.reject(event, appeal.id, who="chief", why="  ")


def test_equal_answers_are_offered_and_the_appealed_one_is_not_among_them(event: Event) -> None:
    appeal = _file(event, 2, 1, 10)
    found = appeal_decisions.others(event, appeal)
    assert [(other.answer.sheet, other.equal) for other in found] == [("4", True)]
    assert [
        other.answer.sheet for other in appeal_decisions.others(event, appeal, "ответ 110")
    ] == [
        "1",
        "3",
        "4",
    ]


def test_the_own_answer_is_one_of_all_in_an_appeal_about_the_question(event: Event) -> None:
    appeal = _file(event, 2, 1, 10, whole=True)
    offered = [other.answer.sheet for other in appeal_decisions.others(event, appeal)]
    assert offered == ["2", "4"]
    choice = Choice(Verdict.RIGHT, sheets=tuple(offered), form="мимо цели")
    appeal_decisions.accept(event, appeal.id, choice, who="chief")
    assert (_row(event, 2)[0], _row(event, 4)[0]) == (30, 60)


def test_the_walls_undo_does_not_undo_half_an_appeal(event: Event) -> None:
    """The chief's Ctrl+Z on a wall would leave an appeal accepted without its verdict."""
    appeal = _file(event)
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    assert rulings.undo_last(event, "chief") is None
    assert rulings.undo_last(event, "chief", "t1r2") is None
    assert _row(event, 1)[0] == 30


def test_a_removal_taken_back_on_its_own_does_not_stand_in_the_way(event: Event) -> None:
    before, appeal = _bytes(event), _file(event, 3, 1, 10, whole=True)
    appeal_decisions.accept(event, appeal.id, Choice(remove=True), who="chief")
    decisions.take_back(event, decisions.entries(event)[-1].id, who="organizer")
    appeal_decisions.reopen(event, appeal.id, who="chief")
    assert _bytes(event) == before


def test_the_journal_only_grows_and_says_who_and_why(event: Event) -> None:
    appeal = _file(event)
    appeal_decisions.reject(event, appeal.id, who="chief", why="нет")
    appeal_decisions.reopen(event, appeal.id, who="organizer", why="новая запись")
    found = appeals.find(event, appeal.id)
    assert [(who, step.value, why) for _at, who, step, why in found.steps] == [
        ("chief", "reject", "нет"),
        ("organizer", "reopen", "новая запись"),
    ]
    with event.database.reading() as connection:
        assert len(journal.entries(connection, Kind.APPEAL, Kind.APPEAL_DECISION)) == 3


def test_a_page_says_what_was_posted_whatever_is_ruled_meanwhile(
    event: Event, tmp_path: Path
) -> None:
    """Verdicts, key, and whose a spare sheet was are those of the publication."""
    key = tmp_path / "key.toml"
    key.write_text(key_text().replace("ответ 120", "другое"), encoding="utf-8")
    event.update(key=key)
    event.print_spares(1)
    sheets.give_spare(event, "S1", 1)
    given = [BoxVerdict("1", "t1r1", Verdict.WRONG), BoxVerdict("S1", "t1r1", Verdict.RIGHT)]
    rulings.enter(event, given, "chief", origin="file")
    posted = posted_player(event, 1)
    assert posted is not None
    assert posted.sheet == "1"
    assert posted.answer(1, 10).verdict is Verdict.RIGHT  # type: ignore[union-attr]
    assert posted.answer(1, 20).question.answer == "ответ 120"  # type: ignore[union-attr]
    assert posted.answer(1, 10).page_id is not None  # type: ignore[union-attr]


def test_a_rebuild_gives_the_same_appeals_standings_and_pages(event: Event) -> None:
    appeal = _file(event)
    appeal_decisions.accept(event, appeal.id, Choice(), who="chief")
    waiting = _file(event, 2, 1, 10)

    def posted() -> list[tuple[str, Verdict | None, int | None]]:
        found = posted_player(event, 1)
        assert found is not None
        return [(answer.box, answer.verdict, answer.points) for answer in found.answers]

    before, listed, shown = _bytes(event), appeals.appeals(event), posted()
    intake.rebuild(event, reader="none", factory=SerialExecutor)
    assert (_bytes(event), appeals.appeals(event), posted()) == (before, listed, shown)
    assert posted_player(event, 1).answer(1, 20).page_id is not None  # type: ignore[union-attr]
    appeal_decisions.reject(event, waiting.id, who="chief", why="нет")
    appeal_decisions.reopen(event, appeal.id, who="chief")
    assert _row(event, 1)[0] == -10


def test_of_two_who_decide_at_once_one_is_told(event: Event) -> None:
    appeal = _file(event)

    def decide(who: str) -> str:
        try:
            appeal_decisions.accept(event, appeal.id, Choice(), who=who)
        except AppealError as error:
            return error.message
        return "done"

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(decide, ["chief", "organizer", "second", "third"]))
    assert said.count("done") == 1
    assert all("accepted already" in text for text in said if text != "done")
    assert len({entry.batch for entry in rulings.history(event)}) == 2
