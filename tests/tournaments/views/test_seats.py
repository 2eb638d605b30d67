"""The seats are public where the director says so, and nothing of the results with them."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from scoring import Place
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.markup import tight
from tests.proposals import propose
from tests.visiting import NAMES, OF_A_TOURNAMENT, World, make_world
from tournaments import verification
from tournaments.models import Presence, Sitting, Tournament
from tournaments.permissions.levels import Level, levels_by_url_name
from tournaments.services import closing, publications, tournaments
from tournaments.services.entries import add_entries, correct_entry
from tournaments.services.play_offs import open_play_off
from tournaments.services.presence import mark_presence
from tournaments.services.seating import PlayOffPlan, open_session
from tournaments.services.sessions import end_session
from tournaments.services.substitutions import add_substitute
from tournaments.services.table_players import change_players

PEOPLE = [
    {"name": "庄司 一平", "reading": "ショウジ イッペイ"},
    {"name": "成田 キヨ", "reading": "なりた きよ"},
    *({"name": f"選手{number}"} for number in range(3, 7)),
]
# Shows the seats, or what hangs on no tournament's results.
WITH_SEATS = {"seats", "clock", "api-seats", "api-clock", "tournament"}


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    entries = add_entries(tournament, PEOPLE, by=SOMEBODY)
    return open_session(tournament, [entries], by=SOMEBODY).sittings.get()


def show_seats(tournament: Tournament, *, shows: bool = True) -> None:
    publications.set_shows_seats(tournament, shows=shows, by=SOMEBODY)


def seats_page(tournament: Tournament) -> str:
    return reverse("seats", args=[tournament.slug])


def test_every_search_tells_what_it_finds_and_what_is_searched_for(
    director: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    pages = [
        seats_page(tournament),
        reverse("roll-call", args=[tournament.slug, 1]),
        reverse("entries", args=[tournament.slug]),
    ]
    board = reverse("reseat-session", args=[tournament.slug, 1])
    for lacking in (False, True):
        for entry in tournament.entries.exclude(reading="") if lacking else ():
            nameless = {"name": entry.name, "reading": ""}
            correct_entry(entry, nameless, seen_version=0, by=SOMEBODY)
        shown = [director.get(page, {"q": "成田"}).text for page in pages]
        assert all('name="q"' in text and 'value="成田"' in text for text in shown)
        for text in (*shown, propose(director, board, hand="1").text):
            [told] = re.findall(r'<input type="search"[^>]*\splaceholder="([^"]*)"', text)
            assert ("ふりがな" in told, "ふりがななし" in told) == (True, lacking)
    for template in (settings.BASE_DIR / "templates").rglob("*.html"):
        text = template.read_text()
        if re.search(r"placeholder=\"{% translate '[^']*reading", text):
            assert "{% if has_readings %}" in text, template


def test_seats_are_public_by_themselves(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    assert client.get(seats_page(tournament)).status_code == 404
    show_seats(tournament)
    assert "庄司 一平" in client.get(seats_page(tournament)).text
    overview = client.get(tournament.get_absolute_url())
    assert (overview.status_code, overview.headers["Location"]) == (302, seats_page(tournament))
    front = client.get("/")
    assert front.text.count(f'href="{seats_page(tournament)}"') == 2  # the card, and the list
    assert reverse("log-in") not in front.text.split('id="tournaments-title"')[1].split("</ul>")[0]
    points = reverse("player", args=[tournament.slug, 1])
    assert points not in client.get(seats_page(tournament)).text
    show_seats(tournament, shows=False)
    assert client.get(seats_page(tournament)).status_code == 404
    assert seats_page(tournament) not in client.get("/").text
    assert verification.verify(tournament) == []
    publications.show_live(tournament, by=SOMEBODY)
    standings = client.get(reverse("standings", args=[tournament.slug])).text
    tabs = standings.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    assert f'href="{seats_page(tournament)}"' in tabs
    assert f'href="{points}"' in client.get(seats_page(tournament)).text


@pytest.mark.parametrize("typed", ["庄司", "しょうじ", "syouji ipp", "Shōji", "1", "ショウジ"])
def test_own_seat_is_found_without_a_script(client: Client, sitting: Sitting, typed: str) -> None:
    show_seats(sitting.session.tournament)
    page = client.get(seats_page(sitting.session.tournament), {"q": typed})
    assert [seat.entry.name for seat in page.context["seats"]] == ["庄司 一平"]


def test_player_without_a_seat_is_told_from_a_mistyped_name(
    client: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    add_entries(tournament, [{"name": "古川 サダ", "reading": "ふるかわ さだ"}], by=SOMEBODY)
    end_session(sitting.session, stopping=[1], by=SOMEBODY)
    open_session(tournament, [list(tournament.entries.exclude(number=7))], by=SOMEBODY)
    show_seats(tournament)
    resting = client.get(seats_page(tournament), {"q": "furukawa"})
    assert [(seat.entry.name, seat.table) for seat in resting.context["seats"]] == [
        ("古川 サダ", None)
    ]
    assert resting.context["is_somebody_shown"]
    assert "この回戦は抜け番です" in resting.text
    assert "古川 サダ" in listed(client, tournament)
    told = client.get(reverse("api-seats", args=[tournament.slug])).json()
    assert told["sitting_out"] == [7]
    gone, status = tournament.entries.get(number=7), Presence.Status
    mark_presence(gone, 2, status.WITHDRAWN, seen_status=status.EXPECTED, by=SOMEBODY)
    away = client.get(seats_page(tournament), {"q": "furukawa"})
    assert "この回戦の席はありません" in away.text
    assert "抜け番" not in away.text
    assert "古川 サダ" not in listed(client, tournament)
    assert not client.get(seats_page(tournament), {"q": "古河"}).context["is_somebody_shown"]


@pytest.mark.parametrize("state", ["on", "over", "next", "closed"])
def test_only_who_can_still_play_is_sent_to_the_desk(
    client: Client, sitting: Sitting, state: str
) -> None:
    """Whether a player has left the table, or never had a seat."""
    tournament, session = sitting.session.tournament, sitting.session
    newcomers = add_entries(tournament, [{"name": "古川 サダ"}, {"name": "石田 トク"}], by=SOMEBODY)
    show_seats(tournament)
    cast.record(sitting)
    players = [*(seat.entry for seat in sitting.seats.all())]
    change_players(
        sitting,
        [*players[1:], newcomers[0]],
        seen_players=cast.keys(sitting),
        seen_rounds=1,
        by=SOMEBODY,
    )
    leaver = players[0]
    if state in {"over", "next"}:
        end_session(session, stopping=[2], by=SOMEBODY)
    if state == "next":
        status = Presence.Status
        for entry in (leaver, newcomers[1]):
            mark_presence(entry, 2, status.LATE, seen_status=status.EXPECTED, by=SOMEBODY)
        open_session(tournament, [[*players[1:], newcomers[0]]], by=SOMEBODY)
    if state == "closed":
        closing.close(tournament, by=SOMEBODY)
    for entry in (leaver, newcomers[1]):
        page = client.get(seats_page(tournament), {"q": entry.key})
        assert [seat.entry for seat in page.context["seats"]] == [entry]
        assert "この回戦の席はありません" in page.text
        assert ("本部へお知らせください" in page.text) == (state in {"on", "next"})


@pytest.mark.parametrize("shows", ["live", "published before", "published"])
def test_seats_and_api_tell_who_sits_out_as_the_session_does(
    client: Client, director: Client, tournament: Tournament, shows: str
) -> None:
    """Of all reasons for having no seat, only that the draw had none is sitting out."""
    entries = cast.make_entries(tournament, 11)
    late, absent = entries[6:8]
    for entry, status in ((late, Presence.Status.LATE), (absent, Presence.Status.ABSENT)):
        mark_presence(entry, 1, status, seen_status=Presence.Status.EXPECTED, by=SOMEBODY)
    substitute = add_substitute(absent, 1, {"name": "山田"}, by=SOMEBODY).substitute
    if shows == "published before":
        publications.publish(tournament, by=SOMEBODY)
    session = open_session(tournament, [entries[:6]], by=SOMEBODY)
    cast.make_entries(tournament, 1)
    here = Presence.Status.PRESENT
    mark_presence(late, 1, here, seen_status=Presence.Status.LATE, by=SOMEBODY)
    if shows == "published":
        publications.publish(tournament, by=SOMEBODY)
    show_seats(tournament)
    reasons = dict(director.get(session.get_absolute_url()).context["absences"])
    told = {each.number for each in reasons["抜け番"]}
    assert told == {8, 9, 10, 11}
    told = told - {absent.number} | {substitute.number}
    for browser in (client, director):
        listed_seats = browser.get(seats_page(tournament)).context["seats"]
        assert {each.entry.number for each in listed_seats if each.sits_out} == told
        api = browser.get(reverse("api-seats", args=[tournament.slug])).json()
        assert api["sitting_out"] == sorted(told)


def test_seats_tell_who_plays_for_whom_as_the_session_does(
    client: Client, director: Client, tournament: Tournament
) -> None:
    """The replaced player is found, with the substitute's seat, but is not listed."""
    entries = cast.make_entries(tournament, 8)
    absent, unseated = entries[6:]
    for entry in (absent, unseated):
        seen, status = Presence.Status.EXPECTED, Presence.Status.ABSENT
        mark_presence(entry, 1, status, seen_status=seen, by=SOMEBODY)
    substitute = add_substitute(absent, 1, {"name": "山田"}, by=SOMEBODY).substitute
    add_substitute(unseated, 1, {"name": "石田"}, by=SOMEBODY)
    session = open_session(tournament, [[*entries[:5], substitute]], by=SOMEBODY)
    show_seats(tournament)
    words = f"{absent.name}さんの代理"
    assert tight(director.get(session.get_absolute_url()).text).count(words) == 2
    assert not {absent.name, unseated.name} & {*listed(client, tournament)}
    for browser in (client, director):
        page = browser.get(seats_page(tournament))
        seats = {each.entry.number: each for each in page.context["seats"]}
        own, replaced = seats[substitute.number], seats[absent.number]
        assert (own.table, own.position, own.plays_for) == (1, 6, absent)
        assert (replaced.table, replaced.position, replaced.substitute) == (1, 6, substitute)
        assert seats[unseated.number].table is None  # nor has the substitute a seat
        for name in ("山田", "石田"):
            [line] = [each for each in tight(page.text).split("<li") if f"代理：{name}" in each]
            assert "data-unseated" in line
            assert "この回戦の席はありません" not in line
            assert ("第1卓" in line) == (name == "山田")
        assert tight(page.text).count(words) == 1
    names = browser.get(seats_page(tournament), {"q": absent.name}).context["seats"]
    assert [each.entry for each in names] == [absent]


