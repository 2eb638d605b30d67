"""The answer to a record given as JSON text: its score, or everything wrong with it.

Whatever the bytes, there is an answer; this is what the command line and the API print.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from scoring.errors import InvalidRecord
from scoring.problems import Problem
from scoring.record import read_record
from scoring.rules import gettext_noop as _
from scoring.score import score, score_as_json

NOT_JSON = Problem("", "not_json", _("This is not JSON; check quotation marks and commas."), {})

# Far past anything countable: a longer number is read as this one, to be refused where it stands.
HUGE = 10**18


def answer(text: bytes) -> dict[str, Any]:
    """Return the score of the record in this text, or its errors, as a JSON object.

    >>> answer(b"nonsense")["errors"][0]["code"]
    'not_json'
    """
    try:
        return score_as_json(score(read_record(parse(text))))
    except InvalidRecord as invalid:
        return errors_as_json(invalid.problems)
    except (ValueError, RecursionError):
        return errors_as_json((NOT_JSON,))


def errors_as_json(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Return the answer to a record that cannot be scored."""
    return {"ok": False, "errors": [problem.as_json() for problem in problems]}


def parse(text: bytes) -> Any:
    """Return the JSON document in these bytes. Raises `ValueError` or `RecursionError`."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        return json.loads(text, parse_constant=_refuse, parse_int=_clamped)


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", "", 0)


def _clamped(digits: str) -> int:
    return int(digits) if len(digits) < 18 else HUGE


def as_line(document: dict[str, Any]) -> bytes:
    """Return a document as one line of UTF-8 JSON, without its line end.

    Half a surrogate pair cannot be UTF-8; it stays the escape that it came as.
    """
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace")
