"""Exchanging two players: seats and records change together or not at all."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tests.cast import SOMEBODY
from tests.races import run_before
from tournaments import audit, verification
from tournaments.models import AuditEntry, Entry, Round, Session, Tournament
from tournaments.queries import corrections, exchanges
from tournaments.queries.events import Event
from tournaments.queries.sheets import sheet_of, sheets_for
from tournaments.services import disputes, rounds, seating
from tournaments.services.entries import add_entries, remove_entry
from tournaments.services.exchanges import exchange
from tournaments.services.play_offs import open_play_off
from tournaments.services.table_players import change_players
from tournaments.views import exchanges as exchange_view


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six with a round each; a thirteenth player has no seat."""
    entries = cast.make_entries(tournament, 13)
    session = seating.open_session(tournament, [entries[:6], entries[6:12]], by=cast.SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    return session


def address(session: Session) -> str:
    return reverse("exchange-players", args=[session.tournament.slug, session.number])


def round_address(session: Session, name: str) -> str:
    return reverse(name, args=[session.tournament.slug, session.number, 1, 1])


def totals(tournament: Tournament) -> dict[int, int]:
    rows = cast.standings_for(tournament)
    return {row.entry.number: row.place.points for row in rows if row.place}


def contents() -> list[Any]:
    models: tuple[Any, ...] = (Round, AuditEntry, Session)
    return [list(model.objects.order_by("pk").values()) for model in models]


def ask(browser: Client, session: Session, one: int, other: int) -> Any:
    typed = {"one": str(one), "other": str(other), "reason": "席の取り違え"}
    return browser.post(address(session), typed, follow=True)


def confirm(browser: Client, session: Session, one: int, other: int) -> Any:
    stamp = ask(browser, session, one, other).context["planned"].stamp
    typed = {"one": one, "other": other, "reason": "席の取り違え", "seen": stamp, "confirm": "yes"}
    return browser.post(address(session), typed)


def test_tied_player_is_not_taken_out_of_a_play_off(scorekeeper: Client, session: Session) -> None:
    tables = [entry for table in seating.seating_of(session)[:1] for entry in table]
    plan = seating.PlayOffPlan([1, 2], rounds=1)
    played_off = open_play_off(session.tournament, plan, [tables], number=2, by=SOMEBODY)
    refused = ask(scorekeeper, played_off, 1, 13)
    assert refused.status_code == 422
    assert str(seating.TiedLeave.sentence) in refused.content.decode()
    for one, other in ((1, 2), (3, 13)):
        assert confirm(scorekeeper, played_off, one, other).status_code == 302
    with pytest.raises(seating.TiedLeave):
        exchange(
            played_off,
            *session.tournament.entries.filter(number__in=(2, 12)),
            seen_stamp="",
            by=SOMEBODY,
            reason="",
        )


@pytest.mark.parametrize("other", [2, 8, 13], ids=["same table", "another table", "substitute"])
def test_points_follow_the_seat(scorekeeper: Client, session: Session, other: int) -> None:
    before = totals(session.tournament)
    assert confirm(scorekeeper, session, 1, other).status_code == 302
    after = totals(session.tournament)
    assert after[other] == before[1]
    assert after.get(1) == before.get(other)
    others = set(before) - {1, other}
    assert {number: after[number] for number in others} == {n: before[n] for n in others}
    assert verification.verify(session.tournament) == []
    told = session.tournament.audit_entries.get(kind="players_exchanged")
    assert told.reason == "席の取り違え"


@pytest.mark.parametrize("other", [2, 8, 13], ids=["same table", "another table", "substitute"])
def test_every_round_follows_the_seat(scorekeeper: Client, session: Session, other: int) -> None:
    sitting = session.sittings.get(number=1)
    for number, dealer, kankei in ((2, "1", ["3", "4"]), (3, "2", ["1", "4"])):
        facts = cast.plain_round(sitting) | {"dealer": dealer, "kankei": kankei}
        cast.record(sitting, facts, number=number)
    before = totals(session.tournament)
    assert confirm(scorekeeper, session, 1, other).status_code == 302
    after = totals(session.tournament)
    assert (after[other], after.get(1)) == (before[1], before.get(other))
    assert verification.verify(session.tournament) == []


def test_preview_changes_nothing(scorekeeper: Client, session: Session) -> None:
    before = contents()
    answer = ask(scorekeeper, session, 1, 8)
    assert answer.status_code == 200
    [(shown_at, redirected)] = answer.redirect_chain  # can be reloaded
    assert redirected == 302
    assert scorekeeper.get(shown_at).context["planned"].stamp == answer.context["planned"].stamp
    assert scorekeeper.get(shown_at.replace("other=8", "other=99")).status_code == 422
    assert [move.name for move in answer.context["planned"].moves]
    assert contents() == before
    confirm(scorekeeper, session, 1, 8)
    gone_back = scorekeeper.get(shown_at)  # not to the result of the opposite exchange
    assert "planned" not in gone_back.context
    assert "入れ替えはすでに済んでいます" in gone_back.text
    confirm(scorekeeper, session, 1, 9)
    assert "どちらかの席が変わりました" in scorekeeper.get(shown_at).text


def test_preview_equals_the_result(scorekeeper: Client, session: Session) -> None:
    planned = ask(scorekeeper, session, 1, 8).context["planned"]
    confirm(scorekeeper, session, 1, 8)
    now = {sheet.sitting.pk: sheet for sheet in sheets_for(session.tournament)}
    assert len(planned.after) == 2
    for sheet in planned.after:
        assert now[sheet.sitting.pk].score.totals == sheet.score.totals
        assert now[sheet.sitting.pk].players == sheet.players


@pytest.mark.both
def test_old_versions_stay(scorekeeper: Client, session: Session) -> None:
    confirm(scorekeeper, session, 1, 13)
    versions = Round.objects.filter(sitting__number=1).order_by("version")
    assert [row.facts["kankei"] for row in versions] == [["1", "3"], ["13", "3"]]
    assert [row.reason for row in versions] == ["", "席の取り違え"]


@pytest.mark.parametrize("other", [2, 8, 13], ids=["same table", "another table", "substitute"])
def test_earlier_versions_name_the_exchanged_player(
    scorekeeper: Client, session: Session, other: int
) -> None:
    sitting = session.sittings.get(number=1)
    new = cast.plain_round(sitting) | {"kankei": ["2", "3"]}
    cast.record(sitting, new, seen=1, reason="見間違い")
    confirm(scorekeeper, session, 1, other)
    cast.record(sitting, number=2)
    confirm(scorekeeper, session, 4, 5)
    names = {"1": str(other), str(other): "1"}
    answer = scorekeeper.get(round_address(session, "round-history"))
    history = answer.context["versions"]
    key_of = {name: key for key, name in Event(session.tournament).names.items()}
    renamed = [
        {key_of[before]: key_of[now] for before, now in version.renamed}
        for version in history[::-1]
    ]
    recorded = [row.facts for row in sitting.rounds.filter(number=1).order_by("version")]
    assert renamed[2:] == [{}] * (len(recorded) - 2)  # the exchange itself wrote the third, if any
    for facts, other_names in zip(recorded, renamed[:2], strict=False):
        named = {facts["dealer"], *facts["kankei"]}
        assert other_names == {key: names[key] for key in named & set(names)}, facts
    assert answer.text.count("の名前で記録されました") == sum(map(len, renamed))
    told = [version.played.facts.kankei for version in history[::-1]]
    expected = [[names.get(each, each) for each in pair] for pair in (["1", "3"], ["2", "3"])]
    assert [sorted(each) for each in (told[0], told[1])] == [sorted(each) for each in expected]
    assert sorted(told[-1]) == sorted(expected[1])
    page = scorekeeper.get(round_address(session, "record-round"), {"version": 1})
    assert sorted(page.context["form"].initial["kankei"]) == sorted(expected[0])


def test_rounds_set_aside_name_the_exchanged_player(db: None) -> None:
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, players=4)
    for number in (1, 2):
        cast.record(sitting, number=number)
    Round.objects.create(sitting=sitting, number=2, version=2, facts={}, reason="x", who="desk")
    substitute = cast.make_entries(tournament, 1)[0]
    first = tournament.entries.get(number=1)
    stamp = exchanges.plan_exchange(sitting.session, first, substitute).stamp
    exchange(
        sitting.session, first, substitute, seen_stamp=stamp, by=cast.SOMEBODY, reason="substitute"
    )
    facts = corrections.facts_of_version(sitting, 2, 1)
    assert facts
    assert list(facts["captured"]) == [substitute.key]