def test_seats_of_a_session_name_nobody_who_was_replaced_in_another(
    client: Client, tournament: Tournament
) -> None:
    entries = cast.make_entries(tournament, 7)
    seen, status = Presence.Status.EXPECTED, Presence.Status.ABSENT
    mark_presence(entries[6], 1, status, seen_status=seen, by=SOMEBODY)
    substitute = add_substitute(entries[6], 1, {"name": "山田"}, by=SOMEBODY).substitute
    first = open_session(tournament, [[*entries[:5], substitute]], by=SOMEBODY)
    end_session(first, stopping=[1], by=SOMEBODY)
    here = Presence.Status.PRESENT
    mark_presence(entries[6], 2, here, seen_status=status, by=SOMEBODY)
    open_session(tournament, [[*entries[1:7]]], by=SOMEBODY)
    show_seats(tournament)
    assert "代理" not in client.get(seats_page(tournament)).text


def listed(client: Client, tournament: Tournament) -> list[str]:
    """Return the names shown without a search."""
    seats = client.get(seats_page(tournament)).context["seats"]
    return [seat.entry.name for seat in seats if seat.is_listed]


def test_seats_are_current_after_a_publication_in_the_middle_of_the_session(
    client: Client, sitting: Sitting
) -> None:
    """Whoever joins is found, has a page, and sits where the desk says; results stay published."""
    tournament = sitting.session.tournament
    show_seats(tournament)
    cast.record(sitting)
    publications.publish(tournament, by=SOMEBODY)
    published = places_shown(client, tournament)
    [joiner] = add_entries(tournament, [{"name": "古川 サダ"}], by=SOMEBODY)
    players = [seat.entry for seat in sitting.seats.order_by("position")]
    seen = [each.key for each in players]
    change_players(sitting, [joiner, *players[1:]], seen_players=seen, by=SOMEBODY)
    page = client.get(seats_page(tournament), {"q": "古川"})
    [seat] = page.context["seats"]
    assert (seat.entry, seat.table) == (joiner, 1)
    own_page = reverse("player", args=[tournament.slug, joiner.number])
    assert f'href="{own_page}"' in page.text
    assert client.get(own_page).status_code == 200
    names = reverse("entries", args=[tournament.slug])
    assert "古川 サダ" in client.get(names, {"q": "古川"}).text
    assert players[0].name not in listed(client, tournament)
    session_page = client.get(sitting.session.get_absolute_url()).text
    assert 'href="#seats"' not in session_page  # those of the publication
    assert session_page.count(f'href="{seats_page(tournament)}">自分の席をさがす') == 1
    assert "自分の席をさがす</span>" not in session_page
    [told] = client.get(reverse("api-seats", args=[tournament.slug])).json()["sittings"][-1:]
    assert joiner.number in [each["number"] for each in told["seats"]]
    assert places_shown(client, tournament) == published


