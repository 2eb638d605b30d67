"""Typing in paper: a sheet in shorthand, checked as it is typed, saved whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import segno
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

import scoring
from tests import cast
from tournaments import verifying
from tournaments.desk.typed_sheets import MOST_LINES, TypedSheet, read
from tournaments.facts.sheets import Sheet, sheet_of
from tournaments.forms import paper
from tournaments.forms.paper import read_points
from tournaments.models import Act, Round, Sitting, Tournament
from tournaments.paper import printing

# A sheet as it comes from a table of six: ten rounds, some of two and three deals.
TEN = """\
1 24 94 97 88
35 59
46 95 79
51 94 160* 97
26 68
13 103 97 97
52 49
35 90 87 94
64 88
15 95 79"""


@pytest.fixture
def endless(tournament: Tournament) -> Sitting:
    """A table that plays as many rounds as it likes."""
    tournament.rounds_per_session = None
    tournament.save()
    return cast.make_sitting(tournament)


def address(sitting: Sitting, name: str = "paper") -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number])


def typed(text: str, *, first: int = 1, seen: int = 0, **others: Any) -> dict[str, Any]:
    return {"rounds": text, "first": first, "seen": seen} | others


def log_in(page: Page, live_server: LiveServer, sitting: Sitting) -> None:
    """Open the sheet's page as a scorekeeper."""
    cast.make_staff(sitting.session.tournament, "keeper")
    page.goto(f"{live_server.url}{reverse('log-in')}?next={address(sitting)}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.keyboard.press("Enter")
    expect(page.locator("[name=rounds]")).to_be_focused()


def test_a_whole_sheet_is_saved_in_one_go(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed(TEN))
    assert answer.status_code == 302, answer.context["form"].errors
    assert answer["Location"] == sitting.get_absolute_url()
    sheet = sheet_of(sitting)
    assert sheet.is_finished
    assert [row.number for row in sheet.rows] == list(range(1, 11))
    assert sheet.rows[3].facts["deals"][1] == {
        "kankei": 16,
        "mukankei": 0,
        "declaration": "juroku",
    }
    # The deal goes round: each next dealer sits to the right of the one before.
    assert [row.facts["dealer"] for row in sheet.rows][:2] == ["1", "2"]
    assert Act.objects.filter(kind="round_recorded").count() == 10
    assert verifying.verify(sitting.session.tournament) == []


def test_a_chosen_trump_is_a_key_more(scorekeeper: Client, sitting: Sitting) -> None:
    """On a number pad two; it stands before or after what was declared."""
    answer = scorekeeper.post(address(sitting), typed("1 24 94 160*h 97/4\n35 59\n46 94 160k* 88"))
    assert answer.status_code == 302, answer.context["form"].errors
    first, _second, third = (row.facts["deals"] for row in sheet_of(sitting).rows)
    assert [deal.get("trump") for deal in first] == [None, "hearts", "spades"]
    assert first[1]["declaration"] == "juroku"
    assert [deal.get("trump") for deal in third] == [None, "clubs", None]


def test_the_trump_of_the_first_deal_is_the_round_s(scorekeeper: Client, sitting: Sitting) -> None:
    assert scorekeeper.post(address(sitting), typed("1 24 59k")).status_code == 302
    [row] = sheet_of(sitting).rows
    assert row.facts["trump"] == "clubs"
    assert "trump" not in row.facts["deals"][0]


def test_a_first_trump_out_of_turn_is_shown_doubted_and_taken_only_with_a_tick(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.in_english(scorekeeper)
    lines = "1 24 59h\n35 59"
    shown = scorekeeper.post(address(sitting, "preview-paper"), typed(lines)).text
    doubt = "Are hearts right in the first deal? In this round it is clubs."
    assert "suit-hearts" in shown
    assert shown.count(doubt) == 1
    answer = scorekeeper.post(address(sitting), typed(lines))
    assert answer.status_code == 422
    assert f"Round 1: {doubt}" in answer.text
    assert 'name="sure"' in answer.text
    assert not Round.objects.exists()
    assert scorekeeper.post(address(sitting), typed(lines, sure="on")).status_code == 302
    assert sheet_of(sitting).rows[0].facts["trump"] == "hearts"


def test_a_suit_told_twice_is_doubted(scorekeeper: Client, sitting: Sitting) -> None:
    for line in ("1 24 94 88hk", "1 24 94 160*j", "1 24 94 88z"):
        assert scorekeeper.post(address(sitting), typed(line)).status_code == 422
    assert not Round.objects.exists()


def test_one_wrong_line_keeps_all_of_them_out(scorekeeper: Client, sitting: Sitting) -> None:
    wrong = TEN.replace("26 68", "26 6")
    answer = scorekeeper.post(address(sitting), typed(wrong))
    assert answer.status_code == 422
    form = answer.context["form"]
    assert [line.number for line in form.typed.lines if line.problems] == [5]
    assert form["rounds"].value() == wrong
    assert not Round.objects.exists()


def test_the_deal_goes_on_past_a_line_that_cannot_be_read(
    scorekeeper: Client, sitting: Sitting
) -> None:
    wrong = TEN.replace("35 59", "3 5 59")
    right = scorekeeper.post(address(sitting), typed(TEN, check="")).context["form"].typed.lines
    lines = scorekeeper.post(address(sitting), typed(wrong)).context["form"].typed.lines
    assert [line.number for line in lines if line.problems] == [2]
    assert [line.facts["dealer"] for line in lines[2:4]] == [
        line.facts["dealer"] for line in right[2:4]
    ]


def test_every_wrong_line_says_what_is_wrong(scorekeeper: Client, sitting: Sitting) -> None:
    page = cast.in_english(scorekeeper)
    lines = ["1 24 110", "2x", "99 59", "35 99", "24 55"]
    answer = page.post(address(sitting), typed("\n".join(lines)))
    assert answer.status_code == 422
    found = [line.problems for line in answer.context["form"].typed.lines]
    assert all(found)
    assert "11-0 or 1-10" in found[0][0]
    assert "There is no seat 9" in found[2][0]


def test_a_wrong_line_says_who_deals_in_it_and_there_are_no_totals(
    scorekeeper: Client, sitting: Sitting
) -> None:
    lines = "1 24 94 97 97\n35 59\n13 97 79"
    answer = scorekeeper.post(address(sitting, "preview-paper"), typed(lines, total_1="12"))
    form, page = answer.context["form"], answer.content.decode()
    names = form.sheet.names
    line = form.typed.lines[2]
    assert line.problems
    assert (line.dealer.number, names[line.dealer.player]) == (3, names["3"])
    assert f"</span> 3 <bdi>{names['3']}</bdi>" in page
    assert {seat.points for seat in form.seats()} == {None}
    assert "icon-check" not in page
    assert "icon-error" not in page


def test_a_star_where_nothing_is_declared_says_where_it_is(
    scorekeeper: Client, sitting: Sitting
) -> None:
    answer = scorekeeper.post(address(sitting), typed("1 35 160* 88"))
    (line,) = answer.context["form"].typed.lines
    (problem,) = line.problems
    assert "じゅうろくを宣言できるのは2戦目、3戦目だけで、1戦目にはできません" in problem
    page = scorekeeper.get(address(sitting)).content.decode()
    assert "じゅうろく (2戦目、3戦目)" in page


def test_a_star_stands_for_what_these_rules_know_in_this_deal(db: None) -> None:
    found = cast.make_sitting(cast.make_tournament("yoninkan"))
    keeper = cast.browser_of(cast.make_staff(found.session.tournament, "scorekeeper"))
    line = "1 24 160*"
    (read,) = keeper.post(address(found), typed(line, check="")).context["form"].typed.lines
    assert read.facts["deals"][0]["declaration"] == "juroku"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("rule_set", "players"),
    [
        (rule_set.slug, players)
        for rule_set in scoring.RULE_SETS
        if rule_set.choose().game.kind == "kankei"
        for players in rule_set.players
    ],
)
def test_the_example_beside_it_is_one_that_these_rules_know(
    db: None, rule_set: str, players: int
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set), players)
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    example = keeper.get(address(sitting)).context["example"]
    assert f"<code>{example}</code>" in keeper.get(address(sitting)).text
    [line] = read(sheet_of(sitting), example).lines
    assert line.problems == ()
    assert line.played is not None
    assert line.played.score.complete


