"""JSON responses that are typed by what they hold, and the router that describes them so.

    @router.get("/standings", ...)
    def standings(request: HttpRequest) -> Ok[StandingsOut]:
        return Ok(standings_as_json(...))

mypy checks that the response holds what the annotation says, and the OpenAPI document is made from
the annotation: neither can differ from the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import ninja
from django.http import HttpResponse
from ninja.constants import NOT_SET
from pydantic import BaseModel

from tournaments.audit import Actor
from tournaments.web import json_responses

# Responses are described for the OpenAPI document only, so their models are built once it is asked
# for: a third of the time in which a server starts. `RequestBody` has its models built at once.
ninja.Schema.model_config["defer_build"] = True

Document = TypeVar("Document", bound=Mapping[str, object] | BaseModel)
Changed = TypeVar("Changed", bound=Mapping[str, object])


class JsonResponse(HttpResponse, Generic[Document]):
    """A JSON object that must not be cached."""

    def __init__(self, document: Document, headers: Mapping[str, str] | None = None) -> None:
        content = json_responses.encode(cast("Mapping[str, object]", document))
        super().__init__(content, "application/json", headers=json_responses.uncached(headers))


class Ok(JsonResponse[Document]):
    """200 with a JSON object."""


class Created(JsonResponse[Document]):
    status_code = 201


def with_state(document: Changed, by: Actor) -> Changed:
    """Return the answer to a change of an event's state, with the version of the state after it."""
    return cast("Changed", {**document, "state_version": by.seen.version if by.seen else 0})


class Router(ninja.Router):
    """Describes an operation's response by its return annotation, `Ok[...]` or `Created[...]`.

    `response` adds other responses, by status.
    """

    def add_api_operation(
        self,
        path: str,
        methods: list[str],
        view_func: Callable[..., HttpResponse],
        *,
        response: Any = NOT_SET,
        **options: Any,
    ) -> None:
        """Add the annotated response to `response`. Other annotations add nothing."""
        annotation = get_type_hints(view_func)["return"]
        response_class = get_origin(annotation)
        if response_class is not None and issubclass(response_class, JsonResponse):
            other_responses = {} if response is NOT_SET else response
            response = {response_class.status_code: get_args(annotation)[0], **other_responses}
        super().add_api_operation(path, methods, view_func, response=response, **options)
