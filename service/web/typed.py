"""The fields of a form that a page was sent, for endpoints that run in a thread."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.datastructures import FormData
from starlette.requests import Request

# A shoot-out of hundreds has two fields a player.
MOST_FIELDS = 5000


async def form_of(request: Request) -> FormData:
    """The fields."""
    return await request.form(max_fields=MOST_FIELDS)


Form = Annotated[FormData, Depends(form_of)]