def test_round_recorded_meanwhile_needs_another_preview(
    scorekeeper: Client, session: Session
) -> None:
    stamp = ask(scorekeeper, session, 1, 8).context["planned"].stamp
    cast.record(session.sittings.get(number=1), number=2)
    before = contents()
    typed = {"one": 1, "other": 8, "reason": "x", "seen": stamp, "confirm": "yes"}
    answer = scorekeeper.post(address(session), typed)
    assert answer.status_code == 409
    assert answer.context["planned"].stamp != stamp
    assert contents() == before


@pytest.mark.parametrize("other", [2, 8, 13], ids=["same table", "another table", "substitute"])
def test_two_presses_are_one_act(scorekeeper: Client, session: Session, other: int) -> None:
    asked = ask(scorekeeper, session, 1, other)
    planned = asked.context["planned"]
    assert f'name="places" value="{planned.places}"' in asked.text
    typed = {"one": 1, "other": other, "reason": "x", "confirm": "yes"}
    typed |= {"seen": planned.stamp, "places": planned.places}
    assert scorekeeper.post(address(session), typed).status_code == 302
    before = contents()
    again = scorekeeper.post(address(session), typed, follow=True)
    assert again.redirect_chain == [(session.get_absolute_url(), 302)]
    assert "入れ替えました" in again.text
    assert contents() == before
    assert scorekeeper.post(address(session), typed | {"other": 9}).status_code == 409


