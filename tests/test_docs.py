"""Guards the documentation against drifting from the code: tables of settings, errors and outcomes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from otbor import errors
from scanner.contracts import Outcome
from service.settings import Settings

ROOT = Path(__file__).parents[1]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def _kinds(kind: type[errors.OtborError]) -> list[type[errors.OtborError]]:
    return [kind, *(sub for direct in kind.__subclasses__() for sub in _kinds(direct))]


def test_every_setting_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| `(OTBOR_[A-Z]+)`", ARCHITECTURE, re.MULTILINE))
    known = {f"OTBOR_{name.upper()}" for name in Settings.model_fields} | {"OTBOR_LANG"}
    assert documented == known


def test_every_error_is_documented_with_its_status() -> None:
    table = {
        code: int(status)
        for codes, status in re.findall(
            r"^\| (`[a-z_`, ]+`) \| (\d+) \|", ARCHITECTURE, re.MULTILINE
        )
        for code in re.findall(r"`([a-z_]+)`", codes)
    }
    shared = [kind for kind in _kinds(errors.OtborError)[1:] if kind.__module__ == errors.__name__]
    assert table == {kind.code: kind.exit_status for kind in shared}


def test_every_outcome_is_documented() -> None:
    documented = re.findall(r"^\| `([a-z]+)` \| .*\|.*\|$", ARCHITECTURE, re.MULTILINE)
    assert set(Outcome) <= set(documented)


@pytest.mark.parametrize("name", ["README.md", "README.ru.md", "docs/architecture.md"])
def test_paths_in_the_docs_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!http|#)([^)#]+)", text)
    named = re.findall(
        r"`((?:scanner|scoring|jury|reports|service|samples|otbor|tests|docs)/[^`*<]+)`", text
    )
    for path in [*links, *named]:
        assert (ROOT / name).parent.joinpath(path).exists() or (ROOT / path).exists(), path


def test_every_module_of_the_map_exists() -> None:
    for module in re.findall(
        r"^ .*?((?:scanner|jury|scoring|service)\.[a-z_]+) ", ARCHITECTURE, re.MULTILINE
    ):
        path = ROOT / module.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), module


def test_every_command_of_the_readme_exists() -> None:
    from service.cli.app import build

    known = {command.name for command in build().registered_commands}
    for name in ("README.md", "README.ru.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        used = set(re.findall(r"^\s*otbor ([a-z]+)", text, re.MULTILINE))
        assert used, name
        assert used <= known, used - known
