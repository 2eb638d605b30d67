"""Table cards of six tables, and what is handed to the printer."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.models import Session, Sitting
from tournaments.printing import contents, rendering


def print_nothing(monkeypatch: pytest.MonkeyPatch) -> list[contents.PrintRun]:
    """Return the list of print runs from now on, which are not printed."""
    runs: list[contents.PrintRun] = []

    def stamped(_template: str, *run: Any) -> bytes:
        runs.append(contents.PrintRun(*run))
        return b"%PDF-"

    monkeypatch.setattr(rendering, "stamped_pdf", stamped)
    return runs


def cards_of(run: contents.PrintRun) -> list[dict[str, Any]]:
    return [card for chunk in run.fillings for page in chunk["pages"] for card in page]


def table(session: Session, number: int) -> Sitting:
    return session.sittings.get(number=number)
