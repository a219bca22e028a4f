"""Guards against an address that is open to the wrong people, a new one above all.

`TABLE` says for every address of the application who may use it. A new address without a line fails the
test, which then says what to add; that is the moment to think about who may use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from starlette.routing import Mount
from web_event import client

from service.accounts import Role
from service.event import Event
from service.web.app import create_app

# O organizer, C chief, J juror, D desk, S spectator; * everybody, without signing in too.
LETTERS = {
    Role.ORGANIZER: "O",
    Role.CHIEF: "C",
    Role.JUROR: "J",
    Role.DESK: "D",
    Role.SPECTATOR: "S",
    None: "*",
}
TABLE = {
    # Without an account: signing in, invitations, and players by their own code.
    "GET /sign-in": "*",
    "POST /sign-in": "*",
    "POST /sign-out": "*",
    "GET /invited/{code}": "*",
    "POST /invited/{code}": "*",
    "GET /p": "*",
    "POST /p": "*",
    "GET /p/{code}": "*",
    "GET /p/{code}/crop/{box}": "*",
    "GET /p/{code}/appeal/{theme}/{nominal}": "*",
    "POST /p/{code}/appeal/{theme}/{nominal}": "*",
    "POST /p/{code}/withdraw/{appeal_id}": "*",
    "GET /api/openapi.json": "*",
    "MOUNT /static": "*",
    "MOUNT /static/fonts": "*",
    # Whoever is signed in: how far the work is, without names.
    "GET /": "OCJDS",
    "GET /api/progress": "OCJDS",
    "GET /api/events": "OCJDS",
    "GET /api/waiting": "OCJDS",
    "GET /hall": "OCJDS",
    # Judging.
    "GET /wall/{theme}/{nominal}": "OCJ",
    "GET /api/wall/{theme}/{nominal}": "OCJ",
    "POST /api/wall/{theme}/{nominal}/confirm": "OCJ",
    "POST /api/wall/{theme}/{nominal}/seen": "OCJ",
    "POST /api/wall/{theme}/{nominal}/claim": "OCJ",
    "POST /api/wall/{theme}/{nominal}/release": "OCJ",
    "POST /api/undo": "OCJ",
    "GET /api/crop/{sheet}/{box}": "OCJ",
    "GET /api/around/{sheet}/{box}": "OCJ",
    "GET /final": "OCJ",
    "GET /api/final": "OCJ",
    "GET /api/final/check": "OCJ",
    "POST /api/final/seen": "OCJ",
    "POST /api/final/stakes": "OCJ",
    "POST /api/final/undo": "OCJ",
    # The chief's: disputes, the key, double reading, the final's results, decisions.
    "POST /api/final/ruled": "OC",
    "POST /api/final/nothing": "OC",
    "GET /final/{name}": "OC",
    "GET /disputes": "OC",
    "GET /api/disputes": "OC",
    "GET /api/disputes/places": "OC",
    "GET /api/disputes/{theme}/{nominal}": "OC",
    "POST /api/disputes/{theme}/{nominal}/rule": "OC",
    "POST /api/disputes/undo": "OC",
    "POST /api/key/{theme}/{nominal}/effect": "OC",
    "POST /api/key/{theme}/{nominal}/forms": "OC",
    "POST /api/key/forms/{entry_id}/take-back": "OC",
    "GET /double": "OC",
    "GET /api/double": "OC",
    "POST /double": "O",
    "GET /decisions": "OC",
    "GET /decisions/new/{kind}": "OC",
    "POST /decisions/new/{kind}": "OC",
    "GET /decisions/{entry_id}/back": "OC",
    "POST /decisions/{entry_id}/back": "OC",
    "GET /decisions/ties": "OC",
    "GET /decisions/ties.pdf": "OC",
    "GET /api/players": "OC",
    "GET /effect": "OC",
    "POST /effect/sheets": "O",
    "GET /standings": "OC",
    "GET /standings/{name}": "OC",
    # Publishing.
    "GET /publications": "O",
    "GET /publications/{number}/{name}": "O",
    "POST /publications": "O",
    "POST /publications/verify": "O",
    "POST /publications/{number}/withdraw": "O",
    # Appeals: the desk files them, the chief decides.
    "GET /appeals": "OCD",
    "GET /appeals/new": "OCD",
    "POST /appeals/new": "OCD",
    "POST /appeals/{appeal_id}/withdraw": "OCD",
    "POST /appeals/deadline": "OC",
    "GET /appeals/{appeal_id}": "OC",
    "POST /appeals/{appeal_id}/decide": "OC",
    "POST /appeals/{appeal_id}/reopen": "OC",
    # Whole pages, with names.
    "GET /pages": "OD",
    "GET /api/page/{page_id}": "OD",
    "GET /desk": "OD",
    "GET /api/desk": "OD",
    "GET /api/desk/players": "OD",
    "GET /api/desk/page/{page_id}": "OD",
    "GET /api/desk/page/{page_id}/picture": "OD",
    "GET /api/desk/page/{page_id}/crop/{box}": "OD",
    "POST /api/desk/page/{page_id}/name": "OD",
    "POST /api/desk/page/{page_id}/owner": "OD",
    "POST /api/desk/page/{page_id}/place": "OD",
    "POST /api/desk/page/{page_id}/choose": "OD",
    "POST /api/desk/page/{page_id}/aside": "OD",
    "POST /api/desk/files": "OD",
    "POST /api/desk/undo": "OD",
    # People.
    "GET /people": "O",
    "GET /people/list": "O",
    "POST /people/add": "O",
    "POST /people/invite": "O",
    "POST /people/slips": "O",
    "POST /people/invitations/{invitation_id}/withdraw": "O",
    "GET /people/{account_id}": "O",
    "POST /people/{account_id}/role": "O",
    "POST /people/{account_id}/pin": "O",
    "POST /people/{account_id}/link": "O",
    "POST /people/{account_id}/lock": "O",
    "POST /people/{account_id}/unlock": "O",
    "POST /people/{account_id}/end": "O",
    "POST /people/{account_id}/keep": "O",
    "POST /people/{account_id}/let": "O",
    "POST /people/{account_id}/take-back": "O",
}
# Answers without end: whoever may listen is not asked here (see the tests of `Live`).
ENDLESS = {"GET /api/events"}
# Ends the session with which the others are asked.
LAST = "POST /sign-out"
NOBODYS_ID = "999999"
REAL = {
    "name": "standings.pdf",
    "theme": "1",
    "nominal": "10",
    "sheet": "1",
    "box": "t1r1",
    "page_id": "1",
}


def _flat(routes: Iterable[Any]) -> Iterator[Any]:
    """Routes of the application and of the routers in it."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is None:
            yield route
        else:
            yield from _flat(inner.routes)


