"""What programs are answered: a document that nobody keeps, and the shape of every refusal.

Here are also the words of what is refused before anybody has looked at what is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "bad_length": _("The header Content-Length says no length."),
    "full": _("Not stored: the disk of the server is full. Tell whoever looks after it."),
    "locked": _("Not stored: the records cannot be reached at the moment. Send it again."),
    "log_in": _("This phone is at no table here. Scan the table's code again, or log in."),
    "not_found": _("There is no such thing here, or it is not yours to see."),
    "too_large": _("This is too large to be taken."),
}


def is_one(request: HttpRequest) -> bool:
    """Return whether what is asked for is an answer for programs, no page."""
    return f"{request.path_info}/".startswith("/api/")


def reply(
    document: Mapping[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    in_order: bool = False,
) -> HttpResponse:
    """Return a document as an answer that nobody keeps but who asked.

    `in_order` sorts its keys: PostgreSQL forgets in which order they were stored. Half a surrogate
    pair, which only a refusal quotes, stays the escape that it came as.
    """
    fresh = {"Cache-Control": "no-store", **(headers or {})}
    spelled = json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, sort_keys=in_order)
    text = spelled.encode("utf-8", "backslashreplace")
    return HttpResponse(text, "application/json", status, headers=fresh)


def naming_key(request: HttpRequest) -> dict[str, str]:
    """Return the header that repeats a write's key, by which its answer is told from others."""
    key = request.headers.get("Idempotency-Key", "")
    return {"Idempotency-Key": key} if key else {}


def refusal(code: str, sentence: str | Promise, *, at: str = "", **more: Any) -> dict[str, Any]:
    """Return the document of a refusal with one problem; `more` goes in beside it."""
    told = {"code": code, "message": str(sentence)}
    return {"ok": False, **told, "errors": [{"at": at, **told}], **more}


def refuse(code: str, status: int) -> HttpResponse:
    """Return the answer to what is refused so, whatever was asked for."""
    return reply(refusal(code, SENTENCES[code]), status)
