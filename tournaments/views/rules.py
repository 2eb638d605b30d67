"""The rule sets: their items, points, options and sources."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

import scoring
from tournaments.game_kinds import kind_of
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.web.public_pages import cached_for_spectators


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def rules(request: HttpRequest) -> HttpResponse:
    all_rules = [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS]
    return render(request, "rules.html", {"all_rules": all_rules})


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def rule_set(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    context = {
        "rules": rules,
        "rules_fingerprint": rules.fingerprint,
        "explanations": kind_of(rules.game).explanations(rules),
    }
    return render(request, "rule_set.html", context)


def find_rules(slug: str) -> scoring.Rules:
    """Raises `Http404` for an unknown slug."""
    try:
        return scoring.choose(scoring.get_rule_set(slug))
    except scoring.UnknownRuleSet:
        raise Http404 from None
