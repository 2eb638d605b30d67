"""Filters for the problems of a record."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

import scoring
from tournaments.i18n import sentences

register = template.Library()


@register.filter
def problem_words(problem: scoring.Problem, names: Mapping[str, str]) -> str:
    """`{{ problem|problem_words:sheet.names }}`: the sentence for a problem, with names."""
    return sentences.problem_sentence(problem, names)
