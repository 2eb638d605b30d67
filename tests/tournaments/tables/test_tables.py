"""Tables are formatted on the page and plain in the workbook."""

import pytest
from django.template import Context, Template
from django.utils.translation import override

from tests.cast import (
    keys,
    make_entries,
    make_sitting,
    make_tournament,
    plain_round,
    record,
    standings_for,
)
from tournaments.i18n.facts_in_words import EntryContext
from tournaments.models import Entry, Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.queries.sheets import sheets_for
from tournaments.queries.standings import teams_of
from tournaments.tables import (
    ProjectorTable,
    RoundsTable,
    RulesTable,
    StandingsTable,
    TeamsTable,
)
from tournaments.tables.audit_entries import AuditTable
from tournaments.tables.page_tables import PageTable

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> object:
    with override("en"):
        yield


def rows_of(table: object) -> list[dict[str, object]]:
    header, *rows = table.as_values()  # type: ignore[attr-defined]
    return [dict(zip(header, row, strict=True)) for row in rows]


def standings(sitting: Sitting) -> StandingsTable:
    tournament = sitting.session.tournament
    return StandingsTable(standings_for(tournament), tournament, Event(tournament).names)


def test_points_are_signed_on_the_page_and_numbers_in_the_export() -> None:
    sitting = make_sitting()
    record(sitting)
    table = standings(sitting)
    assert table.rows[0].get_cell("points") == "+1"
    assert table.rows[5].get_cell("points") == "−1"
    assert [row["Points"] for row in rows_of(table)] == [1, 1, 1, -1, -1, -1]


def as_django_tables2_shows(table: PageTable) -> list[tuple[str, str]]:
    """Return the rows of a page with their classes, by the general machinery."""
    template = Template(
        '{% for column, cell in row.items %}<td class="{{ column.column.css }}">{{ cell }}</td>'
        "{% endfor %}"
    )
    rows = table.paginated_rows
    return [(row.attrs["class"], template.render(Context({"row": row}))) for row in rows]


def test_rows_of_pages_are_those_of_django_tables2() -> None:
    sitting = make_sitting(make_tournament("gouji", name="<&>"))
    Entry.objects.filter(number=2).update(name="<b>", club="&", division="甲")
    record(sitting)
    make_entries(sitting.session.tournament, 1)  # without a place
    tournament = sitting.session.tournament
    everybody, sheets = standings_for(tournament), sheets_for(tournament)
    assert teams_of(sheets)
    names = Event(tournament).names
    context = EntryContext({each.key: each.name for each in sheets[0].entries}, tournament.rules)
    entries = tournament.audit_entries.all()
    for make in (
        lambda: StandingsTable(everybody, tournament, names),
        lambda: ProjectorTable(everybody, tournament, names),
        lambda: TeamsTable(teams_of(sheets), names),
        lambda: AuditTable(entries, context, tournament.slug),
    ):
        shown = [(row.css, row.cells) for row in make().page_rows()]
        assert shown == as_django_tables2_shows(make())
        assert shown


def test_a_shared_rank_is_marked_on_the_page_and_a_number_in_the_export() -> None:
    sitting = make_sitting()
    record(sitting)
    table = standings(sitting)
    assert table.rows[0].get_cell("rank") == '1 <span class="tie">tied</span>'
    assert rows_of(table)[0]["Rank"] == 1


def test_player_without_rounds_has_no_numbers() -> None:
    sitting = make_sitting()
    table = standings(sitting)
    assert table.rows[0].get_cell("rank") == "–"
    assert rows_of(table)[0]["Rank"] is None
    assert rows_of(table)[0]["Points"] is None


@pytest.mark.both
def test_empty_columns_are_left_out() -> None:
    sitting = make_sitting()
    assert "Rank in class" not in next(standings(sitting).as_values())
    Entry.objects.update(division="", club="")
    header = next(standings(sitting).as_values())
    assert "Class" not in header
    assert not {"Club", "Team"} & set(header)
    Entry.objects.filter(number=1).update(team="ねぶた組")
    assert rows_of(standings(sitting))[0]["Team"] == "ねぶた組"
    Entry.objects.filter(number__gt=3).update(division="有段者")
    Entry.objects.filter(number__lt=3).update(division="一般")
    assert "Rank in class" in next(standings(sitting).as_values())


def test_deciding_tie_break_is_named() -> None:
    sitting = make_sitting()
    won = {"kankei": 9, "mukankei": 4}
    facts = plain_round(sitting)
    record(sitting, facts | {"deals": [won, won, won]})
    for number in range(2, 6):
        record(sitting, facts, number=number)
    decided = {row["Number"]: row["Decided by"] for row in rows_of(standings(sitting))}
    below = decided.pop(1)
    assert below == "vs above: Rounds won"
    assert "vs below: Rounds won" in decided.values()


