"""Every address of the app. Its name is that of its view function and template.

The tests of a view are in `tests/tournaments/views/test_<module>.py`.
"""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.views import (
    accounts,
    adjustments,
    archives,
    awards,
    backups,
    board,
    clocks,
    closing,
    club_tables,
    copied_entries,
    disputes,
    draws,
    entries,
    exchanges,
    handover,
    history,
    home,
    name_cards,
    paper_entry,
    phone_page,
    phones,
    play_offs,
    printed_forms,
    publications,
    ranking,
    reseating,
    roll_call,
    rounds,
    rules,
    scripts,
    seat_lists,
    seating,
    seats,
    series,
    series_events,
    series_players,
    series_settings,
    sessions,
    staff,
    stages,
    standings,
    substitutions,
    table_cards,
    table_players,
    teams,
    totals,
    tournaments,
)
from tournaments.views.health import healthz

backup_urls: list[URLPattern] = [
    path("", backups.backups, name="backups"),
    path("upload/", backups.upload_backup, name="upload-backup"),
    path("<slug:backup>.zip", backups.download_backup, name="download-backup"),
    path("<slug:backup>/restore/", backups.restore_backup, name="restore-backup"),
]

rules_urls: list[URLPattern] = [
    path("", rules.rules, name="rules"),
    path("<slug:rule_set>/", rules.rule_set, name="rule-set"),
    path("<slug:rule_set>/chart/", printed_forms.chart, name="chart"),
    path("<slug:rule_set>/chart.pdf", printed_forms.chart_pdf, name="chart-pdf"),
    path("<slug:rule_set>/sheet/", printed_forms.sheet, name="sheet"),
    path("<slug:rule_set>/sheet.pdf", printed_forms.sheet_pdf, name="sheet-pdf"),
]

table_urls: list[URLPattern] = [
    path("", rounds.sitting, name="sitting"),
    path("play/", phone_page.play_table, name="play-table"),
    path("play/chart/", phone_page.chart_at_table, name="play-chart"),
    path("rounds/<int:number>/", rounds.record_round, name="record-round"),
    path("take-over/", phones.take_over, name="take-over"),
    path("go-on/", club_tables.go_on, name="go-on"),
    path("play-again/", club_tables.play_again, name="play-again"),
    path("rounds/<int:number>/preview/", rounds.preview_round, name="preview-round"),
    path("rounds/<int:number>/history/", rounds.round_history, name="round-history"),
    path("players/", table_players.table_players, name="table-players"),
    path("totals/", totals.enter_totals, name="enter-totals"),
    path("paper/", paper_entry.enter_sheet, name="enter-sheet"),
    path("paper/preview/", paper_entry.preview_sheet, name="preview-sheet"),
]

