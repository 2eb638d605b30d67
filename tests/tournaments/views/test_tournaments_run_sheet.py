"""The overview as the run sheet of the day: sessions with their steps, and taking steps back."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Tournament
from tournaments.queries import presence as presence_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.presence import Status
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.run_sheet import SessionSteps
from tournaments.services import closing, entries, presence, seating, sessions
from tournaments.services.publications import publish, show_live
from tournaments.verification.publications import fault_in

pytestmark = pytest.mark.django_db


def steps_of(client: Client, tournament: Tournament) -> list[SessionSteps]:
    found: list[SessionSteps] = list(
        client.get(tournament.get_absolute_url()).context["run_sheet"].sessions
    )
    return found


def test_planned_sessions_are_listed_before_they_are_seated(
    director: Client, tournament: Tournament
) -> None:
    Tournament.objects.update(sessions_planned=3)
    page = director.get(tournament.get_absolute_url())
    assert [part.number for part in page.context["run_sheet"].sessions] == [1, 2, 3]
    for number in (1, 2, 3):
        assert f"第{number}回戦" in page.text


def test_missing_players_and_unfinished_tables_are_named(
    director: Client, tournament: Tournament
) -> None:
    entries = cast.make_entries(tournament, 12)
    for entry in entries[:-1]:
        expected = Status.EXPECTED
        presence.mark_presence(entry, 1, Status.PRESENT, seen_status=expected, by=SOMEBODY)
    page = director.get(tournament.get_absolute_url())
    assert "未確認 1人" in page.text
    assert entries[-1].name in page.text
    session = seating.open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    show_live(tournament, by=SOMEBODY)
    for number in range(1, 11):
        cast.record(session.sittings.get(number=1), number=number)
    (part,) = steps_of(director, tournament)
    assert part.unfinished == (2,)


def test_later_session_is_not_called_by_the_marks_of_the_first(
    director: Client, tournament: Tournament
) -> None:
    """Also, announced interim results are not to be announced again."""
    Tournament.objects.update(sessions_planned=2)
    sitting = cast.make_sitting(tournament)
    for entry in tournament.entries.all():
        expected = Status.EXPECTED
        presence.mark_presence(entry, 1, Status.PRESENT, seen_status=expected, by=SOMEBODY)
    cast.record(sitting)
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    page = director.get(tournament.get_absolute_url())
    first, second = page.context["run_sheet"].sessions
    assert (first.steps[0].state, second.steps[0].state) == ("done", "open")
    assert "前の回戦のまま" in page.text
    assert "ここまでの成績を発表する" in page.text
    publish(tournament, by=SOMEBODY)
    assert "ここまでの成績を発表する" not in director.get(tournament.get_absolute_url()).text


def mark_everybody(tournament: Tournament, session: int) -> None:
    roll = presence_queries.roll_call(tournament, session)
    for entry, status in roll.statuses.items():
        present = Status.PRESENT
        presence.mark_presence(entry, session, present, seen_status=status, by=SOMEBODY)


def test_unchecked_players_of_one_name_have_their_number(
    director: Client, tournament: Tournament
) -> None:
    players = cast.make_entries(tournament, 6)
    first, second = players[:2]
    tournament.entries.filter(pk__in=(first.pk, second.pk)).update(name="工藤 正")
    for entry in (first, *players[2:5]):
        expected = Status.EXPECTED
        presence.mark_presence(entry, 1, Status.PRESENT, seen_status=expected, by=SOMEBODY)
    page = director.get(tournament.get_absolute_url()).text
    assert f"<bdi>工藤 正 {second.number}番</bdi>" in page
    assert f"<bdi>{players[5].name}</bdi>" in page


def test_session_in_play_has_its_own_roll_call_and_clock_beside_an_unfinished_one(
    client: Client, director: Client, tournament: Tournament
) -> None:
    """The sheet of a table of the first session is missing while the second is played."""
    players = cast.make_entries(tournament, 12)
    seats = [players[:6], players[6:]]
    mark_everybody(tournament, 1)
    first = seating.open_session(tournament, seats, by=SOMEBODY)
    show_live(tournament, by=SOMEBODY)
    for number in range(1, 11):
        cast.record(first.sittings.get(number=1), number=number)
    seen = presence_queries.marks_version(tournament)
    presence.restart_roll_call(tournament, 2, seen_version=seen, by=SOMEBODY)
    second = seating.open_session(tournament, seats, by=SOMEBODY)
    cast.start_clock(second, ClockSettings(3000))
    steps = steps_of(director, tournament)
    assert [[step.code for step in part.steps[:2]] for part in steps[:2]] == [
        ["seat", "play"],
        ["call_roll", "seat"],
    ]
    assert (steps[1].steps[0].state, steps[0].unfinished) == ("open", (2,))
    mark_everybody(tournament, 2)
    assert steps_of(director, tournament)[1].steps[0].state == "done"
    absent = (players[0], 2, Status.ABSENT)
    presence.mark_presence(*absent, seen_status=Status.PRESENT, by=SOMEBODY)
    assert director.get(tournament.get_absolute_url()).context["seats"].away == players[:1]
    clock_of_first = f'data-clock="{reverse("api-clock", args=[tournament.slug, 1])}"'
    for name in ("clock", "standings"):
        page = reverse(name, args=[tournament.slug])
        for reader in (client, director):
            assert clock_of_first not in reader.get(f"{page}?wall=1").text, name
    board = reverse("board", args=[tournament.slug])
    assert director.get(board).context["session"] == first
    cast.record(second.sittings.get(number=1))
    assert director.get(board).context["session"] == second


def test_player_who_joined_after_the_draw_does_not_undo_its_roll_call(
    director: Client, tournament: Tournament
) -> None:
    seats = [cast.make_entries(tournament, 6)]
    mark_everybody(tournament, 1)
    seating.open_session(tournament, seats, by=SOMEBODY)
    show_live(tournament, by=SOMEBODY)
    [joined] = entries.add_entries(tournament, [{"name": "石田 良"}], by=SOMEBODY)
    page = director.get(tournament.get_absolute_url())
    assert page.context["run_sheet"].sessions[0].steps[0].state == "done"
    assert page.context["missing"] == []
    roll_call = reverse("roll-call", args=[tournament.slug, 1])
    assert joined in director.get(roll_call).context["roll"].unchecked


def play_a_session(tournament: Tournament) -> None:
    """Record a round at one table, and end the session."""
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)


def test_awards_are_not_done_while_nobody_sees_the_results(
    director: Client, tournament: Tournament
) -> None:
    Tournament.objects.update(sessions_planned=1)
    play_a_session(tournament)
    closing.close(tournament, by=SOMEBODY)
    overview = tournament.get_absolute_url()
    done = "済み</span></span><strong>表彰"
    assert done not in re.sub(r"\s+", "", director.get(overview).text)
    show_live(Tournament.objects.get(), by=SOMEBODY)
    assert done in re.sub(r"\s+", "", director.get(overview).text)


def test_closed_event_tells_a_scorekeeper_who_can_reopen_it(
    scorekeeper: Client, director: Client, tournament: Tournament
) -> None:
    play_a_session(tournament)
    closing.close(tournament, by=SOMEBODY)
    pages = [
        reverse("roll-call", args=[tournament.slug, 1]),
        reverse("substitute", args=[tournament.slug, 1, 1]),
        reverse("set-clock", args=[tournament.slug, 1]),
    ]
    for page in pages:
        assert "大会責任者だけです" in scorekeeper.get(page).text
        assert "大会を再開する" in director.get(page).text


def test_published_results_are_not_to_be_published_by_the_board(
    director: Client, tournament: Tournament
) -> None:
    Tournament.objects.update(sessions_planned=1)
    play_a_session(tournament)
    board = reverse("board", args=[tournament.slug])
    assert 'id="to-publish"' in director.get(board).text
    publish(tournament, by=SOMEBODY)
    assert 'id="to-publish"' not in director.get(board).text


def test_steps_lead_where_they_are_taken(
    director: Client, scorekeeper: Client, tournament: Tournament
) -> None:
    sitting = cast.make_sitting(tournament)
    show_live(tournament, by=SOMEBODY)
    place = [tournament.slug, 1]
    by_role = {
        "both": [reverse(name, args=place) for name in ("session", "end-session", "roll-call")],
        "director": [reverse(name, args=place) for name in ("reseat-session", "remove-session")]
        + [reverse(name, args=place[:1]) for name in ("close", "archive")],
    }
    for address in by_role["both"] + by_role["director"]:
        assert f'href="{address}"' in director.get(tournament.get_absolute_url()).text
    text = scorekeeper.get(tournament.get_absolute_url()).text
    assert all(f'href="{address}"' in text for address in by_role["both"])
    assert not any(f'href="{address}"' in text for address in by_role["director"])
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    assert "終了を取り消す" in scorekeeper.get(tournament.get_absolute_url()).text


def test_steps_are_taken_back_with_a_reason(director: Client, tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    ending = reverse("end-session", args=[tournament.slug, 1])
    director.post(ending, {"do": "resume", "reason": "一卓まだ打っている"})
    show_live(tournament, by=SOMEBODY)
    publishing = reverse("publish", args=[tournament.slug])
    director.post(publishing, {"showing": "staff", "reason": "写し間違い"})
    closing.close(tournament, by=SOMEBODY)
    director.post(reverse("close", args=[tournament.slug]), {"do": "reopen", "reason": "決勝"})
    kinds = AuditEntry.Kind
    reasons = dict(tournament.audit_entries.exclude(reason="").values_list("kind", "reason"))
    assert reasons == {
        kinds.SESSION_RESUMED: "一卓まだ打っている",
        kinds.UNPUBLISHED: "写し間違い",
        kinds.REOPENED: "決勝",
    }


@pytest.mark.parametrize(
    ("page", "do"),
    [
        ("end-session", {"do": "resume"}),
        ("close", {"do": "reopen"}),
        ("publish", {"showing": "staff"}),
    ],
)
def test_reason_that_is_too_long_is_refused(
    director: Client, tournament: Tournament, page: str, do: dict[str, str]
) -> None:
    sitting = cast.make_sitting(tournament)
    show_live(tournament, by=SOMEBODY)
    if page == "end-session":
        sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    elif page == "close":
        closing.close(tournament, by=SOMEBODY)
    before = tournament.audit_entries.count()
    address = reverse(page, args=[tournament.slug, *([1] if page == "end-session" else [])])
    answer = director.post(address, do | {"reason": "長" * 501})
    assert answer.status_code == 422
    assert tournament.audit_entries.count() == before


def test_planned_sessions_are_set_published_and_archived(
    director: Client, tournament: Tournament
) -> None:
    address = reverse("edit-plan", args=[tournament.slug])
    page = director.get(address)
    answer = director.post(
        address, {"plan": "sessions", "sessions_planned": 4, "seen": page.context["seen"]}
    )
    assert answer.status_code == 302, answer.context["form"].errors
    tournament.refresh_from_db()
    assert tournament.sessions_planned == 4
    assert verification.verify(tournament) == []
    cast.record(cast.make_sitting(tournament))
    publication = publish(tournament, by=SOMEBODY)
    assert PublishedEvent(publication).tournament.sessions_planned == 4
    del publication.content["tournament"]["sessions_planned"]  # as earlier versions published it
    assert fault_in(publication) is None
    assert PublishedEvent(publication).tournament.sessions_planned is None
    Tournament.objects.update(sessions_planned=3)
    assert [fault.what for fault in verification.verify(tournament)] == [
        "tournament sessions_planned"
    ]
