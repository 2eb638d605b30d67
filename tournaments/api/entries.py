"""The players of a tournament over HTTP: listed, added one by one or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, File, Form, Router
from ninja.files import UploadedFile
from pydantic import StrictInt

from tournaments import backups
from tournaments.access import rights
from tournaments.api import asking, documents
from tournaments.api.answers.entries import AddedOut, EntriesOut
from tournaments.api.answers.refusals import ConflictOut
from tournaments.api.bodies import Name, Short, Strict
from tournaments.api.refusals import Invalid, Refused
from tournaments.edge.programs import reply
from tournaments.facts import registration
from tournaments.files import entry_files
from tournaments.files.entry_files import MOST_ENTRIES
from tournaments.models import Tournament

router = Router(tags=["tournaments"])


class EntryIn(Strict):
    """A player. The last three are private: only the tournament's staff ever sees them."""

    name: Name
    club: Short = ""
    division: Annotated[str, Field(max_length=100)] = ""
    contact: Short = ""
    birth_year: Annotated[StrictInt, Field(ge=1900, le=2100)] | None = None
    notes: Annotated[str, Field(max_length=2000)] = ""


class EntriesIn(Strict):
    """Players, in the order in which they get their numbers."""

    entries: Annotated[list[EntryIn], Field(min_length=1, max_length=MOST_ENTRIES)]


@router.get("/tournaments/{slug:slug}/entries", url_name="api-entries", response=EntriesOut)
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players by number; to the tournament's staff with their private fields."""
    event = asking.event_of(request)
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    as_json = documents.entry_for_staff if is_staff else documents.entry_as_json
    return reply({"entries": [as_json(entry) for entry in event.entries]})


@router.post(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    response={201: AddedOut, 409: ConflictOut},
)
def add_entries(request: HttpRequest, slug: str, payload: EntriesIn) -> HttpResponse:
    """Add players; they get the next numbers, in this order."""
    people = [entry.dict() for entry in payload.entries]
    blank = [i for i, person in enumerate(people) if not person["name"].strip()]
    if blank:
        raise Refused(422, "missing", at=f"entries[{blank[0]}].name")
    return _add(request, asking.tournament_of(request), people)


@router.post(
    "/tournaments/{slug:slug}/entries/import",
    url_name="api-import-entries",
    response={201: AddedOut, 409: ConflictOut},
)
def import_entries(
    request: HttpRequest,
    slug: str,
    file: Annotated[UploadedFile, File()],
    encoding: Annotated[str, Form()] = "",
) -> HttpResponse:
    """Add the players of a CSV or Excel file, every line exactly as it stands, or none."""
    found = asking.tournament_of(request)
    try:
        if (file.size or 0) > entry_files.LARGEST:
            raise Refused(413, "too_large", at="file")
        people = entry_files.read_entries(file.read(), encoding.lower())
        backups.take(backups.Reason.BEFORE_IMPORT, who=rights.actor(request).who)
        return _add(request, found, people)
    except entry_files.BadFile as bad:
        errors = [
            {"at": f"line {each.line}" if each.line else "", "code": each.code}
            | {"message": each.message}
            for each in bad.problems[:1000]
        ]
        raise Invalid(errors) from None


def _add(
    request: HttpRequest, tournament: Tournament, people: Sequence[dict[str, Any]]
) -> HttpResponse:
    try:
        added = registration.add_entries(tournament, people, by=rights.actor(request))
    except registration.TooManyEntries as refused:
        raise Refused(422, refused.code, at="entries") from None
    return reply({"entries": [documents.entry_for_staff(entry) for entry in added]}, 201)
