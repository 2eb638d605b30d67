"""Applications to play: sent and withdrawn by applicants, decided by directors (参加申し込み).

An approved applicant becomes a player in the same transaction. If approval is automatic, the next
applicant on the waiting list becomes a player as soon as the capacities of the tournament and of
the division allow one more (a vacancy): `fill_vacancies`. Applicants get onto that list with the
code that the director gives out or at the venue; others wait for the director, who knows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import AuditEntry, Entry, Registration, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.models.tokens import digest
from tournaments.queries.registrations import (
    is_code,
    open_count,
    registration_with_key,
    state_of,
    vacancies_for_new,
    vacancies_of,
)
from tournaments.services import closing, entries, versions
from tournaments.services.idempotency import KeyReused

Kind = AuditEntry.Kind
State = Registration.State

KEY_PATTERN = r"^[A-Za-z0-9_-]{24,64}$"  # of the secret in an applicant's link
# Open applications of a tournament: without the code, so many; with it more, so that strangers
# cannot use up the room of those whom the director has invited.
MOST_OPEN_WITHOUT_CODE, MOST_OPEN = 1000, 2000
DECIDABLE = (State.PENDING, State.WAITING, State.DECLINED)


class RegistrationClosed(OperationRefused):
    """The tournament takes no applications: not yet, no longer, or never online."""

    code = "registration_closed"
    sentence = _("No applications are being taken here at the moment. Please ask the organiser.")


class TooManyRegistrations(OperationRefused):
    code = "too_many_registrations"
    sentence = _(
        "A great many applications are waiting already. Ask the organiser for the code and enter "
        "it with yours."
    )


class WrongCode(OperationRefused):
    code = "wrong_registration_code"
    status = 422
    at = "code"
    sentence = _(
        "This is not the organiser’s code. Correct it, or leave it blank: the organiser will then "
        "look at your application."
    )


class NoSuchDivision(OperationRefused):
    code = "no_division"
    status = 422
    at = "division"
    sentence = _("This tournament has no such class. Choose one of its classes.")


class RegistrationChanged(ChangedSince):
    """The state of an application is not the one that was shown, or is not `DECIDABLE`."""

    code = "registration_changed"
    at = "registrations"
    sentence = _(
        "An application has changed since you opened this page. Nothing was saved. Check the list."
    )


class NoVacancy(OperationRefused):
    code = "no_place_free"
    at = "registrations"
    sentence = _(
        "There are not enough free places. Choose fewer, or raise the number of places in the "
        "registration settings."
    )


class Decision(NamedTuple):
    """An application to decide: its number, and the state that the director was shown.

    `added_fields` has fields of the new player that the application left empty.
    """

    number: int
    seen_state: str
    added_fields: Mapping[str, str] = {}


@transaction.atomic
def set_registration(
    tournament: Tournament, settings: RegistrationSettings, *, seen_version: int, by: Actor
) -> None:
    """Store the settings of registration, and fill the vacancies that they open. Idempotent.

    When approval becomes automatic, waiting applications become pending, because it is not stored
    which of them were sent with the director's code or at the venue.
    `seen_version` is the version that was shown. Raises `VersionConflict` and
    `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    old, new = current.registration, settings.as_json()
    if old and current.registration_settings == settings:
        return
    versions.check_version(versions.last_registration_change(current), seen_version)
    was_automatic = current.registration_settings.is_automatic
    tournament.registration = current.registration = new
    current.save(update_fields=["registration"])
    audit.append_entry(current, Kind.REGISTRATION_SET, by, old=old, new=new, is_locked=True)
    if settings.is_automatic and not was_automatic:
        waiting = list(current.registrations.filter(state=State.WAITING))
        _set_states(current, waiting, State.PENDING, by=by)
    fill_vacancies(current, by=by)


@transaction.atomic
def register(
    tournament: Tournament,
    person: Mapping[str, str],
    *,
    key: str,
    by: Actor,
    code: str = "",
    is_at_venue: bool = False,
) -> Registration:
    """Store an application and return it. `person` has the fields of the future entry.

    Idempotent by `key`, the secret in the applicant's link. With the director's `code`, or sent at
    the venue, it is approved if approval is automatic and there is a vacancy. Without a vacancy, it
    goes on the waiting list. Raises `KeyReused` for a different application under the key,
    `RegistrationClosed`, `TooManyRegistrations`, `WrongCode` and `NoSuchDivision`.
    """
    current = lock_tournament(tournament)
    if (stored := registration_with_key(current, key)) is not None:
        # An erased contact cannot be compared.
        erased = {} if stored.contact else {"contact": person["contact"]}
        if stored.person() | erased != dict(person):
            raise KeyReused
        return stored
    if not current.takes_registrations:
        raise RegistrationClosed
    if person["division"] not in (current.registration_settings.divisions or ("",)):
        raise NoSuchDivision
    if code and not is_code(current, code):
        raise WrongCode
    is_vouched = bool(code) or is_at_venue
    if open_count(current) >= (MOST_OPEN if is_vouched else MOST_OPEN_WITHOUT_CODE):
        raise TooManyRegistrations
    last = current.registrations.aggregate(last=Max("number"))["last"] or 0
    row = Registration(tournament=current, number=last + 1, digest=digest(key), **person)
    row.state, row.at = _first_state(current, row.division, is_vouched=is_vouched), timezone.now()
    row.draw_salt()
    row.save()
    new = {**row.audit_values(), "state": row.state}
    subject = {"registration": row.number}
    audit.append_entry(
        current, Kind.REGISTERED, by, subject=subject, new=new, at=row.at, is_locked=True
    )
    fill_vacancies(current, by=by)
    row.refresh_from_db()
    return row


def _first_state(tournament: Tournament, division: str, *, is_vouched: bool) -> State:
    """Return the state of a new application: pending if there is a vacancy for it, else waiting.

    Vacancies go to the waiting list first. If approval is automatic, an application with the
    code is first waiting, and `fill_vacancies` approves it if it can; others are pending.
    """
    if tournament.registration_settings.is_automatic:
        return State.WAITING if is_vouched else State.PENDING
    has_place = vacancies_for_new(tournament).has_place_for_new(division)
    return State.PENDING if has_place else State.WAITING


@transaction.atomic
def decide(
    tournament: Tournament, decisions: Sequence[Decision], state: str, *, by: Actor
) -> list[Registration]:
    """Approve or decline applications, or put them on the waiting list: all of them or none.

    `state` is the new state. Applications that have it already are skipped, so that the request is
    idempotent. Returns the changed applications, by number. Raises `Registration.DoesNotExist`,
    `RegistrationChanged`, `NoVacancy`, `entries.TooManyEntries` and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    changed, people = [], []
    by_number = {decision.number: decision for decision in decisions}
    for _number, decision in sorted(by_number.items()):
        row = current.registrations.get(number=decision.number)
        state_now = state_of(row, has_player=_player_of(row) is not None)
        if state_now == state:
            continue
        if state_now != decision.seen_state or state_now not in DECIDABLE:
            raise RegistrationChanged
        changed.append(row)
        people.append({**row.person(), **decision.added_fields})
    divisions = [person["division"] for person in people]
    if state == State.APPROVED and not all(vacancies_of(current).which_fit(divisions)):
        raise NoVacancy
    _set_states(current, changed, State(state), people=people, by=by)
    return changed


@transaction.atomic
def decline_all(tournament: Tournament, state: str, *, last: int, by: Actor) -> list[Registration]:
    """Decline all pending or all waiting applications up to the number `last`, which were shown.

    Returns them. Raises `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    rows = list(current.registrations.filter(state=state, number__lte=last))
    _set_states(current, rows, State.DECLINED, by=by)
    return rows