tournament_urls: list[URLPattern | URLResolver] = [
    path("", tournaments.tournament, name="tournament"),
    path("settings/", tournaments.edit_tournament, name="edit-tournament"),
    path("adjustments/", adjustments.adjustments, name="adjustments"),
    path("awards/", awards.awards, name="awards"),
    path("awards.pdf", awards.award_list, name="award-list"),
    path("ties/", adjustments.ties, name="ties"),
    path("play-off/", play_offs.play_off, name="play-off"),
    path("ranking/", ranking.ranking, name="ranking"),
    path("archive.zip", archives.archive, name="archive"),
    path("publish/", publications.publish, name="publish"),
    path("close/", closing.close, name="close"),
    path("remove/", tournaments.remove_tournament, name="remove-tournament"),
    path("staff/", staff.staff, name="staff"),
    path("entries/", entries.entries, name="entries"),
    path("name-cards.pdf", name_cards.name_cards, name="name-cards"),
    path("cards/<int:number>/", name_cards.name_card, name="name-card"),
    path("entries/copy/", copied_entries.copy_entries, name="copy-entries"),
    path("entries/<int:number>/", entries.edit_entry, name="edit-entry"),
    path("sessions/new/", seating.seat_session, name="seat-session"),
    path("sessions/<int:session>/", sessions.session, name="session"),
    path("sessions/<int:session>/draw.json", draws.draw_file, name="draw-file"),
    path("sessions/<int:session>/seats.pdf", seat_lists.seat_list, name="seat-list"),
    path("sessions/<int:session>/seat-changes/", seat_lists.seat_changes, name="seat-changes"),
    path("sessions/<int:session>/seats/", reseating.reseat_session, name="reseat-session"),
    path("sessions/<int:session>/end/", sessions.end_session, name="end-session"),
    path("sessions/<int:session>/remove/", sessions.remove_session, name="remove-session"),
    path("sessions/<int:session>/sheets.pdf", printed_forms.session_sheets, name="session-sheets"),
    path("sessions/<int:session>/cards/", table_cards.table_cards, name="table-cards"),
    path("sessions/<int:session>/clock/", clocks.set_clock, name="set-clock"),
    path("sessions/<int:session>/exchange/", exchanges.exchange_players, name="exchange-players"),
    path("sessions/<int:session>/roll-call/", roll_call.roll_call, name="roll-call"),
    path(
        "sessions/<int:session>/roll-call/marks/",
        roll_call.roll_call_marks,
        name="roll-call-marks",
    ),
    path(
        "sessions/<int:session>/roll-call/restart/",
        roll_call.restart_roll_call,
        name="restart-roll-call",
    ),
    path(
        "sessions/<int:session>/roll-call/<int:number>/substitute/",
        substitutions.substitute,
        name="substitute",
    ),
    path("sessions/<int:session>/tables/<int:table>/", include(table_urls)),
    path("history/", history.history, name="history"),
    path("history.xlsx", history.history_workbook, name="history-workbook"),
    path("seats/", seats.seats, name="seats"),
    path("clock/", clocks.clock, name="clock"),
    path("board/", board.board, name="board"),
    path("board/tables/", board.board_tables, name="board-tables"),
    path("board/calls/<int:call>/", board.answer_call, name="answer-call"),
    path(
        "board/disagreements/<int:disagreement>/",
        disputes.settle_disagreement,
        name="settle-disagreement",
    ),
    path("series/", series_events.tournament_series, name="tournament-series"),
    path("stages/", stages.stages, name="stages"),
    path("stages/<int:stage>/", stages.edit_stage, name="edit-stage"),
    path("stages/<int:stage>/members/", stages.stage_members, name="stage-members"),
    path("standings/", standings.standings, name="standings"),
    path("teams/", teams.teams, name="teams"),
    path("standings.xlsx", standings.standings_workbook, name="standings-workbook"),
    path("players/<int:number>/", standings.player, name="player"),
    path("chart/", printed_forms.tournament_chart, name="tournament-chart"),
    path("chart.pdf", printed_forms.tournament_chart_pdf, name="tournament-chart-pdf"),
    path("sheet/", printed_forms.tournament_sheet, name="tournament-sheet"),
    path("sheet.pdf", printed_forms.tournament_sheet_pdf, name="tournament-sheet-pdf"),
]

series_urls: list[URLPattern] = [
    path("", series.all_series, name="all-series"),
    path("new/", series_settings.create_series, name="create-series"),
    path("<slug:series>/", series.series, name="series"),
    path("<slug:series>/table.xlsx", series.series_workbook, name="series-workbook"),
    path("<slug:series>/settings/", series_settings.edit_series, name="edit-series"),
    path("<slug:series>/players/", series_players.series_players, name="series-players"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("service-worker.js", phone_page.service_worker, name="service-worker"),
    path("scripts/<slug:name>.<slug:digest>.js", scripts.script, name="script"),
    path("api/", include("tournaments.api.urls")),
    path("desk/", handover.hand_over, name="hand-over"),
    path(
        "language/",
        # Without a CSRF token, which would differ on pages that readers share.
        csrf_exempt(requires(GET=Level.ANYBODY, POST=Level.ANYBODY)(set_language)),
        name="set-language",
    ),
    path("log-in/", accounts.log_in, name="log-in"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.change_password, name="change-password"),
    path("accounts/", accounts.accounts, name="accounts"),
    path("log-out/", requires(POST=Level.ANYBODY)(LogoutView.as_view()), name="log-out"),
    path("backups/", include(backup_urls)),
    path("rules/", include(rules_urls)),
    path("tables/<slug:rule_set>/", club_tables.start_table, name="start-table"),
    path("join/", phones.join, name="join"),
    path("join/<slug:token>/", phones.join_table, name="join-table"),
    path("series/", include(series_urls)),
    path("tournaments/new/", tournaments.choose_rules, name="choose-rules"),
    path("tournaments/new/archive/", archives.read_archive, name="read-archive"),
    path(
        "tournaments/new/<slug:rule_set>/",
        tournaments.create_tournament,
        name="create-tournament",
    ),
    path("tournaments/<slug:slug>/", include(tournament_urls)),
]

handler404 = "tournaments.views.errors.handler404"
handler500 = "tournaments.web.storage_errors.handler500"
