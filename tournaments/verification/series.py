"""The series that a tournament is part of."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry, SeriesEvent
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind


@check
def check_series(trail: Trail) -> Iterator[Fault]:
    expected: set[str] = set()
    for entry in trail.of_kind(Kind.SERIES_JOINED, Kind.SERIES_LEFT, Kind.ARCHIVE_READ):
        if entry.kind == Kind.ARCHIVE_READ:  # series are not archived
            expected.clear()
        elif entry.kind == Kind.SERIES_JOINED:
            expected.add(entry.new["slug"])
        else:
            expected.discard(entry.old["slug"])
    rows = SeriesEvent.objects.filter(tournament=trail.tournament)
    for slug in sorted(expected ^ set(rows.values_list("series__slug", flat=True))):
        wrong = "is missing" if slug in expected else "nobody added the tournament to it"
        yield Fault(f"series {slug}", wrong)
