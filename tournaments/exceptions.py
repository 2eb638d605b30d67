"""What somebody asked for and is not done: told alike on every page and over the API."""

from __future__ import annotations

from django.utils.functional import Promise


class OperationRefused(Exception):
    """Raised where nothing was changed: a code for programs, and what people are told to do."""

    code: str
    sentence: str | Promise

    def __str__(self) -> str:
        """Return the sentence, in the reader's language."""
        return str(self.sentence)


class ConflictError(Exception):
    """Raised when something has changed since its writer looked at it, or what would follow."""
