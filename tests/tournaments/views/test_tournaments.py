"""The page of a tournament: its progress and the next step."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Tournament
from tournaments.queries.presence import Status
from tournaments.services import presence
from tournaments.services.publications import publish, show_live


def test_it_is_hidden_until_it_is_published(
    client: Client, stranger: Client, tournament: Tournament
) -> None:
    for browser in (client, stranger):
        assert browser.get(tournament.get_absolute_url()).status_code == 404
    show_live(tournament, by=cast.SOMEBODY)
    for browser in (client, stranger):
        assert browser.get(tournament.get_absolute_url()).status_code == 200


def test_the_public_sees_the_public_part_only(
    client: Client, scorekeeper: Client, director: Client, tournament: Tournament
) -> None:
    cast.make_sitting(tournament)
    Tournament.objects.update(sessions_planned=2)
    show_live(tournament, by=cast.SOMEBODY)
    private = [
        reverse(name, args=[tournament.slug])
        for name in ("edit-tournament", "publish", "staff", "edit-plan")
    ]
    seen = {
        browser: [address in browser.get(tournament.get_absolute_url()).text for address in private]
        for browser in (client, scorekeeper, director)
    }
    assert 'class="plan-line"' in client.get(tournament.get_absolute_url()).text
    assert not any(seen[client])
    assert not any(seen[scorekeeper])
    assert all(seen[director])


def test_unfinished_session_comes_first(director: Client, tournament: Tournament) -> None:
    first, second = (cast.make_sitting(tournament) for _ in range(2))
    cast.record(first)
    page = director.get(tournament.get_absolute_url())
    assert page.context["next_step"] == "play"
    assert page.context["on_now"] == first.session
    seating = director.get(reverse("seat-session", args=[tournament.slug]))
    assert seating.context["unfinished"] == [first.session, second.session]
    for number in range(2, 11):
        cast.record(first, number=number)
    assert director.get(tournament.get_absolute_url()).context["on_now"] == second.session


@pytest.mark.both
def test_the_director_is_told_the_next_step(director: Client, tournament: Tournament) -> None:
    def next_step() -> str:
        return str(director.get(tournament.get_absolute_url()).context["next_step"])

    assert next_step() == "add_entries"
    for entry in cast.make_entries(tournament, 6):
        assert next_step() == "call_roll"
        expected, present = Status.EXPECTED, Status.PRESENT
        presence.mark_presence(entry, 1, present, seen_status=expected, by=cast.SOMEBODY)
    assert next_step() == "seat"
    sitting = cast.make_sitting(tournament)
    assert next_step() == "show"
    show_live(tournament, by=cast.SOMEBODY)
    assert next_step() == "play"
    for number in range(1, 11):
        cast.record(sitting, number=number)
    assert next_step() == "announce"
    publish(tournament, by=cast.SOMEBODY)
    assert next_step() == "close"
    row = sitting.rounds.get(number=3)
    cast.record(
        sitting,
        {**row.facts, "deals": [{"kankei": 4, "mukankei": 9}]},
        number=3,
        seen=1,
        reason="席の読み違い",
    )
    assert next_step() == "announce_again"


def test_page_shows_the_progress_of_sessions(director: Client, tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    first = cast.record(sitting)
    cast.record(sitting, {**first.facts, "kankei": ["2", "4"]}, seen=1, reason="seats mixed up")
    (shown,) = director.get(tournament.get_absolute_url()).context["sessions"]
    assert shown.progress == (1, 1, 10, 0)  # a correction is no further round


@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu", "gouji"])
def test_it_shows_the_fingerprint(client: Client, db: None, rule_set: str) -> None:
    tournament = cast.make_tournament(rule_set, published=True)
    assert tournament.rules.fingerprint in client.get(tournament.get_absolute_url()).text


def test_a_name_is_never_markup(client: Client, db: None) -> None:
    tournament = cast.make_tournament(name="<script>alert(1)</script>", published=True)
    assert "<script>alert" not in client.get(tournament.get_absolute_url()).text
