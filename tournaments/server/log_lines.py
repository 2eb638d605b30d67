"""What is written to the log, without what opens a table: its link's token stands in an address."""

from __future__ import annotations

import logging
import re

FORMAT = "%(asctime)s [%(process)d] [%(levelname)s] %(message)s"  # gunicorn's
TOKEN = re.compile(r"(/join/)[\w-]+")


class WithoutTokens(logging.Formatter):
    """Lines as any formatter makes them, traces of errors included, with no token in them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line.

        >>> record = logging.makeLogRecord({"msg": "Not Found: /join/aB3_x-Y/"})
        >>> WithoutTokens().format(record)
        'Not Found: /join/…/'
        """
        return TOKEN.sub(r"\1…", super().format(record))


def hide_tokens(logger: logging.Logger) -> None:
    """Let a logger that brings its own handlers write no token either."""
    for handler in logger.handlers:
        handler.setFormatter(WithoutTokens(FORMAT, "[%Y-%m-%d %H:%M:%S %z]"))
