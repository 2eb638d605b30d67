"""A whole tournament over a lossy network, with a server that is killed repeatedly.

    python -m tests.faults.soak --tables 10 --rounds 10 --kills 20

On SQLite, or on the PostgreSQL that DATABASE_URL names.

Every table has a phone: an HTTP client that sends its queue in order, and retries under the same
key until the server acknowledges. At the end the standings must follow from the facts sent, and
each item must be stored exactly once.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from tests.faults.lossy import lossy_proxy
from tests.faults.serving import (
    SECONDS_TO_START,
    Answer,
    Event,
    Server,
    Table,
    ask,
    serving,
    set_up,
    verify,
)

Deal = dict[str, Any]
PATIENCE = 2 * SECONDS_TO_START  # seconds until a phone fails if nothing is stored
SECONDS_BETWEEN_LOOKS = 0.15
LATER = {429, 502, 503, 504, 507}

# The association's goninkan for six, restated independently. Face cards that win a deal, for
# kankei and mukankei:
NEEDED = {1: (9, 8), 2: (8, 9), 3: (9, 8)}


def kankei_points(deals: Sequence[Deal]) -> int:
    """Return the points of each kankei in a complete round; the others get the opposite."""
    points = 0
    for number, deal in enumerate(deals, 1):
        declared, won = deal.get("declaration"), 2 if number == 3 else 1
        match declared, deal["kankei"], deal["mukankei"]:
            case "juroku", 16, 0:
                points += won + 1 + 8
            case "juroku", _, _:
                points += -1 - 16
            case "reverse_juroku", 0, 16:
                points = -16
            case "reverse_juroku", _, _:
                points += won + 32
            case _, own, 0 if own >= NEEDED[number][0]:
                points += won + 1
            case _, own, _ if own >= NEEDED[number][0]:
                points += won
            case _, 0, _ if number == 1:
                points += -10
            case _, 0, _:
                points = -3
            case _:
                points += -1
    return points


def kankei_go_on(number: int, deal: Deal) -> bool:
    """Return whether the next deal of the round is played."""
    if number == 3:
        return False
    if "declaration" in deal:
        made = 0 in {deal["kankei"], deal["mukankei"]}
        return bool(made == (deal["declaration"] == "juroku"))
    return bool(deal["kankei"] >= NEEDED[number][0])


def totals_of(players: Sequence[str], rounds: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Return every player's points. Of six, the dealer sits out and gets those of the kankei."""
    totals, sits_out = Counter(dict.fromkeys(players, 0)), len(players) == 6
    for facts in rounds:
        points = kankei_points(facts["deals"])
        for player in players:
            is_kankei = player in facts["kankei"] or (sits_out and player == facts["dealer"])
            totals[player] += points if is_kankei else -points
    return totals


def play_deal(dice: Random, number: int) -> Deal:
    """Some deals have a rare ending."""
    kankei, mukankei = NEEDED[number]
    some = dice.randint(1, 7)
    usual: list[tuple[int, Deal]] = [
        (50, {"kankei": kankei, "mukankei": some}),
        (30, {"kankei": some, "mukankei": mukankei}),
        (8, {"kankei": kankei, "mukankei": 0}),
        (4, {"kankei": 0, "mukankei": mukankei}),
    ]
    declared: list[tuple[int, Deal]] = [
        (3, {"kankei": 16, "mukankei": 0, "declaration": "juroku"}),
        (3, {"kankei": kankei, "mukankei": some, "declaration": "juroku"}),
        (2, {"kankei": 0, "mukankei": 16, "declaration": "reverse_juroku"}),
        (2, {"kankei": some, "mukankei": mukankei, "declaration": "reverse_juroku"}),
    ]
    possible = usual if number == 1 else usual + declared
    return dice.choices([deal for _, deal in possible], [odds for odds, _ in possible])[0]


def play_round(dice: Random, players: Sequence[str], dealer: str) -> dict[str, Any]:
    deals: list[Deal] = []
    while not deals or kankei_go_on(len(deals), deals[-1]):
        deals.append(play_deal(dice, len(deals) + 1))
    kankei = dice.sample([player for player in players if player != dealer], 2)
    return {"dealer": dealer, "kankei": kankei, "deals": deals}


class Item(NamedTuple):
    """An item of a queue: address, payload, and the facts in force afterwards."""

    path: str
    body: dict[str, Any]
    key: str
    version: int
    facts: dict[str, Any]
    ends_round: bool = False
    is_correction: bool = False


