"""Typed settings from environment variables; an error names the variable."""

import os
import re
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

YES = {"1", "on", "true", "yes"}
NO = {"0", "off", "false", "no"}

# Any host name is allowed, since a laptop's address changes with its Wi-Fi, and phones use names or
# addresses. Elsewhere ALLOWED_HOSTS protects mails and shared caches, which do not exist here.
VENUE_DEFAULTS = {"ALLOWED_HOSTS": "*", "HTTPS": "off", "VENUE": "on"}


def set_venue_defaults() -> None:
    """Set the environment variables that `serve` needs, unless they are set.

    Call it before Django's settings are read.
    """
    for name, value in VENUE_DEFAULTS.items():
        os.environ.setdefault(name, value)


def get_text(name: str, default: str = "") -> str:
    """Return the variable unchanged, or `default` if it is empty or not set."""
    return os.environ.get(name) or default


def get_flag(name: str, *, default: bool) -> bool:
    """Return the variable as a boolean, or `default` if it is empty or not set.

    Raises `ImproperlyConfigured` for a value that is not in `YES` or `NO`.
    """
    value = get_text(name).strip().lower()
    if not value:
        return default
    if value not in YES | NO:
        message = f"{name}={value!r} is neither yes nor no: write {name}=on or {name}=off."
        raise ImproperlyConfigured(message)
    return value in YES


def get_choice(name: str, choices: Sequence[str]) -> str:
    """Return the variable, or the first of `choices` if it is empty or not set.

    Raises `ImproperlyConfigured` for a value that is not in `choices`.
    """
    value = get_text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r}: write one of {', '.join(choices)}.")
    return value


def get_seconds(name: str, default: float) -> float:
    """Return the variable as a number, not below 0, or `default` if it is empty or not set.

    Raises `ImproperlyConfigured` for anything else.
    """
    value = get_text(name, str(default))
    if not re.fullmatch(r"\d+(\.\d+)?", value):
        raise ImproperlyConfigured(f"{name}={value!r}: write a number of seconds, such as 5.")
    return float(value)


def get_words(name: str) -> list[str]:
    """Return the parts of a comma-separated variable, stripped; empty parts are left out."""
    return [word.strip() for word in get_text(name).split(",") if word.strip()]
