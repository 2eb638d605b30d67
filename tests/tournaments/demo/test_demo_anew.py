"""`manage.py demo` where there was none: the same by the same seed, and beside what is there."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

import scoring
from tests.cast import make_tournament
from tournaments.models import Entry, Round, Tournament

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> None:
    call_command("demo", *arguments, stdout=StringIO())


def facts_of(seed: int) -> list[tuple[object, ...]]:
    """Return all facts of a demo with this seed, and roll it back."""
    with transaction.atomic():
        run("--seed", str(seed))
        people = Entry.objects.order_by("tournament__slug", "number").values_list("name", "club")
        rounds = Round.objects.order_by(
            "sitting__session__tournament__slug",
            *("sitting__session__number", "sitting__number", "number", "version"),
        )
        found: list[tuple[object, ...]] = [*people, *rounds.values_list("facts", "reason")]
        transaction.set_rollback(True)
    return found


@pytest.mark.alike
def test_the_same_seed_makes_the_same_demo() -> None:
    assert facts_of(5) == facts_of(5)


def test_other_tournaments_are_unchanged() -> None:
    mine = make_tournament()
    run()
    assert not mine.is_frozen
    assert Tournament.objects.count() == 1 + len(scoring.RULE_SETS)
