"""Who is the same person: proposed by name, linked by the owner, and taken back."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast, series
from tests.cast import SOMEBODY
from tournaments.models import Series
from tournaments.queries.season import season_of
from tournaments.services import closing, entries, publications, same_players
from tournaments.services import series as series_service
from tournaments.services.same_players import NotInSeries, PlayedTogether

pytestmark = pytest.mark.django_db


@pytest.fixture
def owned(creator: Client) -> Series:
    """A series of the creator, of two announced tournaments with the same six names."""
    spring, summer = series.make_played("春の大会", 4), series.make_played("夏の大会", 7)
    for each in (spring, summer):
        series.announce(each)
    return series.make_series(spring, summer, owner=User.objects.get(username="creator"))


def address(found: Series) -> str:
    return reverse("series-players", args=[found.slug])


def number_of_people(found: Series) -> int:
    return len(season_of(found, ()).people)


def test_proposed_players_are_linked_and_parted_again(creator: Client, owned: Series) -> None:
    page = creator.get(address(owned))
    proposed = page.context["proposals"]
    assert len(proposed) == 6
    assert page.text.count("checked") == 6
    creator.post(address(owned), {"pair": [each.value for each in proposed]})
    assert number_of_people(owned) == 6
    page = creator.get(address(owned))
    assert not page.context["proposals"]
    links = page.context["links"]
    creator.post(address(owned), {"part": links[0].pk})
    assert number_of_people(owned) == 7
    assert list(owned.changes.values_list("kind", flat=True))[-2:] == ["linked", "unlinked"]


def test_one_person_is_linked_once_and_never_played_twice_in_an_event(owned: Series) -> None:
    spring, summer = owned.tournaments.order_by("held_on")
    pair = spring.entries.get(number=1), summer.entries.get(number=4)
    assert [same_players.link_players(owned, [pair], by=SOMEBODY) for _ in range(2)] == [1, 0]
    [stranger] = cast.make_entries(cast.make_tournament(), 1)
    of_spring = spring.entries.get(number=2)
    for other, refusal in (of_spring, PlayedTogether), (stranger, NotInSeries):
        with pytest.raises(refusal):
            same_players.link_players(owned, [(pair[1], other)], by=SOMEBODY)


def test_links_of_a_player_who_is_removed_count_no_more(owned: Series) -> None:
    spring, summer = owned.tournaments.order_by("held_on")
    third = cast.make_tournament()
    [between] = cast.make_entries(third, 1)
    series_service.add_event(owned, third, by=SOMEBODY)
    ends = spring.entries.get(number=1), summer.entries.get(number=4)
    same_players.link_players(owned, [(each, between) for each in ends], by=SOMEBODY)
    assert number_of_people(owned) == 11
    entries.remove_entry(between, by=SOMEBODY)
    assert number_of_people(owned) == 12


def test_a_different_reading_is_not_proposed(creator: Client, owned: Series) -> None:
    for tournament, reading in zip(
        owned.tournaments.order_by("held_on"), ("なりた きよ", "なりた きよう"), strict=True
    ):
        entry = tournament.entries.get(number=1)
        person = {"name": entry.name, "reading": reading}
        entries.correct_entry(entry, person, seen_version=0, by=SOMEBODY)
        publications.publish(tournament, by=SOMEBODY)
    assert len(creator.get(address(owned)).context["proposals"]) == 5


def test_somebody_under_another_name_is_chosen(creator: Client, owned: Series) -> None:
    everybody = creator.get(address(owned)).context["everybody"]
    spring, summer = owned.tournaments.order_by("held_on")
    one = next(each for each in everybody if each.value == f"{spring.pk}.1")
    other = next(each for each in everybody if each.value == f"{summer.pk}.4")
    creator.post(address(owned), {"first": one.value, "second": other.value})
    assert number_of_people(owned) == 11


@pytest.mark.parametrize("sent", ["nothing", "of the same event", "not there", "text"])
def test_what_cannot_be_linked_is_refused(creator: Client, owned: Series, sent: str) -> None:
    spring = owned.tournaments.order_by("held_on")[0]
    values = {
        "nothing": {},
        "of the same event": {"first": f"{spring.pk}.1", "second": f"{spring.pk}.2"},
        "not there": {"first": f"{spring.pk}.1", "second": "999.2"},
        "text": {"pair": ["a=b=c"]},
    }[sent]
    answer = cast.in_english(creator).post(address(owned), values)
    assert answer.status_code == 422
    assert number_of_people(owned) == 12
    assert ("same tournament" in answer.text) is (sent == "of the same event")


def test_players_of_a_tournament_that_is_not_seen_are_not_named(
    creator: Client, owned: Series
) -> None:
    """Editors of a series need not be staff of each of its tournaments."""
    hidden = series.make_played("秋の大会", 9)
    hidden.entries.filter(number=1).update(name="秘密花子")
    series_service.add_event(owned, hidden, by=SOMEBODY)
    spring = owned.tournaments.order_by("held_on")[0]
    sent = {"first": f"{hidden.pk}.1", "second": f"{spring.pk}.1"}
    assert creator.post(address(owned), sent).status_code == 422
    assert "秘密花子" not in creator.get(reverse("edit-series", args=[owned.slug])).text
    pair = [{"tournament": each.slug, "player": 1} for each in (hidden, spring)]
    api = reverse("api-same-players", args=[owned.slug])
    body = {"pairs": [{"first": pair[0], "second": pair[1]}]}
    answer = creator.post(api, body, content_type="application/json")
    assert answer.status_code == 409
    assert not owned.same_players.exists()


def test_people_who_played_in_one_event_are_not_proposed_as_one(
    creator: Client, owned: Series
) -> None:
    spring = owned.tournaments.earliest("held_on")
    closing.reopen(spring, by=SOMEBODY)
    spring.entries.filter(number=2).update(name=spring.entries.get(number=1).name)
    series.announce(spring)
    assert len(creator.get(address(owned)).context["proposals"]) == 5
