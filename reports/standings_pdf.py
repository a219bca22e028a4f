"""The standings to post in a corridor: every category on pages of its own, in one of four layouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.changes import PublishedChanges, changes_title
from reports.changes_page import draw_changes
from reports.decided_notes import decided_sentences, note_blocks
from reports.fingerprint import fingerprint, keywords, seal, short
from reports.fitting import fit
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, MM, REGULAR, printable
from reports.order import ordered
from reports.page_frame import PageFrame, category_frame
from reports.paper import Paper
from reports.shown_names import Names, shown_changes, shown_standings
from reports.standings_columns import narrow_columns
from reports.standings_large import large
from reports.standings_layout import Layout, LayoutName
from reports.standings_rows import portrait
from reports.standings_wide import landscape
from reports.tie_box import tie_box
from reports.wording import cut_caption, has_open_answers, is_listed, status_text
from scoring.model import CategoryStandings, Regulation, StandingRow, Standings, Status

_LAYOUTS: dict[LayoutName, Callable[[Regulation], Layout]] = {
    LayoutName.PORTRAIT: portrait,
    LayoutName.LANDSCAPE: landscape,
    LayoutName.COLUMNS: narrow_columns,
    LayoutName.LARGE: large,
}


def standings_pdf(
    standings: Standings,
    *,
    generated_note: str = "",
    provisional: bool | None = None,
    layout: LayoutName | str = LayoutName.PORTRAIT,
    link: str = "",
    changes: PublishedChanges | None = None,
    names: Names | str = Names.FULL,
) -> bytes:
    """Print the standings in the current language; the same standings give the same bytes.

    Every page bears the fingerprint of the standings, see `reports.fingerprint`.

    Args:
        standings: What to print; the order of the rows does not matter.
        generated_note: Printed small at the foot of every page (when and from what it was made).
        provisional: True prints the banner «preliminary» in any case. While answers are unconfirmed
            it is printed whatever is asked for, for then the results may still change.
        layout: See `LayoutName`.
        link: The address of the posted pages, printed as a QR code on every page; empty for none.
        changes: What is different from the publication before: printed on a page before all others.
        names: How the players are called. The fingerprint is the same whatever they are called.

    Returns:
        A PDF with at least one page.

    Raises:
        ValueError: There is no such layout.
    """
    banner = bool(provisional) or standings.unconfirmed > 0
    form = _LAYOUTS[LayoutName(layout)](standings.regulation)
    whole = fingerprint(standings)
    standings = shown_standings(standings, Names(names))
    if changes is not None:
        changes = replace(changes, changes=shown_changes(changes.changes, Names(names)))
    paper = Paper(form.width, form.height, printable(standings.title), keywords=keywords(whole))
    code = _("fingerprint {code}").format(code=short(whole))
    if changes is not None:
        heading = PageFrame(
            standings.title,
            changes_title(changes),
            form.left,
            form.page_right,
            subtitle=_("results of the qualifier"),
            note=generated_note,
            link=link,
            fingerprint=code,
        )
        draw_changes(paper, heading, changes)
    for index, part in enumerate(standings.categories):
        if index or changes is not None:
            paper.next_page()
        frame = category_frame(
            standings,
            part,
            form.left,
            form.page_right,
            subtitle=_("results of the qualifier"),
            note=generated_note,
            provisional=banner,
            legend=_("* not all answers are confirmed") if has_open_answers(part) else "",
            link=link,
            fingerprint=code,
            large=form.large,
        )
        notes = decided_sentences(standings, part)
        _category(paper, frame, form, part, notes, f"category-{index}")
    if not standings.categories and changes is None:
        room = (form.page_right - form.left) * MM
        paper.fitted(form.left, 24.6, fit(standings.title, BOLD, 20, room, least=12), BOLD)
        paper.text(form.left, 48, pgettext("standings", "There are no players yet."), 12)
    return seal(paper.finish())


def _category(
    paper: Paper,
    frame: PageFrame,
    form: Layout,
    part: CategoryStandings,
    notes: list[str],
    key: str,
) -> None:
    top = frame.top + form.head_mm
    columns = paginate(_blocks(part, form, notes), frame.bottom(paper) - top)
    pages = [columns[at : at + form.columns] for at in range(0, len(columns), form.columns)]
    for number, page in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        for at, blocks in enumerate(page):
            with paper.moved(at * form.step):
                form.draw_head(paper, frame.top)
                draw_blocks(paper, blocks, top, form.left, form.right)


def _blocks(part: CategoryStandings, form: Layout, notes: list[str]) -> list[Block]:
    rows = ordered(part.rows)
    listed = [row for row in rows if is_listed(row)]
    sure = [row for row in listed if row.status is Status.IN]
    tied = [row for row in listed if row.status is Status.TIED]
    rest = [row for row in listed if row.status not in (Status.IN, Status.TIED)]
    blocks = [form.row(row, index + 1 == len(sure)) for index, row in enumerate(sure)]
    if listed:
        blocks.append(_cut_line(cut_caption(part), form))
    else:
        blocks.append(_words(_("Nobody took part in this category."), REGULAR, form))
    if tied:
        blocks += [form.row(row, False) for row in tied]
        blocks += tie_box(part, form.left, form.right, form.tie_size)
    blocks += note_blocks(notes, form.left, form.right, form.note_size)
    blocks += [form.row(row, False) for row in rest]
    for title, group in _below_the_table(rows):
        blocks.append(_words(title, BOLD, form))
        blocks += [form.row(row, False) for row in group]
    return blocks


def _below_the_table(rows: list[StandingRow]) -> list[tuple[str, list[StandingRow]]]:
    """Those who take no place, each kind under a heading of its own; the absent come last."""
    groups: dict[str, list[StandingRow]] = {}
    for row in rows:
        if not is_listed(row):
            groups.setdefault(row.status.value, []).append(row)
    headings = {
        "declined": pgettext("standings", "Declined"),
        "out_of_competition": pgettext("standings", "Out of competition"),
        "disqualified": pgettext("standings", "Disqualified"),
        "absent": pgettext("standings", "Absent"),
    }
    known = list(headings)
    order = sorted(groups, key=lambda value: (known.index(value) if value in known else -1, value))
    return [
        (headings.get(value) or status_text(groups[value][0].status), groups[value])
        for value in order
    ]


def _cut_line(caption: str, form: Layout) -> Block:
    """The heavy line under the last sure place, with its caption hanging below."""
    room = (form.right - form.left) * 0.96 * MM
    words = fit(caption, BOLD, form.words, room, least=min(form.words, 8.0), lines=2)
    size = words.size / MM
    first = form.cut_line + size * 0.9
    height = first + (len(words.lines) - 1) * size * 1.18 + size * 0.55

    def draw(paper: Paper, y: float) -> None:
        paper.fill([(form.left, y, form.right - form.left, form.cut_line)])
        paper.fitted(form.right, y + first, words, BOLD, align="right")

    return Block(max(height, 5.0), draw)


def _words(text: str, font: str, form: Layout) -> Block:
    """A line of its own, before what it announces."""
    scale = form.words / 11.0
    words = fit(text, font, form.words, (form.right - form.left) * MM, least=7, lines=2)
    extra = (len(words.lines) - 1) * words.size * 1.18 / MM

    def draw(paper: Paper, y: float) -> None:
        paper.fitted(form.left, y + 7.5 * scale, words, font)
        line = y + 9.6 * scale + extra
        paper.line(form.left, line, form.right, line, 0.3)

    return Block(10.0 * scale + extra, draw, with_next=True)
