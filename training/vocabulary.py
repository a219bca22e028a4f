"""What the training lines say: Russian forms, names and places, Latin words, numbers, whole answers.

    python -m training.vocabulary FILE

writes the words, one a line as `kind<TAB>word`; it takes a minute. No test set's answers go in.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

COMMON, RARE, LATIN = 120_000, 160_000, 25_000
_CYRILLIC = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюя-")
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz'-")
_PROPER = ("Name", "Surn", "Patr", "Geox")
_ROMAN = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIV", "XV", "XVI"),
    *("XVII", "XVIII", "XIX", "XX", "XXI"),
)
_COUNTED = ("шт.", "раз", "лет", "км", "кг", "%", "м", "дней", "клеток", "штук", "букв", "том")
_LATIN_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CYRILLIC_CAPITALS = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"
_JOINING = ("и", "в", "на", "с", "из", "о", "для", "по", "не", "или", "без", "у", "к", "за", "от")


def write(path: Path) -> None:
    """Collect the words of wordfreq and of pymorphy's dictionary into a file."""
    from pymorphy3 import MorphAnalyzer
    from wordfreq import top_n_list

    rng = np.random.default_rng(1)
    found = [("common", word) for word in top_n_list("ru", COMMON) if _CYRILLIC.issuperset(word)]
    found += [("latin", word) for word in top_n_list("en", LATIN) if _LATIN.issuperset(word)]
    rare, proper = [], set()
    for word, tag, normal, *_ in MorphAnalyzer().dictionary.iter_known_words():
        if not _CYRILLIC.issuperset(word) or not 2 < len(word) < 22:
            continue
        if word == normal and any(name in tag for name in _PROPER):
            proper.add(word)
        elif rng.random() < 0.05:
            rare.append(word)
    rng.shuffle(rare)
    found += [("rare", word) for word in rare[:RARE]] + [
        ("proper", word) for word in sorted(proper)
    ]
    path.write_text("".join(f"{kind}\t{word}\n" for kind, word in found), encoding="utf-8")


class Vocabulary:
    """Draws texts to write."""

    def __init__(self, path: Path) -> None:
        self.words: dict[str, list[str]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, word = line.split("\t")
            self.words.setdefault(kind, []).append(word)

    def text(self, rng: np.random.Generator, longest: int = 45) -> str:
        """A text of at most `longest` characters, written as players write answers."""
        while True:
            text = self._text(rng)
            if 0 < len(text) <= longest:
                return text

    def _text(self, rng: np.random.Generator) -> str:
        kind = rng.random()
        if kind < 0.07:
            return self._number(rng)
        if kind < 0.1:
            return self._numbered(rng)
        if kind < 0.14:
            return self._abbreviation(rng)
        if kind < 0.2:
            return " ".join(
                self._cased(self._word("latin", rng), rng) for _ in range(int(rng.integers(1, 3)))
            )
        if kind < 0.23:
            # Letters in no order: the network learns letters, not only words.
            symbols = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
            return "".join(rng.choice(list(symbols), int(rng.integers(1, 9))))
        words = []
        for index in range(int(rng.choice([1, 2, 3, 4], p=[0.62, 0.25, 0.09, 0.04]))):
            if index and rng.random() < 0.2:
                words.append(str(rng.choice(_JOINING)))
            source = str(rng.choice(["common", "rare", "proper"], p=[0.4, 0.33, 0.27]))
            word = self._word(source, rng)
            proper = source == "proper" or index == 0
            words.append(self._cased(word, rng, 0.75 if proper else 0.12))
        text = " ".join(words)
        if rng.random() < 0.08:
            text = f"{text} {self._number(rng)}"
        return self._punctuated(text, rng)

    def _word(self, source: str, rng: np.random.Generator) -> str:
        words = self.words[source]
        # Squared: the commoner words somewhat more often.
        share = rng.random() ** (1.6 if source in ("common", "latin") else 1.0)
        word = words[int(share * len(words))]
        return word.replace("ё", "е") if rng.random() < 0.4 else word

    def _cased(self, word: str, rng: np.random.Generator, capital: float = 0.5) -> str:
        if rng.random() < capital:
            word = "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
        return word.upper() if rng.random() < 0.07 else word

    def _numbered(self, rng: np.random.Generator) -> str:
        """A number with a word: a ruler's, a year's, a count."""
        kind = rng.random()
        if kind < 0.6:
            name = self._cased(self._word("proper", rng), rng, 1.0)
            figures = rng.choice(_ROMAN) if rng.random() < 0.7 else rng.integers(1, 25)
            return f"{name} {figures}" + ("-й" if rng.random() < 0.1 else "")
        year = int(rng.integers(900, 2030))
        if kind < 0.85:
            ways = (f"в {year}", f"{year} год", f"{year} г.", f"{year}г.", f"в {year} году")
            return str(rng.choice(ways))
        return f"{rng.integers(1, 200)} {rng.choice(_COUNTED)}"

    def _abbreviation(self, rng: np.random.Generator) -> str:
        """Capitals in no order, now and then with full stops."""
        signs = _LATIN_CAPITALS if rng.random() < 0.6 else _CYRILLIC_CAPITALS
        letters = rng.choice(list(signs), int(rng.integers(2, 6)))
        return ".".join([*letters, ""]) if rng.random() < 0.15 else "".join(letters)

    def _number(self, rng: np.random.Generator) -> str:
        kind = rng.random()
        if kind < 0.45:
            return str(rng.integers(1000, 2030))
        if kind < 0.75:
            return str(rng.integers(0, 10 ** int(rng.integers(1, 6))))
        if kind < 0.9:
            return str(rng.choice(_ROMAN))
        return str(rng.choice([f"№{rng.integers(1, 100)}", f"{rng.integers(1, 60)}-й", "50/50"]))

    def _punctuated(self, text: str, rng: np.random.Generator) -> str:
        kind = rng.random()
        if kind < 0.06:
            return f'"{text}"'
        if kind < 0.1:
            return f"{text}."
        if kind < 0.12 and " " in text:
            return text.replace(" ", str(rng.choice([", ", " & ", " - ", "-", ": ", "/"])), 1)
        if kind < 0.14:
            return text + str(rng.choice(["!", "?", "..", ","]))
        if kind < 0.155:
            return f"({text})"
        if kind < 0.175:
            initials = "".join(str(rng.choice(list("АБВГДЕИКЛМНПРСТФ"))) + "." for _ in range(2))
            return f"{initials} {text}"
        return text


if __name__ == "__main__":
    write(Path(sys.argv[1]))
