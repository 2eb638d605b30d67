"""What a publication holds: the standings as announced, and nothing private."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.private_data import PRIVATE, private_in
from tests.tournaments.views.publications import correct, play_two_rounds
from tournaments import audit, verification
from tournaments.audit import guards
from tournaments.models import Entry, Publication, Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.queries.publications.events import PublishedEvent
from tournaments.services import acceptances
from tournaments.services.publications import publish, show_live, unpublish


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    return play_two_rounds(tournament)


def test_publication_equals_the_live_pages(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publication = publish(tournament, by=cast.SOMEBODY)
    live, announced = Event(tournament), PublishedEvent(publication)
    assert [row.place for row in announced.standings] == [row.place for row in live.standings]
    assert [sheet.score for sheet in announced.sheets] == [sheet.score for sheet in live.sheets]
    assert [each.progress for each in announced.sessions] == [
        each.progress for each in live.sessions
    ]
    assert [entry.public_values() for entry in announced.entries] == [
        entry.public_values() for entry in live.entries
    ]


@pytest.mark.both
def test_a_publication_has_number_time_person_and_digest(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    first = publish(tournament, by=audit.Actor(None, "director"))
    again = publish(tournament, by=audit.Actor(None, "director"))
    assert (first.number, again.number) == (1, 2)
    assert again.who == "director"
    assert again.at >= first.at
    assert first.digest == again.digest  # nothing has changed in between
    correct(sitting)
    assert publish(tournament, by=cast.SOMEBODY).digest != first.digest
    told = Client().get(reverse("standings", args=[tournament.slug])).content.decode()
    assert Publication.objects.get(number=3).short_digest in told


def test_nothing_private_is_announced(sitting: Sitting) -> None:
    Entry.objects.update(**PRIVATE)
    publication = publish(sitting.session.tournament, by=cast.SOMEBODY)
    told = json.dumps(publication.content, ensure_ascii=False)
    assert not private_in(told)


def test_anybody_can_check_the_digest_of_what_was_announced(
    director: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    correct(sitting)
    publish(tournament, by=cast.SOMEBODY)
    first, last = (reverse("api-publication", args=[tournament.slug, n]) for n in (1, 2))
    told = Client().get(last).json()
    canonical = json.dumps(told["content"], sort_keys=True, separators=(",", ":")).encode()
    assert hashlib.sha256(canonical).hexdigest() == told["digest"]
    # What was announced before stays readable, as long as the event is.
    before = Client().get(first).json()
    assert before["content"] != told["content"]
    assert director.get(first).json() == before | {"who": cast.SOMEBODY.who}
    show_live(tournament, by=cast.SOMEBODY)
    assert Client().get(first).json() == before
    unpublish(tournament, by=cast.SOMEBODY)
    assert {Client().get(each).status_code for each in (first, last)} == {401}


@pytest.mark.both
def test_announced_places_do_not_change_with_the_rules(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    content = Publication.objects.get().content
    content["standings"][0]["points"] = 99
    guards.lift_guards()
    QuerySet(Publication).filter(tournament=tournament).update(content=content)
    guards.set_guards()
    told = Client().get(reverse("api-standings", args=[tournament.slug])).json()
    assert told["standings"][0]["points"] == 99
    assert verification.verify(tournament) != []


def test_publication_has_accepted_rounds(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(accepting=Tournament.Accepting.SAME)
    sitting = cast.make_sitting(tournament)
    for number in (1, 2):
        cast.record(sitting, number=number)
    acceptances.accept_round(sitting, 1, 1, by=cast.SOMEBODY)
    publish(tournament, by=cast.SOMEBODY)
    told = Client().get(reverse("api-rounds", args=[sitting.pk])).json()["rounds"]
    assert [each["accepted"] for each in told] == [True, False]


def test_publication_does_not_name_writers(sitting: Sitting) -> None:
    cast.record(sitting, number=3, by=audit.Actor(None, "kudo.secret"))
    publication = publish(sitting.session.tournament, by=cast.SOMEBODY)
    assert "kudo.secret" not in json.dumps(publication.content)


@pytest.mark.both
def test_staff_sees_no_links_or_private_data_in_a_publication(
    director: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    Entry.objects.update(**PRIVATE)
    publish(tournament, by=cast.SOMEBODY)
    session = reverse("session", args=[tournament.slug, 1])
    assert director.get(session, {"publication": "1", "links": ""}).status_code == 200
    told = director.get(reverse("api-sessions", args=[tournament.slug]), {"publication": "1"})
    assert "token" not in told.json()["sessions"][0]["sittings"][0]
    entries = director.get(reverse("api-entries", args=[tournament.slug]), {"publication": "1"})
    assert "contact" not in entries.json()["entries"][0]
