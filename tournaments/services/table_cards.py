"""The cards that stand on the tables: for each a new PIN, and the link that its code opens.

PINs are kept hashed, so that a card can be printed only while its PIN is made. The cards are drawn
and printed first and count once they are `issue`d: should the printer fail, the old ones still do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Phone, Session, Sitting
from tournaments.models.seating import random_token_of
from tournaments.models.tokens import digest
from tournaments.services import closing, guesses, pins


class Changed(Exception):
    """Raised when a table was removed, or its link or PIN changed, since its card was drawn."""


class Card(NamedTuple):
    """A table's new PIN and the token of its link, which is new where `is_new_link`."""

    sitting: Sitting
    pin: str
    kept_pin: str  # hashed
    token: str
    is_new_link: bool


def last_printed(session: Session) -> datetime | None:
    """Return when cards of this session were printed last; None if they never were.

    A session removed before may have had the same number: what was printed for it does not count.
    """
    acts = session.tournament.acts.order_by("-number")
    opened = acts.filter(kind=AuditEntry.Kind.SESSION_OPENED, subject__session=session.number)
    since = opened.values_list("number", flat=True).first() or 0
    subject = _subject(session)
    made = acts.filter(kind=AuditEntry.Kind.PIN_MADE, subject=subject, number__gt=since)
    return made.values_list("at", flat=True).first()


def draw(sittings: Sequence[Sitting], *, new_links: bool) -> list[Card]:
    """Return cards for these tables, none of which counts yet.

    A table whose link is closed gets a new one in any case: its card would open nothing.
    """
    return [_drawn(each, new_links or each.closed_at is not None) for each in sittings]


def _drawn(sitting: Sitting, is_new_link: bool) -> Card:
    pin = pins.draw()
    tournament = sitting.session.tournament
    token = random_token_of(tournament) if is_new_link else sitting.token
    return Card(sitting, pin.told, pin.kept, token, is_new_link)


@transaction.atomic
def issue(session: Session, cards: Sequence[Card], *, by: Actor) -> None:
    """Let these cards count, and no older ones of these tables; all of them or none.

    Raises `Changed`, and `closing.EventClosed` once the event is closed. Two acts tell of them all.
    """
    wanted = [card.sitting.pk for card in cards]
    lock_tournament(session.tournament)
    closing.check_not_closed(session.tournament)
    rows = Sitting.objects.select_related("session__tournament").in_bulk(wanted)
    for card in cards:
        _give(card, rows.get(card.sitting.pk))
    Sitting.objects.bulk_update(rows.values(), ["pin", "token", "closed_at"])
    guesses.forget([subject for row in rows.values() for subject in guesses.at_table(row)])
    relinked, now = [card for card in cards if card.is_new_link], timezone.now()
    if relinked:
        tables = [card.sitting for card in relinked]
        phones = Phone.objects.filter(sitting__in=tables, ended_at=None)
        phones.update(ended_at=now, is_writer=False)
        links = {card.sitting.number: card.token for card in relinked}
        _tell(session, AuditEntry.Kind.LINK_MADE, "links", links, by, now)
    pins = {card.sitting.number: card.kept_pin for card in cards}
    _tell(session, AuditEntry.Kind.PIN_MADE, "pins", pins, by, now)


def _give(card: Card, row: Sitting | None) -> None:
    before = card.sitting
    drawn_for = before.token, before.pin, before.closed_at
    if row is None or (row.token, row.pin, row.closed_at) != drawn_for:
        raise Changed
    row.pin, row.token, row.closed_at = card.kept_pin, card.token, None


def _tell(
    session: Session,
    kind: AuditEntry.Kind,
    name: str,
    made: Mapping[int, str],
    by: Actor,
    at: datetime,
) -> None:
    """Leave in the trail for which tables links or PINs were made, and their digests."""
    tables = sorted(made)
    told = {"tables": tables, name: [digest(made[table]) for table in tables]}
    audit.append(session.tournament, kind, by, subject=_subject(session), new=told, at=at)


def _subject(session: Session) -> dict[str, Any]:
    """Return what an act about cards is about: a PIN made without a card names its table, too."""
    return {"session": session.number}
