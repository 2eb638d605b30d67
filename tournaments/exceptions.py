"""Exceptions of refused operations. Pages and the API show the same code and sentence."""

from __future__ import annotations

from django.utils.functional import Promise


class OperationRefused(Exception):
    """An operation was refused and has changed nothing.

    Subclasses have a `code` for programs and a `sentence` for people.
    """

    code: str
    sentence: str | Promise

    def __str__(self) -> str:
        """Return the sentence in the active language."""
        return str(self.sentence)


class Busy(Exception):
    """As much of this work is being done as the server allows at a time; it may be asked again."""


class ConflictError(Exception):
    """The object to change, or one that it depends on, was changed since the writer read it."""
