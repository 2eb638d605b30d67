"""Gouji: what counts is the order in which players run out of cards."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.game_kinds import GameKind
from tournaments.games.finish import columns, playbook, shorthand, simulation, words
from tournaments.games.finish.form import FinishForm
from tournaments.games.finish.sheet import FinishSheet

KIND = GameKind(
    code="finish",
    form=FinishForm,
    sheet=FinishSheet,
    columns=columns.columns,
    cells=columns.cells,
    facts_in_words=words.facts_in_words,
    read_line=shorthand.read_line,
    format_line=shorthand.format_line,
    differing_parts=lambda one, other: {
        key for key in ("finish", "teams") if one.get(key) != other.get(key)
    },
    shorthand_help=shorthand.help_context,
    playbook=playbook.playbook,
    simulate=simulation.simulate,
    as_recorded=simulation.as_recorded,
    usual_mistakes=(_("Wrong order"),),
    check_request=_("Ask a player on the other side to check this and tap."),
    sides=(pgettext_lazy("of the round just played", "Points"),),
    explanations=words.explanations,
)
