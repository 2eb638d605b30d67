"""What was announced: each publication against its act, its digest, and its own facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from tournaments import audit
from tournaments.models import AuditEntry, Publication
from tournaments.queries import publications
from tournaments.queries.events import PublishedEvent
from tournaments.queries.publications import digest_of
from tournaments.queries.published_content import Content
from tournaments.verification.trail import Fault, Trail


def strange_publications(trail: Trail) -> Iterator[Fault]:
    """Compare every publication with the act that announced it, and with what it holds."""
    acts = trail.of(AuditEntry.Kind.PUBLISHED)
    told = {act.new["number"]: act for act in acts if isinstance(act.new, dict)}
    is_told = bool(told) or trail.is_from_the_start
    for row in trail.tournament.publications.all():
        what, act = f"publication {row.number}", told.pop(row.number, None)
        if act is None and is_told:
            yield Fault(what, "nobody announced it")
        elif act and (row.at, row.who, row.digest) != (act.at, act.who, act.new["digest"]):
            yield Fault(what, f"differs from what act {act.number} announced")
        if digest_of(row.content) != row.digest:
            yield Fault(what, "does not hold what was announced")
        elif fault := fault_in(row):
            yield Fault(what, fault)
    for number, act in told.items():
        yield Fault(f"publication {number}", f"is missing, though act {act.number} announced it")


def fault_in(row: Publication) -> str | None:
    """Return what is wrong with the content of a publication, None where nothing is.

    Raises whatever facts that are no rounds raise.
    """
    try:
        said = Content.model_validate(row.content)
    except ValidationError:
        return "is not shaped as an announcement"
    event = PublishedEvent(row)
    announced = publications.content_from(
        event.tournament,
        event.entries,
        [each.session for each in event.sessions],
        event.sheets,
        lambda played: hasattr(played, "acceptance"),
    )
    if _spelled(announced["standings"]) != _spelled(row.content["standings"]):
        return "its facts do not come to its standings by the rules of this version"
    # The fingerprint is that of the rules at the time, which may have been put right since.
    announced["tournament"]["fingerprint"] = row.content["tournament"]["fingerprint"]
    # What is told since then of players, and was not told yet, makes no difference.
    follows = Content.model_validate(announced)
    is_whole = _spelled(follows.model_dump()) == _spelled(said.model_dump())
    return None if is_whole else "does not follow from its facts"


def _spelled(said: Any) -> bytes:
    return audit.canonical_json(said)
