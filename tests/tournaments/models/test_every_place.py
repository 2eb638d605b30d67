"""A column is in everything that reads or writes it: page, API, archive, publication, history.

What is listed here is made from the models, so that a new column fails until it is in each place,
or stands here with the reason why not. Fields of players: `test_entry_fields.py`. That the audit
trail tells of each column: `verification/test_verification.py`.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.db.models import BooleanField, CharField, Field, Model
from django.forms import Form
from django.test import Client
from django.urls import reverse

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tests import cast, events, stages
from tests.api import json_of, staff
from tests.tournaments.models.test_entry_fields import fields, full_name
from tournaments import archives, audit
from tournaments.api.adjustments import AdjustmentIn
from tournaments.api.clocks import ClockIn
from tournaments.api.schemas.clocks import ClockOut
from tournaments.api.schemas.entries import PrivateEntryOut
from tournaments.api.schemas.registrations import ListedApplicationOut
from tournaments.api.schemas.sessions import SessionOut
from tournaments.api.schemas.stages import StageOut
from tournaments.api.schemas.substitutions import SubstitutionOut
from tournaments.api.stages import StageIn
from tournaments.archives import schema as archived
from tournaments.archives.applications import Application
from tournaments.forms.adjustments import AdjustmentForm
from tournaments.forms.clocks import ClockForm
from tournaments.forms.stages import StageForm
from tournaments.i18n.audit_entries import before_and_after, entry_context
from tournaments.models import (
    Adjustment,
    AuditEntry,
    Clock,
    Entry,
    Publication,
    Registration,
    Session,
    Stage,
    Substitution,
    Tournament,
)
from tournaments.models.adjustments import AdjustmentFacts, AdjustmentRecord
from tournaments.models.stages import CONFIRMED_FIELDS, PLANNED_FIELDS
from tournaments.models.tournament import public_settings
from tournaments.queries.publications import schema as published
from tournaments.queries.publications.events import PublishedEvent
from tournaments.services import clones
from tournaments.services import tournaments as tournaments_service
from tournaments.services.publications import publish

pytestmark = pytest.mark.django_db

# Columns of a tournament that nobody chooses with its settings.
NO_SETTING = {
    "id": "of this database",
    "kind": "settled when it is made",
    "slug": "settled when it is made",
    "rule_set": "settled when it is made",
    "created_at": "settled when it is made",
    "ranking": "an act of its own: views/test_ranking.py",
    "registration": "an act of its own: views/test_registrations.py",
    "showing": "an act of its own: views/test_publications.py",
    "shows_seats": "an act of its own: views/test_seats.py",
    "private_until": "an act of its own: services/test_private_data.py",
    "closed_at": "an act of its own: views/test_closing.py",
    "removed_at": "an act of its own: views/test_tournaments_removed.py",
    "play_off_numbers": "a copy of what the sessions say",
    "last_act": "the end of a chain of digests",
    "last_receipt": "the end of a chain of digests",
}
SETTINGS = {
    field.name: field for field in Tournament._meta.concrete_fields if field.name not in NO_SETTING
}
# Settings that the form of a tournament sets in other fields, or a form of its own.
NOT_IN_THE_FORM = {"options": "option_…", "points": "points_…", "sessions_planned": "the plan"}
# Settings that do not go from one tournament to its copy.
NOT_COPIED = {"name": "the next edition's", "held_on": "today"}


def other_value(field: Field[Any, Any]) -> Any:
    """Return a value of a setting that is not its default."""
    if field.name == "options":
        return {"all_hearts_with_ten_300": True}
    if field.name == "points":
        return {"pig": -120}
    if field.name == "held_on":
        return date(2031, 11, 21)
    if isinstance(field, BooleanField):
        return not field.get_default()
    if field.choices:
        return next(value for value, _label in field.choices if value != field.get_default())
    return f"髙 {field.name}" if isinstance(field, CharField) else 7


CHOSEN = {name: other_value(field) for name, field in SETTINGS.items()}


def stored(tournament: Tournament) -> dict[str, Any]:
    tournament.refresh_from_db()
    return {name: getattr(tournament, name) for name in SETTINGS}


def usual() -> Tournament:
    return cast.make_tournament("gong-zhu")


def chosen() -> Tournament:
    """A tournament with no setting at its default, of a game that has partners."""
    tournament = Tournament(rule_set="gong-zhu", **CHOSEN)
    return tournaments_service.create_tournament(tournament, tournament.rules, by=cast.SOMEBODY)


def test_exclusions_exist() -> None:
    assert {*NO_SETTING} <= {field.name for field in Tournament._meta.concrete_fields}
    assert {*NOT_IN_THE_FORM, *NOT_COPIED} <= SETTINGS.keys()


def send(browser: Client, address: str, typed: dict[str, Any]) -> None:
    """Send the form of a page with its shown values, `typed` replacing some.

    Fails if the page has no control for what is typed.
    """
    page = browser.get(address)
    controls = {*re.findall(r'name="(\w+)"', page.content.decode())}
    assert typed.keys() <= controls, f"{address} lacks {typed.keys() - controls}."
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields} | {"seen": page.context["seen"]}
    shown = {name: each for name, each in values.items() if each is not None and each is not False}
    assert browser.post(address, shown | typed).status_code == 302


def test_settings_are_chosen_on_the_page() -> None:
    tournament = usual()
    director = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    typed = {name: value for name, value in CHOSEN.items() if name not in NOT_IN_THE_FORM}
    typed |= {f"option_{name}": "on" for name in CHOSEN["options"]}
    typed |= {f"points_{name}": value for name, value in CHOSEN["points"].items()}
    send(director, reverse("edit-tournament", args=[tournament.slug]), typed)
    planned = {"sessions_planned": CHOSEN["sessions_planned"]}
    send(director, reverse("edit-plan", args=[tournament.slug]), planned)
    assert stored(tournament) == CHOSEN


def test_texts_among_settings_are_shown_to_everybody() -> None:
    tournament = chosen()
    publish(tournament, by=cast.SOMEBODY)
    page = Client().get(tournament.get_absolute_url()).content.decode()
    texts = {str(each) for each in CHOSEN.values() if str(each).startswith("髙")}
    assert {each for each in texts if each not in page} == set()


def as_sent() -> dict[str, Any]:
    return {**CHOSEN, "held_on": str(CHOSEN["held_on"])}


def test_settings_are_chosen_and_told_over_the_api() -> None:
    program = staff(cast.make_creator("founder"))
    answer = program.post("/api/tournaments", {"rule_set": "gong-zhu", **as_sent()})
    assert answer.status_code == 201, answer.content
    made = json_of(answer)
    assert {name: made.get(name) for name in SETTINGS} == as_sent()
    assert stored(Tournament.objects.get(slug=made["slug"])) == CHOSEN


def test_settings_are_archived() -> None:
    tournament = chosen()
    content = archives.export_archive(tournament, with_private=True)
    events.forget(tournament)
    assert stored(archives.import_archive(content, by=audit.Actor(None, "owner"))) == CHOSEN


def test_settings_are_published() -> None:
    tournament = chosen()
    publish(tournament, by=cast.SOMEBODY)
    others = {name: field.get_default() for name, field in SETTINGS.items() if name != "name"}
    Tournament.objects.filter(pk=tournament.pk).update(**others)
    published = PublishedEvent(Publication.objects.get()).tournament
    assert {name: getattr(published, name) for name in SETTINGS} == CHOSEN


def test_settings_are_copied() -> None:
    copied = clones.copy_of_settings(chosen())
    wanted = {name: value for name, value in CHOSEN.items() if name not in NOT_COPIED}
    assert {name: getattr(copied, name) for name in wanted} == wanted


def test_planned_stages_are_copied() -> None:
    """But the seed of a lot, which is drawn anew; who goes on is none of the plan."""
    planned = [*(field for field in PLANNED_FIELDS if field != "seed"), "number"]
    columns = {field.name for field in Stage._meta.concrete_fields}
    assert {*planned} == columns - {*CONFIRMED_FIELDS, "seed", *OF_THE_DATABASE}
    source = chosen()
    quotas = Quota("甲", "一般", 2), Quota("乙", "", None, at_least=3)
    wanted = stages.plan(*quotas, carry=Carry.ALL, at_line=AtLine.LOT, sessions_planned=3)
    stage = stages.make_stage(source, wanted=wanted)
    unlike = Stage()
    assert [name for name in planned if getattr(stage, name) == getattr(unlike, name)] == []
    new = clones.copy_of_settings(source)
    copied = clones.create_like(new, source.rules, source, by=cast.SOMEBODY).stages.get()
    assert [getattr(copied, name) for name in planned] == [getattr(stage, name) for name in planned]
    assert copied.seed != stage.seed


@pytest.mark.parametrize("name", SETTINGS)
def test_history_tells_of_a_changed_setting(name: str) -> None:
    tournament = usual()
    context = entry_context(tournament)
    old = public_settings(tournament)
    entry = AuditEntry(kind=AuditEntry.Kind.RULES_SET, old=old, new={**old, name: as_sent()[name]})
    before, after = before_and_after(entry, context)
    assert after != before, f"Describe {name} in SettingsFacts."


# ---- What a tournament consists of

OF_THE_DATABASE = {"id", "tournament"}
DERIVED = "the server's own"
# Of each model: the descriptions of it, each with the columns that it leaves out and why.
PLACES: dict[type[Model], dict[type, dict[str, str]]] = {
    Stage: {
        StageForm: {
            "number": "of the address",
            "quotas": "a form set",
            "seed": "drawn",
            **dict.fromkeys(("first_session", "first_adjustment", "members"), "by confirming"),
        },
        StageIn: {
            "number": "of the address",
            **dict.fromkeys(("first_session", "first_adjustment", "members"), "by confirming"),
        },
        StageOut: {},
        published.StageFacts: {},
    },
    Adjustment: {
        AdjustmentForm: dict.fromkeys(("who", "at", "taken_back_at"), DERIVED),
        AdjustmentIn: dict.fromkeys(("who", "at", "taken_back_at"), DERIVED),
        AdjustmentRecord: {},
        AdjustmentFacts: {
            "who": "for the staff",
            "at": "for the staff",
            "taken_back_at": "only those in force are published",
        },
    },
    Substitution: {
        SubstitutionOut: {"entry": "`number`"},
        published.PlayedFor: {},
    },
    Clock: {
        ClockForm: {
            "session": "of the address",
            "last_round": "in minutes",
            "extra": "in minutes, for one table at a time",
            **dict.fromkeys(("started_at", "paused_at", "paused_seconds"), "by buttons"),
        },
        ClockIn: {
            "session": "of the address",
            **dict.fromkeys(("started_at", "paused_at", "paused_seconds"), "by acts"),
        },
        ClockOut: dict.fromkeys(
            ("started_at", "paused_at", "paused_seconds"), "in `state`, `ends_at` and `left`"
        ),
        archived.Clock: {"session": "within it"},
    },
    Session: {
        SessionOut: dict.fromkeys(("tied", "rounds_planned"), "in `play_off`"),
        archived.Session: {},
        published.Seating: {},
    },
    Registration: {
        ListedApplicationOut: dict.fromkeys(("digest", "salt"), "secret"),
        Application: {},
    },
    Entry: {
        PrivateEntryOut: {"salt": "secret"},
        archived.Player: dict.fromkeys(("contact", "birth_year", "notes", "salt"), "in `private`"),
        published.Player: dict.fromkeys(("contact", "birth_year", "notes", "salt"), "private"),
    },
}
CASES = [(model, place) for model, places in PLACES.items() for place in places]
# Columns that descriptions name by what they stand for.
ALSO_CALLED = {"entry": "player", "session_number": "session"}


def described(place: type) -> set[str]:
    return {*place.base_fields} if issubclass(place, Form) else fields(place)


@pytest.mark.parametrize(
    ("model", "place"), CASES, ids=[f"{m.__name__}-{full_name(p)}" for m, p in CASES]
)
def test_every_column_is_in_every_place(model: type[Model], place: type) -> None:
    columns = {field.name for field in model._meta.concrete_fields} - OF_THE_DATABASE
    known = described(place)
    missing = {name for name in columns if name not in known and ALSO_CALLED.get(name) not in known}
    left_out = PLACES[model][place].keys()
    assert missing == left_out, f"{full_name(place)} lacks columns, or has those listed as missing."
