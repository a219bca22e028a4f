"""Regulations as data: what is written is read, said in words, and refused where it contradicts itself.

Guards against a misspelled or forgotten field that changes who goes on without anybody seeing it, a message
that names the wrong line, and an explanation that leaves out what the data says.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_event import make_event

from otbor.errors import TableError
from otbor.i18n import speaking
from scoring.explain import explain
from scoring.model import Regulation
from scoring.regulation import parse_regulation
from scoring.rules import (
    Announcing,
    CarryOver,
    CountBack,
    Counted,
    CutRule,
    FinalStake,
    Formula,
    Grouping,
    Mending,
    NoAnswer,
    NobodyPositive,
    Part,
    Price,
    Prices,
    Remedy,
    ReserveCall,
    Stage,
    StakeFault,
    TiePolicy,
    TieRule,
)
from scoring.toml_lines import lines_of
from service.cli.app import run
from service.cli.regulation_commands import shipped
from service.event import default_regulation

EVERYTHING = """
title = "Кубок"
name = "Первый раунд"
themes = 6
nominals = [1, 2, 3]
tie_policy = ["count_back", "shoot_out", "lot"]
count_back = ["most_rights", "dearest_first"]
shoot_out_themes = 2
prizes = 3
exempt = true
reserve = 4
removal = false

[answers]
right = "+nominal"
wrong = "−nominal"
blank = 0
missing = -1

[cut]
each = "site"
places = "2N/3 − 1"
at_least = 8
counted = "registered"
other_by_chief = true
sure = 8
least_score = 1

[cut.quotas]
"НГУ" = 14

[final]
who = "positive"
least = 10
most = 100
step = 10
missing = 10
too_high = "most"
too_low = "least"
doubled = "not_playing"
unreadable = "chief"
no_answer = "wrong"
nobody_positive = "best_sum"
single_wins = true
lead_factor = 3

[[stage]]
name = "Бои"
bout_size = 4
seeded_enter = true
carry_over = "difference"
cut = 2
tie_policy = "all_in"

[[stage.part]]
name = "Синий"
themes = 4
nominals = [10, 20]

