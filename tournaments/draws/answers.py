"""Answers a request given as JSON text, for `manage.py draw`. No input raises an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring.answers import UnreadableText, errors_as_json, parse
from tournaments.draws.drawing import draw
from tournaments.draws.reading import read_request
from tournaments.draws.requests import InvalidRequest
from tournaments.draws.search import Progress


def answer(
    text: bytes,
    clock: Callable[[], float],
    new_seed: int,
    progress: Progress = lambda _steps, _meetings: True,
) -> dict[str, Any]:
    """Return the draw that the text requests, or the errors of the text, as a JSON object.

    `new_seed` is the seed of a request without one. For `clock` and `progress` see `draw`.
    """
    try:
        return draw(read_request(parse(text), new_seed), clock, progress).as_json()
    except InvalidRequest as invalid:
        return errors_as_json(invalid.problems, invalid.unlisted)
    except UnreadableText as error:
        return errors_as_json((error.problem,))
