"""How the API says no: a status, a code for programs, and a sentence in the reader's language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

import scoring
from tournaments import archives
from tournaments.facts.closing import EventClosed, EventOver
from tournaments.results.events import NotThere
from tournaments.sending.json_texts import NotKept
from tournaments.wording import sentences

OF_ARCHIVES = (
    *(archives.Damaged, archives.Foreign, archives.HereAlready),
    *(archives.Newer, archives.NotWhole, archives.OtherRules),
)

Raised = Exception | type[Exception]  # as the library types what it hands to a handler

SENTENCES = {
    **{each.code: each.sentence for each in OF_ARCHIVES},
    "already_seated": _("This session has been seated meanwhile."),
    "another_phone": _("The other side accepts on a phone of its own."),
    "bad_length": _("The header Content-Length says no length."),
    "csrf": _("This request did not come from one of our pages. Load the page anew."),
    "event_closed": _("The event is closed. Open it again first."),
    "event_over": _("This event is over. Take what this phone still keeps to the desk."),
    "finished": _(
        "No more rounds are taken down at this table:"
        " those agreed on are all played, or only totals are typed in there."
    ),
    "key_missing": _("Name this write in the header Idempotency-Key: a new key for each."),
    "key_reused": _("Another request came under this key. Make a new key for each write."),
    "log_in": _("Log in, or send a token."),
    "method": _("This address does not take that method."),
    "missing": _("This is missing; add it."),
    "name_taken": _("There is an account of this name: choose another."),
    "needs_desk": _("The other side has accepted this round: only the desk can change it."),
    "no_deals": _("This game is not played in deals. Send the whole round."),
    "no_entry": _("No player of this tournament has that number."),
    "not_found": _("There is no such thing here, or it is not yours to see."),
    "not_json": _("This is not JSON; check quotation marks and commas."),
    "not_kept": _("There is a character in this which cannot be kept: a NUL, or half of one."),
    "not_next": _("The round or deal before this one is not recorded yet."),
    "not_yours": _("Only the desk can put right a round that counts."),
    "nothing_to_accept": _("There is no such round to accept as it was shown. Look again."),
    "phone_ended": _("This table's link has been closed. Ask the desk for the new one."),
    "range": _("This is too much, too little, too long or too short."),
    "reason_missing": _("Say why the recorded round is changed."),
    "seated_twice": _("A player would sit down twice in one session."),
    "seen_missing": _("Say which version you saw: in `seen`, or in the header If-Match."),
    "seen_twice": _("`seen` and the header If-Match name two versions. Say which one you saw."),
    "stale": _("The round has been recorded otherwise meanwhile. Both versions are shown."),
    "table_size": _("These rules are not played by that many at a table."),
    "taken_over": _("Another phone has taken over at this table."),
    "throttled": _("Too many wrong guesses. Wait a moment."),
    "token_unknown": _("This token is not known here, or no longer."),
    "too_large": _("This is too large to be taken."),
    "too_many": _("There is no room for so many players."),
    "type": _("Something of another kind is expected here."),
    "unknown_key": _("This is not known here; remove it or correct its spelling."),
    "weak_password": _("Choose a longer password, and one that is not easily guessed."),
    "wrong_password": _("The name or the password is wrong."),
    "wrong_pin": _(
        "This is not the PIN of this table."
        " If the card was printed again, the new card has the PIN."
    ),
}


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


class Refused(Exception):
    """Raised to answer no. `more` goes into the answer beside code and sentence."""

    def __init__(
        self,
        status: int,
        code: str,
        *,
        at: str = "",
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        """Keep the status, the code and the rest."""
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.at = at
        self.headers = headers
        self.more = more


class Invalid(Exception):
    """Raised to answer 422 with every problem: place, code and sentence."""

    def __init__(self, errors: Sequence[Mapping[str, str]]) -> None:
        """Keep the problems."""
        super().__init__(len(errors))
        self.errors = [dict(error) for error in errors]


def refusal(code: str, *, at: str = "", **more: Any) -> dict[str, Any]:
    """Return the document of a refusal."""
    sentence = str(SENTENCES[code])
    error = {"at": at, "code": code, "message": sentence}
    return {"ok": False, "code": code, "message": sentence, "errors": [error], **more}


def refusals(errors: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the document of a request with several problems; the first one stands for all."""
    first = errors[0]
    summary = {"code": first["code"], "message": first["message"]}
    return {"ok": False, **summary, "errors": [dict(error) for error in errors]}