def _filled(path: str, values: dict[str, str]) -> str:
    """A path with something in the place of its parameters."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], NOBODYS_ID), path)


def addresses(event: Event) -> set[str]:
    """Every address of the application, as `TABLE` writes it."""
    found = set()
    for route in _flat(create_app(event).routes):
        methods = ["MOUNT"] if isinstance(route, Mount) else sorted(route.methods - {"HEAD"})
        found |= {f"{method} {route.path}" for method in methods}
    return found


def test_every_address_has_its_line(event: Event) -> None:
    there = addresses(event)
    assert len(there) > 60
    new = sorted(there - set(TABLE))
    assert not new, (
        "Addresses without a line in TABLE of tests/service/test_web_rights.py. Decide who may use each, "
        'and add: "' + '": "…",  "'.join(new) + '": "…",'
    )
    gone = sorted(set(TABLE) - there)
    assert not gone, (
        f"TABLE of tests/service/test_web_rights.py names what is no longer there: {gone}"
    )


@pytest.mark.parametrize("role", [*Role, None])
def test_every_address_is_open_to_just_those_who_may_use_it(
    event: Event, role: Role | None
) -> None:
    """Asked without a body and for things that do not exist: rights come before everything else."""
    browser = client(event, role, raise_server_exceptions=False)
    wrong = []
    for line, allowed in sorted(TABLE.items(), key=lambda item: item[0] == LAST):
        method, path = line.split(" ")
        may = "*" in allowed or LETTERS[role] in allowed
        if method == "MOUNT" or (line in ENDLESS and may):
            continue
        reply = browser.request(method, _filled(path, {}))
        to_sign_in = reply.headers.get("location", "").startswith("/sign-in?")
        refused = reply.status_code in (401, 403) or to_sign_in
        if line in ("POST /sign-in",):
            refused = reply.status_code == 403  # 401 says that the name is unknown
        if reply.status_code >= 500:
            wrong.append(f"{line}: {reply.status_code}")
        elif may is refused:
            wrong.append(f"{line}: {reply.status_code} for {role}")
        elif not may and role is not None and reply.status_code != 403:
            wrong.append(f"{line}: {reply.status_code} instead of 403 for {role}")
    assert not wrong, "\n".join(wrong)


def test_a_change_by_another_site_is_refused_everywhere(event: Event) -> None:
    browser = client(event, Role.ORGANIZER, raise_server_exceptions=False)
    wrong = []
    for line in TABLE:
        method, path = line.split(" ")
        if method in ("GET", "MOUNT"):
            continue
        reply = browser.request(
            method,
            _filled(path, REAL),
            headers={"sec-fetch-site": "cross-site"},
        )
        if reply.status_code != 403 or "another site" not in reply.text:
            wrong.append(f"{line}: {reply.status_code}")
    assert not wrong, "\n".join(wrong)
    assert browser.get("/").status_code == 200


def test_every_answer_keeps_foreign_parts_out_and_children_out_of_caches(event: Event) -> None:
    """Refusals, downloads and errors too."""
    wrong = []
    for role in (Role.ORGANIZER, None):
        browser = client(event, role, raise_server_exceptions=False)
        for line in TABLE:
            method, path = line.split(" ")
            if method == "MOUNT" or line in ENDLESS or line == LAST:
                continue
            headers = browser.request(method, _filled(path, REAL)).headers
            policy = headers.get("content-security-policy", "")
            if "default-src 'self'" not in policy or "unsafe" in policy:
                wrong.append(f"{line}: policy {policy}")
            if headers.get("x-content-type-options") != "nosniff":
                wrong.append(f"{line}: type may be guessed")
            caching = headers.get("cache-control", "")
            if "no-store" not in caching and "private" not in caching:
                wrong.append(f"{line}: {caching}")
            if any(name.startswith("access-control") for name in headers):
                wrong.append(f"{line}: opened to other sites")
    assert not wrong, "\n".join(wrong)


def test_whatever_a_juror_may_open_has_no_name_of_a_player(event: Event) -> None:
    names = [player.name for player in event.players()]
    browser = client(event, Role.JUROR)
    wrong, asked = [], 0
    for line, allowed in TABLE.items():
        method, path = line.split(" ")
        if method != "GET" or line in ENDLESS or not set("J*") & set(allowed):
            continue
        address = _filled(path, REAL)
        for query in ("", "?category=младшие", "?page=1", "?category=младшие&number=1&text=5"):
            text = browser.get(address + query).text
            asked += 1
            wrong += [f"{address}{query}: {name}" for name in names if name in text]
    assert asked > 40
    assert not wrong, "\n".join(wrong)
