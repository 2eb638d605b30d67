"""`manage.py demo` makes events to look around in, as if they had been taken down at the tables."""

import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

import scoring
from scoring.kankei import KankeiGame, Verdict
from tests import cast
from tests.shown import Shown
from tests.visiting import NAMES, addresses
from tournaments.demo import events
from tournaments.models import Entry, Round, Sitting, Tournament
from tournaments.queries.sheets import Sheet, sheets_for

JAPANESE = re.compile("[ぁ-ゖァ-ヺー々一-鿿]")
ON_A_PHONE, AT_THE_DESK = 250, 300  # characters to read on a page
TO_READ = {"guide"}  # a document
BUDGETS = {  # of pages that need more
    "backups": 560,
    "chart": 290,
    "choose-rules": 370,
    "create-tournament": 680,
    "edit-tournament": 670,
    "home": 350,
    "play-chart": 380,
    "publish": 350,
    "ranking": 400,
    "registration-settings": 360,
    "remove-tournament": 330,
    "rule-set": 880,
    "sitting": 260,
    "tournament-chart": 290,
}


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("demo", *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture(scope="module")
def lines(lasting_database: DjangoDbBlocker) -> list[str]:
    """The output of creating a demo, made once for the tests of this file."""
    with lasting_database.unblock():
        return run().splitlines()


@pytest.fixture
def today(lines: list[str], db: None) -> Tournament:
    return Tournament.objects.get(slug=events.TODAY.slug)


def outcomes(sheets: list[Sheet]) -> Iterator[str]:
    for sheet in sheets:
        game = sheet.rules.game
        assert isinstance(game, KankeiGame)
        for facts in sheet.record.rounds:
            for number, deal in enumerate(facts.deals, 1):
                verdict = game.verdict(number, *deal[:3])
                assert isinstance(verdict, Verdict)
                yield verdict.outcome


def test_demo_has_a_large_tournament_half_played(today: Tournament) -> None:
    assert today.entries.exclude(reading="").count() == 60
    assert len({entry.name for entry in today.entries.all()}) == 60
    first, second = (
        [sheet for sheet in sheets_for(today) if sheet.sitting.session.number == number]
        for number in (1, 2)
    )
    assert [len(sheet.entries) for sheet in first] == [6] * 10
    assert all(sheet.is_finished for sheet in first)
    assert {len(sheet.rows) for sheet in first} == {10}
    assert [len(sheet.score.rounds) - sheet.has_unfinished_round for sheet in second] == list(
        events.ROUNDS_SO_FAR
    )
    assert [sheet.sitting.number for sheet in second if sheet.has_unfinished_round] == [
        events.WITHIN_A_ROUND[1]
    ]


def test_everybody_sits_once_in_each_session(today: Tournament) -> None:
    assert today.sessions.count() == 2
    for session in today.sessions.all():
        seated = Sitting.objects.filter(session=session).values_list("seats__entry", flat=True)
        assert sorted(seated) == sorted(entry.pk for entry in today.entries.all())


def test_demo_has_a_finished_event_of_every_other_game(today: Tournament) -> None:
    made = Tournament.objects.all()
    slugs = Counter(tournament.rule_set for tournament in made)
    missing = {rule_set.slug for rule_set in scoring.RULE_SETS} - slugs.keys()
    assert not missing, f"Add events of {missing} to PAST in tournaments/demo/events.py."
    assert slugs == Counter(rule_set.slug for rule_set in scoring.RULE_SETS)
    assert all(tournament.is_public for tournament in made)
    assert all(tournament.held_on < today.held_on for tournament in made if tournament != today)
    for tournament in made.exclude(pk=today.pk):
        assert all(sheet.is_finished for sheet in sheets_for(tournament)), tournament


def test_dealers_and_trumps_follow_the_rules(today: Tournament) -> None:
    looked_at = Counter[str]()
    for tournament in Tournament.objects.all():
        for sheet in sheets_for(tournament):
            game, rounds = sheet.rules.game, sheet.record.rounds
            if isinstance(game, KankeiGame):
                for i, facts in enumerate(rounds):
                    state = game.state_after(rounds[:i], sheet.players, sheet.planned)
                    assert facts.dealer == (state.dealer or facts.dealer)
                    assert facts.trump == state.trump
                    looked_at[tournament.rule_set] += 1
    face_cards = [each for each in scoring.RULE_SETS if scoring.choose(each).game.kind == "kankei"]
    missing = {rule_set.slug for rule_set in face_cards} - set(looked_at)
    assert not missing, f"Add events of {missing} to PAST in tournaments/demo/events.py."


def test_rounds_are_recorded_deal_by_deal(today: Tournament) -> None:
    rounds = Round.objects.filter(sitting__session__tournament=today, reason="")
    cut_off = [row for row in rounds if row.facts.get("cut_off")]
    assert len(cut_off) == 1
    assert all(len(row.facts["deals"]) == row.version for row in rounds if row not in cut_off)


def test_some_rounds_are_corrected(today: Tournament) -> None:
    corrections = Round.objects.exclude(reason="")
    assert len(corrections) == len(events.MISTAKES)
    for row in corrections:
        before = Round.objects.get(sitting=row.sitting, number=row.number, version=row.version - 1)
        assert before.facts != row.facts
        assert not before.reason


def test_outcomes_have_realistic_frequencies(today: Tournament) -> None:
    ended = Counter(outcomes(sheets_for(today)))
    assert ended["won"] + ended["lost"] > 0.85 * ended.total()
    assert ended["won"] > ended["lost"] > ended["skunk"] > ended["reverse_skunk"] > 0
    assert ended["juroku"] > ended["reverse_juroku"] > 0


def test_standings_have_different_totals(today: Tournament) -> None:
    places = [standing.place for standing in cast.standings_for(today) if standing.place]
    assert len(places) == 60
    assert len({place.points for place in places}) > 20
    assert places[0].points > 10 > -10 > places[-1].points
    assert any(place.tied for place in places)
    assert any(place.separated_by == "rounds_won" for place in places)


def test_a_second_run_changes_nothing(lines: list[str], today: Tournament) -> None:
    assert len(lines) == len(scoring.RULE_SETS)
    before = list(Round.objects.values())
    assert len(run("--seed", "7").splitlines()) == 1
    assert list(Round.objects.values()) == before


def facts_of_events() -> dict[str, list[tuple[object, ...]]]:
    """Return people and rounds of every event, by its slug."""
    people = Entry.objects.order_by("number").values_list("name", "club")
    places = ("sitting__session__number", "sitting__number", "number", "version")
    rounds = Round.objects.order_by(*places).values_list("facts", "reason")
    return {
        event.slug: [
            *people.filter(tournament=event),
            *rounds.filter(sitting__session__tournament=event),
        ]
        for event in Tournament.objects.all()
    }


@pytest.mark.alike
def test_the_same_seed_makes_the_same_demo(today: Tournament) -> None:
    before = facts_of_events()
    Tournament.objects.update(slug=Concat(Value("old-"), "slug"))
    run()
    after = facts_of_events()
    assert {slug: after[slug] for slug in before} == before
    assert len(after) == 2 * len(before)


def clients(today: Tournament, sitting: Sitting) -> Iterator[Client]:
    """Browsers of a spectator, a table, and an owner of the server who directs the tournament."""
    table = Client()
    table.get(reverse("join-table", args=[sitting.token]))
    User.objects.create_superuser("owner", password="owner")
    yield from (Client(), table, cast.browser_of(User.objects.get(username="owner")))


def characters(page: str, names: re.Pattern[str]) -> int:
    """Return how many Japanese characters there are to read, without names and tables of data."""
    texts = Shown(page, without=frozenset({"bdi", "td"})).texts
    return sum(len(JAPANESE.findall(names.sub("", text))) for text in texts)


@pytest.mark.alike
def test_no_page_says_too_much(today: Tournament) -> None:
    """A page that needs more than its budget says less, or folds what few people need."""
    sitting = Sitting.objects.get(session__tournament=today, session__number=2, number=1)
    known = {"slug": today.slug, "session": 2, "table": 1, "number": 1, "rule_set": today.rule_set}
    data = {
        each for row in today.entries.values_list("name", "reading", "club", "team") for each in row
    }
    names = re.compile("|".join(map(re.escape, sorted(data - {""}, key=len, reverse=True))))
    spectator, table, owner = clients(today, sitting)
    said = {}
    for name in NAMES:
        if name.startswith("api-") or not {*addresses()[name]} <= known.keys() or name in TO_READ:
            continue
        url = reverse(name, kwargs={key: known[key] for key in addresses()[name]})
        if not url.endswith("/"):
            continue  # a file
        for browser, most in ((spectator, ON_A_PHONE), (table, ON_A_PHONE), (owner, AT_THE_DESK)):
            answer = browser.get(url)
            if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
                said[name] = (characters(answer.text, names), BUDGETS.get(name, most))
                break
    assert len(said) > 60
    assert {name: both for name, both in said.items() if both[0] > both[1]} == {}
    assert {
        name: both for name, both in said.items() if name in BUDGETS and both[0] < 0.8 * both[1]
    } == {}
