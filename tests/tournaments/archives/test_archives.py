"""An event in one file: it comes back as it was."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

import scoring
from scoring.answers import answer
from tests import cast, events
from tests.archive_files import made_up, resealed, unpacked
from tests.private import PRIVATE, private_in
from tournaments import archives, audit, verification
from tournaments.archives.writing import in_order
from tournaments.models import AuditEntry, Receipt, Sitting, Tournament
from tournaments.queries.standings import sheets_for
from tournaments.services import phones, tournaments

pytestmark = pytest.mark.django_db
RULE_SETS = [rule_set.slug for rule_set in scoring.RULE_SETS]


@pytest.fixture
def browser(owner: User) -> Client:
    return cast.browser_of(owner)


def moved(event: Tournament, by: audit.Actor, *, private: bool = True) -> Tournament:
    """Return the event after it has gone from here and come back."""
    content = archives.archived(event, private=private)
    events.forget(event)
    return archives.bring_in(content, by=by)


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_it_comes_back_as_it_was(rule_set: str, by: audit.Actor, browser: Client) -> None:
    event = events.full_event(rule_set)
    assert verification.verify(event) == []
    before, acts = events.said_of(event, browser), list(event.audit_entries.values_list("digest"))
    again = moved(event, by)
    assert events.said_of(again, browser) == before
    assert list(again.audit_entries.values_list("digest"))[: len(acts)] == acts
    assert verification.verify(again) == []


def test_every_value_comes_back(event: Tournament, by: audit.Actor) -> None:
    """But for numbers that only the database knows, and what opens tables."""
    before = events.rows()
    moved(event, by)
    after = events.rows()
    for name, known in before.items():
        if name in {"Phone", "Membership"}:
            continue
        stay_behind = {name for row in known for name in row if name.endswith("_id")}
        stay_behind |= {"id", "token", "pin", "last_act"}
        came = [
            sorted(repr(in_order(without(row, stay_behind))) for row in each)
            for each in (known, [row for row in after[name] if not is_new(name, row, known)])
        ]
        assert came[0] == came[1], name


def is_new(name: str, row: dict[str, Any], known: list[Any]) -> bool:
    """Return whether this is an act that bringing in has added."""
    return name == "AuditEntry" and row["number"] > len(known)


def without(row: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def test_the_same_event_is_the_same_bytes(event: Tournament) -> None:
    assert archives.archived(event, private=True) == archives.archived(event, private=True)


def test_what_was_brought_in_can_be_archived_again(event: Tournament, by: audit.Actor) -> None:
    again = moved(moved(event, by), by)
    kinds = list(again.audit_entries.values_list("kind", flat=True))
    assert kinds.count(AuditEntry.Kind.ARCHIVE_READ) == 2


def test_whoever_brings_it_in_directs_it(event: Tournament, by: audit.Actor) -> None:
    again = moved(event, by)
    assert [(each.user, each.role) for each in again.memberships.all()] == [(by.user, "director")]


def test_the_trail_tells_of_the_file(event: Tournament, by: audit.Actor) -> None:
    content = archives.archived(event, private=False)
    events.forget(event)
    act = archives.bring_in(content, by=by).audit_entries.get(kind=AuditEntry.Kind.ARCHIVE_READ)
    assert act.who == "owner"
    assert act.new is not None
    assert act.new["digest"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("private", [True, False])
def test_private_data_come_only_when_asked_for(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    again = moved(event, by, private=private)
    kept = again.entries.values("contact", "birth_year", "notes").get(number=1)
    assert kept == (PRIVATE if private else {"contact": "", "birth_year": None, "notes": ""})


@pytest.mark.parametrize("private", [True, False])
def test_nothing_private_is_in_what_is_given_away(event: Tournament, *, private: bool) -> None:
    text = unpacked(archives.archived(event, private=private))["event.json"].decode()
    assert private_in(text) == (set(PRIVATE) if private else set())


@pytest.mark.parametrize("private", [True, False])
def test_what_is_private_is_watched_after_a_move_as_before(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    again = moved(moved(event, by, private=private), by)
    assert verification.verify(again) == []
    again.entries.filter(number=1).update(birth_year=1900)
    assert len(verification.verify(again)) == 1


def test_new_links_and_phones_are_watched_after_a_move(event: Tournament, by: audit.Actor) -> None:
    again = moved(event, by)
    sitting = Sitting.objects.filter(session__tournament=again, closed_at=None)[0]
    phones.join(sitting.token)
    assert verification.verify(again) == []
    Sitting.objects.filter(pk=sitting.pk).update(token="another", pin="another")
    sitting.phones.create(digest="0" * 64)
    assert len(verification.verify(again)) == 3


def test_an_archive_of_the_first_version_still_comes_in(event: Tournament, by: audit.Actor) -> None:
    """As it was when no act told a digest and no entry had a salt."""
    events.as_before_digests(event)
    event.entries.update(salt="")
    content = archives.archived(event, private=True)
    events.forget(event)

    def older(manifest: Any, told: Any) -> None:
        manifest["version"] = 1
        for entry in told["entries"]:
            del entry["private"]["salt"]

    again = archives.bring_in(made_up(content, older), by=by)
    assert again.entries.get(number=1).contact == PRIVATE["contact"]


def test_an_archive_from_before_ended_sessions_were_announced_comes_in(
    gone: bytes, by: audit.Actor
) -> None:
    def older(_manifest: Any, told: Any) -> None:
        content = told["publications"][0]["content"]
        planned = told["tournament"]["rounds_per_session"]
        assert [each.pop("ended_at") is None for each in content["sessions"]] == [False, True]
        content["progress"]["planned"] = planned + 1  # as of a session that goes on, and a table

    again = archives.bring_in(resealed(gone, older), by=by)
    assert verification.verify(again) == []
    assert Client().get(again.get_absolute_url()).status_code == 200


def test_what_opens_tables_stays_behind(event: Tournament, by: audit.Actor) -> None:
    tokens = set(Sitting.objects.values_list("token", flat=True))
    content = archives.archived(event, private=True)
    for token in tokens:
        assert token.encode() not in unpacked(content)["event.json"]
    events.forget(event)
    again = archives.bring_in(content, by=by)
    found = Sitting.objects.filter(session__tournament=again)
    assert not tokens & set(found.values_list("token", flat=True))


def test_a_request_that_comes_again_after_the_move_is_known(
    event: Tournament, by: audit.Actor
) -> None:
    columns = ("number", "key", "request", "answer", "at", "digest")
    known = list(event.receipts.order_by("number").values(*columns))
    again = moved(event, by)
    assert list(again.receipts.order_by("number").values(*columns)) == known


def test_a_club_s_table_moves_too(by: audit.Actor) -> None:
    rules = scoring.choose(scoring.get_rule_set("gouji"))
    sitting = tournaments.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=cast.SOMEBODY
    )
    cast.record(sitting)
    again = moved(sitting.session.tournament, by)
    assert again.kind == Tournament.Kind.TABLE


def test_an_empty_event_is_one_too(by: audit.Actor) -> None:
    event = Tournament(name="空の大会")
    rules = scoring.choose(scoring.get_rule_set("gouji"))
    tournaments.create_tournament(event, rules, by=cast.SOMEBODY)
    assert moved(event, by).entries.count() == 0


def test_nothing_is_kept_under_the_same_key_twice(gone: bytes, by: audit.Actor) -> None:
    again = archives.bring_in(gone, by=by)
    assert Receipt.objects.filter(tournament=again).count() == 2


def test_it_holds_the_records_that_anybody_can_score(event: Tournament) -> None:
    records = unpacked(archives.archived(event, private=False))["records.jsonl"]
    scored = [answer(line) for line in records.splitlines()]
    assert scored
    assert all(each["ok"] for each in scored)
    sheets = [sheet for sheet in sheets_for(event) if sheet.rows and not sheet.is_totals_only]
    assert [each["totals"] for each in scored] == [sheet.score.totals for sheet in sheets]
