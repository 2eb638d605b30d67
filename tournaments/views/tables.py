"""One table tonight: no tournament, no account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import scoring
from tournaments import access, registration, wording
from tournaments.forms import posted
from tournaments.forms.tables import StartTableForm
from tournaments.models import Sitting, Tournament
from tournaments.views.rules import find_rules


@require_http_methods(["GET", "HEAD", "POST"])
def start_table(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Ask who plays, then open their score pad."""
    rules = find_rules(rule_set)
    players = _players_asked_for(request, rules)
    form = StartTableForm(rules, players, posted(request))
    if request.method == "POST" and form.is_valid():
        sitting = registration.start_table(
            _tonight(form), form.rules, form.names, by=access.actor(request)
        )
        access.let_record(request, sitting)
        return redirect(sitting)
    context = {"form": form, "rules": rules, "rules_fingerprint": rules.fingerprint}
    return render(request, "start_table.html", context, status=422 if form.is_bound else 200)


def _players_asked_for(request: HttpRequest, rules: scoring.Rules) -> int:
    """Return for how many players the form is: what was asked for if the rules allow it."""
    asked_for = request.POST.get("players") or request.GET.get("players")
    allowed = rules.rule_set.players
    return next((count for count in allowed if str(count) == asked_for), allowed[0])


def _tonight(form: StartTableForm) -> Tournament:
    """Return a tournament for this table alone, named after its rules and the day."""
    today = timezone.localdate()
    title = wording.translated(form.rule_set.title)
    return Tournament(
        name=gettext("%(rules)s, %(date)s")
        % {"rules": title, "date": date_format(today, "MONTH_DAY_FORMAT")},
        held_on=today,
        rounds_per_session=form.rule_set.rounds,
        partners=form.wants_partners,
    )


@never_cache
@require_safe
def join_table(request: HttpRequest, token: str) -> HttpResponse:
    """Let this browser record at the table whose link it opened. The token goes no further."""
    sitting = get_object_or_404(Sitting.objects.select_related("session__tournament"), token=token)
    if not access.may_record(request, sitting):
        access.let_record(request, sitting)
    return redirect(sitting)
