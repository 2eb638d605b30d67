"""Writes about tournaments and series: rules, ranking, adjustments, publications."""

from __future__ import annotations

import scoring
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.tournaments.audit.examples.registry import Write, example
from tournaments.audit import Actor
from tournaments.models import Entry, Series, Sitting, Tournament
from tournaments.services import (
    adjustments,
    clones,
    closing,
    phones,
    ranking,
    same_players,
    series,
    tournaments,
)
from tournaments.services.publications import (
    publish,
    publish_or_show_live,
    set_shows_seats,
    show_live,
    unpublish,
)


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
    return lambda: series.edit_series(made, {"rules": {"best": 3}}, seen_version=1, by=SOMEBODY)


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


@example("services.series.add_event", in_full_event=True)
def event_of_series(sitting: Sitting) -> Write:
    made = make_series()
    return lambda: series.add_event(made, sitting.session.tournament, by=SOMEBODY)


@example("services.series.remove_event", in_full_event=True)
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


@example("services.publications.publish")
def publication(sitting: Sitting) -> Write:
    cast.record(sitting)
    return lambda: publish(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.publish_or_show_live")
def announcement(sitting: Sitting) -> Write:
    return lambda: publish_or_show_live(sitting.session.tournament, by=SOMEBODY)


@example("services.publications.show_live")
def shown_live(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    return lambda: show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("services.publications.unpublish")
def withdrawn(sitting: Sitting) -> Write:
    pk = sitting.session.tournament_id
    show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: unpublish(Tournament.objects.get(pk=pk), by=SOMEBODY)


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