@dataclass
class Phone:
    """A table's phone with its queue, which is made before the first request."""

    table: Table
    seed: int
    rounds: int
    desk: str  # the token of the desk, for corrections
    played: list[dict[str, Any]] = field(default_factory=list)  # the facts in force at the end
    outbox: list[Item] = field(default_factory=list)
    confirmed: int = 0
    rounds_over: int = 0  # and acknowledged
    tries: int = 0

    def __post_init__(self) -> None:
        """Play the whole session; then correct one of its rounds as the desk."""
        self.dice = Random(self.seed)  # noqa: S311
        players = self.table.players
        for number in range(1, self.rounds + 1):
            self.played.append(play_round(self.dice, players, players[number % 6]))
            self.outbox += self._sent_by_deals(number, self.played[-1])
        number = self.dice.randint(1, self.rounds)
        before = self.played[number - 1]
        right = play_round(self.dice, players, before["dealer"])
        seen = len(before["deals"])
        body = {"facts": right, "seen": seen, "reason": "写し間違い"}
        correction = Item(self._path(number), body, self._key(), seen + 1, right)
        self.outbox.append(correction._replace(is_correction=True))
        self.played[number - 1] = right

    def _sent_by_deals(self, number: int, facts: dict[str, Any]) -> Iterator[Item]:
        """Send a round in parts: some phones send the round so far, others each deal."""
        more = {"dealer": facts["dealer"], "kankei": facts["kankei"]}
        for count, deal in enumerate(facts["deals"], 1):
            so_far = {**more, "deals": facts["deals"][:count]}
            path, body = self._path(number), {"facts": so_far, "seen": count - 1}
            if self.seed % 2:
                path += f"/deals/{count}"
                body = {"deal": deal, "seen": count - 1, **({"round": more} if count == 1 else {})}
            is_last = count == len(facts["deals"])
            yield Item(path, body, self._key(), count, so_far, ends_round=is_last)

    def _path(self, number: int) -> str:
        return f"/api/sittings/{self.table.sitting}/rounds/{number}"

    def _key(self) -> str:
        return str(UUID(int=self.dice.getrandbits(128), version=4))

    def send_all(self, port: int) -> None:
        """Each item is sent until the server acknowledges it."""
        for item in self.outbox:
            answer = self._surely(port, item)
            assert answer.status in {200, 201}, (item, answer)
            assert answer.body["facts"] == item.facts, (item, answer)
            assert answer.body["version"] == item.version, (item, answer)
            self.confirmed += 1
            self.rounds_over += item.ends_round

    def _surely(self, port: int, item: Item) -> Answer:
        give_up, pause = time.monotonic() + PATIENCE, 0.02
        token = self.desk if item.is_correction else self.table.token
        while time.monotonic() < give_up:
            self.tries += 1
            try:
                answer = ask(port, "PUT", item.path, item.body, token=token, key=item.key)
            except (OSError, HTTPException, ValueError):  # no complete response
                answer = None
            # A truncated response may have a status; it counts only with its document.
            if answer and answer.status not in LATER and isinstance(answer.body, dict):
                return answer
            time.sleep(pause * self.dice.uniform(0.5, 1))
            pause = min(pause * 2, 1)
        message = f"Not stored in {PATIENCE} seconds: {item}"
        raise TimeoutError(message)


@dataclass
class Reader:
    """Reads the standings repeatedly: they must be fresh, and never go back."""

    port: int
    phones: Sequence[Phone]
    path: str
    answers: int = 0
    is_over: bool = False

    def read_on(self) -> None:
        counted = 0
        while not self.is_over:
            confirmed = sum(phone.rounds_over for phone in self.phones)
            try:
                answer = ask(self.port, "GET", self.path)
            except (OSError, HTTPException, ValueError):
                continue
            if answer.status == 200 and isinstance(answer.body, dict):
                self.answers += 1
                shown, before = answer.body["rounds_counted"], max(counted, confirmed)
                assert shown >= before, f"{shown} rounds counted, though {before} were before"
                counted = shown
            time.sleep(SECONDS_BETWEEN_LOOKS)


class Report(NamedTuple):
    """The size of the run, and all problems found at the end."""

    items: int
    tries: int
    looks: int  # requests of the standings
    kills: int
    befell: Counter[str]
    wrong: list[str]


