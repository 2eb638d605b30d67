"""Applications to play: applicants send, read and withdraw them, directors decide on them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Literal

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import Name, RequestBody, ShortText, Version, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.registrations import (
    ApplicationOut,
    RegistrationPageOut,
    RegistrationSettingsOut,
    RegistrationsOut,
    application_as_json,
    page_as_json,
    registrations_as_json,
    settings_as_json,
)
from tournaments.audit import AN_APPLICANT
from tournaments.models import Registration, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES, PersonFacts
from tournaments.models.field_types import Moment
from tournaments.models.registration_settings import (
    EARLIEST,
    LATEST,
    MOST_DIVISIONS,
    Division,
    RegistrationFacts,
    RegistrationSettings,
)
from tournaments.permissions import door, rights
from tournaments.permissions.daily_limits import REGISTRATIONS
from tournaments.permissions.levels import Level
from tournaments.queries.registrations import (
    applicant_of,
    applicants_of,
    registration_with_key,
    vacancies_for_new,
    vacancies_of,
)
from tournaments.services import contacts, idempotency, versions
from tournaments.services import registrations as service
from tournaments.services.entries import TooManyEntries
from tournaments.services.registrations import Decision
from tournaments.web import peers

router = Router(tags=["tournaments"])

Key = Annotated[str, Field(pattern=service.KEY_PATTERN)]
State = Literal["approved", "waiting", "declined"]
Seen = Literal["pending", "approved", "waiting", "declined", "withdrawn"]


class ApplicationIn(RequestBody, PersonFacts):
    """An application. Its `key` is random, new and secret: with it the application is read again.

    `code` is the organiser's, for approval at once. `consent`: the name, club, class and team may
    be shown. `contact` is for the staff only.
    """

    key: Key
    name: Name
    contact: Name
    code: ShortText = ""
    consent: Literal[True]


class RegistrationSettingsIn(RequestBody, RegistrationFacts):
    """The settings of registration; `seen` is the version that was read.

    `capacity` limits the number of players, `capacities` that of single classes, by name.
    `new_code` makes a new code for applicants.
    """

    closes_at: Annotated[Moment, Field(ge=EARLIEST, le=LATEST)] | None = None
    divisions: Annotated[
        list[Annotated[Division, Field(min_length=1)]], Field(max_length=MOST_DIVISIONS)
    ] = []
    new_code: StrictBool = False
    seen: Version


class SeenIn(RequestBody):
    """The number of an application, and the state that was `seen`."""

    number: StrictInt
    seen: Seen


class DecisionsIn(RequestBody):
    """Applications, and their new state."""

    state: State
    registrations: Annotated[list[SeenIn], Field(min_length=1, max_length=MOST_ENTRIES)]


@router.get(
    "/tournaments/{slug:slug}/register", url_name="api-register", auth=Requires(Level.APPLY)
)
def registration_page(request: HttpRequest, slug: str) -> Ok[RegistrationPageOut]:
    """Return whether applications are accepted now, and the texts and limits for applicants."""
    tournament = door.tournament_of(request)
    return Ok(page_as_json(tournament, vacancies_for_new(tournament)))


@router.post(
    "/tournaments/{slug:slug}/register",
    url_name="api-register",
    auth=Requires(Level.APPLY),
    openapi_extra=example(
        {
            "key": "q3Zt8LwYx1cV5bN7mK2pR4sT",
            "name": "山田 太郎",
            "reading": "やまだ たろう",
            "club": "なかよし村",
            "division": "一般",
            "contact": "090-0000-0000",
            "consent": True,
        }
    ),
)
def register(request: HttpRequest, slug: str, payload: ApplicationIn) -> Created[ApplicationOut]:
    """Apply to play. Idempotent under the same key.

    429 if too many new applications came from the client's address today.
    """
    tournament = door.tournament_of(request)
    is_new = registration_with_key(tournament, payload.key) is None
    limit = REGISTRATIONS.counting(request, has_session=False) if is_new else nullcontext()
    person = payload.model_dump(exclude={"key", "code", "consent"})
    by, is_at_venue = rights.actor(request, default_who=AN_APPLICANT), peers.is_at_venue(request)
    with placed("key", idempotency.KeyReused), limit, transaction.atomic():
        row = service.register(
            tournament,
            person,
            key=payload.key,
            by=by,
            code=payload.code,
            is_at_venue=is_at_venue,
        )
        document = application_as_json(applicant_of(row))
    return Created(document)


@router.get(
    "/tournaments/{slug:slug}/register/{slug:key}",
    url_name="api-registration",
    auth=Requires(Level.APPLY),
)
def registration(request: HttpRequest, slug: str, key: str) -> Ok[ApplicationOut]:
    """Return an application and its state to the applicant, who has its key."""
    row = _registration_or_404(door.tournament_of(request), key)
    return Ok(application_as_json(applicant_of(row)))


@router.delete(
    "/tournaments/{slug:slug}/register/{slug:key}",
    url_name="api-registration",
    auth=Requires(Level.APPLY),
)
def withdraw_registration(request: HttpRequest, slug: str, key: str) -> Ok[ApplicationOut]:
    """Withdraw an application. An approved applicant stays a player until the director decides."""
    tournament, by = door.tournament_of(request), rights.actor(request, default_who=AN_APPLICANT)
    with transaction.atomic():
        service.withdraw_application(_registration_or_404(tournament, key), by=by)
        document = application_as_json(applicant_of(_registration_or_404(tournament, key)))
    return Ok(document)


def _registration_or_404(tournament: Tournament, key: str) -> Registration:
    """Raises `Refused` (404)."""
    row = registration_with_key(tournament, key)
    if row is None:
        raise Refused("not_found")
    return row


@router.get(
    "/tournaments/{slug:slug}/registrations",
    url_name="api-registrations",
    auth=Requires(Level.STAFF),
)
def registrations(request: HttpRequest, slug: str) -> Ok[RegistrationsOut]:
    """List the applications with their contacts, and the settings of registration."""
    return Ok(_current_registrations(door.tournament_of(request)))


def _current_registrations(tournament: Tournament) -> RegistrationsOut:
    """Return the applications as stored. The version is read first, so that it is never too new."""
    version = versions.registration_version(tournament)
    tournament.refresh_from_db()
    return registrations_as_json(
        tournament, applicants_of(tournament), vacancies_of(tournament), version
    )


@router.post(
    "/tournaments/{slug:slug}/registrations",
    url_name="api-registrations",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {"state": "approved", "registrations": [{"number": 1, "seen": "pending"}]}
    ),
)
def decide_registrations(
    request: HttpRequest, slug: str, payload: DecisionsIn
) -> Ok[RegistrationsOut]:
    """Approve applications, decline them, or put them on the waiting list: all or none."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    decisions = [Decision(each.number, each.seen) for each in payload.registrations]
    with placed("registrations", TooManyEntries), transaction.atomic():
        service.decide(tournament, decisions, payload.state, by=by)
        document = _current_registrations(tournament)
    return Ok(document)


