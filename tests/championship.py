"""A scripted championship of 340 players, run over the HTTP API as a director's program would.

Two divisions, 68 teams of five, four sessions and a final of 36 to which half of the points are
carried: with late players, withdrawals, substitutes, a seat exchanged late and penalties. The same
seed gives the same event.
"""

from __future__ import annotations

from random import Random
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.api import Program, json_of
from tournaments.demo.simulation import Company, as_json, play_round
from tournaments.models import Sitting, Tournament

PLAYERS, DIVISIONS = 340, ("有段者", "一般")
SESSIONS = 5  # the final is the last
LATE = range(20, 260, 20)
WITHDRAWN = {2: (320, 321, 322), 3: (330, 331, 332), 4: (335, 336, 337)}
REPLACED = {2: (41, 61), 3: (42, 62)}
PENALISED = (101, 102, 103)
FINALISTS = {"有段者": 24, "一般": 12}


class Championship:
    """The event while it runs; every step is a request that a director's program sends."""

    def __init__(self, director: Program, browser: Client, seed: int) -> None:
        """Create the event."""
        self.director = director
        self.browser = browser
        self.seed = seed
        self.rng = Random(seed)  # noqa: S311  simulated rounds
        self.keys = 0
        created = self.post(
            "/api/tournaments",
            {
                "name": "ゴニンカン世界選手権",
                "rule_set": "goninkan-association",
                "rounds_per_session": 1,
                "sessions_planned": SESSIONS,
            },
        )
        self.slug = created["slug"]
        self.finalists: list[int] = []
        self.seats: list[list[list[int]]] = []

    @property
    def tournament(self) -> Tournament:
        """Return the event as it is stored."""
        return Tournament.objects.get(slug=self.slug)

    def base(self) -> str:
        """Return the event's address in the API."""
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
        """Return the document of a response that stored something."""
        assert response.status_code in {200, 201}, response.content.decode()
        return json_of(response)

    def import_players(self) -> None:
        """Import the list of players from a CSV file."""
        lines = ["氏名,フリガナ,所属,クラス,チーム"]
        for number in range(PLAYERS):
            division = DIVISIONS[number % 2]
            club = f"{number * 7 % 40 + 1:02} 同好会"
            lines.append(f"選手 {number + 1:03},センシュ,{club},{division},第{number // 5 + 1}組")
        file = SimpleUploadedFile("players.csv", "\n".join(lines).encode(), "text/csv")
        response = self.director.client.post(
            f"{self.base()}/entries/import",
            {"file": file},
            headers={"Authorization": f"Bearer {self.director.token}"},
        )
        assert len(self.answer(response)["entries"]) == PLAYERS

    def mark(self, session: int, number: int, status: str) -> None:
        """Mark a player in the roll call of a session."""
        address = f"{self.base()}/sessions/{session}/presence"
        seen = self.director.get(address)["statuses"][str(number)]
        self.put(f"{address}/{number}", {"status": status, "seen": seen})

    def seat(self, session: int) -> list[list[int]]:
        """Draw and open a session; return the numbers of the players at each table."""
        body = {
            "number": session,
            "method": "fewest_repeats",
            "separate_clubs": True,
            "seed": self.seed + session,
            "pins": False,
        }
        seated = self.post(f"{self.base()}/sessions", body)
        tables = [[seat["number"] for seat in each["seats"]] for each in seated["sittings"]]
        self.seats.append(tables)
        return tables

    def play(self, session: int) -> None:
        """Record every round of a session, and end it."""
        sittings = Sitting.objects.filter(
            session__tournament__slug=self.slug, session__number=session
        )
        rules = self.tournament.rules
        for sitting in sittings.order_by("number"):
            players = tuple(
                str(number)
                for number in sitting.seats.order_by("position").values_list(
                    "entry__number", flat=True
                )
            )
            strengths = {player: 1 + int(player) % 7 / 10 for player in players}
            facts = play_round(self.rng, rules, [], Company(players, strengths, 1))
            self.put(f"/api/sittings/{sitting.pk}/rounds/1", {"facts": as_json(facts), "seen": 0})
        self.post(f"{self.base()}/sessions/{session}/end", {"stopping": []})

    def substitute(self, session: int, number: int) -> None:
        """Let somebody new play in the stead of a player who is absent from a session."""
        self.mark(session, number, "absent")
        person = {"name": f"代打 {number}", "reading": "ダイダ"}
        path = f"{self.base()}/sessions/{session}/substitutes/{number}"
        self.put(path, {"person": person, "reason": "急用"})

    def deduct(self, number: int, player: int, points: int) -> None:
        """Deduct points from a player, as the adjustment of this number."""
        body = {"number": number, "player": player, "points": -points, "reason": "遅刻"}
        self.post(f"{self.base()}/adjustments", body)

    def choose_ranking(self) -> None:
        """Choose the tie-breaks, and what a missed session and a withdrawal mean."""
        self.put(
            f"{self.base()}/ranking",
            {
                "tie_breaks": ["points", "rounds_won", "skunks", "best_round"],
                "withdrawn": "listed",
                "missed": "own_average",
                "substitutes": "place",
                "seen": 0,
            },
        )

    def confirm_final(self) -> list[int]:
        """Plan a final of the first of each division, and confirm who goes on; return them."""
        path = f"{self.base()}/stages/2"
        plan = {
            "name": "決勝",
            "quotas": [
                {"group": "", "division": division, "places": places}
                for division, places in FINALISTS.items()
            ],
            "carry": "half",
            "at_line": "lot",
            "seed": self.seed,
            "seen": 0,
        }
        self.put(path, plan)
        going_on = self.director.get(path)["going_on"]
        self.post(f"{path}/confirm", {"members": going_on})
        return [number for group in going_on for number in group["players"]]

    def exchange(self, session: int, one: int, other: int) -> None:
        """Exchange two players of a session on its page, with what was recorded for them."""
        address = reverse("exchange-players", args=[self.slug, session])
        typed = {"one": one, "other": other, "reason": "席の取り違え"}
        stamp = self.browser.post(address, typed).context["planned"].stamp
        answer = self.browser.post(address, {**typed, "seen": stamp, "confirm": "yes"})
        assert answer.status_code == 302

    def run(self) -> None:
        """Run the event from the list of players to the end of the final."""
        self.import_players()
        self.choose_ranking()
        for number in LATE:
            self.mark(1, number, "late")
        for session in range(1, SESSIONS):
            for number in WITHDRAWN.get(session, ()):
                self.mark(session, number, "withdrawn")
            for number in REPLACED.get(session, ()):
                self.substitute(session, number)
            tables = self.seat(session)
            self.play(session)
            if session == 3:
                self.exchange(session, tables[0][0], tables[1][0])
        for number, player in enumerate(PENALISED, 1):
            self.deduct(number, player, points=number)
        self.finalists = self.confirm_final()
        self.seat(SESSIONS)
        self.play(SESSIONS)
