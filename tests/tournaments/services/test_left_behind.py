"""Rounds that only the computer that was there before has stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests import cast
from tournaments import backups
from tournaments.backups import Reason, sqlite
from tournaments.backups.rounds import rounds_in
from tournaments.models import Disagreement, Epoch, Sitting
from tournaments.services import epochs, left_behind
from tournaments.services.left_behind import LeftBehind

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]


@pytest.fixture
def left(shared_database: None, tmp_path: Path) -> backups.Backup:
    """A backup of the later state; the database goes on from the state before.

    The copy has the first round. Since then a second round was recorded, the first was corrected,
    and another table was seated, with a round.
    """
    sitting = cast.make_sitting()
    first = cast.plain_round(sitting)
    cast.record(sitting, first)
    contents = sqlite.copy(tmp_path / "copy")
    cast.record(sitting, number=2)
    corrected = first | {"deals": [{"kankei": 4, "mukankei": 9}]}
    cast.record(sitting, corrected, seen=1, reason="数え間違い")
    cast.record(cast.make_sitting(sitting.session.tournament))
    left = backups.take(Reason.BY_HAND)
    sqlite.replace(tmp_path / "copy", contents, lambda _copy: None, [])
    return left


def test_they_become_disputes_once(left: backups.Backup) -> None:
    held = rounds_in(left.path)
    assert len(held) == 3
    name = Sitting.objects.get().session.tournament.name
    assert left_behind.take_over(held, by=cast.SOMEBODY) == LeftBehind(2, (f"{name} 2–1",))
    found = {each.number: each.facts["deals"][-1]["kankei"] for each in Disagreement.objects.all()}
    assert found == {1: 4, 2: 5}
    left_behind.take_over(held, by=cast.SOMEBODY)
    assert Disagreement.objects.count() == 2


def test_rounds_that_are_here_are_left_alone(left: backups.Backup) -> None:
    """Also those that were corrected here since."""
    held, sitting = rounds_in(left.path), Sitting.objects.get()
    for each in held[:2]:
        seen = 1 if each.number == 1 else 0
        cast.record(sitting, each.facts, number=each.number, seen=seen, reason="票を見た")
    cast.record(sitting, number=1, seen=2, reason="前が正しかった")
    assert left_behind.take_over(held, by=cast.SOMEBODY).disputes == 0


def test_the_owner_takes_them_over_on_the_page_of_backups(left: backups.Backup) -> None:
    owner = cast.browser_of(User.objects.create(username="owner", is_superuser=True))
    address = reverse("take-over-backup", args=[left.name])
    assert address not in owner.get(reverse("backups")).text  # it is of this computer
    epochs.begin(Epoch.Reason.CONTINUED)
    brought = backups.add_upload([left.path.read_bytes()])
    address = reverse("take-over-backup", args=[brought.name])
    assert address in owner.get(reverse("backups")).text
    assert "バックアップにだけある2つの記録" in owner.post(address, follow=True).text
    assert Disagreement.objects.count() == 2
    brought.path.write_bytes(b"damaged")
    refused = owner.post(address, follow=True)
    assert [each.level_tag for each in refused.context["messages"]] == ["error"]
