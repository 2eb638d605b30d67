"""Removing a tournament: it is hidden, its links end, and it can be restored as it was."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import code, phone
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Session, Sitting, Tournament
from tournaments.services import phones, tournaments


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six; at the first one round is recorded."""
    session = cast.make_session(tournament, tables=2)
    cast.record(session.sittings.get(number=1))
    return session


def last_act(tournament: Tournament) -> AuditEntry:
    return tournament.audit_entries.latest("number")


@pytest.fixture
def mistake(tournament: Tournament) -> Session:
    return cast.make_sitting(tournament).session


def test_a_removed_event_is_hidden_and_its_links_end(
    director: Client, client: Client, mistake: Session
) -> None:
    tournament, sitting = mistake.tournament, mistake.sittings.get()
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    at_the_table, page = phone(sitting), reverse("remove-tournament", args=[tournament.slug])
    assert director.post(page, {"do": "remove", "reason": "二重登録"}).status_code == 302
    for browser in (client, director):
        assert browser.get(tournament.get_absolute_url()).status_code == 404
        assert browser.get(sitting.get_absolute_url()).status_code == 404
        assert tournament.get_absolute_url() not in browser.get("/").text.replace(page, "")
        assert browser.get("/api/tournaments").json()["tournaments"] == []
    assert at_the_table.ask("GET", f"/api/sittings/{sitting.pk}").status_code == 401
    with pytest.raises(phones.NoSuchLink):
        phones.join(sitting.token)
    assert "二重登録" in director.get(page).text
    assert client.get(page).status_code == 404
    assert last_act(tournament).kind == AuditEntry.Kind.EVENT_REMOVED
    assert verification.verify(tournament) == []
    assert list(verification.verify_everything()) == []


def test_removed_event_is_not_readable_over_the_api(
    director: Client, client: Client, mistake: Session
) -> None:
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    place = f"/api/sittings/{mistake.sittings.get().pk}"
    assert [each.get(place).status_code for each in (director, client)] == [200, 200]
    tournaments.remove_tournament(mistake.tournament, by=SOMEBODY)
    assert [each.get(place).status_code for each in (director, client)] == [404, 401]


def test_an_account_does_not_list_a_removed_event(director: Client, mistake: Session) -> None:
    at = mistake.tournament.get_absolute_url()
    assert len(director.get("/api/token").json()["tournaments"]) == 1
    assert at in director.get(reverse("account")).text
    tournaments.remove_tournament(mistake.tournament, by=SOMEBODY)
    assert director.get("/api/token").json()["tournaments"] == []
    assert at not in director.get(reverse("account")).text


def test_opened_link_of_a_removed_event_does_not_break_other_pages(
    client: Client, mistake: Session
) -> None:
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    link = reverse("join-table", args=[mistake.sittings.get().token])
    assert client.get(link).status_code == 302
    tournaments.remove_tournament(mistake.tournament, by=SOMEBODY)
    assert client.get("/").status_code == 200
    told_why = client.get(link)
    assert told_why.status_code == 404
    assert reverse("standings", args=[mistake.tournament.slug]) not in told_why.text


WORDS = {
    "ja": {
        "tournament": ("この大会は削除されました", "本部でお尋ねください"),
        "table": ("この卓は削除されました", "記録がなかったため"),
    },
    "en": {
        "tournament": ("The tournament has been removed", "Ask the desk where"),
        "table": ("The table has been removed", "Nothing was recorded at this table"),
    },
    "zh-hans": {
        "tournament": ("本次比赛已删除", "请到记录台询问"),
        "table": ("这一桌已删除", "没有任何记录"),
    },
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["tournament", "table"])
@pytest.mark.parametrize("language", WORDS)
def test_phone_of_a_removed_event_gets_an_explanation(
    client: Client, language: str, kind: str
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(kind=kind, published=True))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    link = reverse("join-table", args=[sitting.token])
    client.get(link, follow=True)
    play = reverse("play-table", args=[sitting.session.tournament.slug, 1, 1])
    assert WORDS[language][kind][1] in client.get(play).text  # known to the phone before
    tournaments.remove_tournament(sitting.session.tournament, by=SOMEBODY)
    for page in (link, play):
        answer = client.get(page)
        assert answer.status_code == 404
        assert all(words in answer.text for words in WORDS[language][kind])
        leads_on = f'button-primary" href="{reverse("join")}"' in answer.text
        assert leads_on == (kind == "tournament")
    refused: Any = client.get(f"/api/sittings/{sitting.pk}")
    assert code(refused) == (401, "event_removed")


def test_api_says_that_the_event_is_removed(mistake: Session) -> None:
    at_the_table, place = (
        phone(mistake.sittings.get()),
        f"/api/sittings/{mistake.sittings.get().pk}",
    )
    tournaments.remove_tournament(mistake.tournament, by=SOMEBODY)
    assert code(at_the_table.ask("GET", place)) == (401, "event_removed")
    tournaments.restore_tournament(mistake.tournament, by=SOMEBODY)
    assert code(at_the_table.ask("GET", place)) == (401, "phone_ended")


def test_a_removed_event_is_restored_as_it_was(director: Client, mistake: Session) -> None:
    tournament = mistake.tournament
    tournaments.remove_tournament(tournament, by=SOMEBODY)
    page = reverse("remove-tournament", args=[tournament.slug])
    assert page in director.get("/").text
    assert director.post(page, {"do": "restore"}).status_code == 302
    assert director.get(mistake.get_absolute_url()).status_code == 200
    assert verification.verify(tournament) == []


def test_an_event_with_records_is_not_removed(director: Client, session: Session) -> None:
    page = reverse("remove-tournament", args=[session.tournament.slug])
    assert director.post(page, {"do": "remove"}).status_code == 422
    assert Tournament.objects.filter(pk=session.tournament_id).exists()


def test_nothing_is_written_in_an_event_removed_meanwhile(mistake: Session) -> None:
    sitting = Sitting.objects.get(session=mistake)
    tournaments.remove_tournament(mistake.tournament, by=SOMEBODY)
    with pytest.raises(Tournament.DoesNotExist):
        cast.record(sitting)
