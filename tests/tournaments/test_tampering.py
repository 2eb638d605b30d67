"""`verify` finds a change of any column of anything that is kept: the models make the list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import models

from tests import cast
from tests.cast import SOMEBODY
from tournaments import desk, guards, publications, verifying
from tournaments.models import Act, Publication, Receipt, Round, Sitting, SittingTotals, Tournament

pytestmark = pytest.mark.django_db

NOT_TOLD = {
    "id",  # numbers that only one database knows
    "Round.recorded_by",  # the account; `who` is its name, and is told
    "SittingTotals.recorded_by",
}


@pytest.fixture
def sitting() -> Sitting:
    """A table with a round and its totals recorded, corrected and announced."""
    sitting = cast.make_sitting()
    facts = cast.plain_round(sitting)
    cast.record(sitting, facts)
    right = facts | {"deals": [{"kankei": 4, "mukankei": 10}]}
    cast.record(sitting, right, seen=1, reason="数えちがい")
    points = dict.fromkeys(cast.keys(sitting), 0)
    desk.enter_totals(sitting, points, seen=0, by=SOMEBODY)
    desk.enter_totals(sitting, points | {"1": 5}, seen=1, by=SOMEBODY, reason="写し間違い")
    publications.publish(sitting.session.tournament, by=SOMEBODY)
    cast.make_sitting(sitting.session.tournament)
    cast.make_sitting()
    cast.make_tournament()
    return sitting


def columns() -> Iterator[tuple[type[models.Model], str]]:
    for model in guards.KEPT:
        if model is Receipt:  # answers, kept to be given again; of no round
            continue
        for field in model._meta.concrete_fields:
            if not {field.name, f"{model.__name__}.{field.name}"} & NOT_TOLD:
                yield model, field.name


def touched(value: Any) -> Any:
    """Return a value as little different as can be."""
    match value:
        case str():
            return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"
        case int():
            return value + 64  # another bit, and no number that there is
        case dict() if value:
            key = next(iter(value))
            return value | {key: touched(value[key])}
        case list() if value:
            return [*value[:-1], touched(value[-1])]
        case None | dict() | list():
            return {"x": 1}
        case _:
            return value + timedelta(microseconds=1)


def other_parent(row: models.Model, name: str) -> int:
    """Return the key of another row that this one might point to."""
    field: Any = row._meta.get_field(name)
    others = field.related_model._default_manager.exclude(pk=getattr(row, field.attname))
    return int(others.latest("pk").pk)


def faults() -> list[verifying.Fault]:
    """Return what `manage.py verify` would find."""
    return [fault for each in Tournament.objects.all() for fault in verifying.verify(each)]


@pytest.mark.parametrize(
    ("model", "name"), list(columns()), ids=lambda each: getattr(each, "__name__", each)
)
def test_a_change_of_any_column_is_found(
    sitting: Sitting, model: type[models.Model], name: str
) -> None:
    guards.lift_guards()
    tournament = sitting.session.tournament
    assert faults() == []
    for row in model._default_manager.all():
        if model is Act and row.tournament_id != tournament.pk:  # type: ignore[attr-defined]
            continue
        is_relation = model._meta.get_field(name).is_relation
        before = getattr(row, f"{name}_id" if is_relation else name)
        after = other_parent(row, name) if is_relation else touched(before)
        column = f"{name}_id" if is_relation else name
        found: models.QuerySet[Any] = models.QuerySet(model).filter(pk=row.pk)
        found.update(**{column: after})
        assert faults(), f"{row!r}: {name} {before!r} -> {after!r}"
        found.update(**{column: before})


@pytest.mark.parametrize("model", [Act, Round, SittingTotals, Publication])
def test_a_row_that_vanished_is_found(sitting: Sitting, model: type[models.Model]) -> None:
    """But for the last act by itself: what it did is still there, or it did nothing that stays."""
    guards.lift_guards()
    rows = model._default_manager.all()
    if model is Act:
        rows = sitting.session.tournament.acts.order_by("number")
        rows = rows.exclude(kind=Act.Kind.SESSION_OPENED)
    first = rows.first()
    assert first is not None
    models.QuerySet(model).filter(pk=first.pk).delete()
    assert faults()
