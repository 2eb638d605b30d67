"""The answer to a request given as JSON text: what the command prints. No input raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring.answers import NOT_JSON, DuplicateKey, errors_as_json, parse
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
    """Return the draw that the text asks for, or its errors, as a JSON object.

    `new_seed` is taken if the request has no seed. `progress` is that of `draw`.
    """
    try:
        return draw(read_request(parse(text), new_seed), clock, progress).as_json()
    except InvalidRequest as invalid:
        return errors_as_json(invalid.problems, invalid.unlisted)
    except DuplicateKey as error:
        return errors_as_json((error.problem,))
    except (ValueError, RecursionError):
        return errors_as_json((NOT_JSON,))
