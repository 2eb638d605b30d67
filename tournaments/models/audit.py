"""The audit trail and the receipts of idempotent requests: immutable rows in hash chains."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models.field_types import LONGEST_REASON
from tournaments.models.tournament import Tournament


def kinds_of_audit_entries() -> Sequence[tuple[str, str | Promise]]:
    """Return the kinds with their names. As a callable, so that a new kind needs no migration."""
    return AuditEntry.Kind.choices


class AuditEntry(models.Model):
    """An action of somebody in a tournament (操作記録). `previous` is the digest before it.

    `subject` names the thing concerned (numbers of session, table, round, version); `old` and `new`
    are its facts before and after. Database triggers refuse updates and deletes:
    `audit/guards.py`.
    """

    class Kind(models.TextChoices):
        RULES_SET = "rules_set", _("Rules set")
        RANKING_SET = "ranking_set", _("Ranking set")
        POINTS_ADJUSTED = "points_adjusted", _("Points given or deducted")
        ADJUSTMENT_ENDED = "adjustment_ended", _("Adjustment of points taken back")
        TIE_DECIDED = "tie_decided", _("Tie decided")
        DECISION_ENDED = "decision_ended", _("Decision on a tie taken back")
        ENTRIES_ADDED = "entries_added", _("Players added")
        ENTRY_CHANGED = "entry_changed", _("Player changed")
        PRIVATE_CHANGED = "private_changed", _("What is private of a player changed")
        ENTRY_REMOVED = "entry_removed", _("Player removed")
        SESSION_OPENED = "session_opened", _("Seats assigned")
        SESSION_RESEATED = "session_reseated", _("Seats reassigned")
        SCHEDULE_KEPT = "schedule_kept", _("Seats planned")
        SCHEDULE_CHANGED = "schedule_changed", _("Planned seats changed")
        SCHEDULE_DROPPED = "schedule_dropped", _("Planned seats dropped")
        SCHEDULE_SHOWN = "schedule_shown", _("Planned seats shown with the seats")
        SCHEDULE_HIDDEN = "schedule_hidden", _("Planned seats hidden")
        SESSION_ENDED = "session_ended", _("Session ended")
        SESSION_RESUMED = "session_resumed", _("Session resumed")
        SESSION_REMOVED = "session_removed", _("Session removed")
        ROUND_RECORDED = "round_recorded", _("Round recorded")
        ROUND_CONTINUED = "round_continued", _("Round continued")
        ROUND_CORRECTED = "round_corrected", _("Round corrected")
        PUBLISHED = "published", _("Published")
        SHOWN_LIVE = "shown_live", _("Shown to everybody as it is played")
        WITHDRAWN = "withdrawn", _("Unpublished")
        SEATS_SHOWN = "seats_shown", _("Seats shown to everybody")
        SEATS_HIDDEN = "seats_hidden", _("Seats hidden")
        CLOSED = "closed", _("Tournament closed")
        REOPENED = "reopened", _("Tournament reopened")
        EVENT_REMOVED = "event_removed", _("Tournament removed")
        EVENT_RESTORED = "event_restored", _("Tournament restored")
        ARCHIVE_READ = "archive_read", _("Imported from an archive")
        ROLE_GIVEN = "role_given", _("Role given")
        ROLE_TAKEN = "role_taken", _("Role taken")
        PHONE_JOINED = "phone_joined", _("Phone joined")
        PHONE_TOOK_OVER = "phone_took_over", _("Phone took over")
        PHONES_ENDED = "phones_ended", _("Phones ended")
        LINK_MADE = "link_made", _("Table link made")
        LINK_REVOKED = "link_revoked", _("Table link revoked")
        PIN_MADE = "pin_made", _("PIN made")
        ROUND_ACCEPTED = "round_accepted", _("Round accepted")
        ROUND_DISPUTED = "round_disputed", _("Round disputed")
        DESK_CALLED = "desk_called", _("Desk called")
        CALL_ANSWERED = "call_answered", _("Call answered")
        CALL_TAKEN_BACK = "call_taken_back", _("Call taken back")
        DISPUTE_SETTLED = "dispute_settled", _("Disagreement settled")
        PLAYERS_EXCHANGED = "players_exchanged", _("Players exchanged")
        PAPER_OVERRULED = "paper_overruled", _("Totals on paper overruled")
        TOTALS_ENTERED = "totals_entered", _("Totals entered")
        TOTALS_CORRECTED = "totals_corrected", _("Totals corrected")
        PRESENCE_MARKED = "presence_marked", _("Marked in the roll call")
        CLOCK_SET = "clock_set", _("Clock set")
        CLOCK_STARTED = "clock_started", _("Clock started")
        CLOCK_PAUSED = "clock_paused", _("Clock paused")
        CLOCK_RESUMED = "clock_resumed", _("Clock goes on")
        CLOCK_RESET = "clock_reset", _("Clock set back")
        ROLL_CALL_RESTARTED = "roll_call_restarted", _("Roll call started again")
        PLAYERS_CHANGED = "players_changed", _("Players joined or left a table")
        SUBSTITUTE_ADDED = "substitute_added", _("Substitute named")
        SUBSTITUTE_REMOVED = "substitute_removed", _("Substitute taken back")
        STAGE_SET = "stage_set", _("Stage defined")
        STAGE_REMOVED = "stage_removed", _("Stage removed")
        STAGE_CONFIRMED = "stage_confirmed", _("Players who go on confirmed")
        STAGE_TAKEN_BACK = "stage_taken_back", _("Players who go on taken back")
        MEMBER_REPLACED = "member_replaced", _("Player who goes on replaced")
        SERIES_JOINED = "series_joined", _("Added to a series")
        SERIES_LEFT = "series_left", _("Taken out of a series")
        REGISTRATION_SET = "registration_set", _("Registration set")
        REGISTERED = "registered", _("Application received")
        REGISTRATION_DECIDED = "registration_decided", _("Applications decided")
        REGISTRATION_ENDED = "registration_ended", _("Application withdrawn")
        CONTACTS_ERASED = "contacts_erased", _("Contacts of applicants erased")
        CLOCK_JUMPED = "clock_jumped", _("Clock of the server jumped")
        PRIVATE_END_SET = "private_end_set", _("End of private data set")
        PRIVATE_ERASED = "private_erased", _("Private data erased")

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
