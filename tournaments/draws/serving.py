"""Draws for a server, in a process of its own: ``python -m tournaments.draws.serving``.

Reads requests from standard input and writes draws, or the exceptions that they raise, to standard
output, both pickled. Ends with its input, so with the server. Its low priority and its own
interpreter leave the server's threads their time.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from typing import BinaryIO

from tournaments.draws.drawing import Draw, draw
from tournaments.draws.requests import Request

NICE = 10  # niceness: a tenth of the share of the server's processes on a busy core


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Draw one request after the other until the input ends."""
    while True:
        try:
            request: Request = pickle.load(requests)  # noqa: S301  the server's own
        except EOFError:
            return
        answer: Draw | Exception
        try:
            answer = draw(request, time.monotonic)
        except Exception as error:  # noqa: BLE001  raised in the server
            answer = error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":  # pragma: no cover (in a process of its own)
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server first
    serve(sys.stdin.buffer, sys.stdout.buffer)
