"""What was announced: each publication against its act, its digest, and the rules."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import Act, Publication
from tournaments.results.events import PublishedEvent
from tournaments.results.publications import digest_of, standings_in
from tournaments.verifying.trail import Fault, Trail


def strange_publications(trail: Trail) -> Iterator[Fault]:
    """Compare every publication with the act that announced it, and with what it holds."""
    acts = trail.of(Act.Kind.PUBLISHED)
    told = {act.new["number"]: act for act in acts if isinstance(act.new, dict)}
    if not told and not trail.is_from_the_start:
        return
    for row in trail.tournament.publications.all():
        what, act = f"publication {row.number}", told.pop(row.number, None)
        if act is None:
            yield Fault(what, "nobody announced it")
            continue
        if (row.at, row.who, row.digest) != (act.at, act.who, act.new["digest"]):
            yield Fault(what, f"differs from what act {act.number} announced")
        if digest_of(row.content) != row.digest:
            yield Fault(what, "does not hold what was announced")
        elif not _is_scored_so_today(row):
            yield Fault(what, "its facts do not come to its standings by the rules of this version")
    for number, act in told.items():
        yield Fault(f"publication {number}", f"is missing, though act {act.number} announced it")


def _is_scored_so_today(row: Publication) -> bool:
    event = PublishedEvent(row)
    return bool(standings_in(event.entries, event.sheets) == row.content["standings"])
