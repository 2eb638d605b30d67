"""A correction that ends the game earlier sets aside the rounds after it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import scoring
from scoring.variants.gong_zhu import scoring_cards
from tests import cast, events
from tests.api import code, json_of, phone, staff
from tournaments import archives, audit
from tournaments.models import AuditEntry, Round, Sitting, Tournament
from tournaments.queries.progress import Progress, progress_of, progress_of_sheets, sessions_of
from tournaments.queries.sheets import sheet_of, sheets_for
from tournaments.queries.standings import tally_of
from tournaments.services import acceptances, automatic_backups, disputes, rounds, sessions
from tournaments.services.publications import publish
from tournaments.verification import verify
from tournaments.verification.publications import fault_in

REASON = "札の読み違い"


@pytest.fixture
def sitting(db: None) -> Sitting:
    """A table that has played four deals of Gong Zhu."""
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu", rounds_per_session=4), players=4)
    for number in (1, 2, 3, 4):
        cast.record(sitting, mild(sitting), number=number)
    return sitting


@pytest.fixture
def scorekeeper(sitting: Sitting) -> Client:
    return cast.browser_of(cast.make_staff(sitting.session.tournament, "scorekeeper"))


def mild(sitting: Sitting) -> dict[str, Any]:
    """Return a deal in which everybody takes something and nobody loses much."""
    one, two, three, four = cast.keys(sitting)
    hearts = [card for card in scoring_cards(4) if card[0] == "H"]
    return {
        "captured": {one: ["SQ"], two: ["DJ", *hearts[:5]], three: ["C10"], four: hearts[5:]},
        "exposed": [],
    }


def ruin(sitting: Sitting) -> dict[str, Any]:
    """Return a deal that ends the game: one player takes all but a heart; ♠Q, ♣10, ♥A exposed."""
    first, second = cast.keys(sitting)[:2]
    cards = [card for card in scoring_cards(4) if card != "H3"]
    return {"captured": {first: cards, second: ["H3"]}, "exposed": ["SQ", "C10", "HA"]}


def typed(facts: dict[str, Any], seen: int, **others: Any) -> dict[str, Any]:
    takers = {card: player for player, cards in facts["captured"].items() for card in cards}
    return takers | {"exposed": facts["exposed"], "seen": seen, "reason": REASON} | others


def address(sitting: Sitting, name: str, number: int) -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number, number])


def set_aside(sitting: Sitting, number: int = 2) -> None:
    facts = ruin(sitting)
    by = cast.SOMEBODY
    rounds.record_round(
        sitting, number, facts, seen_version=1, by=by, reason=REASON, set_aside=True
    )


def test_form_lists_the_rounds_to_set_aside(scorekeeper: Client, sitting: Sitting) -> None:
    page = cast.in_english(scorekeeper).post(
        address(sitting, "record-round", 2), typed(ruin(sitting), seen=1)
    )
    assert page.status_code == 422
    assert "over before deal 3, deal 4" in page.content.decode()
    assert "What no longer counts" in page.content.decode()
    assert 'name="set_aside"' in page.content.decode()
    assert Round.objects.count() == 4


def test_disputed_version_may_end_the_game_earlier(scorekeeper: Client, sitting: Sitting) -> None:
    found = cast.make_disagreement(sitting, ruin(sitting), 2)
    settle = reverse("settle-disagreement", args=[sitting.session.tournament.slug, found.pk])
    page = cast.in_english(scorekeeper).get(settle)
    assert page.context["other"].played
    assert "No longer counts, but stays on record: deal 3, deal 4" in page.text
    typed = {"seen": 1, "decision": "other", "reason": REASON}
    refused = scorekeeper.post(settle, typed)
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"set_aside"}
    assert scorekeeper.post(settle, typed | {"set_aside": "on"}).status_code == 302
    assert [row.version for row in sheet_of(sitting).rows] == [1, 2]
    assert verify(sitting.session.tournament) == []


@pytest.mark.both
def test_ticked_rounds_are_set_aside_in_one_entry(scorekeeper: Client, sitting: Sitting) -> None:
    record = address(sitting, "record-round", 2)
    answer = scorekeeper.post(record, typed(ruin(sitting), seen=1, set_aside="on"))
    assert answer.status_code == 302, answer.context["form"].errors
    sheet = sheet_of(sitting)
    assert len(sheet.rows) == 2
    assert sheet.is_finished
    assert Round.objects.count() == 7  # nothing is lost
    acts = AuditEntry.objects.filter(kind="round_corrected")
    assert [act.subject["round"] for act in acts] == [2, 3, 4]
    assert {act.reason for act in acts} == {REASON}
    assert verify(sitting.session.tournament) == []


def test_points_are_shown_before_it_is_ticked(scorekeeper: Client, sitting: Sitting) -> None:
    answer = cast.in_english(scorekeeper).post(
        address(sitting, "preview-round", 2), typed(ruin(sitting), seen=1)
    )
    assert "Players whose points or rank change" in answer.json()["html"]


def test_without_the_tick_nothing_is_recorded(sitting: Sitting) -> None:
    with pytest.raises(scoring.InvalidRecord):
        cast.record(sitting, ruin(sitting), number=2, seen=1, reason=REASON)
    assert Round.objects.count() == 4


def test_tick_sets_aside_only_rounds_after_the_end(sitting: Sitting) -> None:
    players = cast.keys(sitting)
    facts = {"captured": {players[1]: list(scoring_cards(4))}, "exposed": []}
    rounds.record_round(
        sitting, 2, facts, seen_version=1, by=cast.SOMEBODY, reason=REASON, set_aside=True
    )
    assert len(sheet_of(sitting).rows) == 4


def test_api_needs_set_aside(sitting: Sitting) -> None:
    desk = staff(cast.make_staff(sitting.session.tournament, "scorekeeper"))
    address = f"/api/sittings/{sitting.pk}/rounds/2"
    body = {"facts": ruin(sitting), "seen": 1, "reason": REASON}
    assert code(desk.put(address, body)) == (422, "game_over")
    assert Round.objects.count() == 4
    asked = {**body, "set_aside": True}
    answers = [desk.put(address, asked, key="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert json_of(answers[0]) == json_of(answers[1])
    assert json_of(answers[0])["facts"]["exposed"] == ["SQ", "C10", "HA"]
    listed = json_of(desk.ask("GET", f"/api/sittings/{sitting.pk}/rounds"))["rounds"]
    assert [each["number"] for each in listed] == [1, 2]
    assert Round.objects.count() == 7
    assert code(desk.put(address, body, key="once")) == (409, "key_reused")
    assert verify(sitting.session.tournament) == []


@pytest.mark.both
@pytest.mark.parametrize(("accepted", "expected"), [(False, 200), (True, 403)])
def test_table_does_not_set_aside_accepted_rounds(
    sitting: Sitting, accepted: bool, expected: int
) -> None:
    kind = Tournament.Kind.TABLE  # without a desk a table corrects any round of its own
    Tournament.objects.update(accepting=Tournament.Accepting.SAME, kind=kind)
    if accepted:
        acceptances.accept_round(sitting, 4, 1, by=cast.SOMEBODY)
    body = {"facts": ruin(sitting), "seen": 1, "reason": REASON, "set_aside": True}
    answer = phone(sitting).put(f"/api/sittings/{sitting.pk}/rounds/2", body)
    assert answer.status_code == expected
    assert Round.objects.count() == (4 if accepted else 7)


def test_rounds_set_aside_count_nowhere(sitting: Sitting) -> None:
    set_aside(sitting)
    tournament = sitting.session.tournament
    assert {row.place.rounds_played for row in cast.standings_for(tournament) if row.place} == {2}
    [found] = progress_of(Tournament.objects.all())
    [session] = sessions_of(tournament)
    assert found.progress == session.progress == progress_of_sheets(sheets_for(tournament))


def test_rounds_after_the_end_of_a_game_are_not_planned(sitting: Sitting) -> None:
    other = cast.make_sitting(sitting.session.tournament, players=4)
    tournament = other.session.tournament
    cast.record(other, mild(other))
    assert sessions_of(tournament)[1].progress == Progress(tables=1, recorded=1, planned=4)
    cast.record(other, ruin(other), number=2)
    _first, last = sessions_of(tournament)
    assert last.is_over
    assert last.progress == Progress(tables=1, recorded=2, planned=2)
    sheets = sheets_for(tournament)
    assert progress_of_sheets(sheets[1:]) == last.progress
    assert tally_of(sheets).planned == 4 + 2


def test_end_of_a_game_can_be_the_end_of_its_session(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = cast.make_sitting(sitting.session.tournament, players=4)
    scheduled: list[object] = []
    monkeypatch.setattr(automatic_backups, "_call_after_commit", scheduled.append)
    cast.record(other, mild(other))
    assert not scheduled
    cast.record(other, ruin(other), number=2)
    assert len(scheduled) == 1


def test_ended_session_whose_games_reached_the_limit_is_not_reopened(
    scorekeeper: Client, sitting: Sitting
) -> None:
    table = cast.make_sitting(sitting.session.tournament, players=4)
    session, by = table.session, cast.SOMEBODY
    place = [session.tournament.slug, session.number]
    ending = reverse("end-session", args=place)
    pages = [session.get_absolute_url(), session.tournament.get_absolute_url()]
    cast.record(table, mild(table))
    sessions.end_session(session, stopping=[table.number], by=by)
    assert all(f'href="{ending}"' in scorekeeper.get(page).text for page in pages)
    assert 'value="resume"' in scorekeeper.get(ending).text
    cast.record(table, ruin(table), number=2)
    assert not any(f'href="{ending}"' in scorekeeper.get(page).text for page in pages)
    assert 'value="resume"' not in scorekeeper.get(ending).text


def test_older_publication_that_planned_them_is_no_fault(sitting: Sitting) -> None:
    set_aside(sitting)
    publication = publish(sitting.session.tournament, by=cast.SOMEBODY)
    assert publication.content["progress"]["planned"] == 2
    assert not fault_in(publication)
    publication.content["progress"]["planned"] = 4
    assert not fault_in(publication)
    publication.content["progress"]["planned"] = 3
    assert fault_in(publication)


def test_history_shows_rounds_set_aside(scorekeeper: Client, sitting: Sitting) -> None:
    set_aside(sitting)
    table = cast.in_english(scorekeeper).get(sitting.get_absolute_url()).content.decode()
    history = address(sitting, "round-history", 4)
    assert f'href="{history}"' in table
    page = scorekeeper.get(history)
    assert "it no longer counts" in page.content.decode()
    assert [version.row.version for version in page.context["versions"]] == [2, 1]
    assert scorekeeper.get(address(sitting, "round-history", 5)).status_code == 404


def test_round_set_aside_can_be_stored_again(scorekeeper: Client, sitting: Sitting) -> None:
    first = mild(sitting)
    set_aside(sitting)
    assert "?version=" not in scorekeeper.get(address(sitting, "round-history", 3)).content.decode()
    cast.record(sitting, first, number=2, seen=2, reason="正しかった")
    history = scorekeeper.get(address(sitting, "round-history", 3)).content.decode()
    assert "?version=1" in history
    record = address(sitting, "record-round", 3)
    form = scorekeeper.get(f"{record}?version=1").context["form"]
    assert form["SQ"].value() == cast.keys(sitting)[0]
    answer = scorekeeper.post(record, typed(first, seen=0))
    assert answer.status_code == 302, answer.context["form"].errors
    assert [row.version for row in sheet_of(sitting).rows] == [1, 3, 3]
    assert verify(sitting.session.tournament) == []


def test_rounds_are_set_aside_twice(sitting: Sitting) -> None:
    first = mild(sitting)
    for seen in (1, 3):
        rounds.record_round(
            sitting,
            2,
            ruin(sitting),
            seen_version=seen,
            by=cast.SOMEBODY,
            reason=REASON,
            set_aside=True,
        )
        cast.record(sitting, first, number=2, seen=seen + 1, reason=REASON)
        cast.record(sitting, first, number=3)
    assert [row.version for row in sheet_of(sitting).rows] == [1, 5, 5]


def test_a_disagreement_about_a_deal_set_aside_is_settled(sitting: Sitting) -> None:
    dispute = cast.make_disagreement(sitting, number=4)
    set_aside(sitting)
    disputes.keep_stored_facts(dispute, seen_version=0, by=cast.SOMEBODY)
    dispute.refresh_from_db()
    assert dispute.settled_at is not None


def test_rounds_set_aside_survive_an_archive(sitting: Sitting) -> None:
    set_aside(sitting)
    tournament = sitting.session.tournament
    content = archives.export_archive(tournament, with_private=True)
    events.forget(tournament)
    owner = User.objects.create_superuser("owner", password="owner")
    back = archives.import_archive(content, by=audit.Actor(owner, "owner"))
    assert len(sheet_of(Sitting.objects.get(session__tournament=back)).rows) == 2
    assert Round.objects.count() == 7
    assert verify(back) == []
