"""An event that is exported and imported again is unchanged."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import scoring
from scoring.answers import answer
from tests import cast, event_exports, events
from tests.archive_files import resealed, unpacked
from tests.private_data import PRIVATE, private_in
from tournaments import archives, audit, verification
from tournaments.archives.exporting import sort_keys
from tournaments.archives.schema import EARLIER_VERSIONS, VERSION
from tournaments.models import AuditEntry, Receipt, SeatProposal, Sitting, Tournament
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.sheets import sheets_for
from tournaments.services import phones, tournaments
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish, show_live
from tournaments.services.seating import PlayOffPlan
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db
RULE_SETS = [rule_set.slug for rule_set in scoring.RULE_SETS]
KEPT = Path(__file__).with_name("kept")
ONE_OF_EACH_KIND = {"goninkan-association", "gong-zhu", "gouji"}


@pytest.fixture
def browser(owner: User) -> Client:
    return cast.browser_of(owner)


def export_and_import(event: Tournament, by: audit.Actor, *, private: bool = True) -> Tournament:
    """Also deletes the exported event before the import."""
    content = archives.export_archive(event, with_private=private)
    events.forget(event)
    return archives.import_archive(content, by=by)


@pytest.mark.parametrize(
    "rule_set",
    [
        # On PostgreSQL one of each kind: rules are not stored otherwise.
        pytest.param(slug, marks=[] if slug in ONE_OF_EACH_KIND else [pytest.mark.alike])
        for slug in RULE_SETS
    ],
)
def test_import_restores_pages_and_audit_trail(
    rule_set: str, event: Tournament, by: audit.Actor, browser: Client
) -> None:
    """One rule set of each kind has rows of every model, the others have a published round."""
    if rule_set != event.rule_set:
        events.forget(event)  # so that the other one is the only one to be listed
        make = events.full_event if rule_set in ONE_OF_EACH_KIND else make_played
        event = make(rule_set)
    assert verification.verify(event) == []
    assert_listed(event)
    before, entries = (
        event_exports.exports_of(event, browser),
        list(event.audit_entries.values_list("digest")),
    )
    imported = export_and_import(event, by)
    assert event_exports.exports_of(imported, browser) == before
    assert list(imported.audit_entries.values_list("digest"))[: len(entries)] == entries
    assert verification.verify(imported) == []
    assert_listed(imported)


def make_played(rule_set: str) -> Tournament:
    """Return an event with a published round, and with every option off its default."""
    rules = events.off_their_default(scoring.get_rule_set(rule_set))
    tournament = Tournament(name="秋の大会", rounds_per_session=rules.rule_set.rounds)
    tournaments.create_tournament(tournament, rules, by=cast.SOMEBODY)
    cast.record(cast.make_sitting(tournament))
    show_live(tournament, by=cast.SOMEBODY)
    publish(tournament, by=cast.SOMEBODY)
    return Tournament.objects.get(pk=tournament.pk)


def assert_listed(published: Tournament) -> None:
    """Assert that strangers find a published event in the API's list and on the front page."""
    stranger = Client()
    listed = stranger.get(reverse("api-tournaments")).json()["tournaments"]
    assert [each["options"] for each in listed] == [published.options]
    assert published.name in stranger.get(reverse("home")).content.decode()


# Columns that have their default in every row of the example event, and why.
AT_DEFAULT = {
    ("Clock", "paused_seconds"): "its pauses take no time; services/test_clocks.py",
    ("Draw", "nth"): "it seats no session as planned; views/test_schedules.py",
    ("Tournament", "partners"): "only four have partners; scoring/test_examples.py",
    ("Tournament", "closed_at"): "nothing can be done in a closed event; views/test_closing.py",
    (
        "Tournament",
        "removed_at",
    ): "it has no archive then; views/test_tournaments_removed.py",
}


def test_no_column_of_the_example_has_its_default_in_every_row(event: Tournament) -> None:
    """A column that only has its default could be left out anywhere unnoticed."""
    found = {
        (model.__name__, field.name)
        for model in events.OF_A_TOURNAMENT
        for field in model._meta.concrete_fields
        if model is not SeatProposal  # a working paper: neither exported nor verified
        and set(map(repr, model._default_manager.values_list(field.attname, flat=True)))
        <= {repr(field.get_default()), repr(None), repr("")}
    }
    assert found == AT_DEFAULT.keys()


