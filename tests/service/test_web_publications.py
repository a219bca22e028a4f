"""Guards against results that are posted too early, under another's name, or otherwise than was looked at."""

from __future__ import annotations

import html
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pypdfium2 as pdfium
import pytest
from starlette.testclient import TestClient
from tied_event import tied_copy, token, words
from web_event import client, rule

from reports.fingerprint import Match, verify
from reports.shown_names import Names
from scoring.model import Verdict
from service import decisions, publications, results
from service.accounts import Role
from service.cli import app
from service.decisions import Decision
from service.event import Event
from service.reporting import write_reports


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with tied_copy(tmp_path) as made:
        yield made


@pytest.fixture
def browser(event: Event) -> TestClient:
    return client(event, Role.ORGANIZER)


def _publish(browser: TestClient, **fields: str) -> None:
    data = {"seen": token(browser.get("/publications").text), "tied": "1", **fields}
    answer = browser.post("/publications", data=data)
    assert answer.status_code == 303, words(answer.text)


def _text(pdf: bytes) -> str:
    document = pdfium.PdfDocument(pdf)
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text


def test_an_undecided_tie_is_posted_only_with_a_tick(event: Event, browser: TestClient) -> None:
    page = browser.get("/publications")
    assert "a tie across the line is undecided" in words(page.text)
    answer = browser.post("/publications", data={"seen": token(page.text)})
    assert answer.status_code == 409
    assert publications.publications(event) == []
    _publish(browser)
    assert len(publications.publications(event)) == 1


def test_unconfirmed_answers_are_posted_only_with_a_tick(event: Event, browser: TestClient) -> None:
    rule(event, "jury", ("5", "t1r1", Verdict.RIGHT))
    page = browser.get("/publications")
    assert "39 answers are not confirmed" in words(page.text)
    data = {"seen": token(page.text), "tied": "1"}
    assert browser.post("/publications", data=data).status_code == 409
    assert publications.publications(event) == []
    _publish(browser, provisional="1")
    [made] = publications.publications(event)
    assert made.standings.unconfirmed == 39


def test_what_changed_since_the_page_was_opened_is_not_posted(
    event: Event, browser: TestClient
) -> None:
    seen = token(browser.get("/publications").text)
    rule(event, "jury", ("3", "t1r5", Verdict.RIGHT))
    answer = browser.post("/publications", data={"seen": seen, "tied": "1"})
    assert answer.status_code == 409
    assert "nothing was published" in words(answer.text)
    assert browser.post("/publications", data={"tied": "1"}).status_code == 409
    assert publications.publications(event) == []
    data = {"seen": token(answer.text), "tied": "1"}
    assert browser.post("/publications", data=data).status_code == 303


def test_the_draft_says_what_is_different_and_a_second_click_posts_nothing(
    event: Event, browser: TestClient
) -> None:
    _publish(browser)
    page = browser.get("/publications")
    assert "Nothing is different" in words(page.text)
    data = {"seen": token(page.text), "tied": "1"}
    assert browser.post("/publications", data=data).status_code == 409
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    page = words(browser.get("/publications").text)
    assert "Different from publication 1" in page
    assert "1 player goes on now" in page
    _publish(browser)
    assert [one.number for one in publications.publications(event)] == [1, 2]


def test_every_file_of_an_older_publication_shows_what_was_posted_then(
    event: Event, browser: TestClient
) -> None:
    _publish(browser)
    first = results.event_standings(event)
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    _publish(browser)
    for name in ("standings.pdf", "standings-landscape.pdf", "standings-columns.pdf"):
        pdf = browser.get(f"/publications/1/{name}")
        assert pdf.headers["content-type"] == "application/pdf"
        assert verify(pdf.content, first).match is Match.SAME
        assert pdf.content == browser.get(f"/publications/1/{name}").content
    second = browser.get("/publications/2/standings.pdf").content
    assert verify(second, results.event_standings(event)).match is Match.SAME
    book = openpyxl.load_workbook(io.BytesIO(browser.get("/publications/1/standings.xlsx").content))
    assert book["младшие"]["F2"].value == 30
    assert "30" in browser.get("/publications/1/standings.csv").text
    site = browser.get("/publications/2/site.zip")
    files = zipfile.ZipFile(io.BytesIO(site.content)).namelist()
    assert "index.html" in files
    assert not any(name.startswith("p/") for name in files)
    assert site.content == browser.get("/publications/2/site.zip").content
    for path in ("3/standings.pdf", "1/standings.exe", "1/site-players.zip", "1/..%2Fotbor.db"):
        assert browser.get(f"/publications/{path}").status_code == 404, path


def test_the_players_own_pages_are_packed_only_while_the_publication_holds(
    event: Event, browser: TestClient
) -> None:
    _publish(browser)
    packed = browser.get("/publications/1/site-players.zip")
    files = zipfile.ZipFile(io.BytesIO(packed.content)).namelist()
    assert sum(name.startswith("p/") for name in files) == 5  # four players and the index
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    assert "site-players.zip" not in browser.get("/publications").text
    assert browser.get("/publications/1/site-players.zip").status_code == 404


