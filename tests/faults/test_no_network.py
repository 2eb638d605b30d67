"""The app makes no connection to another computer.

The server runs under `strace`, which logs connections and datagrams, while an event is set up,
played, corrected, printed and exported.
"""

from __future__ import annotations

import re
import shutil
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from tests import live
from tests.faults.serving import Event, Server, ask, served_before, serving, set_up
from tests.faults.test_threads import processes_of
from tests.programs import find_program
from tests.visiting import names_in
from tournaments.views import printed_forms

ASKED_OF_THE_SYSTEM = "connect,sendto,sendmsg,sendmmsg"
# Where interfaces cannot be listed, a datagram socket is connected, which chooses the route and
# sends nothing: to port 9 of an address that is nobody's.
ROUTED = re.escape('{sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.1")}')
INSIDE = re.compile(
    rf'"127\.[0-9.]+"|"::1"|sa_family=AF_UNIX|sa_family=AF_NETLINK|connect\(\d+, {ROUTED}'
)
FETCHED = re.compile(r'<(?:link|script|img|iframe)[^>]*(?:src|href)="([^"]+)"')
OURS = re.compile(r"/(?!/)|data:")
PRINTED = names_in(printed_forms)
EXPORTED = {"standings-workbook", "history-workbook"}


def test_no_connection_leaves_the_computer(tmp_path: Path) -> None:
    data, log = tmp_path / "var", tmp_path / "asked"
    # The server makes the rest on its own; to compress static files takes seconds.
    shutil.copytree(served_before() / "static", data / "static")
    traced = [find_program("strace"), "--follow-forks", "--seccomp-bpf", f"--output={log}"]
    with serving(data, before=[*traced, f"--trace={ASKED_OF_THE_SYSTEM}"]) as server:
        opened = a_day(server)
    assert {"chart-pdf", "session-sheets"} < PRINTED
    unopened = (PRINTED | EXPORTED) - opened
    assert not unopened, f"Let a_day make what is needed to open {unopened}."
    written = log.read_text(errors="replace")
    assert " sendto(" in written  # responses: so the log is complete
    lines = [line for line in written.splitlines() if "sa_family" in line]
    assert [line for line in lines if not INSIDE.search(line)] == []


def test_outside_connection_would_be_detected() -> None:
    connected = (
        'connect(7, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("{}")}, 16) = 0'
    )
    assert not INSIDE.search(connected.replace("{}", "203.0.113.7"))
    assert not INSIDE.search(connected.replace("{}", "192.0.2.1"))
    assert INSIDE.search(connected.replace("{}", "127.0.0.1"))


def a_day(server: Server) -> set[str]:
    """Play an event and open every page as its director; return the addresses."""
    event = set_up(server, tables=1, rounds=2)
    (table,) = event.tables
    where = f"/api/sittings/{table.sitting}"
    facts = {"dealer": table.players[5], "kankei": table.players[:2]}
    facts["deals"] = [{"kankei": 5, "mukankei": 9}]  # type: ignore[list-item]
    for number in (1, 2):
        body = {"facts": facts, "seen": 0}
        done = ask(
            server.port, "PUT", f"{where}/rounds/{number}", body, token=table.token, key=f"{number}"
        )
        assert done.status == 201, done
    right = facts | {"deals": [{"kankei": 4, "mukankei": 9}]}
    body = {"facts": right, "seen": 1, "reason": "写し間違い"}
    done = ask(server.port, "PUT", f"{where}/rounds/1", body, token=event.token, key="right")
    assert done.status == 200, done
    # Each job before would load what prints by itself, which takes longer than the job.
    every = processes_of(server)
    live.wait_until(lambda: any(has_loaded_what_prints(each) for each in every))
    return open_everything(server, event)


def has_loaded_what_prints(process: Path) -> bool:
    try:
        return "libpango" in (process / "maps").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return False


def open_everything(server: Server, event: Event) -> set[str]:
    browser, opened = log_in(server), set()
    for address in ask(server.port, "GET", "/api/urls").body["urls"]:
        if "GET" not in address["methods"]:
            continue
        path = path_of(address["url"], event)
        try:
            with browser.open(f"http://127.0.0.1:{server.port}{path}") as answer:
                content, kind = answer.read(), answer.headers["Content-Type"]
        except HTTPError as refused:
            if refused.code >= 500:
                raise
            continue
        opened.add(address["name"])
        if kind.startswith("text/html"):
            elsewhere = [each for each in FETCHED.findall(content.decode()) if not OURS.match(each)]
            assert elsewhere == [], path
    return opened


def path_of(route: str, event: Event) -> str:
    """The parameters of `route` are filled in."""
    places = {
        "slug": event.slug,
        "rule_set": "goninkan-association",
        "sitting": str(event.tables[0].sitting),
    }
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda each: places.get(each[1], "1"), route)


def log_in(server: Server) -> OpenerDirector:
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    url = f"http://127.0.0.1:{server.port}/log-in/"
    with browser.open(url) as page:
        secret = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert secret is not None
    said = {"csrfmiddlewaretoken": secret[1], "username": "director"}
    browser.open(url, urlencode(said | {"password": server.password()}).encode()).close()
    return browser
