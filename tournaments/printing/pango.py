"""Loading WeasyPrint, which needs Pango: a library of the system that pip does not install."""

from __future__ import annotations

import re
from types import ModuleType

LIBRARY = re.compile(r"library '([^']+)'")


class PangoMissing(Exception):
    """A library of the system is not installed. The only argument is its name."""

    @property
    def library(self) -> str:
        return str(self.args[0])


def load_layout() -> ModuleType:
    """Return the module `layout`, loading WeasyPrint if necessary. Raises `PangoMissing`."""
    try:
        from tournaments.printing import layout  # noqa: PLC0415  loads WeasyPrint
    except OSError as error:  # of cffi
        named = LIBRARY.search(str(error))
        raise PangoMissing(named[1] if named else "pango") from error
    return layout
