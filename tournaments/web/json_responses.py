"""JSON responses, the format of refusals, and the messages of refusals by middleware."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from django.utils.http import quote_etag
from django.utils.translation import gettext_lazy as _

Response = TypeVar("Response", bound=HttpResponse)

# Of refusals that no operation knows: by code, the status and the sentence.
REFUSALS = {
    "bad_length": (400, _("The header Content-Length is not a number. Correct or omit it.")),
    "elsewhere": (
        503,
        _(
            "Not saved yet: the tournament continues on another computer. Wait: this is sent as "
            "soon as that one can be reached."
        ),
    ),
    "full": (
        507,
        _("Not saved: the server’s disk is full. Tell the person who looks after the server."),
    ),
    "locked": (
        503,
        _("Not saved: the records cannot be read or written at the moment. Try again."),
    ),
    "log_in": (
        401,
        _("This phone has not joined a table. Scan the table’s code again, or log in."),
    ),
    "needs_https": (
        403,
        _("The password was sent over http, where others can read it. Send it over https."),
    ),
    "not_found": (
        404,
        _("This does not exist, or you may not see it. Check the address, and log in."),
    ),
    "too_large": (413, _("This is too large. Send it in parts.")),
}


def is_api_request(request: HttpRequest) -> bool:
    """Return whether the URL of a request is below /api/, where errors are answered as JSON."""
    return f"{request.path_info}/".startswith("/api/")


def encode(document: Mapping[str, object], *, sort_keys: bool = False) -> bytes:
    """Return a document as JSON in UTF-8; a lone surrogate, which UTF-8 lacks, is escaped."""
    text = json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, sort_keys=sort_keys)
    return text.encode("utf-8", "backslashreplace")


def uncached(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Return these headers with Cache-Control: no-store, unless they set Cache-Control."""
    return {"Cache-Control": "no-store", **(headers or {})}


def reply(
    document: Mapping[str, object],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    sort_keys: bool = False,
) -> HttpResponse:
    """Return a JSON response that no cache may store.

    `sort_keys` is for stored documents: PostgreSQL does not keep the order of their keys.
    """
    content = encode(document, sort_keys=sort_keys)
    return HttpResponse(content, "application/json", status, headers=uncached(headers))


def unless_known(request: HttpRequest, response: Response) -> Response:
    """Return the response with an ETag, a digest of its content; 304 if the client has it."""
    etag = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
    response.headers["ETag"] = etag
    return cast("Response", get_conditional_response(request, etag=etag, response=response))


def idempotency_header(request: HttpRequest) -> dict[str, str]:
    """Return the request's Idempotency-Key as a header for its response; empty without a key."""
    key = request.headers.get("Idempotency-Key", "")
    return {"Idempotency-Key": key} if key else {}


def refusal(code: str, sentence: str | Promise, *, at: str = "", **more: Any) -> dict[str, Any]:
    """Return the document of a refusal with one error.

    `at` is the place in the request; `more` are additional keys of the document.
    """
    error = {"code": code, "message": str(sentence)}
    return {"ok": False, **error, "errors": [{"at": at, **error}], **more}


def refuse(code: str) -> HttpResponse:
    """Return the response for a refusal of `REFUSALS`."""
    status, sentence = REFUSALS[code]
    return reply(refusal(code, sentence), status)
