"""What an operation can refuse, found in the functions that it calls.

The OpenAPI document lists for each operation the refusals found here, so that no list has to be
kept. Rather too many are found than too few: all that a function names, also what it catches. What
is called through a variable is not found.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, get_type_hints

from django.db.models import Model

from tournaments.api import refusals
from tournaments.exceptions import OperationRefused

Refusals = frozenset[tuple[int, str]]  # status and code
BY_CODE = {refusals.Refused, refusals.refusal, refusals.problem}  # take the code of a refusal


def refusals_of(operation: Callable[..., Any]) -> Refusals:
    """Return what an operation can refuse, and all functions of ours that it names or leads to."""
    found: Refusals = frozenset()
    seen: set[FunctionType] = set()
    todo = [operation, *get_type_hints(operation).values()]
    while todo:
        for function in _functions_of(todo.pop()):
            if function not in seen:
                seen.add(function)
                named, refused = _read(function)
                found |= refused
                todo += named
    return found


@cache
def _read(function: FunctionType) -> tuple[list[Any], Refusals]:
    """Return the values that a function names, and what it refuses itself."""
    values = list(_values_named(function.__code__, function.__globals__))
    found = {
        (each.status, each.code)
        for each in values
        if isinstance(each, type) and issubclass(each, OperationRefused) and hasattr(each, "code")
    }
    if any(callable(each) and each in BY_CODE for each in values):
        codes = refusals.statuses_and_sentences()
        texts = {*_texts_in(function.__code__), *(each for each in values if isinstance(each, str))}
        found |= {(codes[each][0], each) for each in texts & codes.keys() - {"method"}}
    return values, frozenset(found)


def _values_named(code: CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """Return what code names: global values, members of modules, and the items of tuples."""
    values = [names[each] for each in code.co_names if each in names]
    for holder in [each for each in values if isinstance(each, ModuleType)]:
        values += [vars(holder)[name] for name in code.co_names if name in vars(holder)]
    yield from values
    yield from (member for each in values if isinstance(each, tuple) for member in each)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _values_named(inner, names)


def _texts_in(code: CodeType) -> set[str]:
    inner = [_texts_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return {each for each in code.co_consts if isinstance(each, str)}.union(*inner)


def _functions_of(value: Any) -> list[FunctionType]:
    """Return a function of ours, or the methods of a class or object of ours other than rows."""
    if isinstance(value, FunctionType):
        return [inspect.unwrap(value)] if value.__module__.startswith("tournaments.") else []
    kind = value if isinstance(value, type) else type(value)
    if not kind.__module__.startswith("tournaments.") or issubclass(kind, Model | BaseException):
        return []
    methods = (each for each in vars(kind).values() if isinstance(each, FunctionType))
    return [inspect.unwrap(each) for each in methods]
