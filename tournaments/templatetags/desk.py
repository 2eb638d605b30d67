"""What the desk's pages say beside the facts."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

import scoring
from tournaments.i18n import sentences

register = template.Library()


@register.filter
def problem_words(problem: scoring.Problem, names: Mapping[str, str]) -> str:
    """`{{ problem|problem_words:sheet.names }}`: what is wrong with facts, naming people."""
    return sentences.problem_sentence(problem, names)