def test_errors_do_not_name_the_box_but_the_round(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    said = scorekeeper.post(address(sitting), typed("1 24 5")).text
    assert ">Round 1: " in said
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
    cells = page.locator("#paper-ledger tr[data-line] .num")
    assert (
        max(cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")) <= 360
    )


def test_so_many_lines_are_read_at_once_and_the_rest_is_told_in_one_sentence(
    scorekeeper: Client, endless: Sitting
) -> None:
    cast.in_english(scorekeeper)
    lines = "\n".join(["1 24 59"] * MOST_LINES)
    more = f"{lines}\nx\nx"
    answer = scorekeeper.post(address(endless), typed(more))
    assert answer.status_code == 422
    form = answer.context["form"]
    assert [line.number for line in form.typed.lines if line.problems] == [MOST_LINES + 1]
    assert len(form.typed.lines) == MOST_LINES + 1
    assert form["rounds"].value() == more
    assert "Round 101: 100 lines are read at once." in answer.text
    assert scorekeeper.post(address(endless), typed(lines)).status_code == 302
    assert scorekeeper.post(address(endless), typed("1 24 58", first=101)).status_code == 302


def test_no_more_is_read_than_may_be_typed(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def noted(sheet: Sheet, text: str) -> TypedSheet:
        given.append(text)
        return read(sheet, text)

    monkeypatch.setattr(paper, "read", noted)
    text = "1 24 59 " * 5_000
    answer = scorekeeper.post(address(sitting), typed(text))
    assert (answer.status_code, answer.context["form"]["rounds"].value()) == (422, text)
    assert scorekeeper.post(address(sitting, "preview-paper"), typed(text)).status_code == 200
    assert {len(each) for each in given} == {paper.LONGEST}


def test_no_more_is_typed_than_is_played(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    answer = scorekeeper.post(address(sitting), typed(TEN + "\n46 59"))
    assert answer.status_code == 422
    [problem] = answer.context["form"].typed.lines[-1].problems
    assert problem == "All 10 rounds are played. Take this line out."
    assert not Round.objects.exists()


def test_a_sheet_that_is_in_is_not_typed_again(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    assert "<textarea" in scorekeeper.get(address(sitting)).text
    scorekeeper.post(address(sitting), typed(TEN))
    page = scorekeeper.get(address(sitting)).text
    assert "This sheet is in." in page
    assert "<textarea" not in page
    again = scorekeeper.post(address(sitting), typed(TEN))
    assert again.status_code in {409, 422}
    assert Round.objects.count() == 10


def test_a_round_that_is_not_over_is_told_when_another_follows(
    scorekeeper: Client, sitting: Sitting
) -> None:
    lines = scorekeeper.post(address(sitting), typed("1 24 94\n35 59")).context["form"].typed.lines
    assert lines[0].problems
    assert not lines[1].problems


def test_lines_not_read_yet_are_told_with_what_is_to_be_put_right_and_no_dealer_is_guessed(
    scorekeeper: Client, sitting: Sitting
) -> None:
    lines = "1 24 94\n35 59\n46 9\n51 79"
    answer = cast.in_english(scorekeeper).post(address(sitting, "preview-paper"), typed(lines))
    typed_so = answer.context["form"].typed
    assert [line.number for line in typed_so.wrong] == [1, 3]
    assert [line.number for line in typed_so.lines if line.waits] == [2, 4]
    foot = answer.text.partition("<tfoot>")[2]
    assert '<a href="#line-1">Round 1</a>' in foot
    assert '<a href="#line-3">Round 3</a>' in foot
    assert "From Round 2 on, lines are read once that is done." in foot
    waiting = answer.text.partition('id="line-4"')[2].partition("</tr>")[0]
    assert "51 79" in waiting
    assert "Dealer" not in waiting


def test_totals_that_differ_from_the_paper_are_refused_unless_the_paper_is_wrong(
    scorekeeper: Client, sitting: Sitting
) -> None:
    first = "1 24 59"
    answer = scorekeeper.post(address(sitting), typed(first, total_1="-1", total_2="+1"))
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "__all__": ["1人の合計が、記入票とルールで違います。印の付いた人を確かめてください。"]
    }
    assert not Round.objects.exists()
    typed_so = typed(first, total_1="-1", total_2="+1", despite="on")
    assert scorekeeper.post(address(sitting), typed_so).status_code == 302
    assert Round.objects.count() == 1


def test_it_goes_on_from_what_is_recorded(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(
        sitting, {"dealer": "1", "kankei": ["2", "4"], "deals": [{"kankei": 9, "mukankei": 4}]}
    )
    form = scorekeeper.get(address(sitting)).context["form"]
    assert form["rounds"].value() == "1 24 94"
    assert form["first"].value() == 1
    goes_on = typed("1 24 94 97 88\n35 59", seen=1)
    assert scorekeeper.post(address(sitting), goes_on).status_code == 302
    assert [(row.number, row.version) for row in Round.objects.all()] == [(1, 1), (1, 2), (2, 1)]
    assert scorekeeper.get(address(sitting)).context["form"]["first"].value() == 3


def test_a_round_under_way_is_not_corrected_in_passing(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.record(
        sitting, {"dealer": "1", "kankei": ["2", "4"], "deals": [{"kankei": 9, "mukankei": 4}]}
    )
    answer = scorekeeper.post(address(sitting), typed("1 25 94 97 88", seen=1))
    assert answer.status_code == 422
    assert Round.objects.count() == 1


def test_what_somebody_else_recorded_meanwhile_is_shown_beside_what_was_typed_for_it(
    scorekeeper: Client, sitting: Sitting
) -> None:
    deals = [
        {"kankei": 9, "mukankei": 4},
        {"kankei": 9, "mukankei": 7, "trump": "hearts"},
        {"kankei": 8, "mukankei": 8},
    ]
    first = {"dealer": "1", "kankei": ["4", "2"], "trump": "clubs", "deals": deals}
    cast.record(sitting, first)
    other = {"dealer": "2", "kankei": ["3", "5"], "deals": [{"kankei": 6, "mukankei": 8}]}
    cast.record(sitting, other, number=2)
    answer = cast.in_english(scorekeeper).post(address(sitting), typed(TEN))
    assert answer.status_code == 409
    assert [(each.stored.row.number, each.is_same) for each in answer.context["beside"]] == [
        (1, True),
        (2, False),
    ]
    told = answer.text.partition("paper-meanwhile")[2].partition("</table>")[0]
    assert "the same" in told
    assert "6–8" in told  # stored
    assert "<code>35 59</code>" in told  # and typed
    assert "Correct Round 2" in told
    form = answer.context["form"]
    assert (form["first"].value(), form["rounds"].value()) == ("3", TEN.split("\n", 2)[2])
    assert Round.objects.filter(number__gt=2).count() == 0


def test_after_that_the_rest_is_saved_as_the_rounds_it_was_typed_for(
    scorekeeper: Client, sitting: Sitting
) -> None:
    lines = TEN.split("\n")
    assert scorekeeper.post(address(sitting), typed("\n".join(lines[:2]))).status_code == 302
    form = scorekeeper.post(address(sitting), typed(TEN)).context["form"]
    again = {name: form[name].value() for name in ("rounds", "first", "seen")}
    assert scorekeeper.post(address(sitting), again).status_code == 302
    assert Round.objects.count() == 10
    assert sheet_of(sitting).rows[2].facts["kankei"] == ["4", "6"]


def test_a_sheet_that_was_in_already_leaves_nothing_to_save(
    scorekeeper: Client, endless: Sitting
) -> None:
    assert scorekeeper.post(address(endless), typed("1 24 59\n35 59")).status_code == 302
    answer = scorekeeper.post(address(endless), typed("1 24 59\n35 59"))
    assert answer.status_code == 409
    assert answer.context["form"]["rounds"].value() == ""
    again = typed("", first=3)
    assert scorekeeper.post(address(endless), again).status_code == 422
    assert Round.objects.count() == 2


def test_a_line_that_is_recorded_already_is_saved_again_only_with_a_tick(
    scorekeeper: Client, endless: Sitting
) -> None:
    lines = "1 24 59\n35 59"
    scorekeeper.post(address(endless), typed(lines))
    answer = cast.in_english(scorekeeper).post(address(endless), typed(lines, first=3))
    assert answer.status_code == 422
    assert "Round 3: The same is recorded already as Round 1." in answer.text
    assert [bool(line.doubts) for line in answer.context["form"].typed.lines] == [True, True]
    assert Round.objects.count() == 2
    sure = typed(lines, first=3, sure="on")
    assert scorekeeper.post(address(endless), sure).status_code == 302
    assert Round.objects.count() == 4


@pytest.mark.parametrize("post", [{"first": "9"}, {"first": "x"}, {"first": "-1", "rounds": "1"}])
def test_whatever_is_said_to_be_the_first_line_is_no_fault(
    scorekeeper: Client, sitting: Sitting, post: dict[str, str]
) -> None:
    assert scorekeeper.post(address(sitting), post).status_code in {409, 422}


def test_the_preview_says_what_every_line_scores(scorekeeper: Client, sitting: Sitting) -> None:
    page = scorekeeper.post(address(sitting, "preview-paper"), typed(TEN, total_1="5")).content
    assert page.decode().count("data-line") == 10
    assert not Round.objects.exists()


def test_checking_without_javascript_saves_nothing(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed("1 24 59", check=""))
    assert answer.status_code == 200
    assert answer.context["form"].typed.totals["2"] < 0
    assert not Round.objects.exists()


def test_the_next_sheet_that_is_not_in_follows(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed(TEN, next=""))
    assert answer["Location"] == f"/tournaments/{sitting.session.tournament.slug}/board/?session=1"


def test_a_sheet_that_is_in_leads_on_to_the_next(scorekeeper: Client, sitting: Sitting) -> None:
    saved = scorekeeper.post(address(sitting), typed(TEN), follow=True)
    following = f"{address(sitting)}?next"
    assert following in saved.content.decode()
    board = reverse("board", args=[sitting.session.tournament.slug])
    assert scorekeeper.get(following)["Location"] == f"{board}?session=1"


def test_gong_zhu_is_typed_taker_by_taker(db: None) -> None:
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, 4)
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    assert keeper.get(address(sitting)).status_code == 200
    answer = keeper.post(address(sitting), typed("1342- 14\n2222333344441111\n123"))
    assert answer.status_code == 422
    lines = answer.context["form"].typed.lines
    assert [bool(line.problems) for line in lines] == [False, False, True]
    assert keeper.post(address(sitting), typed("1342- 14\n2222333344441111")).status_code == 302
    assert Round.objects.filter(number=1).get().facts["exposed"] == ["SQ", "HA"]


def test_gouji_is_typed_in_the_order_of_going_out(db: None) -> None:
    tournament = cast.make_tournament("gouji")
    sitting = cast.make_sitting(tournament)
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    assert keeper.get(address(sitting)).status_code == 200
    assert keeper.post(address(sitting), typed("132546\n654321 123")).status_code == 302
    assert Round.objects.filter(number=2).get().facts["teams"] == [["1", "2", "3"], ["4", "5", "6"]]
    assert keeper.post(address(sitting), typed("11111", first=3)).status_code == 422


@pytest.mark.parametrize("nonsense", ["\x00", "፩ ፩፪ ፩፩", "1 24 9999", "-", "1 24 *", "24" * 999])
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu", "gouji", "yoninkan"])
def test_no_line_breaks_it(db: None, rule_set: str, nonsense: str) -> None:
    tournament = cast.make_tournament(rule_set)
    sitting = cast.make_sitting(tournament)
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    everything: dict[str, Any] = {f"total_{key}": nonsense for key in cast.keys(sitting)}
    answer = keeper.post(address(sitting), typed(f"{nonsense}\n{nonsense}", **everything))
    assert answer.status_code == 422
    answer = keeper.post(address(sitting, "preview-paper"), typed(nonsense, **everything))
    assert answer.status_code == 200


def test_totals_are_read_as_people_write_them() -> None:
    assert [read_points(text) for text in ("-3", "−3", "▲3", "+3", "３", "3.5")] == [
        *(-3, -3, -3, 3, 3),
        None,
    ]


@pytest.mark.django_db(transaction=True)
def test_a_sheet_of_ten_rounds_is_typed_with_the_keyboard_alone(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    """Counts the keys: what `docs/desk.md` says of them is what this test presses."""
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


def test_a_refused_sheet_opens_where_it_is_to_be_put_right(
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


def test_the_printed_sheet_carries_the_code_that_opens_it(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[Any] = []

    def keep(_name: str, *run: Any) -> bytes:
        printed.append(run)
        return b"%PDF"

    monkeypatch.setattr(printing, "stamped_pdf", keep)
    session = sitting.session
    scorekeeper.get(reverse("session-sheets", args=[session.tournament.slug, session.number]))
    wanted = segno.make(f"http://testserver{address(sitting)}", micro=False, error="m")
    assert wanted.svg_inline(border=2, omitsize=True) in str(printed)
