"""Ending, resuming and removing a session."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tests.api import base, code, director_of, json_of, phone
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Session, Tournament
from tournaments.queries import progress, run_sheet
from tournaments.queries.events import Event
from tournaments.queries.sheets import sheet_of
from tournaments.services import calls, closing, phones, seating, tournaments
from tournaments.services.publications import show_live
from tournaments.services.sessions import (
    NotLastSession,
    end_session,
    remove_session,
    resume_session,
    unfinished_sheets,
)
from tournaments.services.table_players import change_players
from tournaments.services.versions import version_of


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six; at the first one round is recorded."""
    session = cast.make_session(tournament, tables=2)
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
    assert "終わっていない卓：まだ終わっていない卓があります" in refused.text
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


def test_ended_session_is_not_waited_for(session: Session) -> None:
    tournament = session.tournament
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    sessions = progress.sessions_of(tournament)
    assert progress.unfinished_sessions(sessions) == []
    assert progress.progress_of([tournament])[0].state == "done"
    day = run_sheet.day_of(Event(tournament), timezone.now())
    assert run_sheet.next_step(day) == "announce"


def test_ended_session_is_resumed(scorekeeper: Client, session: Session) -> None:
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    assert "resume" in scorekeeper.get(address("end-session", session)).text
    scorekeeper.post(address("end-session", session), {"do": "resume"})
    assert last_act(session.tournament).kind == AuditEntry.Kind.SESSION_RESUMED
    assert progress.unfinished_sessions(progress.sessions_of(session.tournament)) == [session]
    assert verification.verify(session.tournament) == []


def test_complete_session_is_not_reopened(scorekeeper: Client, session: Session) -> None:
    """Its late records have come in: no page offers what changes nothing, in any language."""
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    ending = address("end-session", session)
    leading = [session.get_absolute_url(), session.tournament.get_absolute_url()]
    waits = {
        "en": "Makiyaku then waits for missing rounds again.",
        "ja": "足りない記録を、また待つことになります。",
        "zh-hans": "之后将重新等待尚缺的记录。",
    }

    def check_offered(*, is_waiting: bool, is_offered: bool) -> None:
        for language, words in waits.items():
            scorekeeper.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            page = scorekeeper.get(ending).text
            assert (words in page) == is_waiting
            assert ('value="resume"' in page) == is_offered
            for leads in leading:
                assert (f'href="{ending}"' in scorekeeper.get(leads).text) == is_offered

    missing = [(table, number) for table in (1, 2) for number in range(3 - table, 11)]
    for table, number in missing:
        if number > 8:
            check_offered(is_waiting=True, is_offered=True)
        cast.record(session.sittings.get(number=table), number=number, by=cast.AT_THE_TABLE)
    check_offered(is_waiting=False, is_offered=False)
    resume_session(session, by=SOMEBODY)
    assert progress.unfinished_sessions(progress.sessions_of(session.tournament)) == []
    check_offered(is_waiting=False, is_offered=False)
    show_live(Tournament.objects.get(), by=SOMEBODY)
    assert "badge-done" in Client().get(leading[1]).text  # over as those that the desk ended
    cast.in_english(scorekeeper)
    may_be_undone = "You can reopen the session on this page."
    assert may_be_undone not in scorekeeper.get(ending).text
    cast.make_session(session.tournament, tables=1)
    assert may_be_undone in scorekeeper.get(ending.replace("sessions/1", "sessions/2")).text
    session.tournament.sessions.get(number=2).delete()
    Session.objects.update(rounds_planned=None)
    Tournament.objects.update(rounds_per_session=None)
    end_session(session, stopping=[], by=SOMEBODY)  # a session by time goes on if reopened
    check_offered(is_waiting=False, is_offered=True)


def test_rounds_sent_after_the_end_count(session: Session) -> None:
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    row = cast.record(session.sittings.get(number=2), by=cast.AT_THE_TABLE)
    assert row.version == 1


def test_unfinished_tables_are_in_the_order_that_people_see(
    scorekeeper: Client, session: Session
) -> None:
    """A table whose players have changed has the last of the stored numbers."""
    table = session.sittings.get(number=1)
    seated, joins = sheet_of(table).entries, cast.make_entries(session.tournament, 1)
    keys = [each.key for each in seated]
    change_players(table, [*seated[:-1], *joins], seen_players=keys, by=SOMEBODY)
    page = scorekeeper.get(address("end-session", session))
    assert [sheet.sitting.shown_number for sheet in page.context["sheets"]] == [1, 2]
    shown = scorekeeper.get(session.tournament.get_absolute_url()).context["run_sheet"]
    assert shown.sessions[0].unfinished == (1, 2)


def test_a_timed_session_is_unfinished_while_a_round_is_under_way(session: Session) -> None:
    Tournament.objects.update(rounds_per_session=None)
    found = Session.objects.get(pk=session.pk)
    assert [each.sitting.number for each in unfinished_sheets(found)] == [2]


def test_resumed_session_says_that_it_keeps_its_number_of_rounds(
    scorekeeper: Client, session: Session
) -> None:
    tournament = session.tournament
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    for rounds, is_told in ((tournament.rounds_per_session, False), (7, True)):
        current = Tournament.objects.get(pk=tournament.pk)
        current.rounds_per_session = rounds
        seen = version_of(current)
        tournaments.change_rules(current, current.rules, seen_version=seen, by=SOMEBODY)
        resumed = {"do": "resume"}
        page = scorekeeper.post(address("end-session", session), resumed, follow=True)
        assert ("これまでどおり" in page.text) == is_told
        end_session(Session.objects.get(pk=session.pk), stopping=[1, 2], by=SOMEBODY)


def test_api_ends_resumes_and_removes(session: Session) -> None:
    program, place = director_of(session.tournament), f"{base(session.tournament)}/sessions/1"
    refused = program.post(f"{place}/end", {"stopping": [2]})
    assert code(refused) == (409, "unfinished")
    assert json_of(refused)["unfinished"] == [1, 2]
    assert json_of(program.post(f"{place}/end", {"stopping": [1, 2]}))["ended_at"]
    assert json_of(program.post(f"{place}/resume"))["ended_at"] is None
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


@pytest.mark.both
def test_a_session_that_has_begun_is_not_removed(director: Client, session: Session) -> None:
    refused = director.post(address("remove-session", session), {})
    assert refused.status_code == 422
    assert str(seating.HasBegun.sentence) in refused.text
    assert Session.objects.filter(pk=session.pk).exists()


def test_session_with_a_call_is_not_removed(mistake: Session) -> None:
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
