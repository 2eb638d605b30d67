"""An example of every write: a function that prepares it and returns the write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scoring
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.private_data import PRIVATE
from tournaments.audit import Actor
from tournaments.models import (
    Entry,
    Membership,
    Registration,
    Series,
    Session,
    Sitting,
    Stage,
    Tournament,
)
from tournaments.paper_entry.typed_sheets import TypedLine
from tournaments.queries import clocks as clock_queries
from tournaments.queries import exchanges
from tournaments.queries import presence as presence_queries
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.presence import Status
from tournaments.services import (
    acceptances,
    accounts,
    adjustments,
    calls,
    clocks,
    clones,
    closing,
    contacts,
    disputes,
    idempotency,
    phones,
    play_offs,
    presence,
    ranking,
    registrations,
    rounds,
    same_players,
    schedules,
    seating,
    series,
    sessions,
    staff,
    substitutions,
    table_cards,
    table_links,
    table_players,
    tokens,
    tournaments,
)
from tournaments.services import stages as stages_service
from tournaments.services.entries import correct_entry, remove_entries, remove_entry
from tournaments.services.exchanges import exchange
from tournaments.services.publications import (
    announce,
    publish,
    set_shows_seats,
    show_live,
    withdraw,
)
from tournaments.services.totals import enter_totals

Write = Callable[[], object]
EXAMPLES: dict[str, Callable[[Sitting], Write]] = {}


def example(*names: str) -> Callable[[Callable[[Sitting], Write]], Callable[[Sitting], Write]]:
    """Register a function that prepares these writes and returns one that carries them out."""

    def register(prepare: Callable[[Sitting], Write]) -> Callable[[Sitting], Write]:
        EXAMPLES.update(dict.fromkeys(names, prepare))
        return prepare

    return register


def other_facts(sitting: Sitting) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}


@example("services.rounds.record_round")
def first_round(sitting: Sitting) -> Write:
    return lambda: cast.record(sitting)


@example("services.rounds.record_round: correction")
def correction(sitting: Sitting) -> Write:
    cast.record(sitting)
    return lambda: cast.record(sitting, other_facts(sitting), seen=1, reason="数えちがい")


@example("services.idempotency.run_once")
def idempotent_write(sitting: Sitting) -> Write:
    def write(_locked: Tournament) -> idempotency.Answer:
        return idempotency.Answer(201, {"version": cast.record(sitting).version})

    return lambda: idempotency.run_once(sitting.session.tournament, "key", {}, write)


@example("services.clones.create_like")
def tournament_like_another(sitting: Sitting) -> Write:
    source = sitting.session.tournament
    stages.make_stage(source)
    set_shows_seats(source, shows=True, by=SOMEBODY)

    def write() -> object:
        new = clones.copy_of_settings(source)
        return clones.create_like(new, source.rules, source, by=SOMEBODY)

    return write


def make_series(*tournaments_in_it: Tournament) -> Series:
    made = series.create_series(Series(name="年間シリーズ"), by=SOMEBODY)
    for each in tournaments_in_it:
        series.add_event(made, each, by=SOMEBODY)
    return made


@example("services.series.create_series")
def new_series(_sitting: Sitting) -> Write:
    return lambda: series.create_series(Series(name="年間シリーズ"), by=SOMEBODY)


@example("services.series.edit_series")
def edited_series(_sitting: Sitting) -> Write:
    made = make_series()
    return lambda: series.edit_series(made, {"rules": {"best": 3}}, seen=1, by=SOMEBODY)


@example("services.series.add_owner")
def series_owner(_sitting: Sitting) -> Write:
    made, user = make_series(), cast.make_user("owner")
    return lambda: series.add_owner(made, user, by=SOMEBODY)


@example("services.series.remove_owner")
def former_series_owner(_sitting: Sitting) -> Write:
    made, user = make_series(), cast.make_user("owner")
    for each in (user, cast.make_user("other")):
        series.add_owner(made, each, by=SOMEBODY)
    return lambda: series.remove_owner(made, user, by=SOMEBODY)


@example("services.series.add_event")
def event_of_series(sitting: Sitting) -> Write:
    made = make_series()
    return lambda: series.add_event(made, sitting.session.tournament, by=SOMEBODY)


@example("services.series.remove_event")
def event_taken_out(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    made = make_series(tournament)
    return lambda: series.remove_event(made, tournament, by=SOMEBODY)


def two_players(sitting: Sitting) -> tuple[Series, list[tuple[Entry, Entry]]]:
    """Return a series of two tournaments, and a player of each."""
    one, other = sitting.session.tournament, cast.make_tournament()
    (second,) = cast.make_entries(other, 1)
    return make_series(one, other), [(one.entries.get(number=1), second)]


@example("services.same_players.link_players")
def linked_players(sitting: Sitting) -> Write:
    made, pairs = two_players(sitting)
    return lambda: same_players.link_players(made, pairs, by=SOMEBODY)


@example("services.same_players.unlink_players")
def parted_players(sitting: Sitting) -> Write:
    made, pairs = two_players(sitting)
    same_players.link_players(made, pairs, by=SOMEBODY)
    link = made.same_players.get()
    return lambda: same_players.unlink_players(made, link.pk, by=SOMEBODY)


@example("services.entries.add_entries")
def entries(sitting: Sitting) -> Write:
    return lambda: cast.make_entries(sitting.session.tournament, 3)


@example("services.entries.remove_entry")
def removed_entry(sitting: Sitting) -> Write:
    pk = cast.make_entries(sitting.session.tournament, 1)[0].pk
    found = sitting.session.tournament.entries
    return lambda: remove_entry(found.get(pk=pk), by=SOMEBODY)


@example("services.entries.remove_entries")
def removed_entries(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    entries = cast.make_entries(tournament, 2)
    return lambda: remove_entries(tournament, entries, by=SOMEBODY)


@example("services.entries.correct_entry")
def corrected_entry(sitting: Sitting) -> Write:
    (entry,) = cast.make_entries(sitting.session.tournament, 1)
    person = {"name": "髙﨑", "club": "", "division": ""}
    return lambda: correct_entry(entry, person, seen_version=0, by=SOMEBODY)


@example("services.entries.correct_entry: private")
def corrected_private_data(sitting: Sitting) -> Write:
    (entry,) = cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    person = {"contact": "017-000-0000", "birth_year": None, "notes": ""}
    return lambda: correct_entry(entry, person, seen_version=0, by=SOMEBODY)


@example("services.seating.open_session")
def session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    tables = [list(tournament.entries.all())]
    return lambda: seating.open_session(tournament, tables, by=SOMEBODY)


@example("services.seating.open_session: drawn")
def drawn_session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    tables, facts = [list(tournament.entries.all())], cast.drawn_facts(tournament, 2)
    return lambda: seating.open_session(tournament, tables, by=SOMEBODY, draw=facts)


@example("services.play_offs.open_play_off")
def play_off(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    plan, tables = seating.PlayOffPlan([2, 1], rounds=1), [list(tournament.entries.all())]
    return lambda: play_offs.open_play_off(tournament, plan, tables, number=2, by=SOMEBODY)


@example("services.seating.reseat: drawn")
def session_drawn_again(sitting: Sitting) -> Write:
    tournament, seen = sitting.session.tournament, seating.version_of(sitting.session)
    tables, facts = [list(tournament.entries.all())[::-1]], cast.drawn_facts(tournament, 1)
    return lambda: seating.reseat(
        sitting.session, tables, seen_version=seen, by=SOMEBODY, draw=facts
    )


@example("services.seating.reseat")
def reseated_session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    cast.make_entries(tournament, 6)
    everybody = list(tournament.entries.all())
    tables, seen = [everybody[6:], everybody[:6]], seating.version_of(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen_version=seen, by=SOMEBODY)


@example("services.seating.reseat: fewer")
def reseated_with_fewer_tables(sitting: Sitting) -> Write:
    reseated_session(sitting)()
    phones.join(sitting.session.sittings.get(number=2).token)
    tables = [[seat.entry for seat in sitting.seats.all()]]
    seen = seating.version_of(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen_version=seen, by=SOMEBODY)


def keep_schedule(tournament: Tournament) -> None:
    facts = cast.drawn_facts(tournament, 2, sessions=2)
    schedules.keep_schedule(tournament, 2, facts, seen_version=0, by=SOMEBODY)


@example("services.schedules.keep_schedule")
def planned_seats(sitting: Sitting) -> Write:
    return lambda: keep_schedule(sitting.session.tournament)


@example("services.schedules.change_planned_seats")
def planned_seats_changed(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    tables, seen = [list(tournament.entries.all())], schedule_queries.version_of(tournament)
    return lambda: schedules.change_planned_seats(
        tournament, 3, tables, seen_version=seen, by=SOMEBODY
    )


@example("services.schedules.show_schedule")
def shown_schedule(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    return lambda: schedules.show_schedule(tournament, shows=True, by=SOMEBODY)


@example("services.schedules.drop_schedule")
def planned_seats_dropped(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    seen = schedule_queries.version_of(tournament)
    return lambda: schedules.drop_schedule(tournament, seen_version=seen, by=SOMEBODY)


@example("services.tournaments.start_table")
def club_table(sitting: Sitting) -> Write:
    rules = sitting.session.tournament.rules
    return lambda: tournaments.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=SOMEBODY
    )


@example("services.tournaments.add_planned_rounds")
def prolonged_table(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    seen = tournament.rounds_per_session or 0
    return lambda: tournaments.add_planned_rounds(tournament, 6, seen_planned=seen, by=SOMEBODY)


@example("services.tournaments.create_tournament")
def new_tournament(sitting: Sitting) -> Write:
    by, rules = Actor(cast.make_user("founder"), "founder"), sitting.session.tournament.rules
    return lambda: tournaments.create_tournament(Tournament(name="秋の大会"), rules, by=by)


@example("services.tournaments.change_rules")
def house_rules(sitting: Sitting) -> Write:
    pk, wanted = sitting.session.tournament_id, sitting.session.tournament.rules.rule_set
    chosen = scoring.choose(wanted, {}, {"skunk": 2})
    return lambda: tournaments.change_rules(
        Tournament.objects.get(pk=pk), chosen, seen_version=0, by=SOMEBODY
    )


@example("services.ranking.set_ranking")
def chosen_ranking(sitting: Sitting) -> Write:
    pk, document = sitting.session.tournament_id, {"tie_breaks": ["points", "lot"]}
    return lambda: ranking.set_ranking(
        Tournament.objects.get(pk=pk), document, seen_version=0, by=SOMEBODY
    )


@example("services.adjustments.adjust_points")
def adjusted_points(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    entry = tournament.entries.get(number=1)
    return lambda: adjustments.adjust_points(tournament, 1, entry, -5, by=SOMEBODY, reason="遅刻")


@example("services.adjustments.take_back_adjustment")
def adjustment_taken_back(sitting: Sitting) -> Write:
    adjusted_points(sitting)()
    tournament = sitting.session.tournament
    return lambda: adjustments.take_back_adjustment(tournament, 1, by=SOMEBODY)


@example("services.adjustments.decide_tie")
def decided_tie(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: adjustments.decide_tie(tournament, 1, [2, 1], by=SOMEBODY, reason="じゃんけん")


@example("services.adjustments.draw_lot")
def lot_drawn(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: adjustments.draw_lot(tournament, 1, [2, 1], by=SOMEBODY, reason="抽選")


@example("services.adjustments.take_back_decision")
def decision_taken_back(sitting: Sitting) -> Write:
    decided_tie(sitting)()
    tournament = sitting.session.tournament
    return lambda: adjustments.take_back_decision(tournament, 1, by=SOMEBODY)


@example("services.staff.open_account")
def account(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: staff.open_account(tournament, "kiroku", "x", "director", by=SOMEBODY)


@example("services.staff.give_role")
def role(sitting: Sitting) -> Write:
    tournament, user = sitting.session.tournament, cast.make_user("kiroku")
    return lambda: staff.give_role(tournament, user, "director", by=SOMEBODY)


@example("services.staff.remove_role")
def role_taken(sitting: Sitting) -> Write:
    for name in ("director", "another"):
        cast.make_staff(sitting.session.tournament, name, "director")
    pk = Membership.objects.earliest("pk").pk
    return lambda: staff.remove_role(Membership.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.publish")
def publication(sitting: Sitting) -> Write:
    cast.record(sitting)
    return lambda: publish(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.announce")
def announcement(sitting: Sitting) -> Write:
    return lambda: announce(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.show_live")
def shown_live(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    return lambda: show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.withdraw")
def withdrawn(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: withdraw(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.set_shows_seats")
def shown_seats(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    return lambda: set_shows_seats(Tournament.objects.get(pk=pk), shows=True, by=SOMEBODY)


@example("services.closing.close")
def closed_event(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.closing.reopen")
def reopened_event(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: closing.reopen(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.sessions.end_session")
def ended_session(sitting: Sitting) -> Write:
    pk = sitting.session_id
    return lambda: sessions.end_session(Session.objects.get(pk=pk), stopping=[1], by=SOMEBODY)


@example("services.sessions.resume_session")
def resumed_session(sitting: Sitting) -> Write:
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    pk = sitting.session_id
    return lambda: sessions.resume_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.sessions.remove_session")
def removed_session(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    pk = sitting.session_id
    return lambda: sessions.remove_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.tournaments.remove_tournament")
def removed_tournament(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: tournaments.remove_tournament(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.tournaments.restore_tournament")
def restored_tournament(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    tournaments.remove_tournament(sitting.session.tournament, by=SOMEBODY)
    return lambda: tournaments.restore_tournament(Tournament.every.get(pk=pk), by=SOMEBODY)


def mark(sitting: Sitting, status: Status, session: int = 1) -> None:
    entry = sitting.session.tournament.entries.get(number=1)
    expected = Status.EXPECTED
    presence.mark_presence(entry, session, status, seen_status=expected, by=SOMEBODY)


@example("services.presence.mark_presence")
def marked(sitting: Sitting) -> Write:
    return lambda: mark(sitting, Status.PRESENT)


@example("services.presence.mark_presence: withdrawn")
def marked_withdrawn(sitting: Sitting) -> Write:
    mark(sitting, Status.PRESENT, session=2)
    return lambda: mark(sitting, Status.WITHDRAWN)


@example("services.presence.restart_roll_call")
def restarted_roll_call(sitting: Sitting) -> Write:
    mark(sitting, Status.PRESENT)
    tournament = sitting.session.tournament
    seen = presence_queries.version_of(tournament)
    return lambda: presence.restart_roll_call(tournament, 2, seen_version=seen, by=SOMEBODY)


def absent(sitting: Sitting) -> Entry:
    """Return a player who is marked as absent in the session."""
    mark(sitting, Status.ABSENT)
    return Entry.objects.get(tournament=sitting.session.tournament, number=1)


@example("services.substitutions.add_substitute")
def substituted(sitting: Sitting) -> Write:
    entry = absent(sitting)
    return lambda: substitutions.add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)


@example("services.substitutions.remove_substitute")
def substitute_taken_back(sitting: Sitting) -> Write:
    entry = absent(sitting)
    row = substitutions.add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)
    seen = row.substitute.number
    return lambda: substitutions.remove_substitute(entry, 1, seen_substitute=seen, by=SOMEBODY)


@example("services.table_players.change_players")
def changed_players(sitting: Sitting) -> Write:
    cast.record(sitting)
    entries = [seat.entry for seat in sitting.seats.all()]
    players = [*entries[:-1], *cast.make_entries(sitting.session.tournament, 1)]
    seen = [entry.key for entry in entries]
    return lambda: table_players.change_players(
        sitting, players, seen_players=seen, by=SOMEBODY, reason="早退"
    )


@example("services.registrations.set_registration")
def opened_registration(sitting: Sitting) -> Write:
    return lambda: cast.open_registration(sitting.session.tournament, is_automatic=True)


@example("services.registrations.register")
def application(sitting: Sitting) -> Write:
    opened_registration(sitting)()
    return lambda: cast.register(sitting.session.tournament)


@example("services.registrations.decide")
def approved_application(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    cast.open_registration(tournament)
    row = cast.register(tournament)
    wanted = [registrations.Decision(row.number, row.state)]
    return lambda: registrations.decide(tournament, wanted, "approved", by=SOMEBODY)


@example("services.registrations.withdraw")
def withdrawn_application(sitting: Sitting) -> Write:
    application(sitting)()
    row = Registration.objects.get()
    return lambda: registrations.withdraw(row, by=SOMEBODY)


@example("services.contacts.erase_contacts")
def erased_contacts(sitting: Sitting) -> Write:
    withdrawn_application(sitting)()
    return lambda: contacts.erase_contacts(sitting.session.tournament, by=SOMEBODY)


@example("services.registrations.remove_player")
def applicants_player_removed(sitting: Sitting) -> Write:
    application(sitting)()
    row = Registration.objects.get()
    return lambda: registrations.remove_player(row, by=SOMEBODY)


@example("services.registrations.remove_entries")
def place_made_free(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    players = cast.make_entries(tournament, 1)
    cast.open_registration(tournament, is_automatic=True, capacity=1)
    cast.register(tournament)
    return lambda: registrations.remove_entries(tournament, players, by=SOMEBODY)


@example("services.clocks.set_clock")
def set_clock(sitting: Sitting) -> Write:
    wanted = ClockSettings(3600, 300, {"1": 120})
    return lambda: clocks.set_clock(sitting.session, wanted, seen_version=0, by=SOMEBODY)


@example("services.clocks.run_clock")
def started_clock(sitting: Sitting) -> Write:
    set_clock(sitting)()
    return lambda: run_clock(sitting, clocks.Act.START)


def run_clock(sitting: Sitting, act: clocks.Act) -> None:
    seen = clock_queries.version_of(sitting.session)
    clocks.run_clock(sitting.session, act, seen_version=seen, by=SOMEBODY)


@example("services.clocks.run_clock: paused")
def paused_clock(sitting: Sitting) -> Write:
    started_clock(sitting)()
    return lambda: run_clock(sitting, clocks.Act.PAUSE)


@example("services.clocks.run_clock: resumed")
def resumed_clock(sitting: Sitting) -> Write:
    paused_clock(sitting)()
    return lambda: run_clock(sitting, clocks.Act.RESUME)


@example("services.clocks.run_clock: reset")
def reset_clock(sitting: Sitting) -> Write:
    resumed_clock(sitting)()
    return lambda: run_clock(sitting, clocks.Act.RESET)


@example("services.stages.set_stage")
def defined_stage(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: stages.make_stage(tournament)


@example("services.stages.remove_stage")
def removed_stage(sitting: Sitting) -> Write:
    pk = stages.make_stage(sitting.session.tournament).pk
    return lambda: stages_service.remove_stage(Stage.objects.get(pk=pk), by=SOMEBODY)


@example("services.stages.confirm_members")
def confirmed_members(sitting: Sitting) -> Write:
    cast.record(sitting)
    wanted = stages.plan(stages.WINNERS)
    pk = stages.make_stage(sitting.session.tournament, wanted=wanted).pk
    return lambda: stages.confirm(Stage.objects.get(pk=pk))


@example("services.stages.take_back_members")
def taken_back_members(sitting: Sitting) -> Write:
    cast.record(sitting)
    pk = stages.make_confirmed(sitting.session.tournament, stages.plan(stages.WINNERS)).pk
    return lambda: stages_service.take_back_members(Stage.objects.get(pk=pk), by=SOMEBODY)


@example("services.stages.replace_member")
def replaced_member(sitting: Sitting) -> Write:
    cast.record(sitting)
    stage = stages.make_confirmed(sitting.session.tournament, stages.plan(stages.WINNERS))
    leaving, following = (stage.tournament.entries.get(number=number) for number in (2, 1))
    return lambda: stages_service.replace_member(stage, leaving, following, by=SOMEBODY)


@example("services.calls.answer_call")
def answered_call(sitting: Sitting) -> Write:
    call = cast.make_call(sitting)
    return lambda: calls.answer_call(call, by=SOMEBODY)


@example("services.disputes.keep_stored_facts")
def rejected_dispute(sitting: Sitting) -> Write:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.keep_stored_facts(other, seen_version=1, by=SOMEBODY)


@example("services.disputes.take_disputed_facts")
def accepted_dispute(sitting: Sitting) -> Write:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.take_disputed_facts(
        other, seen_version=1, by=SOMEBODY, reason="数えちがい"
    )


@example("services.rounds.record_lines")
def paper_sheet(sitting: Sitting) -> Write:
    facts = cast.plain_round(sitting)
    lines = [TypedLine(number, "", facts, None) for number in (1, 2, 3)]
    return lambda: rounds.record_lines(sitting, lines, seen_version=0, by=SOMEBODY)


@example("services.rounds.record_lines: totals on paper overruled")
def paper_overruled(sitting: Sitting) -> Write:
    lines = [TypedLine(1, "", cast.plain_round(sitting), None)]
    return lambda: rounds.record_lines(
        sitting, lines, seen_version=0, by=SOMEBODY, on_paper={"1": 12}
    )


@example("services.totals.enter_totals")
def totals(sitting: Sitting) -> Write:
    points = dict.fromkeys(cast.keys(sitting), 0)
    enter_totals(sitting, points, seen_version=0, by=SOMEBODY)
    right = points | {"1": 7}
    return lambda: enter_totals(sitting, right, seen_version=1, by=SOMEBODY, reason="写し間違い")


@example("services.exchanges.exchange")
def exchanged_entries(sitting: Sitting) -> Write:
    cast.record(sitting)
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    seen = exchanges.plan_exchange(sitting.session, one, other).stamp
    return lambda: exchange(
        sitting.session, one, other, seen_stamp=seen, by=SOMEBODY, reason="席の取り違え"
    )


@example("services.phones.admit_phone")
def admitted_phone(sitting: Sitting) -> Write:
    return lambda: phones.join(sitting.token)


@example("services.phones.take_over")
def new_writer(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    mine = phones.join(sitting.token).phone
    return lambda: phones.take_over(mine)


@example("services.tokens.create_token")
def token(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    return lambda: tokens.create_token(user)


@example("services.accounts.set_may_create_events")
def right_to_create(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    return lambda: accounts.set_may_create_events(user, may=True, by=SOMEBODY)


@example("services.accounts.disable_account", "services.accounts.end_log_ins")
def ended_log_ins(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.disable_account(user, by=SOMEBODY)


@example("services.accounts.enable_account")
def enabled(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    accounts.disable_account(user, by=SOMEBODY)
    return lambda: accounts.enable_account(user, by=SOMEBODY)


@example("services.accounts.set_password")
def new_password(sitting: Sitting) -> Write:
    user = cast.make_user("kiroku")
    tokens.create_token(user)
    return lambda: accounts.set_password(user, "tsugaru-karuta-31", by=SOMEBODY)


@example("services.accounts.end_everything")
def ended_everything(sitting: Sitting) -> Write:
    tokens.create_token(cast.make_user("kiroku"))
    phones.join(sitting.token)
    return lambda: accounts.end_everything(by=SOMEBODY)


@example("services.table_links.revoke_link")
def revoked_link(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.revoke_link(sitting, by=SOMEBODY)


@example("services.table_links.end_phones")
def ended_phones(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.end_phones(sitting.session.tournament, by=SOMEBODY)


@example("services.table_links.make_link")
def new_link(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.make_link(sitting, by=SOMEBODY)


@example("services.table_links.make_pin")
def pin(sitting: Sitting) -> Write:
    return lambda: table_links.make_pin(sitting, by=SOMEBODY)


@example("services.table_cards.issue_cards")
def cards(sitting: Sitting) -> Write:
    phones.join(sitting.token)

    def issue() -> None:
        drawn = table_cards.prepare_cards([Sitting.objects.get(pk=sitting.pk)], new_links=True)
        table_cards.issue_cards(sitting.session, drawn, by=SOMEBODY)

    return issue


@example("services.acceptances.accept_round")
def accepted_round(sitting: Sitting) -> Write:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    cast.record(sitting)
    return lambda: acceptances.accept_round(sitting, 1, 1, by=SOMEBODY)


@example("services.disputes.open_dispute")
def opened_dispute(sitting: Sitting) -> Write:
    row = cast.record(sitting)
    return lambda: disputes.open_dispute(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("services.disputes.record_settled_dispute")
def settled_dispute(sitting: Sitting) -> Write:
    row = cast.record(sitting)
    return lambda: disputes.record_settled_dispute(
        sitting, 1, other_facts(sitting), row, by=SOMEBODY
    )


@example("services.calls.take_back_call")
def taken_back_call(sitting: Sitting) -> Write:
    made = calls.call_desk(sitting, "director", "札", by=SOMEBODY)
    return lambda: calls.take_back_call(sitting, made.pk, by=SOMEBODY)


@example("services.calls.call_desk")
def open_call(sitting: Sitting) -> Write:
    return lambda: calls.call_desk(sitting, "director", "札", by=SOMEBODY)