def test_exchange_is_checked_against_the_totals_it_leads_to(db: None) -> None:
    """At a table whose players have changed, whose total ends the game goes with the seat."""
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, players=4)
    [fifth] = cast.make_entries(tournament, 1)
    cards = list(scoring_cards(4))
    most = [card for card in cards if card not in {"DJ", "H2"}]  # −600 points

    def taken_by(player: str, other: str) -> dict[str, Any]:
        return {"captured": {player: most, other: ["DJ", "H2"]}, "exposed": []}

    cast.record(sitting, taken_by("1", "2"))
    *stay, left = sheet_of(sitting).entries
    keys = [each.key for each in (*stay, left)]
    goes_on = change_players(sitting, [*stay, fifth], seen_players=keys, by=SOMEBODY)
    cast.record(goes_on, taken_by("2", "3"))
    cast.record(goes_on, taken_by("3", "1"), number=2)
    one, other = stay[:2]
    stamp = exchanges.plan_exchange(sitting.session, one, other).stamp
    exchange(sitting.session, one, other, seen_stamp=stamp, by=SOMEBODY, reason="席の取り違え")
    assert sheet_of(goes_on).totals_at_table["1"] == 100 - 600
    assert verification.verify(tournament) == []


def test_table_that_goes_on_is_listed_below_itself(scorekeeper: Client, session: Session) -> None:
    sitting = session.sittings.get(number=1)
    seen = [seat.entry.key for seat in sitting.seats.order_by("position")]
    joined = [Entry.objects.get(number=number) for number in (13, 2, 3, 4, 5, 6)]
    change_players(sitting, joined, seen_players=seen, by=SOMEBODY, reason="途中参加")
    page = scorekeeper.get(address(session))
    assert [each.shown_number for each in page.context["page"]] == [1, 1, 2]
    assert page.text.count("第1役の後：") == 1


def test_open_dispute_is_settled_first(scorekeeper: Client, session: Session) -> None:
    """Its other version would name a player who has left, and could not be chosen."""
    sitting = session.sittings.get(number=1)
    stamp = ask(scorekeeper, session, 1, 13).context["planned"].stamp
    other = cast.plain_round(sitting) | {"kankei": ["1", "4"]}
    stored = Round.objects.get(sitting=sitting)
    found = disputes.open_dispute(sitting, 1, other, stored, by=cast.AT_THE_TABLE)
    assert found is not None
    before = contents()
    typed = {"one": 1, "other": 13, "reason": "x", "seen": stamp, "confirm": "yes"}
    answers = [ask(scorekeeper, session, 1, 13), scorekeeper.post(address(session), typed)]
    settle = reverse("settle-disagreement", args=[session.tournament.slug, found.pk])
    for answer in answers:
        assert (answer.status_code, f'href="{settle}"' in answer.text) == (409, True)
        assert 'value="13"' in answer.text
    assert contents() == before
    one, substitute = (Entry.objects.get(number=number) for number in (1, 13))
    with pytest.raises(exchanges.Undecided):
        exchange(session, one, substitute, seen_stamp=stamp, by=cast.SOMEBODY, reason="x")
    assert ask(scorekeeper, session, 8, 13).context["planned"]  # at another table
    disputes.take_disputed_facts(found, seen_version=1, by=cast.SOMEBODY, reason="both agree")
    assert confirm(scorekeeper, session, 1, 13).status_code == 302
    assert Round.objects.order_by("version").last().facts["kankei"] == ["13", "4"]  # type: ignore[union-attr]
    assert verification.verify(session.tournament) == []


