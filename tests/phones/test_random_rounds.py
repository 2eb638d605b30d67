"""Random rounds one after the other on one page, by what a person sees and taps.

What is stored is what was meant, and nothing of a round shows in the next one.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import scoring
from scoring.game import Game
from scoring.kankei import KankeiGame, Verdict
from scoring.variants.gong_zhu import EXPOSABLE
from tests import cast
from tests.phones.conftest import MakePhone, Phone
from tournaments.game_kinds import SimulatedTable, kind_of
from tournaments.games.kankei.deals import successful_declarations, usual_results
from tournaments.games.kankei.simulation import wrong_count
from tournaments.models import Sitting
from tournaments.queries.sheets import sheet_of

SEED = 692  # four rounds with a failed declaration whose counts are typed, and one that succeeds
FACE_CARD_GAMES = [
    each.slug for each in scoring.RULE_SETS if isinstance(scoring.choose(each).game, KankeiGame)
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("slug", "count", "seed", "has_slips"),
    [
        ("goninkan-association", 4, SEED, False),
        ("goninkan-nakayoshi", 4, 2, True),
        ("damarikan", 4, 3, True),
        ("yoninkan", 4, 4, True),
        ("gong-zhu", 3, 5, True),
        ("gouji", 3, 6, False),
    ],
)
def test_what_is_tapped_is_what_is_stored(
    make_phone: MakePhone, slug: str, count: int, seed: int, has_slips: bool
) -> None:
    """Without slips, a round also takes as many taps as `taps_of` counts."""
    sitting = cast.make_sitting(cast.make_tournament(slug, accepting="same"))
    game = sitting.session.tournament.rules.game
    phone = make_phone(sitting)
    dice = Random(seed) if has_slips else None  # noqa: S311  repeatable
    meant = rounds_played(seed, slug, tuple(cast.keys(sitting)))[:count]
    for number, played in enumerate(meant, 1):
        taps = tap_round(phone, sitting, played, dice) + 1
        phone.save()
        if number < 10:
            phone.take_phone()
            taps += 1
        phone.page.locator("[data-do=accept]").click()
        phone.expect_unsent(0)
        if isinstance(game, KankeiGame) and not has_slips:
            assert taps + 1 == taps_of(game, played, number)
    recorded = sheet_of(sitting).record.rounds
    assert [tapped(each, game) for each in recorded] == [tapped(each, game) for each in meant]
    assert phone.page_errors == []


def rounds_played(seed: int, slug: str, players: tuple[str, ...]) -> list[Any]:
    """Return the ten rounds of a table, as they are played."""
    rules = scoring.choose(scoring.get_rule_set(slug))
    table = SimulatedTable(players, dict.fromkeys(players, 1.0), 10)
    dice, rounds = Random(seed), list[Any]()  # noqa: S311  repeatable
    for _number in range(10):
        rounds.append(kind_of(rules.game).simulate(dice, rules.game, rounds, table))
    return rounds


def tapped(played: Any, game: Game) -> Any:
    """Return a round's facts without what is not tapped: trumps, and the order of the kankei."""
    if not isinstance(played, scoring.Round):
        return kind_of(game).as_recorded(played)
    deals = tuple(deal._replace(trump=None) for deal in played.deals)
    return played._replace(deals=deals, kankei=tuple(sorted(played.kankei)))


def tap_round(phone: Phone, sitting: Sitting, played: Any, slips: Random | None) -> int:
    """Fill in a round as it was played, perhaps with slips; return the number of taps and keys."""
    expect(phone.page.locator("#panel-form")).to_be_visible()
    match played:
        case scoring.Round():
            taps = tap_seats(phone.page, played)
            for number in range(1, len(played.deals) + 1):
                if slips and slips.random() < 0.3:
                    taps += tap_wrong_counts(phone, sitting, played, number, slips)
                deal = played.deals[number - 1]
                taps += phone.count(number, deal.kankei, deal.mukankei, deal.declaration or "")
            return taps
        case scoring.Captures():
            return tap_cards(phone.page, played, slips)
        case _:
            for player in played.order[:-1]:  # the last is who is left
                phone.page.locator(f".tap-player[data-player='{player}']").click()
            return len(played.order) - 1


