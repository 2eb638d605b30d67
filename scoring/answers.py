"""The answer to a record given as JSON text: its score, or everything wrong with it.

Whatever the bytes, there is an answer; this is what the command line and the API print.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from scoring.errors import InvalidRecord
from scoring.problems import Problem, quoted
from scoring.record import read_record
from scoring.score import score, score_as_json
from scoring.translation import gettext_noop as _

NOT_JSON = Problem("", "not_json", _("This is not JSON; check quotation marks and commas."), {})

KEY_TWICE = _("The key “{key}” stands twice in one object; remove one of the two.")

# Far past anything countable: a longer number is read as this one, to be refused where it stands.
HUGE = 10**18


class KeyTwice(ValueError):
    """Raised by `parse` for JSON in which an object has one key twice."""

    def __init__(self, key: str) -> None:
        """Keep the key, as a problem of the whole text."""
        super().__init__(key)
        self.problem = Problem("", "key_twice", KEY_TWICE, {"key": quoted(key)})


def answer(text: bytes) -> dict[str, Any]:
    """Return the score of the record in this text, or its errors, as a JSON object.

    >>> answer(b"nonsense")["errors"][0]["code"]
    'not_json'
    """
    try:
        return score_as_json(score(read_record(parse(text))))
    except InvalidRecord as invalid:
        return errors_as_json(invalid.problems, invalid.more)
    except KeyTwice as twice:
        return errors_as_json((twice.problem,))
    except (ValueError, RecursionError):
        return errors_as_json((NOT_JSON,))


def errors_as_json(problems: Sequence[Problem], more: int = 0) -> dict[str, Any]:
    """Return the answer to a record that cannot be scored; `more` problems were left out."""
    left_out = {"more": more} if more else {}
    return {"ok": False, "errors": [problem.as_json() for problem in problems], **left_out}


def parse(text: bytes) -> Any:
    """Return the JSON document in these bytes.

    Raises `KeyTwice`, any other `ValueError` for what is no JSON, or `RecursionError`.
    """
    try:
        return _parsed(text)
    except (json.JSONDecodeError, KeyTwice):
        raise
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        return _parsed(text, parse_int=_clamped)


def _parsed(text: bytes, **how: Any) -> Any:
    twice: list[str] = []

    def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and not twice:
            twice.append(Counter(key for key, _value in pairs).most_common(1)[0][0])
        return found

    document = json.loads(text, parse_constant=_refuse, object_pairs_hook=checked, **how)
    if twice:  # told only of what is JSON
        raise KeyTwice(twice[0])
    return document


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", "", 0)


def _clamped(digits: str) -> int:
    return int(digits) if len(digits) < 18 else HUGE


def as_line(document: dict[str, Any]) -> bytes:
    """Return a document as one line of UTF-8 JSON, without its line end.

    Half a surrogate pair cannot be UTF-8; it stays the escape that it came as.
    """
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace")
