"""The history of an event and of a round, and what a correction would change."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.db.models.signals import post_init
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests import cast, stages
from tournaments import audit, verification
from tournaments.models import AuditEntry, Round, Sitting
from tournaments.queries.corrections import correction_of, versions_of
from tournaments.queries.sheets import sheet_of
from tournaments.services import closing, phones, seating
from tournaments.services.table_players import change_players
from tournaments.views.history import ROWS_A_PAGE


def other(sitting: Sitting) -> dict[str, Any]:
    """The kankei win the first deal and lose the second: other sides, other points."""
    return cast.plain_round(sitting) | {"kankei": cast.keys(sitting)[1:3]}


def address(sitting: Sitting, name: str, *numbers: int) -> str:
    session = sitting.session
    if not numbers:
        return reverse(name, args=[session.tournament.slug])
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number, *numbers])


def fields(facts: dict[str, Any], seen: int, **others: Any) -> dict[str, Any]:
    deals = {
        f"deal_{i}_{key}": value
        for i, deal in enumerate(facts["deals"], 1)
        for key, value in deal.items()
    }
    same = {"dealer": facts["dealer"], "trump": "clubs", "kankei": facts["kankei"]}
    return same | deals | {"seen": seen} | others


def test_page_shows_the_last_entry_and_its_digest(scorekeeper: Client, sitting: Sitting) -> None:
    """Whoever notes it down can detect later that entries were cut off."""
    cast.record(sitting)
    cast.record(sitting, other(sitting), seen=1, reason="訂正")
    last = AuditEntry.objects.latest("number")
    page = cast.in_english(scorekeeper).get(address(sitting, "history"), {"kind": "rules_set"})
    ending = f"number {last.number}, with check code {last.digest[:12]}."
    assert ending in page.content.decode()


def test_correction_previews_points_and_places(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting)
    typed = fields(other(sitting), seen=1)
    answer = cast.in_english(scorekeeper).post(address(sitting, "preview-round", 1), typed)
    html = answer.json()["html"]
    assert "Players whose points or rank change" in html
    assert "→" in html
    assert Round.objects.count() == 1


def test_preview_of_a_correction_equals_the_result(sitting: Sitting) -> None:
    cast.record(sitting)
    tournament = sitting.session.tournament
    correction = correction_of(sheet_of(sitting), 1, other(sitting))
    assert correction is not None
    before = {row.entry.pk: row.place for row in cast.standings_for(tournament)}
    cast.record(sitting, other(sitting), seen=1, reason="misread")
    after = {row.entry.pk: row.place for row in cast.standings_for(tournament)}
    told = {move.after.entry.pk: move.after.place for move in correction.moves}
    assert told
    assert {pk for pk in after if after[pk] != before[pk]} >= set(told)
    assert all(after[pk] == place for pk, place in told.items())
    score = sheet_of(sitting).score.rounds[0]
    assert [each.new for each in correction.points] == list(score.points.values())


def test_impossible_facts_change_nothing(sitting: Sitting) -> None:
    cast.record(sitting)
    assert correction_of(sheet_of(sitting), 1, {"kankei": []}) is None


@pytest.mark.both
def test_sessions_seated_since_are_named(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting)
    tournament = sitting.session.tournament
    seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    correction = correction_of(sheet_of(sitting), 1, other(sitting))
    assert correction is not None
    assert correction.seated_since == (2,)
    preview = address(sitting, "preview-round", 1)
    answer = cast.in_english(scorekeeper).post(preview, fields(other(sitting), seen=1))
    assert "Session 2 has been seated since." in answer.json()["html"]


def test_correction_says_whether_others_would_go_on(
    scorekeeper: Client, director: Client, sitting: Sitting
) -> None:
    """Before it is saved, then on the board and where it is published; after closing, too."""
    cast.record(sitting)
    tournament = sitting.session.tournament
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    closing.close(tournament, by=cast.SOMEBODY)
    preview, typed = address(sitting, "preview-round", 1), fields(other(sitting), seen=1)
    html = cast.in_english(scorekeeper).post(preview, typed).json()["html"]
    said = "different players would advance to "
    assert f"With this correction, {said}" in html
    assert said not in scorekeeper.get(address(sitting, "board")).text
    cast.record(sitting, other(sitting), seen=1, reason="misread")
    board = scorekeeper.get(address(sitting, "board")).text
    assert f"By the results as they are now, {said}" in board
    assert said in cast.in_english(director).get(address(sitting, "publish")).text


def test_a_rounds_history_has_every_version(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting)
    cast.record(sitting, other(sitting), seen=1, reason="席の読み違い")
    page = scorekeeper.get(address(sitting, "round-history", 1))
    assert page.status_code == 200
    assert [version.row.version for version in page.context["versions"]] == [2, 1]
    assert "席の読み違い" in page.content.decode()
    newest = versions_of(sheet_of(sitting), 1)[0]
    assert newest.is_in_force
    assert newest.changed_points


def test_earlier_version_is_stored_again_as_a_correction(
    scorekeeper: Client, sitting: Sitting
) -> None:
    first = cast.record(sitting)
    cast.record(sitting, other(sitting), seen=1, reason="misread")
    record = address(sitting, "record-round", 1)
    form = cast.in_english(scorekeeper).get(f"{record}?version=1").context["form"]
    assert form["kankei"].value() == first.facts["kankei"]
    assert form["reason"].value() == "Version 1 restored"
    typed = fields(first.facts, seen=form["seen"].value(), reason=form["reason"].value())
    assert scorekeeper.post(record, typed).status_code == 302
    assert Round.objects.latest("version").version == 3
    assert sheet_of(sitting).rows[0].facts["kankei"] == first.facts["kankei"]
    assert verification.verify(sitting.session.tournament) == []
    for nonsense in ("9", "x", "-1", "1" * 30):
        assert scorekeeper.get(f"{record}?version={nonsense}").status_code == 404


def test_only_the_staff_sees_a_rounds_history(
    client: Client, stranger: Client, scorekeeper: Client, sitting: Sitting
) -> None:
    cast.record(sitting)
    history = address(sitting, "round-history", 1)
    assert [browser.get(history).status_code for browser in (client, stranger, scorekeeper)] == [
        *(404, 404),
        200,
    ]


@pytest.mark.both
def test_history_is_filtered_by_kind_table_person_and_text(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.record(sitting)
    cast.record(sitting, other(sitting), seen=1, reason="髙橋の席の読み違い")
    everything = address(sitting, "history")

    def found(**asked_for: str) -> list[str]:
        table = scorekeeper.get(everything, asked_for).context["table"]
        return [act.kind for act in table.data]

    assert found()[0] == "round_corrected"
    assert found(kind="round_recorded") == ["round_recorded"]
    for typed in ("読み違い", "高橋の 席"):
        assert found(text=typed) == ["round_corrected"]
    assert found(session="1", table="1") == ["round_corrected", "round_recorded"]
    assert found(who="nobody") == []
    assert found(text="\x00", kind="\x00", table="\x00")
    away = cast.make_entries(sitting.session.tournament, 1)
    players = [*sheet_of(sitting).entries[:-1], *away]
    keys = list(sheet_of(sitting).players)
    goes_on = change_players(sitting, players, seen_players=keys, by=cast.SOMEBODY)
    cast.record(goes_on)
    assert found(session="1", table="1")[:2] == ["round_recorded", "players_changed"]
    assert goes_on.number == 2
    assert found(table="2") == []  # no page calls a table so


def test_the_events_history_is_exported(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting)
    cast.record(sitting, other(sitting), seen=1, reason="=1+1")
    answer = scorekeeper.get(address(sitting, "history-workbook"), {"kind": "round_corrected"})
    sheet = load_workbook(BytesIO(answer.content)).active
    assert sheet is not None
    rows = list(sheet.iter_rows(values_only=True))
    assert len(rows) == 2
    assert "=1+1" in rows[1]
    assert any("成田 キヨ" in str(cell) for cell in rows[1])


def test_columns_of_entries_and_players_have_different_titles(
    scorekeeper: Client, sitting: Sitting
) -> None:
    history = scorekeeper.get(address(sitting, "history")).content.decode()
    players = scorekeeper.get(address(sitting, "entries")).content.decode()
    assert "通し番号" in history
    assert ">番号</th>" in players


@pytest.mark.both
def test_filter_by_person_names_phones_with_their_table(
    scorekeeper: Client, sitting: Sitting
) -> None:
    phone = phones.join(sitting.token).phone
    page = cast.in_english(scorekeeper).get(address(sitting, "history"))
    said = dict(page.context["people"])
    assert said["somebody"] == "somebody"
    assert said[f"table #{phone.pk}"] == f"the table, phone {phone.pk} · Session 1 · Table 1"
    chosen = scorekeeper.get(address(sitting, "history"), {"who": f"table #{phone.pk}"})
    assert {row.record.who for row in chosen.context["table"].rows} == {f"table #{phone.pk}"}


def test_entry_about_a_round_links_to_its_history(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting)
    page = scorekeeper.get(reverse("history", args=[sitting.session.tournament.slug])).text
    assert f'<a href="{address(sitting, "round-history", 1)}">' in page
    book = scorekeeper.get(
        reverse("history-workbook", args=[sitting.session.tournament.slug])
    ).content
    cells = [cell for row in load_workbook(BytesIO(book)).active.iter_rows() for cell in row]  # type: ignore[union-attr]
    assert len(cells) > 10
    assert not any("<a" in str(cell.value) for cell in cells)


@pytest.mark.both
def test_page_reads_only_the_entries_shown(scorekeeper: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    for _ in range(2 * ROWS_A_PAGE):
        audit.append_entry(
            tournament,
            AuditEntry.Kind.PIN_MADE,
            cast.SOMEBODY,
            subject=audit.table_subject(sitting),
        )
    read: list[int] = []

    def note(instance: AuditEntry, **_: Any) -> None:
        read.append(instance.number)

    asked_for = {"session": "1", "table": "1", "kind": "pin_made", "page": "2"}
    post_init.connect(note, sender=AuditEntry)
    try:
        page = scorekeeper.get(address(sitting, "history"), asked_for)
    finally:
        post_init.disconnect(note, sender=AuditEntry)
    assert len(page.context["table"].page.object_list) == ROWS_A_PAGE
    assert len(read) == ROWS_A_PAGE
    for nonsense in ("9" * 30, "x", "-1", "²"):
        nothing = scorekeeper.get(address(sitting, "history"), {"table": nonsense})
        assert not nothing.context["table"].rows
