"""The score, or the list of problems, of a record given as JSON text.

The command line and the API print these answers. No input raises an exception.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from scoring.errors import InvalidRecord
from scoring.problems import Problem, truncated
from scoring.record import read_record
from scoring.score import score, score_as_json
from scoring.translation import gettext_noop as _

# The problems of a whole text, by code.
TEXT_PROBLEMS = {
    "not_json": _("This is not JSON; check quotation marks and commas."),
    "key_twice": _("The key “{key}” appears twice in one object; remove one of the two."),
    "range": _(
        "Objects and lists are nested too deeply here; remove those that do not belong here."
    ),
}

# An integer of too many digits is read as this one, so that it is refused as out of range.
HUGE = sys.maxsize


class UnreadableText(ValueError):
    """Raised by `parse` for a text that is no JSON, is nested too deeply or has a key twice."""

    def __init__(self, code: str, **params: str) -> None:
        """`problem` describes the error; its path is the whole text."""
        super().__init__(code)
        self.problem = Problem("", code, TEXT_PROBLEMS[code], params)


def answer(text: bytes) -> dict[str, Any]:
    """Return the score of the record in a JSON text, or the errors of text or record, as JSON.

    >>> answer(b"nonsense")["errors"][0]["code"]
    'not_json'
    """
    try:
        return score_as_json(score(read_record(parse(text))))
    except InvalidRecord as invalid:
        return errors_as_json(invalid.problems, unlisted=invalid.unlisted)
    except UnreadableText as error:
        return errors_as_json((error.problem,))


def errors_as_json(problems: Sequence[Problem], unlisted: int = 0) -> dict[str, Any]:
    """Return the JSON object of a refused record; `unlisted` problems are counted, not listed."""
    return {"ok": False, "errors": [problem.as_json() for problem in problems]} | (
        {"more": unlisted} if unlisted else {}
    )


def parse(text: bytes) -> Any:
    """Return the decoded JSON document. Raises `UnreadableText`."""
    try:
        try:
            return _decode(text)
        except (json.JSONDecodeError, UnicodeDecodeError, UnreadableText):
            raise
        except ValueError:  # Python refuses to convert integers of more than 4,300 digits
            return _decode(text, parse_int=_clamped_integer)
    except RecursionError:
        raise UnreadableText("range") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise UnreadableText("not_json") from None


def _decode(text: bytes, **options: Any) -> Any:
    """Return the decoded document; `options` are passed to `json.loads`.

    Raises `UnreadableText` for a key that an object has twice, and what `json.loads` raises.
    """
    duplicate_keys: list[str] = []

    def decode_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        decoded = dict(pairs)
        if len(decoded) < len(pairs) and not duplicate_keys:
            duplicate_keys.append(Counter(key for key, _value in pairs).most_common(1)[0][0])
        return decoded

    document = json.loads(
        text,
        parse_constant=_refuse_constant,
        object_pairs_hook=decode_object,
        **options,
    )
    if duplicate_keys:  # only now: `json.loads` raises for a syntax error anywhere in the text
        raise UnreadableText("key_twice", key=truncated(duplicate_keys[0]))
    return document


def _refuse_constant(constant: str) -> NoReturn:
    """Raise `JSONDecodeError` for NaN and Infinity, which `json.loads` would accept."""
    raise json.JSONDecodeError(f"{constant} is not JSON", "", 0)


def _clamped_integer(digits: str) -> int:
    """Return the integer, or `HUGE` for a text of 18 or more characters.

    >>> _clamped_integer("9" * 17), _clamped_integer("9" * 18) == HUGE
    (99999999999999999, True)
    """
    return int(digits) if len(digits) < 18 else HUGE


def as_line(document: dict[str, Any]) -> bytes:
    """Serialise a document as one line of UTF-8 JSON, without a line end.

    A lone surrogate has no UTF-8 encoding; it is written as an escape.

    >>> as_line({"太宰": 2}).decode()
    '{"太宰": 2}'
    """
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace")
