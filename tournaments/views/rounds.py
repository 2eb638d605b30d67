"""A table's page, the form for its rounds, and the versions of a round."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

import scoring
from tournaments.forms import posted_data
from tournaments.forms.rounds import RoundForm, round_form
from tournaments.game_kinds import kind_of
from tournaments.i18n import sentences
from tournaments.paper_entry.line_shorthand import Unreadable
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.board import open_matters_at
from tournaments.queries.corrections import facts_of_version, rounds_set_aside, versions_of
from tournaments.queries.player_names import player_names
from tournaments.queries.player_rounds import shown_as_counting_for_nobody
from tournaments.queries.round_validation import without_rounds_after_end
from tournaments.queries.sheets import Sheet, sheet_at
from tournaments.queries.substitutions import replaced_in
from tournaments.queries.what_if import with_round
from tournaments.views.awards import partial_sentence
from tournaments.views.ended_phones import explain_ended_phone
from tournaments.views.paper_entry import next_sheet_url
from tournaments.views.phone_page import table_code
from tournaments.views.saving_rounds import pending_correction, save_round, show_form
from tournaments.web.public_pages import cached_for_spectators

LONGEST_LINE = 200


@explain_ended_phone
@requires(GET=Level.SEE)
@cached_for_spectators
def sitting(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    event = door.event_of(request, allow_older=True)
    sheet = event.table(session, table)
    replaced = replaced_in(session, event.substitutions)
    may_record = rights.may_record(request, sheet.sitting)
    may_correct = rights.may_correct(request, sheet.sitting)
    shows_requests = may_correct and event.publication is None
    context = {
        "sheet": sheet,
        "tournament": event.tournament,
        "replaced": replaced,
        "names": player_names((*sheet.entries_at_table, *replaced.values())),
        "for_nobody": shown_as_counting_for_nobody(
            event, sheet.entries_at_table, sheet.sitting.session
        ),
        "parts": [
            {
                "sheet": each,
                "set_aside": rounds_set_aside(each) if may_correct else [],
                "waiting": open_matters_at(each) if shows_requests else None,
            }
            for each in reversed(sheet.at_table)
        ],
        "publication": event.publication,
        "partial": "" if sheet.is_finished else partial_sentence(event, session),
        "shows_only_seats": event.shows_only_seats(session),
        "may_record": may_record,
        "code": table_code(request, sheet.sitting) if may_record else {},
        "may_correct": may_correct,
        "next_sheet_url": next_sheet_url(sheet.sitting)
        if may_correct and sheet.is_finished
        else "",
    }
    return render(request, "sitting.html", context)


@explain_ended_phone
@requires(GET=Level.RECORD, POST=Level.RECORD)
def record_round(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> HttpResponse:
    """Show the form of a round; on POST record the round, continue it or correct it.

    For a correction by staff, `line` in the query shows the form with the round as shorthand.
    `version` fills the form with an earlier version of the round.
    """
    sitting = door.sitting_of(request)
    form = _form_or_404(request, sheet_at(sitting), number)
    if request.method == "POST":
        return save_round(request, form)
    stored = form.stored if form.is_correction else None
    if stored is not None and not rights.may_correct_round(request, form.sheet, stored):
        raise PermissionDenied
    if "line" in request.GET and stored is not None and rights.may_correct(request, sitting):
        return _show_line_form(request, form)
    if "version" in request.GET and (form.is_correction or form.stored is None):
        _fill_with_version(form, request.GET["version"])
    may_be_line = form.is_correction and rights.may_correct(request, sitting)
    return show_form(request, form, may_be_line=may_be_line)


def _show_line_form(request: HttpRequest, form: RoundForm) -> HttpResponse:
    """Show the form to correct a recorded round by a line of shorthand.

    The fields have the facts of `line` in the query, by default the stored ones; the page shows
    what they would change, or the problems of the line. Raises `Http404` without a stored round.
    """
    game, players = form.sheet.rules.game, form.sheet.players
    if form.stored is None:
        raise Http404
    kind = kind_of(game)
    stored_line = kind.format_line(form.stored.facts, game, players)
    line = request.GET["line"][:LONGEST_LINE].strip() or stored_line
    problems: list[str] = []
    try:
        facts = kind.read_line(line, game, players, form.stored.facts.get("dealer"))
        shortened = without_rounds_after_end(form.sheet, form.number, facts)
        with_round(shortened, form.number, facts)  # raises `InvalidRecord`
    except Unreadable as unreadable:
        problems = [str(unreadable)]
    except scoring.InvalidRecord as invalid:
        names, rules = form.sheet.names, form.sheet.rules
        problems = [sentences.problem_sentence(each, names, rules) for each in invalid.problems]
    else:
        form.fill_with(facts)
    context = kind.shorthand_help(game, len(players))
    context |= {"line": line, "stored_line": stored_line, "problems": problems}
    return show_form(request, form, template="correct_line.html", **context)


@requires(POST=Level.RECORD)
def preview_round(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> JsonResponse:
    """Return as JSON the preview of the facts typed so far, as HTML, and the state of each deal.

    The deals say which fields are open, and which declarations are legal; only face-card games have
    them.
    """
    form = _form_or_404(request, sheet_at(door.sitting_of(request)), number)
    context = {
        "preview": form.preview(),
        "deals_after_end": form.deals_after_end,
        "rules": form.sheet.rules,
        "tournament": form.sheet.sitting.session.tournament,
        "correction": pending_correction(request, form),
    }
    html = render_to_string("rounds/_preview.html", context, request)
    return JsonResponse({"html": html, "deals": form.deal_states()})


def _form_or_404(request: HttpRequest, sheet: Sheet, number: int) -> RoundForm:
    """Return the form of a round, bound if data was posted.

    Raises `Http404` if the round cannot be recorded yet.
    """
    form = round_form(sheet, number, posted_data(request))
    if form is None:
        raise Http404
    return form


def _fill_with_version(form: RoundForm, version: str) -> None:
    """Fill the form with an earlier version of the round, which can then be stored again as it was.

    `version` is the number of the version, as in the query. The reason is filled in, too. Raises
    `Http404` if there is no such version.
    """
    number = int(version) if version.isdecimal() and len(version) < 6 else 0
    facts = facts_of_version(form.sheet.sitting, form.number, number)
    if facts is None:
        raise Http404
    reason = _("Version %(number)s restored") % {"number": number}
    form.fill_with(facts, reason=reason)


def _can_restore_versions(sheet: Sheet, number: int) -> bool:
    """Return whether earlier versions of a round can be stored again as the newest version.

    True for a complete round, and for the next round, whose versions were set aside, while the game
    is not finished.
    """
    if number <= len(sheet.rows):
        return sheet.score.rounds[number - 1].complete
    return number == sheet.next_number and not sheet.is_finished


@requires(GET=Level.HOST)
def round_history(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> HttpResponse:
    """Show every version of a round: who stored it, when, why, and how its points changed.

    Raises `Http404` unless the round is recorded, was set aside, or is the next one to be recorded
    (which may have no versions yet).
    """
    sheet = sheet_at(door.sitting_of(request))
    versions = versions_of(sheet, number) if number >= 1 else []
    is_next = number == len(sheet.rows) + 1
    if not versions and not is_next:
        raise Http404
    context = {
        "tournament": sheet.sitting.session.tournament,
        "sheet": sheet,
        "number": number,
        "versions": versions,
        "can_restore_versions": _can_restore_versions(sheet, number),
    }
    return render(request, "round_history.html", context)
