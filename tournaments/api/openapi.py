"""The OpenAPI document: django-ninja's, completed with what operations have in common.

Refusals, headers and roles of an operation are added here: they follow from its address, method,
level and body, and from what it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_type_hints

from django.utils import translation
from ninja import NinjaAPI
from pydantic import TypeAdapter

from tournaments.api import raised
from tournaments.api.authentication import OtherTable
from tournaments.api.raised import Refusals
from tournaments.api.refusals import statuses_and_sentences
from tournaments.api.request_bodies import StateChangeIn
from tournaments.api.schemas.refusals import ConflictOut, RefusalOut, ThrottledOut
from tournaments.permissions import levels
from tournaments.permissions.levels import Level
from tournaments.services.idempotency import LONGEST_KEY
from tournaments.web import body_sizes

Json = dict[str, Any]

# What any operation may refuse; any write; one with an id in its path; one that takes fields.
ANY = {
    *((400, "bad_length"), (503, "busy"), (503, "elsewhere"), (503, "locked"), (507, "full")),
    *((401, "event_over"), (401, "event_removed"), (401, "log_in"), (401, "phone_ended")),
    (401, "token_unknown"),
}
WRITES = {(403, "csrf"), (403, "needs_https"), (413, "too_large")}
WITH_ID = {(404, "not_found")}
INVALID = {
    (422, code)
    for code in ("missing", "not_json", "not_kept", "range", "type", "unknown_key", "year")
}
SHAPES = {409: ConflictOut, 429: ThrottledOut}  # other refusals are a `RefusalOut`
WITH_RETRY_AFTER = {429, 503, 507}
RETRY_AFTER = {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer"}}
ETAG = {
    "description": "The round's version, for If-Match.",
    "required": True,
    "schema": {"type": "string", "pattern": '^"\\d+"$'},
}
KEY_NAMED = {
    "Idempotency-Key": {
        "description": "The idempotency key of the request that is answered.",
        "required": True,
        "schema": {"type": "string"},
    }
}
FILE = {"type": "string", "format": "binary"}
ARCHIVE = "/api/tournaments/{slug}/archive"
ROUND = "/api/sittings/{sitting}/rounds/{number}"
ROUND_ANSWERED: Json = {
    "number": 1,
    "version": 1,
    "facts": {"dealer": "6", "kankei": ["1", "3"], "deals": [{"kankei": 5, "mukankei": 9}]},
    "reason": "",
    "recorded_at": "2026-11-21T12:26:40.123456+09:00",
    "complete": True,
    "points": {"1": -1, "2": 1, "3": -1, "4": 1, "5": 1, "6": -1},
    "lines": [{"deal": 1, "item": "deal_lost", "points": -1}],
    "accepted": False,
    "by_desk": False,
}
PARAMETERS: dict[str, Json] = {
    "Idempotency-Key": {
        "description": "Made by the client: new for every write, the same for its repetition.",
        "required": True,
        "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    },
    "If-Match": {
        "description": "The version that was seen, instead of `seen`: 0 for a new round.",
        "schema": {"type": "string"},
        "example": '"0"',
    },
    "Makiyaku-Sent-Again": {
        "description": "1 if it was stored before the server went on from an earlier state.",
    },
    "series": {"description": "The slug of the series."},
    "link": {"description": "The id of the link between two players."},
    "stage": {"description": "The number of the stage, from 2: the first stage is not defined."},
    "decided": {
        "description": "The players chosen among those tied at the line: 3,7",
        "example": "3,7",
    },
    "key": {"description": "The secret key with which the application was sent."},
    "registration": {"description": "The number of the application."},
    "account": {"description": "The id of the account, from the list of accounts."},
    "after": {"description": "The `number` or `slug` of the last item of the page before."},
    "places": {"description": "The number of places to list: 1 to 100, by default 3."},
    "limit": {"description": "The maximum number of items on the page."},
    "slug": {"description": "The slug of the tournament."},
    "entry": {"description": "The number of the player."},
    "one": {"description": "The number of the player who was seated."},
    "other": {"description": "The number of the player who really sat there."},
    "sitting": {"description": "The id of the table."},
    "call": {"description": "The id of the call."},
    "number": {"description": "The number of the round, from 1."},
    "deal": {"description": "The number of the deal in its round, from 1."},
    "act": {"description": "The action: start, pause, resume or reset."},
    "private": {"description": "1 includes contacts, years of birth and notes."},
    "reason": {"description": "The reason, for the audit trail."},
    "substitute": {"description": "The number of the substitute that was seen."},
    "session": {"description": "The number of the session, from 1."},
    "seen": {"description": "The version that was seen."},
    "seen_version": {"description": "The `state_version` of the tournament that was read."},
}
SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "From `POST /api/token` for staff, from `POST /api/join` for a phone.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "The cookie of our own pages; writes also need the header `X-CSRFToken`.",
    },
}


def build_document(api: NinjaAPI, functions: Mapping[str, Callable[..., Any]]) -> Json:
    """Return the OpenAPI document, in English. Raises `TypeError` if an operation has no level.

    `functions` are those of the operations, by name.
    """
    with translation.override("en"):
        return _document(api, functions)


def _document(api: NinjaAPI, functions: Mapping[str, Callable[..., Any]]) -> Json:
    """Return django-ninja's document, completed, with sentences in the active language."""
    document = dict(api.get_openapi_schema(path_prefix="/api/"))
    levels_by_operation = _levels_by_path_and_method()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if (path, method) not in levels_by_operation:
                raise TypeError(f"{method.upper()} {path} declares no level: add auth=Requires(…)")
            level = levels_by_operation[path, method]
            function = functions[operation["operationId"]]
            refused = _refused_by(operation, path, method, level, function)
            _complete_operation(operation, path, method, level, refused)
    components = document["components"]
    components["securitySchemes"] = SECURITY
    components["responses"] = {
        f"Refused{status}": _refusal_response(status, codes) for status, codes in COMMON.items()
    }
    for shape in (RefusalOut, ConflictOut, ThrottledOut):
        schema = TypeAdapter(shape).json_schema(ref_template="#/components/schemas/{model}")
        components["schemas"] |= {**schema.pop("$defs", {}), shape.__name__: schema}
    return document


