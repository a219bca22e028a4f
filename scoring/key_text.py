"""An answer key as the TOML that `scoring.key` reads: for keys that are changed while the jury works."""

from __future__ import annotations

import json
from collections.abc import Sequence

from scoring.model import AnswerKey, Question


def key_text(key: AnswerKey) -> str:
    """A key file that reads as this very key, one field a line."""
    lines = [f"title = {_string(key.title)}"]
    for theme in key.themes:
        lines += ["", "[[theme]]", f"title = {_string(theme.title)}"]
        for question in theme.questions:
            lines += ["", "[[theme.question]]", f"nominal = {question.nominal}", *_fields(question)]
    if key.final is not None:
        lines += ["", "[final]", *_fields(key.final)]
    return "\n".join(lines) + "\n"


def _fields(question: Question) -> list[str]:
    return [
        f"text = {_string(question.text)}",
        f"answer = {_string(question.answer)}",
        f"accepted = {_strings(question.accepted)}",
        f"rejected = {_strings(question.rejected)}",
        f"remark = {_string(question.remark)}",
    ]


def _strings(texts: Sequence[str]) -> str:
    return "[" + ", ".join(_string(text) for text in texts) + "]"


def _string(text: str) -> str:
    """A basic string of TOML; JSON escapes all that TOML wants escaped but DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
