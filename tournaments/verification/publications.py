"""Publications: each against its audit entry, its digest, and its own facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from tournaments.audit import canonical_json
from tournaments.models import AuditEntry, Publication
from tournaments.queries.publications.content import content_from, digest_of
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.publications.schema import Content
from tournaments.verification.trail import Fault, Trail, check


@check
def check_publications(trail: Trail) -> Iterator[Fault]:
    """Compare every publication with its audit entry, and its content with its digest and facts."""
    entries = trail.of_kind(AuditEntry.Kind.PUBLISHED)
    expected = {entry.new["number"]: entry for entry in entries if isinstance(entry.new, dict)}
    can_check = bool(expected) or trail.is_complete
    for row in trail.tournament.publications.all():
        what, entry = f"publication {row.number}", expected.pop(row.number, None)
        if entry is None and can_check:
            yield Fault(what, "nobody announced it")
        elif entry and (row.at, row.who, row.digest) != (entry.at, entry.who, entry.new["digest"]):
            yield Fault(what, f"differs from what audit entry {entry.number} announced")
        if digest_of(row.content) != row.digest:
            yield Fault(what, "does not hold what was announced")
        elif fault := fault_in(row):
            yield Fault(what, fault)
    for number, entry in expected.items():
        yield Fault(
            f"publication {number}", f"is missing, though audit entry {entry.number} announced it"
        )


def fault_in(row: Publication) -> str | None:
    """Return what is wrong with the content of a publication, or None.

    The content is derived again from the published facts and compared. May raise any exception if
    these facts are not rounds.
    """
    try:
        content = Content.model_validate(row.content)
    except ValidationError:
        return "is not shaped as an announcement"
    event = PublishedEvent(row)
    derived = content_from(
        event.tournament,
        event.ranking_facts,
        [played.session for played in event.sessions],
        is_accepted=lambda played: hasattr(played, "acceptance"),
    )
    if not _are_standings_of(content, derived["standings"], row.content["standings"]):
        return "its facts do not come to its standings by the rules of this version"
    derived["standings"] = row.content["standings"]
    # The rules may have been corrected since, which changes their fingerprint.
    derived["tournament"]["fingerprint"] = row.content["tournament"]["fingerprint"]
    derived["progress"]["planned"] = _planned_as_in(content, derived, event)
    # Validation adds the defaults of fields that older publications lack.
    expected = Content.model_validate(derived)
    is_equal = _canonical(expected) == _canonical(content)
    return None if is_equal else "does not follow from its facts"


def _canonical(content: Content) -> bytes:
    return canonical_json(content.model_dump(mode="json"))


def _are_standings_of(content: Content, derived: list[Any], published: list[Any]) -> bool:
    """Return whether the published standings are the derived ones.

    Publications of earlier versions do not say who was away. They ranked substitutes, and in a
    final nobody who had not played there: these are not compared. They have 0 for what was not
    recorded.
    """
    if canonical_json(derived) == canonical_json(published):
        return True
    if "away" in content.model_fields_set:
        return False
    if content.stages or any(entry.is_substitute for entry in content.entries):
        return True
    return canonical_json(_with_zeros(derived)) == canonical_json(_with_zeros(published))


def _with_zeros(standings: list[Any]) -> list[Any]:
    """Return standings with 0 for each value that is None."""
    return [{**row, "values": [value or 0 for value in row["values"]]} for row in standings]


def _planned_as_in(
    content: Content, derived: Mapping[str, Any], event: PublishedEvent
) -> int | None:
    """Return the derived number of planned rounds, or the published one if it counts otherwise.

    Older publications also plan the rounds after the end of a game of Gong Zhu.
    """
    planned: int | None = derived["progress"]["planned"]
    needless = sum(
        (sheet.planned or 0) - (sheet.rounds_to_play or 0)
        for sheet in event.ranking_facts.sheets
        if sheet.sitting.session.ended_at is None
    )
    if planned is not None and content.progress.planned == planned + needless:
        return content.progress.planned
    return planned
