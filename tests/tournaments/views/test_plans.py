"""The plan on the pages: chosen when a tournament is made, changed later, and followed."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.stages import url
from tests.tournaments.views.test_tournaments_created import ADDRESS, typed
from tournaments import verification
from tournaments.forms.stages import MOST_PLACES
from tournaments.models import Session, Sitting, Tournament
from tournaments.queries import run_sheet
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.services import plans, play_offs, presence, seating, sessions, totals

pytestmark = pytest.mark.django_db

PLAN = {
    "sessions_planned": "3",
    "finalists": "6",
    "semifinalists": "12",
    "classes": "有段者、一般",
    "final_sessions": "1",
    "carry": "half",
}
FIRST_SIX = [Quota("", "", 6)]
IN_CLASSES = [Quota("有段者", "有段者", 6), Quota("一般", "一般", 6)]


def stored(tournament: Tournament) -> list[tuple[str, int | None, str, list[Quota]]]:
    rows = tournament.stages.all()
    return [(each.name, each.sessions_planned, each.carry, each.read_quotas()) for each in rows]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("sessions", []),
        ("final", [("決勝", 1, "half", FIRST_SIX)]),
        (
            "semifinal",
            [("準決勝", 1, "half", [Quota("", "", 12)]), ("決勝", 1, "half", FIRST_SIX)],
        ),
        ("classes", [("決勝", 1, "half", IN_CLASSES)]),
        ("own", []),
    ],
)
def test_plan_is_chosen_at_the_start_and_shown_again(
    creator: Client, template: str, expected: list[Any]
) -> None:
    answer = creator.post(ADDRESS, typed(**PLAN, plan=template))
    assert answer.status_code == 302, answer.context["plan_form"].errors
    tournament = Tournament.objects.get()
    assert (tournament.sessions_planned, stored(tournament)) == (3, expected)
    assert verification.verify(tournament) == []
    page = creator.get(url("edit-plan", tournament))
    form = page.context["form"]
    assert form["plan"].value() == ("sessions" if template == "own" else template)
    overview = creator.get(tournament.get_absolute_url())
    assert all(each[0] in overview.text for each in expected)
    # Saved again, nothing changes.
    seen, shown = page.context["seen"], {name: form[name].value() for name in form.fields}
    assert creator.post(url("edit-plan", tournament), shown | {"seen": seen}).status_code == 302
    assert stored(tournament) == expected
    assert plans.plan_version(tournament) == seen
    # In another language it is the same plan; only typed names are kept in theirs.
    english = cast.in_english(creator)
    same = english.get(url("edit-plan", tournament)).context["form"]
    assert same["plan"].value() == form["plan"].value()
    page = english.get(tournament.get_absolute_url())
    assert ("Final" in page.text) == bool(expected)
    assert "決勝" not in page.text


@pytest.mark.parametrize(
    ("template", "wrong"),
    [
        ("final", {"finalists": ""}),
        ("final", {"finalists": "0"}),
        ("semifinal", {"semifinalists": ""}),
        ("semifinal", {"semifinalists": "6"}),
        ("semifinal", {"semifinalists": "5"}),
        ("classes", {"classes": " 、"}),
        ("classes", {"classes": "有" * 101}),
        ("sessions", {"sessions_planned": "100"}),
    ],
)
def test_incomplete_plan_is_shown_again(
    creator: Client, template: str, wrong: dict[str, str]
) -> None:
    answer = creator.post(ADDRESS, typed(**PLAN | wrong, plan=template))
    assert answer.status_code == 422
    assert set(answer.context["plan_form"].errors) == set(wrong)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("finalists", [6, 10, MOST_PLACES])
def test_semi_final_that_is_not_planned_is_twice_as_large_as_the_final(
    creator: Client, finalists: int
) -> None:
    """So that it can be chosen as it is shown."""
    usual = creator.get(ADDRESS).context["plan_form"]
    assert usual["semifinalists"].value() == 2 * usual["finalists"].value()
    for template in ("sessions", "final", "classes"):
        creator.post(ADDRESS, typed(**PLAN | {"finalists": str(finalists)}, plan=template))
        tournament = Tournament.objects.latest("pk")
        address = url("edit-plan", tournament)
        page, again = creator.get(address), creator.get(f"{ADDRESS}?like={tournament.slug}")
        form = page.context["form"]
        shown = form["finalists"].value()
        assert form["semifinalists"].value() == min(2 * shown, MOST_PLACES)
        assert again.context["plan_form"]["semifinalists"].value() == form["semifinalists"].value()
        sent = {name: form[name].value() for name in form.fields} | {"plan": "semifinal"}
        answer = creator.post(address, sent | {"seen": page.context["seen"]})
        assert answer.status_code == (422 if shown == MOST_PLACES else 302)


def test_semi_final_no_larger_than_the_final_is_kept_as_a_format_of_its_own(
    creator: Client,
) -> None:
    """As it could be saved once."""
    creator.post(ADDRESS, typed(**PLAN, plan="semifinal"))
    tournament = Tournament.objects.get()
    tournament.stages.filter(number=2).update(quotas=[FIRST_SIX[0]._asdict()])
    before, address = stored(tournament), url("edit-plan", tournament)
    page = creator.get(address)
    form = page.context["form"]
    shown = {name: form[name].value() for name in form.fields}
    assert (shown["plan"], shown["semifinalists"]) == ("own", 12)
    sent = shown | {"seen": page.context["seen"], "sessions_planned": 4}
    assert creator.post(address, sent).status_code == 302
    assert stored(tournament) == before


def test_tournament_is_repeated_with_its_plan_or_with_another(creator: Client) -> None:
    creator.post(ADDRESS, typed(**PLAN, plan="final"))
    source = Tournament.objects.get()
    again = f"{ADDRESS}?like={source.slug}"
    assert creator.get(again).context["plan_form"]["plan"].value() == "final"
    for template, names in (("own", ["決勝"]), ("semifinal", ["準決勝", "決勝"])):
        creator.post(again, typed(**PLAN, plan=template))
        new = Tournament.objects.order_by("pk").last()
        assert new
        assert [each.name for each in new.stages.all()] == names


def over(tournament: Tournament) -> Session:
    """Seat everybody at one table, record a round, and end the session."""
    session = seating.open_session(tournament, [list(tournament.entries.all())[:6]], by=SOMEBODY)
    cast.record(session.sittings.get())
    return sessions.end_session(session, stopping=[1], by=SOMEBODY)


@pytest.fixture
def qualified(tournament: Tournament) -> Tournament:
    """A tournament after its only planned session; 2, 4 and 5 share the first place."""
    cast.make_entries(tournament, 6)
    tournament.sessions_planned = 1
    tournament.save()
    stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 2), sessions_planned=1))
    over(tournament)
    return tournament


def test_session_beyond_the_plan_is_asked_about(director: Client, qualified: Tournament) -> None:
    address = url("seat-session", qualified)
    page = director.get(address)
    assert page.templates[0].name == "extra_session.html"
    assert url("stage-members", qualified, 2) in page.text
    assert director.post(address).status_code == 422
    assert qualified.sessions.count() == 1
    assert director.post(address, {"do": "extra"}).headers["Location"] == address
    assert director.get(address).templates[0].name != "extra_session.html"
    qualified.refresh_from_db()
    assert qualified.sessions_planned == 2


def test_only_ties_that_matter_to_the_plan_are_suggested(
    director: Client, qualified: Tournament
) -> None:
    """Those at the line to the final; at the end those for the awards."""

    def suggested() -> list[str]:
        return [tie.key for tie in director.get(qualified.get_absolute_url()).context["ties"]]

    assert suggested() == ["2-4-5"]
    page = director.get(url("stage-members", qualified, 2))
    assert f"{url('play-off', qualified)}?tied=2-4-5" in page.text
    plan = seating.PlayOffPlan([2, 4, 5], rounds=1)
    everybody = list(qualified.entries.all())
    session = play_offs.open_play_off(qualified, plan, [everybody], number=2, by=SOMEBODY)
    assert suggested() == []
    sessions.remove_session(session, by=SOMEBODY)
    # All three go on: first place is shared, but the plan does not need to know whose it is.
    stage = qualified.stages.get()
    stage.quotas = [Quota("", "", 3)._asdict()]
    stage.save()
    assert suggested() == []
    stages.confirm(stage)
    assert suggested() == []
    over(qualified)
    assert suggested() == ["2-4-5"]


def test_plan_is_changed_until_a_stage_is_confirmed(
    director: Client, qualified: Tournament
) -> None:
    address = url("edit-plan", qualified)
    page = director.get(address)
    assert page.context["form"]["plan"].value() == "final"
    stale = PLAN | {"plan": "semifinal", "seen": page.context["seen"] - 1}
    assert director.post(address, stale).status_code == 422
    assert director.post(address, stale | {"seen": page.context["seen"]}).status_code == 302
    assert [each.name for each in qualified.stages.all()] == ["準決勝", "決勝"]
    director.post(address, PLAN | {"plan": "sessions", "seen": plans.plan_version(qualified)})
    assert stored(qualified) == []
    director.post(
        address,
        PLAN | {"plan": "final", "sessions_planned": 1, "seen": plans.plan_version(qualified)},
    )
    stages.confirm(qualified.stages.get())
    page = director.get(address)
    assert set(page.context["form"].fields) == {"sessions_planned"}
    director.post(address, {"sessions_planned": 2, "seen": page.context["seen"]})
    assert qualified.stages.get().sessions_planned == 2


class Director:
    """Presses only the primary button; totals are entered, and stand-ins are named."""

    def __init__(self, page: Page, server: str, tournament: Tournament) -> None:
        self.page, self.server, self.tournament = page, server, tournament

    def overview(self) -> str:
        """Open the overview and return the code of the next step."""
        self.page.goto(f"{self.server}{self.tournament.get_absolute_url()}")
        self.tournament.refresh_from_db()
        day = run_sheet.day_of(Event(self.tournament), timezone.now())
        return run_sheet.next_step(day)

    def press(self, *pages: str) -> None:
        """Press the only primary button of the overview, then those of the pages that follow.

        `pages` are the names of the pages that are reached.
        """
        for name in pages:
            part = self.page.locator("section[aria-labelledby=next-title]")
            button = part.or_(self.page.locator("main:not(:has(#next-title))")).locator(
                ".button-primary:visible"
            )
            expect(button).to_have_count(1)
            with self.page.expect_navigation():
                button.click()
            assert resolve(urlsplit(self.page.url).path).url_name == name

    def play(self, **points: int) -> None:
        """Type the totals of each table of the last session: `p7` are those of player 7."""
        session = self.tournament.sessions.order_by("number").last()
        assert session
        for sitting in session.sittings.all():
            typed = {key: points.get(f"p{key}", 0) for key in cast.keys(sitting)}
            totals.enter_totals(sitting, typed, seen_version=0, by=SOMEBODY)

    def play_off(self, *stand_ins: int) -> None:
        """Seat a play-off from the overview, with these players to fill the table."""
        self.press("play-off")
        for seat, number in enumerate(stand_ins, 1):
            self.page.fill(f"[name=fill_{seat}]", str(number))
        self.press("play-off", "session")  # the seats drawn by lot, and then assigned


@pytest.mark.django_db(transaction=True)
def test_primary_button_leads_from_the_plan_to_the_awards(
    live_server: LiveServer, page: Page
) -> None:
    """With a tie at the line to the final, and one for third place in it."""
    browser = cast.browser_of(cast.make_creator("creator"))
    cookie = {"name": "sessionid", "value": browser.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])  # type: ignore[list-item]
    page.goto(f"{live_server.url}{reverse('create-tournament', args=['goninkan-nakayoshi'])}")
    page.fill("[name=name]", "新春大会")
    page.check("[name=totals_only]")
    page.check("[name=plan][value=final]")
    page.fill("[name=sessions_planned]", "3")
    page.locator("main .button-primary").click()
    expect(page.locator("h1")).to_have_text("選手")
    director = Director(page, live_server.url, Tournament.objects.get())
    assert director.overview() == "add_entries"
    plan = page.locator(".plan-line li")
    assert [each.strip() for each in plan.locator("strong").all_inner_texts()] == [
        "予選",
        "決勝",
        "表彰",
    ]
    for entry in cast.make_entries(director.tournament, 12):
        expected = Status.EXPECTED
        presence.mark_presence(entry, 1, Status.PRESENT, seen_status=expected, by=SOMEBODY)
    seats = ("seat-session", "seat-proposal", "session")
    assert director.overview() == "seat"
    director.press(*seats)
    assert director.overview() == "show"
    director.press("publish")
    assert director.overview() == "play"
    director.play(p1=12, p2=10, p3=8, p4=8, p5=6, p6=3, p7=3)
    for _session in (2, 3):
        assert director.overview() == "seat"
        director.press(*seats)
        director.play()
    assert director.overview() == "confirm_stage"
    expect(plan.nth(1)).to_have_attribute("aria-current", "step")
    director.play_off(8, 9, 10)  # 6 and 7 share the last place
    assert director.overview() == "play"
    director.play(p6=1)
    assert director.overview() == "confirm_stage"
    director.press("stage-members", "stage-members", *seats)
    assert sorted(cast.keys(Sitting.objects.get(session__number=5))) == list("123456")
    director.play(p1=4, p2=3, p5=-5)
    assert director.overview() == "announce"  # 3 and 4 share the third place
    director.play_off(7, 8, 9)
    director.play(p4=1)
    assert director.overview() == "announce"
    director.press("publish", "publish")
    assert director.overview() == "close"
    director.press("awards")
    entries = {entry.number: entry.name for entry in director.tournament.entries.all()}
    in_order = ".+".join(entries[number] for number in (1, 2, 4))
    awarded = page.locator("main table").first
    expect(awarded).to_contain_text(re.compile(in_order, re.DOTALL))
    expect(awarded).not_to_contain_text(entries[3])
    assert director.tournament.sessions.count() == 6
