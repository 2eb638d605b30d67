"""What the public sees: the live event, a publication, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import code, staff
from tests.tournaments.views.publications import correct, play_two_rounds
from tests.undoing import undone
from tournaments.models import Entry, Membership, Sitting, Tournament
from tournaments.queries import exchanges
from tournaments.queries.publications import showing
from tournaments.services import acceptances, closing, entries, seating, tournaments, versions
from tournaments.services import exchanges as exchanges_service
from tournaments.services.publications import publish, show_live


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("publish", args=[tournament.slug])


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    return play_two_rounds(tournament)


def test_get_changes_nothing(director: Client, tournament: Tournament, address: str) -> None:
    assert director.get(address).status_code == 200
    tournament.refresh_from_db()
    assert not tournament.is_public


def test_public_event_has_its_address_and_qr_code(
    director: Client, tournament: Tournament, address: str
) -> None:
    shown = f"{tournament.get_absolute_url()}</a></figcaption>"
    assert shown not in director.get(address).text
    show_live(tournament, by=cast.SOMEBODY)
    assert shown in director.get(address).text.replace("<wbr>", "")  # where it may be broken


@pytest.mark.parametrize("showing", ["published", "live", "staff"])
def test_each_choice_is_carried_out(
    director: Client, tournament: Tournament, address: str, showing: str
) -> None:
    cast.record(cast.make_sitting(tournament))
    for _ in range(2):
        director.post(address, {"showing": showing})
        tournament.refresh_from_db()
        assert tournament.showing == showing
    assert tournament.publications.count() == (2 if showing == "published" else 0)


@pytest.mark.both
def test_announcing_without_records_shows_it_live(
    director: Client, tournament: Tournament, address: str
) -> None:
    answer = cast.in_english(director).post(address, {"showing": "published"}, follow=True)
    assert "Nothing is recorded yet: everybody can follow the tournament" in answer.text
    tournament.refresh_from_db()
    assert (tournament.showing, tournament.publications.count()) == ("live", 0)


@pytest.mark.both
def test_unknown_choice_changes_nothing(
    director: Client, tournament: Tournament, address: str
) -> None:
    director.post(address, {"showing": "everything"})
    assert not tournament.audit_entries.filter(
        kind__in=["published", "shown_live", "withdrawn"]
    ).exists()


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert browser.post(address, {"showing": "published"}).status_code == 404
    tournament.refresh_from_db()
    assert not tournament.is_public


def public_addresses(sitting: Sitting) -> list[str]:
    session = sitting.session
    slug = session.tournament.slug
    return [
        reverse("home"),
        reverse("api-tournaments"),
        reverse("tournament", args=[slug]),
        reverse("entries", args=[slug]),
        reverse("standings", args=[slug]),
        reverse("standings", args=[slug]) + "?wall=1",
        reverse("player", args=[slug, 1]),
        reverse("session", args=[slug, session.number]),
        reverse("sitting", args=[slug, session.number, sitting.number]),
        reverse("api-tournament", args=[slug]),
        reverse("api-entries", args=[slug]),
        reverse("api-sessions", args=[slug]),
        reverse("api-standings", args=[slug]),
        reverse("api-publications", args=[slug]),
        reverse("api-sitting", args=[sitting.pk]),
        reverse("api-rounds", args=[sitting.pk]),
        reverse("api-round", args=[sitting.pk, 1]),
    ]


def what_everybody_sees(sitting: Sitting) -> Iterator[tuple[str, Any]]:
    """Yield every public page and the cells of the workbook, with their names."""
    stranger = Client()
    for address in public_addresses(sitting):
        answer = stranger.get(address)
        assert answer.status_code == 200, address
        yield address, without_tokens(answer.content.decode())
    slug = sitting.session.tournament.slug
    book = stranger.get(reverse("standings-workbook", args=[slug])).content
    yield (
        "workbook",
        [
            [[cell.value for cell in row] for row in sheet]
            for sheet in openpyxl.load_workbook(BytesIO(book))
        ],
    )


def is_seen(sitting: Sitting, before: dict[str, Any]) -> bool:
    """Return whether any page differs from those of `before`; asks none after the first."""
    return any(before[name] != page for name, page in what_everybody_sees(sitting))


def without_tokens(page: str) -> str:
    """Remove what differs at every request: the tokens of forms and scripts."""
    kept = [
        line
        for line in page.splitlines()
        if "csrfmiddlewaretoken" not in line and "nonce" not in line
    ]
    return "\n".join(kept)


def rename(sitting: Sitting, seen: int = 0) -> None:
    entry = sitting.session.tournament.entries.get(number=1)
    person = {"name": "改名 太郎", "club": "", "division": ""}
    entries.correct_entry(entry, person, seen_version=seen, by=cast.SOMEBODY)


def note(sitting: Sitting) -> None:
    entry = sitting.session.tournament.entries.get(number=1)
    person = {"contact": "017-000-0000"}
    entries.correct_entry(entry, person, seen_version=0, by=cast.SOMEBODY)


def record_another(sitting: Sitting) -> None:
    cast.record(sitting, number=3)


def change_settings(sitting: Sitting) -> None:
    tournament = Tournament.objects.get(pk=sitting.session.tournament_id)
    tournament.name, tournament.venue = "改名大会", "別の館"
    seen = versions.version_of(tournament)
    tournaments.change_rules(tournament, tournament.rules, seen_version=seen, by=cast.SOMEBODY)


def exchange(sitting: Sitting) -> None:
    session = sitting.session
    one, other = (session.tournament.entries.get(number=number) for number in (1, 2))
    seen = exchanges.plan_exchange(session, one, other).stamp
    exchanges_service.exchange(
        session, one, other, seen_stamp=seen, by=cast.SOMEBODY, reason="席の取りちがえ"
    )


def accept(sitting: Sitting) -> None:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    acceptances.accept_round(sitting, 1, 1, by=cast.SOMEBODY)


def test_nothing_public_changes_until_it_is_announced_again(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    first = publish(tournament, by=cast.SOMEBODY)
    before = dict(what_everybody_sees(sitting))
    for change in (correct, rename, record_another, change_settings, exchange, accept):
        with undone():
            change(Sitting.objects.get(pk=sitting.pk))
            assert dict(what_everybody_sees(sitting)) == before, change
            again = publish(tournament, by=cast.SOMEBODY)
            assert again.digest != first.digest, change  # not its number and time alone
            assert is_seen(sitting, before), change


@pytest.mark.both
def test_private_change_is_not_unannounced(sitting: Sitting) -> None:
    publication = publish(sitting.session.tournament, by=cast.SOMEBODY)
    note(sitting)
    assert not showing.changes_since(publication).exists()
    rename(sitting, seen=sitting.session.tournament.audit_entries.count())
    assert showing.changes_since(publication).count() == 1


def test_staff_and_table_see_it_live(director: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    correct(sitting)
    points = reverse("api-standings", args=[tournament.slug])
    everybody = Client().get(points).json()["standings"]
    phone = Client()
    phone.get(reverse("join-table", args=[sitting.token]))
    for browser in (director, phone):
        assert browser.get(points).json()["standings"] != everybody


def test_staff_sees_the_number_of_unannounced_changes(
    director: Client, sitting: Sitting, address: str
) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    assert director.get(address).context["changes"] == 0
    correct(sitting)
    context = director.get(address).context
    assert context["changes"] == 1
    assert context["moves"]
    (late,) = cast.make_entries(tournament, 1)
    Entry.objects.filter(pk=late.pk).update(is_substitute=True)  # will have points, and no rank
    seated = [*tournament.entries.exclude(pk=late.pk)[:5], late]
    session = seating.open_session(tournament, [seated], by=cast.SOMEBODY)
    cast.record(session.sittings.get())
    page = director.get(address)
    moves = {move.after.entry: move for move in page.context["moves"]}
    assert moves[late].before.place is None
    assert (late.division, moves[late].before.entry.division) == ("一般", "")
    assert moves[late].after.place.rank is None
    assert "None" not in page.text
    publish(tournament, by=cast.SOMEBODY)
    first = tournament.entries.get(number=1)
    person = {"name": first.name, "club": "", "division": "有段者"}
    entries.correct_entry(first, person, seen_version=0, by=cast.SOMEBODY)
    page = director.get(address)
    assert first in [move.after.entry for move in page.context["moves"]]
    assert ("有段者" in page.text, "得点も順位も変わる人はいません" in page.text) == (True, False)


def test_the_staff_may_look_at_what_was_announced_before(
    director: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    correct(sitting)
    publish(tournament, by=cast.SOMEBODY)
    standings = reverse("standings", args=[tournament.slug])
    assert director.get(standings, {"publication": "1"}).context["publication"].number == 1
    for missing in ("3", "0", "-1", "x", "9" * 30, "²"):
        assert director.get(standings, {"publication": missing}).status_code == 404
    # Everybody else gets the last, whatever they ask for.
    assert Client().get(standings, {"publication": "1"}).context["publication"].number == 2


def test_live_again_shows_what_is_corrected_at_once(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    show_live(tournament, by=cast.SOMEBODY)
    before = dict(what_everybody_sees(sitting))
    correct(sitting)
    assert is_seen(sitting, before)


def test_the_api_announces_what_has_been_recorded(director: Client, tournament: Tournament) -> None:
    publish = reverse("api-publish", args=[tournament.slug])

    def answer(**asked_for: int) -> Any:
        read = director.get(reverse("api-tournament", args=[tournament.slug])).json()
        asked_for["seen_version"] = read["state_version"]
        token = director.cookies["csrftoken"].value if "csrftoken" in director.cookies else ""
        headers = {"X-CSRFToken": token}
        return director.post(
            publish, asked_for, content_type="application/json", headers=headers
        ).json()

    assert answer(published=True)["showing"] == "live"  # there is nothing to announce
    cast.record(cast.make_sitting(tournament))
    told = answer(published=True)
    assert (told["showing"], told["publication"]["number"]) == ("published", 1)
    assert answer(live=True)["showing"] == "live"
    assert answer(published=False)["showing"] == "staff"


@pytest.mark.parametrize(
    ("asked_for", "refused"),
    [
        ({}, "not_one_choice"),
        ({"live": False}, "not_one_choice"),
        ({"published": True, "live": True}, "not_one_choice"),
        ({"published": False, "live": True}, "not_one_choice"),
        ({"published": "no"}, "type"),
        ({"published": 0}, "type"),
        ({"published": None}, "type"),
        ({"live": "yes"}, "type"),
    ],
)
def test_public_state_changes_only_on_request(
    tournament: Tournament, asked_for: dict[str, Any], refused: str
) -> None:
    cast.record(cast.make_sitting(tournament))
    publish(tournament, by=cast.SOMEBODY)
    director = staff(cast.make_staff(tournament, "head", Membership.Role.DIRECTOR))
    answer = director.post(reverse("api-publish", args=[tournament.slug]), asked_for)
    assert code(answer) == (422, refused)
    tournament.refresh_from_db()
    assert tournament.showing == "published"


def test_closing_is_public_at_once(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    told = reverse("api-tournament", args=[tournament.slug])
    assert Client().get(told).json()["closed_at"] is None  # and from now on it is kept ready
    closing.close(tournament, by=cast.SOMEBODY)
    assert Client().get(told).json()["closed_at"] is not None


def test_without_results_nothing_is_offered_that_needs_them(
    director: Client, tournament: Tournament
) -> None:
    """Neither publishing, nor files and prints of empty lists."""

    def offered() -> list[bool]:
        pages = ("publish", "awards", "standings")
        texts = [director.get(reverse(name, args=[tournament.slug])).text for name in pages]
        links = ["award-list", "standings-workbook"]
        needles = ['value="published"', *(reverse(link, args=[tournament.slug]) for link in links)]
        return [needle in text for needle, text in zip(needles, texts, strict=True)]

    assert offered() == [False] * 3
    cast.record(cast.make_sitting(tournament))
    assert offered() == [True] * 3


def test_page_says_that_a_publication_does_not_hold_back_seats(
    director: Client, client: Client, sitting: Sitting, address: str
) -> None:
    told = cast.in_english(director).get(address).text
    assert "Everybody sees names, rounds and standings as they are at this moment" in told
    assert "where players sit now shows at once" in told
    tournament = sitting.session.tournament
    publish(tournament, by=cast.SOMEBODY)
    *_, newcomer = cast.make_entries(tournament, 6)
    seated = list(tournament.entries.filter(number__gt=6))
    seating.open_session(tournament, [seated], by=cast.SOMEBODY)
    assert newcomer.name in client.get(reverse("seats", args=[tournament.slug])).text
