"""Applications to play, and the settings of registration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import one_of
from tournaments.models import Registration, Tournament
from tournaments.models.registration_settings import RegistrationFacts
from tournaments.queries.registrations import Applicant, Vacancies, code_of
from tournaments.queries.round_documents import Moment, no_other_keys

State = Annotated[str, one_of(Registration.State)]
Capacity = Annotated[int | None, Field(description="How many players at most; null: no limit.")]
Capacities = Annotated[dict[str, int], Field(description="Of classes with a limit of their own.")]


@no_other_keys
class RegistrationPageOut(TypedDict):
    """What an applicant needs to know before applying."""

    name: str
    held_on: Annotated[str, Field(json_schema_extra={"format": "date"})]
    open: Annotated[bool, Field(description="Whether applications are accepted now.")]
    closes_at: Moment | None
    capacity: Capacity
    full: Annotated[bool, Field(description="New applications go to the waiting list.")]
    divisions: Annotated[
        list[str], Field(description="An application names one of these, if there are any.")
    ]
    capacities: Capacities
    full_divisions: Annotated[
        list[str], Field(description="New applications for these go to the waiting list.")
    ]
    text: str


def page_as_json(tournament: Tournament, vacancies: Vacancies) -> RegistrationPageOut:
    chosen = tournament.registration_settings
    return {
        "name": tournament.name,
        "held_on": str(tournament.held_on),
        "open": tournament.takes_registrations,
        "closes_at": chosen.closes_at.isoformat() if chosen.closes_at else None,
        "capacity": chosen.capacity,
        "full": vacancies.goes_to_waiting_list,
        "divisions": list(chosen.divisions),
        "capacities": dict(chosen.capacities),
        "full_divisions": [
            each for each in chosen.divisions if not vacancies.has_place_for_new(each)
        ],
        "text": chosen.text,
    }


@no_other_keys
class ApplicationOut(TypedDict):
    """An application: its state, and what was sent."""

    state: State
    place: Annotated[int | None, Field(description="On the waiting list, from 1; else null.")]
    player: Annotated[int | None, Field(description="The player's number, once approved.")]
    name: str
    club: str
    division: str
    reading: str
    team: str
    contact: str
    at: Moment


def application_as_json(applicant: Applicant) -> ApplicationOut:
    row = applicant.row
    return {
        "state": applicant.state.value,
        "place": applicant.position,
        "player": applicant.player.number if applicant.player else None,
        "name": row.name,
        "club": row.club,
        "division": row.division,
        "reading": row.reading,
        "team": row.team,
        "contact": row.contact,
        "at": row.at.isoformat(),
    }


@no_other_keys
class ListedApplicationOut(ApplicationOut):
    """An application on the staff's list, with its number."""

    number: int
    double: Annotated[bool, Field(description="Somebody of this name applied or plays already.")]


class RegistrationSettingsOut(RegistrationFacts):
    """Whether and how applications are accepted. `text` is shown to applicants."""

    code: Annotated[str, Field(description="For applicants; the director gives it out.")]
    version: Annotated[int, Field(description="The `seen` of the next write.")]


def settings_as_json(tournament: Tournament, version: int) -> Any:
    chosen = tournament.registration_settings.as_json()
    return {"capacities": {}, **chosen, "code": code_of(tournament), "version": version}


@no_other_keys
class RegistrationsOut(TypedDict):
    """All applications in the order in which they came, and the settings of registration.

    `players` is the number of players of the tournament; substitutes are not counted.
    """

    registrations: list[ListedApplicationOut]
    players: int
    settings: RegistrationSettingsOut


def registrations_as_json(
    tournament: Tournament, applicants: Sequence[Applicant], vacancies: Vacancies, version: int
) -> RegistrationsOut:
    """`version` is that of the registration's settings."""
    return {
        "registrations": [
            {
                **application_as_json(each),
                "number": each.row.number,
                "double": each.is_double,
            }
            for each in applicants
        ],
        "players": vacancies.players,
        "settings": settings_as_json(tournament, version),
    }
