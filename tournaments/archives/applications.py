"""The JSON schema of applications to play, and of the settings of registration, in an archive."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tournaments import models
from tournaments.models.entry_fields import PersonFacts
from tournaments.models.field_types import (
    AS_TEXT,
    Count,
    Digest,
    Facts,
    Moment,
    Number,
    Short,
)
from tournaments.models.registration_settings import RegistrationFacts


class Registering(RegistrationFacts):
    """The settings of registration; `closes_at` as ISO 8601."""

    code: Count = 0


def check_settings(settings: Facts) -> Facts:
    """Return the settings unchanged. Raises `ValidationError` unless they are a `Registering`.

    An empty object is valid: registration was never set.
    """
    if settings:
        Registering.model_validate(settings)
    return settings


class Application(PersonFacts):
    """An application to play. `player` is a player's number; `digest` is that of the secret key.

    `contact` and `salt` are empty in an archive without private fields.
    """

    number: Count
    contact: Short
    salt: Annotated[str, Field(pattern=r"^([0-9a-f]{32})?$")]
    state: Annotated[models.Registration.State, AS_TEXT]
    player: Number | None
    digest: Digest
    at: Moment
