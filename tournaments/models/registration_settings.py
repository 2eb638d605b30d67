"""What a director chooses for the registration of players by themselves (参加申し込み)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

MOST_PLACES = 1000
MOST_DIVISIONS = 20  # to choose from
LONGEST_TEXT = 2000  # characters
# Of `closes_at`: near the ends of `datetime`'s range a conversion to local time overflows.
EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


class RegistrationSettings(NamedTuple):
    """Whether applicants may register, until when, for how many places, and what they are told.

    `capacity` is None without a limit; `capacities` are those of divisions that have one of their
    own besides. `is_automatic`: whoever finds a place is approved at once. An applicant chooses one
    of `divisions`, if there are any. `Tournament.registration` holds them as JSON, empty for a
    tournament in which they were never set.
    """

    is_open: bool = False
    closes_at: datetime | None = None
    capacity: int | None = None
    is_automatic: bool = False
    divisions: tuple[str, ...] = ()
    text: str = ""
    capacities: Mapping[str, int] = MappingProxyType({})

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RegistrationSettings:
        """Return the settings that are stored. Raises `KeyError` and `ValueError` for others."""
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
        )

    def as_json(self) -> dict[str, Any]:
        """Return the settings as they are stored, also in the audit trail.

        `capacities` is there only if there are any, as in settings of earlier versions.
        """
        own = {"capacities": dict(self.capacities)} if self.capacities else {}
        return {
            "open": self.is_open,
            "closes_at": self.closes_at.isoformat() if self.closes_at else None,
            "capacity": self.capacity,
            "automatic": self.is_automatic,
            "divisions": list(self.divisions),
            "text": self.text,
            **own,
        }

    def has_ended(self, now: datetime) -> bool:
        """Return whether the moment has come at which registration closes by itself."""
        return self.closes_at is not None and self.closes_at <= now
