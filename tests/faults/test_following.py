"""A second computer follows over https, and goes on when the first one is killed."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests import forked_commands, live
from tests.faults.serving import Server, free_port, serving
from tests.faults.test_going_on import FAST, Hall, is_answered
from tests.faults.test_standby import rounds_in
from tournaments.standby.targets import HERE, Target


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    https = ["--https", str(free_port())]
    with serving(tmp_path / "here", environment=FAST, more=https) as server:
        yield Hall(server, None)


def pairing_code(hall: Hall) -> list[str]:
    """Return the arguments of the command that the owner's page shows."""
    backups = f"http://127.0.0.1:{hall.server.port}/backups/"
    with hall.browser.open(backups) as page:
        secret = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert secret is not None
    form = urlencode({"csrfmiddlewaretoken": secret[1]}).encode()
    with hall.browser.open(f"{backups}standby/pair/", form) as page:
        command = re.search(r'id="pairing">\S+ manage.py follow ([^<]*)<', page.read().decode())
    assert command is not None
    _address, code, *_serving = unescape(command[1]).split()
    return [f"https://127.0.0.1:{hall.server.more[1]}", code]


def follow(there: Server, *arguments: str) -> None:
    """Follow in a data folder; the process serves once its button was pressed."""
    command = ("follow", *arguments, "--host", "127.0.0.1", "--port", str(there.port))
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(there.data), "LANG": "en"}
    with there.log.open("ab") as log:
        there.process = forked_commands.start(command, environment, log)


def page_of(there: Server, form: bytes | None = None) -> str:
    try:
        with urlopen(f"http://127.0.0.1:{there.port}/", form) as page:
            return str(page.read().decode())
    except OSError:
        return ""


def test_follower_goes_on_at_the_press_of_its_button(hall: Hall, tmp_path: Path) -> None:
    there = Server(tmp_path / "there")
    there.data.mkdir()
    try:
        follow(there, *pairing_code(hall))
        copies = Target(HERE, there.data / "following", "", "")
        live.wait_until(lambda: rounds_in(copies) == 4)
        there.kill()  # it goes on without a code
        follow(there)
        for phone in hall.phones:
            phone.play(range(3, 4))
        live.wait_until(lambda: rounds_in(copies) == 6)
        live.wait_until(lambda: "rounds: 6" in page_of(there))
        hall.server.kill(signal.SIGKILL)
        live.wait_until(lambda: "does not answer" in page_of(there))
        secret = re.search(r'name="secret" value="([^"]*)"', page_of(there))
        assert secret is not None
        assert page_of(there, b"secret=of-another-page") == ""
        assert "Makiyaku starts here" in page_of(there, urlencode({"secret": secret[1]}).encode())
        live.wait_until(lambda: is_answered(there))
        hall.check_that_all_goes_on(there)
    finally:
        there.kill()