@router.put(
    "/tournaments/{slug:slug}/registrations/settings",
    url_name="api-registration-settings",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {
            "open": True,
            "closes_at": "2031-01-31T18:00:00+09:00",
            "capacity": 40,
            "divisions": ["一般", "初心者"],
            "text": "参加費 1,000円",
            "seen": 0,
        }
    ),
)
def set_registration(
    request: HttpRequest, slug: str, payload: RegistrationSettingsIn
) -> Ok[RegistrationSettingsOut]:
    """Replace the settings of registration."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    new_settings = RegistrationSettings(
        is_open=payload.open,
        closes_at=payload.closes_at,
        capacity=payload.capacity,
        is_automatic=payload.automatic,
        divisions=tuple(dict.fromkeys(payload.divisions)),
        text=payload.text,
        capacities=payload.capacities,
        code_number=tournament.registration_settings.code_number + payload.new_code,
    )
    with placed("capacities", service.NoSuchDivision):
        if not payload.capacities.keys() <= {*payload.divisions}:
            raise service.NoSuchDivision
    try:
        with transaction.atomic():
            service.set_registration(tournament, new_settings, seen_version=payload.seen, by=by)
            tournament.refresh_from_db()
            document = settings_as_json(tournament, versions.registration_version(tournament))
    except versions.VersionConflict:
        raise Refused("registration_set_since", at="seen") from None
    return Ok(document)


@router.delete(
    "/tournaments/{slug:slug}/registrations/contacts",
    url_name="api-applicants-contacts",
    auth=Requires(Level.DIRECT),
)
def erase_contacts(request: HttpRequest, slug: str) -> Ok[RegistrationsOut]:
    """Erase the contacts of withdrawn and declined applications, and outdated contacts of players.

    A contact is outdated if it was corrected for the player since. Closing the event erases these
    contacts too.
    """
    tournament = door.tournament_of(request)
    with transaction.atomic():
        contacts.erase_contacts(tournament, by=rights.actor(request))
        document = _current_registrations(tournament)
    return Ok(document)


@router.delete(
    "/tournaments/{slug:slug}/registrations/{int:registration}/player",
    url_name="api-applicants-player",
    auth=Requires(Level.DIRECT),
)
def remove_applicants_player(
    request: HttpRequest, slug: str, registration: int
) -> Ok[RegistrationsOut]:
    """Remove the player of an approved application. 409 if the player has a seat in a session."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    row = tournament.registrations.filter(number=registration).first()
    if row is None:
        raise Refused("not_found")
    with transaction.atomic():
        service.remove_player(row, by=by)
        document = _current_registrations(tournament)
    return Ok(document)
