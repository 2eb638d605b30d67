"""Sessions, the sittings of a session, and the seats of a sitting."""

from __future__ import annotations

import re
import secrets

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import Entry
from tournaments.models.tournament import SLUG_LETTERS, Tournament, shown_number

CODE_LETTERS = SLUG_LETTERS.upper()
CODE_LENGTH = 8  # 39 bits; guesses are rate limited like guesses of PINs
WITH_CODE = re.compile(rf"([{CODE_LETTERS}]{{{CODE_LENGTH}}})-[\w-]{{22}}")


def random_token() -> str:
    """Return 128 random bits as text, for a table link."""
    return secrets.token_urlsafe(16)


def new_link_token(tournament: Tournament) -> str:
    """Return a random token for a table link; for a club table it starts with the table's code.

    The code is part of the token so that it is created, revoked, archived and backed up with the
    link. Like the link it is stored in clear, because the table's phones show it; a hash of 39 bits
    could be reversed by trying all codes.
    """
    if tournament.kind != Tournament.Kind.TABLE:
        return random_token()
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return f"{code}-{random_token()}"


class Session(models.Model):
    """One seating of all players (回戦)."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField(_("Session"))
    totals_only = models.BooleanField(default=False, editable=False)  # copied when seated
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)  # by the desk
    # Only in a play-off: the numbers of the players whose order it decides. Other players only fill
    # the tables. Its points count for nothing else.
    tied = models.JSONField(null=True, blank=True, editable=False)
    # Instead of the tournament's number: of a play-off, and of a session that was over before the
    # tournament's number changed.
    rounds_planned = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="session_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("session", args=[self.tournament.slug, self.number])

    @property
    def is_play_off(self) -> bool:
        """Return whether the session is a play-off, which only orders tied players (決定戦)."""
        return self.tied is not None

    @property
    def is_ended(self) -> bool:
        """Return whether play was ended: by the desk in this session, or with the tournament."""
        return self.ended_at is not None or self.tournament.closed_at is not None

    @property
    def shown_number(self) -> int:
        """Return the number that people see: play-offs are counted separately."""
        return shown_number(self.number, self.tournament.play_off_numbers)

    @property
    def rounds_per_table(self) -> int | None:
        """Return the planned number of rounds of a table; None if it is not fixed."""
        return self.rounds_planned or self.tournament.rounds_per_session


class Draw(models.Model):
    """The draw of a session's seats (抽選の記録): the request to `draws`, and its answer.

    Drawing the request again gives the same answer. If it draws several sessions together, `nth` is
    the position of this session among them, from 1. The seats may have been changed by hand since.
    A session seated by hand has no draw.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="draw")
    request = models.JSONField()
    answer = models.JSONField()
    nth = models.PositiveSmallIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.session}: {self.answer['seed']}"


