"""Templates → HTML. Everything put into one is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from otbor import i18n
from service import wording
from service.accounts import Right
from service.role_names import role_name
from service.web import menu

TEMPLATES = Path(__file__).with_name("templates")


@cache
def environment() -> Environment:
    """The templates, with what they may call."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        _=i18n.gettext,
        ngettext=i18n.ngettext,
        pgettext=i18n.pgettext,
        language=i18n.language,
        Right=Right,
        menu=menu.rows,
        role_name=role_name,
        wording=wording,
    )
    made.filters["number"] = number
    return made


def number(value: int) -> str:
    """A count as people of the current language write it, with a true minus sign."""
    return str(format_decimal(value, locale=i18n.language())).replace("-", "\u2212")


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A whole page.

    Args:
        request: What it answers; who is signed in is taken from it.
        template: File name in `templates`.
        status: HTTP status.
        headers: Further headers.
        values: What the template is about.
    """
    html = (
        environment()
        .get_template(template)
        .render(
            request=request,
            account=getattr(request.state, "account", None),
            event=request.app.state.event,
            other_language=_in_other_language(request),
            **values,
        )
    )
    return HTMLResponse(html, status, headers)


def _in_other_language(request: Request) -> str:
    """The address of the same page in the other language."""
    asked = {**request.query_params, "lang": "en" if i18n.language() == "ru" else "ru"}
    return f"{request.url.path}?{urlencode(asked)}"