@pytest.mark.parametrize(
    ("names", "there", "hidden"),
    [
        ("full", "Петров-Водкин Кузьма", "Петров-Водкин К."),
        ("initials", "Петров-Водкин К.", "Кузьма"),
        ("number", "№ 2", "Водкин"),
    ],
)
def test_children_are_called_as_the_organizer_chose_in_everything_posted(
    event: Event, browser: TestClient, names: str, there: str, hidden: str
) -> None:
    _publish(browser, names=names)
    seen = results.event_standings(event)
    for name in ("standings.pdf", "standings-large.pdf", "standings-columns.pdf"):
        pdf = browser.get(f"/publications/1/{name}").content
        text = " ".join(_text(pdf).replace("\xad", "").split())
        assert there in text, name
        assert hidden not in text, name
        assert verify(pdf, seen).match is Match.SAME
    table = browser.get("/publications/1/standings.csv").content.decode("utf-8-sig")
    table = table.replace("\xa0", " ")
    assert there in table
    assert hidden not in table
    assert ("школа № 1" in table) is (names != "number")
    book = openpyxl.load_workbook(io.BytesIO(browser.get("/publications/1/standings.xlsx").content))
    cells = [str(cell.value).replace("\xa0", " ") for row in book["младшие"].rows for cell in row]
    assert there in cells
    assert not any(hidden in cell for cell in cells)
    page = zipfile.ZipFile(io.BytesIO(browser.get("/publications/1/site.zip").content))
    index = page.read("index.html").decode().replace("\xa0", " ")
    assert there in index
    assert hidden not in index


def test_reports_written_later_call_the_players_as_the_publication_does(
    event: Event, tmp_path: Path
) -> None:
    publications.publish(event, who="organizer", names=Names.NUMBER)
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    publications.publish(event, who="organizer", names=Names.NUMBER)
    write_reports(event, tmp_path / "out")
    posted = _text((tmp_path / "out" / "standings.pdf").read_bytes())
    assert "Водкин" not in posted  # on the page of changes neither
    assert "Водкин" not in _text((tmp_path / "out" / "protocol.pdf").read_bytes())
    full = ["report", str(event.folder), "--out", str(tmp_path / "full")]
    assert app.run([*full, "--jury"]) == 0
    assert "Водкин" in _text((tmp_path / "full" / "protocol-jury.pdf").read_bytes())
    assert app.run([*full, "--names", "full"]) == 0
    assert "Водкин" in _text((tmp_path / "full" / "standings.pdf").read_bytes())


def test_numbers_instead_of_names_come_in_the_order_of_numbers(event: Event) -> None:
    from reports.csv_file import standings_csv

    table = standings_csv(results.event_standings(event), names=Names.NUMBER).decode("utf-8-sig")
    lines = [line.split(";")[1:4] for line in table.splitlines()[1:3]]
    assert [line[2] for line in lines] == ["№ 1", "№ 2"]


def test_names_alone_may_be_changed_by_publishing_again(event: Event, browser: TestClient) -> None:
    _publish(browser, names="full")
    _publish(browser, names="initials")
    assert [one.names for one in publications.publications(event)] == [Names.FULL, Names.INITIALS]
    assert (
        browser.post(
            "/publications", data={"seen": token(browser.get("/publications").text), "names": "<b>"}
        ).status_code
        == 422
    )


def test_withdrawing_needs_a_reason_and_keeps_the_publication(
    event: Event, browser: TestClient
) -> None:
    _publish(browser)
    assert browser.post("/publications/1/withdraw", data={"why": " "}).status_code == 422
    why = "<i>рано</i>"
    assert browser.post("/publications/1/withdraw", data={"why": why}).status_code == 303
    page = browser.get("/publications").text
    assert "withdrawn" in words(page)
    assert why not in page
    assert html.escape(why) in page
    assert browser.post("/publications/1/withdraw", data={"why": "x"}).status_code == 409
    assert browser.post("/publications/9/withdraw", data={"why": "x"}).status_code == 404
    assert browser.get("/publications/1/standings.pdf").status_code == 200


def test_an_uploaded_pdf_is_told_from_an_edited_and_a_strange_one(browser: TestClient) -> None:
    _publish(browser)
    pdf = browser.get("/publications/1/standings.pdf").content

    def check(data: bytes) -> str:
        files = {"file": ("<b>.pdf", data, "application/pdf")}
        page = browser.post("/publications/verify", files=files).text
        assert "<b>.pdf" not in page
        return words(page)

    assert "This is publication 1, as it was printed." in check(pdf)
    edited = pdf.replace(b"/Creator", b"/Creatox", 1)
    assert "the file was changed after printing" in check(edited)
    assert "This file is no PDF." in check(b"%PDF-1.4 nothing")
    assert browser.post("/publications/verify", data={}).status_code == 422


def test_an_older_paper_on_the_wall_is_called_out_of_date(
    event: Event, browser: TestClient
) -> None:
    """It passed for «publication 1, as it was printed», which is true and misleads who reads it."""
    _publish(browser)
    pdf = browser.get("/publications/1/standings.pdf").content
    assert "no longer" not in publications.verdict_text(publications.check_pdf(event, pdf))
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    _publish(browser)
    checked = publications.check_pdf(event, pdf)
    assert checked.later == 2
    said = "It holds no longer: publication 2 has taken its place."
    assert said in publications.verdict_text(checked)
    files = {"file": ("old.pdf", pdf, "application/pdf")}
    assert said in words(browser.post("/publications/verify", files=files).text)
    publications.withdraw(event, 2, who="organizer", why="too early")
    assert publications.check_pdf(event, pdf).later == 0


@pytest.mark.parametrize("role", [Role.CHIEF, Role.JUROR, Role.DESK, Role.SPECTATOR])
def test_only_the_organizer_publishes(event: Event, role: Role) -> None:
    publications.publish(event, who="organizer")
    asking = client(event, role)
    for path in ("/publications", "/publications/1/standings.pdf", "/publications/1/site.zip"):
        assert asking.get(path).status_code == 403, path
    for path in ("/publications", "/publications/1/withdraw", "/publications/verify"):
        assert asking.post(path, data={"why": "x", "seen": "y"}).status_code == 403, path
    [made] = publications.publications(event)
    assert not made.withdrawn
