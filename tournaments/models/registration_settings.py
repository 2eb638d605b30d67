"""The settings of registration (参加申し込み), by which people apply to play."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.field_types import Moment, StrictModel

MAX_CAPACITY = 1000
MOST_DIVISIONS = 20  # offered to applicants
LONGEST_TEXT = 2000  # characters
# Limits of `closes_at`: near the ends of `datetime`'s range a conversion to local time overflows.
EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


class RegistrationSettings(NamedTuple):
    """The settings of registration; `Tournament.registration` holds them as JSON.

    - `closes_at`: when registration closes by itself
    - `capacity`: the highest number of players; None without a limit
    - `is_automatic`: an applicant with the code is approved at once if there is a free place
    - `divisions`: the divisions from which an applicant chooses one
    - `text`: shown to applicants
    - `capacities`: the capacities of divisions that have one of their own
    - `code_number`: which code is valid, from 0; see `queries.registrations.code_of`
    """

    is_open: bool = False
    closes_at: datetime | None = None
    capacity: int | None = None
    is_automatic: bool = False
    divisions: tuple[str, ...] = ()
    text: str = ""
    capacities: Mapping[str, int] = MappingProxyType({})
    code_number: int = 0

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RegistrationSettings:
        """Return the settings from JSON; the defaults if it is empty, because they were never set.

        Raises `KeyError` and `ValueError` for malformed JSON.
        """
        if not document:
            return cls()
        closes_at = document["closes_at"]
        return cls(
            is_open=document["open"],
            closes_at=datetime.fromisoformat(closes_at) if closes_at else None,
            capacity=document["capacity"],
            is_automatic=document["automatic"],
            divisions=tuple(document["divisions"]),
            text=document["text"],
            capacities=document.get("capacities", {}),
            code_number=document.get("code", 0),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON, for the tournament and the audit trail.

        `capacities` and `code` are left out if empty: earlier versions of the app did not store
        them.
        """
        capacities = {"capacities": dict(self.capacities)} if self.capacities else {}
        return {
            "open": self.is_open,
            "closes_at": self.closes_at.isoformat() if self.closes_at else None,
            "capacity": self.capacity,
            "automatic": self.is_automatic,
            "divisions": list(self.divisions),
            "text": self.text,
            **capacities,
            **({"code": self.code_number} if self.code_number else {}),
        }

    def has_ended(self, now: datetime) -> bool:
        """Return whether registration has closed by itself."""
        return self.closes_at is not None and self.closes_at <= now


Division = Annotated[str, Field(max_length=MAX_LENGTHS["division"])]
Places = Annotated[int, Field(ge=1, le=MAX_CAPACITY)]


class RegistrationFacts(StrictModel):
    """Whether and how applications are accepted. `text` is shown to applicants."""

    open: bool
    closes_at: Moment | None = None
    capacity: Annotated[
        Places | None, Field(description="How many players at most; null: no limit.")
    ] = None
    automatic: Annotated[
        bool, Field(description="Approved at once with the code, while places are free.")
    ] = False
    divisions: Annotated[list[Division], Field(max_length=MOST_DIVISIONS)] = []
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    capacities: Annotated[
        dict[Division, Places],
        Field(max_length=MOST_DIVISIONS, description="Of classes with a limit of their own."),
    ] = {}
