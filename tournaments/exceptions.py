"""Exceptions of refused operations. Pages and the API show the same code and sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class OperationRefused(Exception):
    """An operation was refused and has changed nothing.

    Subclasses have a `code` for programs and a `sentence` for people. The API answers with the
    HTTP `status`, the path `at` of the problem in the request, and `more` keys of the JSON object.

    A sentence says what happened, why, and what to do. `sentence_over_api` replaces it over the
    API, where it speaks of a page.
    """

    code: str
    sentence: str | Promise
    sentence_over_api: str | Promise = ""
    status = 409
    at = ""
    more: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        return str(self.sentence)


CHANGED_SINCE = _(
    "Not saved: this has changed since you read it. Read it again, then send the request again."
)


class ChangedSince(OperationRefused):
    """What the writer saw has been changed before."""

    sentence_over_api = CHANGED_SINCE


class Busy(Exception):
    """As much of this work is being done as the server allows at a time; it may be asked again."""


class JobEnded(OperationRefused):
    """The process of a job (`server.jobs`) ended without an answer."""

    code = "job_ended"
    status = 503
    sentence = _(
        "This was stopped before it was done: it took too much memory or time, or the server was "
        "stopped. Try again; print a long list in parts, for example table by table."
    )


class ConflictError(Exception):
    """The object to change, or one that it depends on, was changed since the writer read it."""
