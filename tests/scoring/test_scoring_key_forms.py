"""Guards against a key that loses a question, a remark or a spelling because somebody added one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import ConflictError, NotFoundError
from scoring.folding import fold
from scoring.key import parse_key
from scoring.key_forms import FormChange, with_form, without_form
from scoring.key_text import key_text
from scoring.model import AnswerKey, Question, Regulation, Theme

REGULATION = Regulation(themes=2, nominals=(10, 20))
# What people type, and what breaks files: quotes, backslashes, control characters, brackets, other scripts.
TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from("\"\\'#[]{}=,.«»ёЁ’–\u007f\t\u00a0"),
        st.characters(codec="utf-8", exclude_categories=("Cs",)),
    ),
    max_size=12,
)
WORDS = st.sampled_from(("Волга", "Дон", "р. Волга", "Ёж", "Бахчисарай[ский]", '"SOS"', "C\\D"))


def _key(*, text: str = "", remark: str = "", final: bool = False) -> AnswerKey:
    def question(theme: int, row: int) -> Question:
        nominal = REGULATION.nominals[row - 1]
        return Question(
            theme, row, nominal, f"ответ {theme}{nominal}", ("иначе",), ("мимо",), remark, text
        )

    return AnswerKey(
        'Ключ "пробный"',
        tuple(
            Theme(theme, f"Тема {theme}", tuple(question(theme, row) for row in (1, 2)))
            for theme in (1, 2)
        ),
        Question(0, 0, 0, "финал", ("конец",)) if final else None,
    )


def _read(text: str) -> AnswerKey:
    return parse_key(text, source="key.toml", regulation=REGULATION)


@given(TEXTS, TEXTS, st.booleans())
def test_a_key_that_is_written_reads_as_the_very_same_key(
    text: str, remark: str, final: bool
) -> None:
    key = _key(text=text, remark=remark, final=final)
    once = _read(key_text(key))  # cleaned as every key is
    assert _read(key_text(once)) == once
    assert once == _read(
        key_text(_key(text=once.themes[0].questions[0].text, remark=remark, final=final))
    )
    assert len(list(once.questions())) == 4
    assert (once.final is not None) is final


@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=6))
def test_forms_taken_back_in_reverse_leave_the_key_of_before(steps: list[tuple[str, bool]]) -> None:
    key = _read(key_text(_key()))
    states: list[tuple[AnswerKey, FormChange]] = []
    for form, accepted in steps:
        try:
            changed, change = with_form(key, 2, 20, form, accepted=accepted)
        except ConflictError:
            continue
        states.append((key, change))
        key = _read(key_text(changed))
        assert key == changed
        question = key.question(2, 20)
        listed = question.accepted if accepted else question.rejected
        assert listed[-1] == form
        assert not {fold(one) for one in question.forms} & {fold(one) for one in question.rejected}
    for before, change in reversed(states):
        key = without_form(key, change)
        now, then = key.question(2, 20), before.question(2, 20)
        # A form that was moved comes back at the end of its list.
        assert set(now.accepted) == set(then.accepted)
        assert set(now.rejected) == set(then.rejected)


def test_a_form_that_was_not_accepted_moves_and_comes_back() -> None:
    key = _key()
    changed, change = with_form(key, 1, 10, " МИМО ", accepted=True)
    assert change == FormChange(1, 10, "МИМО", True, "мимо")
    assert changed.question(1, 10).accepted == ("иначе", "МИМО")
    assert changed.question(1, 10).rejected == ()
    assert changed.question(1, 20) == key.question(1, 20)
    assert without_form(changed, change) == key


@pytest.mark.parametrize(
    ("form", "accepted"),
    [
        ("", True),
        (" «» ", True),
        ("x" * 101, True),
        ("по смыслу", True),
        ("Точный ответ", False),
        ("ИНАЧЕ", True),
        ("Ответ 110", True),
        ("Мимо", False),
        ("ответ 110", False),
    ],
)
def test_what_no_key_can_take_is_refused(form: str, accepted: bool) -> None:
    with pytest.raises(ConflictError) as refused:
        with_form(_key(), 1, 10, form, accepted=accepted)
    assert refused.value.hint


@pytest.mark.parametrize("place", [(3, 10), (1, 30), (0, 0)])
def test_a_question_that_does_not_exist_is_named(place: tuple[int, int]) -> None:
    with pytest.raises(NotFoundError):
        with_form(_key(), *place, "иное", accepted=True)


def test_the_final_question_takes_forms_too() -> None:
    key = _key(final=True)
    changed, change = with_form(key, 0, 0, "иное", accepted=True)
    assert changed.final is not None
    assert changed.final.accepted == ("конец", "иное")
    assert changed.themes == key.themes
    assert without_form(changed, change) == key


def test_a_form_that_another_key_dropped_is_not_taken_back_in_silence() -> None:
    _changed, change = with_form(_key(), 1, 10, "иное", accepted=True)
    with pytest.raises(NotFoundError):
        without_form(_key(), change)