class Schedule(models.Model):
    """Planned seats: seats of sessions to come, drawn together (予定の席).

    `request` and `answer` are those of the draw. `seats` has a list of tables for each session from
    `first_session` on; a table is a list of keys of entries in seat order. The seats may have been
    changed by hand since they were drawn. `is_shown`: everybody who may see seats sees them.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="schedule")
    is_shown = models.BooleanField(default=False)
    first_session = models.PositiveSmallIntegerField()
    request = models.JSONField()
    answer = models.JSONField()
    seats = models.JSONField()

    def __str__(self) -> str:
        return f"{self.tournament}: {self.first_session}"


class SeatProposal(models.Model):
    """Proposed seats (席の案), with a number in their tournament.

    `session` is the number of the session, for a plan of several that of the first one. `seats` has
    a list of tables, for a plan a list of them for each session; a table is a list of keys of
    entries in seat order. `left_out` has the keys of the players who knowingly sit out. `draw` has
    the draw as `models.Draw` stores it, empty if the seats were not drawn; `choices` are the fields
    of the form of the draw, and `too_many` are the keys of the players to be seated for whom its
    tables had no place; `proposed` is the digest of the seats before any move by hand, empty if
    they were mended after one. `basis` has the versions that it was made from
    (`queries.seat_proposals`).

    A draft of the staff, without audit entries and not in archives: once confirmed, its seats are
    stored with the session or as planned seats.
    """

    class Purpose(models.TextChoices):
        """What is done with the seats when they are confirmed."""

        SEAT = "seat"  # the next session
        RESEAT = "reseat"  # the seats of a session that has not begun
        PLAN = "plan"  # planned seats of several sessions

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="seat_proposals")
    number = models.PositiveIntegerField()
    purpose = models.CharField(max_length=6, choices=Purpose)
    session = models.PositiveSmallIntegerField()
    basis = models.JSONField()
    choices = models.JSONField(default=dict)
    draw = models.JSONField(default=dict)
    seats = models.JSONField()
    left_out = models.JSONField(default=list)
    who = models.CharField(max_length=200)  # who made or last changed it
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="proposal_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.number}"

    def get_absolute_url(self) -> str:
        if self.purpose == self.Purpose.PLAN:
            page = reverse("schedule", args=[self.tournament.slug])
            return f"{page}?proposal={self.number}#proposed"
        return reverse("seat-proposal", args=[self.tournament.slug, self.number])


class Sitting(models.Model):
    """One table in one session (卓), with the same players for all its rounds.

    If players join or leave after a round, another sitting continues this one: with a number of its
    own in addresses and audit entries, and for people the same table.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="sittings")
    number = models.PositiveSmallIntegerField(_("Table"))
    # Identifies the sitting in requests of phones. It never changes, unlike the link; another
    # database may use the same numbers for other tables.
    key = models.CharField(max_length=22, default=random_token, editable=False)
    token = models.CharField(max_length=40, unique=True, default=random_token, editable=False)
    pin = models.CharField(max_length=128, blank=True, editable=False)  # hashed, as passwords are
    # The table of the same session whose players changed after some rounds: this one continues it.
    continues = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, editable=False, related_name="continued_by"
    )
    # Only if others go on at the table: how many rounds these players play. Who goes on plays what
    # is left of the session's number.
    rounds_planned = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    # The time when link and PIN were revoked.
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("session", "number"), name="table_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.session} – {self.number}"

    def get_absolute_url(self) -> str:
        return reverse(
            "sitting", args=[self.session.tournament.slug, self.session.number, self.number]
        )

    @property
    def at_table(self) -> list[Sitting]:
        """Return the sittings at this table up to this one, the first one first."""
        if self.continues is None:
            return [self]
        self.continues.session = self.session  # saves a query
        return [*self.continues.at_table, self]

    @property
    def first(self) -> Sitting:
        """Return the first sitting at this table, which has the link, the PIN and the phones."""
        return self.at_table[0]

    @property
    def shown_number(self) -> int:
        """Return the number that people see: it stays the same when players join or leave."""
        return self.first.number

    @property
    def rounds_before(self) -> int:
        """Return the number of rounds that other players played at the table before."""
        return sum(sitting.rounds_planned or 0 for sitting in self.at_table[:-1])

    @property
    def is_link_revoked(self) -> bool:
        """Return whether link and PIN are revoked, so that phones can neither join nor write."""
        return self.first.closed_at is not None

    @property
    def code(self) -> str:
        """Return a club table's code; empty for other tables, and for old tokens without one."""
        match = WITH_CODE.fullmatch(self.token)
        return match[1] if match else ""


class Seat(models.Model):
    """A player's place at a sitting. `position` counts from 1, counter-clockwise (to the right)."""

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField(_("Seat"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("sitting", "position"), name="one_player_a_seat"),
            models.UniqueConstraint(fields=("sitting", "entry"), name="one_seat_a_player"),
        )

    def __str__(self) -> str:
        return f"{self.sitting}: {self.position} {self.entry}"
