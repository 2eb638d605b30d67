"""Tournaments, and club tables, which are tournaments with one table."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import Field

import scoring
from tournaments.models.field_types import AS_TEXT, Day, HousePoints, Options, Short, StrictModel
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.server import believed_time

# Letters and digits, without those that are easily confused.
SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"

# By default private data end half a year after the event's day, or after the day on which the app
# began to erase them: events from before it are not erased without notice.
PRIVATE_DATA_KEPT, ERASING_SINCE = timedelta(days=183), date(2026, 11, 24)
MOST_ROUNDS = 99  # planned for a sitting
MOST_SESSIONS = 99  # planned for a tournament


def random_slug() -> str:
    """Return 10 random letters and digits for a tournament's address."""
    return "".join(secrets.choice(SLUG_LETTERS) for _ in range(10))


def shown_number(number: int, play_offs: Sequence[int]) -> int:
    """Return the number that people see of session number `number`.

    Play-offs and other sessions are counted separately; `play_offs` are the numbers of the
    play-offs. The session need not be seated yet.

    >>> [shown_number(number, [3, 5]) for number in range(1, 8)]
    [1, 2, 1, 3, 2, 4, 5]
    """
    before = len([each for each in play_offs if each < number])
    return before + 1 if number in play_offs else number - before


def number_after_play_offs(number: int, play_offs: Collection[int]) -> int:
    """Return the first session number from `number` on that is no play-off's.

    A play-off that is seated once a stage is confirmed takes the number that the stage's first
    session was to have; the stage begins with the first session after it.

    >>> [number_after_play_offs(number, [3, 4]) for number in range(1, 6)]
    [1, 2, 5, 5, 5]
    """
    while number in play_offs:
        number += 1
    return number