def test_import_restores_every_column(event: Tournament, by: audit.Actor) -> None:
    """Except primary keys, and tokens, PINs and keys of tables."""
    before = events.rows()
    export_and_import(event, by)
    after = events.rows()
    for name, known in before.items():
        if name in {"Phone", "Membership", "SeriesEvent"}:
            continue
        not_exported = {name for row in known for name in row if name.endswith("_id")}
        not_exported |= {"id", "token", "pin", "last_act"}
        not_exported |= {"key"} if name == "Sitting" else set()
        values = [
            sorted(repr(sort_keys(without(row, not_exported))) for row in each)
            for each in (
                known,
                [row for row in after[name] if not is_entry_of_import(name, row, known)],
            )
        ]
        assert values[0] == values[1], name


def is_entry_of_import(name: str, row: dict[str, Any], known: list[Any]) -> bool:
    return name == "AuditEntry" and row["number"] > len(known)


def without(row: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def test_export_is_deterministic(event: Tournament) -> None:
    assert archives.export_archive(event, with_private=True) == archives.export_archive(
        event, with_private=True
    )


def test_imported_event_can_be_exported_again(event: Tournament, by: audit.Actor) -> None:
    imported = export_and_import(export_and_import(event, by), by)
    kinds = list(imported.audit_entries.values_list("kind", flat=True))
    assert kinds.count(AuditEntry.Kind.ARCHIVE_READ) == 2


def test_importer_becomes_director(event: Tournament, by: audit.Actor) -> None:
    imported = export_and_import(event, by)
    assert [(each.user, each.role) for each in imported.memberships.all()] == [
        (by.user, "director")
    ]


def test_audit_entry_holds_the_digest_of_the_file(event: Tournament, by: audit.Actor) -> None:
    content = archives.export_archive(event, with_private=False)
    events.forget(event)
    entry = archives.import_archive(content, by=by).audit_entries.get(
        kind=AuditEntry.Kind.ARCHIVE_READ
    )
    assert entry.who == "owner"
    assert entry.new is not None
    assert entry.new["digest"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("private", [True, False])
def test_private_data_are_imported_only_if_exported(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    imported = export_and_import(event, by, private=private)
    kept = imported.entries.values("contact", "birth_year", "notes").get(number=1)
    assert kept == (PRIVATE if private else {"contact": "", "birth_year": None, "notes": ""})


@pytest.mark.parametrize("private", [True, False])
def test_private_data_are_exported_only_on_request(event: Tournament, *, private: bool) -> None:
    text = unpacked(archives.export_archive(event, with_private=private))["event.json"].decode()
    assert private_in(text) == (set(PRIVATE) if private else set())


@pytest.mark.parametrize("private", [True, False])
def test_private_data_are_verified_after_an_import(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    imported = export_and_import(export_and_import(event, by, private=private), by)
    assert verification.verify(imported) == []
    imported.entries.filter(number=1).update(birth_year=1900)
    assert len(verification.verify(imported)) == 1


def test_new_links_and_phones_are_verified_after_an_import(
    event: Tournament, by: audit.Actor
) -> None:
    imported = export_and_import(event, by)
    sitting = Sitting.objects.filter(session__tournament=imported, closed_at=None)[0]
    phones.join(sitting.token)
    assert verification.verify(imported) == []
    Sitting.objects.filter(pk=sitting.pk).update(token="another", pin="another")
    sitting.phones.create(digest="0" * 64)
    assert len(verification.verify(imported)) == 3


@pytest.mark.parametrize("version", [*EARLIER_VERSIONS, VERSION])
def test_first_archive_of_each_version_is_imported(
    version: int, by: audit.Actor, browser: Client
) -> None:
    """Version 1 had no digests of links, PINs and private facts; both had no roll calls yet."""
    content = (KEPT / f"version-{version}.makiyaku.zip").read_bytes()
    imported = archives.import_archive(content, by=by)
    assert imported.entries.get(number=1).contact == PRIVATE["contact"]
    assert verification.verify(imported) == []
    for name in ("standings", "history", "api-tournament"):
        assert browser.get(reverse(name, args=[imported.slug])).status_code == 200
    assert archives.export_archive(imported, with_private=True)


def test_archive_without_ended_sessions_in_publications_is_imported(
    exported: bytes, by: audit.Actor
) -> None:
    def as_version_before(_manifest: Any, told: Any) -> None:
        content = told["publications"][0]["content"]
        planned = told["tournament"]["rounds_per_session"]
        assert [each.pop("ended_at") is None for each in content["sessions"]] == [False, True, True]
        content["progress"]["planned"] = (
            planned + 2
        )  # of a session that goes on, a table and a play-off

    imported = archives.import_archive(resealed(exported, as_version_before), by=by)
    assert verification.verify(imported) == []
    assert Client().get(imported.get_absolute_url()).status_code == 200


def test_link_tokens_are_not_exported(event: Tournament, by: audit.Actor) -> None:
    tokens = set(Sitting.objects.values_list("token", flat=True))
    content = archives.export_archive(event, with_private=True)
    for token in tokens:
        assert token.encode() not in unpacked(content)["event.json"]
    events.forget(event)
    imported = archives.import_archive(content, by=by)
    found = Sitting.objects.filter(session__tournament=imported)
    assert not tokens & set(found.values_list("token", flat=True))


def test_receipts_are_imported(event: Tournament, by: audit.Actor) -> None:
    columns = ("number", "key", "request", "answer", "at", "digest")
    known = list(event.receipts.order_by("number").values(*columns))
    imported = export_and_import(event, by)
    assert list(imported.receipts.order_by("number").values(*columns)) == known


def test_club_table_is_imported(by: audit.Actor) -> None:
    rules = scoring.choose(scoring.get_rule_set("gouji"))
    sitting = tournaments.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=cast.SOMEBODY
    )
    cast.record(sitting)
    imported = export_and_import(sitting.session.tournament, by)
    assert imported.kind == Tournament.Kind.TABLE


def test_play_off_is_imported(by: audit.Actor) -> None:
    tournament = cast.make_sitting().session.tournament
    plan, tables = PlayOffPlan([1, 2], rounds=1), [list(tournament.entries.all())]
    session = open_play_off(tournament, plan, tables, number=2, by=by)
    cast.record(session.sittings.get())
    imported = export_and_import(tournament, by)
    session = imported.sessions.get(number=2)
    assert (session.tied, session.rounds_planned) == ([1, 2], 1)
    assert verification.verify(imported) == []


def test_reasons_for_missed_sessions_are_imported(by: audit.Actor) -> None:
    """Who got up before the first round, and who joined later."""
    table = cast.make_sitting()
    tournament = table.session.tournament
    cast.make_entries(tournament, 2)
    entries = list(tournament.entries.all())
    change_players(table, entries[1:7], seen_players=cast.keys(table), by=by)
    cast.record(table)
    expected = {"1": {1: "table_not_played"}, "8": {1: "joined_later"}}
    assert ranking_facts(tournament).absences == expected
    assert ranking_facts(export_and_import(tournament, by)).absences == expected


def test_empty_event_is_imported(by: audit.Actor) -> None:
    event = Tournament(name="空の大会")
    rules = scoring.choose(scoring.get_rule_set("gouji"))
    tournaments.create_tournament(event, rules, by=cast.SOMEBODY)
    assert export_and_import(event, by).entries.count() == 0


def test_receipts_are_imported_once(exported: bytes, by: audit.Actor) -> None:
    imported = archives.import_archive(exported, by=by)
    assert Receipt.objects.filter(tournament=imported).count() == 2


def test_records_can_be_scored(event: Tournament) -> None:
    records = unpacked(archives.export_archive(event, with_private=False))["records.jsonl"]
    scored = [answer(line) for line in records.splitlines()]
    assert scored
    assert all(each["ok"] for each in scored)
    sheets = [sheet for sheet in sheets_for(event) if sheet.rows and not sheet.is_totals_only]
    assert [each["totals"] for each in scored] == [sheet.score.totals for sheet in sheets]
