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
from tournaments.demo.simulation import Mistake, Strengths, wrong_count, wrong_kankei
from tournaments.demo.tables import Table
from tournaments.models import Session, Tournament
from tournaments.services import automatic_backups, entries, seating, tournaments
from tournaments.services.publications import publish, show_live

DEMO = Actor(None, THE_DEMO)


class EventPlan(NamedTuple):
    """What to create; `tables` are the numbers of players at each table."""

    slug: str
    rule_set: str
    name: str
    venue: str
    days_ago: int
    tables: tuple[int, ...]
    people: Callable[[Random, int], list[dict[str, str]]] = tsugaru_people
    rounds: int | None = 10


TODAY = EventPlan(
    "demo-goshogawara",
    "goninkan-association",
    "第31回 五所川原りんご杯ゴニンカン大会",
    "いろは会館 大広間",
    0,
    (6,) * 10,
)

PAST = (
    EventPlan(
        "demo-goninkan",
        "goninkan-classic",
        "弘前ひいらぎ同好会 ゴニンカン月例会",
        "ひいらぎ集会所",
        8,
        (5, 5),
    ),
    EventPlan(
        "demo-nakayoshi",
        "goninkan-nakayoshi",
        "なかよしルールで遊ぶゴニンカンの夕べ",
        "つがる夕陽荘",
        15,
        (5, 6),
    ),
    EventPlan("demo-damarikan", "damarikan", "板柳だまりかん名人戦", "ふじの里 和室", 22, (4, 4)),
    EventPlan(
        "demo-yoninkan", "yoninkan", "黒石こみせヨニンカン夜会", "こみせ茶屋 二階", 36, (4, 4)
    ),
    EventPlan(
        "demo-gong-zhu",
        "gong-zhu",
        "春风茶馆拱猪友谊赛",
        "春风茶馆",
        43,
        (4, 4),
        people=chinese_people,
        rounds=None,
    ),
    EventPlan(
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

# Rounds played so far at each table of today's second session; one table is within a round.
ROUNDS_SO_FAR = (6, 5, 5, 5, 4, 6, 5, 3, 5, 4)
IN_A_ROUND = 4

# The table that ran out of time in the last round of the first session.
OUT_OF_TIME = 8

# Mistakes that are recorded and then corrected, by session and table.
MISTAKES = {
    (1, 2): Mistake(4, wrong_kankei, "関係組の名前を取りちがえた(卓全員で確認)"),
    (1, 5): Mistake(9, wrong_count, "絵札の数えちがい"),
    (1, 9): Mistake(2, wrong_kankei, "用紙と照合:関係組の丸の付け間違い"),
    (2, 1): Mistake(3, wrong_count, "配り役の申し出により枚数を訂正"),
}


def exists() -> bool:
    """Return whether the demo has been created before."""
    return Tournament.objects.filter(slug=TODAY.slug).exists()


@transaction.atomic
def make(seed: int) -> list[Tournament]:
    """Create every event, in one transaction."""
    rng = Random(seed)  # noqa: S311  the demo is reproducible
    with automatic_backups.disabled():
        return [make_today(rng), *(make_past(rng, event) for event in PAST)]


def make_today(rng: Random) -> Tournament:
    """Create today's tournament: one session is finished, the second is being played."""
    tournament = create_event(rng, TODAY)
    strengths, director = strengths_in(rng, tournament), first_director()
    for session, rounds in ((1, (10,) * len(TODAY.tables)), (2, ROUNDS_SO_FAR)):
        sittings = draw_seats(rng, tournament, TODAY.tables).sittings.all()
        for sitting, count in zip(sittings, rounds, strict=True):
            table, place = Table(rng, sitting, strengths), (session, sitting.number)
            mistakes = [MISTAKES[place]] if place in MISTAKES else []
            out_of_time = place == (1, OUT_OF_TIME)
            table.play(count - 1 if out_of_time else count, mistakes)
            if out_of_time or place == (2, IN_A_ROUND):
                table.begin_round(cut_off=out_of_time)
            for mistake in mistakes:
                table.correct(mistake, director)
    return tournament


def make_past(rng: Random, event: EventPlan) -> Tournament:
    """Create a finished and published event of the past weeks."""
    tournament = create_event(rng, event)
    strengths = strengths_in(rng, tournament)
    for sitting in draw_seats(rng, tournament, event.tables).sittings.all():
        Table(rng, sitting, strengths).play_to_end()
    publish(tournament, by=DEMO)
    return tournament


def create_event(rng: Random, event: EventPlan) -> Tournament:
    """Create an event that everybody can see, with its players."""
    tournament = Tournament(
        slug=event.slug,
        name=event.name,
        venue=event.venue,
        held_on=timezone.localdate() - timedelta(days=event.days_ago),
        rounds_per_session=event.rounds,
    )
    rules = scoring.choose(scoring.get_rule_set(event.rule_set))
    tournaments.create_tournament(tournament, rules, by=DEMO)
    entries.add_entries(tournament, event.people(rng, sum(event.tables)), by=DEMO)
    show_live(tournament, by=DEMO)
    return tournament


def strengths_in(rng: Random, tournament: Tournament) -> Strengths:
    """Return a random strength for each player."""
    return {entry.key: rng.lognormvariate(0, 0.3) for entry in tournament.entries.all()}


def draw_seats(rng: Random, tournament: Tournament, tables: Sequence[int]) -> Session:
    """Seat everybody at random in the next session."""
    drawn = list(tournament.entries.all())
    rng.shuffle(drawn)
    waiting = iter(drawn)
    seats = [[next(waiting) for _ in range(n)] for n in tables]
    return seating.open_session(tournament, seats, by=DEMO)


def first_director() -> Actor:
    """Return the author of corrections: the first superuser, or the demo itself."""
    user = User.objects.filter(is_superuser=True).order_by("pk").first()
    return Actor.of(user) if user else DEMO