class ListedManager(models.Manager["Tournament"]):
    """The tournaments that are not removed. A removed one keeps its row and its audit trail."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        return super().get_queryset().filter(removed_at=None)


class Tournament(models.Model):
    """An event, or a club table. Its rules cannot change once a result is recorded."""

    class Kind(models.TextChoices):
        TOURNAMENT = "tournament", _("Tournament")
        TABLE = "table", _("One table")

    class Accepting(models.TextChoices):
        """Who accepts a round before the next begins."""

        OFF = "off", _("Nobody: a round counts as soon as it is saved")
        SAME = "same", _("The other side, on the same phone")
        SECOND = "second", _("The other side, on a phone of its own")

    class Showing(models.TextChoices):
        """What the public sees. Staff and tables always see the current state."""

        STAFF = "staff", _("Nothing (only the staff sees it)")
        LIVE = "live", _("The tournament as it is played")
        PUBLISHED = "published", _("The tournament as last published")

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TOURNAMENT)
    slug = models.SlugField(max_length=40, unique=True, default=random_slug)
    name = models.CharField(pgettext_lazy("of a tournament", "Name"), max_length=200)
    held_on = models.DateField(_("Date"), default=timezone.localdate)
    venue = models.CharField(_("Venue"), max_length=200, blank=True)
    rule_set = models.CharField(_("Rules"), max_length=40)
    options = models.JSONField(default=dict, blank=True)
    points = models.JSONField(default=dict, blank=True)
    rounds_per_session = models.PositiveSmallIntegerField(
        _("Rounds per session"), null=True, blank=True
    )
    sessions_planned = models.PositiveSmallIntegerField(
        _("Planned sessions"), null=True, blank=True
    )
    partners = models.BooleanField(_("Partnerships"), default=False)
    accepting = models.CharField(
        _("Who accepts a round"), max_length=6, choices=Accepting, default=Accepting.OFF
    )
    totals_only = models.BooleanField(
        _("Record only the final totals, no deals"),
        default=False,
        help_text=_(
            "Applies to sessions seated from now on; those already seated stay as they are."
        ),
    )
    # The ranking rules that differ from the defaults, as `scoring.read_ranking` reads them.
    ranking = models.JSONField(default=dict, blank=True, editable=False)
    # `RegistrationSettings` as JSON; empty until they are set.
    registration = models.JSONField(default=dict, blank=True, editable=False)
    showing = models.CharField(max_length=9, choices=Showing, default=Showing.STAFF, editable=False)
    # Whether the seats are public even if the results are not.
    shows_seats = models.BooleanField(default=False, editable=False)
    # The numbers of the play-offs, copied from the sessions: `shown_number` needs them.
    play_off_numbers = models.JSONField(default=list, blank=True, editable=False)
    # After this day private data are erased; None for the default.
    private_until = models.DateField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # The digests of the last audit entry and the last receipt: the ends of the two hash chains.
    last_act = models.CharField(max_length=64, blank=True, editable=False)
    last_receipt = models.CharField(max_length=64, blank=True, editable=False)

    objects = ListedManager()
    every = models.Manager["Tournament"]()  # removed ones included

    class Meta:
        ordering = ("-held_on", "-pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def rules(self) -> scoring.Rules:
        """Return the rule set with this tournament's options and house points."""
        return scoring.choose(scoring.get_rule_set(self.rule_set), self.options, self.points)

    @property
    def ranking_rules(self) -> scoring.RankingRules:
        """Return the ranking rules. Raises `scoring.BadRanking` if the row was tampered with."""
        return scoring.read_ranking(self.ranking, self.rules.game.kind)

    @property
    def table_sizes(self) -> tuple[int, ...]:
        rule_set = scoring.get_rule_set(self.rule_set)
        return rule_set.partnership_players if self.partners else rule_set.players

    def creation_facts(self) -> dict[str, str]:
        """Return the fields that never change after creation, as JSON for the first audit entry."""
        return {"kind": str(self.kind), "created_at": self.created_at.isoformat()}

    @property
    def is_frozen(self) -> bool:
        """Return whether rounds or totals are recorded, so that the rules cannot change."""
        rounds = models.Q(sessions__sittings__rounds__isnull=False)
        totals = models.Q(sessions__sittings__typed_totals__isnull=False)
        return Tournament.objects.filter(rounds | totals, pk=self.pk).exists()

    @cached_property
    def stage_starts(self) -> list[tuple[int | None, str]]:
        """Return the first session and the name of each stage after the first, in order.

        The first session is None until it is confirmed who goes on.
        """
        if self._state.adding:  # not saved
            return []
        return list(self.stages.order_by("number").values_list("first_session", "name"))

    @property
    def registration_settings(self) -> RegistrationSettings:
        """Raises `KeyError` or `ValueError` if the row was tampered with."""
        return RegistrationSettings.from_json(self.registration)

    @property
    def takes_registrations(self) -> bool:
        """Return whether people may register now; at the latest on the day of the tournament."""
        settings = self.registration_settings
        is_open = settings.is_open and not settings.has_ended(timezone.now())
        return is_open and not self.is_past and self.removed_at is None

    @property
    def is_past(self) -> bool:
        """Return whether the tournament is closed or its day is over, so that nobody can join."""
        return self.closed_at is not None or self.held_on < believed_time.today()

    @property
    def private_data_end(self) -> date:
        """Return the last day of private data; the day after it they are erased."""
        return self.private_until or max(self.held_on, ERASING_SINCE) + PRIVATE_DATA_KEPT

    @property
    def has_public_seats(self) -> bool:
        return self.is_public or self.shows_seats

    @property
    def is_public(self) -> bool:
        return self.showing != self.Showing.STAFF


class SettingsFacts(StrictModel):
    """The settings of a tournament that the director chooses and everybody may see."""

    name: Short
    held_on: Day
    venue: Short = ""
    rule_set: Annotated[str, Field(max_length=40)]
    options: Annotated[Options, Field(description="Only what differs from the text.")] = {}
    points: Annotated[HousePoints, Field(description="Only what differs from the text.")] = {}
    rounds_per_session: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    sessions_planned: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] | None = None
    partners: bool = False
    accepting: Annotated[Tournament.Accepting, AS_TEXT] = Tournament.Accepting.OFF
    totals_only: Annotated[
        bool, Field(description="Whether the desk enters only the totals of each table, no rounds.")
    ] = False


SETTINGS = tuple(SettingsFacts.model_fields)


def public_settings(tournament: Tournament) -> dict[str, Any]:
    """Return the public settings as JSON, as audit entries and publications store them."""
    settings = {name: getattr(tournament, name) for name in SETTINGS}
    fingerprint = tournament.rules.fingerprint
    return settings | {"held_on": str(tournament.held_on), "fingerprint": fingerprint}
