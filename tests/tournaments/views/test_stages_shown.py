"""A final on the pages, prints and in the workbook: who advances, and the standings of stages."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.api import base
from tests.cast import in_english
from tests.stages import url
from tests.tournaments.printing import page_faults
from tournaments.models import Sitting, Stage, Tournament
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.standings import Standing
from tournaments.services import adjustments, seating, sessions
from tournaments.services.publications import publish, show_live
from tournaments.tables.standings import StandingsTable

WINNERS = stages.plan(stages.WINNERS)


@pytest.mark.parametrize("is_planned_before", [True, False])
def test_final_confirmed_after_the_publication_is_named_on_every_public_page(
    client: Client, played: Sitting, *, is_planned_before: bool
) -> None:
    """The public sees the current seats of a later session, and results as they were published."""
    tournament = played.session.tournament
    sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
    stage = stages.make_stage(tournament, wanted=WINNERS) if is_planned_before else None
    publish(tournament, by=cast.SOMEBODY)
    stages.confirm(stage or stages.make_stage(tournament, wanted=WINNERS))
    final = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    cast.start_clock(final, ClockSettings(3600))
    named = [tournament.get_absolute_url(), final.get_absolute_url()]
    named += [url("seats", tournament), url("clock", tournament)]
    others = [final.sittings.get().get_absolute_url(), url("player", tournament, 1)]
    others += [url("standings", tournament), url("standings", tournament) + "?wall=1"]

    def stages_in(page: str) -> set[tuple[str, str]]:
        """Return which sessions a page names with which stages."""
        text = re.sub(r"(?s)<[^>]*>", " ", client.get(page).text)
        return set(re.findall(r"第(\d)回戦\s+(予選|決勝)", text))

    def check() -> None:
        assert [page for page in named if ("2", "決勝") not in stages_in(page)] == []
        for page in named + others:
            assert stages_in(page) <= {("1", "予選"), ("2", "決勝")}, page
        assert stages_in(played.session.get_absolute_url()) == {("1", "予選")}

    check()
    cast.record(final.sittings.get())
    check()
    publish(tournament, by=cast.SOMEBODY)
    Stage.objects.update(first_session=9)  # not as published
    assert stages_in(final.get_absolute_url()) == {("2", "決勝")}


def test_workbook_of_a_class_leaves_out_stages_without_its_players(
    director: Client, played: Sitting
) -> None:
    tournament = played.session.tournament
    tournament.entries.filter(number=1).update(division="有段者")
    stages.make_confirmed(tournament, WINNERS)
    for division, is_there in (("", True), ("一般", True), ("有段者", False)):
        answer = director.get(url("standings-workbook", tournament), {"class": division})
        assert ("決勝" in load_workbook(BytesIO(answer.content)).sheetnames) is is_there, division


def test_public_sees_who_goes_on(client: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    stages.make_confirmed(tournament, WINNERS)
    page = client.get(url("stages", tournament)).content.decode()
    assert "対馬" not in page
    assert "工藤" in page
    assert url("stage-members", tournament, 2) not in page


def assert_values_of_the_stage(table: StandingsTable, row: Standing) -> None:
    """Rounds are those of the event, and what decides places is of the final; headings say so."""
    assert row.place
    assert (row.place.values[1:3], row.rounds_played) == ((0, -1), 2)
    titles = [str(table.columns[code].header) for code in ("rounds_won", "best_round")]
    assert all("（このステージ）" in title for title in titles)


def explained_rank(answer: Any, row: Standing, *, is_first_below: bool) -> Any:
    """Return the context of a player's page.

    It compares players of one section; that finalists come first has its own words.
    """
    text = re.sub("<[^>]+>|[\u2066-\u2069]", "", answer.text)
    assert ("「A決勝」の選手は、得点にかかわらず上に並びます。" in text) == is_first_below
    compared = [answer.context[name] for name in ("above", "below")]
    assert {each.section for each in compared if each} == {row.section}
    return answer.context


def assert_finalists_are_printed_first(award_list: Any) -> None:
    printed = re.sub("[\u2066-\u2069]", "", page_faults.text_of(award_list.content))
    assert re.search("A決勝得点＝予選の半分＋A決勝1位.+予選7位", printed)


def test_finalists_are_first_and_apart_everywhere(
    client: Client, director: Client, tournament: Tournament
) -> None:
    """Six of two tables go on with half their points, and play; their points are explained."""
    show_live(tournament, by=cast.SOMEBODY)
    session = cast.make_session(tournament, tables=2)
    for sitting in session.sittings.all():
        cast.record(sitting)
    helper = tournament.entries.get(number=8)  # half of its 2 points is 1, as of the others' 1
    adjustments.adjust_points(tournament, 1, helper, 1, by=cast.SOMEBODY, reason="手伝い")
    quotas = [Quota("A決勝", "", 6, at_least=1)]
    stages.make_confirmed(tournament, stages.plan(*quotas))
    six = tournament.entries.filter(number__in=(2, 4, 5, 8, 10, 11))
    final = seating.open_session(tournament, [list(six)], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    points = {4: (2, 1, 1), 2: (0, 1, -1)}  # points, carried over, won in the final
    page = client.get(url("standings", tournament))
    table = page.context["table"]
    rows = {row.entry.number: row for row in table.data}
    assert [list(rows).index(number) < 6 for number in rows] == [True] * 6 + [False] * 6
    for number, expected in points.items():
        row = rows[number]
        assert (row.place.points, row.carried, row.won) == expected
    for number, row in rows.items():  # rounds are those of the event, totals follow the stages
        assert row.rounds_played == (2 if row.carried is not None else 1)
        player = explained_rank(
            client.get(url("player", tournament, number)),
            row,
            is_first_below=list(rows).index(number) == 6,
        )
        (own,) = player["tables"][-1].rounds
        assert (player["chart"].points[-1].total, own.total, own.carried) == (
            row.place.points,
            row.place.points,
            row.carried,
        )
        assert [line.points for line, *_ in player["lines"]] == [1] * (number == 8)
    assert_values_of_the_stage(table, rows[2])
    headings = [row.heading for row in table.page_rows() if row.heading]
    assert [re.sub("<[^>]+>|[\u2066-\u2069]", "", each) for each in headings] == [
        "A決勝 得点＝予選の半分＋A決勝",
        "予選 ",
    ]
    sorted_page = client.get(url("standings", tournament) + "?sort=number")
    assert "ledger-section" not in sorted_page.text
    for name, query in (
        ("standings", "?wall=1"),
        ("standings", "?class=一般"),
        ("awards", "?places=12"),
    ):
        text = client.get(url(name, tournament) + query).text
        assert text.count('class="ledger-section"') == 2, (name, query)
        assert re.search(r"[+]1.{0,200}[−]1", text, re.DOTALL)
    assert text.index("A決勝") < text.index("予選")
    assert not re.search("決勝 ?A?決勝", text + page.text)
    content = BytesIO(client.get(url("standings-workbook", tournament)).content)
    head, *cells = load_workbook(content, data_only=True).worksheets[0].values
    of_second = next(
        dict(zip(head, row, strict=True)) for row in cells if row[1] == rows[2].entry.name
    )
    assert of_second["ステージ"] == "A決勝"
    assert (of_second["得点"], of_second["持ち越し"], of_second["第2回戦"]) == points[2]
    assert_finalists_are_printed_first(director.get(url("award-list", tournament) + "?places=12"))
    for query, counted in (("", 3), ("?stage=1", 2), ("?stage=2", 1)):
        document = client.get(f"{base(tournament)}/standings{query}").json()
        assert document["rounds_counted"] == counted
        if query:  # rounds, sessions and absences are all those of the stage
            for row in document["standings"]:
                counts = row["rounds_played"], row["sessions_played"], row["absences"]
                assert counts == (1, 1, []), (query, row)
            played = client.get(url("standings", tournament) + query).context["table"].played
            assert set(played.values()) <= {0, 1}
    told = client.get(f"{base(tournament)}/standings").json()["standings"]
    assert [line["item"] for row in told for line in row["lines"]] == ["carried"] * 6
    publish(tournament, by=cast.SOMEBODY)
    assert list(client.get(url("standings", tournament)).context["table"].page_rows()) == list(
        table.page_rows()
    )


def test_player_page_shows_a_stage_as_the_standings_do(
    client: Client, director: Client, played: Sitting
) -> None:
    """No rank before a result, shared ranks as shared, and in which stage other points are."""
    tournament = played.session.tournament
    cast.in_english(client)
    show_live(tournament, by=cast.SOMEBODY)
    four = tournament.entries.get(number=4)
    two = tournament.entries.get(number=2)
    for number, entry in enumerate((two, four), 1):
        adjustments.adjust_points(tournament, number, entry, 4, by=cast.SOMEBODY, reason="手伝い")
    alone = client.get(url("player", tournament, 4))
    assert "in the points of" not in alone.text
    stages.make_confirmed(tournament, WINNERS)

    def text(number: int, part: str) -> str:
        page = client.get(url("player", tournament, number)).text
        plain = re.sub("[\u2066-\u2069]", "", re.sub("<[^>]+>", " ", page[page.index(part) :]))
        return " ".join(plain[: plain.index("At the table")].split())

    for number in (2, 4):
        shown = text(number, 'id="stages-title"')
        assert "Qualifying Rank 1 tied · +5" in shown
        assert "決勝 No result yet · Points carried over" in shown.replace("Final", "決勝")
        assert "手伝い +4 (in the points of Qualifying )" in text(number, "outside the")
    six = tournament.entries.filter(number__lt=7)
    final = seating.open_session(tournament, [list(six)], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    rows = client.get(url("standings", tournament) + "?stage=2").context["table"].data
    for row in rows:
        shown = text(row.entry.number, 'id="stages-title"').replace("Final", "決勝")
        assert row.place
        tied = " tied" if row.place.tied else ""
        assert f"決勝 Rank {row.place.rank}{tied} ·" in shown


def test_standings_can_be_limited_to_a_stage(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_confirmed(tournament, WINNERS)
    page = director.get(url("standings", tournament) + "?stage=2")
    assert [row.entry.number for row in page.context["table"].data] == [2, 4, 5]
    assert page.context["progress"].counted == 0  # of the first stage, one
    for query in ("", "?stage=1", "?stage=1&wall=1", "?stage=2&wall=1"):
        assert director.get(url("standings", tournament) + query).status_code == 200
    assert director.get(url("standings", tournament) + "?stage=9").status_code == 404
    assert director.get(url("standings-workbook", tournament)).status_code == 200
    player = in_english(director).get(url("player", tournament, 2)).content.decode()
    assert "Points carried over: +1" in player
