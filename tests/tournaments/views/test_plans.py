"""The plan on the pages: chosen when a tournament is made, changed later, and followed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.tournaments.views.test_tournaments_created import ADDRESS, typed
from tournaments import verification
from tournaments.models import Session, Tournament
from tournaments.services import plans, play_offs, seating, sessions

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


def url(name: str, tournament: Tournament, *numbers: int) -> str:
    return reverse(name, args=[tournament.slug, *numbers])


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
    assert plans.version_of(tournament) == seen


@pytest.mark.parametrize(
    ("template", "wrong"),
    [
        ("final", {"finalists": ""}),
        ("final", {"finalists": "0"}),
        ("semifinal", {"semifinalists": ""}),
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
    assert url("stage-members", qualified, 2) in page.text
    assert "form" not in page.context
    posted = {"number": 2, "tables": "1 2 3 4 5 6"}  # from a page that was opened before
    assert director.post(address, posted).status_code == 422
    assert qualified.sessions.count() == 1
    assert director.post(address, {"do": "extra"}).headers["Location"] == address
    assert "form" in director.get(address).context
    qualified.refresh_from_db()
    assert qualified.sessions_planned == 2


def test_only_ties_that_matter_to_the_plan_are_suggested(
    director: Client, qualified: Tournament
) -> None:
    """At the line to the final; and in the end those for the awards."""

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
    director.post(address, PLAN | {"plan": "sessions", "seen": plans.version_of(qualified)})
    assert stored(qualified) == []
    director.post(
        address,
        PLAN | {"plan": "final", "sessions_planned": 1, "seen": plans.version_of(qualified)},
    )
    stages.confirm(qualified.stages.get())
    page = director.get(address)
    assert set(page.context["form"].fields) == {"sessions_planned"}
    director.post(address, {"sessions_planned": 2, "seen": page.context["seen"]})
    assert qualified.stages.get().sessions_planned == 2
