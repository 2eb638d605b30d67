"""The page on the end of private data, and removing an event with records."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.private_data import PRIVATE
from tournaments import archives
from tournaments.models import Tournament
from tournaments.queries.private_data import holdings_of
from tournaments.standby import followers, targets


@pytest.fixture
def page(tournament: Tournament) -> str:
    return reverse("private-data", args=[tournament.slug])


def test_director_sets_the_end_and_sees_it_at_the_event(
    director: Client, tournament: Tournament, page: str
) -> None:
    for days, status in ((-1, 422), (10, 302), (20, 409)):
        until = tournament.held_on + timedelta(days=days)
        assert director.post(page, {"until": until, "seen": 0}).status_code == status
    tournament.refresh_from_db()
    end = tournament.held_on + timedelta(days=10)
    assert tournament.private_until == end
    words = f"{end.year}年{end.month}月{end.day}日"
    assert words in director.get(tournament.get_absolute_url()).text
    assert words in director.get(page).text


def test_director_erases_now_and_reads_what_was_erased(
    director: Client, tournament: Tournament, page: str
) -> None:
    cast.make_entries(tournament, 2, **PRIVATE)
    assert "個人情報を消去" in director.get(page).text
    shown = director.post(page, {"do": "erase"}, follow=True).text
    assert holdings_of(tournament) == (0, 0)
    assert "1人の連絡先・生年・備考" in shown
    assert "個人情報は残っていません" in shown


def test_places_with_standby_copies_are_named(director: Client, page: str, tmp_path: Path) -> None:
    assert "控え" not in director.get(page).text
    (tmp_path / "USB").mkdir()
    targets.choose(settings.STANDBY_DIR, tmp_path / "USB")
    code = followers.new_code(settings.STANDBY_DIR, b"")
    followers.pair(settings.STANDBY_DIR, code.token, "laptop-2", "")
    shown = director.get(page).text
    assert "次の場所の控え" in shown
    assert shown.index("<bdi>USB</bdi>") < shown.index("<bdi>laptop-2</bdi>")


def test_applicants_read_when_their_data_are_erased(tournament: Tournament) -> None:
    cast.open_registration(tournament)
    end = tournament.private_data_end
    page = Client().get(reverse("register", args=[tournament.slug])).text
    assert f"{end.year}年{end.month}月{end.day}日" in page


def test_event_with_records_is_removed_with_its_archive(
    director: Client, tournament: Tournament
) -> None:
    cast.record(cast.make_sitting(tournament))
    page = reverse("remove-tournament", args=[tournament.slug])
    content = archives.export_archive(tournament, with_private=False)
    for sent, status in ((None, 422), (b"something else", 422), (content, 302)):
        file = {"file": SimpleUploadedFile("a.makiyaku.zip", sent)} if sent else {}
        assert director.post(page, {"do": "remove", **file}).status_code == status
    assert not Tournament.objects.exists()
