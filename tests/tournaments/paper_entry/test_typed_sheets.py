"""Shorthand lines typed from paper, in every game, and their problems."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

import scoring
from scoring.kankei import KankeiGame
from tests import cast
from tests.markup import tight
from tests.tournaments.paper_entry.sheets import TEN, address, typed
from tournaments import verification
from tournaments.forms import paper_entry
from tournaments.forms.fields import SignedField
from tournaments.forms.paper_entry import read_points
from tournaments.games.kankei.deal_shorthand import CUT_OFF_MARKS, LETTERS
from tournaments.models import Round, Sitting
from tournaments.paper_entry.dashes import DASHES
from tournaments.paper_entry.typed_sheets import MOST_LINES, TypedSheet, read_sheet
from tournaments.queries.sheets import Sheet, sheet_of

KANKEI = [each.slug for each in scoring.RULE_SETS if scoring.choose(each).game.kind == "kankei"]


def test_chosen_trump_follows_the_counts(scorekeeper: Client, sitting: Sitting) -> None:
    """A letter or, on a number pad, two keys, before or after the declaration."""
    answer = scorekeeper.post(address(sitting), typed("1 24 94 160*h 97/4\n35 59\n46 94 160k* 88"))
    assert answer.status_code == 302, answer.context["form"].errors
    first, _second, third = (row.facts["deals"] for row in sheet_of(sitting).rows)
    assert [deal.get("trump") for deal in first] == [None, "hearts", "spades"]
    assert first[1]["declaration"] == "juroku"
    assert [deal.get("trump") for deal in third] == [None, "clubs", None]


def test_trump_of_the_first_deal_is_stored_with_the_round(
    scorekeeper: Client, sitting: Sitting
) -> None:
    assert scorekeeper.post(address(sitting), typed("1 24 59k")).status_code == 302
    [row] = sheet_of(sitting).rows
    assert row.facts["trump"] == "clubs"
    assert "trump" not in row.facts["deals"][0]


def test_first_trump_out_of_turn_needs_confirmation(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    lines = "1 24 59h\n35 59"
    shown = scorekeeper.post(address(sitting, "preview-sheet"), typed(lines)).text
    doubt = (
        "Are you sure that hearts are trump in the first deal? In this round it should be clubs."
    )
    assert "suit-hearts" in shown
    assert shown.count(doubt) == 1
    answer = scorekeeper.post(address(sitting), typed(lines))
    assert answer.status_code == 422
    assert f"Round 1: {doubt}" in answer.text
    assert 'name="sure"' in answer.text
    assert not Round.objects.exists()
    assert scorekeeper.post(address(sitting), typed(lines, sure="on")).status_code == 302
    assert sheet_of(sitting).rows[0].facts["trump"] == "hearts"


@pytest.mark.parametrize("marks", ["d", "* p", "/2"])
@pytest.mark.parametrize("rule_set", KANKEI)
def test_marks_apart_from_their_deal_are_answered_with_an_example(
    db: None, rule_set: str, marks: str
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    answer = keeper.post(address(sitting, "preview-sheet"), typed(f"1 24 94 97 {marks}"))
    [line] = answer.context["form"].typed.lines
    [problem] = line.problems
    example = keeper.get(address(sitting)).context["example"]
    assert example.partition("24 ")[2] in problem
    assert {"d", "k"} <= set(example)


@pytest.mark.parametrize("rule_set", KANKEI)
def test_help_and_problems_name_what_the_rule_set_has(db: None, rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    game = sitting.session.tournament.rules.game
    assert isinstance(game, KankeiGame)
    legal = {each for of_deal in game.declarations.values() for each in of_deal}
    letters = [letter for letter, declaration in LETTERS.items() if declaration in legal]
    lines = [f"1 24 94{mark}" for mark in ("z", *CUT_OFF_MARKS)]
    page = cast.in_english(keeper).post(address(sitting), typed(lines[0]))
    assert re.findall("<code>([a-z])</code>", page.text) == letters
    with translation.override("en"):
        [unknown], *with_mark = (
            read_sheet(sheet_of(sitting), line).lines[0].problems for line in lines
        )
    declaration = f"neither a declaration ({' '.join(letters)}, or *) nor" if letters else "not"
    assert unknown == f"“z” is {declaration} a suit (k d h p)."
    assert ["“94 x”" in problems[0] for problems in with_mark] == [game.may_be_cut_off] * 2


def test_preview_says_that_a_chosen_trump_is_not_noted(
    scorekeeper: Client, sitting: Sitting
) -> None:
    lines = "1 24 94d 97k 88p\n35 59\n46 94 97k 88"
    shown = scorekeeper.post(address(sitting, "preview-sheet"), typed(lines)).text
    rows = shown.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")[:3]
    assert ["切札 記入なし" in row for row in rows] == [False, False, True]


def test_invalid_trump_is_refused(scorekeeper: Client, sitting: Sitting) -> None:
    for line in ("1 24 94 88hk", "1 24 94 160*j", "1 24 94 88z"):
        assert scorekeeper.post(address(sitting), typed(line)).status_code == 422
    assert not Round.objects.exists()


def test_dealer_rotates_past_an_unreadable_line(scorekeeper: Client, sitting: Sitting) -> None:
    wrong = TEN.replace("35 59", "3 5 59")
    right = scorekeeper.post(address(sitting), typed(TEN, check="")).context["form"].typed.lines
    lines = scorekeeper.post(address(sitting), typed(wrong)).context["form"].typed.lines
    assert [line.number for line in lines if line.problems] == [2]
    assert [line.facts["dealer"] for line in lines[2:4]] == [
        line.facts["dealer"] for line in right[2:4]
    ]


def test_only_the_first_line_is_asked_for_a_dealer(scorekeeper: Client, sitting: Sitting) -> None:
    page = cast.in_english(scorekeeper)
    for first, problem in (("24 59", "Begin with the dealer’s seat"), ("1 24 9", "“9”")):
        answer = page.post(address(sitting), typed(f"{first}\n35 59\n14 59"))
        one, *others = answer.context["form"].typed.lines
        assert problem in one.problems[0]
        assert all(each.is_waiting for each in others)


def test_every_invalid_line_has_a_problem(scorekeeper: Client, sitting: Sitting) -> None:
    page = cast.in_english(scorekeeper)
    lines = ["1 24 110", "2x", "99 59", "35 99", "24 55"]
    answer = page.post(address(sitting), typed("\n".join(lines)))
    assert answer.status_code == 422
    found = [line.problems for line in answer.context["form"].typed.lines]
    assert all(found)
    assert "11-0 or 1-10" in found[0][0]
    assert "There is no seat 9" in found[2][0]


def test_invalid_line_shows_its_dealer_and_no_totals(scorekeeper: Client, sitting: Sitting) -> None:
    lines = "1 24 94 97 97\n35 59\n13 97 79"
    answer = scorekeeper.post(address(sitting, "preview-sheet"), typed(lines, total_1="12"))
    form, page = answer.context["form"], answer.content.decode()
    names = form.sheet.names
    line = form.typed.lines[2]
    assert line.problems
    assert (line.dealer.number, names[line.dealer.player]) == (3, names["3"])
    assert f"</span>3<bdi>{names['3']}</bdi>" in tight(page)
    assert {seat.points for seat in form.seats()} == {None}
    assert "icon-check" not in page
    assert "icon-error" not in page


def test_star_in_a_deal_without_declarations_is_explained(
    scorekeeper: Client, sitting: Sitting
) -> None:
    answer = scorekeeper.post(address(sitting), typed("1 35 160* 88"))
    (line,) = answer.context["form"].typed.lines
    (problem,) = line.problems
    assert "じゅうろくを宣言できるのは2戦目、3戦目だけで、1戦目にはできません" in problem
    page = scorekeeper.get(address(sitting)).content.decode()
    assert "じゅうろく（2戦目、3戦目）" in page


def test_star_is_the_declaration_of_the_rules_in_this_deal(db: None) -> None:
    found = cast.make_sitting(cast.make_tournament("yoninkan"))
    keeper = cast.browser_of(cast.make_staff(found.session.tournament, "scorekeeper"))
    line = "1 24 160*"
    (read,) = keeper.post(address(found), typed(line, check="")).context["form"].typed.lines
    assert read.facts["deals"][0]["declaration"] == "juroku"


def test_lines_over_the_limit_have_one_problem(scorekeeper: Client, endless: Sitting) -> None:
    cast.in_english(scorekeeper)
    lines = "\n".join(["1 24 59"] * MOST_LINES)
    more = f"{lines}\nx\nx"
    answer = scorekeeper.post(address(endless), typed(more))
    assert answer.status_code == 422
    form = answer.context["form"]
    assert [line.number for line in form.typed.lines if line.problems] == [MOST_LINES + 1]
    assert len(form.typed.lines) == MOST_LINES + 1
    assert form["rounds"].value() == more
    assert "Round 101: At most 100 lines are read at once." in answer.text
    assert scorekeeper.post(address(endless), typed(lines)).status_code == 302
    assert scorekeeper.post(address(endless), typed("1 24 58", first=101)).status_code == 302


def test_input_is_truncated_at_its_longest(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def noted(sheet: Sheet, text: str) -> TypedSheet:
        given.append(text)
        return read_sheet(sheet, text)

    monkeypatch.setattr(paper_entry, "read_sheet", noted)
    text = "1 24 59 " * 5_000
    answer = scorekeeper.post(address(sitting), typed(text))
    assert (answer.status_code, answer.context["form"]["rounds"].value()) == (422, text)
    assert scorekeeper.post(address(sitting, "preview-sheet"), typed(text)).status_code == 200
    assert {len(each) for each in given} == {paper_entry.LONGEST}


def test_lines_after_a_problem_wait_without_a_dealer(scorekeeper: Client, sitting: Sitting) -> None:
    lines = "1 24 94\n35 59\n46 9\n51 79"
    answer = cast.in_english(scorekeeper).post(address(sitting, "preview-sheet"), typed(lines))
    typed_so = answer.context["form"].typed
    assert [line.number for line in typed_so.wrong_lines] == [1, 3]
    assert [line.number for line in typed_so.lines if line.is_waiting] == [2, 4]
    foot = tight(answer.text.partition("<tfoot>")[2])
    assert '<a href="#line-1">Round 1</a>' in foot
    assert '<a href="#line-3">Round 3</a>' in foot
    assert "Lines from round 2 on are read once this is corrected." in foot
    waiting = answer.text.partition('id="line-4"')[2].partition("</tr>")[0]
    assert "51 79" in waiting
    assert "Dealer" not in waiting


@pytest.mark.parametrize("post", [{"first": "9"}, {"first": "x"}, {"first": "-1", "rounds": "1"}])
def test_invalid_first_round_is_refused(
    scorekeeper: Client, sitting: Sitting, post: dict[str, str]
) -> None:
    assert scorekeeper.post(address(sitting), post).status_code in {409, 422}


def test_gong_zhu_lines_name_the_taker_of_each_card(db: None) -> None:
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


def test_gouji_lines_give_the_finishing_order(db: None) -> None:
    tournament = cast.make_tournament("gouji")
    sitting = cast.make_sitting(tournament)
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    assert keeper.get(address(sitting)).status_code == 200
    shown = keeper.post(address(sitting, "preview-sheet"), typed("132546\n654321 123")).text
    usual, changed = shown.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")[:2]
    assert "第1チーム" not in usual
    team = "·".join(f"<bdi>{sheet_of(sitting).names[key]}</bdi>" for key in "123")
    assert f"第1チーム</span>{team}" in tight(changed)
    assert keeper.post(address(sitting), typed("132546\n654321 123")).status_code == 302
    assert Round.objects.filter(number=2).get().facts["teams"] == [["1", "2", "3"], ["4", "5", "6"]]
    assert keeper.post(address(sitting), typed("11111", first=3)).status_code == 422


@pytest.mark.parametrize("nonsense", ["\x00", "፩ ፩፪ ፩፩", "1 24 9999", "-", "1 24 *", "24" * 999])
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu", "gouji", "yoninkan"])
def test_nonsense_is_refused(db: None, rule_set: str, nonsense: str) -> None:
    tournament = cast.make_tournament(rule_set)
    sitting = cast.make_sitting(tournament)
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    everything: dict[str, Any] = {f"total_{key}": nonsense for key in cast.keys(sitting)}
    answer = keeper.post(address(sitting), typed(f"{nonsense}\n{nonsense}", **everything))
    assert answer.status_code == 422
    answer = keeper.post(address(sitting, "preview-sheet"), typed(nonsense, **everything))
    assert answer.status_code == 200


def test_totals_may_have_any_minus_sign_and_width() -> None:
    typed = ("-3", "▲3", "+3", "３", "3.5")
    assert [read_points(text) for text in typed] == [-3, -3, 3, 3, None]
    assert {read_points(f"{dash}５") for dash in (*DASHES, "ｰ", "－")} == {-5}
    assert {SignedField().clean(f"{dash}５") for dash in (*DASHES, "ｰ", "－")} == {-5}
    script = Path(settings.BASE_DIR, "static/js/totals.js").read_text(encoding="utf-8")
    assert [dash for dash in DASHES if dash not in script] == []


@pytest.mark.parametrize(
    ("word", "counts"),
    [
        ("115", (11, 5)),  # no trick brings the mukankei from 7 to 15
        ("114", (11, 4)),
        ("151", (15, 1)),
        ("103", (10, 3)),
        ("412", (4, 12)),
        ("110", None),
        ("112", None),  # 1-12: 8 to win, reached with four cards more in the last trick
        ("113", (11, 3)),  # 1-13: the dealer sits out, so a trick of five cards brings four more
    ],
)
def test_three_digits_are_read_as_counts_that_decide_the_deal(
    sitting: Sitting, word: str, counts: tuple[int, int] | None
) -> None:
    (line,) = read_sheet(sheet_of(sitting), f"1 24 {word}").lines
    deals = [(each["kankei"], each["mukankei"]) for each in (line.facts or {}).get("deals", ())]
    assert deals == ([counts] if counts else [])
    assert bool(line.problems) == (counts is None)


def test_overruled_totals_are_stored_with_the_computed_ones(
    scorekeeper: Client, sitting: Sitting
) -> None:
    sums = read_sheet(sheet_of(sitting), "1 24 59").scored_totals
    wrong = typed("1 24 59", total_1=str(sums["1"] + 5), total_2=str(sums["2"]))
    assert scorekeeper.post(address(sitting), wrong).status_code == 422
    answer = scorekeeper.post(address(sitting), {**wrong, "despite": "on"})
    assert answer.status_code == 302
    entry = sitting.session.tournament.audit_entries.latest("number")
    assert (entry.kind, entry.old, entry.new) == (
        "paper_overruled",
        {"1": sums["1"] + 5},
        {"1": sums["1"]},
    )
    assert verification.verify(sitting.session.tournament) == []
