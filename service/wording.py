"""Outcomes and reasons as sentences for people."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from scanner.contracts import Ink, Outcome, Reason
from scanner.geometry import SheetKind
from scoring.model import Verdict
from service.intake import PageRecord


def outcome_name(outcome: Outcome) -> str:
    """An outcome as a word."""
    return {
        Outcome.SHEET: pgettext("outcome", "sheet"),
        Outcome.DUPLICATE: pgettext("outcome", "duplicate"),
        Outcome.UNKNOWN: pgettext("outcome", "unknown"),
        Outcome.FOREIGN: pgettext("outcome", "foreign"),
        Outcome.EMPTY: pgettext("outcome", "empty"),
        Outcome.UNREADABLE: pgettext("outcome", "unreadable"),
    }[outcome]


def ink_name(ink: Ink) -> str:
    """What is in a box, as a word."""
    return {
        Ink.BLANK: pgettext("ink", "blank"),
        Ink.DASH: pgettext("ink", "dash"),
        Ink.CROSSED: pgettext("ink", "crossed out"),
        Ink.WRITTEN: pgettext("ink", "written"),
    }[ink]


def verdict_name(verdict: Verdict | None) -> str:
    """A verdict as a word; empty for none."""
    return {
        Verdict.RIGHT: pgettext("verdict", "right"),
        Verdict.WRONG: pgettext("verdict", "wrong"),
        Verdict.BLANK: pgettext("verdict", "blank"),
        Verdict.DISPUTED: pgettext("verdict", "disputed"),
        None: "",
    }[verdict]


def explain(record: PageRecord) -> str:
    """Why a page is no plain sheet and what to do; empty for one that is."""
    detail = record.detail
    return {
        Reason.NONE: "",
        Reason.NO_CODE: _(
            "A blank of this event, but neither code can be read. Say whose it is: "
            "“otbor assign EVENT {page} --sheet NUMBER”."
        ).format(page=f"{record.file}#{record.number}"),
        Reason.BAD_CODE: _(
            "The codes of this blank contradict each other ({detail}). Say whose it is: "
            "“otbor assign EVENT {page} --sheet NUMBER”."
        ).format(detail=detail or "?", page=f"{record.file}#{record.number}"),
        Reason.NO_SUCH_SHEET: _no_such_sheet(record),
        Reason.OTHER_EVENT: _(
            "A blank of another event (its code is {detail}). Scan it into that event."
        ).format(detail=detail),
        Reason.NO_FIDUCIALS: _("Not a blank of ours: no corner marks and no code on the page."),
        Reason.NO_REGISTRATION: _(
            "A blank of ours, but fewer than three corner marks are in the picture. Mark its corners at the "
            "desk or with “otbor corners EVENT {page} …”, or scan the whole page again."
        ).format(page=f"{record.file}#{record.number}"),
        Reason.NO_INK: _("An empty page."),
        Reason.SAME_SHEET: _same_sheet(record),
        Reason.ENCRYPTED: _("The file is protected by a password. Save it without one."),
        Reason.BROKEN_FILE: _("The file is damaged ({detail}). Save or scan it again.").format(
            detail=detail
        ),
        Reason.BROKEN_PAGE: _("The page is damaged ({detail}). Scan it again.").format(
            detail=detail
        ),
        Reason.TOO_LARGE: _("The picture is too large for a scan. Scan it at 300 dpi."),
        Reason.NOT_AN_IMAGE: _(
            "The file is neither a PDF nor a picture. Give PDF, TIFF, JPEG, PNG or HEIC."
        ),
        Reason.FAILED: _(
            "Reading this page failed ({detail}); the others are not affected. Scan it again."
        ).format(detail=detail),
    }[record.reason]


def _no_such_sheet(record: PageRecord) -> str:
    if record.sheet.startswith(SheetKind.SPARE.value):
        return _(
            "The spare blank {sheet} of this event, but so many were never printed here. Make it known "
            "with “otbor blanks EVENT --spares NUMBER” and scan it again."
        ).format(sheet=record.sheet)
    return _(
        "A blank of this event with the number {sheet}, but there is no such player. "
        "Add the player with “otbor update EVENT --players FILE” and scan it again."
    ).format(sheet=record.sheet)


def _same_sheet(record: PageRecord) -> str:
    if record.differs:
        return _(
            "Sheet {sheet} is here already as {other}, and the two do not hold the same answers. "
            "Look at both; “otbor choose EVENT {page}” makes this one count."
        ).format(
            sheet=record.sheet,
            other=record.duplicate_of or "?",
            page=f"{record.file}#{record.number}",
        )
    return _("Sheet {sheet} is here already as {other}; the sharper scan counts.").format(
        sheet=record.sheet, other=record.duplicate_of or "?"
    )
