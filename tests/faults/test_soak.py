"""A tournament over a lossy network with a server that is killed: see `soak.py`.

In a small size; docs/faults.md describes larger runs.
"""

from __future__ import annotations

from tests.faults import lossy, soak
from tests.faults.installations import Installer


def test_recomputation_agrees_with_the_rule_text() -> None:
    """Both worked games of the association's text, 13 and 38 points."""
    first: list[soak.Deal] = [
        {"kankei": 9, "mukankei": 4},
        {"kankei": 16, "mukankei": 0, "declaration": "juroku"},
        {"kankei": 9, "mukankei": 7},
    ]
    second: list[soak.Deal] = [
        {"kankei": 9, "mukankei": 0},
        {"kankei": 8, "mukankei": 0},
        {"kankei": 1, "mukankei": 12, "declaration": "reverse_juroku"},
    ]
    assert (soak.kankei_points(first), soak.kankei_points(second)) == (13, 38)


def test_tournament_survives_losses_and_kills(install: Installer) -> None:
    here = install.served()
    url = here.environment.get("DATABASE_URL", "")
    report = soak.soak(here.data, tables=3, rounds=6, kills=3, database_url=url)
    assert report.wrong == []
    assert report.kills == 3
    assert report.tries > report.items
    assert report.looks > 0
    assert len(report.befell) == len(lossy.FATES)
