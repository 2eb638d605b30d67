"""The stages: their plans and their members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from tournaments.models import AuditEntry
from tournaments.models.field_types import Number
from tournaments.models.stages import CONFIRMED_FIELDS, PLANNED_FIELDS
from tournaments.queries.publications.schema import StageMembers
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
NOT_CONFIRMED = dict.fromkeys(CONFIRMED_FIELDS)
# Entries of earlier versions do not mention the planned sessions.
UNPLANNED = {"sessions_planned": None}
MEMBERS = TypeAdapter(list[StageMembers])
TIED = TypeAdapter(list[list[Number]] | None)


@check
def check_stages(trail: Trail) -> Iterator[Fault]:
    expected = _expected_stages(trail)
    stored = {
        stage.number: {name: getattr(stage, name) for name in (*PLANNED_FIELDS, *CONFIRMED_FIELDS)}
        for stage in trail.tournament.stages.all()
    }
    for number in sorted(expected.keys() | stored.keys()):
        if number not in stored:
            yield Fault(f"stage {number}", "is missing")
        elif number not in expected:
            yield Fault(f"stage {number}", "nobody defined it")
        elif expected[number] != stored[number]:
            yield Fault(f"stage {number}", "is not as the audit trail says")
    yield from _sessions_without_members(trail)


def _sessions_without_members(trail: Trail) -> Iterator[Fault]:
    """Find sessions that were seated for a stage after its members had been taken back.

    Such a session seats only players who had been members, and counts as one of the stage before.
    """
    everybody = {entry.number for entry in trail.tournament.entries.all()}
    taken_back: dict[int, set[int]] = {}
    found: dict[int, int] = {}
    for change in trail.of_kind(
        *(Kind.STAGE_CONFIRMED, Kind.STAGE_TAKEN_BACK, Kind.SESSION_OPENED, Kind.SESSION_REMOVED)
    ):
        subject = change.subject
        if change.kind == Kind.STAGE_CONFIRMED:
            taken_back.pop(subject["stage"], None)
        elif change.kind == Kind.STAGE_TAKEN_BACK:
            groups = change.old["members"]
            taken_back[subject["stage"]] = {each for group in groups for each in group["players"]}
        elif change.kind == Kind.SESSION_REMOVED:
            found.pop(subject["session"], None)
        elif "tied" not in subject:
            seated = {int(key) for table in change.new for key in table}
            for stage, members in taken_back.items():
                if seated <= members < everybody:
                    found[subject["session"]] = stage
    for session, stage in found.items():
        yield Fault(f"session {session}", f"seats the players of stage {stage}, taken back before")


def _expected_stages(trail: Trail) -> dict[int, dict[str, Any]]:
    """Raises `ValidationError` for any confirmation without members, as pages read all of them."""
    stages: dict[int, dict[str, Any]] = {}
    kinds = (Kind.STAGE_SET, Kind.STAGE_REMOVED, Kind.STAGE_CONFIRMED, Kind.STAGE_TAKEN_BACK)
    for change in trail.of_kind(*kinds, Kind.MEMBER_REPLACED):
        number = change.subject["stage"]
        if change.kind == Kind.STAGE_SET:
            stages[number] = NOT_CONFIRMED | UNPLANNED | stages.get(number, {}) | change.new
        elif change.kind == Kind.STAGE_REMOVED:
            del stages[number]
        elif change.kind == Kind.STAGE_CONFIRMED:
            MEMBERS.validate_python(change.new["members"])
            TIED.validate_python(change.new.get("tied"))
            stages[number] |= {name: change.new[name] for name in CONFIRMED_FIELDS}
        elif change.kind == Kind.STAGE_TAKEN_BACK:
            stages[number] |= NOT_CONFIRMED
        else:  # `MEMBER_REPLACED`
            stages[number]["members"] = _members_after(stages[number]["members"], change)
    return stages


def _members_after(groups: list[Any], change: TrailEntry) -> list[Any]:
    """Return the groups of a stage after a member was replaced, or removed (`player` is None)."""
    leaving, following = change.old["player"], change.new["player"]
    replacements = [] if following is None else [following]
    return [
        {
            "group": each["group"],
            "players": [
                player
                for number in each["players"]
                for player in (replacements if number == leaving else [number])
            ],
        }
        for each in groups
    ]
