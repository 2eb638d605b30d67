"""The phones of `soak.py`: HTTP clients that do what the page of a table does.

They mirror, from static/js/phone/: the queue, its order, its idempotency keys, its retries and how
it reads an answer (`outbox.js`: `nextItem`, `request`, `settle`); the body and the headers of a
request (`requests.js`, `round-editor.js`); the comparison with the state of a table, and what
becomes of the rounds of a table that the server does not know (`comparison.js`); the poll
(`phone.js`). Cookies are those of a browser, among them the epoch's. They do not mirror the form,
the storage in the browser, tabs, disputes, and going back on purpose (`sends_again` is true).
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from random import Random
from threading import Thread
from typing import Any

from tests.faults.serving import Answer
from tests.faults.soak import kankei_go_on, play_round

TIMEOUT, MAX_RETRY_DELAY, POLL = 15.0, 8.0, 10.0  # seconds, as in outbox.js and phone.js
MOST_UNSENT = 3  # rounds, corrections and acceptances that wait before the table stops playing
RETRIED = {401, 403, 404}  # marked, and tried again with the delays of a waiting item
TEMPORARY = {0, 408, 425, 429, 502, 503, 504, 507}
NOTHING_PLAYED: tuple[int, int, Any, int] = (0, 0, None, 0)
UNKNOWN = {"log_in", "not_found", "other_table"}
BLOCK = re.compile(r'<script id="table" type="application/json">(.*?)</script>', re.DOTALL)
LAST_ATTRIBUTE = "SameSite="  # of every cookie
CSRF = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@dataclass
class Item:
    """A request of the queue. `told`: the server has said once that it is stored."""

    table: str
    of: str
    place: str
    players: list[str]
    kind: str
    number: int
    seen: int
    api: str
    body: dict[str, Any]
    key: str
    state: str = "waiting"
    answer: Any = None
    code: str = ""
    tries: int = 0
    retry_at: float = 0
    sent_at: float = 0
    epoch: int = 0  # in which it was sent
    is_sent_again: bool = False
    told: bool = False

    @property
    def stored_as(self) -> tuple[str, int, int]:
        """Return the key of the table, the number and the version of the round."""
        return self.of, self.number, self.seen + (self.kind == "round")

    @property
    def request(self) -> tuple[str, str]:
        path = f"{self.api}/rounds/{self.number}"
        return ("PUT", path) if self.kind == "round" else ("POST", f"{path}/accept")

    def is_missing(self, rounds: list[Any]) -> bool:
        """Return whether the server holds neither this version nor a later one."""
        stored: Any = rounds[self.number - 1] if self.number <= len(rounds) else None
        if self.kind == "accept":
            version = stored["version"] if stored else 0
            return bool(version < self.seen or (version == self.seen and not stored["accepted"]))
        if not stored or stored["version"] < self.answer["version"]:
            return True
        is_same_version = stored["version"] == self.answer["version"]
        return bool(is_same_version and stored["facts"] != self.answer["facts"])


@dataclass
class Browser:
    """Sends requests with the cookies of one browser to the address of the tournament.

    With the port of a `proxy` on 127.0.0.1, they go through it.
    """

    host: str
    port: int
    proxy: int = 0
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Any = None, at: str = "", **more: str) -> Answer:
        """Without a complete answer the status is 0. `at`: the computer that has the address."""
        headers = {"Host": f"{self.host}:{self.port}", "Content-Type": "application/json"}
        headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        headers |= {"Accept": "application/json"} if path.startswith("/api/") else {}
        is_through_proxy = self.proxy and not at
        to = ("127.0.0.1", self.proxy) if is_through_proxy else (at or self.host, self.port)
        connection = HTTPConnection(*to, timeout=TIMEOUT)
        try:
            connection.request(method, path, body and json.dumps(body), headers | more)
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException, UnicodeDecodeError):
            return Answer(0, None, {})
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            if LAST_ATTRIBUTE in line:  # else the proxy has cut the answer here
                self.cookies |= {name: each.value for name, each in SimpleCookie(line).items()}
        if path.startswith("/api/"):
            with suppress(ValueError):
                return Answer(response.status, json.loads(text), dict(response.headers))
        return Answer(response.status, text, dict(response.headers))


class Phone(Thread):
    """A table's phone with somebody who records, corrects and accepts.

    `haste` divides the delays of the page and of the people.
    """

    def __init__(self, browser: Browser, card: str, seed: int, haste: float) -> None:
        """`card` is the token of the table's link."""
        super().__init__(daemon=True)
        self.browser, self.card, self.haste = browser, card, haste
        self.dice = Random(seed)  # noqa: S311
        self.items: list[Item] = []
        self.page: dict[str, Any] = {}  # what the page of the table contains
        self.csrf, self.joined_at, self.compared_at, self.stored_at = "", 0.0, 0.0, 0.0
        self.goal = 0  # rounds to play at the present table
        self.is_over, self.wants_card = False, True
        self.scans, self.statuses = 0, Counter[int]()
        self.faults: list[str] = []
        self.answered: set[str] = set()  # addresses of tables of this place, asked for once
        self._played: dict[str, tuple[int, int, Any, int]] = {}  # by place

    def run(self) -> None:
        """Send, poll and play until `is_over`."""
        polled_at = acts_at = 0.0
        while not self.is_over:
            try:
                now = time.monotonic()
                if self.wants_card:
                    self.scan()
                self.send()
                if self.page and (now - polled_at > POLL / self.haste):
                    polled_at = now
                    self.refresh()
                may_play = self.page and not self.has_played and len(self.unsent) < MOST_UNSENT
                if may_play and now > acts_at:
                    acts_at = now + self.dice.uniform(4, 20) / self.haste
                    self.play()
            except Exception as error:  # noqa: BLE001  shown with the result
                self.faults.append(f"{type(error).__name__}: {error}")
            time.sleep(0.3 / self.haste)

    @property
    def has_played(self) -> bool:
        """Return whether all rounds up to the goal are recorded and accepted, if only here."""
        number, _seen, facts, _deals = self._played.get(self.page["place"], NOTHING_PLAYED)
        return number >= self.goal and facts is None

    @property
    def unsent(self) -> list[Item]:
        return [each for each in self.items if each.state != "sent"]

    def scan(self) -> None:
        """Open the link on the card; the page of the table loads."""
        answer = self.browser.ask("GET", f"/join/{self.card}/")
        while answer.status == 302 and "Location" in answer.headers:  # else the proxy has cut it
            answer = self.browser.ask("GET", answer.headers["Location"])
        block, csrf = BLOCK.search(str(answer.body)), CSRF.search(str(answer.body))
        if answer.status != 200 or not block or not csrf:
            time.sleep(0.5)  # somebody tries again
            return
        self.page, self.csrf = json.loads(unescape(block[1])), csrf[1]
        self.wants_card, self.joined_at, self.scans = False, time.time(), self.scans + 1
        self.answered = set()
        self.adopt_lost()
        for each in self.unsent:
            each.retry_at = 0
        self.refresh()

    def adopt_lost(self) -> None:
        """Take over the items of the table in this place that the server does not know."""
        place, players, table = self.page["place"], self.page["players"], self.page["table_key"]
        here = [each for each in self.items if each.place == place and each.players == players]
        here = [each for each in here if each.table != table and each.api not in self.answered]
        for api in {each.api for each in here}:
            lost = [each for each in here if each.api == api]
            answer = self.browser.ask("GET", api, **{"Makiyaku-Table": lost[0].of})
            body = answer.body if isinstance(answer.body, dict) else {}
            is_unknown = body.get("code") in UNKNOWN
            if is_unknown or "rounds" in body:
                self.answered.add(api)
            for each in lost if is_unknown else []:
                each.table, each.of, each.api = table, self.page["state"]["key"], self.api
                self.redo(each)

    @property
    def api(self) -> str:
        return str(self.page["api"])

    @staticmethod
    def redo(item: Item) -> None:
        item.state, item.answer, item.tries, item.retry_at = "waiting", None, 0, 0
        item.is_sent_again = True

    def send(self) -> None:
        """Send what is due, in order: a waiting item blocks the later ones of its table."""
        blocked: set[str] = set()
        for item in list(self.items):
            if item.state == "sent" or item.table in blocked:
                continue
            if time.monotonic() >= item.retry_at:
                self.settle(item, self.request(item))
            if item.state == "waiting":
                blocked.add(item.table)

    def request(self, item: Item) -> Answer:
        headers = {"Idempotency-Key": item.key, "Makiyaku-Table": item.of, "X-CSRFToken": self.csrf}
        headers |= {"Makiyaku-Sent-Again": "1"} if item.is_sent_again else {}
        return self.browser.ask(*item.request, item.body, **headers)

    def settle(self, item: Item, answer: Answer) -> None:
        body = answer.body if isinstance(answer.body, dict) else {}
        self.statuses[answer.status] += 1
        is_for_item = answer.headers.get("Idempotency-Key") == item.key
        is_stored = body.get("number") == item.number and answer.status in {200, 201}
        if is_for_item and is_stored:
            item.state, item.answer, item.code, item.told = "sent", body, "", True
            item.sent_at = self.stored_at = time.time()
            item.epoch = epoch_of(answer)
            for each in self.unsent:
                each.retry_at = 0 if each.state == "marked" else each.retry_at
            self.refresh()
            return
        item.tries, item.code = item.tries + 1, str(body.get("code", ""))
        item.state = "waiting" if answer.status in TEMPORARY else "marked"
        is_retried = item.state == "waiting" or not body or answer.status in RETRIED
        is_retried |= answer.status >= 500 or item.code in {"other_table", "not_next"}
        delay = min(MAX_RETRY_DELAY, 0.5 * 2**item.tries) * self.dice.uniform(0.75, 1.25)
        item.retry_at = time.monotonic() + (delay / self.haste if is_retried else float("inf"))
        if item.code in {"not_next", "finished"} or (item.code == "stale" and body.get("stored")):
            self.refresh()

    def refresh(self) -> None:
        """Ask for the state of the table, and compare it with what was sent."""
        begun, key = time.time(), self.page["state"]["key"]
        answer = self.browser.ask("GET", self.api, **{"Makiyaku-Table": key})
        body = answer.body if isinstance(answer.body, dict) else {}
        sent = [each for each in self.items if each.state == "sent"]
        own = [each for each in sent if each.table == self.page["table_key"]]
        is_unknown = body.get("code") in UNKNOWN or not body.get("you", {}).get("is_known", True)
        if body.get("code") in UNKNOWN:
            for each in own:
                self.redo(each)
        elif answer.status == 200 and "rounds" in body:
            for each in own:
                if each.sent_at < begun and each.is_missing(body["rounds"]):
                    self.redo(each)
            self.compared_at = begun
            self.adopt_lost()
        self.wants_card |= is_unknown
        if answer.status:
            self.compare_others(epoch_of(answer))

    def compare_others(self, epoch: int) -> None:
        """Compare what was sent to tables before this one, once in each epoch."""
        sent = [each for each in self.items if each.state == "sent" and each.epoch < epoch]
        others = [each for each in sent if each.table != self.page["table_key"]]
        for api in {each.api for each in others}:
            items = [each for each in others if each.api == api]
            answer = self.browser.ask("GET", api, **{"Makiyaku-Table": items[0].of})
            body = answer.body if isinstance(answer.body, dict) else {}
            for each in items if body else []:
                if body.get("code") in UNKNOWN or (
                    "rounds" in body and each.is_missing(body["rounds"])
                ):
                    self.redo(each)
                else:
                    each.epoch = epoch

    def play(self) -> None:
        """Record the next deal, accept the round, or correct it and accept it then."""
        place, players = self.page["place"], self.page["players"]
        number, seen, facts, deals = self._played.get(place, NOTHING_PLAYED)
        if facts is None:  # the next round
            number, seen, deals = number + 1, 0, 0
            facts = play_round(self.dice, players, players[number % len(players)])
        if deals < len(facts["deals"]):
            deals += 1
            so_far = {**facts, "deals": facts["deals"][:deals]}
            self.add("round", number, seen, {"facts": so_far, "seen": seen, "reason": ""})
        elif self.dice.random() < 0.3:
            right = play_round(self.dice, players, facts["dealer"])
            if right == facts:
                return
            self.add("round", number, seen, {"facts": right, "seen": seen, "reason": "数え間違い"})
            facts, deals = right, len(right["deals"])
        else:
            self.add("accept", number, seen, {"version": seen})
            facts = None
        self._played[place] = (number, seen + (facts is not None), facts, deals)

    def add(self, kind: str, number: int, seen: int, body: dict[str, Any]) -> None:
        players = self.page["players"]
        body |= {"players": players} if kind == "round" else {}
        key, table = f"{self.dice.getrandbits(128):032x}", self.page["table_key"]
        of, place = self.page["state"]["key"], self.page["place"]
        self.items.append(Item(table, of, place, players, kind, number, seen, self.api, body, key))

    def rounds(self) -> dict[tuple[str, int, int], Any]:
        """Return the facts that were recorded, by key of the table, number and version."""
        rounds = (each for each in self.items if each.kind == "round")
        return {each.stored_as: each.body["facts"] for each in rounds}

    def players_of(self, table: str) -> list[str]:
        return next(each.players for each in self.items if each.of == table)


def epoch_of(answer: Answer) -> int:
    return int(answer.headers.get("Makiyaku-Epoch", 0))


def is_complete(facts: dict[str, Any]) -> bool:
    return not kankei_go_on(len(facts["deals"]), facts["deals"][-1])
