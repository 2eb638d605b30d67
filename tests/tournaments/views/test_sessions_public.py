"""Seats are public as soon as they are drawn; results only when published."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import Entry, Session, Sitting, Tournament
from tournaments.queries.presence import Status
from tournaments.queries.publications import showing
from tournaments.services import presence, seating, sessions, substitutions
from tournaments.services.entries import correct_entry
from tournaments.services.publications import publish, unpublish

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    """A table with its first round published."""
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    publish(tournament, by=SOMEBODY)
    return sitting


def seat(tournament: Tournament, entries: list[Entry]) -> Session:
    return seating.open_session(tournament, [entries], by=SOMEBODY)


def public_seats(client: Client, session: Session) -> list[int]:
    """Return the entry numbers at a session's only table, the same on the page and in the API."""
    slug = session.tournament.slug
    page = client.get(session.get_absolute_url())
    (sheet,) = page.context["sheets"]
    told = client.get(reverse("api-sessions", args=[slug])).json()["sessions"]
    (table,) = next(each for each in told if each["number"] == session.number)["sittings"]
    numbers = [each["number"] for each in table["seats"]]
    assert numbers == [entry.number for entry in sheet.entries]
    assert not {"token", "link", "pin"} & table.keys()
    return numbers


def test_new_session_is_public_without_a_new_publication(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    late = cast.make_entries(tournament, 6)
    session = seat(tournament, late)
    assert public_seats(client, session) == [7, 8, 9, 10, 11, 12]
    assert session.get_absolute_url() in client.get(tournament.get_absolute_url()).text
    assert client.get(session.sittings.get().get_absolute_url()).status_code == 200
    assert client.get(reverse("player", args=[tournament.slug, 7])).status_code == 200
    assert showing.changes_since(tournament.publications.get()).count() == 1  # the players


def test_substitute_in_a_new_session_is_public_at_once(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    absent, *others, substitute = tournament.entries.all()
    session = seat(tournament, [absent, *others, *cast.make_entries(tournament, 1)])
    seen = Status.EXPECTED
    presence.mark_presence(absent, 2, Status.ABSENT, seen_status=seen, by=SOMEBODY)
    substitutions.add_substitute(absent, 2, substitute, by=SOMEBODY)
    page = cast.in_english(client).get(session.get_absolute_url())
    assert f"for {absent.name}" in page.text
    results = [
        reverse("standings", args=[tournament.slug]),
        *(reverse("player", args=[tournament.slug, each.number]) for each in (absent, substitute)),
    ]

    def told(reader: Client) -> list[bool]:
        texts = [reader.get(each).text for each in results]
        return ["replaced by" in each or "substitute for" in each for each in texts]

    staff = cast.in_english(cast.browser_of(cast.make_staff(tournament, "staff")))
    assert told(client) == [False] * 3  # the announced results are those of the first session
    publish(tournament, by=SOMEBODY)
    assert told(client) == told(staff) == [False] * 3  # nor has anybody played the second one yet
    cast.record(session.sittings.get())
    assert (told(client), told(staff)) == ([False] * 3, [True] * 3)
    publish(tournament, by=SOMEBODY)
    assert told(client) == [True] * 3
    assert client.get(reverse("sitting", args=[tournament.slug, 2, 9])).status_code == 404


def test_rounds_of_a_new_session_are_private_until_published(
    client: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    session = seat(tournament, list(tournament.entries.all()))
    standings = reverse("api-standings", args=[tournament.slug])
    before = client.get(standings).json()
    cast.record(session.sittings.get())
    assert client.get(standings).json() == before
    (sheet,) = client.get(session.get_absolute_url()).context["sheets"]
    assert sheet.rows == ()
    sessions.end_session(session, stopping={sheet.sitting.number}, by=SOMEBODY)
    for address in (session.get_absolute_url(), sheet.sitting.get_absolute_url()):
        text = cast.in_english(client).get(address).text
        assert "only the seats of this session are public" in text
        for untrue in ("not played", "not started", "0 of ", "No round has been recorded"):
            assert untrue not in text
    assert client.get(reverse("api-rounds", args=[sheet.sitting.pk])).json() == {"rounds": []}
    publish(tournament, by=SOMEBODY)
    (sheet,) = client.get(session.get_absolute_url()).context["sheets"]
    assert len(sheet.rows) == 1


@pytest.mark.parametrize("announced", [True, False])
def test_redrawn_and_removed_seats_are_public_at_once(
    client: Client, sitting: Sitting, *, announced: bool
) -> None:
    tournament = sitting.session.tournament
    session = seat(tournament, list(tournament.entries.all()))
    if announced:
        publish(tournament, by=SOMEBODY)
    seen, turned = seating.seats_version(session), list(tournament.entries.all())[::-1]
    seating.reseat(session, [turned], seen_version=seen, by=SOMEBODY)
    assert public_seats(client, session) == [6, 5, 4, 3, 2, 1]
    sessions.remove_session(session, by=SOMEBODY)
    assert client.get(session.get_absolute_url()).status_code == 404
    assert client.get(sitting.session.get_absolute_url()).status_code == 200


def test_seats_of_an_unpublished_event_are_private(client: Client, sitting: Sitting) -> None:
    unpublish(sitting.session.tournament, by=SOMEBODY)
    session = seat(sitting.session.tournament, list(sitting.session.tournament.entries.all()))
    assert client.get(session.get_absolute_url()).status_code == 404


def test_names_stay_as_published(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    entry = tournament.entries.get(number=1)
    correct_entry(entry, {"name": "改名 太郎"}, seen_version=0, by=SOMEBODY)
    session = seat(tournament, list(tournament.entries.all()))
    assert "改名 太郎" not in client.get(session.get_absolute_url()).text
