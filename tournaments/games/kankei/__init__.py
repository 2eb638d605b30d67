"""Face-card games: kankei play against mukankei, in rounds of up to three deals."""

from django.utils.translation import gettext_lazy as _

from tournaments.game_kinds import GameKind
from tournaments.games.kankei import columns, comparison, playbook, shorthand, simulation, words
from tournaments.games.kankei.form import KankeiForm
from tournaments.games.kankei.sheet import KankeiSheet

KIND = GameKind(
    code="kankei",
    form=KankeiForm,
    sheet=KankeiSheet,
    columns=columns.columns,
    cells=columns.cells,
    facts_in_words=words.facts_in_words,
    read_line=shorthand.read_line,
    format_line=shorthand.format_line,
    differing_parts=comparison.differing_parts,
    merge_with_stored=comparison.merge_with_stored,
    shorthand_help=shorthand.help_context,
    playbook=playbook.playbook,
    simulate=simulation.simulate,
    as_recorded=simulation.as_recorded,
    usual_mistakes=(_("Miscounted"), _("Wrong players")),
    check_request=_("Ask a player on the other side to check this and tap."),
    sides=(_("Kankei"), _("Mukankei")),
    explanations=words.explanations,
)
