"""A log formatter that hides the secret tokens in the URLs of table links and applications."""

from __future__ import annotations

import logging
import re

FORMAT = "%(asctime)s [%(process)d] [%(levelname)s] %(message)s"  # gunicorn's
TOKEN = re.compile(r"(/join/|/register/)[\w-]+")


class TokenHidingFormatter(logging.Formatter):
    """Replaces tokens in formatted records, including tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record, with tokens replaced by “…”.

        >>> record = logging.makeLogRecord({"msg": "Not Found: /join/aB3_x-Y/"})
        >>> TokenHidingFormatter().format(record)
        'Not Found: /join/…/'
        """
        return TOKEN.sub(r"\1…", super().format(record))


def hide_tokens(logger: logging.Logger) -> None:
    for handler in logger.handlers:
        handler.setFormatter(TokenHidingFormatter(FORMAT, "[%Y-%m-%d %H:%M:%S %z]"))
