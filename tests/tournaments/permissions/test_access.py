"""Who may see, record and correct; everybody else gets 404."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core import signing
from django.http import Http404, HttpRequest
from django.test import Client, RequestFactory

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.permissions import admission, door, rights, tournament_lists
from tournaments.permissions.levels import Level
from tournaments.web import phone_cookie

ROLES = ("nobody", "stranger", "elsewhere", "link", "scorekeeper", "director", "superuser")
STAFF = {"scorekeeper", "director", "superuser"}


class World(NamedTuple):
    """A tournament, one of its tables, and a request of every role."""

    tournament: Tournament
    sitting: Sitting
    browsers: dict[str, HttpRequest]


def browser(user: User | AnonymousUser, *links: Sitting) -> HttpRequest:
    """Return a request of a user who has opened the links of these tables."""
    request = RequestFactory().get("/")
    request.user = user
    request.session = Client().session
    for sitting in links:
        admission.ensure_admitted(request, sitting)
    return request


def make_world(tournament: Tournament) -> World:
    sitting = cast.make_sitting(tournament)
    other = cast.make_sitting(cast.make_tournament())
    director_of_other = cast.make_staff(other.session.tournament, "elsewhere", "director")
    browsers = {
        "nobody": browser(AnonymousUser()),
        "stranger": browser(cast.make_user("stranger")),
        "elsewhere": browser(director_of_other, other),
        "link": browser(AnonymousUser(), sitting),
        "scorekeeper": browser(cast.make_staff(tournament, "kiroku")),
        "director": browser(cast.make_staff(tournament, "daihyo", "director")),
        "superuser": browser(User.objects.create_superuser("root")),
    }
    return World(tournament, sitting, browsers)


def who_may(world: World, do: Callable[[HttpRequest], object]) -> set[str]:
    """Return the roles for which `do` neither returns false nor raises 404."""

    def may(request: HttpRequest) -> bool:
        try:
            return bool(do(request))
        except Http404:
            return False

    return {role for role in ROLES if may(world.browsers[role])}


@pytest.fixture
def world(db: None) -> World:
    return make_world(cast.make_tournament())


@pytest.fixture
def table_tonight(db: None) -> World:
    return make_world(cast.make_tournament(kind=Tournament.Kind.TABLE))


def place(world: World) -> tuple[str, int, int]:
    return world.tournament.slug, world.sitting.session.number, world.sitting.number


def test_unpublished_tournament_is_seen_by_staff_and_tables(world: World) -> None:
    slug = world.tournament.slug
    assert who_may(world, lambda request: rights.tournament_to_see(request, slug)) == {
        *STAFF,
        "link",
    }


def test_published_tournament_is_seen_by_everybody(db: None) -> None:
    world = make_world(cast.make_tournament(published=True))
    slug = world.tournament.slug
    assert who_may(world, lambda request: rights.tournament_to_see(request, slug)) == set(ROLES)


def test_only_directors_direct(world: World) -> None:
    slug = world.tournament.slug
    may = who_may(world, lambda request: rights.tournament_to_direct(request, slug))
    assert may == {"director", "superuser"}


@pytest.mark.parametrize("published", [False, True])
def test_staff_and_the_table_itself_record(db: None, *, published: bool) -> None:
    world = make_world(cast.make_tournament(published=published))
    may = who_may(world, lambda request: door.find_sitting(request, *place(world), Level.RECORD))
    assert may == {*STAFF, "link"}
    assert may == who_may(world, lambda request: rights.may_record(request, world.sitting))


def test_staff_correct(world: World) -> None:
    may = who_may(world, lambda request: rights.may_correct(request, world.sitting))
    assert may == STAFF


def test_club_table_corrects_its_rounds(table_tonight: World) -> None:
    world = table_tonight
    may = who_may(world, lambda request: rights.may_correct(request, world.sitting))
    assert may == {*STAFF, "link"}


def test_link_opens_one_table(world: World) -> None:
    neighbour = cast.make_sitting(world.tournament)
    request = browser(AnonymousUser(), neighbour)
    assert door.find_sitting(request, *place(world), Level.SEE) == world.sitting
    assert not rights.may_record(request, world.sitting)
    with pytest.raises(Http404):
        door.find_sitting(request, *place(world), Level.RECORD)


def test_a_browser_may_hold_several_links(world: World) -> None:
    sittings = [cast.make_sitting(world.tournament) for _ in range(3)]
    request = browser(AnonymousUser(), *sittings)
    assert all(rights.may_record(request, sitting) for sitting in sittings)


@pytest.mark.parametrize("signed_with", ["", "another salt"])
def test_forged_cookie_is_ignored(world: World, signed_with: str) -> None:
    request = browser(AnonymousUser())
    (secret,) = phone_cookie.cookie_of(world.browsers["link"]).secrets.values()
    forged = {"secrets": {str(world.sitting.pk): secret}, "coming": {}}
    told = signing.dumps(forged, salt=signed_with) if signed_with else json.dumps(forged)
    request.COOKIES[phone_cookie.NAME] = told
    request.__dict__.pop("phone_cookie", None)
    assert not rights.may_record(request, world.sitting)
    assert not rights.club_tables_of(request)
    with pytest.raises(Http404):
        rights.tournament_to_see(request, world.tournament.slug)


def test_phone_secret_is_valid_at_its_table_only(world: World) -> None:
    neighbour = cast.make_sitting(world.tournament)
    request = browser(AnonymousUser(), neighbour)
    kept = phone_cookie.cookie_of(request)
    (secret,) = kept.secrets.values()
    kept.secrets = {str(world.sitting.pk): secret}
    assert not rights.may_record(request, world.sitting)


@pytest.mark.parametrize("who", ROLES)
def test_missing_objects_answer_404(world: World, who: str) -> None:
    request, (slug, session, table) = world.browsers[who], place(world)
    with pytest.raises(Http404):
        rights.tournament_to_see(request, "no-such-tournament")
    with pytest.raises(Http404):
        rights.tournament_to_direct(request, "no-such-tournament")
    for missing in ((slug, session + 1, table), (slug, session, table + 1)):
        with pytest.raises(Http404):
            door.find_sitting(request, *missing, Level.SEE)


def test_role_is_limited_to_its_tournament(world: World) -> None:
    other = cast.make_sitting(cast.make_tournament())
    for who in ("link", "scorekeeper", "director"):
        request = world.browsers[who]
        assert rights.role_in(request, other.session.tournament) is None
        assert not rights.may_record(request, other)
        assert not rights.may_correct(request, other)


def test_front_page_lists_published_and_own_tournaments(world: World) -> None:
    cast.make_tournament(published=True, name="public")
    listed = {
        who: set(tournament_lists.tournaments_of(request).values_list("name", flat=True))
        for who, request in world.browsers.items()
    }
    assert listed["nobody"] == listed["stranger"] == listed["link"] == {"public"}
    mine = {"public", world.tournament.name}
    assert listed["scorekeeper"] == listed["director"] == listed["superuser"] == mine


def test_the_front_page_lists_a_tournament_once(world: World) -> None:
    world.tournament.memberships.create(user=cast.make_user("third"), role="scorekeeper")
    found = tournament_lists.tournaments_of(world.browsers["director"])
    assert list(found) == [world.tournament]


def test_club_table_is_listed_in_its_own_browser_only(table_tonight: World) -> None:
    world = table_tonight
    assert who_may(world, rights.club_tables_of) == {"link"}
    for request in world.browsers.values():
        assert world.tournament not in tournament_lists.tournaments_of(request)


def test_tables_of_a_tournament_are_not_listed_as_club_tables(world: World) -> None:
    assert not rights.club_tables_of(world.browsers["link"])


def test_removed_member_has_no_rights(world: World) -> None:
    request = world.browsers["scorekeeper"]
    world.tournament.memberships.filter(role="scorekeeper").delete()
    assert not rights.may_record(request, world.sitting)
    with pytest.raises(Http404):
        rights.tournament_to_see(request, world.tournament.slug)


def test_an_inactive_superuser_or_member_does_not_stay_logged_in(world: World) -> None:
    user = User.objects.get(username="kiroku")
    client = cast.browser_of(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get(world.tournament.get_absolute_url()).status_code == 404