def fill_vacancies(tournament: Tournament, *, by: Actor) -> list[Registration]:
    """Approve waiting applications in their order while there are vacancies, if it is automatic.

    Applications for a full division are passed over; pending ones wait for the director. Works
    after registration has closed, too, but not after the tournament is past.
    Returns the approved applications. Call it under the tournament's lock, in the transaction that
    opened a vacancy.
    """
    if tournament.is_past or not tournament.registration_settings.is_automatic:
        return []
    queue = list(tournament.registrations.filter(state=State.WAITING))
    if not queue:
        return []
    fits = vacancies_of(tournament).which_fit(row.division for row in queue)
    room = MOST_ENTRIES - entries.last_number(tournament)
    approved = list(compress(queue, fits))[:room]
    _set_states(tournament, approved, State.APPROVED, by=by)
    return approved


def _set_states(
    tournament: Tournament,
    rows: Sequence[Registration],
    state: State,
    *,
    by: Actor,
    people: Sequence[Mapping[str, str]] | None = None,
) -> None:
    """Store the new state of applications. Approving them creates their players.

    `people` has the fields of the players, by default those that the applicants filled in.
    """
    if not rows:
        return
    old = [{"registration": row.number, "state": row.state, "player": row.player} for row in rows]
    players: list[int | None] = [row.player for row in rows]
    if state == State.APPROVED:
        people = people or [row.person() for row in rows]
        players = [entry.number for entry in entries.add_entries(tournament, people, by=by)]
    for row, player in zip(rows, players, strict=True):
        row.state, row.player = state, player
        row.save(update_fields=["state", "player"])
    new = [{"registration": row.number, "state": row.state, "player": row.player} for row in rows]
    audit.append_entry(tournament, Kind.REGISTRATION_DECIDED, by, old=old, new=new, is_locked=True)


