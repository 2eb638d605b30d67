"""Gong Zhu: what counts is who took which card."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.game_kinds import GameKind
from tournaments.games.captures import columns, comparison, playbook, shorthand, simulation, words
from tournaments.games.captures.form import CapturesForm
from tournaments.games.captures.sheet import CapturesSheet

KIND = GameKind(
    code="captures",
    form=CapturesForm,
    sheet=CapturesSheet,
    columns=columns.columns,
    cells=columns.cells,
    facts_in_words=words.facts_in_words,
    read_line=shorthand.read_line,
    format_line=shorthand.format_line,
    differing_parts=comparison.differing_parts,
    shorthand_help=shorthand.help_context,
    playbook=playbook.playbook,
    simulate=simulation.simulate,
    as_recorded=simulation.as_recorded,
    usual_mistakes=(_("Wrong cards"),),
    check_request=_("Ask another player to check this and tap."),
    sides=(pgettext_lazy("of the round just played", "Points"),),
    limited_totals=playbook.limited_totals,
)
