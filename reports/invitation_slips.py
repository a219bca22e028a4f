"""Slips that invite people to the event's web pages, eight to a sheet, to be cut apart.

Not the invitation of players to the next stage, which is `reports.invitations_pdf`. A slip has the code to
be scanned by a phone and the same address in letters, for who has to type it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.blank_marks import draw_pattern, qr
from reports.fitting import fit, wrap
from reports.fonts import BOLD, ITALIC, MM, REGULAR, printable
from reports.paper import LEADING, Paper
from scanner.geometry import Rect

COLUMNS, ROWS = 2, 4
SLIP_WIDTH, SLIP_HEIGHT = 105.0, 297.0 / ROWS
PAD = 7.0
QR_MM = 32.0
# A reader needs four light modules around the code; the paper gives them.
GAP_MM = 5.0
BETWEEN_MM = 0.7


@dataclass(frozen=True, slots=True)
class Slip:
    """One invitation on paper.

    `name` is empty if whoever comes chooses it. `address` is how the link begins,
    `http://192.168.1.5:8300/invited/`, and `code` how it ends.
    """

    role: str
    name: str
    address: str
    code: str

    @property
    def link(self) -> str:
        """What a phone opens."""
        return self.address + self.code


def invitation_slips_pdf(
    title: str, slips: Sequence[Slip], *, valid_until: str, wifi: str = "", renews: bool = False
) -> bytes:
    """Print the slips in the current language; the same slips give the same bytes.

    Args:
        title: The event's.
        slips: One for each invitation.
        valid_until: A moment, as people write it.
        wifi: How to join the network, in the organizer's words; empty leaves the step out.
        renews: The slip is for choosing another PIN, not for a first visit.
    """
    paper = Paper(title=printable(title))
    for index, slip in enumerate(slips):
        column, row = index % COLUMNS, index // COLUMNS % ROWS
        if index and column == row == 0:
            paper.next_page()
        if column == row == 0:
            _cut_lines(paper, min(len(slips) - index, COLUMNS * ROWS))
        _slip(paper, column * SLIP_WIDTH, row * SLIP_HEIGHT, title, slip, valid_until, wifi, renews)
    return paper.finish()


def _slip(
    paper: Paper,
    left: float,
    top: float,
    title: str,
    slip: Slip,
    valid_until: str,
    wifi: str,
    renews: bool,
) -> None:
    x, room = left + PAD, SLIP_WIDTH - 2 * PAD
    beside = room - QR_MM - GAP_MM
    y = paper.fitted(x, top + PAD + 2.2, fit(title, REGULAR, 9, room * MM, least=8), grey=0.3)
    code = Rect(left + SLIP_WIDTH - PAD - QR_MM, y + 3.2, QR_MM, QR_MM)
    draw_pattern(paper, qr(slip.link), code)
    y = paper.fitted(x, code.y + 4.2, fit(slip.role, BOLD, 15, beside * MM, least=11), BOLD)
    if slip.name:
        name = fit(slip.name, REGULAR, 13, beside * MM, least=10)
        paper.fitted(x, y + 6.0, name)
    # From the code's foot upwards: a long address takes a second line above.
    address = fit(slip.address, REGULAR, 10, beside * MM, least=7.5)
    lines = len(address.lines)
    paper.fitted(x, code.bottom - 6.4 - (lines - 1) * address.size * LEADING / MM, address)
    paper.fitted(x, code.bottom - 0.4, fit(slip.code, BOLD, 17, beside * MM, lines=1), BOLD)
    steps = [_("Join the Wi-Fi: {wifi}").format(wifi=wifi)] if wifi else []
    steps.append(_("Scan the code with the phone, or type the address into the browser."))
    if renews:
        steps.append(_("Choose a new PIN."))
    else:
        steps.append(
            _("Choose a PIN.") if slip.name else _("Say what you are called and choose a PIN.")
        )
    foot = top + SLIP_HEIGHT - PAD
    note = _("Works once, until {moment}. Keep it to yourself.").format(moment=valid_until)
    paper.fitted(x, foot, fit(note, ITALIC, 8.5, room * MM, least=6.5, lines=1), ITALIC, grey=0.3)
    _steps(paper, x, code.bottom + 5.5, room, foot - 4.0, steps)


def _steps(
    paper: Paper, x: float, top: float, room: float, bottom: float, steps: Sequence[str]
) -> None:
    """The numbered steps, in the largest size in which all of them stand above `bottom`."""
    indent = 4.2
    for tenths in range(90, 60, -5):
        size = tenths / 10
        step = size * LEADING / MM
        # At the least size a long text ends as an ellipsis.
        most = 3 if tenths > 65 else 2
        broken = [
            wrap(printable(text), REGULAR, size, (room - indent) * MM, most) for text in steps
        ]
        if top + (sum(map(len, broken)) - 1) * step + (len(steps) - 1) * BETWEEN_MM <= bottom:
            break
    y = top
    for number, lines in enumerate(broken, start=1):
        paper.text(x, y, pgettext("step", "{n}.").format(n=number), size)
        for line in lines:
            paper.text(x + indent, y, line, size)
            y += step
        y += BETWEEN_MM


def _cut_lines(paper: Paper, slips: int) -> None:
    rows = -(-slips // COLUMNS)
    bottom = rows * SLIP_HEIGHT
    paper.line(SLIP_WIDTH, 0, SLIP_WIDTH, bottom, 0.15, grey=0.55, dash=(1.5, 1.5))
    for row in range(1, rows + (rows < ROWS)):
        paper.line(0, row * SLIP_HEIGHT, 210, row * SLIP_HEIGHT, 0.15, grey=0.55, dash=(1.5, 1.5))
