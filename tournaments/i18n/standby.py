"""Standby copies in words: how old they are, and what is wrong with them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.i18n.sentences import isolated
from tournaments.i18n.times import exact_moment
from tournaments.standby.status import Status, TargetStatus

STATES: dict[str, Any] = {
    "waiting": gettext_lazy("The first copy is being made."),
    "copied": gettext_lazy("up to date"),
    "late": gettext_lazy("It has not been written for more than a minute."),
    "slow": gettext_lazy("Writing takes long. Is the disk slow or nearly full?"),
    "missing": gettext_lazy("It is not connected. Plug it in again, and copying continues."),
    "full": gettext_lazy("It is full. Delete something on it, or choose another disk."),
    "read_only": gettext_lazy("It cannot be written to. Is it locked, or mounted read-only?"),
    "damaged": gettext_lazy("It reports errors. Choose another disk."),
    "other": gettext_lazy(
        "It has copies of other data, which stay. Remove it here and choose it again: new copies "
        "are made beside them."
    ),
    "failed": gettext_lazy("It could not be written. Trying again."),
    "silent": gettext_lazy(
        "It has not asked for a copy for more than a minute. Is it switched on, and in the same "
        "network?"
    ),
}
DATABASE: dict[str, Any] = {
    "missing": gettext_lazy("The database is missing from its folder: no copies are made."),
    "unreadable": gettext_lazy("The database cannot be read: no copies are made."),
    "damaged": gettext_lazy(
        "The database is damaged: the copies stay as they were before. Restore a backup, or "
        "continue from a copy."
    ),
    "other": gettext_lazy(
        "The database does not match the copies: it is an earlier state, or a different database. "
        "They stay as they are until the owner restarts them on the page Backups."
    ),
}
# What a follower's page says of its faults (`standby.following`).
FOLLOWING: dict[str, Any] = {
    "": gettext_lazy("The copy is up to date."),
    "away": gettext_lazy("The other computer does not answer."),
    "refused": gettext_lazy(
        "The other computer no longer gives copies to this one. Pair again with a new code."
    ),
    "certificate": gettext_lazy(
        "The certificate is not the one from the pairing, so nothing was sent. Is the address "
        "right? If the other computer has a new certificate, pair again."
    ),
    "no_copy": gettext_lazy("The other computer has no copy at the moment. Trying again."),
    "other": gettext_lazy(
        "The database there does not match this copy, which stays as it is. To follow it again, "
        "start in an empty folder."
    ),
    "damaged": gettext_lazy("What arrived was damaged and was not kept. Trying again."),
}
STEPS = (15, 30, 60)  # seconds; in steps, so that the board does not change all the time


class Notice(NamedTuple):
    """What the desk is told: how old the newest copy elsewhere is, or what is `wrong`."""

    line: str
    wrong: tuple[str, ...]
    is_continued: bool = False  # this computer goes on from a standby copy, since today


def age_in_words(seconds: int) -> str:
    step = next((each for each in STEPS if seconds <= each), 0)
    if step:
        return _("at most %(seconds)s s old") % {"seconds": step}
    minutes = seconds // 60
    words = ngettext("%(minutes)s minute ago", "%(minutes)s minutes ago", minutes)
    return words % {"minutes": minutes}


def made_at_in_words(seconds: float) -> str:
    return exact_moment(datetime.fromtimestamp(seconds, UTC))


def state_of(target: TargetStatus) -> str:
    """Return the key in `STATES`."""
    return "late" if target.state == "copied" and target.is_late else target.state


def notice(status: Status, elsewhere: tuple[TargetStatus, ...]) -> Notice:
    """Return what the desk is told of the copies `elsewhere`: on other disks and computers."""
    if not status.checked_at:
        return Notice("", ())
    wrong = database_faults(status)
    if elsewhere and not status.is_running:
        wrong.append(_("No standby copies are made at present. Restart Makiyaku."))
    elif elsewhere:
        wrong += [_target_fault(each) for each in elsewhere if not each.is_fine]
    fine = [each for each in elsewhere if each.is_fine and status.is_running]
    newest = min(fine, key=lambda each: each.age or 0, default=None)
    if newest is None or newest.age is None:
        return Notice("", tuple(wrong))
    words = _("Standby copy: %(age)s, %(name)s")
    named = {"age": age_in_words(newest.age), "name": isolated(newest.name)}
    return Notice(words % named, tuple(wrong))


def database_faults(status: Status) -> list[str]:
    faults = []
    if status.database in DATABASE:
        faults.append(str(DATABASE[status.database]))
    if status.fault:
        faults.append(_("The check of a standby copy failed: %(fault)s") % {"fault": status.fault})
    return faults


def _target_fault(target: TargetStatus) -> str:
    state = STATES[state_of(target)]
    words = _("Standby copy on %(name)s: %(state)s") % {
        "name": isolated(target.name),
        "state": state,
    }
    if target.made_at is None:
        return words
    return f"{words} " + _("The newest is from %(time)s.") % {
        "time": made_at_in_words(target.made_at)
    }