def problems_as_json(
    problems: Sequence[scoring.Problem], names: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the problems of a record: in English exactly as `manage.py score` gives them."""
    if (get_language() or "en").startswith("en"):
        return [problem.as_json() for problem in problems]
    return [
        problem.as_json() | {"message": sentences.problem_sentence(problem, names)}
        for problem in problems
    ]


def is_known(request: HttpRequest) -> bool:
    """Return whether anybody in particular asks."""
    from tournaments.api import asking  # noqa: PLC0415  it raises refusals itself

    return asking.is_known(request)


def why_ended(request: HttpRequest) -> str | None:
    """Return the code for a phone that asks about the table it was at, None for everybody else."""
    from tournaments.api import asking  # noqa: PLC0415  likewise

    return asking.why_ended(request)


def _over(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("event_over"), status=401)


def _closed(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("event_closed"), status=409)


def _refused(_request: HttpRequest, refused: Raised) -> HttpResponse:
    assert isinstance(refused, Refused)  # noqa: S101  for the types
    document = refusal(refused.code, at=refused.at, **refused.more)
    return reply(document, status=refused.status, headers=refused.headers)


def _invalid(_request: HttpRequest, invalid: Raised) -> HttpResponse:
    assert isinstance(invalid, Invalid)  # noqa: S101  for the types
    return reply(refusals(invalid.errors), status=422)


def _not_found(request: HttpRequest, _missing: Raised) -> HttpResponse:
    """Tell those we do not know to log in, whether or not it is there: they learn nothing.

    A phone that was the table's is told why it no longer is.
    """
    ended = why_ended(request)
    if ended is not None:
        return reply(refusal(ended), status=401)
    if is_known(request):
        return reply(refusal("not_found"), status=404)
    return reply(refusal("log_in"), status=401)


def _too_large(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("too_large"), status=413)


def _not_as_described(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer a request that is not shaped as the OpenAPI document says."""
    assert isinstance(error, ValidationError)  # noqa: S101  for the types
    errors = [
        {"at": place(each["loc"]), "code": code, "message": str(SENTENCES[code])}
        for each in error.errors
        for code in [code_of(each["type"])]
    ]
    return reply(refusals(errors), status=422)


def place(loc: Sequence[str | int]) -> str:
    """Return where in the request something is, as records tell it.

    >>> place(("body", "payload", "tables", 0, 2))
    'tables[0][2]'
    """
    inside = loc[2:] if loc and loc[0] == "body" else loc[1:]
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in inside)
    return text.removeprefix(".")


def code_of(kind: str) -> str:
    """Return our code for what the validation library found.

    >>> code_of("missing"), code_of("extra_forbidden"), code_of("greater_than"), code_of("int_type")
    ('missing', 'unknown_key', 'range', 'type')
    """
    if kind == "missing":
        return kind
    if kind == "extra_forbidden":
        return "unknown_key"
    if kind.startswith(("greater", "less", "string_too", "too_")):
        return "range"
    return "type"


def _http_error(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer what the library itself refuses: a body that is not JSON, or cannot be kept."""
    assert isinstance(error, HttpError)  # noqa: S101  for the types
    if isinstance(error.__cause__, NotKept):
        return reply(refusal("not_kept"), status=422)
    if error.status_code == 400:
        return reply(refusal("not_json"), status=422)
    return reply(refusal("method"), status=error.status_code)


def teach(api: NinjaAPI) -> None:
    """Let the API answer all of these in our shape."""
    api.add_exception_handler(Refused, _refused)
    api.add_exception_handler(Invalid, _invalid)
    api.add_exception_handler(Http404, _not_found)
    api.add_exception_handler(NotThere, _not_found)
    api.add_exception_handler(EventOver, _over)
    api.add_exception_handler(EventClosed, _closed)
    api.add_exception_handler(RequestDataTooBig, _too_large)
    api.add_exception_handler(ValidationError, _not_as_described)
    api.add_exception_handler(HttpError, _http_error)
