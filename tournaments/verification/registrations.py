"""Applications to play, and the settings of registration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournaments.models import AuditEntry
from tournaments.models.entry_fields import PUBLIC_FIELDS
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind
PRIVATE = "private"
Applications = dict[int, dict[str, Any]]  # by number


@check
def check_registration_settings(trail: Trail) -> Iterator[Fault]:
    changes = trail.of_kind(Kind.REGISTRATION_SET)
    if trail.tournament.registration != (changes[-1].new if changes else {}):
        yield Fault("tournament registration", "differs from the audit trail")


@check
def check_registrations(trail: Trail) -> Iterator[Fault]:
    expected = _expected_applications(trail)
    stored: Applications = {
        row.number: {
            **row.audit_values(),
            "state": row.state,
            "player": row.player,
            "at": row.at,
        }
        for row in trail.tournament.registrations.all()
    }
    for number in sorted(expected.keys() | stored.keys()):
        if expected.get(number) != stored.get(number):
            yield Fault(f"registration {number}", "differs from the audit trail")


def _expected_applications(trail: Trail) -> Applications:
    """Return the applications as the audit entries say, in the form of the stored rows.

    An import from an archive without private facts empties the contacts; an erasure of private data
    deletes all applications before it.
    """
    expected: Applications = {}
    kinds = (Kind.REGISTERED, Kind.REGISTRATION_DECIDED, Kind.REGISTRATION_ENDED)
    erased = max((each.number for each in trail.of_kind(Kind.PRIVATE_ERASED)), default=0)
    changes = trail.of_kind(*kinds, Kind.CONTACTS_ERASED, Kind.ARCHIVE_READ)
    for change in [each for each in changes if each.number > erased]:
        match change.kind:
            case Kind.REGISTERED:
                number = change.subject["registration"]
                # Public fields that were added later are missing in older audit entries.
                public = dict.fromkeys(PUBLIC_FIELDS, "") | change.new
                expected[number] = {**public, "player": None, "at": change.at}
            case Kind.REGISTRATION_DECIDED:
                for row in change.new:
                    application = expected[row["registration"]]
                    application |= {"state": row["state"], "player": row["player"]}
            case Kind.REGISTRATION_ENDED:
                expected[change.subject["registration"]]["state"] = "withdrawn"
            case Kind.CONTACTS_ERASED:
                for number in change.new:
                    expected[number][PRIVATE] = None
            case Kind.ARCHIVE_READ if not change.new.get(PRIVATE):
                for application in expected.values():
                    application[PRIVATE] = None
    return expected
