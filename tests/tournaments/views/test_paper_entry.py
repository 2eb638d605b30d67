"""Typing in a paper sheet: all of its lines are saved or none, and only once."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests import cast
from tests.markup import tight
from tests.tournaments.paper_entry.sheets import TEN, address, typed
from tournaments import verification
from tournaments.models import AuditEntry, Round, Sitting, Tournament
from tournaments.queries.sheets import sheet_of


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
    assert AuditEntry.objects.filter(kind="round_recorded").count() == 10
    assert verification.verify(sitting.session.tournament) == []


def test_one_wrong_line_saves_nothing(scorekeeper: Client, sitting: Sitting) -> None:
    wrong = TEN.replace("26 68", "26 6")
    answer = scorekeeper.post(address(sitting), typed(wrong))
    assert answer.status_code == 422
    form = answer.context["form"]
    assert [line.number for line in form.typed.lines if line.problems] == [5]
    assert form["rounds"].value() == wrong
    assert not Round.objects.exists()


def test_more_rounds_than_planned_are_refused(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    answer = scorekeeper.post(address(sitting), typed(TEN + "\n46 59"))
    assert answer.status_code == 422
    [problem] = answer.context["form"].typed.lines[-1].problems
    assert problem == "All rounds have been played (10). Remove this line."
    assert not Round.objects.exists()


def test_preview_says_that_a_sheet_ends_before_the_planned_rounds(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.in_english(scorekeeper)
    told = {"": [], "1 24 59": ["1 of 10"], "1 24 59\n35 9": [], TEN: []}  # the third is wrong
    for text, rounds in told.items():
        page = scorekeeper.post(address(sitting, "preview-sheet"), typed(text)).text
        shown = " ".join(page.split())
        assert re.findall("([0-9]+ of [0-9]+) rounds: fewer", shown) == rounds


def test_finished_sheet_is_not_typed_again(scorekeeper: Client, sitting: Sitting) -> None:
    cast.in_english(scorekeeper)
    assert "<textarea" in scorekeeper.get(address(sitting)).text
    scorekeeper.post(address(sitting), typed(TEN))
    page = scorekeeper.get(address(sitting)).text
    assert "Already entered." in page
    assert "<textarea" not in page
    again = scorekeeper.post(address(sitting), typed(TEN))
    assert again.status_code in {409, 422}
    assert Round.objects.count() == 10


def test_unfinished_round_before_another_is_refused(scorekeeper: Client, sitting: Sitting) -> None:
    lines = scorekeeper.post(address(sitting), typed("1 24 94\n35 59")).context["form"].typed.lines
    assert lines[0].problems
    assert not lines[1].problems


def test_totals_that_differ_from_the_paper_are_refused_unless_the_paper_is_wrong(
    scorekeeper: Client, sitting: Sitting
) -> None:
    first = "1 24 59"
    answer = scorekeeper.post(address(sitting), typed(first, total_1="-1", total_2="+1"))
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"total_2": ["票 +1、計算 −1"]}
    totals = answer.text.partition('<fieldset class="paper-totals">')[2].partition("</fieldset>")[0]
    assert 'name="despite"' in totals
    assert '_error">票 +1、計算 −1</p>' in totals
    assert f">2 {sheet_of(sitting).names['2']}：票 +1、計算 −1<" in tight(answer.text)
    assert not Round.objects.exists()
    typed_so = typed(first, total_1="-1", total_2="+1", despite="on")
    assert scorekeeper.post(address(sitting), typed_so).status_code == 302
    assert Round.objects.count() == 1


def test_form_continues_after_the_recorded_rounds(scorekeeper: Client, sitting: Sitting) -> None:
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


def test_unfinished_round_is_not_corrected(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(
        sitting, {"dealer": "1", "kankei": ["2", "4"], "deals": [{"kankei": 9, "mukankei": 4}]}
    )
    answer = scorekeeper.post(address(sitting), typed("1 25 94 97 88", seen=1))
    assert answer.status_code == 422
    assert Round.objects.count() == 1


@pytest.mark.both
def test_rounds_recorded_meanwhile_are_shown_beside_typed_lines(
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
    assert "Correct round 2" in told
    form = answer.context["form"]
    assert (form["first"].value(), form["rounds"].value()) == ("3", TEN.split("\n", 2)[2])
    assert Round.objects.filter(number__gt=2).count() == 0


@pytest.mark.parametrize("more", ["", "46 59\n51 95"])
def test_sheet_that_somebody_else_has_typed_is_not_typed_on(
    scorekeeper: Client, sitting: Sitting, more: str
) -> None:
    """Below both versions stands what the page says now; lines too many are shown, not lost."""
    cast.in_english(scorekeeper)
    scorekeeper.post(address(sitting), typed(TEN))
    other = TEN.replace("26 68", "26 86")
    answer = scorekeeper.post(address(sitting), typed(f"{other}\n{more}"))
    assert answer.status_code == 409
    assert [each.is_same for each in answer.context["beside"]].count(False) == 1
    shown = tight(answer.text)
    assert ("Nothing is left to save." in shown) == (not more)
    assert ("belong to none" in shown) == bool(more)
    assert all(f"<code>{line}</code>" in shown for line in more.split("\n") if line)
    for page in (answer.text, scorekeeper.get(address(sitting)).text):
        assert "Already entered." in page
        assert not re.findall("<textarea|One per line|Save all|check it, then save", page)


def test_remaining_lines_keep_their_round_numbers(scorekeeper: Client, sitting: Sitting) -> None:
    lines = TEN.split("\n")
    assert scorekeeper.post(address(sitting), typed("\n".join(lines[:2]))).status_code == 302
    form = scorekeeper.post(address(sitting), typed(TEN)).context["form"]
    again = {name: form[name].value() for name in ("rounds", "first", "seen")}
    assert scorekeeper.post(address(sitting), again).status_code == 302
    assert Round.objects.count() == 10
    assert sheet_of(sitting).rows[2].facts["kankei"] == ["4", "6"]


def test_sheet_sent_twice_saves_nothing_again(scorekeeper: Client, endless: Sitting) -> None:
    assert scorekeeper.post(address(endless), typed("1 24 59\n35 59")).status_code == 302
    answer = scorekeeper.post(address(endless), typed("1 24 59\n35 59"))
    assert answer.status_code == 409
    assert answer.context["form"]["rounds"].value() == ""
    again = typed("", first=3)
    assert scorekeeper.post(address(endless), again).status_code == 422
    assert Round.objects.count() == 2


def test_whole_paper_typed_again_leads_to_the_line_that_is_recorded(
    scorekeeper: Client, sitting: Sitting
) -> None:
    """Not to the last line, which would be a round that only the paper has."""
    lines = TEN.split("\n")
    scorekeeper.post(address(sitting), typed(lines[0]))
    answer = cast.in_english(scorekeeper).post(address(sitting), typed(TEN, first=2))
    assert answer.status_code == 422
    problems = {line.number: line.problems for line in answer.context["form"].typed.lines}
    assert [number for number, found in problems.items() if found] == [11]
    assert "Remove the line of what is recorded already (round 2" in problems[11][0]
    rest = typed("\n".join(lines[1:]), first=2, sure="on")
    assert scorekeeper.post(address(sitting), rest).status_code == 302
    assert Round.objects.count() == 10


def test_repeated_line_needs_a_tick(scorekeeper: Client, endless: Sitting) -> None:
    lines = "1 24 59\n35 59"
    scorekeeper.post(address(endless), typed(lines))
    answer = cast.in_english(scorekeeper).post(address(endless), typed(lines, first=3))
    assert answer.status_code == 422
    assert "Round 3: The same has already been recorded as round 1." in answer.text
    assert [bool(line.doubts) for line in answer.context["form"].typed.lines] == [True, True]
    assert Round.objects.count() == 2
    sure = typed(lines, first=3, sure="on")
    assert scorekeeper.post(address(endless), sure).status_code == 302
    assert Round.objects.count() == 4


def test_checking_without_javascript_saves_nothing(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed("1 24 59", check=""))
    assert answer.status_code == 200
    assert answer.context["form"].typed.scored_totals["2"] < 0
    assert not Round.objects.exists()


def test_next_unfinished_sheet_follows(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed(TEN, next=""))
    assert answer["Location"] == f"/tournaments/{sitting.session.tournament.slug}/board/?session=1"


def test_finished_sheet_links_to_the_next_if_there_is_one(
    scorekeeper: Client, tournament: Tournament
) -> None:
    session = cast.make_session(tournament, tables=2)
    first, second = session.sittings.order_by("number")
    saved = scorekeeper.post(address(first), typed(TEN), follow=True)
    for page in (saved, scorekeeper.get(address(first))):
        assert f'href="{address(second)}"' in page.text
    assert scorekeeper.get(f"{address(first)}?next")["Location"] == address(second)
    scorekeeper.post(address(second), typed(TEN))
    for finished in (first.get_absolute_url(), address(first)):
        assert "次の票へ" not in scorekeeper.get(finished).text
    board = scorekeeper.get(f"{address(first)}?next", follow=True)
    assert "この回戦の票は、すべて入力済みです" in board.text
