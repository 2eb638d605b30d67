"""A scripted championship of 340 players, run over the HTTP API as a director's program would.

Two divisions, 68 teams of five, four sessions and a final of 36 to which half of the points are
carried: with late players, withdrawals, substitutes, a seat exchanged late, penalties and a tie at
the line. The same seed gives the same event. `championship_in_browser` runs it by its pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

import scoring
from tests.api import Program, json_of
from tournaments.game_kinds import SimulatedTable, kind_of
from tournaments.models import Tournament

SEED = 11  # with it, three share the last two places that go on to the final
NAME, RULES = "ゴニンカン世界選手権", "goninkan-association"
PLAYERS, TEAM, DIVISIONS = 340, 5, ("有段者", "一般")
SESSIONS = 5  # the final is the last
LATE = range(20, 260, 20)
WITHDRAWN = {2: (320, 321, 322), 3: (330, 331, 332), 4: (335, 336, 337)}
REPLACED = {2: (41, 61), 3: (42, 62)}
WRONG_SEATS_IN = 3
PENALISED = (101, 102, 103)
FINALISTS = {"有段者": 24, "一般": 12}
TIE_BREAKS = ("points", "rounds_won", "skunks", "best_round")


def list_of_players() -> str:
    """Return the list of players as a CSV file."""
    lines = ["氏名,フリガナ,所属,クラス,チーム"]
    for number in range(PLAYERS):
        division = DIVISIONS[number % 2]
        club = f"{number * 7 % 40 + 1:02} 同好会"
        lines.append(f"選手 {number + 1:03},センシュ,{club},{division},第{number // TEAM + 1}組")
    return "\n".join(lines)


class Championship:
    """The event while it runs; every step is a request that a director's program sends."""

    def __init__(self, director: Program, seed: int) -> None:
        self.director = director
        self.seed = seed
        self.rng = Random(seed)  # noqa: S311  simulated rounds
        self.rules = scoring.choose(scoring.get_rule_set(RULES))
        self.keys = 0
        self.slug = ""
        self.at_line: list[int] = []  # who was chosen of those tied there
        self.finalists: list[int] = []
        self.seats: list[list[list[int]]] = []

    @property
    def tournament(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    def base(self) -> str:
        return f"/api/tournaments/{self.slug}"

    def post(self, path: str, body: Any = None) -> Any:
        """Send POST; return the answer, which has to be 2xx."""
        return self.answer(self.director.post(path, body))

    def put(self, path: str, body: Any) -> Any:
        """Send PUT under a key of its own; return the answer, which has to be 2xx."""
        self.keys += 1
        return self.answer(self.director.put(path, body, key=f"{self.slug} {self.keys}"))

    @staticmethod
    def answer(response: Any) -> Any:
        assert response.status_code in {200, 201}, response.content.decode()
        return json_of(response)

    def create(self) -> str:
        described = {
            "name": NAME,
            "rule_set": RULES,
            "rounds_per_session": 1,
            "sessions_planned": SESSIONS - 1,
        }
        return str(self.post("/api/tournaments", described)["slug"])

    def import_players(self) -> None:
        """Import the list of players from a CSV file."""
        file = SimpleUploadedFile("players.csv", list_of_players().encode(), "text/csv")
        response = self.director.client.post(
            f"{self.base()}/entries/import",
            {"file": file},
            headers={"Authorization": f"Bearer {self.director.token}"},
        )
        assert len(self.answer(response)["entries"]) == PLAYERS

    def mark(self, session: int, numbers: Iterable[int], status: str) -> None:
        address = f"{self.base()}/sessions/{session}/presence"
        statuses = self.director.get(address)["statuses"]
        for number in numbers:
            seen = statuses[str(number)]
            self.put(f"{address}/{number}", {"status": status, "seen": seen})

    def seat(self, session: int) -> None:
        """Draw and open a session, teammates at different tables."""
        body = {
            "number": session,
            "method": "fewest_repeats",
            "separate_clubs": True,
            "apart": [[*range(one, one + TEAM)] for one in range(1, PLAYERS, TEAM)],
            "seed": self.seed + session,
            "pins": False,
        }
        self.post(f"{self.base()}/sessions", body)

    def sittings(self, session: int) -> list[dict[str, Any]]:
        """Return the tables of a session with the numbers of their players, in seat order."""
        listed = self.director.get(f"{self.base()}/sessions")["sessions"]
        tables: list[dict[str, Any]] = listed[session - 1]["sittings"]
        return [
            table | {"players": [seat["number"] for seat in table["seats"]]} for table in tables
        ]

    def play(self, sittings: Iterable[dict[str, Any]]) -> None:
        for sitting in sittings:
            players = tuple(map(str, sitting["players"]))
            strengths = {player: 1 + int(player) % 7 / 10 for player in players}
            kind, table = kind_of(self.rules.game), SimulatedTable(players, strengths, 1)
            facts = kind.simulate(self.rng, self.rules.game, [], table)
            self.record(sitting, {"facts": kind.as_recorded(facts)[-1], "seen": 0})

    def record(self, sitting: dict[str, Any], body: dict[str, Any]) -> None:
        """Record the first round of a table."""
        self.put(f"/api/sittings/{sitting['id']}/rounds/1", body)

    def end(self, session: int) -> None:
        self.post(f"{self.base()}/sessions/{session}/end", {"stopping": []})

    def substitute(self, session: int, number: int) -> None:
        """Let a new player substitute for a player who is absent from a session."""
        self.mark(session, [number], "absent")
        person = {"name": f"代理 {number}", "reading": "ダイダ"}
        path = f"{self.base()}/sessions/{session}/substitutes/{number}"
        self.put(path, {"person": person, "reason": "急用"})

    def deduct(self, number: int, player: int, points: int) -> None:
        body = {"number": number, "player": player, "points": -points, "reason": "遅刻"}
        self.post(f"{self.base()}/adjustments", body)

    def choose_ranking(self) -> None:
        """Also sets what a missed session and a withdrawal mean."""
        self.put(
            f"{self.base()}/ranking",
            {
                "tie_breaks": TIE_BREAKS,
                "withdrawn": "listed",
                "missed": "own_average",
                "substitutes": "place",
                "seen": 0,
            },
        )

    def plan_final(self) -> None:
        plan = {
            "name": "決勝",
            "quotas": [
                {"group": "", "division": division, "places": places}
                for division, places in FINALISTS.items()
            ],
            "carry": "half",
            "at_line": "open",
            "seen": 0,
        }
        self.put(f"{self.base()}/stages/2", plan)

    def going_on(self, decided: Iterable[int]) -> Any:
        """Return who goes on to the final, with those chosen of who is tied at the line."""
        chosen = ",".join(map(str, decided))
        return self.director.get(f"{self.base()}/stages/2?decided={chosen}")

    def decided_at_line(self) -> list[int]:
        """Return who goes on of those tied at the line: the lowest numbers."""
        decided: list[int] = []
        while tie := self.going_on(decided)["tie"]:
            decided += sorted(tie["players"])[: tie["places"]]
        return decided

    def confirm_final(self) -> None:
        self.at_line = self.decided_at_line()
        members = self.going_on(self.at_line)["going_on"]
        body = {"members": members, "decided": self.at_line, "reason": "抽選"}
        self.post(f"{self.base()}/stages/2/confirm", body)

    def exchange(self, session: int, one: int, other: int) -> None:
        """Exchange two players of a session, with what was recorded for them."""
        path = f"{self.base()}/sessions/{session}/exchange"
        seen = self.director.get(f"{path}?one={one}&other={other}")["seen"]
        self.post(path, {"one": one, "other": other, "seen": seen, "reason": "席の取り違え"})

    def run_session(self, session: int) -> None:
        for number in REPLACED.get(session, ()):
            self.substitute(session, number)
        self.seat(session)
        sittings = self.sittings(session)
        self.seats.append([sitting["players"] for sitting in sittings])
        self.play(sittings)
        self.end(session)
        if session == WRONG_SEATS_IN:
            self.exchange(session, sittings[0]["players"][0], sittings[1]["players"][0])

    def run(self) -> None:
        """Run the event from the list of players to the end of the final."""
        self.slug = self.create()
        self.import_players()
        self.choose_ranking()
        self.plan_final()
        self.mark(1, LATE, "late")
        for session in range(1, SESSIONS):
            self.mark(session, WITHDRAWN.get(session, ()), "withdrawn")
            self.run_session(session)
        for number, player in enumerate(PENALISED, 1):
            self.deduct(number, player, points=number)
        self.confirm_final()
        [stage] = self.director.get(f"{self.base()}/stages")["stages"]
        self.finalists = [number for group in stage["members"] for number in group["players"]]
        replaced = {number for numbers in REPLACED.values() for number in numbers}
        self.mark(SESSIONS, sorted(replaced & {*self.finalists}), "present")  # they are back
        self.run_session(SESSIONS)
