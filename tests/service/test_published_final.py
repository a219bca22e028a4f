"""Guards the final in publications: a posted protocol has one number, and is checked like the standings."""

from __future__ import annotations

from pathlib import Path

import pytest
from final_event import YOUNG
from web_event import client

from otbor.errors import ConflictError
from reports.shown_names import Names
from service import finals, publications, published_final, results
from service.accounts import Role
from service.cli import app
from service.event import Event


@pytest.fixture
def event(scanned_final: Event) -> Event:
    return scanned_final


def test_the_posted_protocol_of_the_final_calls_players_as_the_publication_does(
    event: Event,
) -> None:
    """Its full names were there whatever was set; they are still, for the jury's own file."""
    chief = client(event, Role.CHIEF)
    params = {"category": YOUNG}
    assert "Ёжиков" in chief.get("/final/final.csv", params=params).text
    assert "full=1" not in chief.get("/final", params=params).text
    publications.publish(event, who="chief", provisional=True, names=Names.NUMBER)
    posted = chief.get("/final/final.csv", params=params).text
    assert "Ёжиков" not in posted and "№ 1" in posted
    assert "Ёжиков" in chief.get("/final/final.csv", params=params | {"full": "1"}).text
    assert "full=1" in chief.get("/final", params=params).text


def test_the_final_goes_out_with_a_number_and_a_posted_protocol_is_checked(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was a protocol of its own: nobody could tell a posted one from an edited or an older one."""
    chief = client(event, Role.ORGANIZER)

    def paper(number: int) -> bytes:
        answer = chief.get(f"/publications/{number}/final.pdf")
        return answer.content if answer.status_code == 200 else b""

    def checked(data: bytes) -> str:
        file = tmp_path / "posted.pdf"
        file.write_bytes(data)
        app.run(["verify", str(event.folder), str(file)])
        return capsys.readouterr().out

    monkeypatch.setenv("OTBOR_LANG", "en")
    first = publications.publish(event, who="chief", provisional=True)[0]
    assert first.final is None and paper(1) == b""
    stakes = tmp_path / "stakes.csv"
    stakes.write_text("number;stake;verdict\n1;20;right\n2;30;wrong\n", encoding="utf-8")
    finals.enter(event, stakes, "jury")
    # The standings are the same; the final is new.
    second = publications.publish(event, who="chief", provisional=True, names=Names.NUMBER)[0]
    assert second.fingerprint == first.fingerprint and second.final is not None
    posted = paper(2)
    assert "publication 2" in checked(posted)
    assert "№ 1" in chief.get("/publications/2/final.csv").text
    assert "Ёжиков" not in chief.get("/publications/2/final.csv").text
    with pytest.raises(ConflictError, match="Nothing has changed"):
        publications.publish(event, who="chief", provisional=True, names=Names.NUMBER)
    # One category printed by itself, and a file that was changed after printing.
    single = chief.get("/final/final.pdf", params={"category": YOUNG}).content
    assert "publication 2" in checked(single)
    at = posted.index(b"/Creator")
    assert "changed after printing" in checked(posted[:at] + b"/Creatur" + posted[at + 8 :])
    # Another verdict: the old paper is still publication 2, and publication 3 is another one.
    stakes.write_text("number;stake;verdict\n1;20;wrong\n", encoding="utf-8")
    finals.enter(event, stakes, "jury")
    assert paper(2) == posted
    assert "publication 2" in checked(posted)
    publications.publish(event, who="chief", provisional=True, names=Names.NUMBER)
    assert paper(3) not in (b"", posted)
    assert "final.pdf" in chief.get("/publications").text


def test_a_final_that_is_open_is_only_published_provisionally(event: Event, tmp_path: Path) -> None:
    stakes = tmp_path / "stakes.csv"
    stakes.write_text("number;stake;verdict\n1;20;\n", encoding="utf-8")
    finals.enter(event, stakes, "jury")
    standings = results.event_standings(event)
    assert published_final.current(event, standings) is None
    found = published_final.current(event, standings, provisional=True)
    assert found is not None
    assert published_final.from_json(published_final.to_json(found)) == found