def _levels_by_path_and_method() -> dict[tuple[str, str], Level]:
    """Return the declared level of every URL, pages included, by (path, method).

    Path and method are written as in the OpenAPI document: `/api/rounds/{number}`, `get`.
    """
    return {
        (_path_of_route(route), method.lower()): level
        for _name, pattern, route in levels.addresses()
        for method, level in levels.levels_of(pattern.callback).items()
    }


def _url_names_by_path() -> dict[str, str]:
    """Return the URL name of every URL, pages included, by path as in the OpenAPI document."""
    return {_path_of_route(route): name for name, _pattern, route in levels.addresses()}


def _path_of_route(route: str) -> str:
    """Return a route of Django as a path of the document.

    >>> _path_of_route("/api/rounds/<int:number>")
    '/api/rounds/{number}'
    """
    return route.replace("<int:", "{").replace("<slug:", "{").replace(">", "}")


def _complete_operation(
    operation: Json, path: str, method: str, level: Level, refused: Refusals
) -> None:
    """Add refusals, security, roles, parameters and examples to an operation, in place."""
    responses, body = operation["responses"], operation.get("requestBody")
    if body is not None:
        operation["x-max-bytes"] = body_sizes.limit_of(_url_names_by_path()[path])
    for status, codes in _by_status(refused).items():
        is_common = codes == COMMON.get(status)
        shared = {"$ref": f"#/components/responses/Refused{status}"}
        responses[status] = shared if is_common else _refusal_response(status, codes)
    operation["security"] = [{"token": []}, {"cookie": []}]
    if level in {Level.ANYBODY, Level.SEE, Level.APPLY}:
        operation["security"].append({})
    operation["x-roles"] = list(level.roles)
    for parameter in operation["parameters"]:
        parameter.update(_described(parameter["name"], path))
    if path == ARCHIVE and method == "get":
        responses[200]["content"] = {"application/zip": {"schema": FILE}}
    if path.startswith(ROUND) and method in {"get", "put"}:
        for status in {200, 201} & responses.keys():
            responses[status]["headers"] = {"ETag": ETAG} | (KEY_NAMED if method == "put" else {})
            responses[status]["content"]["application/json"]["example"] = ROUND_ANSWERED


def _described(name: str, path: str) -> Json:
    """Return the description of a parameter; one of the path that is not listed is a number."""
    if name not in PARAMETERS and f"{{{name}}}" in path:
        return {"description": f"The number of the {name}."}
    return PARAMETERS[name]


def _refused_by(
    operation: Json, path: str, method: str, level: Level, function: Callable[..., Any]
) -> Refusals:
    refused = ANY | (WRITES if method != "get" else set()) | (WITH_ID if "{" in path else set())
    sent = [each["name"] for each in operation["parameters"] if each["in"] == "query"]
    if sent or "requestBody" in operation:
        refused |= INVALID
    taken = get_type_hints(function)
    bodies = [each for each in taken.values() if isinstance(each, type)]
    if "seen_version" in taken or any(issubclass(each, StateChangeIn) for each in bodies):
        refused |= {(409, "state_changed")}
    if "{sitting}" in path:
        refused |= {(OtherTable.status, OtherTable.code)}
    if level == Level.CREATE:
        refused |= {(403, "may_not_create")}
    if level == Level.OWNER:
        refused |= WITH_ID  # as for what another account may not see
    return raised.refusals_of(function) | refused


def _by_status(refused: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    by_status: dict[int, list[str]] = {}
    for status, code in sorted(refused):
        by_status.setdefault(status, []).append(code)
    return by_status


COMMON = _by_status(ANY | WRITES | WITH_ID | INVALID)  # described once for all operations


def _refusal_response(status: int, codes: Sequence[str]) -> Json:
    """Return the response for one status: the codes it may have, their sentences, an example.

    With 422 the codes are not limited to these: a record has more.
    """
    sentences = {code: statuses_and_sentences()[code][1] for code in codes}
    lines = [f"`{code}`: {sentence}" for code, sentence in sentences.items()]
    if status == 422:
        lines.append("Besides these, the codes of `manage.py score`, such as `key_twice`.")
    shape: Json = {"$ref": f"#/components/schemas/{SHAPES.get(status, RefusalOut).__name__}"}
    if status != 422:
        shape = {"allOf": [shape, {"properties": {"code": {"enum": list(sentences)}}}]}
    code, sentence = next(iter(sentences.items()))
    problem = {"code": code, "message": str(sentence)}
    example = {"ok": False, **problem, "errors": [{"at": "", **problem}]}
    if status == 429:
        example["seconds"] = 30
    refusal: Json = {
        "description": "\n\n".join(lines),
        "content": {"application/json": {"schema": shape, "example": example}},
    }
    if status in WITH_RETRY_AFTER:
        refusal["headers"] = {"Retry-After": RETRY_AFTER}
    return refusal
