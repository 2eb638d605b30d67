"""Sentences in other languages, made ready for the programs that look them up."""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent.parent / "locale"


def compile_missing(folder: Path = LOCALE) -> list[Path]:
    """Compile the catalogues that a fresh checkout or an update has not; return the new files.

    Without them every page would be English and call itself Japanese. Raises `OSError` where the
    folder is not ours to write.
    """
    made = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3], domain=source.stem)
        beside = compiled.with_suffix(".mo-new")  # whoever reads meanwhile finds the old or the new
        with beside.open("wb") as file:
            write_mo(file, catalogue)
        beside.rename(compiled)
        made.append(compiled)
    return made
