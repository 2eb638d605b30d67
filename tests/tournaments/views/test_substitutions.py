"""Naming a substitute beside an absent name of the roll call, and where it is shown."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Entry, Presence, Substitution, Tournament
from tournaments.queries import presence as presence_queries
from tournaments.queries.presence import Status
from tournaments.queries.stages import roll_call_of
from tournaments.services import presence, ranking, seating, sessions, substitutions
from tournaments.services.publications import show_live

pytestmark = pytest.mark.both


@pytest.fixture
def absent(tournament: Tournament) -> Entry:
    """The first of seven players, marked as absent."""
    entry = cast.make_entries(tournament, 7)[0]
    seen = Status.EXPECTED
    presence.mark_presence(entry, 1, Status.ABSENT, seen_status=seen, by=SOMEBODY)
    return entry


@pytest.fixture
def address(tournament: Tournament, absent: Entry) -> str:
    """The page that names the substitute."""
    return reverse("substitute", args=[tournament.slug, 1, 1])


def test_substitute_is_named_and_taken_back(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    roll_call = reverse("roll-call", args=[tournament.slug, 1])
    assert address in scorekeeper.get(roll_call).text
    answer = scorekeeper.post(address, {"name": "山田 太郎", "reading": "やまだ"}, follow=True)
    assert answer.redirect_chain == [(f"{roll_call}#p1", 302)]
    [row] = Substitution.objects.all()
    assert (row.entry.number, row.substitute.name) == (1, "山田 太郎")
    again = scorekeeper.post(address, {"name": "山田 太郎", "reading": "やまだ"}, follow=True)
    assert again.redirect_chain == answer.redirect_chain
    lines = {line.entry.number: line for line in answer.context["lines"]}
    assert (lines[1].substitute, lines[8].plays_for) == (row.substitute, row.entry)
    assert 'name="seen" value="8"' in scorekeeper.get(address).text
    scorekeeper.post(address, {"seen": "8", "reason": "来た"})
    assert not Substitution.objects.exists()
    assert verification.verify(tournament) == []


def test_player_of_the_list_is_found_by_number(scorekeeper: Client, address: str) -> None:
    for _pressed_twice in range(2):
        answer = scorekeeper.post(address, {"player": "7"}, follow=True)
        assert "成田 キヨさんの代理は、7番" in re.sub("[\u2066-\u2069]", "", answer.text)
    answer = scorekeeper.post(address, {"name": "山田"}, follow=True)
    assert "別の人が代理になりました" in answer.text
    assert Substitution.objects.get().substitute.number == 7


@pytest.mark.parametrize(
    "typed", [{}, {"player": "7", "name": "山田"}, {"player": "だれもいない"}, {"name": "名" * 201}]
)
def test_unclear_substitute_is_refused(
    scorekeeper: Client, address: str, typed: dict[str, str]
) -> None:
    assert scorekeeper.post(address, typed).status_code == 422
    assert not Substitution.objects.exists()


def test_seated_substitute_is_refused_with_the_reason(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    cast.seat_who_left(tournament, range(1, 7))
    answer = scorekeeper.post(address, {"player": "2"})
    assert answer.status_code == 422
    assert str(substitutions.NotFree.sentence) in answer.text


@pytest.mark.parametrize("typed", ["1", "成田 キヨ"])
def test_nobody_of_the_list_is_said_not_to_be_there(
    scorekeeper: Client, absent: Entry, address: str, typed: str
) -> None:
    """Such as the absent player, or a finalist, who cannot be chosen."""
    assert absent.name == "成田 キヨ"
    answer = scorekeeper.post(address, {"player": typed}).text
    assert "1番 成田 キヨさんは、ここでは選べません" in re.sub("[\u2066-\u2069]", "", answer)
    assert "99番の選手はいません" in scorekeeper.post(address, {"player": "99"}).text
    assert "「だれか」という選手は" in re.sub(
        "[\u2066-\u2069]", "", scorekeeper.post(address, {"player": "だれか"}).text
    )


def test_another_substitute_is_not_taken_back(
    scorekeeper: Client, absent: Entry, address: str
) -> None:
    substitutions.add_substitute(absent, 1, {"name": "山田"}, by=SOMEBODY)
    scorekeeper.post(address, {"seen": "7"})
    assert Substitution.objects.exists()


def test_present_player_has_no_substitute(scorekeeper: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 6)
    page = reverse("substitute", args=[tournament.slug, 1, 2])
    assert 'name="player"' not in scorekeeper.get(page).text


def test_substitute_is_shown_wherever_the_seat_is(
    client: Client, scorekeeper: Client, tournament: Tournament, absent: Entry
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(showing=Tournament.Showing.LIVE)
    session = cast.seat_who_left(tournament, range(1, 7))
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    cast.in_english(client)
    [sitting] = session.sittings.all()
    cast.record(sitting)
    for page in (session.get_absolute_url(), sitting.get_absolute_url()):
        assert f"for {absent.name}" in client.get(page).text
    of_absent = client.get(reverse("player", args=[tournament.slug, 1])).text
    assert "Session 1: replaced by 山田 太郎" in of_absent
    standings = client.get(reverse("standings", args=[tournament.slug])).text
    assert '<small class="muted">replaced by 山田 太郎</small>' in standings
    of_substitute = client.get(reverse("player", args=[tournament.slug, 8])).text
    assert f"Session 1: substitute for {absent.name}" in of_substitute


def play_up_to_a_final(tournament: Tournament) -> list[Entry]:
    """Play a session with six players, all of whom go on to the final; return them."""
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    return list(tournament.entries.all())


def test_standings_of_a_stage_name_its_own_substitutes(
    client: Client, tournament: Tournament
) -> None:
    absent, *others = play_up_to_a_final(tournament)
    presence.mark_presence(absent, 2, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    row = substitutions.add_substitute(absent, 2, {"name": "山田 太郎"}, by=SOMEBODY)
    final = seating.open_session(tournament, [[row.substitute, *others]], by=SOMEBODY)
    cast.record(final.sittings.get())
    show_live(tournament, by=SOMEBODY)
    address = reverse("standings", args=[tournament.slug])
    pages = [cast.in_english(client).get(address + each) for each in ("", "?stage=1", "?stage=2")]
    assert ["replaced by 山田 太郎" in page.text for page in pages] == [True, False, True]


@pytest.mark.parametrize(
    ("credited", "in_final"),
    [("substitute", "Nobody"), ("place", "The player who is absent"), ("nobody", "Nobody")],
)
def test_who_gets_a_substitutes_points_is_said_of_each_stage(
    client: Client, director: Client, tournament: Tournament, credited: str, in_final: str
) -> None:
    """A substitute is no member of a final, in which only members are ranked."""
    absent, *others = play_up_to_a_final(tournament)
    ranking.set_ranking(tournament, {"substitutes": credited}, seen_version=0, by=SOMEBODY)
    presence.mark_presence(absent, 2, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    page = reverse("substitute", args=[tournament.slug, 2, absent.number])
    told = f"A substitute’s points count for: {in_final}"
    assert told in cast.in_english(director).get(page).text
    row = substitutions.add_substitute(absent, 2, {"name": "山田 太郎"}, by=SOMEBODY)
    assert told in director.get(page).text
    final = seating.open_session(tournament, [[row.substitute, *others]], by=SOMEBODY)
    cast.record(final.sittings.get())
    show_live(tournament, by=SOMEBODY)
    for number in (absent.number, row.substitute.number):
        address = reverse("player", args=[tournament.slug, number])
        assert told in cast.in_english(client).get(address).text
    points = {each.entry.number: each.place for each in cast.standings_for(tournament)}
    assert not points.get(row.substitute.number)


@pytest.mark.parametrize(
    ("credited", "is_said"), [("substitute", True), ("place", False), ("nobody", True)]
)
def test_session_of_a_substitute_counts_no_points_only_if_nobody_gets_them(
    client: Client, tournament: Tournament, absent: Entry, credited: str, *, is_said: bool
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(
        showing=Tournament.Showing.LIVE, ranking={"substitutes": credited}
    )
    session = cast.seat_who_left(tournament, range(1, 7))
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    cast.record(session.sittings.get())
    cast.in_english(client)
    answers = [client.get(reverse("player", args=[tournament.slug, n])) for n in (1, 8)]
    of_absent, of_substitute = (answer.text for answer in answers)
    assert ("Session 1: A substitute played, no points." in of_absent) == is_said
    assert ("Played by the substitute" in of_absent) != is_said
    assert ("These points do not count for" in of_substitute) == (credited != "substitute")
    assert "Why this rank" not in of_substitute  # a substitute has no rank, shared or not
    for answer in answers:  # the running total is the total, and adds up what is listed above it
        rounds = [own for table in answer.context["tables"] for own in table.rounds]
        place = answer.context["standing"] and answer.context["standing"].place
        assert [own.total for own in rounds if own.counts] == ([place.points] if place else [])


@pytest.mark.parametrize("credited", ["substitute", "place", "nobody"])
def test_nobody_is_at_a_table_with_who_plays_in_their_stead(
    client: Client, tournament: Tournament, absent: Entry, credited: str
) -> None:
    """The substitute takes over after a round: who stays has sat there with both."""
    Tournament.objects.filter(pk=tournament.pk).update(
        showing=Tournament.Showing.LIVE, ranking={"substitutes": credited}
    )
    session = cast.seat_who_left(tournament, range(1, 7))
    first = session.sittings.get()
    cast.record(first)
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    cast.record(session.sittings.exclude(pk=first.pk).get())
    cast.in_english(client)

    def tablemates(number: int) -> list[list[tuple[int, int | None]]]:
        answer = client.get(reverse("player", args=[tournament.slug, number]))
        return [
            [(each.number, stead.number if stead else None) for each, stead in table.others]
            for table in answer.context["tables"]
        ]

    own, those_who_stay = tablemates(1), [(number, None) for number in range(2, 7)]
    assert own == [those_who_stay] * len(own)
    assert len(own) == (2 if credited == "place" else 1)
    assert tablemates(8) == [those_who_stay]
    [beside] = tablemates(2)
    assert sorted(beside, key=str) == sorted([(1, None), *those_who_stay[1:], (8, 1)], key=str)
    page = client.get(reverse("player", args=[tournament.slug, 2])).text
    assert "山田 太郎" in (told := page[page.index("At the table:") :])
    assert f"for {absent.name}" in told[told.index("山田 太郎") : told.index("</p>")]


@pytest.mark.django_db(transaction=True)
def test_absent_player_is_replaced_by_somebody_new(page: Page, live_server: LiveServer) -> None:
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 6)
    cast.make_staff(tournament, "keeper")
    path = reverse("roll-call", args=[tournament.slug, 1])
    page.goto(f"{live_server.url}{reverse('log-in')}?next={path}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")
    stead = page.locator("#p3 a.roll-stead")
    expect(stead).to_be_hidden()
    page.click("#p3 summary")
    page.click("#p3 button[value$='.absent']")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    stead.click()
    page.fill("[name=name]", "山田 太郎")
    page.click("main .button-primary")
    expect(page.locator("#p3 a.roll-stead")).to_contain_text("山田 太郎")
    expect(page.locator("#p7")).to_contain_text("対馬 ハル")
    expect(page.locator("[data-show=present] b")).to_have_text("0")
    expect(page.locator("[data-show=substitute] b")).to_have_text("1")
    page.click("[data-show=present]")
    expect(page.locator("#p7")).to_be_hidden()
    page.click("[data-show='']")
    page.click("#p7 summary")
    page.click("#p7 button[value$='.late']")
    expect(page.locator("[data-show=substitute-away] b")).to_have_text("1")
    numbers = [int(each) for each in page.locator("[data-show] b").all_inner_texts()]
    assert numbers[0] == sum(numbers[1:]) == 7
    page.set_viewport_size({"width": 320, "height": 640})
    counts = page.locator(".roll-counts a")
    widths = counts.evaluate_all("all => all.map(each => each.clientWidth)")
    assert len(widths) == 8
    assert min(widths) > 60  # so that a number of three digits is not broken
    assert Substitution.objects.get().substitute.number == 7


def test_substitute_is_counted_apart_from_the_players(
    scorekeeper: Client, tournament: Tournament, absent: Entry
) -> None:
    """In the next session, too, in which the substitute replaces nobody."""
    Entry.objects.filter(tournament=tournament).update(division="一般")
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    overview = scorekeeper.get(reverse("tournament", args=[tournament.slug]))
    assert (overview.context["players"], overview.context["substitutes"]) == (7, 1)
    assert "ほかに代理1人" in overview.text
    drawing = cast.browser_of(cast.make_staff(tournament, "boss", "director"))
    counts = drawing.get(reverse("seat-session", args=[tournament.slug])).text
    assert re.search(r"欠席 <b>1</b></span>.*代理 <b>1</b></span>", counts, re.DOTALL)
    players = scorekeeper.get(reverse("entries", args=[tournament.slug]))
    assert re.search(r"<h2>\s*選手7人\s.*一般</bdi> 7<.*ほかに代理1人", players.text, re.DOTALL)
    cast.seat_who_left(tournament, range(2, 8))
    roll = roll_call_of(tournament, 2)
    assert sum(roll.counts.values()) == 7
    assert roll.away == {Status.ABSENT: [absent]}


def test_substitute_who_is_taken_back_at_the_table_is_not_called_away(
    scorekeeper: Client, tournament: Tournament, absent: Entry
) -> None:
    row = substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    others = tournament.entries.filter(number__in=range(2, 7))
    session = seating.open_session(tournament, [[row.substitute, *others]], by=SOMEBODY)
    cast.record(session.sittings.get())  # so that the seat is not handed back
    substitutions.remove_substitute(absent, 1, seen_substitute=row.substitute.number, by=SOMEBODY)
    seats = presence_queries.seats_to_change(roll_call_of(tournament, 1), tournament)
    assert (seats.away, seats.released) == ([], [row.substitute])
    for name in ("tournament", "roll-call"):
        numbers = [1] if name == "roll-call" else []
        page = scorekeeper.get(reverse(name, args=[tournament.slug, *numbers])).text
        told = page[page.index('data-seats="released"') :]
        assert "山田 太郎" in told[: told.index("</p>")]


def test_roll_call_lists_substitutes_apart(
    scorekeeper: Client, tournament: Tournament, absent: Entry
) -> None:
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    page = reverse("roll-call", args=[tournament.slug, 1])
    assert listed_and_counted(scorekeeper, page, "absent") == ([1], "1")
    assert listed_and_counted(scorekeeper, page, "substitute") == ([8], "1")
    substitutions.remove_substitute(absent, 1, seen_substitute=8, by=SOMEBODY)
    assert listed_and_counted(scorekeeper, page, "absent") == ([1], "1")
    assert listed_and_counted(scorekeeper, page, "substitute") == ([], "0")
    assert listed_and_counted(scorekeeper, page, "substitute-away") == ([8], "1")
    assert listed_and_counted(scorekeeper, page, "") == ([*range(1, 9)], "8")
    assert '<span class="roll-stead">代理</span>' in scorekeeper.get(page).text


def test_numbers_of_the_roll_call_add_up(
    scorekeeper: Client, tournament: Tournament, absent: Entry
) -> None:
    """Everybody who is listed is in one of the numbers beside that of all."""
    page = reverse("roll-call", args=[tournament.slug, 1])
    row = substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    for status in (None, *Status):
        Presence.objects.filter(entry=row.substitute).delete()
        if status:
            Presence.objects.create(entry=row.substitute, session_number=1, status=status)
        text = scorekeeper.get(page).text
        counts = dict(re.findall(r'data-show="([a-z-]*)".*?<b>(\d+)</b>', text, re.DOTALL))
        of_all = int(counts.pop(""))
        assert of_all == 8
        assert sum(map(int, counts.values())) == of_all, status
        lists = [listed_and_counted(scorekeeper, page, each)[0] for each in counts]
        assert sorted(number for numbers in lists for number in numbers) == [*range(1, 9)]


def listed_and_counted(client: Client, page: str, shown: str) -> tuple[list[int], str]:
    """Return who is listed in the roll call, by number, and the number that it counts."""
    answer = client.get(page, {"show": shown})
    [number] = re.findall(rf'data-show="{shown}".*?<b>(\d+)</b>', answer.text, re.DOTALL)
    return [line.entry.number for line in answer.context["lines"] if line.is_listed], number