def test_who_is_not_in_the_final_is_not_sent_to_the_desk(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    cast.record(sitting)
    show_seats(tournament)
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    members = [tournament.entries.get(number=number) for number in (2, 4, 5)]
    open_session(tournament, [[*members, *cast.make_entries(tournament, 3)]], by=SOMEBODY)
    page = client.get(seats_page(tournament), {"q": "庄司"}).text
    assert "この回戦には出ません" in page
    assert "本部へ" not in page


def test_play_off_beside_a_final_does_not_hide_its_seats(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    others = cast.make_entries(tournament, 6)
    players = list(tournament.entries.all())
    open_session(tournament, [players[:6]], by=SOMEBODY)
    plan = PlayOffPlan([7, 8], rounds=1)
    open_play_off(tournament, plan, [[*others]], number=3, by=SOMEBODY)
    show_seats(tournament)
    page = client.get(seats_page(tournament))
    assert page.context["session"] == 2
    seats = {seat.entry.number: (seat.session, seat.table) for seat in page.context["seats"]}
    assert seats == {n: (2 if n <= 6 else 3, 1) for n in range(1, 13)}
    assert page.text.count("<small>決定戦</small>") == 6
    for session in tournament.sessions.all():
        end_session(session, stopping=[1], by=SOMEBODY)
    assert client.get(seats_page(tournament)).context["session"] == 3


def places_shown(client: Client, tournament: Tournament) -> list[Place]:
    rows = client.get(reverse("standings", args=[tournament.slug])).context["table"].data
    return [row.place for row in rows if row.place]


def test_play_off_after_an_announcement_is_none_of_the_sessions(
    client: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    cast.record(sitting)
    add_entries(tournament, [{"name": "古川 サダ"}], by=SOMEBODY)
    publications.publish(tournament, by=SOMEBODY)
    end_session(sitting.session, stopping=[1], by=SOMEBODY)
    plan, seated = PlayOffPlan([2, 4], rounds=1), list(tournament.entries.all())[:6]
    open_play_off(tournament, plan, [seated], number=2, by=SOMEBODY)
    page = client.get(seats_page(tournament), {"q": "古川"}).text
    assert "決定戦" in page
    assert "第2回戦" not in page
    assert "抜け番" not in page
    assert "古川 サダ" not in listed(client, tournament)


def test_seats_of_the_newest_session_are_shown(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    show_seats(tournament)
    entries = list(tournament.entries.order_by("-number"))
    open_session(tournament, [entries], by=SOMEBODY)
    page = client.get(seats_page(tournament))
    assert page.context["session"] == 2
    assert {seat.entry.number: seat.position for seat in page.context["seats"]}[6] == 1


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["anonymous", "elsewhere"])
def test_no_other_address_opens_with_the_seats(role: str, nothing_printed: None) -> None:
    """Requests every address, as somebody without a role in the tournament."""
    world: World = make_world()
    before = {name: world.browser(role).get(world.url(name)).status_code for name in NAMES}
    for number in range(1, 4):
        cast.record(world.sitting, number=number)
    show_seats(world.tournament)
    assert world.tournament.showing == Tournament.Showing.STAFF
    opened = set()
    for name in NAMES:
        answer = world.browser(role).get(world.url(name))
        if answer.status_code != before[name]:
            opened.add(name)
    assert opened == WITH_SEATS
    levels = levels_by_url_name()
    assert {name for name in NAMES if Level.SEATS in levels[name].values()} == WITH_SEATS
    assert {*OF_A_TOURNAMENT} >= WITH_SEATS


@pytest.mark.django_db
def test_pages_with_seats_say_the_same_whatever_is_recorded(client: Client) -> None:
    sitting = cast.make_sitting()
    tournament = sitting.session.tournament
    show_seats(tournament)
    names = sorted(WITH_SEATS - {"clock", "api-clock"})

    def said() -> list[str]:
        addresses = [reverse(name, args=[tournament.slug]) for name in names]
        return [client.get(address, follow=True).text for address in addresses]

    before = said()
    for number in range(1, 11):
        cast.record(sitting, number=number)
    assert said() == before


def test_director_shows_and_hides_them(director: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    assert director.get(tournament.get_absolute_url()).context["next_step"] == "show"
    publishing = reverse("publish", args=[tournament.slug])
    drawn = sitting.session.get_absolute_url()
    assert "まだスタッフにしか見えません" in director.get(drawn).text
    page = director.get(publishing).text
    assert page.index('id="seats-title"') < page.index('id="announce-title"')
    director.post(publishing, {"showing": "seats"})
    assert "席は公開されています" in director.get(drawn).text
    director.post(publishing, {"showing": "seats"})
    tournament.refresh_from_db()
    assert tournament.shows_seats
    assert director.get(tournament.get_absolute_url()).context["next_step"] == "play"
    assert director.get(publishing).context["seats_code"]
    assert "非公開（スタッフだけが" not in director.get(publishing).text
    assert "席だけ公開" in director.get(publishing).text
    card = f'href="{seats_page(tournament)}"'
    cast.record(sitting)
    director.post(publishing, {"showing": "published"})
    assert Client().get("/").text.count(card) == director.get("/").text.count(card) == 1
    told = director.post(publishing, {"showing": "staff"}, follow=True)
    assert "席は引き続き公開" in told.text
    director.post(publishing, {"showing": "no_seats", "reason": "席を引き直す"})
    kinds = tournament.audit_entries.filter(kind__startswith="seats_")
    assert list(kinds.values_list("kind", "reason")) == [
        ("seats_shown", ""),
        ("seats_hidden", "席を引き直す"),
    ]
    Tournament.objects.update(shows_seats=True)
    assert [fault.what for fault in verification.verify(tournament)] == ["tournament shows_seats"]


def test_removed_tournament_shows_no_seats(client: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    show_seats(tournament)
    tournaments.remove_tournament(tournament, by=SOMEBODY)
    assert client.get(seats_page(tournament)).status_code == 404
    assert seats_page(tournament) not in client.get("/").text


@pytest.mark.django_db(transaction=True)
def test_own_seat_is_found_in_two_taps(live_server: LiveServer, page: Page) -> None:
    """Tap the link, tap into the box, and type."""
    tournament = cast.make_tournament()
    entries = add_entries(tournament, PEOPLE, by=SOMEBODY)
    open_session(tournament, [entries], by=SOMEBODY)
    show_seats(tournament)
    phone: ViewportSize = {"width": 360, "height": 740}
    page.set_viewport_size(phone)
    page.goto(live_server.url)
    page.get_by_role("link", name=tournament.name).first.click()
    search = page.locator("#seats-q")
    search.click()
    for typed in ("naritakiyo", "なりた", "成田", "2"):
        search.fill(typed)
        expect(page.locator("#seats li:visible")).to_have_count(1)
        expect(page.locator("#seats li:visible")).to_contain_text("第1卓")
    search.fill("葛西")
    expect(page.locator("#seats-none")).to_be_visible()
