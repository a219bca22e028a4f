"""Guards against other sites and curious people: forged requests, foreign scripts, others' pages."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute
from small_event import key_text
from starlette.testclient import TestClient
from web_event import client, look

from service import rulings
from service.accounts import Role
from service.event import Event
from service.web import app as web_app
from service.web.app import create_app
from service.web.render import TEMPLATES
from service.web.views import own_address

STATIC = web_app.STATIC
OTHERS = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://testserver"},
    {"origin": "http://evil.example"},
    {"origin": "http://testserver:81"},
    {"origin": "null"},
    {"origin": ""},
]
OURS = [
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"origin": "http://testserver"},
    {},
]


def _body(browser: TestClient) -> dict[str, object]:
    wall = look(browser)
    return {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}


@pytest.mark.parametrize("headers", OTHERS)
def test_a_request_that_another_site_forged_changes_nothing(
    event: Event, headers: dict[str, str]
) -> None:
    browser = client(event)
    answer = browser.post("/api/wall/1/10/confirm", json=_body(browser), headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"] == "forged_request"
    assert rulings.current(event) == {}
    assert browser.post("/sign-out", headers=headers).status_code == 403
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_are_let_through(event: Event, headers: dict[str, str]) -> None:
    browser = client(event)
    answer = browser.post("/api/wall/1/10/confirm", json=_body(browser), headers=headers)
    assert answer.status_code == 200
    assert len(rulings.current(event)) == 5


@pytest.mark.parametrize(
    "path", ["/", "/wall/1/10", "/sign-in", "/nowhere", "/api/nowhere", "/static/base.css"]
)
def test_every_answer_forbids_foreign_parts(event: Event, path: str) -> None:
    answer = client(event).get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


def test_pages_with_names_are_not_stored(event: Event) -> None:
    browser = client(event, Role.ORGANIZER)
    for path in ("/", "/standings", "/pages", "/api/progress", "/standings/standings.pdf"):
        assert browser.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_cookie_is_for_the_server_alone(event: Event, scheme: str) -> None:
    browser = client(event, None, base_url=f"{scheme}://testserver")
    answer = browser.post("/sign-in", data={"name": "juror", "pin": "271828"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert ("secure" in cookie) is (scheme == "https")


def test_without_a_session_nothing_but_the_form_is_shown(event: Event) -> None:
    browser = client(event, None)
    routes = [
        route.path
        for router in _routers()
        for route in router.routes
        if isinstance(route, APIRoute) and "GET" in route.methods
    ]
    assert len(routes) > 10
    for path in routes:
        address = re.sub(r"\{\w+\}", "1", path)
        if address == "/sign-in":
            continue
        answer = browser.get(address + "?page=1")
        if address.startswith("/api/"):
            assert answer.status_code == 401, address
            assert answer.json()["error"] == "not_signed_in"
        else:
            assert answer.status_code == 303, address
            assert answer.headers["location"].startswith("/sign-in?next=")


def _routers() -> list[object]:
    from service.web import api, pages, pictures, results, views

    return [api.router, pages.router, pictures.router, results.router, views.router]


@pytest.mark.parametrize(
    "path",
    ["/standings", "/standings/standings.pdf", "/standings/standings.csv", "/pages", "/api/page/1"],
)
def test_a_juror_sees_no_names(event: Event, path: str) -> None:
    answer = client(event, Role.JUROR).get(path)
    assert answer.status_code == 403
    assert "Водкин" not in answer.text
    assert client(event, Role.ORGANIZER).get(path).status_code == 200


@pytest.mark.parametrize("role", [Role.DESK, Role.SPECTATOR])
def test_who_does_not_judge_cannot_rule(event: Event, role: Role) -> None:
    body = _body(client(event, Role.JUROR))
    browser = client(event, role)
    assert browser.get("/").status_code == 200
    for path in ("/wall/1/10", "/api/wall/1/10", "/api/crop/1/t1r1"):
        assert browser.get(path).status_code == 403
    assert browser.post("/api/wall/1/10/confirm", json=body).status_code == 403
    assert browser.post("/api/undo", json={}).status_code == 403
    assert rulings.current(event) == {}


def test_html_in_titles_and_answers_stays_text(event: Event, tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    text = key_text().replace("Тема 1", evil).replace("Вопрос 1-10", evil)
    key = tmp_path / "evil.toml"
    key.write_text(text.replace('"ответ 110"', f'"{evil}"'), encoding="utf-8")
    event.update(key=key)
    browser = client(event, Role.ORGANIZER)
    for path in ("/", "/wall/1/10", "/standings", f"/sign-in?next={quote('/' + evil)}"):
        html = browser.get(path).text
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert "&lt;script&gt;alert" in browser.get("/wall/1/10").text
    refused = client(event, None).post("/sign-in", data={"name": evil, "pin": "0"})
    assert "<script>alert" not in refused.text


@pytest.mark.parametrize(
    "address",
    ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:x", "", "/\n/evil"],
)
def test_signing_in_never_leads_elsewhere(event: Event, address: str) -> None:
    assert own_address(address) == "/"
    answer = client(event, None).post(
        "/sign-in", data={"name": "juror", "pin": "271828", "next": address}
    )
    assert answer.headers["location"] == "/"


def test_a_fault_of_ours_is_told_politely(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = client(event, raise_server_exceptions=True)

    def broken(_event: Event) -> dict[str, object]:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("service.web.work.summary", broken)
    answer = browser.get("/api/progress", headers={"accept-language": "ru"})
    assert answer.status_code == 500
    assert set(answer.json()) == {"error", "message", "hint"}
    assert "сломалось" in answer.json()["message"]
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/wall/9/10", 404),
        ("GET", "/api/wall/x/10", 422),
        ("GET", "/api/crop/77/t1r1", 404),
        ("GET", "/api/around/1/t9r9?page=1", 404),
        ("GET", "/api/around/nobody/t1r1?page=1", 404),
        ("GET", "/api/page/999", 404),
        ("GET", "/api/nowhere", 404),
        ("DELETE", "/api/progress", 405),
        ("POST", "/api/wall/1/10/confirm", 422),
    ],
)
def test_every_error_of_the_api_has_one_shape(
    event: Event, method: str, path: str, status: int
) -> None:
    answer = client(event, Role.ORGANIZER).request(method, path)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "message", "hint"}
    assert all(answer.json().values())


def test_no_part_of_a_page_comes_from_elsewhere() -> None:
    """No script or style inside a page either: the policy would refuse it."""
    files = [*TEMPLATES.rglob("*.html"), *STATIC.rglob("*.js"), *STATIC.rglob("*.css")]
    assert len(files) > 15
    for file in files:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|url\(\s*[\"']?//", text), file
        assert not re.search(r"\son\w+=|\sstyle=|javascript:", text) or file.suffix != ".html", file
        inline = re.findall(r"<script(?![^>]*src=)[^>]*>", text)
        assert all('type="application/json"' in tag for tag in inline), file


def test_the_description_of_the_api_is_there_without_foreign_pages(event: Event) -> None:
    browser = client(event)
    paths = browser.get("/api/openapi.json").json()["paths"]
    assert "/api/wall/{theme}/{nominal}/confirm" in paths
    assert browser.get("/docs").status_code == 404
    assert browser.get("/redoc").status_code == 404


def test_scripts_have_a_type_that_browsers_run(event: Event) -> None:
    browser = TestClient(create_app(event))
    assert browser.get("/static/wall/main.js").headers["content-type"].startswith("text/javascript")
    assert browser.get("/static/fonts/PT_Sans-Web-Bold.ttf").status_code == 200
