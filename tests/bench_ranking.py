"""Figures of ranking and regulations: `make bench-ranking` prints them and writes out/bench-ranking.json.

The data is made before the clock starts. Targets are held against the processor's time of this process, which
uses one core: on an idle machine it is the time on the wall, and on a busy one it does not count the others.
"""

from __future__ import annotations

import argparse
import ast
import json
import platform
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scoring.changes import compare
from scoring.decisions import NO_DECISIONS, Decisions
from scoring.effect import Effect, effect
from scoring.mass import rank_table
from scoring.model import Player, Regulation, Standings, Verdict
from scoring.ranking import standings
from scoring.seeding import Entrant, Method, seed_bouts
from scoring.totals import BLANK, OPEN, RIGHT, WRONG

Kinds = NDArray[np.int8]

ROOT = Path(__file__).parents[1]
RANK_TARGET_S = 2.0
RESCORE_TARGET_S = 0.3
EFFECT_TARGET_S = 0.1
_ROW = re.compile(
    r"\| (?P<no>[FQNPC]\d+(?: \([^)]*\))?) \| (?P<sentence>.*) \| (?P<tests>`test_.*`) \|"
)
_REGULATIONS = {
    "F": "festival",
    "Q": "erudit-quartet",
    "N": "novosibirsk",
    "P": "nesprosta",
    "C": "chat",
}


def timed(work: Callable[[], object], repeats: int) -> dict[str, float]:
    """Seconds of a piece of work over some repeats: of the processor, and on the wall."""
    spent, wall = [], []
    for _repeat in range(repeats):
        begin, begin_wall = time.process_time(), time.perf_counter()
        work()
        spent.append(time.process_time() - begin)
        wall.append(time.perf_counter() - begin_wall)
    return {
        "best_s": round(min(spent), 3),
        "median_s": round(statistics.median(spent), 3),
        "worst_s": round(max(spent), 3),
        "wall_median_s": round(statistics.median(wall), 3),
    }


def million() -> dict[str, Any]:
    """Places and lines of 1,000,000 players in 12 categories, rows in no order."""
    count = 1_000_000
    dice = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "number": dice.permutation(count),
            "group": dice.choice([f"{grade} класс" for grade in range(12)], count),
            "score": dice.integers(-120, 121, count) * 10,
        }
    )
    return {
        "players": count,
        "target_s": RANK_TARGET_S,
        **timed(lambda: rank_table(table, Regulation()), 5),
    }


def rescoring() -> dict[str, Any]:
    """The whole standings of 3,000 × 40 anew, after one question's verdicts turned round."""
    count, regulation = 3000, Regulation()
    dice = random.Random(7)
    players = [
        Player(n, f"Игрок {dice.random()}", dice.choice("АБВ"), f"Школа {n % 90}")
        for n in range(1, count + 1)
    ]
    verdicts = pd.DataFrame(
        {
            "player": np.repeat(np.arange(1, count + 1), 40),
            "theme": np.tile(np.repeat(np.arange(1, 9), 5), count),
            "nominal": np.tile(regulation.nominals, count * 8),
            "verdict": dice.choices([*Verdict], k=count * 40),
        }
    )
    question = (verdicts["theme"] == 3) & (verdicts["nominal"] == 40)
    changed = verdicts.assign(
        verdict=verdicts["verdict"].mask(question & (verdicts["verdict"] == "wrong"), "right")
    )
    present = set(range(1, count + 1))

    def rank(table: pd.DataFrame, decisions: Decisions = NO_DECISIONS) -> Standings:
        return standings("", players, present, table, regulation, decisions)

    before, after = rank(verdicts), rank(changed)
    removed = Decisions(removed=frozenset({(3, 40)}))
    return {
        "players": count,
        "boxes": 40,
        "target_s": RESCORE_TARGET_S,
        "key_change": timed(lambda: rank(changed), 7),
        "removal": timed(lambda: rank(verdicts, removed), 7),
        "differences": timed(lambda: compare(before, after), 7),
        "rows_changed": len(compare(before, after).players),
    }


