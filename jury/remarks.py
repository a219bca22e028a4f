"""What a juror says beside «disputed»: a few words for the chief, and maybe a form proposed for the key.

A ruling keeps one string as its reason. The proposed form stands at its end as `[+ форма]`, so that both
read well wherever the ledger is read, in any language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.folding import clean

LONGEST_TEXT = 200
LONGEST_FORM = 100
_PROPOSED = re.compile(r"(?P<text>.*?) ?\[\+ (?P<form>[^\[\]]+)\]", re.DOTALL)
_BRACKETS = str.maketrans({"[": "(", "]": ")"})


@dataclass(frozen=True, slots=True)
class Remark:
    """A juror's words on a disputed answer; `form` is proposed as an accepted one. Both may be empty."""

    text: str = ""
    form: str = ""

    @property
    def why(self) -> str:
        """As the ruling keeps it."""
        text = clean(self.text)[:LONGEST_TEXT].rstrip()
        # A form in square brackets would end the proposal too early; round ones mean the same in a key.
        form = clean(self.form)[:LONGEST_FORM].translate(_BRACKETS).rstrip()
        return f"{text} [+ {form}]".lstrip() if form else text


def read_remark(why: str) -> Remark:
    """The remark that a ruling's reason holds; the reverse of `Remark.why`."""
    found = _PROPOSED.fullmatch(why)
    return Remark(found["text"], found["form"]) if found else Remark(why)
