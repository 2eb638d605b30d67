"""What the desk prints and exports runs in processes of a real server that end with their job."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

import pytest
from django.template.loader import render_to_string
from django.utils import translation

import scoring
from tests import live
from tests.faults.serving import Event, Server, serving, set_up
from tournaments.printing import contents, layout
from tournaments.printing.installed_fonts import REMEDY
from tournaments.server.jobs import NICE, Lane

TABLES = 30  # whose 90 name cards and 30 sheets take some seconds
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CHART = "/rules/goninkan-association/chart.pdf"


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Desk:
    """A browser of the director, or a program with the director's cookies."""

    def __init__(self, server: Server) -> None:
        self.port, self.cookies = server.port, dict[str, str]()
        self.token = self.field("/log-in/")
        account = {"username": "director", "password": server.password()}
        assert self.send("POST", "/log-in/", account).status == 302
        self.token = self.field("/account/password/")

    def field(self, page: str) -> str:
        """Return the CSRF token of a page."""
        found = re.search(rb'csrfmiddlewaretoken" value="(\w+)"', self.send("GET", page).body)
        assert found
        return found[1].decode()

    def start(self, path: str, headers: Mapping[str, str] = MappingProxyType({})) -> HTTPConnection:
        """Send a GET without waiting for the response."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=live.PATIENCE)
        connection.request("GET", path, headers={**self.cookie, **headers})
        return connection

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def finish(self, connection: HTTPConnection) -> Reply:
        with connection.getresponse() as response:
            for header in response.headers.get_all("Set-Cookie") or []:
                name, _, value = header.partition(";")[0].partition("=")
                self.cookies[name] = value
            reply = Reply(response.status, dict(response.headers), response.read())
        connection.close()
        return reply

    def send(
        self,
        method: str,
        path: str,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=live.PATIENCE)
        body, more = None, dict(headers)
        if fields is not None:
            body = urlencode({**fields, "csrfmiddlewaretoken": self.token})
            more["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, {**self.cookie, **more})
        return self.finish(connection)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Event]]:
    with serving(tmp_path_factory.mktemp("jobs") / "var") as server:
        yield server, set_up(server, TABLES, 3)


@pytest.fixture(scope="module")
def desk(served: tuple[Server, Event]) -> Desk:
    return Desk(served[0])


def children_of(process: int, threads: str = "*") -> set[int]:
    """Return the processes that these threads of a process have started, by default all of them."""
    found: set[int] = set()
    for each in Path(f"/proc/{process}/task").glob(f"{threads}/children"):
        with suppress(OSError):  # it has ended
            found |= {int(child) for child in each.read_text().split()}
    return found


def jobs_of(server: Server) -> set[int]:
    """Return the processes of the jobs that run.

    They are grandchildren of gunicorn's master, whose children start others, such as the copier, by
    threads. Without POSIX they are interpreters of their own, beside the copier.
    """
    children = children_of(server.pid)
    if hasattr(os, "fork"):
        return {job for child in children for job in children_of(child, str(child))}
    return {child for child in children if is_spawned(child)}


def is_spawned(process: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return False


def wait_for_job(server: Server) -> int:
    live.wait_until(lambda: jobs_of(server))
    return next(iter(jobs_of(server)))


def wait_for_no_job(server: Server) -> None:
    live.wait_until(lambda: not jobs_of(server))


def let_end(job: int) -> None:
    """Continue a stopped job without POSIX, where it is not killed and has to end itself."""
    if not hasattr(os, "fork"):
        os.kill(job, signal.SIGCONT)


def test_printed_form_is_the_same_as_without_a_job(desk: Desk) -> None:
    rules = scoring.choose(scoring.get_rule_set("goninkan-association"), {}, {})
    with translation.override("ja"):
        html = render_to_string("print/quick_reference.html", contents.chart_context(rules))
        assert desk.send("GET", CHART).body == layout._pdf_of(html, tags=True)


def test_program_gets_the_file_from_a_process_of_low_priority(
    served: tuple[Server, Event], desk: Desk
) -> None:
    server, event = served
    asked = desk.start(f"/tournaments/{event.slug}/name-cards.pdf")
    job = wait_for_job(server)
    if hasattr(os, "getpriority"):
        live.wait_until(lambda: os.getpriority(os.PRIO_PROCESS, job) == NICE[Lane.LONG])
    reply = desk.finish(asked)
    assert (reply.status, reply.body[:5]) == (200, b"%PDF-")
    assert reply.headers["Content-Type"] == "application/pdf"
    assert reply.headers["Cache-Control"] == "no-store, private"
    wait_for_no_job(server)


@pytest.mark.parametrize("end", ["killed", "gone"])
def test_ended_print_says_what_to_do(served: tuple[Server, Event], desk: Desk, end: str) -> None:
    server, event = served
    asked = desk.start(f"/tournaments/{event.slug}/name-cards.pdf")
    job = wait_for_job(server)
    if end == "gone":  # the client: nobody waits for the file
        asked.close()
        wait_for_no_job(server)
        return
    os.kill(job, signal.SIGKILL)
    reply = desk.finish(asked)
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert "もう一度お試しください" in reply.body.decode()


def test_browser_sees_the_progress_and_then_the_file(
    served: tuple[Server, Event], desk: Desk
) -> None:
    server, event = served
    asked = desk.start(f"/tournaments/{event.slug}/name-cards.pdf", BROWSER)
    job = wait_for_job(server)
    os.kill(job, signal.SIGSTOP)
    redirected = desk.finish(asked)
    address = redirected.headers["Location"]
    assert (redirected.status, "name-cards.pdf?job=" in address) == (302, True)
    shown = desk.send("GET", address, headers=BROWSER)
    assert (shown.status, shown.headers["Refresh"]) == (200, "2")
    assert b"<progress" in shown.body
    stranger = HTTPConnection("127.0.0.1", server.port, timeout=live.PATIENCE)
    stranger.request("GET", address)
    assert stranger.getresponse().status in {302, 404}
    stranger.close()
    os.kill(job, signal.SIGCONT)
    wait_for_no_job(server)
    live.wait_until(lambda: "Refresh" not in desk.send("GET", address, headers=BROWSER).headers)
    reply = desk.send("GET", address, headers=BROWSER)
    assert (reply.status, reply.body[:5]) == (200, b"%PDF-")


def test_cancel_ends_the_process(served: tuple[Server, Event], desk: Desk) -> None:
    server, event = served
    page = f"http://127.0.0.1:{server.port}/tournaments/{event.slug}/entries/?q=1"
    asked = desk.start(f"/tournaments/{event.slug}/name-cards.pdf", {**BROWSER, "Referer": page})
    job = wait_for_job(server)
    os.kill(job, signal.SIGSTOP)
    address = desk.finish(asked).headers["Location"]
    shown = desk.send("GET", address, headers=BROWSER).body.decode()
    found = re.search(r'action="(/jobs/\w+/cancel/)"', shown)
    assert found
    cancelled = desk.send("POST", found[1], {})
    assert cancelled.headers["Location"] == f"/tournaments/{event.slug}/entries/?q=1"
    let_end(job)
    wait_for_no_job(server)
    assert desk.send("POST", found[1], {}).headers["Location"] == "/"  # it is no more


def test_saved_file_has_one_more_page(served: tuple[Server, Event], desk: Desk) -> None:
    server, event = served
    asked = desk.start(f"/tournaments/{event.slug}/archive.zip", BROWSER)
    job = wait_for_job(server)
    os.kill(job, signal.SIGSTOP)
    address = desk.finish(asked).headers["Location"]
    os.kill(job, signal.SIGCONT)
    live.wait_until(lambda: "file=1" in desk.send("GET", address).headers.get("Refresh", ""))
    saved = desk.send("GET", f"{address}&file=1")
    assert (saved.status, saved.body[:2]) == (200, b"PK")


@pytest.mark.posix("a worker of gunicorn")
def test_memory_of_a_worker_is_as_before(served: tuple[Server, Event], desk: Desk) -> None:
    server, event = served

    for name in ("name-cards.pdf", "standings.xlsx", "archive.zip"):
        assert desk.send("GET", f"/tournaments/{event.slug}/{name}").status == 200
    assert desk.send("GET", CHART).status == 200

    def loaded() -> list[int]:
        """Return the processes that have loaded what prints."""
        every = children_of(server.pid)
        return [each for each in every if "libpango" in Path(f"/proc/{each}/maps").read_text()]

    live.wait_until(loaded)
    assert len(loaded()) == 1  # the job server alone


def test_missing_fonts_cross_the_border(tmp_path: Path) -> None:
    hidden = tmp_path / "fonts.conf"
    hidden.write_text("<fontconfig></fontconfig>")
    with serving(tmp_path / "var", environment={"FONTCONFIG_FILE": str(hidden)}) as server:
        event = set_up(server, 1, 1)
        desk = Desk(server)
        for path in (CHART, f"/tournaments/{event.slug}/name-cards.pdf"):
            reply = desk.send("GET", path)
            assert reply.status == 503
            with translation.override("ja"):
                assert str(REMEDY) in reply.body.decode()


def test_stopped_server_ends_its_jobs(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        event = set_up(server, TABLES, 1)
        asked = Desk(server).start(f"/tournaments/{event.slug}/name-cards.pdf")
        job = wait_for_job(server)
        os.kill(job, signal.SIGSTOP)
        os.kill(server.pid, signal.SIGKILL)
        let_end(job)
        live.wait_until(lambda: not Path(f"/proc/{job}").exists())
        asked.close()
