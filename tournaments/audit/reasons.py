"""Reasons that the program itself gives for an act.

They are stored in English and shown in the reader's language (`i18n.sentences.reason_words`).
"""

from django.utils.translation import gettext_noop as _

SCORE_THE_SAME = _("Both score the same: the first stands.")
SEATS_FOLLOW = _("An earlier record arrived late or was corrected, so the seats have changed.")
DECIDED_BY_LOT = _("Decided by lot")
OWN_REASONS = frozenset({SCORE_THE_SAME, SEATS_FOLLOW, DECIDED_BY_LOT})
