"""The players of a tournament: list, correct and add them, one by one or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, File, Form
from ninja.files import UploadedFile
from pydantic import AfterValidator, StrictInt
from pydantic_core import PydanticCustomError

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Invalid, Refused
from tournaments.api.request_bodies import Name, RequestBody, ShortText, Version, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.entries import (
    AddedOut,
    EntriesOut,
    PrivateEntryOut,
    ProposalsOut,
    entry_as_json,
    private_entries_as_json,
    private_entry_as_json,
    proposals_as_json,
)
from tournaments.models import Entry
from tournaments.models.entry_fields import MAX_LENGTHS, MOST_ENTRIES, PersonFacts
from tournaments.models.people import EARLIEST_BIRTH, is_plausible_birth_year
from tournaments.permissions import door, rights, tournament_lists
from tournaments.permissions.levels import Level
from tournaments.queries.earlier_players import proposals
from tournaments.services import entries as entries_service
from tournaments.services import registrations
from tournaments.services.versions import VersionConflict, version_of, versions_of_entries
from tournaments.spreadsheets.entry_lists import read_entries
from tournaments.spreadsheets.problems import BadFile
from tournaments.spreadsheets.sheets import LARGEST

router = Router(tags=["tournaments"])


def _check_birth_year(year: int) -> int:
    """Return the year unchanged. Raises if nobody alive was born in it."""
    if not is_plausible_birth_year(year):
        raise PydanticCustomError("too_late", "Nobody alive was born in this year.")
    return year


Division = Annotated[str, Field(max_length=MAX_LENGTHS["division"])]
Notes = Annotated[str, Field(max_length=MAX_LENGTHS["notes"])]
BirthYear = Annotated[StrictInt, Field(ge=EARLIEST_BIRTH), AfterValidator(_check_birth_year)]


class EntryIn(RequestBody, PersonFacts):
    """A player. Contact, year of birth and notes are private: only the staff sees them."""

    name: Name
    contact: ShortText = ""
    birth_year: BirthYear | None = None
    notes: Notes = ""


class EntryChangeIn(EntryIn):
    """The corrected fields of a player. Fields that are not sent stay unchanged.

    `seen` is the version of the player that was read.
    """

    seen: Version
    name: Name = Field(default_factory=str)


class EntriesIn(RequestBody):
    """Players, in the order in which they get their numbers."""

    entries: Annotated[list[EntryIn], Field(min_length=1, max_length=MOST_ENTRIES)]


@router.get(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    auth=Requires(Level.SEE),
)
def entries(request: HttpRequest, slug: str) -> Ok[EntriesOut]:
    """List the players by number. The staff of a live event also gets their private fields."""
    event = door.event_of(request)
    with_private = (
        event.publication is None and rights.role_in(request, event.tournament) is not None
    )
    if not with_private:
        return Ok({"entries": [entry_as_json(entry) for entry in event.entries]})
    versions = versions_of_entries(event.tournament)  # read before the entries: never too new
    return Ok({"entries": private_entries_as_json(event.entries, versions)})


@router.patch(
    "/tournaments/{slug:slug}/entries/{int:entry}",
    url_name="api-entry",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"contact": "090-2", "notes": "", "seen": 0}),
)
def correct_entry(
    request: HttpRequest, slug: str, entry: int, payload: EntryChangeIn
) -> Ok[PrivateEntryOut]:
    """Correct a player's fields. The number does not change."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    sent = payload.model_dump(exclude_unset=True)
    corrections = {name: value for name, value in sent.items() if name != "seen"}
    current = get_object_or_404(tournament.entries, number=entry)
    try:
        with transaction.atomic():
            corrected = entries_service.correct_entry(
                current, corrections, seen_version=payload.seen, by=by
            )
            document = private_entry_as_json(corrected, version_of(corrected))
            # A changed class may make a vacancy for applicants on the waiting list.
            registrations.approve_waiting(tournament, by=by)
    except VersionConflict:
        version = version_of(current)  # read before the entry, so that it is never too new
        current = get_object_or_404(tournament.entries, number=entry)
        stored = private_entry_as_json(current, version)
        raise Refused("entry_changed", at="seen", stored=stored, yours=sent) from None
    return Ok(document)


@router.post(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {
            "entries": [
                {"name": "成田 キヨ", "club": "なかよし村", "contact": "090-1", "birth_year": 1948},
                {"name": "工藤 正"},
            ]
        }
    ),
)
def add_entries(request: HttpRequest, slug: str, payload: EntriesIn) -> Created[AddedOut]:
    """Add players, all or none; they get the next numbers, in this order."""
    people = [entry.model_dump() for entry in payload.entries]
    tournament = door.tournament_of(request)
    added = entries_service.add_entries(tournament, people, by=rights.actor(request))
    return _added_as_json(added)


@router.post(
    "/tournaments/{slug:slug}/entries/preview",
    url_name="api-preview-entries",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"entries": [{"name": "成田 キヨ"}]}),
)
def preview_entries(request: HttpRequest, slug: str, payload: EntriesIn) -> Ok[ProposalsOut]:
    """Return the numbers that these players would get; nothing is stored.

    For each, propose the player of an earlier tournament of the client's who may be the same.
    """
    tournament = door.tournament_of(request)
    people = [entry.model_dump() for entry in payload.entries]
    other_tournaments = tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)
    proposed = proposals(tournament, people, other_tournaments)
    return Ok(proposals_as_json(proposed, entries_service.last_number(tournament) + 1))


@router.post(
    "/tournaments/{slug:slug}/entries/import",
    url_name="api-import-entries",
    auth=Requires(Level.DIRECT),
)
def import_entries(
    request: HttpRequest,
    slug: str,
    file: Annotated[UploadedFile, File()],
    encoding: Annotated[str, Form()] = "",
) -> Created[AddedOut]:
    """Add all players of a CSV or Excel file, or none if any line has a problem.

    Backs the database up before. `encoding` is that of a CSV file.
    """
    tournament = door.tournament_of(request)
    try:
        if (file.size or 0) > LARGEST:
            raise Refused("too_large", at="file")
        people = read_entries(file.read(), encoding=encoding.lower())
        added = entries_service.import_entries(tournament, people, by=rights.actor(request))
        return _added_as_json(added)
    except BadFile as bad:
        errors = [
            {"at": f"line {problem.line}" if problem.line else "", "code": problem.code}
            | {"message": problem.message}
            for problem in bad.problems
        ]
        raise Invalid(errors) from None


def _added_as_json(added: Sequence[Entry]) -> Created[AddedOut]:
    return Created({"entries": private_entries_as_json(added, versions={})})
