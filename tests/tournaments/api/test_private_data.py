"""Private data over HTTP: until when they are stored, erased now, and events removed with them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests import cast
from tests.api import base, director_of, json_of
from tests.private_data import PRIVATE
from tournaments import archives, backups
from tournaments.backups import Reason
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_director_sets_the_end_and_erases_now(tournament: Tournament) -> None:
    cast.make_entries(tournament, 1, **PRIVATE)
    director, where = director_of(tournament), f"{base(tournament)}/private-data"
    told = director.get(where)
    assert (told["players"], told["applications"], told["erased"]) == (1, 0, None)
    assert (told["until"], told["version"]) == (None, 0)
    for days, answer in (
        (-1, (422, "private_end_too_early")),
        (10, (200, "")),
        (20, (409, "private_end_set_since")),
    ):
        until = str(tournament.held_on + timedelta(days=days))
        sent = director.put(where, {"until": until, "seen": 0})
        assert (sent.status_code, json_of(sent).get("code", "")) == answer
    told = director.get(where)
    assert told["until"] == told["last_day"] == str(tournament.held_on + timedelta(days=10))
    backup = backups.take(Reason.BY_HAND)
    told = json_of(director.ask("DELETE", where))
    assert (told["players"], told["erased"]["players"]) == (0, 1)
    assert told["erased"]["other_backups"] == [backup.name]
    assert json_of(director.ask("DELETE", where)) == told


def test_event_with_records_is_removed_with_its_archive(
    director: Client, tournament: Tournament
) -> None:
    cast.record(cast.make_sitting(tournament))
    old = archives.export_archive(tournament, with_private=False)
    cast.make_entries(tournament, 1)
    now = archives.export_archive(tournament, with_private=False)
    for sent, answer in (
        (b"something else", (422, "archive_foreign")),
        (old, (409, "has_records")),
        (now, (200, "")),
    ):
        file = SimpleUploadedFile("a.makiyaku.zip", sent)
        removed = director.post(f"{base(tournament)}/remove", {"file": file})
        assert (removed.status_code, removed.json().get("code", "")) == answer
    assert not Tournament.objects.exists()