def test_every_player_has_a_row_for_every_round() -> None:
    sitting = make_sitting()
    declared = {"kankei": 16, "mukankei": 0, "declaration": "juroku"}
    deals = [{"kankei": 9, "mukankei": 4}, declared, {"kankei": 9, "mukankei": 7}]
    record(sitting, plain_round(sitting) | {"deals": deals})
    record(sitting, plain_round(sitting) | {"deals": deals[:1]}, number=2)
    tournament = sitting.session.tournament
    rows = rows_of(RoundsTable(sheets_for(tournament), tournament.rules))
    assert len(rows) == 12
    first = rows[0]
    assert (first["Session"], first["Table"], first["Round"], first["Number"]) == (1, 1, 1, 1)
    assert (first["Points"], first["Side"], rows[1]["Side"]) == (13, "Kankei", "Mukankei")
    assert (first["Trump"], first["Dealer"]) == ("clubs", "木村 勇")
    assert (first["Deal 2: kankei"], first["Deal 2: mukankei"]) == (16, 0)
    assert (first["Deal 2: declared"], first.get("Deal 3: declared")) == ("Juroku", None)
    assert rows[6]["Points"] is None  # still under way
    assert rows[6]["Deal 2: kankei"] is None


def test_the_rounds_tell_chosen_trumps_versions_and_reasons() -> None:
    sitting = make_sitting()
    deals = [{"kankei": 9, "mukankei": 4}, {"kankei": 3, "mukankei": 9, "trump": "hearts"}]
    record(sitting)
    corrected = plain_round(sitting) | {"deals": deals}
    record(sitting, corrected, seen=1, reason="a deal was forgotten")
    tournament = sitting.session.tournament
    first = rows_of(RoundsTable(sheets_for(tournament), tournament.rules))[0]
    assert (first["Deal 2: trump"], first.get("Deal 3: trump")) == ("hearts", None)
    assert (first["Version"], first["Reason"]) == (2, "a deal was forgotten")


def test_gong_zhu_tells_who_took_which_cards() -> None:
    sitting = make_sitting(make_tournament("gong-zhu"), players=4)
    facts = plain_round(sitting) | {"exposed": ["SQ", "C10"]}
    record(sitting, facts)
    tournament = sitting.session.tournament
    rows = rows_of(RoundsTable(sheets_for(tournament), tournament.rules))
    assert str(rows[0]["Cards taken"]).startswith("♣10 ♦J ♥A ♥K ♥Q ♥J ♥10 ♥9")
    assert rows[1]["Cards taken"] is None
    assert rows[0]["Exposed cards"] == "♣10 ♠Q"


def test_gouji_tells_the_places_and_the_teams() -> None:
    sitting = make_sitting(make_tournament("gouji"))
    record(sitting, {"finish": list(reversed(keys(sitting)))})
    tournament = sitting.session.tournament
    rows = rows_of(RoundsTable(sheets_for(tournament), tournament.rules))
    assert [row["Order of going out"] for row in rows] == [6, 5, 4, 3, 2, 1]
    assert [row["Team"] for row in rows] == [1, 2, 1, 2, 1, 2]
    assert rows[0]["Team-mates"] == "対馬 ハル, 三上 ユキ"
    names = Event(tournament).names
    teams = rows_of(TeamsTable(teams_of(sheets_for(tournament)), names))
    assert [(team["Session"], team["Points"]) for team in teams] == [(1, -2), (1, 2)]
    tournament.sessions.update(tied=[1, 2])
    Tournament.objects.update(play_off_numbers=[1])
    sheets = sheets_for(tournament)
    teams = rows_of(TeamsTable(teams_of(sheets), names))
    assert [team["Session"] for team in teams] == ["Play-off"] * 2
    played = rows_of(RoundsTable(sheets, tournament.rules))[0]
    assert (played.get("Session"), played["Play-off"]) == (None, "Play-off")


def test_the_rules_tell_what_was_chosen_and_what_the_text_says() -> None:
    tournament = make_tournament(options={"skunk_kept_with_juroku": False}, points={"juroku": 10})
    sitting = make_sitting(tournament)
    record(sitting)
    rows = rows_of(RulesTable(Event(tournament)))
    by_name = {row["Item"]: row for row in rows}
    option = by_name["A successful juroku also scores the skunk"]
    assert (option["In force"], option["As in the text"]) == ("no", "yes")
    assert (by_name["Juroku"]["In force"], by_name["Juroku"]["As in the text"]) == (10, 8)
    assert option["Source"] == "『ゴニンカンの遊び方(五所川原)』"
    assert by_name["Rules code"]["In force"] == tournament.rules.fingerprint
    assert by_name["Rounds counted"]["In force"] == 1
    assert by_name["House rules"]["In force"] == "yes"
    assert [row["In force"] for row in rows if row["Part"] == "Places are decided by"] == [
        "Points",
        "Rounds won",
        "Best round",
    ]
    tournament.sessions.update(number=2, totals_only=True)
    Tournament.objects.update(play_off_numbers=[1])
    rows = rows_of(RulesTable(Event(Tournament.objects.get())))
    in_force = {row["Item"]: row["In force"] for row in rows}
    assert in_force["Sessions with typed totals only"] == "1"
