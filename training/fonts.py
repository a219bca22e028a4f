"""Open handwriting fonts with Cyrillic: fetched from npm's @fontsource packages, never committed.

    python -m training.fonts FOLDER

Each font's Cyrillic and Latin subsets are merged into one file, `NAME-WEIGHT-STYLE.ttf`.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

# All under the SIL Open Font License. Weights and styles that look like a pen.
FOR_TRAINING = {
    "amatic-sc": ("400-normal",),
    "bad-script": ("400-normal",),
    "balsamiq-sans": ("400-normal", "400-italic"),
    "bellota": ("400-normal", "400-italic"),
    "comforter": ("400-normal",),
    "comforter-brush": ("400-normal",),
    "comic-relief": ("400-normal",),
    "cormorant-infant": ("500-italic",),
    "gabriela": ("400-normal",),
    "hachi-maru-pop": ("400-normal",),
    "klee-one": ("400-normal", "600-normal"),
    "kurale": ("400-normal",),
    "lobster": ("400-normal",),
    "marck-script": ("400-normal",),
    "pangolin": ("400-normal",),
    "philosopher": ("400-italic",),
    "playpen-sans": ("100-normal", "300-normal", "400-normal", "600-normal"),
    "yomogi": ("400-normal",),
    "zen-kurenaido": ("400-normal",),
}
# Never trained on: the calibration is fitted on these.
FOR_CALIBRATION = {
    "neucha": ("400-normal",),
    "shantell-sans": ("300-normal", "400-italic"),
}
# Never trained on nor calibrated with: the sample event is written in these.
FOR_MEASURING = {
    "caveat": ("400-normal", "600-normal"),
    "great-vibes": ("400-normal",),
    "pacifico": ("400-normal",),
}


def fetch(folder: Path) -> None:
    """Fetch all fonts into `folder`; those that lie there already are left alone."""
    logging.disable(logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    for name, styles in {**FOR_TRAINING, **FOR_CALIBRATION, **FOR_MEASURING}.items():
        wanted = {style: folder / f"{name}-{style}.ttf" for style in styles}
        if all(path.exists() for path in wanted.values()):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            _fetch_one(name, wanted, Path(temporary))


def _fetch_one(name: str, wanted: dict[str, Path], temporary: Path) -> None:
    packed = subprocess.run(
        ["npm", "pack", "--silent", f"@fontsource/{name}"],
        cwd=temporary,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    with tarfile.open(temporary / packed) as archive:
        archive.extractall(temporary, filter="data")
    for style, path in wanted.items():
        parts = []
        for subset in ("latin", "cyrillic"):
            font = TTFont(temporary / "package" / "files" / f"{name}-{subset}-{style}.woff2")
            font.flavor = None
            for table in ("GPOS", "GSUB", "GDEF", "kern"):
                # Some fonts' feature tables cannot be merged; single glyphs are enough.
                if table in font:
                    del font[table]
            part = temporary / f"{subset}-{style}.ttf"
            font.save(part)
            parts.append(str(part))
        Merger().merge(parts).save(path)


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