def soak(
    data: Path, *, tables: int, rounds: int, kills: int, seed: int = 1, database_url: str = ""
) -> Report:
    """Play a tournament with losses and kills; return a report."""
    dice = Random(seed)  # noqa: S311
    environment = {"DATABASE_URL": database_url} if database_url else {}
    with serving(data, environment=environment) as server, lossy_proxy(server.port, seed) as proxy:
        event = set_up(server, tables, rounds)
        phones = [
            Phone(table, seed * 1000 + number, rounds, event.token)
            for number, table in enumerate(event.tables)
        ]
        items = sum(len(phone.outbox) for phone in phones)
        path = f"/api/tournaments/{event.slug}/standings"
        reader = Reader(proxy.port, phones, path)
        with ThreadPoolExecutor(tables + 1) as pool:
            reading = pool.submit(reader.read_on)
            sending = [pool.submit(phone.send_all, proxy.port) for phone in phones]
            try:
                for kill in range(1, kills + 1):
                    wait_for(phones, sending, items * kill // (kills + 1))
                    time.sleep(dice.uniform(0, 0.1))
                    server.kill()
                    server.start()
                for each in sending:
                    each.result()
            finally:
                reader.is_over = True
        reading.result()
        wrong = [*wrong_standings(server, event, phones), *wrong_rounds(server, phones)]
        tries = sum(phone.tries for phone in phones)
    wrong += wrong_in_the_database(database_url or data / "makiyaku.sqlite3", items)
    verified = verify(data, **environment)
    wrong += [] if verified.startswith("0 ") else [verified]
    return Report(items, tries, reader.answers, kills, proxy.befell, wrong)


def wait_for(phones: Sequence[Phone], sending: Sequence[Future[None]], confirmed: int) -> None:
    """Wait until this number of writes is acknowledged, or a phone has failed."""
    while sum(phone.confirmed for phone in phones) < confirmed:
        for each in sending:
            if each.done():
                each.result()
        time.sleep(0.02)


def wrong_standings(server: Server, event: Event, phones: Sequence[Phone]) -> Iterator[str]:
    """Compare the standings with those computed from the facts sent."""
    answer = ask(server.port, "GET", f"/api/tournaments/{event.slug}/standings")
    found = {str(row["number"]): row for row in answer.body["standings"]}
    totals = Counter[str]()
    for phone in phones:
        totals.update(totals_of(phone.table.players, phone.played))
    if found.keys() != totals.keys():
        yield f"standings of other players: {sorted(found)}"
    for player, row in found.items():
        if row["points"] != totals[player] or row["rounds_played"] != phones[0].rounds:
            yield f"player {player} has {row['points']} points, not {totals[player]}"
    places = [row["place"] for row in answer.body["standings"]]
    points = [row["points"] for row in answer.body["standings"]]
    if places != sorted(places) or points != sorted(points, reverse=True):
        yield "places are not in the order of the points"


def wrong_rounds(server: Server, phones: Sequence[Phone]) -> Iterator[str]:
    """Compare every table's rounds with what its phone and the desk sent."""
    for phone in phones:
        answer = ask(server.port, "GET", f"/api/sittings/{phone.table.sitting}/rounds")
        if [each["facts"] for each in answer.body["rounds"]] != phone.played:
            yield f"table {phone.table.sitting} has other rounds than its phone"


def wrong_in_the_database(database: str | Path, items: int) -> Iterator[str]:
    """Check the database: one version, one audit entry and one receipt for each item."""
    opened: Any = (
        sqlite3.connect(database) if isinstance(database, Path) else psycopg.connect(database)
    )
    with closing(opened):
        for what in (
            "tournaments_round",
            "tournaments_act WHERE kind LIKE 'round_%'",
            "tournaments_receipt",
        ):
            (count,) = opened.execute(f"SELECT count(*) FROM {what}").fetchone()
            if count != items:
                yield f"{count} rows of {what}, not {items}"
        for table in ("disagreement", "call"):
            if opened.execute(f"SELECT 1 FROM tournaments_{table}").fetchone():
                yield f"a {table} that nobody made"


def main() -> int:
    """Play a tournament of the given size; return 1 if there are problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="makiyaku-soak-") as folder:
        url = os.environ.get("DATABASE_URL", "")
        report = soak(Path(folder) / "var", **vars(asked), database_url=url)
    seconds = time.monotonic() - begun
    sys.stdout.write(
        f"{report.items} writes, sent {report.tries} times, {report.kills} kills,"
        f" {report.looks} looks, {seconds:.0f} s; what became of requests: {dict(report.befell)}\n"
    )
    end = report.wrong or ["Everything is stored exactly once, and adds up."]
    sys.stdout.write("\n".join(end) + "\n")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
