"""The guides (てびき) as pages, and as booklets to print with the addresses of a tournament."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

import scoring
from tournaments.i18n import sentences
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.views.rules import find_rules
from tournaments.web import downloads, heavy_files, qr_codes
from tournaments.web.guides import Guide
from tournaments.web.origins import chosen_origin
from tournaments.web.public_pages import cached_for_spectators

BOOKLET = "print/guide.html"


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def guides(request: HttpRequest) -> HttpResponse:
    others = [guide for guide in Guide if guide != Guide.TABLE]
    context = {"guides": others, "table": Guide.TABLE, "every_rules": _every_rules()}
    return render(request, "guides.html", context)


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def guide(request: HttpRequest, guide: str) -> HttpResponse:
    """Show a guide; that of a table for the rule set in `rules`, by default the first one."""
    return render(request, "guide.html", _public_context(request, guide))


@requires(GET=Level.ANYBODY)
def guide_pdf(request: HttpRequest, guide: str) -> HttpResponse:
    """Return the booklet of a guide; that of a table for the rule set in `rules`."""
    context = _public_context(request, guide)
    key = (BOOKLET, guide, context["rules"].slug, get_language())
    content = heavy_files.cache.get(
        key=lambda: key,
        make=lambda: rendering.pdf(BOOKLET, context),
        quota=heavy_files.quota_of(request),
    )
    return downloads.pdf(content, context["guide"].heading, context["rules_title"])


@never_cache
@requires(GET=Level.STAFF)
def tournament_guide(request: HttpRequest, slug: str, guide: str) -> HttpResponse:
    """Return the booklet of a guide with the name and the address of the tournament."""
    tournament = door.tournament_of(request)
    address = f"{chosen_origin(request)}{reverse('tournament', args=[slug])}"
    context = context_of(_guide_or_404(guide), tournament.rules)
    code = qr_codes.inline(address, border=4)
    context |= {"tournament": tournament, "address": address, "code": code}
    return downloads.pdf(rendering.pdf(BOOKLET, context), context["guide"].heading, tournament)


def context_of(chosen: Guide, rules: scoring.Rules) -> dict[str, Any]:
    """Return what page and booklet show; only the guide of a table names the rules.

    Rulings are those of the rule set, whatever a tournament has chosen.
    """
    is_of_rules = chosen == Guide.TABLE
    return {
        "guide": chosen,
        "rules": rules,
        "every_rules": [scoring.choose(rules.rule_set)],
        "rules_title": sentences.translated(rules.rule_set.title) if is_of_rules else "",
    }


def _public_context(request: HttpRequest, guide: str) -> dict[str, Any]:
    """Return what everybody sees: a guide by the rules that were asked for, all rulings."""
    context = context_of(_guide_or_404(guide), _asked_rules(request))
    return context | {"every_rules": _every_rules()}


def _every_rules() -> list[scoring.Rules]:
    return [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS]


def _guide_or_404(name: str) -> Guide:
    try:
        return Guide(name)
    except ValueError:
        raise Http404 from None


def _asked_rules(request: HttpRequest) -> scoring.Rules:
    return find_rules(request.GET.get("rules") or scoring.RULE_SETS[0].slug)
