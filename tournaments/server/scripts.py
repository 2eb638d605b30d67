"""Our scripts as browsers get them: rooms of one purpose each, joined to few files.

A phone on a slow line pays for every file with two turns over it, but asks for several at once; and
ten segments, some 14 kB, are what a connection sends before it waits for an answer. So the phone's
script comes in parts below that. The address of a joined file carries the hash of its contents, as
those of other static files do, so that browsers may keep it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.urls import reverse

# The files of each, in the order in which they build on each other.
ROUND = tuple(
    f"round/{room}" for room in ("words", "fields", "deals", "ring", "taps", "points", "form")
)
OUTBOX = ("tab", *(f"phone/{room}" for room in ("store", "outbox", "requests", "codes")))
PHONE = tuple(
    f"phone/{room}"
    for room in ("playbook", "table", "telling", "touch", "panels", "queue", "writing", "phone")
)
ROOMS = {
    "round": ROUND,
    "record-round": (*ROUND, "tab", "round/page"),
    "paper": ("tab", "paper"),
    "hand-over": ("tab", "hand-over"),
    "outbox": OUTBOX,
    "phone": PHONE,
    "sheets": ("phone/sheets",),
    "kept": ("round/words", *OUTBOX, "phone/kept"),
}


class Script(NamedTuple):
    """A joined file and the hash of its contents."""

    content: bytes
    digest: str


def script(name: str) -> Script:
    """Return a joined file; read anew each time while it is being worked on."""
    return _joined(name) if settings.DEBUG else _known(name)


def address_of(name: str) -> str:
    """Return the address of a joined file as it is now."""
    return reverse("script", args=[name, script(name).digest])


def qr_library() -> str | None:
    """Return the address of the script that draws QR codes, where the system has it."""
    name = "qrcode-generator/qrcode.js"
    try:
        return static(name) if finders.find(name) else None
    except ValueError:  # installed since static files were collected
        return None


def _joined(name: str) -> Script:
    folder = settings.BASE_DIR / "static" / "js"
    content = "".join(spare((folder / f"{room}.js").read_text("utf-8")) for room in ROOMS[name])
    return Script(content.encode(), hashlib.sha256(content.encode()).hexdigest()[:12])


def spare(script: str) -> str:
    r"""Return a script without its indentation and the lines that are comments.

    No text of ours runs over several lines, so nothing else is lost.

    >>> spare("  // a\n  b(); // c\n")
    'b(); // c\n'
    """
    lines = [line.strip() for line in script.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


@cache
def _known(name: str) -> Script:
    return _joined(name)
