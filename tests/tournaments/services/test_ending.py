"""A session ended by the desk, one removed, and an event removed: what follows, and the trace."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import base, code, director_of, phone, told
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Session, Sitting, Tournament
from tournaments.queries import progress
from tournaments.services import calls, closing, phones, seating, tournaments
from tournaments.services.sessions import (
    NotLastSession,
    end_session,
    remove_session,
    resume_session,
    unfinished_sheets,
)


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six; at the first one round is recorded."""
    entries = cast.make_entries(tournament, 12)
    session = seating.open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    cast.record(session.sittings.get(number=1))
    return session


def address(name: str, session: Session) -> str:
    return reverse(name, args=[session.tournament.slug, session.number])


def last_act(tournament: Tournament) -> AuditEntry:
    return tournament.audit_entries.latest("number")


# A session that is ended


def test_every_unfinished_table_has_to_be_ticked(scorekeeper: Client, session: Session) -> None:
    page = scorekeeper.get(address("end-session", session))
    assert [sheet.sitting.number for sheet in page.context["sheets"]] == [1, 2]
    refused = scorekeeper.post(
        address("end-session", session), {"stopping": ["1"], "reason": "急用"}
    )
    assert refused.status_code == 422
    assert "急用" in refused.text
    assert 'value="1" checked' in refused.text
    session.refresh_from_db()
    assert session.ended_at is None
    ended = {"stopping": ["1", "2"], "reason": "時間切れ"}
    assert scorekeeper.post(address("end-session", session), ended).status_code == 302
    act = last_act(session.tournament)
    assert (act.kind, act.new, act.reason) == (
        *(AuditEntry.Kind.SESSION_ENDED, {"tables": [1, 2]}),
        "時間切れ",
    )
    session.refresh_from_db()
    assert session.ended_at == act.at


def test_nobody_waits_for_an_ended_session(session: Session) -> None:
    tournament = session.tournament
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    sessions = progress.sessions_of(tournament)
    assert progress.unfinished(sessions) == []
    assert progress.progress_of([tournament])[0].state == "done"
    assert progress.next_step(tournament, 12, sessions, 0) == "announce"


def test_the_end_can_be_taken_back(scorekeeper: Client, session: Session) -> None:
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    assert "resume" in scorekeeper.get(address("end-session", session)).text
    scorekeeper.post(address("end-session", session), {"do": "resume"})
    assert last_act(session.tournament).kind == AuditEntry.Kind.SESSION_RESUMED
    assert progress.unfinished(progress.sessions_of(session.tournament)) == [session]
    assert verification.verify(session.tournament) == []


def test_rounds_that_a_table_still_sends_count(session: Session) -> None:
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    row = cast.record(session.sittings.get(number=2), by=cast.AT_THE_TABLE)
    assert row.version == 1


def test_a_timed_session_is_unfinished_while_a_round_is_under_way(session: Session) -> None:
    Tournament.objects.update(rounds_per_session=None)
    found = Session.objects.get(pk=session.pk)
    assert [each.sitting.number for each in unfinished_sheets(found)] == [2]


def test_a_program_ends_resumes_and_removes(session: Session) -> None:
    program, place = director_of(session.tournament), f"{base(session.tournament)}/sessions/1"
    refused = program.post(f"{place}/end", {"stopping": [2]})
    assert code(refused) == (409, "unfinished")
    assert told(refused)["unfinished"] == [1, 2]
    assert told(program.post(f"{place}/end", {"stopping": [1, 2]}))["ended_at"]
    assert told(program.post(f"{place}/resume"))["ended_at"] is None
    assert code(program.ask("DELETE", place)) == (409, "session_begun")
    assert code(program.ask("DELETE", base(session.tournament))) == (409, "has_records")


# A session made by mistake


@pytest.fixture
def mistake(tournament: Tournament) -> Session:
    return cast.make_sitting(tournament).session


def test_a_session_without_records_is_removed_with_a_trace(
    director: Client, mistake: Session
) -> None:
    tournament, sitting = mistake.tournament, mistake.sittings.get()
    at_the_table, seats = phone(sitting), [cast.keys(sitting)]
    assert address("remove-session", mistake) in director.get(mistake.get_absolute_url()).text
    answer = director.post(address("remove-session", mistake), {"reason": "人数の間違い"})
    assert answer.headers["Location"] == tournament.get_absolute_url()
    act = last_act(tournament)
    assert (act.kind, act.old, act.reason) == (
        AuditEntry.Kind.SESSION_REMOVED,
        seats,
        "人数の間違い",
    )
    assert not tournament.sessions.exists()
    assert at_the_table.ask("GET", f"/api/sittings/{sitting.pk}").status_code == 401
    assert verification.verify(tournament) == []
    again = seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert again.number == 1
    assert phones.join(again.sittings.get().token)
    assert verification.verify(tournament) == []


def test_a_session_that_has_begun_is_not_removed(director: Client, session: Session) -> None:
    refused = director.post(address("remove-session", session), {})
    assert refused.status_code == 422
    assert str(seating.HasBegun.sentence) in refused.text
    assert Session.objects.filter(pk=session.pk).exists()


def test_a_session_in_which_a_table_called_is_not_removed(mistake: Session) -> None:
    calls.call_desk(mistake.sittings.get(), "director", "", by=cast.AT_THE_TABLE)
    with pytest.raises(seating.HasBegun):
        remove_session(mistake, by=SOMEBODY)


def test_only_the_last_session_is_removed(mistake: Session) -> None:
    tables = [list(mistake.tournament.entries.all())]
    seating.open_session(mistake.tournament, tables, by=SOMEBODY)
    with pytest.raises(NotLastSession):
        remove_session(mistake, by=SOMEBODY)


def test_a_closed_event_keeps_its_sessions(mistake: Session) -> None:
    closing.close(mistake.tournament, by=SOMEBODY)
    for act in (remove_session, resume_session):
        with pytest.raises(closing.EventClosed):
            act(mistake, by=SOMEBODY)


# An event made by mistake


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
def test_a_phone_of_a_removed_event_is_told_so(client: Client, language: str, kind: str) -> None:
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


def test_a_program_at_a_removed_table_is_told_so(mistake: Session) -> None:
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
