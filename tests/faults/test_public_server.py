"""Behind gunicorn and a proxy, a stranger with a script keeps nobody out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.faults.serving import PROJECT, Server, prepare
from tournaments.permissions.daily_limits import REGISTRATIONS
from tournaments.services import guesses

STRANGER, APPLICANT, DIRECTOR = "203.0.113.66", "198.51.100.7", "192.0.2.1"
AT_ONCE = 8


class PublicServer(Server):
    """gunicorn with its plain defaults and ours, as behind the proxy of docs/nginx.conf."""

    def spawn(self) -> None:
        command = ["gunicorn", "--config", "python:tournaments.gunicorn", "tournaments.wsgi"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *command, "--bind", f"127.0.0.1:{self.port}"],
                cwd=PROJECT,
                env={
                    "PATH": os.environ["PATH"],
                    "DATA_DIR": str(self.data),
                    "ALLOWED_HOSTS": "127.0.0.1",
                },
                start_new_session=True,
                stderr=log,
                stdout=log,
            )

    def ask(self, method: str, path: str, body: Any = None, *, by: str, token: str = "") -> Any:
        """Send a request of an address, as the proxy does; return status and document."""
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": by}
        headers |= {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


@pytest.mark.posix("gunicorn serves it")
def test_stranger_neither_fills_the_registration_nor_locks_the_director_out(
    tmp_path: Path,
) -> None:
    server = PublicServer(tmp_path / "var")
    server.data.mkdir()
    prepare(server)
    try:
        server.start()
        as_director = {"by": DIRECTOR, "token": server.token()}
        about = {"name": "嶽きみ杯", "rule_set": "goninkan-association"}
        _status, made = server.ask("POST", "/api/tournaments", about, **as_director)
        here = f"/api/tournaments/{made['slug']}"
        wanted = {"open": True, "automatic": True, "capacity": 40, "seen": 0}
        path = f"{here}/registrations/settings"
        _status, settings = server.ask("PUT", path, wanted, **as_director)

        def apply(number: int, by: str = STRANGER, **fields: str) -> tuple[int, str]:
            sent = {"name": f"名無し{number}", "contact": "x", "consent": True}
            key = f"{number:024}"
            forged = f"10.0.0.{number}, {by}"
            answer = server.ask("POST", f"{here}/register", sent | {"key": key} | fields, by=forged)
            return answer[0], answer[1].get("state", "")

        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = Counter(pool.map(apply, range(REGISTRATIONS.limit + 50)))
        assert told == {(201, "pending"): REGISTRATIONS.limit, (429, ""): 50}
        assert apply(998, APPLICANT) == (201, "pending")
        assert apply(999, APPLICANT, code=settings["code"]) == (201, "approved")

        def log_in(by: str, typed: str) -> int:
            account = {"username": "director", "password": typed}
            return int(server.ask("POST", "/api/token", account, by=by)[0])

        statuses = [log_in(STRANGER, "guess") for _ in range(guesses.LIMIT + 3)]
        assert statuses == [401] * guesses.LIMIT + [429] * 3
        assert log_in(DIRECTOR, server.password()) == 201
    finally:
        server.kill()
