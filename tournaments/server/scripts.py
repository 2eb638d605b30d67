"""Join the scripts of static/js to a few files, which browsers load faster than many files.

On a slow line each connection costs two round trips, and its first window is ten segments (some
14 kB): the phone's script comes in files smaller than that, which are requested at the same time.
The URL of a joined file contains the hash of its contents, so that browsers may cache it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.urls import reverse

# The sources of each joined file. Later sources use earlier ones.
ROUND = tuple(
    f"round/{name}" for name in ("words", "fields", "deals", "ring", "taps", "points", "form")
)
OUTBOX = ("tab-storage", *(f"phone/{name}" for name in ("store", "outbox", "requests", "codes")))
PHONE = tuple(
    f"phone/{name}"
    for name in (
        "table",
        "wording",
        "feedback",
        "panels",
        "round-editor",
        "phone",
    )
)
SOURCES = {
    "round": ROUND,
    "record-round": (*ROUND, "tab-storage", "round/page"),
    "enter-sheet": ("tab-storage", "enter-sheet"),
    "hand-over": ("tab-storage", "hand-over"),
    "outbox": OUTBOX,
    "phone": PHONE,
    "sheets": (
        "phone/playbook",
        "phone/leaving",
        "phone/comparison",
        "phone/overtaken",
        "phone/queue",
        "phone/sheets",
        "clock",
    ),  # the playbook and the queue would not fit in `phone`
    "player-field": ("player-search", "player-field"),
    "roll-call": ("player-search", "roll-call"),
    "seats": ("player-search", "seats"),
    "seating-board": ("tab-storage", "player-search", "seating-board"),
    "typed-again": ("tab-storage", "typed-again"),
    "closed-table": ("round/words", *OUTBOX, "phone/closed-table"),
}


class Script(NamedTuple):
    content: bytes
    digest: str


def script(name: str) -> Script:
    """Return the joined file of this name in `SOURCES`. It is cached, except with DEBUG."""
    return _join_sources(name) if settings.DEBUG else _cached_script(name)


def address_of(name: str) -> str:
    """Return the URL of a joined file, which contains the hash of its contents."""
    return reverse("script", args=[name, script(name).digest])


def qr_library_url() -> str | None:
    """Return the URL of the script that draws QR codes; None if it is not installed."""
    name = "qrcode-generator/qrcode.js"
    try:
        return static(name) if finders.find(name) else None
    except ValueError:  # it was installed after static files were collected
        return None


def _join_sources(name: str) -> Script:
    folder = settings.PAGES_DIR / "static" / "js"
    sources = ((folder / f"{source}.js").read_text("utf-8") for source in SOURCES[name])
    content = "".join(minified(source) for source in sources)
    return Script(content.encode(), hashlib.sha256(content.encode()).hexdigest()[:12])


def minified(script: str) -> str:
    r"""Return a script without indentation, empty lines and lines that are comments.

    A string literal that spans lines would be changed, too; ours have none.

    >>> minified("  // a\n  b(); // c\n")
    'b(); // c\n'
    """
    lines = [line.strip() for line in script.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


@cache
def _cached_script(name: str) -> Script:
    return _join_sources(name)