@transaction.atomic
def withdraw_application(registration: Registration, *, by: Actor) -> None:
    """Withdraw an application on behalf of its applicant. Idempotent.

    If it was approved, its player stays until the director calls `remove_player`. Raises
    `closing.EventClosed`.
    """
    current = lock_tournament(registration.tournament)
    row = current.registrations.get(number=registration.number)
    if row.state == State.WITHDRAWN:
        return
    closing.check_not_closed(current)
    old = {"state": row.state}
    row.state = State.WITHDRAWN
    row.save(update_fields=["state"])
    subject = {"registration": row.number}
    audit.append_entry(
        current, Kind.REGISTRATION_ENDED, by, subject=subject, old=old, is_locked=True
    )


@transaction.atomic
def remove_player(registration: Registration, *, by: Actor) -> None:
    """Remove the player of an approved application, and fill the vacancy. Idempotent.

    Raises `entries.StaysOnRecord`.
    """
    lock_tournament(registration.tournament)
    if (player := _player_of(registration)) is not None:
        remove_entries(registration.tournament, [player], by=by)


@transaction.atomic
def remove_entries(
    tournament: Tournament, players: Sequence[Entry], *, by: Actor
) -> list[Registration]:
    """Remove players, fill the vacancies, and return the applications approved for them.

    Raises `entries.StaysOnRecord` if a player cannot be removed, and `Entry.DoesNotExist`;
    nobody is removed then.
    """
    current = lock_tournament(tournament)
    for player in players:
        entries.remove_entry(player, by=by)
    return fill_vacancies(current, by=by)


@transaction.atomic
def approve_waiting(tournament: Tournament, *, by: Actor) -> list[Registration]:
    """Return the applications approved from the waiting list."""
    return fill_vacancies(lock_tournament(tournament), by=by)


def _lock_open_tournament(tournament: Tournament) -> Tournament:
    """Raises `closing.EventClosed`."""
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    return current


def _player_of(row: Registration) -> Entry | None:
    """None if the application has no player or the player was removed."""
    if row.player is None:
        return None
    return Entry.objects.filter(tournament=row.tournament_id, number=row.player).first()