[[stage]]
name = "Финал"
prizes = 1
"""


def read(text: str) -> Regulation:
    return parse_regulation(text, source="r.toml")


def refusal(text: str) -> TableError:
    with pytest.raises(TableError) as caught:
        read(text)
    return caught.value


def test_everything_at_once() -> None:
    found = read(EVERYTHING)
    assert found == Regulation(
        title="Кубок",
        name="Первый раунд",
        themes=6,
        nominals=(1, 2, 3),
        cut=8,
        tie_policy=TiePolicy.COUNT_BACK,
        prices=Prices(missing=Price(points=-1)),
        cut_rule=CutRule(
            each=Grouping.SITE,
            formula=Formula(2, 3, -1),
            at_least=8,
            counted=Counted.REGISTERED,
            announcing=Announcing.BY_CHIEF,
            quotas=(("НГУ", 14),),
            sure=8,
            least_score=1,
        ),
        ties=TieRule(
            (TiePolicy.COUNT_BACK, TiePolicy.SHOOT_OUT, TiePolicy.LOT),
            2,
            (CountBack.MOST_RIGHTS, CountBack.DEAREST_FIRST),
        ),
        prizes=3,
        exempt=True,
        reserve=4,
        reserve_call=ReserveCall.SCORE,
        removal=False,
        final=FinalStake(
            least=10,
            most=100,
            step=10,
            mendings=(
                (StakeFault.MISSING, Mending(Remedy.COUNT, 10)),
                (StakeFault.TOO_LOW, Mending(Remedy.LEAST)),
                (StakeFault.TOO_HIGH, Mending(Remedy.MOST)),
                (StakeFault.UNREADABLE, Mending()),
                (StakeFault.DOUBLED, Mending(Remedy.NOT_PLAYING)),
            ),
            no_answer=NoAnswer.WRONG,
            nobody_positive=NobodyPositive.BEST_SUM,
            single_wins=True,
            lead_factor=3,
        ),
        stages=(
            Stage(
                "Бои",
                (Part("Синий", 4, (10, 20)),),
                bout_size=4,
                cut=CutRule(each=Grouping.BOUT, places=2),
                ties=TieRule((TiePolicy.ALL_IN,)),
                carry_over=CarryOver.DIFFERENCE,
                seeded_enter=True,
            ),
            Stage("Финал", prizes=1),
        ),
    )
    assert found.rule.places == 8


def test_a_plain_number_is_a_quota_by_category() -> None:
    assert read("cut = 8").rule == CutRule(places=8)
    assert read("[cut]\nplaces = 8").rule == CutRule(places=8)
    assert read("").rule == CutRule()


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("N/3 + 1", Formula(1, 3, 1)),
        ("N", Formula(1, 1)),
        (" 2·N / 5−3 ", Formula(2, 5, -3)),
        ("2 * N/5 - 3", Formula(2, 5, -3)),
    ],
)
def test_formulas_as_people_write_them(text: str, formula: Formula) -> None:
    assert read(f'[cut]\nplaces = "{text}"').cut_rule.formula == formula


# What is replaced in the text above, by what, and the line and words of the refusal.
CONTRADICTIONS = [
    ('title = "Кубок"', 'titel = "Кубок"', 2, "titel"),
    ("themes = 6", "themes = 0", 4, "themes"),
    ("nominals = [1, 2, 3]", "nominals = [1, 2, 2]", 5, "“2” twice"),
    ('"shoot_out", "lot"]', '"lot", "shoot_out"]', 6, "nothing can come after “lot”"),
    ('"shoot_out", "lot"]', '"undecided", "shoot_out"]', 6, "nothing can come after"),
    ('["count_back", "shoot_out", "lot"]', '["lot", "lot"]', 6, "twice"),
    ('["count_back", "shoot_out", "lot"]', "[]", 6, "empty"),
    ('["count_back", "shoot_out", "lot"]', '["shoot_out"]', 7, "count_back"),
    ('["count_back", "shoot_out", "lot"]', '["count_back"]', 8, "shoot_out_themes"),
    ("shoot_out_themes = 2\n", "", 6, "shoot_out_themes"),
    ('count_back = ["most_rights", "dearest_first"]\n', "", 6, "count_back"),
    ('["most_rights", "dearest_first"]', "[]", 7, "empty"),
    ('"dearest_first"]', '"dearest"]', 7, "dearest"),
    ("prizes = 3", "prizes = -3", 9, "prizes"),
    ("exempt = true", 'exempt = "yes"', 10, "exempt"),
    ("reserve = 4", 'reserve = 4\nreserve_call = "host"', 11, "reserve"),
    ('right = "+nominal"', "right = 0", 15, "right"),
    ('right = "+nominal"', 'right = "twice"', 15, "twice"),
    ('wrong = "−nominal"', 'wrong = "+nominal"', 16, "wrong"),
    ("blank = 0", "blank = -2000000", 17, "nothing costs more"),
    ('each = "site"', 'each = "bout"', 21, "no bouts"),
    ('each = "site"', 'each = "all"', 29, "quotas"),
    ('each = "site"', 'each = "town"', 21, "town"),
    ('places = "2N/3 − 1"', "places = 8", 24, "counted"),
    ('places = "2N/3 − 1"', 'places = "N/0"', 22, "N/0"),
    ('places = "2N/3 − 1"', 'places = "a third"', 22, "a third"),
    ('places = "2N/3 − 1"', 'places = "announced"', 25, "other_by_chief"),
    ("at_least = 8", "at_least = 7", 26, "8 are sure"),
    ("sure = 8\n", "", 26, "“sure” is missing"),
    ("least_score = 1", "", 26, "“least_score” is missing"),
    ('"НГУ" = 14', '"НГУ" = 0', 30, "НГУ"),
    ('who = "positive"', "", 32, "who"),
    ('who = "positive"', 'who = "rich"', 33, "who"),
    ("most = 100", "most = 5", 35, "5 is less than the smallest 10"),
    ("most = 100", "most = 95", 36, "step"),
    ("least = 10\n", "least = 15\n", 36, "step"),
    ("missing = 10", "missing = 5", 37, "5"),
    ("missing = 10", "missing = 110", 37, "110"),
    ("missing = 10", 'missing = "count"', 37, "missing"),
    ('unreadable = "chief"', 'unreadable = "jury"', 41, "jury"),
    ('nobody_positive = "best_sum"\n', "", 32, "nobody_positive"),
    ("lead_factor = 3", "lead_factor = 0", 45, "lead_factor"),
    ('name = "Бои"', "", 47, "no name"),
    ("bout_size = 4", "", 52, "bout_size"),
    ("cut = 2", "cut = 4", 52, "nobody would be out"),
    ("cut = 2", "", 47, "Бои"),
    ('carry_over = "difference"', 'carry_over = "all"', 51, "carry_over"),
    ("themes = 4", "", 55, "themes"),
    ("nominals = [10, 20]", "nominals = []", 58, "nominals"),
    ("prizes = 1", "prizes = 1\nbout_size = 4\ncut = 2", 64, "no stage follows"),
    ("seeded_enter = true", "seeded = true", 50, "seeded"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), CONTRADICTIONS)
def test_a_contradiction_names_its_line_and_reason(
    old: str, new: str, line: int, words: str
) -> None:
    assert old in EVERYTHING
    error = refusal(EVERYTHING.replace(old, new, 1))
    assert words in error.message
    assert f"r.toml, line {line}:" in error.message
    assert error.hint
    with speaking("ru"):
        russian = refusal(EVERYTHING.replace(old, new, 1))
        assert f"r.toml, строка {line}:" in russian.message
        assert russian.hint != error.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[cut]\neach = "site"\n', "number of places"),
        ('categories = ["А"]\n[cut]\neach = "site"\nplaces = 3\n', "categories"),
        ('[cut]\nplaces = 3\ncounted = "present"\n', "counted"),
        ("[cut]\nplaces = 32\nat_least = 8\n", "at_least"),
        ("cut = 0\n", "cut"),
        ('[final]\nwho = "everyone"\n', "everyone"),
        ("answers = 3\n", "answers"),
        ("[[stage]]\nname = 3.5\n", "name"),
    ],
)
def test_further_contradictions(text: str, words: str) -> None:
    assert words in refusal(text).message


def test_lines_of_tables_in_lists_and_long_strings() -> None:
    text = (
        'a = """\nb = 1\n"""\nlist = [\n  ["x"],\n  [1],\n]\n'
        "[t]\nx.y = 1\n[[s]]\nb = 1\n[[s.p]]\nc = 1\n[s.q]\nd = 1\n[[s]]\nb = 2\n[s.q]\nd = 2\n"
    )
    tomllib.loads(text)
    lines = lines_of(text)
    assert lines["a",] == 1
    assert lines["list",] == 4
    assert ("b",) not in lines
    assert lines["t", "x", "y"] == 9
    assert lines["s", 0, "b"] == 11
    assert lines["s", 0, "p", 0, "c"] == 13
    assert lines["s", 0, "q", "d"] == 15
    assert lines["s", 1, "b"] == 17
    assert lines["s", 1, "q", "d"] == 19


@given(st.lists(st.sampled_from(["x = 1", "# y = 2", "", 'z = "[a]"']), unique=True, max_size=4))
def test_lines_of_any_order(rows: list[str]) -> None:
    text = "\n".join(rows)
    found = lines_of(text)
    for name in tomllib.loads(text):
        assert rows[found[name,] - 1].startswith(f"{name} =")


def test_the_regulations_that_come_with_the_program() -> None:
    texts = shipped()
    assert list(texts) == ["festival", "chat", "erudit-quartet", "nesprosta", "novosibirsk"]
    for name, text in texts.items():
        assert parse_regulation(text, source=name).title


def test_the_default_is_the_festivals_and_leaves_ties_undecided() -> None:
    assert default_regulation() == shipped()["festival"]
    found = read(default_regulation())
    assert found.tie_rule.steps == (TiePolicy.UNDECIDED,)
    assert dataclasses.replace(found, name="", title="", stages=()) == Regulation()


def words(regulation: Regulation) -> str:
    return "\n".join(
        sentence
        for section in explain(regulation)
        for sentence in (section.title, *section.sentences)
    )


VARIANTS = [
    ("themes = 6", "themes = 7"),
    ("nominals = [1, 2, 3]", "nominals = [1, 2, 4]"),
    ('"dearest_first"]', '"best_theme"]'),
    ('"shoot_out", "lot"]', '"shoot_out"]'),
    ("shoot_out_themes = 2", "shoot_out_themes = 1"),
    ("prizes = 3", "prizes = 2"),
    ("exempt = true", "exempt = false"),
    ("reserve = 4", "reserve = 5"),
    ("reserve = 4", 'reserve_call = "host"'),
    ("removal = false", "removal = true"),
    ('wrong = "−nominal"', "wrong = -1"),
    ("missing = -1", "missing = 0"),
    ('each = "site"', 'each = "category"'),
    ('"2N/3 − 1"', '"N/3 + 1"'),
    ("at_least = 8", "at_least = 9"),
    ('counted = "registered"', 'counted = "present"'),
    ("other_by_chief = true", "other_by_chief = false"),
    ("sure = 8", "sure = 7"),
    ("least_score = 1", "least_score = -1"),
    ('"НГУ" = 14', '"НГУ" = 15'),
    ("least = 10", "least = 20\n#"),
    ("most = 100", "most = 90"),
    ("most = 100", 'most = "sum"'),
    ("missing = 10", 'missing = "chief"'),
    ('doubled = "not_playing"', 'doubled = "least"'),
    ('no_answer = "wrong"', 'no_answer = "nothing"'),
    ('nobody_positive = "best_sum"', 'nobody_positive = "no_winner"'),
    ("single_wins = true", "single_wins = false"),
    ("lead_factor = 3", "lead_factor = 2"),
    ('who = "positive"', 'who = "everyone"'),
    ("bout_size = 4", "bout_size = 3"),
    ("seeded_enter = true", "seeded_enter = false"),
    ('carry_over = "difference"', 'carry_over = "own"'),
    ("cut = 2", "cut = 1"),
    ('tie_policy = "all_in"', 'tie_policy = "none_in"'),
    ("themes = 4", "themes = 5"),
    ('name = "Синий"', 'name = "Красный"'),
]


@pytest.mark.parametrize(("old", "new"), VARIANTS)
@pytest.mark.parametrize("code", ["ru", "en"])
def test_the_sentences_say_every_field(old: str, new: str, code: str) -> None:
    """Whatever is changed in the data changes the words."""
    text = EVERYTHING.replace("missing = 10", "missing = 20") if "20" in new else EVERYTHING
    assert old in text
    with speaking(code):
        assert words(read(text)) != words(read(text.replace(old, new, 1)))


@pytest.mark.parametrize("name", list(shipped()))
def test_every_number_of_the_shipped_files_is_said(name: str) -> None:
    """The prizes of a last stage stood in the data, were applied, and were not in the sentences."""
    text = shipped()[name]
    said, changed = words(parse_regulation(text, source=name)), 0
    for line in re.finditer(r"^(\w+ = )(\d+)$", text, re.MULTILINE):
        other = f"{text[: line.start(2)]}{int(line[2]) + 1}{text[line.end(2) :]}"
        try:
            regulation = parse_regulation(other, source=name)
        except TableError:
            continue  # It contradicts another field then.
        changed += 1
        assert words(regulation) != said, line[0]
    assert changed >= 4


def test_the_least_of_an_announced_number_is_said() -> None:
    text = '[cut]\nplaces = "announced"\nat_least = 5\n'
    assert words(read(text)) != words(read(text.replace("5", "6")))


@pytest.mark.parametrize("name", list(shipped()))
def test_the_sentences_are_in_both_languages(name: str) -> None:
    regulation = parse_regulation(shipped()[name], source=name)
    with speaking("en"):
        english = words(regulation)
    with speaking("ru"):
        russian = words(regulation)
    assert len(english.splitlines()) == len(russian.splitlines())
    own = {regulation.name, *(stage.name for stage in regulation.stages)}
    for line in russian.splitlines():
        assert not re.search(r"[a-zA-Z]{2,}", line), line
        assert line in own or line not in english.splitlines()


def test_the_festival_in_plain_words() -> None:
    with speaking("ru"):
        section = explain(read(default_regulation()))[0]
    assert "Дальше проходят 32 лучших игрока каждой категории." in section.sentences
    assert any("регламент не говорит" in each.lower() for each in section.sentences)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--lang", "en", "regulation", "list"]) == 0
    assert "novosibirsk" in capsys.readouterr().out
    assert run(["--lang", "en", "regulation", "show", "chat"]) == 0
    text = capsys.readouterr().out
    assert text == shipped()["chat"]
    file = tmp_path / "own.toml"
    file.write_text(text.replace("at_least = 8", "at_least = 9"), encoding="utf-8")
    assert run(["--lang", "ru", "regulation", "explain", str(file)]) == 0
    assert "Мест не меньше 9." in capsys.readouterr().out
    assert run(["--lang", "ru", "regulation", "explain", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["sections"][0]["sentences"]
    assert run(["--lang", "en", "regulation", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "festival"
    assert run(["--lang", "en", "regulation", "explain", "nobody"]) == 6
    assert "nobody" in capsys.readouterr().err
    make_event(tmp_path).close()
    assert run(["--lang", "en", "regulation", "explain", str(tmp_path / "event")]) == 0
    assert "The 32 best of each category go on." in capsys.readouterr().out
    file.write_text("cut = 0", encoding="utf-8")
    assert run(["--lang", "en", "regulation", "explain", str(file)]) == 4
    assert "line 1" in capsys.readouterr().err
