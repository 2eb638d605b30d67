"""Why an operation is not carried out. Pages and the API show the same code and sentence."""

from __future__ import annotations

from django.utils.functional import Promise


class OperationRefused(Exception):
    """An operation changed nothing: a `code` for programs, a `sentence` for people."""

    code: str
    sentence: str | Promise

    def __str__(self) -> str:
        """Return the sentence in the active language."""
        return str(self.sentence)


class ConflictError(Exception):
    """What is written to, or depends on, was changed since the writer read it."""
