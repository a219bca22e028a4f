"""Guards against a power cut between a vote and what two votes come to: both are there, or neither."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from sqlalchemy import func, select
from web_event import filled_event

from jury.double import Scope, State
from service import double, double_readings
from service.event import Event
from service.store.tables import blind_ruling

BEFORE_THE_KILL = 15
# Reads every question by two people in turn and says which confirmation was acknowledged.
READING = """
import sys
from pathlib import Path
from jury.boxes import BoxVerdict
from scoring.model import Verdict
from service import double
from service.event import Event
with Event(Path(sys.argv[1])) as event:
    for number in range(40):
        box = f"t{number % 8 + 1}r{number // 8 % 5 + 1}"
        for who in ("anna", "boris"):
            verdict = list(Verdict)[(number + (who == "anna" and number % 3 == 0)) % 3]
            given = [BoxVerdict(str(sheet), box, verdict) for sheet in range(1, 6)]
            print(double.enter(event, given, who, origin=box)[0], flush=True)
"""


def test_a_kill_in_mid_reading_loses_no_vote_and_leaves_no_half(tmp_path: Path) -> None:
    with filled_event(tmp_path) as event:
        double.set_scope(event, Scope.ALL, who="organizer")
        folder = event.folder
    process = subprocess.Popen(
        [sys.executable, "-c", READING, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        acknowledged = [process.stdout.readline().strip() for _one in range(BEFORE_THE_KILL)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [line.strip() for line in process.stdout if line.endswith("\n")]
    finally:
        process.kill()
        process.wait(60)
    assert all(acknowledged)
    with Event(folder) as event:
        query = select(blind_ruling.c.batch, func.count().label("votes")).group_by(
            blind_ruling.c.batch
        )
        with event.database.reading() as connection:
            votes = {row.batch: row.votes for row in connection.execute(query)}
        assert votes.keys() >= set(acknowledged)
        assert set(votes.values()) == {5}
        boxes = double_readings.known(event).boxes
        assert {box.state for box in boxes.values()} >= {State.AGREED, State.DIFFER}
        for box in boxes.values():
            assert (box.ruling is not None) is (box.state in (State.AGREED, State.DIFFER))
