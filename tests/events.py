"""Events with every kind of row, and deleting them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import ForeignKey, Model

import scoring
from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.private_data import PRIVATE
from tests.tournaments.audit.examples import OF_FULL_EVENTS
from tournaments import archives, audit
from tournaments.models import (
    AuditEntry,
    Entry,
    SamePlayer,
    Session,
    Sitting,
    Tournament,
)
from tournaments.models.registrations import REGISTRATION_FIELDS
from tournaments.queries import clocks as clock_queries
from tournaments.queries import exchanges, seat_draws
from tournaments.queries import presence as presence_queries
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.presence import Status
from tournaments.queries.sheets import sheet_of
from tournaments.services import (
    acceptances,
    adjustments,
    calls,
    clocks,
    contacts,
    disputes,
    idempotency,
    phones,
    presence,
    private_data,
    ranking,
    registrations,
    schedules,
    seating,
    sessions,
    staff,
    substitutions,
    table_links,
    table_players,
    totals,
    tournaments,
    versions,
)
from tournaments.services import stages as stages_service
from tournaments.services.clocks import ClockAction
from tournaments.services.entries import correct_entry, remove_entry
from tournaments.services.exchanges import exchange
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish, set_shows_seats, show_live
from tournaments.services.seating import PlayOffPlan


def path_to_tournament(model: type[Model]) -> list[str]:
    """Return the fields that lead from a row to its tournament, the shortest way; or nothing."""
    if model is Tournament:
        return ["id"]
    paths = [
        [each.name, *rest]
        for each in foreign_keys(model)
        if not each.null and (rest := path_to_tournament(each.related_model))
    ]
    found = min(paths, key=len, default=[])
    return found[:-1] if found[-1:] == ["id"] else found


def foreign_keys(model: type[Model]) -> list[ForeignKey[Model]]:
    return [each for each in model._meta.get_fields() if isinstance(each, ForeignKey)]


MODELS = {
    model: {each.related_model for each in foreign_keys(model)} - {model}
    for model in apps.get_app_config("tournaments").get_models()
}
# The path from each model to its tournament; what refers to another model stands before it.
OF_A_TOURNAMENT = {
    model: "__".join(path_to_tournament(model))
    for model in reversed([*TopologicalSorter(MODELS).static_order()])
    if model is not SamePlayer and path_to_tournament(model)  # the former joins two tournaments
}


FURTHER_STEPS = {"kankei": ["skunks"], "captures": ["best_session"], "finish": ["penalties"]}


def off_their_default(rule_set: scoring.RuleSet) -> scoring.Rules:
    """Return the rules with every option and one value of points off their default."""
    others = {
        each.name: next(value for value, _ in each.named if value != each.default)
        if each.named
        else not each.default
        for each in rule_set.options
    }
    halved = {item for each in rule_set.options for item in each.halved}
    rule = next(each for each in rule_set.rules if each.points and each.item not in halved)
    return scoring.choose(
        rule_set, others, {rule.item: rule.points + (1 if rule.points > 0 else -1)}
    )


def full_event(rule_set: str = "goninkan-association", **fields: Any) -> Tournament:
    """Return an event with rows of every model, and with every option off its default."""
    rules = scoring.get_rule_set(rule_set)
    tournament = Tournament(
        name="秋の髙﨑𠮷大会",
        held_on=date(2031, 11, 21),
        venue="=体育館 <b>",
        accepting="same",
        sessions_planned=4,
        **{"rounds_per_session": rules.rounds} | fields,
    )
    tournaments.create_tournament(tournament, off_their_default(rules), by=SOMEBODY)
    entries = cast.make_entries(tournament, max(rules.players) + 1, **PRIVATE)
    person = {
        "name": "=1+1 <b>",
        "club": "",
        "division": "有段者",
        "team": "=青 & 赤",
        "reading": "イチ",
    }
    correct_entry(entries[1], person, seen_version=0, by=SOMEBODY)
    remove_entry(cast.make_entries(tournament, 1)[0], by=SOMEBODY)
    _call_roll(entries, cast.make_entries(tournament, 1)[0])
    _play(_seat_drawn(tournament, entries[:-1]), entries[-1])
    _run_clock(tournament.sessions.get(number=1))
    tournament.totals_only = True
    seen = versions.version_of(tournament)
    tournaments.change_rules(tournament, off_their_default(rules), seen_version=seen, by=SOMEBODY)
    _rank(tournament, entries)
    _staff(tournament)
    _take_registrations(tournament)
    _type_totals(seating.open_session(tournament, [entries[1:]], by=SOMEBODY))
    tied = PlayOffPlan([each.number for each in entries[-2:]], rounds=1)
    open_play_off(tournament, tied, [entries[1:]], number=3, by=SOMEBODY)
    sessions.remove_session(
        seating.open_session(tournament, [entries[1:]], by=SOMEBODY), by=SOMEBODY
    )
    _plan(tournament)
    show_live(tournament, by=SOMEBODY)
    set_shows_seats(tournament, shows=True, by=SOMEBODY)
    _go_on(tournament)
    sessions.end_session(tournament.sessions.get(number=1), stopping=[2], by=SOMEBODY)
    publish(tournament, by=SOMEBODY)
    sessions.end_session(tournament.sessions.get(number=2), stopping=[], by=SOMEBODY)
    sitting = Sitting.objects.get(session__tournament=tournament, session__number=2)
    for prepare in OF_FULL_EVENTS:
        prepare(sitting)()
    return Tournament.objects.get(pk=tournament.pk)


def _rank(tournament: Tournament, entries: list[Entry]) -> None:
    kind = tournament.rules.game.kind
    chosen = {"tie_breaks": ["points", *FURTHER_STEPS[kind], "lot"], "lot_seed": "冬至"}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY, reason="要項のとおり")
    for number, points in ((1, -5), (2, 3)):
        adjustments.adjust_points(
            tournament, number, entries[1], points, by=SOMEBODY, reason=f"裁定 {number}"
        )
        order = [each.number for each in entries[2 * number - 2 : 2 * number]]
        adjustments.decide_tie(tournament, number, order, by=SOMEBODY, reason="じゃんけん")
    adjustments.adjust_points(tournament, 3, "=青 & 赤", -2, by=SOMEBODY, reason="遅刻")
    adjustments.take_back_adjustment(tournament, 2, by=SOMEBODY, reason="誤り")
    adjustments.take_back_decision(tournament, 2, by=SOMEBODY, reason="誤り")
    adjustments.draw_lot(tournament, 3, order, by=SOMEBODY, reason="抽選")


def _seat_drawn(tournament: Tournament, entries: list[Entry]) -> Session:
    """Seat players at one table by a draw, changed by hand to the order of their numbers."""
    choices = seat_draws.Choices("fewest_repeats", separates_clubs=True, seed=1)
    drawn = seat_draws.draw_seats(tournament, 1, entries, choices)
    assert drawn
    return seating.open_session(tournament, [entries], by=SOMEBODY, draw=drawn.facts)


def _plan(tournament: Tournament) -> None:
    """Keep planned seats, drop them, keep others, and change those of the second session."""
    for seen in (0, None):
        facts = cast.drawn_facts(tournament, 4, sessions=2)
        version = schedule_queries.schedule_version(tournament) if seen is None else seen
        schedules.store_schedule(tournament, 4, facts, seen_version=version, by=SOMEBODY)
        version = schedule_queries.schedule_version(tournament)
        if seen == 0:
            schedules.delete_schedule(tournament, seen_version=version, by=SOMEBODY)
    tables = facts["answer"]["sessions"][1]["tables"]
    kept = [[tournament.entries.get(number=int(key)) for key in drawn[::-1]] for drawn in tables]
    schedules.change_planned_seats(
        tournament, 5, kept, seen_version=version, by=SOMEBODY, reason="付き添い"
    )
    schedules.set_shows_schedule(tournament, shows=True, by=SOMEBODY)


def _go_on(tournament: Tournament) -> None:
    """Define a final and one more, and change twice who goes on."""
    quotas = [Quota("A決勝", "", 3), Quota("B決勝", "一般", None, at_least=-9)]
    final = stages.make_stage(
        tournament, wanted=stages.plan(*quotas, at_line=AtLine.LOT, sessions_planned=2)
    )
    stages.make_stage(tournament, 3)
    stages_service.remove_stage(stages.make_stage(tournament, 4), by=SOMEBODY)
    confirmed = stages.confirm(final)
    stages_service.take_back_members(confirmed, by=SOMEBODY, reason="記入漏れ")
    members = stages.confirm(final).read_members()
    leaving = tournament.entries.get(number=members[0].players[0])
    stages_service.replace_member(final, leaving, None, by=SOMEBODY, reason="辞退")


def _take_registrations(tournament: Tournament) -> None:
    """Take applications: one was approved, withdrawn and removed, another waits for approval."""
    closes_at = datetime(2031, 1, 31, 18, 0, tzinfo=UTC)
    chosen = {"capacity": 99, "divisions": ("一般",), "text": "参加費 千円"}
    own = {"一般": 50}
    cast.open_registration(tournament, closes_at=closes_at, capacities=own, **chosen)
    facts = {name: f"申込の {number}" for number, name in enumerate(REGISTRATION_FIELDS)}
    facts |= {"division": "一般", "contact": str(PRIVATE["contact"])}
    row, _waiting = (
        cast.register(tournament, key, **facts | {"name": f"申込 {key}"}) for key in "ab"
    )
    decision = registrations.Decision(row.number, row.state)
    registrations.decide(tournament, [decision], "approved", by=SOMEBODY)
    registrations.withdraw_application(row, by=SOMEBODY)
    row.refresh_from_db()
    registrations.remove_player(row, by=SOMEBODY)
    contacts.erase_contacts(tournament, by=SOMEBODY)
    private_data.set_end(tournament, date(2031, 12, 31), seen_version=0, by=SOMEBODY)


def _call_roll(entries: list[Entry], leaver: Entry) -> None:
    """Mark players, start again, and let one withdraw."""
    tournament = entries[0].tournament
    for entry, status in zip(entries, (Status.PRESENT, Status.LATE), strict=False):
        presence.mark_presence(entry, 1, status, seen_status=Status.EXPECTED, by=SOMEBODY)
    seen = presence_queries.marks_version(tournament)
    presence.restart_roll_call(tournament, 1, seen_version=seen, by=SOMEBODY, reason="やり直し")
    for status, seen_status in (
        (Status.PRESENT, Status.EXPECTED),
        (Status.WITHDRAWN, Status.PRESENT),
    ):
        presence.mark_presence(leaver, 1, status, seen_status=seen_status, by=SOMEBODY)
    substitutions.add_substitute(leaver, 1, {"name": "代理 一郎"}, by=SOMEBODY)


def _play(session: Session, substitute: Entry) -> None:
    """Let a table record and accept, exchange a player, dispute a round and call the desk."""
    sitting = session.sittings.get()
    phone = phones.join(sitting.token).phone
    by, facts = phones.actor_of(phone), cast.plain_round(sitting)

    def act(_locked: Tournament) -> idempotency.Answer:
        row = cast.record(sitting, facts, by=by)
        return idempotency.Answer(201, {"version": row.version, "facts": row.facts})

    def repeat(_locked: Tournament) -> idempotency.Answer:
        return idempotency.Answer(200, {"number": 1, "version": 1, "facts": facts})

    for key, operation in (("a key", act), ("another key", repeat)):
        idempotency.run_once(session.tournament, key, {"facts": facts}, operation)
    acceptances.accept_round(sitting, 1, 1, by=by, phone=phone)
    one = sitting.seats.select_related("entry")[0].entry
    planned = exchanges.plan_exchange(session, one, substitute)
    exchange(session, one, substitute, seen_stamp=planned.stamp, by=SOMEBODY, reason="代理")
    facts = cast.plain_round(sitting)
    row = cast.record(sitting, facts, number=2)
    for number in (1, 2):
        told = facts | {"told": number}
        dispute = disputes.open_dispute(sitting, number, told, row, by=by, phone=phone)
        assert dispute
        seen = sitting.rounds.filter(number=number).count()
        disputes.keep_stored_facts(dispute, seen_version=seen, by=SOMEBODY, reason="票のとおり")
    calls.call_desk(sitting, "director", "配り役を", by=by)
    calls.answer_call(calls.call_desk(sitting, "correction", "", by=by), by=SOMEBODY)
    phones.take_over(phones.join(sitting.token).phone)
    table_links.make_pin(sitting, by=SOMEBODY)
    sheet = sheet_of(sitting)
    table_players.change_players(
        sitting,
        [one if each == substitute else each for each in sheet.entries],
        seen_players=sheet.players,
        may_be_away=True,
        by=SOMEBODY,
    )


def _run_clock(session: Session) -> None:
    """Set the clock, and let it run, stand still, go on and stand still again."""
    cast.start_clock(session, ClockSettings(3600, 300, {"1": 120}))
    for act in (ClockAction.PAUSE, ClockAction.RESUME, ClockAction.PAUSE):
        seen = clock_queries.clock_version(session)
        clocks.run_clock(session, act, seen_version=seen, by=SOMEBODY)


def _staff(tournament: Tournament) -> None:
    for name, role in (
        ("津島 善", "director"),
        ("原 とし", "director"),
        ("工藤 永", "scorekeeper"),
    ):
        user, _ = User.objects.get_or_create(username=name)
        membership = staff.give_role(tournament, user, role, by=SOMEBODY)
    staff.remove_role(membership, by=SOMEBODY)


def _type_totals(session: Session) -> None:
    sitting = session.sittings.get()
    phones.join(sitting.token)
    table_links.make_link(sitting, by=SOMEBODY)
    points = dict.fromkeys(cast.keys(sitting), 0)
    one, other, *_ = points
    totals.enter_totals(sitting, points, seen_version=0, by=SOMEBODY)
    changed = points | {one: 3, other: -3}
    totals.enter_totals(sitting, changed, seen_version=1, by=SOMEBODY, reason="写しまちがい")
    table_links.revoke_link(sitting, by=SOMEBODY)


def as_before_digests(event: Tournament) -> None:
    """Remove digests of links, PINs, phones and private data from audit entries, as in old ones."""
    previous = audit.CHAIN_START
    with lifted():
        for act in event.audit_entries.order_by("number"):
            if act.kind != AuditEntry.Kind.REGISTERED:  # there were no applications then
                act.subject, act.new = without_digests(act.subject), without_digests(act.new)
            act.previous, act.digest = previous, ""
            act.digest = previous = audit.digest_of(act)
            act.save()
    audit.set_chain_end(event, last_act=previous)


def without_digests(said: Any) -> Any:
    """Return a payload without the keys that only newer audit entries have."""
    if isinstance(said, list):
        return [without_digests(each) for each in said]
    if not isinstance(said, dict):
        return said
    newer = {"links", "pins", "phone", "private"} | ({"team"} if said.get("team") == "" else set())
    return {key: said[key] for key in said if key not in newer} or (None if said else said)


def rows() -> dict[str, list[Any]]:
    """Return every row of all events, by model."""
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in OF_A_TOURNAMENT
    }


@contextmanager
def lifted() -> Iterator[None]:
    if connection.vendor == "postgresql":  # where dropping a trigger locks a table for backups
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            yield
            cursor.execute("SET session_replication_role = origin")
        return
    with connection.cursor() as cursor:  # 0.8 ms; `guards.set_guards` takes 71
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _statement in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _name, statement in triggers:
            cursor.execute(statement)


def forget(tournament: Tournament) -> None:
    with lifted(), connection.cursor() as cursor:
        for model, path in OF_A_TOURNAMENT.items():
            keys = model._default_manager.filter(**{path: tournament.pk}).values_list("pk")
            for (key,) in list(keys):
                cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", [key])


def gone() -> bytes:
    """Return the archive of a small event, which is then deleted."""
    sitting = cast.make_sitting()
    cast.record(sitting)
    content = archives.export_archive(sitting.session.tournament, with_private=True)
    forget(sitting.session.tournament)
    return content