def effects() -> list[dict[str, Any]]:
    """Who is surely in, out or open in an event of 700 and of 3,000 players, half of the answers ruled on."""
    found = []
    numbers = range(1, 3001)
    roster = [Player(n, f"Игрок {n}", "АБВ"[n % 3]) for n in numbers]
    for count in (700, 3000):
        dice = np.random.default_rng(5)
        kinds = dice.choice(np.array([RIGHT, WRONG, BLANK], dtype=np.int8), (count, 40))
        kinds[:, 20:] = OPEN

        def judge(late: Sequence[int], count: int = count, kinds: Kinds = kinds) -> Effect:
            players = roster[:count]
            here = [player.number for player in players][: count * 9 // 10]
            return effect(players, here, kinds[: len(here)], Regulation(), NO_DECISIONS, late=late)

        found.append(
            {
                "players": count,
                "boxes": 40,
                "target_s": EFFECT_TARGET_S,
                "sheets_here": timed(partial(judge, ()), 15),
                "and_sheets_to_come": timed(partial(judge, numbers), 15),
            }
        )
    return found


def seeding() -> list[dict[str, Any]]:
    """How often a seeding is proven to have the fewest school-mates together, and how long it takes."""
    found = []
    for players, bouts, branches in ((32, 8, 1), (27, 9, 3)):
        for method in Method:
            for teams in (False, True):
                dice = random.Random(f"{players} {method} {teams}")
                spent, proven, optimal = [], 0, 0
                rosters = 30
                for _roster in range(rosters):
                    schools = dice.choice((3, 6, 10, 16))
                    entrants = [
                        Entrant(
                            number,
                            f"школа {dice.randrange(schools)}",
                            f"команда {dice.randrange(9)}" if teams else "",
                        )
                        for number in range(players)
                    ]
                    begin = time.process_time()
                    result = seed_bouts(
                        entrants, bouts, method=method, seed="17", branches=branches
                    )
                    spent.append(time.process_time() - begin)
                    proven += result.proven
                    optimal += len(result.conflicts) == result.bound
                found.append(
                    {
                        "players": players,
                        "bouts": bouts,
                        "method": method.value,
                        "marks": "school and team" if teams else "school",
                        "rosters": rosters,
                        "proven": proven,
                        "at_the_bound": optimal,
                        "median_s": round(statistics.median(spent), 3),
                        "worst_s": round(max(spent), 3),
                    }
                )
    return found


def property_tests() -> dict[str, int]:
    """How many tests draw their cases by hypothesis, by folder of tests."""
    counts: dict[str, int] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(map(_is_given, node.decorator_list)):
                folder = path.relative_to(ROOT / "tests").parts[0]
                counts[folder] = counts.get(folder, 0) + 1
    return counts | {"all": sum(counts.values())}


def _is_given(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id == "given"


def coverage() -> list[dict[str, Any]]:
    """The sentences of the four regulations with the tests of each, out of docs/regulations.md."""
    rows = []
    for line in (ROOT / "docs" / "regulations.md").read_text(encoding="utf-8").splitlines():
        if found := _ROW.fullmatch(line):
            rows.append(
                {
                    "regulation": _REGULATIONS[found["no"][0]],
                    "no": found["no"],
                    "sentence": found["sentence"],
                    "tests": re.findall(r"`(test_\w+)`", found["tests"]),
                }
            )
    return rows


def main() -> int:
    """Measure, print, write; returns 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"))
    out: Path = parser.parse_args().out
    figures = {
        "machine": {"python": platform.python_version(), "processor": platform.machine()},
        "ranking": million(),
        "rescoring": rescoring(),
        "effect": effects(),
        "seeding": seeding(),
        "property_tests": property_tests(),
        "regulations": coverage(),
    }
    out.mkdir(parents=True, exist_ok=True)
    path = out / "bench-ranking.json"
    path.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    _print(figures)
    print(f"→ {path}")
    met = (
        figures["ranking"]["median_s"] < RANK_TARGET_S
        and figures["rescoring"]["key_change"]["median_s"] < RESCORE_TARGET_S
        and all(each["sheets_here"]["median_s"] < EFFECT_TARGET_S for each in figures["effect"])
    )
    return 0 if met else 1


def _print(figures: dict[str, Any]) -> None:
    ranking, again = figures["ranking"], figures["rescoring"]
    print(
        f"Ranking of {ranking['players']:,} players: {ranking['median_s']} s "
        f"(worst {ranking['worst_s']}, on the wall {ranking['wall_median_s']}; "
        f"wanted < {ranking['target_s']})"
    )
    for name in ("key_change", "removal", "differences"):
        took = again[name]
        print(
            f"{again['players']:,} × {again['boxes']}, {name.replace('_', ' ')}: {took['median_s']} s "
            f"(worst {took['worst_s']}, on the wall {took['wall_median_s']}; "
            f"wanted < {again['target_s']})"
        )
    for each in figures["effect"]:
        print(
            f"Who is sure among {each['players']:,} × {each['boxes']}: "
            f"{each['sheets_here']['median_s']} s (worst {each['sheets_here']['worst_s']}), with sheets "
            f"that may still come {each['and_sheets_to_come']['median_s']} s; "
            f"wanted < {each['target_s']}"
        )
    for line in figures["seeding"]:
        print(
            f"{line['players']} into {line['bouts']} bouts, {line['method']}, {line['marks']}: proven "
            f"{line['proven']} of {line['rosters']}, {line['median_s']} s (worst {line['worst_s']})"
        )
    tests = figures["property_tests"]
    print("Property tests: " + ", ".join(f"{folder} {count}" for folder, count in tests.items()))
    rows = figures["regulations"]
    tested = {test for row in rows for test in row["tests"]}
    print(f"Sentences of the regulations: {len(rows)}, each with a test ({len(tested)} tests)")
    for row in rows:
        print(f"  {row['regulation']:<15}{row['no']:<14}{row['sentence']}")
        print("".join(f"  {'':<29}↳ {test}\n" for test in row["tests"]), end="")


if __name__ == "__main__":
    sys.exit(main())
