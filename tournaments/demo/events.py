"""The demo's events: one large tournament half played, a small finished one for each other game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

import scoring
from tournaments.audit import THE_DEMO, Actor
from tournaments.demo.people import chinese_people, tsugaru_people
from tournaments.demo.play import Slip, Strengths, kankei_mistaken, miscounted
from tournaments.demo.tables import Table
from tournaments.models import Session, Tournament
from tournaments.services import automatic_backups, entries, seating, tournaments
from tournaments.services.publications import publish, show_live

DEMO = Actor(None, THE_DEMO)


class Event(NamedTuple):
    """One event: how many days ago it was held, and how many players sit at each table."""

    slug: str
    rule_set: str
    name: str
    venue: str
    days_ago: int
    tables: tuple[int, ...]
    people: Callable[[Random, int], list[dict[str, str]]] = tsugaru_people
    rounds: int | None = 10


TODAY = Event(
    "demo-goshogawara",
    "goninkan-association",
    "第31回 五所川原りんご杯ゴニンカン大会",
    "いろは会館 大広間",
    0,
    (6,) * 10,
)

PAST = (
    Event(
        "demo-goninkan",
        "goninkan-classic",
        "弘前ひいらぎ同好会 ゴニンカン月例会",
        "ひいらぎ集会所",
        8,
        (5, 5),
    ),
    Event(
        "demo-nakayoshi",
        "goninkan-nakayoshi",
        "なかよしルールで遊ぶゴニンカンの夕べ",
        "つがる夕陽荘",
        15,
        (5, 6),
    ),
    Event("demo-damarikan", "damarikan", "板柳だまりかん名人戦", "ふじの里 和室", 22, (4, 4)),
    Event("demo-yoninkan", "yoninkan", "黒石こみせヨニンカン夜会", "こみせ茶屋 二階", 36, (4, 4)),
    Event(
        "demo-gong-zhu",
        "gong-zhu",
        "春风茶馆拱猪友谊赛",
        "春风茶馆",
        43,
        (4, 4),
        people=chinese_people,
        rounds=None,
    ),
    Event(
        "demo-gouji",
        "gouji",
        "海风杯够级擂台赛",
        "海风茶社",
        57,
        (6,),
        people=chinese_people,
        rounds=12,
    ),
)

# Today's second session: rounds each table has played so far; one of them is in a round right now.
ROUNDS_SO_FAR = (6, 5, 5, 5, 4, 6, 5, 3, 5, 4)
IN_A_ROUND = 4

# The table that ran out of time in the last round of the first session.
OUT_OF_TIME = 8

# What was put right afterwards: session, table, round.
SLIPS = {
    (1, 2): Slip(4, kankei_mistaken, "関係組の名前を取りちがえた(卓全員で確認)"),
    (1, 5): Slip(9, miscounted, "絵札の数えちがい"),
    (1, 9): Slip(2, kankei_mistaken, "用紙と照合:関係組の丸の付け間違い"),
    (2, 1): Slip(3, miscounted, "配り役の申し出により枚数を訂正"),
}


def exists() -> bool:
    """Return whether the demo has been made here before."""
    return Tournament.objects.filter(slug=TODAY.slug).exists()


@transaction.atomic
def make(seed: int) -> list[Tournament]:
    """Make every event, or none if anything goes wrong."""
    dice = Random(seed)  # noqa: S311  a demo is to be the same every time
    with automatic_backups.disabled():
        return [make_today(dice), *(make_past(dice, event) for event in PAST)]


def make_today(dice: Random) -> Tournament:
    """Make the tournament of today: one session played, the second on its way."""
    tournament = announce(dice, TODAY)
    strengths, director = strengths_in(dice, tournament), first_director()
    for session, rounds in ((1, (10,) * len(TODAY.tables)), (2, ROUNDS_SO_FAR)):
        sittings = draw_seats(dice, tournament, TODAY.tables).sittings.all()
        for sitting, count in zip(sittings, rounds, strict=True):
            table, place = Table(dice, sitting, strengths), (session, sitting.number)
            slips = [SLIPS[place]] if place in SLIPS else []
            out_of_time = place == (1, OUT_OF_TIME)
            table.play(count - 1 if out_of_time else count, slips)
            if out_of_time or place == (2, IN_A_ROUND):
                table.begin_round(cut_off=out_of_time)
            for slip in slips:
                table.put_right(slip, director)
    return tournament


def make_past(dice: Random, event: Event) -> Tournament:
    """Make an event of the past weeks, played to its end."""
    tournament = announce(dice, event)
    strengths = strengths_in(dice, tournament)
    for sitting in draw_seats(dice, tournament, event.tables).sittings.all():
        Table(dice, sitting, strengths).play_out()
    publish(tournament, by=DEMO)
    return tournament


def announce(dice: Random, event: Event) -> Tournament:
    """Create an event, for anybody to see, with its players."""
    tournament = Tournament(
        slug=event.slug,
        name=event.name,
        venue=event.venue,
        held_on=timezone.localdate() - timedelta(days=event.days_ago),
        rounds_per_session=event.rounds,
    )
    rules = scoring.choose(scoring.get_rule_set(event.rule_set))
    tournaments.create_tournament(tournament, rules, by=DEMO)
    entries.add_entries(tournament, event.people(dice, sum(event.tables)), by=DEMO)
    show_live(tournament, by=DEMO)
    return tournament


def strengths_in(dice: Random, tournament: Tournament) -> Strengths:
    """Return how well everybody plays."""
    return {entry.key: dice.lognormvariate(0, 0.3) for entry in tournament.entries.all()}


def draw_seats(dice: Random, tournament: Tournament, tables: Sequence[int]) -> Session:
    """Seat everybody at random for the next session."""
    drawn = list(tournament.entries.all())
    dice.shuffle(drawn)
    waiting = iter(drawn)
    seats = [[next(waiting) for _ in range(n)] for n in tables]
    return seating.open_session(tournament, seats, by=DEMO)


def first_director() -> Actor:
    """Return whose name stands beside the corrections: the first superuser's, if there is one."""
    user = User.objects.filter(is_superuser=True).order_by("pk").first()
    return Actor.of(user) if user else DEMO
