"""The answer key out of a TOML file, checked against the regulation."""

from __future__ import annotations

from otbor.i18n import gettext as _
from scoring.fields import Fields, read_fields
from scoring.folding import fold
from scoring.model import AnswerKey, Question, Regulation, Theme

# Words that editors put where an accepted answer belongs. They tell the jury how to judge and match no
# answer, so they go into the remark.
FREE_WORDS = frozenset(
    {
        "по смыслу",
        "по сути",
        "по упоминанию",
        "по корню",
        "по слову",
        "точный ответ",
        "синонимы",
        "синонимичные ответы",
        "синонимичные ответы по смыслу",
    }
)


def parse_key(text: str, *, source: str, regulation: Regulation) -> AnswerKey:
    """Read an answer key.

    Args:
        text: TOML: `title`, then `[[theme]]` with `title` and `[[theme.question]]` with `nominal`,
            `text`, `answer`, `accepted`, `rejected`, `remark`; and, where a final question is answered in
            writing, a table `[final]` of the same fields without `nominal`.
        source: The file's name, for messages.
        regulation: How many themes there must be, and the nominals of each.

    Returns:
        The key; the questions of a theme in the order of the regulation's nominals, whatever theirs was.

    Raises:
        TableError: No TOML, an unknown field, a theme or nominal missing, doubled or unknown, an empty
            answer, a form both accepted and rejected; the message names theme and nominal.
    """
    fields = read_fields(text, source=source)
    fields.known_only("title", "theme", "final")
    themes = fields.tables("theme", lambda number: _("theme {number}").format(number=number))
    if len(themes) != regulation.themes:
        raise fields.refused(
            _("the number of themes is {found}, the regulation asks for {expected}").format(
                found=len(themes), expected=regulation.themes
            ),
            _("Every theme begins with a line [[theme]]."),
        )
    return AnswerKey(
        title=fields.string("title"),
        themes=tuple(
            _theme(number, theme, regulation) for number, theme in enumerate(themes, start=1)
        ),
        final=_final(fields.table("final")),
    )


def _final(fields: Fields | None) -> Question | None:
    if fields is None:
        return None
    fields.known_only("text", "answer", "accepted", "rejected", "remark")
    return _question(0, 0, 0, fields)


def _theme(number: int, fields: Fields, regulation: Regulation) -> Theme:
    fields.known_only("title", "question")
    title = fields.string("title")
    if not title:
        raise fields.refused(_("the title is missing"), _("It is printed on the blank: enter it."))
    by_nominal: dict[int, Question] = {}

    def by_order(question: int) -> str:
        """A question's place until its nominal is known."""
        return _("theme {theme}, question {question}").format(theme=number, question=question)

    for part in fields.tables("question", by_order):
        nominal = _nominal(part, regulation)
        named = Fields(
            part.data,
            part.source,
            _("theme {theme}, {nominal} points").format(theme=number, nominal=nominal),
        )
        if nominal in by_nominal:
            raise named.refused(
                _("this nominal is there twice"), _("Give one of the two its own nominal.")
            )
        row = regulation.nominals.index(nominal) + 1
        by_nominal[nominal] = _question(number, row, nominal, named)
    for nominal in regulation.nominals:
        if nominal not in by_nominal:
            raise fields.refused(
                _("the question for {nominal} points is missing").format(nominal=nominal),
                _("Every theme has one question for each of: {nominals}.").format(
                    nominals=_listed(regulation)
                ),
            )
    return Theme(number, title, tuple(by_nominal[nominal] for nominal in regulation.nominals))


def _nominal(fields: Fields, regulation: Regulation) -> int:
    fields.known_only("nominal", "text", "answer", "accepted", "rejected", "remark")
    nominals = _listed(regulation)
    if "nominal" not in fields.data:
        raise fields.refused(
            _("the nominal is missing"), _("It is one of: {nominals}.").format(nominals=nominals)
        )
    nominal = fields.integer("nominal", 0)
    if nominal not in regulation.nominals:
        raise fields.refused(
            _("the regulation has no nominal {nominal}").format(nominal=nominal),
            _("It is one of: {nominals}.").format(nominals=nominals),
        )
    return nominal


def _listed(regulation: Regulation) -> str:
    return ", ".join(map(str, regulation.nominals))


def _question(theme: int, row: int, nominal: int, fields: Fields) -> Question:
    answer = fields.string("answer")
    if not fold(answer):
        raise fields.refused(_("the answer is empty"), _("Enter the right answer."), "answer")
    given = fields.strings("accepted")
    rejected = fields.strings("rejected")
    accepted = tuple(form for form in given if fold(form) not in FREE_WORDS)
    free_words = (form for form in given if fold(form) in FREE_WORDS)
    right = {fold(form) for form in (answer, *accepted)}
    for form in rejected:
        if fold(form) in right:
            raise fields.refused(
                _("“{form}” is both accepted and rejected").format(form=form),
                _("Remove it from one of the two; case, ё and the kind of hyphen do not count."),
                "rejected",
            )
    return Question(
        theme=theme,
        row=row,
        nominal=nominal,
        answer=answer,
        accepted=accepted,
        rejected=rejected,
        remark="; ".join(filter(None, (fields.string("remark"), *free_words))),
        text=fields.string("text"),
    )
