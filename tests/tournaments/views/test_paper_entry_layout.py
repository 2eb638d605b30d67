"""The page to type in a paper sheet: its layout, its preview and its keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

import scoring
from tests import cast
from tests.markup import tight
from tests.tournaments.paper_entry.sheets import TEN, address, typed
from tournaments.game_kinds import kind_of
from tournaments.models import Round, Sitting
from tournaments.paper_entry.typed_sheets import read_sheet
from tournaments.queries.sheets import sheet_of


def log_in(page: Page, live_server: LiveServer, sitting: Sitting) -> None:
    cast.make_staff(sitting.session.tournament, "keeper")
    page.goto(f"{live_server.url}{reverse('log-in')}?next={address(sitting)}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.keyboard.press("Enter")
    expect(page.locator("[name=rounds]")).to_be_focused()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("rule_set", "players"),
    [
        (rule_set.slug, players)
        for rule_set in scoring.RULE_SETS
        if scoring.choose(rule_set).game.kind == "kankei"
        for players in rule_set.players
    ],
)
def test_example_line_is_legal(db: None, rule_set: str, players: int) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set), players)
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    example = keeper.get(address(sitting)).context["example"]
    assert example.startswith("1 ") == sheet_of(sitting).rules.game.has_dealers  # type: ignore[attr-defined]
    assert f"<code>{example}</code>" in keeper.get(address(sitting)).text
    [line] = read_sheet(sheet_of(sitting), example).lines
    assert line.problems == ()
    assert line.played is not None
    assert line.played.score.complete


def test_errors_name_the_round(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    said = scorekeeper.post(address(sitting), typed("1 24 5")).text
    assert ">Round 1: " in tight(said)
    assert "line by line:" not in said


@pytest.mark.parametrize("width", [1024, 1280])
def test_six_players_and_their_points_fit_the_desk(
    page: Page, live_server: LiveServer, width: int
) -> None:
    found = cast.make_sitting(cast.make_tournament())
    log_in(page, live_server, found)
    page.set_viewport_size({"width": width, "height": 800})
    page.fill("[name=rounds]", TEN)
    expect(page.locator("#paper-ledger tr[data-line]")).to_have_count(10)
    box = page.locator("#paper-ledger .table-scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_a_phone_shows_what_a_line_says_and_all_its_points(
    page: Page, live_server: LiveServer
) -> None:
    found = cast.make_sitting(cast.make_tournament())
    log_in(page, live_server, found)
    page.set_viewport_size({"width": 360, "height": 740})
    page.fill("[name=rounds]", TEN + "\n99 99")
    expect(page.locator("#paper-ledger tr[data-line]")).to_have_count(11)
    box = page.locator("#paper-ledger .table-scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    session = page.locator("h1 small > .nowrap").first
    assert session.evaluate("each => each.getClientRects().length") == 1  # 第2回戦 is not broken
    cells = page.locator("#paper-ledger tr[data-line] .num")
    assert (
        max(cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")) <= 360
    )


OUTSIDE = """cells => cells.filter(cell => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const { left, right, width } = words.getBoundingClientRect(), box = cell.getBoundingClientRect();
  return width && (left < box.left - 1 || right > box.right + 1);
}).map(cell => cell.innerText)"""


@pytest.mark.parametrize(
    ("rule_set", "rounds"),
    [("goninkan-classic", 30), ("yoninkan", 30), ("gong-zhu", 5), ("gouji", 30)],
)
def test_large_totals_fit_their_columns(
    page: Page, live_server: LiveServer, rule_set: str, rounds: int
) -> None:
    found = cast.make_sitting(cast.make_tournament(rule_set, rounds_per_session=None))
    log_in(page, live_server, found)
    sheet = sheet_of(found)
    game = sheet.rules.game
    example = kind_of(game).shorthand_help(game, len(sheet.players))["example"]
    page.fill("[name=rounds]", "\n".join([example] * rounds))
    expect(page.locator("#paper-ledger tr[data-line]")).to_have_count(rounds)
    totals = page.locator("#paper-ledger tfoot tr").first.locator(".points")
    assert max(len(total.strip()) for total in totals.all_inner_texts()) >= 4  # such as +360
    box = page.locator("#paper-ledger .table-scroll")
    for width in (360, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert box.locator("tbody :is(th, td), tfoot td, thead .num").evaluate_all(OUTSIDE) == []
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0, width


IN_SIGHT = """each => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_the_save_bar_covers_neither_totals_nor_help(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    log_in(page, live_server, sitting)
    page.fill("[name=rounds]", TEN)
    expect(page.locator("#paper-ledger tr[data-line]")).to_have_count(10)
    labels = page.locator(".paper-totals :is(legend, label, input)")
    assert labels.evaluate_all(f"all => all.map({IN_SIGHT})") == [True] * 13
    edges = "each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]"
    [_left, right_of_help] = page.locator(".paper-key").evaluate(edges)
    [left_of_bar, _right] = page.locator(".paper-form > .actions").evaluate(edges)
    assert right_of_help <= left_of_bar


@pytest.mark.parametrize("players", ["1", "6", "123456"])
def test_refused_totals_and_that_nothing_is_saved_are_both_in_sight(
    page: Page, live_server: LiveServer, sitting: Sitting, players: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    log_in(page, live_server, sitting)
    page.fill("[name=rounds]", TEN)
    for player in players:
        page.fill(f"[name=total_{player}]", "99")
    page.locator("[name=rounds]").press("Control+Enter")
    expect(page.locator(".error-summary li")).to_have_count(len(players))
    expect(page.locator(f"[name=total_{players[0]}]")).to_be_focused()
    for each in (":focus", ".actions > .error", "#save"):
        expect(page.locator(each)).to_be_in_viewport()
        assert page.locator(each).evaluate(IN_SIGHT), each


def test_the_preview_says_what_every_line_scores(scorekeeper: Client, sitting: Sitting) -> None:
    page = scorekeeper.post(address(sitting, "preview-sheet"), typed(TEN, total_1="5")).content
    assert page.decode().count("data-line") == 10
    assert not Round.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_sheet_of_ten_rounds_is_typed_with_the_keyboard_alone(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    """Counts the keys, for comparison with `docs/desk.md`."""
    log_in(page, live_server, sitting)
    pressed = 0

    def press(text: str) -> None:
        nonlocal pressed
        for key in text:
            page.keyboard.press({"\n": "Enter", " ": "Space"}.get(key, key))
            pressed += 1

    press(TEN + "\n\n")
    expect(page.locator("#paper-ledger tr[data-line]")).to_have_count(10)
    expect(page.locator("#paper-ledger tr[data-line='9'] .points")).to_have_count(6)
    expect(page.locator("[name=total_1]")).to_be_focused()
    rounds_alone = pressed
    totals = page.locator("#paper-ledger tfoot tr").first.locator(".points").all_inner_texts()
    for total in totals:
        press(total.replace("−", "-").replace("+", "") + "\n")
    expect(page.locator("#save")).to_be_focused()
    expect(page.locator("#paper-ledger tfoot")).to_be_in_viewport()
    expect(page.locator("#paper-ledger .icon-check")).to_have_count(6)
    press("\n")
    page.wait_for_url(f"**{sitting.get_absolute_url()}")
    assert sheet_of(sitting).is_finished
    told = (Path(settings.BASE_DIR) / "docs" / "desk.md").read_text()
    assert f"{rounds_alone} keys" in told, rounds_alone
    assert f"{pressed} keys" in told, pressed


def test_refused_sheet_scrolls_to_the_error(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    log_in(page, live_server, sitting)
    lines, box = page.locator("[name=rounds]"), page.locator(".error-summary")
    lines.fill("1 24 59\n35 5\n46 59")
    lines.press("Control+Enter")
    expect(box).to_be_visible()
    caret = "lines => lines.value.slice(0, lines.selectionStart)"
    assert lines.evaluate(caret) == "1 24 59\n35 5"
    lines.press("9")  # what the box said was of what stood there before
    expect(box).to_have_count(0)
    page.fill("[name=total_1]", page.locator("#paper-ledger tfoot .points").first.inner_text())
    page.fill("[name=total_3]", "99")
    lines.press("Control+Enter")
    expect(box.locator("li")).to_have_count(1)
    expect(page.locator("[name=total_3]")).to_be_focused()
