"""Table cards (卓カード): printed cards with a new PIN and the table's link as a code.

PINs are stored hashed, so a card can be printed only when its PIN is made. Cards are prepared and
rendered first and become valid with `issue_cards`: if rendering fails, the old cards stay valid.
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
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.services import closing, guesses, pins


class CardOutdated(Exception):
    """A table was removed, or its link or PIN has changed, since its card was prepared."""


class Card(NamedTuple):
    """A table's new PIN, and its link's token, which is new if `is_new_link`."""

    sitting: Sitting
    pin: str
    hashed_pin: str
    token: str
    is_new_link: bool


def last_printed(session: Session) -> datetime | None:
    """Return when cards of this session were last issued, or None.

    Cards of a removed session with the same number do not count.
    """
    entries = session.tournament.audit_entries.order_by("-number")
    opened = entries.filter(kind=AuditEntry.Kind.SESSION_OPENED, subject__session=session.number)
    opened_number = opened.values_list("number", flat=True).first() or 0
    subject = _subject(session)
    issued = entries.filter(
        kind=AuditEntry.Kind.PIN_MADE, subject=subject, number__gt=opened_number
    )
    return issued.values_list("at", flat=True).first()


def prepare_cards(sittings: Sequence[Sitting], *, new_links: bool) -> list[Card]:
    """Return cards for these tables, which become valid with `issue_cards`.

    A table gets a new link if `new_links` is true or its link is revoked.
    """
    return [_prepare_card(each, is_new_link=new_links or each.is_link_revoked) for each in sittings]


def _prepare_card(sitting: Sitting, *, is_new_link: bool) -> Card:
    """Return a card with a new PIN, which takes 5 ms to hash, and a new link or the stored one."""
    pin = pins.generate_pin()
    tournament = sitting.session.tournament
    token = new_link_token(tournament) if is_new_link else sitting.token
    return Card(sitting, pin=pin.plain, hashed_pin=pin.hashed, token=token, is_new_link=is_new_link)


@transaction.atomic
def issue_cards(session: Session, cards: Sequence[Card], *, by: Actor) -> None:
    """Store the PINs and links of all these cards, or of none. They replace older ones.

    Phones of tables with a new link end. Appends one audit entry for the new links, if any, and one
    for the PINs. Raises `CardOutdated` and `closing.EventClosed`.
    """
    closing.check_not_closed(lock_tournament(session.tournament))
    rows = Sitting.objects.select_related("session__tournament").in_bulk(
        [card.sitting.pk for card in cards]
    )
    for card in cards:
        _apply_card(card, rows.get(card.sitting.pk))
    Sitting.objects.bulk_update(rows.values(), ["pin", "token", "closed_at"])
    guesses.delete_guesses(
        [subject for row in rows.values() for subject in guesses.table_subjects(row)]
    )
    relinked, now = [card for card in cards if card.is_new_link], timezone.now()
    if relinked:
        tables = [card.sitting for card in relinked]
        active_phones = Phone.objects.filter(sitting__in=tables, ended_at=None)
        active_phones.update(ended_at=now, is_writer=False)
        links = {card.sitting.number: card.token for card in relinked}
        _append_cards_entry(session, AuditEntry.Kind.LINK_MADE, "links", links, by=by, at=now)
    hashed_pins = {card.sitting.number: card.hashed_pin for card in cards}
    _append_cards_entry(session, AuditEntry.Kind.PIN_MADE, "pins", hashed_pins, by=by, at=now)


def _apply_card(card: Card, row: Sitting | None) -> None:
    """Set a card's PIN and link on `row`, the sitting read under the lock, without saving.

    Raises `CardOutdated` if the sitting was removed (None) or differs from the card's.
    """
    prepared = card.sitting
    prepared_for = prepared.token, prepared.pin, prepared.closed_at
    if row is None or (row.token, row.pin, row.closed_at) != prepared_for:
        raise CardOutdated
    row.pin, row.token, row.closed_at = card.hashed_pin, card.token, None


def _append_cards_entry(
    session: Session,
    kind: AuditEntry.Kind,
    key: str,
    secrets_by_table: Mapping[int, str],
    *,
    by: Actor,
    at: datetime,
) -> None:
    """Append an audit entry with the numbers of the tables and the digests of their secrets.

    `secrets_by_table` has the tokens or hashed PINs by table number; `key` is "links" or "pins".
    """
    tables = sorted(secrets_by_table)
    new = {"tables": tables, key: [digest(secrets_by_table[table]) for table in tables]}
    audit.append_entry(session.tournament, kind, by, subject=_subject(session), new=new, at=at)


def _subject(session: Session) -> dict[str, Any]:
    """Return the subject of an audit entry about cards; `make_pin` names a table, too."""
    return {"session": session.number}
