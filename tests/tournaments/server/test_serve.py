"""`manage.py serve`: one command, and a room of phones can score."""

import shutil
import signal
import socket
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from pytest_django import Settings

from tests import live
from tests.faults.serving import (
    PROCESSES,
    SECONDS_TO_START,
    Server,
    send_signal,
    served_before,
)
from tournaments.management.commands.serve import command_for_this_database, terminal_language
from tournaments.server import venue

REQUEST = b"GET / HTTP/1.1\r\nHost: 192.168.9.9:8000\r\n\r\n"


def serve(data: Path) -> Server:
    server = Server(data, {"LANG": "en_GB.UTF-8"})
    server.start()
    return server


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def answer(server: Server) -> bytes:
    with connect(server) as phone:
        phone.sendall(REQUEST)
        return phone.recv(1000)


def stop(server: Server) -> str:
    """Press Ctrl-C, which reaches every process; return what was printed, and empty the log."""
    server.kill(signal.SIGINT)
    printed = server.log.read_text()
    server.log.unlink()
    return printed


def ended(server: Server) -> int:
    """Wait until a server has ended, and return its exit status."""
    assert server.process is not None
    return server.process.wait(SECONDS_TO_START)


def kept(server: Server, name: str) -> str:
    return (server.data / name).read_text().strip()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of a folder that another server has prepared."""
    served = serve(shutil.copytree(served_before(), tmp_path_factory.mktemp("venue") / "var"))
    yield served
    stop(served)


def test_any_host_name_is_answered(served: Server) -> None:
    assert answer(served).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("said", [b"", REQUEST[:20]], ids=["nothing", "half a request"])
def test_silent_phones_delay_nobody(served: Server, said: bytes) -> None:
    with ExitStack() as phones:
        for _ in range(20):
            phones.enter_context(connect(served)).sendall(said)
        assert answer(served).startswith(b"HTTP/1.1 200 OK")


def test_connection_is_kept_open(served: Server) -> None:
    with connect(served) as phone:
        for _ in range(2):
            response = HTTPResponse(phone)
            phone.sendall(REQUEST)
            response.begin()
            assert response.status == 200
            response.read()


def test_port_in_use_is_reported(served: Server) -> None:
    other = Server(served.data, served.environment, port=served.port)
    other.spawn()
    assert ended(other) == 1
    assert f"Port {served.port} is taken" in other.log.read_text()


def assert_private(data: Path) -> None:
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for name in ("secret-key", "director-password", "makiyaku.sqlite3"):
        assert stat.S_IMODE((data / name).stat().st_mode) == 0o600


def test_first_start_makes_private_files_and_a_restart_keeps_them(tmp_path: Path) -> None:
    """The restart clears expired sessions, too."""
    # A new folder, but for the static files: to compress them takes seconds.
    shutil.copytree(served_before() / "static", tmp_path / "var" / "static")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Server, "is_forked", False)  # `manage.py serve` as it is typed
        first = serve(tmp_path / "var")
    assert_private(first.data)
    key, password = kept(first, "secret-key"), kept(first, "director-password")
    printed = stop(first)
    assert f"Log in as director with the password {password}" in printed
    assert "Phones cannot reach it" in printed  # at 127.0.0.1
    assert "On phones" not in printed
    assert "▀" not in printed  # no QR code
    assert f"DATA_DIR={tmp_path / 'var'} {sys.executable} manage.py changepassword" in printed
    log_ins = sqlite3.connect(first.data / "makiyaku.sqlite3")
    with log_ins:
        rows = [("ended", "", "2020-01-01"), ("lasting", "", "2999-01-01")]
        log_ins.executemany("INSERT INTO django_session VALUES (?, ?, ?)", rows)
    second = serve(tmp_path / "var")
    assert f"Log in as director with the password {password}" in stop(second)
    assert kept(second, "secret-key") == key
    assert log_ins.execute("SELECT session_key FROM django_session").fetchall() == [("lasting",)]
    log_ins.close()


def test_printed_command_names_the_database_served(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.delenv("DATA_DIR", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    plain = f"{sys.executable} manage.py changepassword director"
    assert command_for_this_database("changepassword", "director") == plain
    settings.DATA_DIR = Path("/venue/my data")
    monkeypatch.setenv("DATA_DIR", "my data")
    monkeypatch.setenv("DATABASE_URL", "postgresql://maki:geheim@db/maki")
    where = "DATA_DIR='/venue/my data' DATABASE_URL='postgresql://maki:***@db/maki'"
    assert command_for_this_database("changepassword", "director") == f"{where} {plain}"


def is_read(port: int, phone: socket.socket) -> bool:
    """Return whether the server has read all bytes that the phone has sent."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, near, far, _, queues, _, _, _, _, owner, *_ = line.split()
        ports = [int(each.split(":")[1], 16) for each in (near, far)]
        if ports == [port, phone.getsockname()[1]]:
            return owner != "0" and int(queues.split(":")[1], 16) == 0
    return False


def forked(server: int) -> int:
    """Return the number of processes of the server that answer requests, or do jobs for these."""
    return len(Path(f"/proc/{server}/task/{server}/children").read_text().split())


def test_ctrl_c_stops_gracefully(tmp_path: Path) -> None:
    served = serve(shutil.copytree(served_before(), tmp_path / "var"))
    with connect(served) as phone:
        phone.sendall(REQUEST[:20])
        live.wait_until(lambda: is_read(served.port, phone))
        # The first that answers may be the first that is forked.
        live.wait_until(lambda: PROCESSES == 1 or forked(served.pid) == PROCESSES + 1)
        assert served.process is not None
        send_signal(served.process, signal.SIGINT)
        if PROCESSES > 1:  # those with nothing to do end
            live.wait_until(lambda: forked(served.pid) <= PROCESSES)
        phone.sendall(REQUEST[20:])
        assert phone.recv(1000).startswith(b"HTTP/1.1 200 OK")
    assert ended(served) == 0  # a second Ctrl-C would kill it
    assert served.log.read_text().rstrip().endswith("Stop with Ctrl-C.")


@pytest.mark.django_db
def test_first_account_is_created_once(tmp_path: Path) -> None:
    kept = tmp_path / "director-password"
    password = venue.ensure_first_director(kept)
    assert password == venue.ensure_first_director(kept)
    director = get_user_model().objects.get()
    assert director.get_username() == "director"
    assert director.check_password(str(password))


@pytest.mark.django_db
def test_changed_password_is_not_printed(tmp_path: Path) -> None:
    kept = tmp_path / "director-password"
    venue.ensure_first_director(kept)
    director = get_user_model().objects.get()
    director.set_password("my own")
    director.save()
    assert venue.ensure_first_director(kept) is None
    assert not kept.exists()


@pytest.mark.django_db
def test_no_account_is_created_if_there_are_others(tmp_path: Path) -> None:
    get_user_model().objects.create_user("scorekeeper")
    assert venue.ensure_first_director(tmp_path / "director-password") is None
    assert get_user_model().objects.count() == 1


def test_passwords_can_be_read_aloud_and_differ() -> None:
    passwords = {venue.readable_password() for _ in range(100)}
    assert len(passwords) == 100
    assert all(len(password) == len("kano-mite-suro-haku") for password in passwords)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("", "ja"),
        ("C.UTF-8", "ja"),
        ("ja_JP.UTF-8", "ja"),
        ("en_GB.UTF-8", "en"),
        ("zh_CN.UTF-8", "zh-hans"),
        ("fr_FR.UTF-8", "ja"),
    ],
)
def test_language_follows_the_locale(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: str
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", locale)
    assert terminal_language() == language
