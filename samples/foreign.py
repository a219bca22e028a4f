"""A page that got into the pile by mistake: a printed notice that is no blank of ours."""

from __future__ import annotations

from reports.fonts import BOLD
from reports.paper import Paper

_TITLE = "Расписание дня"
_LINES = (
    "9:30 — сбор участников, выдача бланков и номеров",
    "10:00 — письменный отбор, восемь тем без перерыва",
    "11:15 — чай и пироги в столовой на первом этаже",
    "12:00 — результаты на стенде у гардероба и на сайте клуба",
    "12:20 — апелляции принимает старший член жюри, кабинет 14",
    "12:45 — жеребьёвка основного этапа",
    "13:00 — первые бои; игроков просят не опаздывать",
    "",
    "Просим отключить телефоны, убрать учебники и написать номер",
    "игрока на каждом листе черновика. Ручки есть у дежурных.",
)


def notice_pdf() -> bytes:
    """The notice, one A4 page."""
    paper = Paper(title=_TITLE)
    paper.text(105, 42, _TITLE, 26, BOLD, align="center")
    for index, line in enumerate(_LINES):
        paper.text(24, 64 + 10.5 * index, line, 13)
    paper.line(24, 180, 186, 180, 0.4)
    paper.text(24, 190, "Клуб знатоков «Совиное перо»", 11)
    return paper.finish()
