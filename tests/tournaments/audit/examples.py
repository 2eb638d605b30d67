"""An example of every write there is: what prepares it, and returns what does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scoring
from tests import cast
from tests.cast import SOMEBODY
from tests.private import PRIVATE
from tournaments.access import accounts, tokens
from tournaments.audit import Actor
from tournaments.desk import exchanges
from tournaments.desk import writes as desk
from tournaments.desk.typed_sheets import Line
from tournaments.facts import closing, ending, registration, removing, reseating
from tournaments.models import Membership, Session, Sitting, Tournament
from tournaments.phones import cards as table_cards
from tournaments.phones import joining, links, saying
from tournaments.results import publications
from tournaments.sending import receipts

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


@example("facts.recording.record_round")
def first_round(sitting: Sitting) -> Act:
    return lambda: cast.record(sitting)


@example("facts.recording.record_round: correction")
def correction(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: cast.record(sitting, other_facts(sitting), seen=1, reason="数えちがい")


@example("sending.receipts.once")
def under_a_key(sitting: Sitting) -> Act:
    def act() -> receipts.Answer:
        return receipts.Answer(201, {"version": cast.record(sitting).version})

    return lambda: receipts.once(sitting.session.tournament, "key", {}, act)


@example("facts.registration.add_entries")
def entries(sitting: Sitting) -> Act:
    return lambda: cast.make_entries(sitting.session.tournament, 3)


@example("facts.registration.remove_entry")
def leaver(sitting: Sitting) -> Act:
    pk = cast.make_entries(sitting.session.tournament, 1)[0].pk
    found = sitting.session.tournament.entries
    return lambda: registration.remove_entry(found.get(pk=pk), by=SOMEBODY)


@example("facts.registration.remove_entries")
def added_twice(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    entries = cast.make_entries(tournament, 2)
    return lambda: registration.remove_entries(tournament, entries, by=SOMEBODY)


@example("facts.registration.correct_entry")
def misspelt(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1)
    person = {"name": "髙﨑", "club": "", "division": ""}
    return lambda: registration.correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("facts.registration.correct_entry: private")
def moved_house(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    person = {"contact": "017-000-0000", "birth_year": None, "notes": ""}
    return lambda: registration.correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("facts.registration.open_session")
def session(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    tables = [list(tournament.entries.all())]
    return lambda: registration.open_session(tournament, tables, by=SOMEBODY)


@example("facts.reseating.reseat")
def drawn_again(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    cast.make_entries(tournament, 6)
    everybody = list(tournament.entries.all())
    tables, seen = [everybody[6:], everybody[:6]], reseating.version_of(sitting.session)
    return lambda: reseating.reseat(sitting.session, tables, seen=seen, by=SOMEBODY)


@example("facts.reseating.reseat: fewer")
def one_table_less(sitting: Sitting) -> Act:
    drawn_again(sitting)()
    joining.join(sitting.session.sittings.get(number=2).token)
    tables = [[seat.entry for seat in sitting.seats.all()]]
    seen = reseating.version_of(sitting.session)
    return lambda: reseating.reseat(sitting.session, tables, seen=seen, by=SOMEBODY)


@example("facts.registration.start_table")
def one_table(sitting: Sitting) -> Act:
    rules = sitting.session.tournament.rules
    return lambda: registration.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=SOMEBODY
    )


@example("facts.registration.prolong")
def playing_on(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    seen = tournament.rounds_per_session or 0
    return lambda: registration.prolong(tournament, 6, seen=seen, by=SOMEBODY)


@example("facts.registration.create_tournament")
def new_tournament(sitting: Sitting) -> Act:
    by, rules = Actor(cast.make_user("founder"), "founder"), sitting.session.tournament.rules
    return lambda: registration.create_tournament(Tournament(name="秋の大会"), rules, by=by)


@example("facts.registration.change_rules")
def house_rules(sitting: Sitting) -> Act:
    pk, wanted = sitting.session.tournament_id, sitting.session.tournament.rules.rule_set
    chosen = scoring.choose(wanted, {}, {"skunk": 2})
    return lambda: registration.change_rules(
        Tournament.objects.get(pk=pk), chosen, seen=0, by=SOMEBODY
    )


@example("facts.registration.open_account")
def account(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    return lambda: registration.open_account(tournament, "kiroku", "x", "director", by=SOMEBODY)


@example("facts.registration.give_role")
def role(sitting: Sitting) -> Act:
    tournament, user = sitting.session.tournament, cast.make_user("kiroku")
    return lambda: registration.give_role(tournament, user, "director", by=SOMEBODY)


@example("facts.registration.take_role")
def role_taken(sitting: Sitting) -> Act:
    for name in ("director", "another"):
        cast.make_staff(sitting.session.tournament, name, "director")
    pk = Membership.objects.earliest("pk").pk
    return lambda: registration.take_role(Membership.objects.get(pk=pk), by=SOMEBODY)


@example("results.publications.publish")
def announced(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: publications.publish(sitting.session.tournament, by=SOMEBODY)


@example("results.publications.announce")
def announced_if_recorded(sitting: Sitting) -> Act:
    return lambda: publications.announce(sitting.session.tournament, by=SOMEBODY)


@example("results.publications.show_live")
def shown(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    return lambda: publications.show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("results.publications.withdraw")
def withdrawn(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    publications.show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: publications.withdraw(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.closing.close")
def over(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.closing.reopen")
def open_again(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: closing.reopen(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.ending.end_session")
def cut_short(sitting: Sitting) -> Act:
    pk = sitting.session_id
    return lambda: ending.end_session(Session.objects.get(pk=pk), stopping=[1], by=SOMEBODY)


@example("facts.ending.resume_session")
def resumed(sitting: Sitting) -> Act:
    ending.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    pk = sitting.session_id
    return lambda: ending.resume_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("facts.ending.remove_session")
def seated_by_mistake(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    pk = sitting.session_id
    return lambda: ending.remove_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("facts.removing.remove")
def set_up_by_mistake(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: removing.remove(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.removing.restore")
def restored(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    removing.remove(sitting.session.tournament, by=SOMEBODY)
    return lambda: removing.restore(Tournament.every.get(pk=pk), by=SOMEBODY)


@example("desk.writes.answer_call")
def answered_call(sitting: Sitting) -> Act:
    call = cast.make_call(sitting)
    return lambda: desk.answer_call(call, by=SOMEBODY)


@example("desk.writes.keep_stored")
def kept(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: desk.keep_stored(other, seen=1, by=SOMEBODY)


@example("desk.writes.take_other")
def taken(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: desk.take_other(other, seen=1, by=SOMEBODY, reason="数えちがい")


@example("desk.writes.record_lines")
def paper_sheet(sitting: Sitting) -> Act:
    facts = cast.plain_round(sitting)
    lines = [Line(number, "", facts, None) for number in (1, 2, 3)]
    return lambda: desk.record_lines(sitting, lines, seen=0, by=SOMEBODY)


@example("desk.writes.record_lines: totals on paper overruled")
def paper_overruled(sitting: Sitting) -> Act:
    lines = [Line(1, "", cast.plain_round(sitting), None)]
    return lambda: desk.record_lines(sitting, lines, seen=0, by=SOMEBODY, on_paper={"1": 12})


@example("desk.writes.enter_totals")
def totals(sitting: Sitting) -> Act:
    points = dict.fromkeys(cast.keys(sitting), 0)
    desk.enter_totals(sitting, points, seen=0, by=SOMEBODY)
    right = points | {"1": 7}
    return lambda: desk.enter_totals(sitting, right, seen=1, by=SOMEBODY, reason="写し間違い")


@example("desk.writes.exchange")
def exchanged(sitting: Sitting) -> Act:
    cast.record(sitting)
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    seen = exchanges.plan(sitting.session, one, other).stamp
    return lambda: desk.exchange(
        sitting.session, one, other, seen=seen, by=SOMEBODY, reason="席の取り違え"
    )


@example("phones.joining.let_in")
def joined(sitting: Sitting) -> Act:
    return lambda: joining.join(sitting.token)


@example("phones.joining.take_over")
def second_phone(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    mine = joining.join(sitting.token).phone
    return lambda: joining.take_over(mine)


@example("access.tokens.make")
def token(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    return lambda: tokens.make(user)


@example("access.accounts.let_create")
def right_to_create(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    return lambda: accounts.let_create(user, may=True, by=SOMEBODY)


@example("access.accounts.disable", "access.accounts.end_log_ins")
def ended_log_ins(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    tokens.make(user)
    return lambda: accounts.disable(user, by=SOMEBODY)


@example("access.accounts.enable")
def enabled(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    accounts.disable(user, by=SOMEBODY)
    return lambda: accounts.enable(user, by=SOMEBODY)


@example("access.accounts.set_password")
def new_password(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    tokens.make(user)
    return lambda: accounts.set_password(user, "tsugaru-karuta-31", by=SOMEBODY)


@example("access.accounts.end_everything")
def everything_ended(sitting: Sitting) -> Act:
    tokens.make(cast.make_user("kiroku"))
    joining.join(sitting.token)
    return lambda: accounts.end_everything(by=SOMEBODY)


@example("phones.links.revoke")
def closed(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    return lambda: links.revoke(sitting, by=SOMEBODY)


@example("phones.links.end_phones")
def ended_phones(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    return lambda: links.end_phones(sitting.session.tournament, by=SOMEBODY)


@example("phones.links.make_link")
def new_link(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    return lambda: links.make_link(sitting, by=SOMEBODY)


@example("phones.links.make_pin")
def pin(sitting: Sitting) -> Act:
    return lambda: links.make_pin(sitting, by=SOMEBODY)


@example("phones.cards.issue")
def cards(sitting: Sitting) -> Act:
    joining.join(sitting.token)

    def issue() -> None:
        drawn = table_cards.draw([Sitting.objects.get(pk=sitting.pk)], new_links=True)
        table_cards.issue(sitting.session, drawn, by=SOMEBODY)

    return issue


@example("phones.saying.accept")
def accepted(sitting: Sitting) -> Act:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    cast.record(sitting)
    return lambda: saying.accept(sitting, 1, 1, by=SOMEBODY)


@example("phones.saying.dispute")
def disputed(sitting: Sitting) -> Act:
    row = cast.record(sitting)
    return lambda: saying.dispute(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("phones.saying.note")
def noted(sitting: Sitting) -> Act:
    row = cast.record(sitting)
    return lambda: saying.note(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("phones.saying.take_back")
def taken_back(sitting: Sitting) -> Act:
    made = saying.call(sitting, "director", "札", by=SOMEBODY)
    return lambda: saying.take_back(sitting, made.pk, by=SOMEBODY)


@example("phones.saying.call")
def called(sitting: Sitting) -> Act:
    return lambda: saying.call(sitting, "director", "札", by=SOMEBODY)
