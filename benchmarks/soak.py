"""Kill the server of 50 phones at random instants, and let another computer go on each time.

    .venv/bin/python benchmarks/soak.py [--kills N] [--phones N] [--seed N] [--haste N]

Phones (`soak_phones.py`) record rounds, correct and accept them. The server's processes are killed;
another data folder goes on at the same address, an address of the loopback interface that stands
for the one that moves: from a stick, or as a follower over https, some through a proxy that cuts,
delays and drops. In some runs the copier is stopped and the next session is seated before the kill,
and in some the first computer comes back. Once, the newest copy is torn as by a power cut.

Everything that a phone was told is stored is compared with the database of the computer that goes
on, and the standings with a recomputation that shares no code with the app. Exit status 1 if
something is lost, doubled, at a wrong table, or needs a new card.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from soak_computers import (  # noqa: E402
    HOST,
    HTTPS,
    PORT,
    PROXY,
    RETURNED,
    Computer,
    LossyLink,
    wait_for,
)
from soak_phones import Browser, Phone, is_complete  # noqa: E402
from standby import copier_of  # noqa: E402

from tests.faults import power_cut  # noqa: E402
from tests.faults.serving import Server, verify  # noqa: E402
from tests.faults.soak import totals_of  # noqa: E402
from tournaments.server.certificates import Certificate  # noqa: E402
from tournaments.standby import followers, targets  # noqa: E402
from tournaments.standby.folders import Folder  # noqa: E402

KINDS = ("stick", "follower", "lossy follower")
ROUNDS = """
SELECT sitting.key, round.number, version, facts FROM tournaments_round AS round
JOIN tournaments_sitting AS sitting ON sitting.id = round.sitting_id
"""
ACCEPTANCES = ROUNDS.replace("facts FROM", "1 FROM tournaments_acceptance AS a JOIN").replace(
    "AS round", "AS round ON round.id = a.round_id"
)
ACTS = """
SELECT count(*) FROM tournaments_act
WHERE kind IN ('round_recorded', 'round_continued', 'round_corrected')
"""


def at(place_and_facts: tuple[tuple[str, int, int], Any]) -> tuple[str, int, int]:
    return place_and_facts[0]


def tear(copies: Folder) -> None:
    """Leave of the newest copy what a power cut may: its end is zeros, or is missing."""
    path = copies.path / next(iter(copies.sidecars()))
    content = path.read_bytes()
    half = len(content) // 2
    path.write_bytes(content[:half] + bytes(half // 2))


class Soak:
    """One event, its phones, and the computers that serve it one after the other."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Make the first computer."""
        self.folder, self.dice = folder, Random(seed)  # noqa: S311
        self.computers: list[Computer] = []
        self.wrong: list[str] = []
        self.found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.link = LossyLink(seed)
        self.link.start()
        self.desk, self.serving = Browser(HOST, PORT), self.computer()
        self.phones: list[Phone] = []
        self.commanded = 0.0  # when the command to go on was given
        self.verifier = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", power_cut.__name__, "look"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
            | {"DATA_DIR": str(folder), "SECRET_KEY": "only-for-benchmarks"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, phones: int, seed: int, haste: float) -> None:
        """Start the first computer, seat everybody, and let a phone join at each table."""
        self.serving.run("serve")
        wait_for(self.is_answered, "start")
        self.token = Server(self.serving.data).token()
        about: dict[str, Any] = {
            "name": "嶽きみ杯",
            "rule_set": "goninkan-association",
            "accepting": "same",
        }
        about |= {"rounds_per_session": 99, "published": True, "sessions_planned": 99}
        self.event = f"/api/tournaments/{self.ordered('/api/tournaments', about)['slug']}"
        people = [{"name": f"選手{number}"} for number in range(6 * phones)]
        entries = self.ordered(f"{self.event}/entries", {"entries": people})["entries"]
        self.players = [entry["number"] for entry in entries]
        self.seats: list[list[int]] = []
        self.phones = [
            Phone(Browser(HOST, PORT), card, seed * 1000 + number, haste)
            for number, card in enumerate(self.seat())
        ]
        for phone in self.phones:
            phone.start()
        wait_for(self.is_quiet, "phones")

    def computer(self) -> Computer:
        new = Computer(self.folder, len(self.computers) + 1)
        self.computers.append(new)
        if len(self.computers) > 1:  # a second laptop has been tried before
            shutil.copytree(self.serving.data / "static", new.data / "static")
        return new

    def is_answered(self) -> bool:
        return self.desk.ask("GET", "/healthz").status == 200

    def ordered(self, path: str, body: Any) -> Any:
        """Send a request of the desk."""
        answer = self.desk.ask("POST", path, body, Authorization=f"Bearer {self.token}")
        if answer.status != 201:
            raise RuntimeError(answer)
        return answer.body

    def seat(self, *, again: bool = False) -> list[str]:
        """Seat the next session, or `again` the one of before; return the tokens of the cards."""
        if not again:
            self.dice.shuffle(self.players)
            self.seats = [self.players[at : at + 6] for at in range(0, len(self.players), 6)]
        state = self.desk.ask("GET", self.event, Authorization=f"Bearer {self.token}")
        seen = state.body["state_version"]
        wanted = {"tables": self.seats, "pins": False, "seen_version": seen}
        session = self.ordered(f"{self.event}/sessions", wanted)
        return [each["token"] for each in session["sittings"]]

    def is_quiet(self, since: float = 0) -> bool:
        """Return whether every phone has compared since then, and has nothing to send."""
        return all(p.compared_at > since and not p.unsent and not p.wants_card for p in self.phones)

    def follow(self, there: Computer, *, is_lossy: bool) -> None:
        """Pair with the computer that serves; return once there is a copy."""
        data = self.serving.data
        certificate = Certificate(data / "https-certificate.pem", data / "https-key.pem")
        digest = bytes.fromhex(certificate.fingerprint.replace(":", ""))
        host = PROXY if is_lossy else HOST
        while not (there.process and (there.data / "following" / "leader.json").exists()):
            if there.process is None or there.process.poll() is not None:  # the link was lost
                code = followers.new_code(targets.standby_folder(data), digest).text
                there.run("follow", f"https://{host}:{HTTPS}", code)
            time.sleep(0.2)

    def kill(self, kind: str, *, is_seated: bool, comes_back: bool) -> None:
        """Kill the server at a random instant, let another one go on, and check what it holds."""
        first, second = self.serving, self.computer()
        way = kind if kind in KINDS else "stick"
        if way != "stick":
            self.follow(second, is_lossy=way == "lossy follower")
        copies = (first if way == "stick" else second).copies(way)
        for phone in self.phones:
            phone.plays = True
        needed = 2 if kind == "power cut" else 1
        wait_for(lambda: len(copies.sidecars()) >= needed, "copies")
        if is_seated:
            self.seat_in_the_gap(first)
        time.sleep(self.dice.uniform(0, 8))
        first.kill()
        if kind == "power cut":
            tear(copies)
        newest = copies.newest()
        made_at = newest[0].header.made_at if newest else 0
        known = [phone for phone in self.phones if phone.joined_at < made_at - 1]
        scans = sum(phone.scans for phone in known)
        self.go_on(way, first, second)
        if is_seated:
            self.seat_again(kind)
        self.come_to_rest(kind)
        scans = sum(phone.scans for phone in known) - scans
        self.count_as(kind, kills=1, seated=is_seated, new_scans=0 if is_seated else scans)
        self.check(kind)
        if comes_back:
            self.come_back(first, kind)
        for each in (first.data, first.stick):
            shutil.rmtree(each)

    def go_on(self, way: str, first: Computer, second: Computer) -> None:
        """Go on with the second computer; return at its first answer."""
        self.commanded = time.time()
        if way == "stick":
            second.run("go_on", first.stick, "--yes")
        else:
            second.press()
        self.serving = second
        wait_for(self.is_answered, f"{way}: no answer")
        self.seconds[f"answer, {way}"].append(time.time() - self.commanded)

    def seat_again(self, kind: str) -> None:
        """Seat the session that the copy lacks; the phones have the cards of before."""
        cards = self.seat(again=True)
        new = [p for p, card in zip(self.phones, cards, strict=True) if p.card != card]
        self.count_as(kind, new_cards=len(new))
        for phone, card in zip(self.phones, cards, strict=True):
            phone.card = card

    def come_to_rest(self, kind: str) -> None:
        """Wait until something is stored; then let nobody play until everything is sent."""
        wait_for(self.stored_since, f"{kind}: nothing is stored")
        self.seconds["stored"].append(min(self.stored_since()) - self.commanded)
        for phone in self.phones:
            phone.plays = False
        begun = time.time()
        try:
            wait_for(lambda: self.is_quiet(begun), f"{kind}: phones do not come to rest")
        except TimeoutError as error:
            self.wrong.append(f"{error}: {self.restless()}")

    def count_as(self, kind: str, **counts: int) -> None:
        self.found[kind] += Counter(counts)

    def stored_since(self) -> list[float]:
        """Return when phones were told of something stored, since the command to go on."""
        return [phone.stored_at for phone in self.phones if phone.stored_at > self.commanded]

    def restless(self) -> list[Any]:
        return [
            [(i.kind, i.number, i.seen, i.state, i.code, i.answer) for i in phone.unsent][:2]
            for phone in self.phones
            if phone.unsent or phone.wants_card
        ][:3]

    def seat_in_the_gap(self, first: Computer) -> None:
        """Seat the next session after the last copy; the phones move there, and play."""
        os.kill(copier_of(first.data), signal.SIGSTOP)
        for phone, card in zip(self.phones, self.seat(), strict=True):
            phone.card, phone.wants_card = card, True
        wait_for(lambda: not any(phone.wants_card for phone in self.phones), "cards")

    def come_back(self, first: Computer, kind: str) -> None:
        """Serve the first computer again: what phones ask of it, it must refuse, and not store."""
        first.run("serve", host=RETURNED)
        asked = self.phones[0].browser
        wait_for(lambda: asked.ask("GET", "/healthz", at=RETURNED).status, "return")
        for phone in self.phones[:5]:
            item = phone.items[-1]
            for method, path in (("GET", item.api), item.request):
                answer = phone.browser.ask(method, path, item.body, RETURNED)
                if answer.status != 503:
                    self.wrong.append(f"The first computer, back, answers {answer}")
        self.count_as(kind, came_back=1)
        first.kill()

    def check(self, kind: str) -> None:
        """Compare the database with what phones were told, and standings with a recomputation."""
        path = self.folder / "look.sqlite3"
        path.unlink(missing_ok=True)
        source = sqlite3.connect(self.serving.data / "makiyaku.sqlite3")
        with closing(source), closing(sqlite3.connect(path)) as copy:
            source.backup(copy)
            rows = copy.execute(ROUNDS).fetchall()
            accepted = Counter(row[:3] for row in copy.execute(ACCEPTANCES))
            keys = Counter(key for (key,) in copy.execute("SELECT key FROM tournaments_receipt"))
            acts = copy.execute(ACTS).fetchone()[0]
            disputes = copy.execute("SELECT count(*) FROM tournaments_disagreement").fetchone()[0]
        stored = {(of, number, version): json.loads(facts) for of, number, version, facts in rows}
        made = {place: facts for phone in self.phones for place, facts in phone.rounds().items()}
        items = [item for phone in self.phones for item in phone.items if item.told]
        rounds = [item for item in items if item.kind == "round"]
        lost = [i for i in rounds if stored.get(i.stored_as) != i.body["facts"]]
        lost += [i for i in rounds if keys[i.key] != 1]
        lost += [i for i in items if i.kind == "accept" and accepted[i.stored_as] != 1]
        others = [place for place, facts in stored.items() if made.get(place) != facts]
        doubled = len(rows) - len(stored) + acts - len(rows)
        self.count_as(kind, told=len(items), rounds=len(rounds), lost=len(lost), doubled=doubled)
        self.count_as(kind, elsewhere=len(others), disputes=disputes)
        self.wrong += [f"{kind}: lost {item.kind} {item.stored_as}" for item in lost[:3]]
        self.wrong += [f"{kind}: at another table {place}" for place in others[:3]]
        self.compare_standings(kind)
        print(path, file=self.verifier.stdin, flush=True)
        faults = json.loads(next(self.verifier.stdout or iter(())))["wrong"]
        self.wrong += [f"{kind}: verification: {each}" for each in faults]

    def compare_standings(self, kind: str) -> None:
        totals = Counter[str]()
        for phone in self.phones:
            latest = {place[:2]: facts for place, facts in sorted(phone.rounds().items(), key=at)}
            by_players = defaultdict[tuple[str, ...], list[Any]](list)
            for (of, _number), facts in latest.items():
                if is_complete(facts):
                    by_players[tuple(phone.players_of(of))].append(facts)
            for players, rounds in by_players.items():
                totals.update(totals_of(players, rounds))
        standings = self.desk.ask("GET", f"{self.event}/standings").body["standings"]
        for row in standings:
            if (row["points"] or 0) != totals[str(row["number"])]:  # None before the first round
                of = f"player {row['number']} has {row['points']}"
                self.wrong.append(f"{kind}: {of}, not {totals[str(row['number'])]}")

    def report(self) -> Iterator[str]:
        """Yield the table of what was found, and the times."""
        columns = ["kills", "seated", "came_back", "told", "lost", "doubled", "elsewhere"]
        columns += ["disputes", "new_scans", "new_cards"]
        yield f"| {' | '.join(['went on from', *columns])} |"
        for kind, counts in self.found.items():
            yield f"| {' | '.join([kind, *(str(counts[each]) for each in columns)])} |"
        for what, taken in self.seconds.items():
            median = statistics.median(taken)
            yield f"{what}: {median:.1f} s, at most {max(taken):.1f} s ({len(taken)})"
        yield f"connections through the lossy link: {dict(self.link.befell)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10, help="no kill begins after that")
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--haste", type=float, default=4, help="divides the delays of phones")
    asked = parser.parse_args()
    end, shown = time.monotonic() + 60 * asked.minutes, 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with tempfile.TemporaryDirectory(prefix="makiyaku-kills-") as folder:
        soak = Soak(Path(folder), asked.seed)
        try:
            soak.begin(asked.phones, asked.seed, asked.haste)
            for number in range(1, asked.kills + 1):
                if time.monotonic() > end:
                    break
                kind = "power cut" if number == 2 else soak.dice.choice(KINDS)
                soak.kill(kind, is_seated=number % 8 == 3, comes_back=number % 8 == 1)
                taken = soak.seconds["stored"][-1]
                print(f"{number}: {kind}, first stored after {taken:.1f} s", flush=True)
                for fault in soak.wrong[shown:]:
                    print(fault, flush=True)
                shown = len(soak.wrong)
            soak.wrong += [fault for phone in soak.phones for fault in phone.faults]
            verified = verify(soak.serving.data)
            soak.wrong += [] if verified.startswith("0 ") else [verified]
        except BaseException:
            print(soak.serving.log()[-3000:])
            raise
        finally:
            for computer in soak.computers:
                computer.kill()
            soak.verifier.kill()
    for line in [*soak.report(), *(soak.wrong or ["Nothing is lost, doubled or elsewhere."])]:
        print(line)
    bad = ("lost", "doubled", "elsewhere", "disputes", "new_scans", "new_cards")
    return int(bool(soak.wrong) or any(each[name] for each in soak.found.values() for name in bad))


if __name__ == "__main__":
    raise SystemExit(main())
