"""A day of 340 players in fast time, with what can go wrong in a hall.

    .venv/bin/python benchmarks/soak.py [--players N] [--kills N] [--minutes N] [--seed N]

Three sessions and a final of the first twelve. Each table has a phone (`soak_phones.py`), which
records rounds, corrects and accepts them, through a proxy that loses, cuts, delays and repeats
requests. In each round the server's processes are killed, and started again, or another data folder
goes on at the same address, an address of the loopback interface that stands for the one that
moves: from a stick, or as a follower over https, some through a link that cuts, delays and drops.
At the second kill the newest copy is torn as by a power cut. The second and third session are
seated after the last copy. Some computers that were killed come back. In the second round of each
session the server's disk is full for a while; in every other round its clock is set.

After each round everything that phones were told is stored is compared with the database of the
computer that serves, and the standings with a recomputation that shares no code with the app. Exit
status 1 if something is lost, doubled, at a wrong table, or needs a new card.
"""

from __future__ import annotations

import argparse
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

from soak_checks import Checks  # noqa: E402
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
from soak_phones import Browser, Phone  # noqa: E402
from soak_rounds import (  # noqa: E402
    FINALISTS,
    POWER_CUT,
    RESTART,
    SESSIONS,
    Round,
    planned,
    rounds_of,
    tables_of,
)
from standby import copier_of  # noqa: E402

from tests.faults.lossy import lossy_proxy  # noqa: E402
from tests.faults.serving import Server, verify  # noqa: E402
from tests.faults.small_disk import fill, in_own_mounts  # noqa: E402
from tournaments.server.certificates import Certificate  # noqa: E402
from tournaments.standby import followers, targets  # noqa: E402
from tournaments.standby.folders import Folder  # noqa: E402

FULL = 507
OPTIONS = {"reverse_skunk_deal1_flat": True, "skunk_kept_with_juroku": True}  # as the association
IN_OWN_MOUNTS = "SOAK_IN_OWN_MOUNTS"
COLUMNS = ("told", "lost", "doubled", "elsewhere", "disputes", "new scans", "new cards")


