"""An example of every write there is: what prepares it, and returns what does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scoring
from tests import cast
from tests.cast import SOMEBODY
from tests.private import PRIVATE
from tournaments.audit import Actor
from tournaments.models import Membership, Session, Sitting, Tournament
from tournaments.paper_entry.typed_sheets import Line
from tournaments.queries import exchanges
from tournaments.services import (
    acceptances,
    accounts,
    calls,
    closing,
    disputes,
    idempotency,
    phones,
    rounds,
    seating,
    sessions,
    staff,
    table_cards,
    table_links,
    tokens,
    tournaments,
)
from tournaments.services.entries import correct_entry, remove_entries, remove_entry
from tournaments.services.exchanges import exchange
from tournaments.services.publications import announce, publish, show_live, withdraw
from tournaments.services.totals import enter_totals

Act = Callable[[], object]
EXAMPLES: dict[str, Callable[[Sitting], Act]] = {}


def example(*names: str) -> Callable[[Callable[[Sitting], Act]], Callable[[Sitting], Act]]:
    """Register what prepares these writes, and returns what does them."""

    def register(prepare: Callable[[Sitting], Act]) -> Callable[[Sitting], Act]:
        EXAMPLES.update(dict.fromkeys(names, prepare))
        return prepare

    return register


def other_facts(sitting: Sitting) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}


@example("services.rounds.record_round")
def first_round(sitting: Sitting) -> Act:
    return lambda: cast.record(sitting)


@example("services.rounds.record_round: correction")
def correction(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: cast.record(sitting, other_facts(sitting), seen=1, reason="数えちがい")


@example("services.idempotency.run_once")
def under_a_key(sitting: Sitting) -> Act:
    def act() -> idempotency.Answer:
        return idempotency.Answer(201, {"version": cast.record(sitting).version})

    return lambda: idempotency.run_once(sitting.session.tournament, "key", {}, act)


@example("services.entries.add_entries")
def entries(sitting: Sitting) -> Act:
    return lambda: cast.make_entries(sitting.session.tournament, 3)


@example("services.entries.remove_entry")
def leaver(sitting: Sitting) -> Act:
    pk = cast.make_entries(sitting.session.tournament, 1)[0].pk
    found = sitting.session.tournament.entries
    return lambda: remove_entry(found.get(pk=pk), by=SOMEBODY)


@example("services.entries.remove_entries")
def added_twice(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    entries = cast.make_entries(tournament, 2)
    return lambda: remove_entries(tournament, entries, by=SOMEBODY)


@example("services.entries.correct_entry")
def misspelt(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1)
    person = {"name": "髙﨑", "club": "", "division": ""}
    return lambda: correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("services.entries.correct_entry: private")
def moved_house(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    person = {"contact": "017-000-0000", "birth_year": None, "notes": ""}
    return lambda: correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("services.seating.open_session")
def session(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    tables = [list(tournament.entries.all())]
    return lambda: seating.open_session(tournament, tables, by=SOMEBODY)


@example("services.seating.reseat")
def drawn_again(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    cast.make_entries(tournament, 6)
    everybody = list(tournament.entries.all())
    tables, seen = [everybody[6:], everybody[:6]], seating.version_of(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen=seen, by=SOMEBODY)


@example("services.seating.reseat: fewer")
def one_table_less(sitting: Sitting) -> Act:
    drawn_again(sitting)()
    phones.join(sitting.session.sittings.get(number=2).token)
    tables = [[seat.entry for seat in sitting.seats.all()]]
    seen = seating.version_of(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen=seen, by=SOMEBODY)


@example("services.tournaments.start_table")
def one_table(sitting: Sitting) -> Act:
    rules = sitting.session.tournament.rules
    return lambda: tournaments.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=SOMEBODY
    )


@example("services.tournaments.prolong")
def playing_on(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    seen = tournament.rounds_per_session or 0
    return lambda: tournaments.prolong(tournament, 6, seen=seen, by=SOMEBODY)


@example("services.tournaments.create_tournament")
def new_tournament(sitting: Sitting) -> Act:
    by, rules = Actor(cast.make_user("founder"), "founder"), sitting.session.tournament.rules
    return lambda: tournaments.create_tournament(Tournament(name="秋の大会"), rules, by=by)


@example("services.tournaments.change_rules")
def house_rules(sitting: Sitting) -> Act:
    pk, wanted = sitting.session.tournament_id, sitting.session.tournament.rules.rule_set
    chosen = scoring.choose(wanted, {}, {"skunk": 2})
    return lambda: tournaments.change_rules(
        Tournament.objects.get(pk=pk), chosen, seen=0, by=SOMEBODY
    )


@example("services.staff.open_account")
def account(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    return lambda: staff.open_account(tournament, "kiroku", "x", "director", by=SOMEBODY)


@example("services.staff.give_role")
def role(sitting: Sitting) -> Act:
    tournament, user = sitting.session.tournament, cast.make_user("kiroku")
    return lambda: staff.give_role(tournament, user, "director", by=SOMEBODY)


@example("services.staff.take_role")
def role_taken(sitting: Sitting) -> Act:
    for name in ("director", "another"):
        cast.make_staff(sitting.session.tournament, name, "director")
    pk = Membership.objects.earliest("pk").pk
    return lambda: staff.take_role(Membership.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.publish")
def announced(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: publish(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.announce")
def announced_if_recorded(sitting: Sitting) -> Act:
    return lambda: announce(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.show_live")
def shown(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    return lambda: show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.withdraw")
def withdrawn(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: withdraw(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.closing.close")
def over(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.closing.reopen")
def open_again(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: closing.reopen(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.sessions.end_session")
def cut_short(sitting: Sitting) -> Act:
    pk = sitting.session_id
    return lambda: sessions.end_session(Session.objects.get(pk=pk), stopping=[1], by=SOMEBODY)


@example("services.sessions.resume_session")
def resumed(sitting: Sitting) -> Act:
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    pk = sitting.session_id
    return lambda: sessions.resume_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.sessions.remove_session")
def seated_by_mistake(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    pk = sitting.session_id
    return lambda: sessions.remove_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.tournaments.remove_tournament")
def set_up_by_mistake(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: tournaments.remove_tournament(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.tournaments.restore_tournament")
def restored(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    tournaments.remove_tournament(sitting.session.tournament, by=SOMEBODY)
    return lambda: tournaments.restore_tournament(Tournament.every.get(pk=pk), by=SOMEBODY)


@example("services.calls.answer_call")
def answered_call(sitting: Sitting) -> Act:
    call = cast.make_call(sitting)
    return lambda: calls.answer_call(call, by=SOMEBODY)


@example("services.disputes.keep_stored_facts")
def kept(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.keep_stored_facts(other, seen=1, by=SOMEBODY)


@example("services.disputes.take_disputed_facts")
def taken(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.take_disputed_facts(other, seen=1, by=SOMEBODY, reason="数えちがい")


@example("services.rounds.record_lines")
def paper_sheet(sitting: Sitting) -> Act:
    facts = cast.plain_round(sitting)
    lines = [Line(number, "", facts, None) for number in (1, 2, 3)]
    return lambda: rounds.record_lines(sitting, lines, seen=0, by=SOMEBODY)


@example("services.rounds.record_lines: totals on paper overruled")
def paper_overruled(sitting: Sitting) -> Act:
    lines = [Line(1, "", cast.plain_round(sitting), None)]
    return lambda: rounds.record_lines(sitting, lines, seen=0, by=SOMEBODY, on_paper={"1": 12})


@example("services.totals.enter_totals")
def totals(sitting: Sitting) -> Act:
    points = dict.fromkeys(cast.keys(sitting), 0)
    enter_totals(sitting, points, seen=0, by=SOMEBODY)
    right = points | {"1": 7}
    return lambda: enter_totals(sitting, right, seen=1, by=SOMEBODY, reason="写し間違い")


@example("services.exchanges.exchange")
def exchanged(sitting: Sitting) -> Act:
    cast.record(sitting)
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    seen = exchanges.plan_exchange(sitting.session, one, other).stamp
    return lambda: exchange(
        sitting.session, one, other, seen=seen, by=SOMEBODY, reason="席の取り違え"
    )


@example("services.phones.admit_phone")
def joined(sitting: Sitting) -> Act:
    return lambda: phones.join(sitting.token)


@example("services.phones.take_over")
def second_phone(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    mine = phones.join(sitting.token).phone
    return lambda: phones.take_over(mine)


@example("services.tokens.create_token")
def token(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    return lambda: tokens.create_token(user)


@example("services.accounts.set_may_create")
def right_to_create(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    return lambda: accounts.set_may_create(user, may=True, by=SOMEBODY)


@example("services.accounts.disable_account", "services.accounts.end_log_ins")
def ended_log_ins(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.disable_account(user, by=SOMEBODY)


@example("services.accounts.enable_account")
def enabled(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    accounts.disable_account(user, by=SOMEBODY)
    return lambda: accounts.enable_account(user, by=SOMEBODY)


@example("services.accounts.set_password")
def new_password(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.set_password(user, "tsugaru-karuta-31", by=SOMEBODY)


@example("services.accounts.end_everything")
def everything_ended(sitting: Sitting) -> Act:
    tokens.create_token(cast.make_user("kiroku"))
    phones.join(sitting.token)
    return lambda: accounts.end_everything(by=SOMEBODY)


@example("services.table_links.revoke_link")
def closed(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    return lambda: table_links.revoke_link(sitting, by=SOMEBODY)


@example("services.table_links.end_phones")
def ended_phones(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    return lambda: table_links.end_phones(sitting.session.tournament, by=SOMEBODY)


@example("services.table_links.make_link")
def new_link(sitting: Sitting) -> Act:
    phones.join(sitting.token)
    return lambda: table_links.make_link(sitting, by=SOMEBODY)


@example("services.table_links.make_pin")
def pin(sitting: Sitting) -> Act:
    return lambda: table_links.make_pin(sitting, by=SOMEBODY)


@example("services.table_cards.issue_cards")
def cards(sitting: Sitting) -> Act:
    phones.join(sitting.token)

    def issue() -> None:
        drawn = table_cards.prepare_cards([Sitting.objects.get(pk=sitting.pk)], new_links=True)
        table_cards.issue_cards(sitting.session, drawn, by=SOMEBODY)

    return issue


@example("services.acceptances.accept_round")
def accepted(sitting: Sitting) -> Act:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    cast.record(sitting)
    return lambda: acceptances.accept_round(sitting, 1, 1, by=SOMEBODY)


@example("services.disputes.open_dispute")
def disputed(sitting: Sitting) -> Act:
    row = cast.record(sitting)
    return lambda: disputes.open_dispute(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("services.disputes.record_settled_dispute")
def noted(sitting: Sitting) -> Act:
    row = cast.record(sitting)
    return lambda: disputes.record_settled_dispute(
        sitting, 1, other_facts(sitting), row, by=SOMEBODY
    )


@example("services.calls.take_back_call")
def taken_back(sitting: Sitting) -> Act:
    made = calls.call_desk(sitting, "director", "札", by=SOMEBODY)
    return lambda: calls.take_back_call(sitting, made.pk, by=SOMEBODY)


@example("services.calls.call_desk")
def called(sitting: Sitting) -> Act:
    return lambda: calls.call_desk(sitting, "director", "札", by=SOMEBODY)
