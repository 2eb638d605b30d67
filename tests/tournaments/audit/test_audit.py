"""Every write appends an audit entry, and changes past the trail are detected."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from tests import cast
from tournaments import verification
from tournaments.audit import A_COMMAND, THE_TABLE, Actor, guards
from tournaments.models import AuditEntry, Sitting, Tournament
from tournaments.services import closing, entries, rounds, seating, tournaments
from tournaments.services.publications import publish, show_live, unpublish

REASON = "数えちがい"
ANOTHER_ROUND = """'{"session": 1, "table": 1, "round": 1, "version": 9}'"""


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    """A table with a round recorded and corrected."""
    sitting = cast.make_sitting(tournament)
    facts = cast.plain_round(sitting)
    cast.record(sitting, facts)
    corrected = facts | {"deals": [{"kankei": 4, "mukankei": 10}]}
    cast.record(sitting, corrected, seen=1, reason=REASON)
    return sitting


def test_audit_entry_has_author_kind_and_reason(sitting: Sitting) -> None:
    last = AuditEntry.objects.filter(tournament=sitting.session.tournament).last()
    assert last is not None
    assert (last.kind, last.who, last.reason) == ("round_corrected", "somebody", REASON)
    assert last.subject == {"session": 1, "table": 1, "round": 1, "version": 2}
    told = [facts and facts["deals"] for facts in (last.old, last.new)]
    assert told == [[{"kankei": 5, "mukankei": 9}], [{"kankei": 4, "mukankei": 10}]]


def test_author_without_an_account_is_not_a_table(sitting: Sitting) -> None:
    """A command may correct an accepted round, also in a closed event."""
    tournament = sitting.session.tournament
    closing.close(tournament, by=cast.SOMEBODY)
    with pytest.raises(closing.EventOver):
        cast.record(sitting, seen=2, reason=REASON, by=cast.AT_THE_TABLE)
    cast.record(sitting, seen=2, reason=REASON, by=Actor(None, A_COMMAND))


def test_old_account_named_like_the_table_is_not_a_table(sitting: Sitting) -> None:
    by = Actor.of(cast.make_user(THE_TABLE))
    assert not by.is_the_table
    closing.close(sitting.session.tournament, by=by)
    cast.record(sitting, seen=2, reason=REASON, by=by)


def test_audit_entries_are_chained(sitting: Sitting) -> None:
    entries = list(sitting.session.tournament.audit_entries.all())
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.previous for entry in entries[1:]] == [entry.digest for entry in entries[:-1]]
    assert verification.verify(sitting.session.tournament) == []


def test_every_write_appends_an_audit_entry(tournament: Tournament) -> None:
    user = cast.make_user("owner")
    by = Actor(user, "owner")
    new = Tournament(name="秋の大会", rounds_per_session=10)
    tournaments.create_tournament(new, tournament.rules, by=by)
    one, *_others = entries.add_entries(new, [{"name": n} for n in "一二三四五六七"], by=by)
    entries.correct_entry(one, {"name": "壱", "club": "", "division": ""}, seen_version=0, by=by)
    last = new.entries.get(number=7)
    entries.remove_entry(last, by=by)
    seating.open_session(new, [list(new.entries.all())], by=by)
    show_live(new, by=by)
    publish(new, by=by)
    unpublish(new, by=by)
    kinds = [entry.kind for entry in new.audit_entries.all()]
    assert kinds == [
        "rules_set",
        "role_given",
        "entries_added",
        "entry_changed",
        "entry_removed",
        "session_opened",
        "shown_live",
        "published",
        "withdrawn",
    ]
    assert verification.verify(new) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("tournaments_act", "who", "'nobody'"),
        ("tournaments_act", "reason", "'…'"),
        ("tournaments_act", "kind", "'published'"),
        ("tournaments_act", "number", "number + 1"),
        ("tournaments_act", "digest", "previous"),
        ("tournaments_act", "new", """'{"deals": []}'"""),
        (
            "tournaments_act",
            "subject",
            """'{"session": 1, "table": 1, "round": 1, "version": 1}'""",
        ),
        ("tournaments_round", "facts", """'{"deals": []}'"""),
        ("tournaments_round", "reason", "'…'"),
        ("tournaments_round", "version", "version + 1"),
    ],
)
def test_unlogged_change_is_detected(sitting: Sitting, table: str, column: str, value: str) -> None:
    guards.lift_guards()
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {column} = {value} WHERE id = (SELECT max(id) FROM {table})"
        )
    assert verification.verify(sitting.session.tournament)


@pytest.mark.parametrize("which", ["min", "max"])
def test_deleted_round_is_detected(sitting: Sitting, which: str) -> None:
    guards.lift_guards()
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM tournaments_round WHERE id = (SELECT {which}(id) FROM tournaments_round)"
        )
    assert verification.verify(sitting.session.tournament)


def test_refused_write_appends_no_audit_entry(sitting: Sitting) -> None:
    def trail() -> list[Any]:
        return list(AuditEntry.objects.values_list("digest", flat=True))

    before = trail()
    with pytest.raises(rounds.RoundConflict):
        cast.record(sitting, seen=1, reason=REASON)
    assert trail() == before