def tap_seats(page: Page, played: scoring.Round) -> int:
    """Tap the dealer, if the page asks, and the kankei; return the number of taps."""
    players = list(played.kankei)
    if page.locator("[data-asks=dealer]").is_visible():
        players.insert(0, str(played.dealer))
    for player in players:
        page.locator(f".ring .seat:has(input[value='{player}'])").click()
    return len(players)


def tap_wrong_counts(
    phone: Phone, sitting: Sitting, played: scoring.Round, number: int, slips: Random
) -> int:
    """Fill in other counts with which the same side wins this deal; return the number of taps."""
    rules, played = sitting.session.tournament.rules, played._replace(deals=played.deals[:number])
    wrong = wrong_count(slips, rules, played, cast.keys(sitting)).deals[-1]
    return phone.count(number, wrong.kankei, wrong.mukankei)


def tap_cards(page: Page, played: scoring.Captures, slips: Random | None) -> int:
    """Tap who took which cards, then perhaps one more card; return the number of taps."""
    expect(page.locator("[data-card][aria-pressed=true]")).to_have_count(0)
    tapped = [f".exposure:has(input[value='{card}'])" for card in sorted(played.exposed)]
    for player, cards in played.captured.items():
        tapped += [f"[data-card='{card}']" for card in sorted(cards)]
        tapped += [f"[data-taker-button='{player}']"] if cards else []
    tapped += [f"[data-card='{slips.choice(sorted(EXPOSABLE))}']"] if slips else []
    for each in tapped:
        page.locator(each).click()
    return len(tapped)


# How many taps a round takes: to mark, count and save it, to pass the phone on and to accept it


def taps_of(game: KankeiGame, played: scoring.Round, number: int) -> int:
    """Return the taps and keys of a table's round of this number, of ten."""
    deals_taps = sum(deal_taps(game, at, deal) for at, deal in enumerate(played.deals, 1))
    return 4 + (number == 1) + (number < 10) + deals_taps


def deal_taps(game: KankeiGame, number: int, deal: scoring.Deal) -> int:
    """Return the taps and keys of a deal: its result, or its counts typed, and a declaration."""
    counts, results = deal[:2], usual_results(game, number)
    targets = game.targets[number]
    with_fewer = [
        (targets[0], deal.mukankei) if deal.kankei - targets[0] in {1, 2} else counts,
        (deal.kankei, targets[1]) if deal.mukankei - targets[1] in {1, 2} else counts,
    ]
    has_result = counts in results or any(each in results for each in with_fewer)
    typed = 2 + len(f"{deal.kankei}{deal.mukankei}")  # to open the counters, and for the next field
    taps = 1 + (counts not in results) if has_result else typed
    if not deal.declaration:
        return taps
    is_shown = not has_result or deal.declaration in successful_declarations(game, number, counts)
    return taps + (1 if is_shown else 3)  # opens the deal and the counters


@pytest.mark.parametrize("slug", FACE_CARD_GAMES)
def test_rounds_take_few_taps(slug: str) -> None:
    """In the mean of 300 tables at most eight, with acceptance; a failed declaration six."""
    rule_set = scoring.get_rule_set(slug)
    game = scoring.choose(rule_set).game
    assert isinstance(game, KankeiGame)
    players = tuple("ABCDEF"[: max(rule_set.players)])
    taps, most = [], 0
    for seed in range(300):
        for number, played in enumerate(rounds_played(seed, slug, players), 1):
            taps.append(taps_of(game, played, number))
            for at, deal in enumerate(played.deals, 1):
                verdict = game.verdict(at, *deal[:3])
                if isinstance(verdict, Verdict) and verdict.outcome.endswith("_missed"):
                    most = max(most, deal_taps(game, at, deal))
    assert sum(taps) / len(taps) <= 8
    assert most <= 6
