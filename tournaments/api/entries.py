"""The players of a tournament over HTTP: listed, added one by one or from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, File, Form, Router
from ninja.files import UploadedFile
from pydantic import AfterValidator, StrictInt
from pydantic_core import PydanticCustomError

from tournaments import backups
from tournaments.api import documents
from tournaments.api.answers.entries import AddedOut, EntriesOut, PrivateEntryOut
from tournaments.api.answers.refusals import ConflictOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Name, Short, Strict, Version
from tournaments.api.refusals import Invalid, Refused
from tournaments.models import Entry, Tournament
from tournaments.models.people import EARLIEST_BIRTH, MAX_LENGTHS, is_plausible_birth_year
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import entries as entries_service
from tournaments.services.entries import TooManyEntries
from tournaments.services.versions import VersionConflict, version_of, versions_of_entries
from tournaments.spreadsheets import entry_lists
from tournaments.spreadsheets.entry_lists import MOST_ENTRIES
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])


def _born(year: int) -> int:
    if not is_plausible_birth_year(year):
        raise PydanticCustomError("too_late", "Nobody alive was born in this year.")
    return year


Division = Annotated[str, Field(max_length=MAX_LENGTHS["division"])]
Notes = Annotated[str, Field(max_length=MAX_LENGTHS["notes"])]
BirthYear = Annotated[StrictInt, Field(ge=EARLIEST_BIRTH), AfterValidator(_born)]


class EntryIn(Strict):
    """A player. The last three are private: only the tournament's staff ever sees them."""

    name: Name
    club: Short = ""
    division: Division = ""
    reading: Short = ""
    contact: Short = ""
    birth_year: BirthYear | None = None
    notes: Notes = ""


class EntryChangeIn(Strict):
    """What is put right of a player, and the version seen; what is left out stays as it is."""

    seen: Version
    name: Name = Field(default_factory=str)
    club: Short = ""
    division: Division = ""
    reading: Short = ""
    contact: Short = ""
    birth_year: BirthYear | None = None
    notes: Notes = ""


class EntriesIn(Strict):
    """Players, in the order in which they get their numbers."""

    entries: Annotated[list[EntryIn], Field(min_length=1, max_length=MOST_ENTRIES)]


@router.get(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    auth=Requires(Level.SEE),
    response=EntriesOut,
)
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players by number; to the tournament's staff with their private fields."""
    event = door.event_of(request)
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    if not is_staff:
        return reply({"entries": [documents.entry_as_json(entry) for entry in event.entries]})
    versions = versions_of_entries(event.tournament)  # no newer than what follows
    return reply({"entries": _for_staff(event.entries, versions)})


def _for_staff(entries: Iterable[Entry], versions: Mapping[int, int]) -> list[dict[str, Any]]:
    return [documents.entry_for_staff(each, versions.get(each.number, 0)) for each in entries]


@router.patch(
    "/tournaments/{slug:slug}/entries/{int:entry}",
    url_name="api-entry",
    auth=Requires(Level.DIRECT),
    response={200: PrivateEntryOut, 409: ConflictOut},
)
def correct_entry(
    request: HttpRequest, slug: str, entry: int, payload: EntryChangeIn
) -> HttpResponse:
    """Put right what is known of a player; the number stays."""
    found, by = door.tournament_of(request), rights.actor(request)
    named = payload.dict(exclude_unset=True)
    person = {name: value for name, value in named.items() if name != "seen"}
    current = get_object_or_404(found.entries, number=entry)
    try:
        with transaction.atomic():
            corrected = entries_service.correct_entry(current, person, seen=payload.seen, by=by)
            document = documents.entry_for_staff(corrected, version_of(corrected))
    except Entry.DoesNotExist:
        raise Refused(404, "not_found") from None
    except VersionConflict:
        version = version_of(current)
        current = get_object_or_404(found.entries, number=entry)  # no older than that
        stored = documents.entry_for_staff(current, version)
        raise Refused(409, "entry_changed", at="seen", stored=stored, yours=named) from None
    return reply(document)


@router.post(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    auth=Requires(Level.DIRECT),
    response={201: AddedOut, 409: ConflictOut},
)
def add_entries(request: HttpRequest, slug: str, payload: EntriesIn) -> HttpResponse:
    """Add players; they get the next numbers, in this order."""
    people = [entry.dict() for entry in payload.entries]
    return _add(request, door.tournament_of(request), people)


@router.post(
    "/tournaments/{slug:slug}/entries/import",
    url_name="api-import-entries",
    auth=Requires(Level.DIRECT),
    response={201: AddedOut, 409: ConflictOut},
)
def import_entries(
    request: HttpRequest,
    slug: str,
    file: Annotated[UploadedFile, File()],
    encoding: Annotated[str, Form()] = "",
) -> HttpResponse:
    """Add the players of a CSV or Excel file, every line exactly as it stands, or none."""
    found = door.tournament_of(request)
    try:
        if (file.size or 0) > entry_lists.LARGEST:
            raise Refused(413, "too_large", at="file")
        people = entry_lists.read_entries(file.read(), encoding.lower())
        backups.take(backups.Reason.BEFORE_IMPORT, who=rights.actor(request).who)
        return _add(request, found, people)
    except entry_lists.BadFile as bad:
        errors = [
            {"at": f"line {each.line}" if each.line else "", "code": each.code}
            | {"message": each.message}
            for each in bad.problems
        ]
        raise Invalid(errors) from None


def _add(
    request: HttpRequest, tournament: Tournament, people: Sequence[dict[str, Any]]
) -> HttpResponse:
    try:
        with transaction.atomic():
            added = entries_service.add_entries(tournament, people, by=rights.actor(request))
            versions = versions_of_entries(tournament)  # of who had a number before
    except TooManyEntries as refused:
        raise Refused(422, refused.code, at="entries") from None
    return reply({"entries": _for_staff(added, versions)}, 201)
