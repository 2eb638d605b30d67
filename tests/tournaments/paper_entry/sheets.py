"""A typed sheet for tests of paper entry."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tournaments.models import Sitting

# Ten rounds of a table of six, some of two and three deals.
TEN = """\
1 24 94 97 88
35 59
46 95 79
51 94 160* 97
26 68
13 103 97 97
52 49
35 90 87 94
64 88
15 95 79"""


def address(sitting: Sitting, name: str = "enter-sheet") -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number])


def typed(text: str, *, first: int = 1, seen: int = 0, **others: Any) -> dict[str, Any]:
    return {"rounds": text, "first": first, "seen": seen} | others
