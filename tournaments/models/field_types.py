"""The types of fields that the API, archives and publications share, each within limits.

`…Facts` are what is chosen, `…Record` adds what is stored with it. They are as loose as the oldest
archive and publication; the bodies of requests, which inherit them, may be stricter.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
)
from pydantic_core import PydanticCustomError

YEARS = _("This date is out of range. Choose one in the years 1900 to 2999.")
AnyDate = TypeVar("AnyDate", bound=date)


def _check_not_reserved(slug: str) -> str:
    """Return the slug. Raises `ValueError` if it would hide another page below /tournaments/."""
    if slug in {"new", "archive"}:
        raise ValueError(slug)
    return slug


Number = Annotated[int, Field(ge=1, le=32_767)]
Count = Annotated[int, Field(ge=0, le=2_147_483_647)]
Points = Annotated[int, Field(gt=-(10**8), lt=10**8)]
Short = Annotated[str, Field(max_length=200)]
LONGEST_REASON = 500  # in pages, the API, archives and rows
Reason = Annotated[str, Field(max_length=LONGEST_REASON)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]{1,40}$"), AfterValidator(_check_not_reserved)]
Facts = dict[str, Any]
# By name: the chosen values of options, each a `scoring.Choice`, and house points.
Options = dict[str, StrictBool | Annotated[StrictStr, Field(max_length=200)]]
HousePoints = dict[str, StrictInt]


def _check_no_timestamp(value: object) -> object:
    """Return the value. Raises `ValueError` for a number: pydantic would read it as a Unix time."""
    if not isinstance(value, (str, date)) or (isinstance(value, str) and value.isdigit()):
        raise ValueError(value)
    return value


def has_sane_year(value: date) -> bool:
    """Return whether a date is in the years 1900 to 2999.

    Near the ends of `date`'s range adding a time zone or a week would overflow.
    """
    return 1900 <= value.year < 3000


def _check_year(value: AnyDate) -> AnyDate:
    """Return the date. Raises `PydanticCustomError` (`year`) unless it has a sane year."""
    if not has_sane_year(value):
        raise PydanticCustomError("year", "The year is not sane.")
    return value


AS_TEXT = Field(strict=False)  # accept a string, since JSON has no dates and enums
Moment = Annotated[
    AwareDatetime, AS_TEXT, BeforeValidator(_check_no_timestamp), AfterValidator(_check_year)
]
Day = Annotated[date, AS_TEXT, BeforeValidator(_check_no_timestamp), AfterValidator(_check_year)]

AT_A_TABLE = Field(max_length=16)
IN_AN_EVENT = Field(max_length=2_000_000)


ABSENT = object()


class StrictModel(BaseModel):
    """A model that accepts exactly its fields, without converting their types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def json_of(cls, row: object, **others: Any) -> Any:
        """Return the JSON of a row: `others`, and the attributes that fields are named after.

        It is not validated: a row that was tampered with is shown as it is.
        """
        return others | {
            name: value.isoformat() if isinstance(value, date) else value
            for name in cls.model_fields
            if name not in others and (value := getattr(row, name, ABSENT)) is not ABSENT
        }
