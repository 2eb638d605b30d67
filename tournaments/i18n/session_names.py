"""Names of sessions: 第3回戦, or 決定戦 for a play-off.

`Session.number`, as in addresses and the API, counts play-offs, too; the number shown in a name
does not. `play_offs` are the session numbers of a tournament's play-offs.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from tournaments.models.tournament import shown_number


def session_name(number: int, play_offs: Sequence[int]) -> str:
    """Return the name of a session as a title: Session 3, Play-off, Play-off 2."""
    shown = shown_number(number, play_offs)
    if number not in play_offs:
        return gettext("Session %(number)s") % {"number": shown}
    return gettext("Play-off %(number)s") % {"number": shown} if shown > 1 else gettext("Play-off")


def session_words(number: int, play_offs: Sequence[int]) -> str:
    """Return the name of a session in a sentence: session 3, the play-off, play-off 2."""
    shown = shown_number(number, play_offs)
    if number not in play_offs:
        return gettext("session %(number)s") % {"number": shown}
    if shown == 1:
        return gettext("the play-off")
    return gettext("play-off %(number)s") % {"number": shown}