def test_player_deleted_meanwhile_is_refused(
    scorekeeper: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = ask(scorekeeper, session, 1, 13).context["planned"].stamp
    substitute = session.tournament.entries.get(number=13)
    remove = partial(remove_entry, substitute, by=cast.SOMEBODY)
    run_before(monkeypatch, exchange_view, "exchange", remove)
    typed = {"one": 1, "other": 13, "reason": "x", "seen": stamp, "confirm": "yes"}
    answer = scorekeeper.post(address(session), typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"other"}
    assert answer.context["form"]["reason"].value() == "x"


def test_all_of_it_or_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Entry.objects.get(number=1), Entry.objects.get(number=8)
    stamp = exchanges.plan_exchange(session, one, other).stamp
    written = audit.append_entry

    def fail_at_the_last(*args: Any, **kwargs: Any) -> AuditEntry:
        if args[1] == AuditEntry.Kind.PLAYERS_EXCHANGED:
            raise RuntimeError
        return written(*args, **kwargs)

    before, seats = contents(), [cast.keys(each) for each in session.sittings.all()]
    monkeypatch.setattr(audit, "append_entry", fail_at_the_last)
    with pytest.raises(RuntimeError):
        exchange(session, one, other, seen_stamp=stamp, by=cast.SOMEBODY, reason="x")
    assert contents() == before
    assert [cast.keys(each) for each in session.sittings.all()] == seats


@pytest.mark.parametrize(
    ("one", "other"), [("1", "1"), ("1", "99"), ("x", "2"), ("13", "14"), ("", "2"), ("\x00", "2")]
)
def test_impossible_players_are_refused(
    scorekeeper: Client, session: Session, one: str, other: str
) -> None:
    cast.make_entries(session.tournament, 1)
    typed = {"one": one, "other": other, "reason": "x"}
    assert scorekeeper.post(address(session), typed).status_code == 422


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji", "yoninkan"])
def test_every_kind_of_game_is_exchanged(db: None, rule_set: str) -> None:
    tournament = cast.make_tournament(rule_set)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    substitute = cast.make_entries(tournament, 1)[0]
    one = tournament.entries.get(number=1)
    before = totals(tournament)
    stamp = exchanges.plan_exchange(sitting.session, one, substitute).stamp
    exchange(
        sitting.session, one, substitute, seen_stamp=stamp, by=cast.SOMEBODY, reason="substitute"
    )
    assert totals(tournament)[substitute.number] == before[1]
    with pytest.raises(rounds.RoundConflict):
        cast.record(sitting)


@pytest.fixture
def seated(tournament: Tournament) -> Session:
    """The first six of eight at a table."""
    names = [f"{name}{i}" for i, name in enumerate("一二三四五六七八", 1)]
    people = [{"name": name, "reading": f"よみ{name}"} for name in names]
    entries = add_entries(tournament, people, by=SOMEBODY)
    return seating.open_session(tournament, [entries[:6]], by=SOMEBODY)


def test_players_are_exchanged_by_name_and_reading(director: Client, seated: Session) -> None:
    address = reverse("exchange-players", args=[seated.tournament.slug, seated.number])
    page = director.get(address).text
    assert '<datalist id="players"' in page
    assert '<option value="8 八8"' in page
    typed = {"one": "一", "other": "8 八8", "reason": "代理"}
    shown = director.post(address, typed, follow=True)
    assert shown.context["planned"].other.number == 8
    seen = {"seen": shown.context["planned"].stamp, "confirm": "yes"}
    assert director.post(address, typed | seen).status_code == 302
    assert (
        seated.tournament.audit_entries.latest("number").kind == AuditEntry.Kind.PLAYERS_EXCHANGED
    )
    refused = cast.in_english(director).post(address, typed | {"one": "よみ"})
    assert refused.status_code == 422
    assert "may be several players" in refused.text
