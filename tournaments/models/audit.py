"""What was done, by whom, why: rows that follow one another and never change."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class AuditEntry(models.Model):
    """One thing somebody did in a tournament. Each carries the digest of the one before.

    `subject` says what it was done to (session, table, round, entry …); `old` and `new` are the
    facts before and after. The database itself refuses to change or delete an act:
    `audit/guards.py`.
    """

    class Kind(models.TextChoices):
        """What can be done."""

        RULES_SET = "rules_set", _("Rules set")
        ENTRIES_ADDED = "entries_added", _("Players added")
        ENTRY_CHANGED = "entry_changed", _("Player changed")
        PRIVATE_CHANGED = "private_changed", _("What is private of a player changed")
        ENTRY_REMOVED = "entry_removed", _("Player removed")
        SESSION_OPENED = "session_opened", _("Seats assigned")
        SESSION_RESEATED = "session_reseated", _("Seats reassigned")
        SESSION_ENDED = "session_ended", _("Session ended")
        SESSION_RESUMED = "session_resumed", _("Session resumed")
        SESSION_REMOVED = "session_removed", _("Session removed")
        ROUND_RECORDED = "round_recorded", _("Round recorded")
        ROUND_CONTINUED = "round_continued", _("Round continued")
        ROUND_CORRECTED = "round_corrected", _("Round corrected")
        PUBLISHED = "published", _("Published")
        SHOWN_LIVE = "shown_live", _("Shown to everybody as it is played")
        WITHDRAWN = "withdrawn", _("Unpublished")
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

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="acts")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind)
    subject = models.JSONField(default=dict)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        """As they were done."""

        db_table = "tournaments_act"  # as the table was named when it was made
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="act_number_once"),
        )

    def __str__(self) -> str:
        """Return number, who and what."""
        return f"{self.number}: {self.who} {self.kind}"


class Receipt(models.Model):
    """That a request was carried out, and what was answered; kept as long as the event.

    Numbered as they were written; each `digest` covers the row and the digest before it.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="receipts")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64)  # SHA-256 of what was asked
    answer = models.JSONField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    digest = models.CharField(max_length=64)

    class Meta:
        """One answer a key."""

        constraints = (
            models.UniqueConstraint(fields=("tournament", "key"), name="one_answer_a_key"),
            models.UniqueConstraint(fields=("tournament", "number"), name="receipt_number_once"),
        )

    def __str__(self) -> str:
        """Return the key."""
        return self.key
