"""Compiling the gettext catalogues (.po to .mo)."""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent.parent / "locale"


def compile_missing(folder: Path = LOCALE) -> list[Path]:
    """Compile catalogues whose compiled file is missing or older; return the new files.

    Raises `OSError` if the folder is not writable.
    """
    new_files = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3], domain=source.stem)
        temporary = compiled.with_suffix(".mo-new")  # renamed atomically
        with temporary.open("wb") as file:
            write_mo(file, catalogue)
        temporary.replace(compiled)
        new_files.append(compiled)
    return new_files
