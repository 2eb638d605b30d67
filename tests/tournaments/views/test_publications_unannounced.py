"""Changes since a publication: each that the public would see counts as unannounced."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Q
from pytest_django import DjangoDbBlocker

from tests import cast
from tests.tournaments.audit.examples import EXAMPLES
from tournaments.models import AuditEntry, Sitting, Tournament
from tournaments.queries.publications import content, showing


@pytest.fixture(scope="module")
def lasting_sitting(lasting_database: DjangoDbBlocker) -> Sitting:
    with lasting_database.unblock():
        return cast.make_sitting()


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_public_change_counts_as_unannounced(name: str, lasting_sitting: Sitting) -> None:
    """Except the acceptance of a round, which changes no result."""
    sitting = deepcopy(lasting_sitting)
    tournament = Tournament.objects.get(pk=sitting.session.tournament_id)
    act = EXAMPLES[name](sitting)
    acts = tournament.audit_entries.count()
    with transaction.atomic():
        act()
        since = tournament.audit_entries.filter(number__gt=acts)
        others = Q(kind__in={*showing.SEATING_KINDS, AuditEntry.Kind.ROUND_ACCEPTED})
        if since.filter(showing.content_changes() | others).exists():
            return
        after = content_now(tournament)
        transaction.set_rollback(True)
    assert after == content_now(tournament)


def content_now(tournament: Tournament) -> dict[str, Any]:
    return content.content_of(Tournament.every.get(pk=tournament.pk))
