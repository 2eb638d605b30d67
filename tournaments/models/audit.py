"""The audit trail and the receipts of idempotent requests: immutable rows in hash chains."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models.field_types import LONGEST_REASON
from tournaments.models.tournament import Tournament


def kinds_of_audit_entries() -> Sequence[tuple[str, str | Promise]]:
    """Return the kinds with their names. As a callable, so that a new kind needs no migration."""
    return AuditEntry.Kind.choices


class Touches(Flag):
    """What an action changes, as far as caches, versions and publications have to know.

    After an action with neither `ONE_TABLE` nor `APART` the whole event is read again.
    """

    ONE_TABLE = auto()  # only the table that the entry names
    APART = auto()  # nothing that is read with an event, but who is away
    STATE = auto()  # sessions and seats, stages, what is public, closing: `audit.state`
    RESULTS = auto()  # what a publication contains
    PLAY = auto()  # what was played: a part of a round, or totals, that were not recorded before


ANYTHING = Touches(0)
ONE_TABLE, APART, STATE, RESULTS, PLAY = Touches


def kinds_touching(what: Touches) -> frozenset[AuditEntry.Kind]:
    return frozenset(kind for kind in AuditEntry.Kind if what in kind.touches)


class AuditEntry(models.Model):
    """An action of somebody in a tournament (操作記録). `previous` is the digest before it.

    `subject` names the thing concerned (numbers of session, table, round, version); `old` and `new`
    are its facts before and after. Database triggers refuse updates and deletes:
    `audit/guards.py`.
    """

    class Kind(models.TextChoices):
        touches: Touches

        def __new__(cls, value: str, touches: Touches = ANYTHING) -> Self:
            kind = str.__new__(cls, value)
            kind._value_ = value
            kind.touches = touches
            return kind

        RULES_SET = "rules_set", RESULTS, _("Settings saved")
        RANKING_SET = "ranking_set", RESULTS, _("Ranking rules saved")
        POINTS_ADJUSTED = "points_adjusted", RESULTS, _("Points given or deducted")
        ADJUSTMENT_ENDED = "adjustment_ended", RESULTS, _("Points given or deducted: undone")
        TIE_DECIDED = "tie_decided", RESULTS, _("Tie decided")
        DECISION_ENDED = "decision_ended", RESULTS, _("Decision on a tie undone")
        ENTRIES_ADDED = "entries_added", RESULTS, _("Players added")
        ENTRY_CHANGED = "entry_changed", RESULTS, _("Player changed")
        PRIVATE_CHANGED = "private_changed", _("Private data of a player changed")
        ENTRY_REMOVED = "entry_removed", RESULTS, _("Player removed")
        SESSION_OPENED = "session_opened", STATE, _("Seats assigned")
        SESSION_RESEATED = "session_reseated", STATE, _("Seats reassigned")
        SCHEDULE_KEPT = "schedule_kept", APART | STATE, _("Seats planned")
        SCHEDULE_CHANGED = "schedule_changed", APART | STATE, _("Planned seats changed")
        SCHEDULE_DROPPED = "schedule_dropped", APART | STATE, _("Planned seats dropped")
        SCHEDULE_SHOWN = "schedule_shown", APART | STATE, _("Planned seats shown with the seats")
        SCHEDULE_HIDDEN = "schedule_hidden", APART | STATE, _("Planned seats hidden")
        SESSION_ENDED = "session_ended", STATE | RESULTS, _("Session ended")
        SESSION_RESUMED = "session_resumed", STATE | RESULTS, _("Session reopened")
        SESSION_REMOVED = "session_removed", STATE, _("Session removed")
        ROUND_RECORDED = "round_recorded", ONE_TABLE | RESULTS | PLAY, _("Round recorded")
        ROUND_CONTINUED = "round_continued", ONE_TABLE | RESULTS | PLAY, _("Round continued")
        ROUND_CORRECTED = "round_corrected", ONE_TABLE | RESULTS, _("Round corrected")
        PUBLISHED = "published", STATE, _("Published")
        SHOWN_LIVE = "shown_live", STATE, _("Shown live")
        UNPUBLISHED = "withdrawn", STATE, _("Unpublished")
        SEATS_SHOWN = "seats_shown", STATE, _("Seats shown to everybody")
        SEATS_HIDDEN = "seats_hidden", STATE, _("Seats hidden")
        CLOSED = "closed", STATE, _("Tournament closed")
        REOPENED = "reopened", STATE, _("Tournament reopened")
        EVENT_REMOVED = "event_removed", _("Tournament removed")
        EVENT_RESTORED = "event_restored", _("Tournament restored")
        ARCHIVE_READ = "archive_read", _("Imported from an archive")
        ROLE_GIVEN = "role_given", _("Role assigned")
        ROLE_TAKEN = "role_taken", _("Role removed")
        PHONE_JOINED = "phone_joined", ONE_TABLE, _("Phone joined")
        PHONE_TOOK_OVER = "phone_took_over", ONE_TABLE, _("Phone took over")
        PHONES_ENDED = "phones_ended", _("All phones disconnected")
        LINK_MADE = "link_made", _("Table link created")
        LINK_REVOKED = "link_revoked", _("Table link revoked")
        PIN_MADE = "pin_made", _("PIN created")
        ROUND_ACCEPTED = "round_accepted", ONE_TABLE, _("Round accepted")
        ROUND_DISPUTED = "round_disputed", ONE_TABLE, _("Round disputed")
        DESK_CALLED = "desk_called", ONE_TABLE, _("Desk called")
        CALL_ANSWERED = "call_answered", ONE_TABLE, _("Call answered")
        CALL_TAKEN_BACK = "call_taken_back", ONE_TABLE, _("Call cancelled")
        DISPUTE_SETTLED = "dispute_settled", ONE_TABLE, _("Disagreement settled")
        PLAYERS_EXCHANGED = "players_exchanged", RESULTS, _("Players exchanged")
        PAPER_OVERRULED = "paper_overruled", ONE_TABLE, _("Totals on paper overruled")
        TOTALS_ENTERED = "totals_entered", ONE_TABLE | RESULTS | PLAY, _("Totals entered")
        TOTALS_CORRECTED = "totals_corrected", ONE_TABLE | RESULTS, _("Totals corrected")
        PRESENCE_MARKED = "presence_marked", APART, _("Marked in the roll call")
        CLOCK_SET = "clock_set", APART, _("Clock set")
        CLOCK_STARTED = "clock_started", APART, _("Clock started")
        CLOCK_PAUSED = "clock_paused", APART, _("Clock paused")
        CLOCK_RESUMED = "clock_resumed", APART, _("Clock resumed")
        CLOCK_RESET = "clock_reset", APART, _("Clock reset")
        ROLL_CALL_RESTARTED = "roll_call_restarted", APART, _("Roll call restarted")
        PLAYERS_CHANGED = "players_changed", RESULTS, _("Players joined or left a table")
        SUBSTITUTE_ADDED = "substitute_added", RESULTS, _("Substitute chosen")
        SUBSTITUTE_REMOVED = "substitute_removed", RESULTS, _("Substitution undone")
        STAGE_SET = "stage_set", STATE | RESULTS, _("Stage defined")
        STAGE_REMOVED = "stage_removed", STATE | RESULTS, _("Stage removed")
        STAGE_CONFIRMED = "stage_confirmed", STATE | RESULTS, _("Advancing players confirmed")
        STAGE_TAKEN_BACK = "stage_taken_back", STATE | RESULTS, _("Advancing players unconfirmed")
        MEMBER_REPLACED = "member_replaced", STATE | RESULTS, _("Advancing player replaced")
        SERIES_JOINED = "series_joined", APART, _("Added to a series")
        SERIES_LEFT = "series_left", APART, _("Taken out of a series")
        REGISTRATION_SET = "registration_set", APART, _("Registration settings saved")
        REGISTERED = "registered", APART, _("Application received")
        REGISTRATION_DECIDED = "registration_decided", APART, _("Applications decided")
        REGISTRATION_ENDED = "registration_ended", APART, _("Application withdrawn")
        CONTACTS_ERASED = "contacts_erased", APART, _("Contacts of applicants erased")
        CLOCK_JUMPED = "clock_jumped", APART, _("Server clock jumped")
        PRIVATE_END_SET = "private_end_set", APART, _("Last day of private data set")
        PRIVATE_ERASED = "private_erased", APART, _("Private data erased")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="audit_entries")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=kinds_of_audit_entries)
    subject = models.JSONField(default=dict)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        db_table = "tournaments_act"  # the model's name at first
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="act_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.who} {self.kind}"


class Receipt(models.Model):
    """The response to a request with an idempotency key, stored as long as the event.

    `digest` covers the row and the digest of the receipt before it.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="receipts")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64)  # SHA-256 of the request's body
    answer = models.JSONField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tournament", "key"), name="one_answer_a_key"),
            models.UniqueConstraint(fields=("tournament", "number"), name="receipt_number_once"),
        )

    def __str__(self) -> str:
        return self.key