def tear(copies: Folder) -> None:
    """Leave of the newest copy what a power cut may: its end is zeros, or is missing."""
    path = copies.path / next(iter(copies.sidecars()))
    content = path.read_bytes()
    half = len(content) // 2
    path.write_bytes(content[:half] + bytes(half // 2))


class Day:
    """One event, its phones, and the computers that serve it one after the other."""

    def __init__(self, folder: Path, seed: int, proxy: int) -> None:
        """Make the first computer. Phones connect to it through the port `proxy`."""
        self.folder, self.dice, self.proxy = folder, Random(seed), proxy  # noqa: S311
        self.computers: list[Computer] = []
        self.counts = dict.fromkeys(COLUMNS, 0)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.link = LossyLink(seed)
        self.link.start()
        self.desk, self.serving = Browser(HOST, PORT), self.computer()
        self.phones: list[Phone] = []  # those of the session are the first
        self.seats: list[list[int]] = []
        self.seated_at = 0.0
        self.checks = Checks(folder)

    def begin(self, players: int, rounds: int, seed: int, haste: float) -> None:
        """Start the first computer, and enter everybody."""
        self.serving.run("serve")
        wait_for(self.is_answered, "start")
        self.token = Server(self.serving.data).token()
        about: dict[str, Any] = {"name": "嶽きみ杯", "rule_set": "goninkan-classic"}
        about |= {"options": OPTIONS, "accepting": "same", "rounds_per_session": rounds}
        final = {
            "name": "決勝",
            "quotas": [{"places": FINALISTS}],
            "at_line": "lot",
            "carry": "all",
        }
        about |= {"published": True, "sessions_planned": SESSIONS, "stages": [final]}
        self.event = f"/api/tournaments/{self.ordered('/api/tournaments', about)['slug']}"
        people = [{"name": f"選手{number}"} for number in range(players)]
        entries = self.ordered(f"{self.event}/entries", {"entries": people})["entries"]
        self.players = [entry["number"] for entry in entries]
        self.phones = [
            Phone(Browser(HOST, PORT, self.proxy), "", seed * 1000 + number, haste)
            for number in range(len(tables_of(self.players)))
        ]

    def computer(self) -> Computer:
        new = Computer(self.folder, len(self.computers) + 1)
        self.computers.append(new)
        if len(self.computers) > 1:  # a second laptop has been tried before
            shutil.copytree(self.serving.data / "static", new.data / "static")
        return new

    def is_answered(self) -> bool:
        return self.desk.ask("GET", "/healthz").status == 200

    def read(self, path: str) -> Any:
        """Return a document as the desk sees it."""
        answer = self.desk.ask("GET", path, Authorization=f"Bearer {self.token}")
        if answer.status != 200:
            raise RuntimeError(answer)
        return answer.body

    def ordered(self, path: str, body: Any) -> Any:
        """Send a request of the desk."""
        answer = self.desk.ask("POST", path, body, Authorization=f"Bearer {self.token}")
        if answer.status not in {200, 201}:
            raise RuntimeError(answer)
        return answer.body

    def changed(self, path: str, **body: Any) -> Any:
        """Send a request of the desk that names the state it has seen."""
        seen = self.read(self.event)["state_version"]
        return self.ordered(f"{self.event}/{path}", {**body, "seen_version": seen})

    def play(self, played: Round) -> None:
        """Let every table play one more round; whatever befalls the server, all is stored then."""
        begun, first = time.time(), self.serving
        first.set_clock(0)
        if played.number == 1 and not played.in_gap:
            self.draw(played.session)
            self.give_cards(self.seat())
        second, copies = self.standby_for(played.kill) if played.kill else (first, None)
        if played.in_gap:
            os.kill(copier_of(first.data), signal.SIGSTOP)
            self.draw(played.session)
            self.give_cards(self.seat())
        for phone in self.playing:
            phone.goal += 1
        time.sleep(self.dice.uniform(0, 4))
        if played.clock:
            first.set_clock(played.clock)
        if played.is_disk_full:
            self.fill_the_disk()
        self.counts["new cards"] = self.counts["new scans"] = 0
        if played.kill:
            time.sleep(self.dice.uniform(0, 8))
            self.kill(played, second, copies)
        self.come_to_rest()
        self.check()
        self.seconds["round"].append(time.time() - begun)
        if played.comes_back:
            self.come_back(first)
        if self.serving is not first:
            first.remove()

    @property
    def playing(self) -> list[Phone]:
        return self.phones[: len(self.seats)]

    def draw(self, session: int) -> None:
        """Choose the seats of a session; for the final also confirm who plays there."""
        players = self.players
        if session > SESSIONS:
            members = self.read(f"{self.event}/stages/2")["going_on"]
            self.changed("stages/2/confirm", members=members, decided=[])
            players = [number for group in members for number in group["players"]]
        self.seats = tables_of(self.dice.sample(players, len(players)))

    def seat(self) -> list[str]:
        """Seat a session as drawn; return the tokens of the cards."""
        session = self.changed("sessions", tables=self.seats, pins=False)
        self.seated_at = time.time()
        return [each["token"] for each in session["sittings"]]

    def give_cards(self, cards: list[str]) -> None:
        """Let the phones of the session scan the cards; return when all have."""
        for phone, card in zip(self.playing, cards, strict=True):
            phone.card, phone.wants_card, phone.goal = card, True, 0
            if not phone.is_alive():
                phone.start()
        wait_for(lambda: not any(phone.wants_card for phone in self.playing), "cards")

    def is_quiet(self, since: float) -> bool:
        """Return whether every phone has compared since then, and has nothing to do."""
        return all(
            p.compared_at > since and p.has_played and not p.unsent and not p.wants_card
            for p in self.phones
        )

    def fill_the_disk(self) -> None:
        """Fill the server's disk until writes have been refused, and make room again."""
        full, refused = self.serving.filler, self.refused()
        with closing(sqlite3.connect(self.serving.database)) as opened:
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else there is room in its log
        fill(full)
        wait_for(lambda: self.refused() > refused, "no write is refused")
        self.read(f"{self.event}/standings")
        time.sleep(self.dice.uniform(1, 4))
        full.unlink()

    def refused(self) -> int:
        return sum(phone.statuses[FULL] for phone in self.phones)

    def standby_for(self, kind: str) -> tuple[Computer, Folder | None]:
        """Return the computer that will go on, and its copies, which have the seats."""
        first = self.serving
        if kind == RESTART:
            return first, None
        second = self.computer()
        if "follower" in kind:
            self.follow(second, is_lossy="lossy" in kind)
        copies = second.followed() if "follower" in kind else first.on_stick()
        wait_for(lambda: self.with_seats(copies), f"{kind}: copies")
        return second, copies

    def with_seats(self, copies: Folder) -> int:
        """Return how many of the copies were made after the last seating."""
        made = (each.header.made_at for each in copies.sidecars().values())
        return sum(self.serving.right_time(each) > self.seated_at for each in made)

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

    def kill(self, played: Round, second: Computer, copies: Folder | None) -> None:
        """Kill the server, and let the same or another computer go on."""
        first = self.serving
        if copies and played.kill == POWER_CUT:  # the copy before the torn one must do
            wait_for(lambda: self.with_seats(copies) > 1, "a second copy")
        first.kill()
        known = self.phones
        if copies:
            if played.kill == POWER_CUT:
                tear(copies)
            newest = copies.newest()
            made_at = first.right_time(newest[0].header.made_at) if newest else 0
            known = [phone for phone in self.phones if phone.joined_at < made_at - 1]
        scans = sum(phone.scans for phone in known)
        self.go_on(played.kill, first, second)
        if played.in_gap:  # the copy lacks the session; phones have the cards of before
            cards = self.seat()
            old = [phone.card for phone in self.playing]
            self.counts["new cards"] = len({*cards} - {*old})
            for phone, card in zip(self.playing, cards, strict=True):
                phone.card = card
        wait_for(self.stored_since, f"{played.kill}: nothing is stored")
        self.seconds["stored"].append(min(self.stored_since()) - self.commanded)
        if not played.in_gap:
            self.counts["new scans"] = sum(phone.scans for phone in known) - scans

    def go_on(self, kind: str, first: Computer, second: Computer) -> None:
        """Go on with the second computer; return at its first answer."""
        self.commanded = time.time()
        if kind == RESTART:
            second.run("serve")
        elif "follower" in kind:
            second.press()
        else:
            second.run("go_on", first.stick, "--yes")
        self.serving = second
        wait_for(self.is_answered, f"{kind}: no answer")
        self.seconds[f"answer, {kind}"].append(time.time() - self.commanded)

    def come_to_rest(self) -> None:
        """Wait until the round is played and everything is sent."""
        begun = time.time()
        try:
            wait_for(lambda: self.is_quiet(begun), "phones do not come to rest")
        except TimeoutError as error:
            self.checks.wrong.append(f"{error}: {self.restless()}")

    def stored_since(self) -> list[float]:
        """Return when phones were told of something stored, since the command to go on."""
        return [phone.stored_at for phone in self.phones if phone.stored_at > self.commanded]

    def restless(self) -> list[Any]:
        return [
            [(i.kind, i.number, i.seen, i.state, i.code, i.answer) for i in phone.unsent][:2]
            for phone in self.phones
            if phone.unsent or phone.wants_card or not phone.has_played
        ][:3]

    def check(self) -> None:
        standings = self.read(f"{self.event}/standings")["standings"]
        self.counts |= self.checks.of(self.serving.database, self.phones, standings)

    def come_back(self, first: Computer) -> None:
        """Serve the first computer again: what phones ask of it, it must refuse, and not store."""
        first.run("serve", host=RETURNED)
        asked = self.phones[0].browser
        wait_for(lambda: asked.ask("GET", "/healthz", at=RETURNED).status, "return")
        for phone in self.phones[:5]:
            item = phone.items[-1]
            for method, path in (("GET", item.api), item.request):
                answer = phone.browser.ask(method, path, item.body, RETURNED)
                if answer.status != 503:
                    self.checks.wrong.append(f"The first computer, back, answers {answer}")

    def verify(self) -> None:
        """Run `manage.py verify`."""
        verified = verify(self.serving.data)
        self.checks.wrong += [] if verified.startswith("0 ") else [verified]

    def report(self) -> Iterator[str]:
        """Yield what befell requests, and the times."""
        for what, taken in self.seconds.items():
            median = statistics.median(taken)
            yield f"{what}: {median:.1f} s, at most {max(taken):.1f} s ({len(taken)})"
        yield f"connections through the lossy link: {dict(self.link.befell)}"
        statuses = sum((phone.statuses for phone in self.phones), Counter[int]())
        yield f"answers to writes of phones, 0 without one: {dict(sorted(statuses.items()))}"


def keep_in_own_mounts() -> None:
    """Start this program again where it may mount small disks, which end with it."""
    if IN_OWN_MOUNTS in os.environ:
        return
    alone = in_own_mounts()
    tried = [*alone, "sh", "-c", "mount -t tmpfs tmpfs /mnt && umount /mnt"]
    done = subprocess.run(tried, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        sys.exit(f"No small disk can be mounted here, so that it could be full: {done.stderr}")
    program = [*alone, sys.executable, *sys.argv]
    os.execvpe(program[0], program, os.environ | {IN_OWN_MOUNTS: "1"})  # noqa: S606


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=340)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=15, help="no round begins after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--haste", type=float, default=4, help="divides the delays of phones")
    asked = parser.parse_args()
    keep_in_own_mounts()
    begun, shown, bad = time.monotonic(), 0, Counter[str]()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with (
        tempfile.TemporaryDirectory(prefix="makiyaku-soak-") as folder,
        lossy_proxy(PORT, asked.seed, HOST) as proxy,
    ):
        day = Day(Path(folder), asked.seed, proxy.port)
        wrong = day.checks.wrong
        try:
            rounds = rounds_of(asked.kills)
            day.begin(asked.players, rounds, asked.seed, asked.haste)
            print(f"| round | what befell | {' | '.join(COLUMNS)} |", flush=True)
            for played in planned(asked.kills, day.dice):
                if time.monotonic() - begun > 60 * asked.minutes:
                    print(f"{asked.minutes:g} minutes are over: the day ends here.")
                    break
                day.play(played)
                if played.number == rounds:
                    day.verify()
                found = " | ".join(str(day.counts[each]) for each in COLUMNS)
                print(f"| {played.session}.{played.number} | {played} | {found} |", flush=True)
                bad.update({each: day.counts[each] for each in COLUMNS[1:]})
                for fault in wrong[shown:]:
                    print(fault, flush=True)
                shown = len(wrong)
            day.changed("close")
            day.verify()
            wrong += [fault for phone in day.phones for fault in phone.faults]
        except BaseException:
            print(day.serving.log()[-3000:])
            raise
        finally:
            for computer in day.computers:
                computer.remove()
            day.checks.verifier.kill()
    for line in [*day.report(), f"requests through the lossy proxy: {dict(proxy.befell)}"]:
        print(line)
    print(f"{time.monotonic() - begun:.0f} s")
    print("\n".join(wrong or ["Nothing is lost, doubled or elsewhere."]))
    return int(bool(wrong) or any(bad.values()))


if __name__ == "__main__":
    raise SystemExit(main())
