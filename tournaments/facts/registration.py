"""Every write of a tournament, its players, its seating and its staff, each in one transaction.

Each leaves an act in the audit trail: who did it, what stood before and what stands now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, ProtectedError
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn
from tournaments.facts import backing_up, closing
from tournaments.facts.not_done import NotDone, Stale
from tournaments.files.entry_files import MOST_ENTRIES
from tournaments.models import Act, Entry, Membership, Seat, Session, Sitting, Tournament
from tournaments.models.people import PRIVATE, PUBLIC
from tournaments.models.seats import random_token_of
from tournaments.models.tokens import digest
from tournaments.models.tournament import ANNOUNCED

CHANGED = (Act.Kind.ENTRY_CHANGED, Act.Kind.PRIVATE_CHANGED)  # of players


class RulesFrozen(Exception):
    """Raised when the rules would change under rounds already recorded."""


class SeatedOtherwise(Exception):
    """Raised when at `tables` another number sit than partnerships would allow, or their lack."""

    def __init__(self, tables: Sequence[Sitting]) -> None:
        """Keep the tables."""
        super().__init__("Tables are seated with another number of players.")
        self.tables = tables


class AlreadySeated(NotDone):
    """Raised when a session has been seated since its writer looked."""

    code = "already_seated"
    sentence = _("This session has been seated meanwhile; look at it first.")


class NotSeatedBefore(NotDone):
    """Raised when a session would be seated before the one that comes first."""

    code = "session_missing"
    sentence = _("The session before this one has not been seated yet.")


class OneTable(NotDone):
    """Raised when a club's one table would be seated once more."""

    code = "one_table"
    sentence = _("This is one table, seated once. Set up another table, or a tournament.")


class LookAgain(Stale):
    """Raised when players were deleted, or tables are of another size, since a seating was read.

    Whoever reads it anew finds out which.
    """


class HasPlayed(Exception):
    """Raised when a player would be removed who has sat at a table."""


class Overtaken(Stale):
    """Raised when a player or the settings changed since their writer looked.

    `act` is the last change of them.
    """

    def __init__(self, act: Act | None) -> None:
        """Keep the change that the writer has not seen."""
        super().__init__("It has changed since it was read.")
        self.act = act

    @property
    def version(self) -> int:
        """Return the version that the change made: who is shown it has seen this one."""
        return self.act.number if self.act else 0


class LastDirector(Exception):
    """Raised when a tournament would be left with nobody to direct it."""


class AlreadyOnStaff(NotDone):
    """Raised when a role would be given to somebody who has one."""

    code = "on_staff"
    sentence = _("They are on the staff already.")


class TooManyEntries(NotDone):
    """Raised when there are not numbers enough for so many players."""

    code = "too_many"
    sentence = _("There is no room for so many players.")


@transaction.atomic
def add_entries(
    tournament: Tournament, people: Sequence[Mapping[str, Any]], *, by: Actor
) -> list[Entry]:
    """Add players, numbered on from the last there ever was; each has a name, perhaps more.

    Raises `closing.EventClosed` once the event is closed, and `TooManyEntries`.
    """
    take_turn(tournament)
    closing.check_not_closed(tournament)
    first = last_number(tournament) + 1
    if len(people) > MOST_ENTRIES + 1 - first:
        raise TooManyEntries
    entries = [
        Entry(tournament=tournament, number=number, **person)
        for number, person in enumerate(people, first)
    ]
    for entry in entries:
        entry.draw_salt()
    Entry.objects.bulk_create(entries)
    audit.append(tournament, Act.Kind.ENTRIES_ADDED, by, new=[each.told() for each in entries])
    return entries


def last_number(tournament: Tournament) -> int:
    """Return the highest number that a player has or had, 0 before the first.

    That of a player who was removed is nobody else's: pages, lists and draws may still name it.
    """
    removed = tournament.acts.filter(kind=Act.Kind.ENTRY_REMOVED)
    numbers = [*removed.values_list("old__number", flat=True)]
    numbers += tournament.entries.order_by("-number").values_list("number", flat=True)[:1]
    return max(numbers, default=0)


def last_change(of: Tournament | Entry) -> Act | None:
    """Return the act that last changed a tournament's settings, or a player; None: none has.

    Its number is the version that whoever changes them names as seen, 0 while there is none.
    """
    if isinstance(of, Tournament):
        return of.acts.filter(kind=Act.Kind.RULES_SET).last()
    return of.tournament.acts.filter(kind__in=CHANGED, new__number=of.number).last()


def version_of(of: Tournament | Entry) -> int:
    """Return the version to be named as seen by whoever changes a player or the settings.

    Ask it before reading what is shown with it: that is then never older than its version.
    """
    act = last_change(of)
    return act.number if act else 0


def versions_of_entries(tournament: Tournament) -> dict[int, int]:
    """Return the versions of all players who have been changed, by number."""
    acts = tournament.acts.filter(kind__in=CHANGED).order_by("number")
    return {act.new["number"]: act.number for act in acts if act.new is not None}


def _check_seen(of: Tournament | Entry, seen: int) -> None:
    act = last_change(of)
    if (act.number if act else 0) != seen:
        raise Overtaken(act)


@transaction.atomic
def remove_entry(entry: Entry, *, by: Actor) -> None:
    """Remove a player who has never sat down. Raises `HasPlayed` for others.

    Raises `Entry.DoesNotExist` when somebody else has removed the player meanwhile.
    """
    take_turn(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    old = current.public_facts()
    try:
        current.delete()
    except ProtectedError:
        raise HasPlayed from None
    audit.append(entry.tournament, Act.Kind.ENTRY_REMOVED, by, old=old)


@transaction.atomic
def remove_entries(tournament: Tournament, entries: Sequence[Entry], *, by: Actor) -> list[Entry]:
    """Remove those of these players who have never sat down, and return them."""
    take_turn(tournament)
    unseated = tournament.entries.filter(pk__in=[each.pk for each in entries], seats=None)
    removed = list(unseated)
    for entry in removed:
        remove_entry(Entry.objects.get(pk=entry.pk), by=by)
    return removed


@transaction.atomic
def correct_entry(entry: Entry, person: Mapping[str, Any], *, seen: int, by: Actor) -> Entry:
    """Put right what `person` names of a player, and return the player as it stands then.

    The number stays: records name it. Raises `Entry.DoesNotExist` when somebody has removed the
    player meanwhile, and `Overtaken` when somebody has changed it since the version `seen`.
    """
    take_turn(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    current.draw_salt()  # which players did not have once
    old, private = current.told(), current.private_facts()
    _check_seen(entry, seen)
    for name in (*PUBLIC, *PRIVATE):
        setattr(current, name, person.get(name, getattr(current, name)))
    if current.private_facts() != private:
        current.salt = ""  # what is known no more cannot be guessed from its digest either
        current.draw_salt()
    current.save(update_fields=[*PUBLIC, *PRIVATE, "salt"])
    new = current.told()
    differs = {name for name in new if new[name] != old[name]}
    kind = Act.Kind.PRIVATE_CHANGED if differs == {"private"} else Act.Kind.ENTRY_CHANGED
    audit.append(entry.tournament, kind, by, old=old, new=new)
    return current


def next_session(tournament: Tournament) -> int:
    """Return the number of the session to be seated next."""
    last = tournament.sessions.order_by("number").last()
    return last.number + 1 if last else 1


@transaction.atomic
def open_session(
    tournament: Tournament,
    tables: Sequence[Sequence[Entry]],
    *,
    by: Actor,
    number: int | None = None,
) -> Session:
    """Seat everybody for the next session: one list of entries for each table, in seat order.

    `number` is the session the writer meant to seat. Raises `AlreadySeated` if there is one,
    `NotSeatedBefore` if it is not the next, `OneTable`, `LookAgain`, and `closing.EventClosed` once
    the event is closed.
    """
    current = take_turn(tournament)
    closing.check_not_closed(tournament)
    following = next_session(tournament)
    if current.kind == Tournament.Kind.TABLE and following > 1:
        raise OneTable
    if number is not None and number != following:
        raise AlreadySeated if number < following else NotSeatedBefore
    check_may_sit(current, tables)
    backing_up.before_session(current)
    session = Session.objects.create(
        tournament=tournament, number=following, totals_only=current.totals_only
    )
    links = []
    for table, entries in enumerate(tables, 1):
        token = random_token_of(current)
        sitting = Sitting.objects.create(session=session, number=table, token=token)
        links.append(digest(sitting.token))
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    audit.append(
        tournament,
        Act.Kind.SESSION_OPENED,
        by,
        subject={"session": following, "links": links},
        new=[[entry.key for entry in entries] for entries in tables],
    )
    return session


def check_may_sit(tournament: Tournament, tables: Sequence[Sequence[Entry]]) -> None:
    """Raise `LookAgain` where this is no seating of a tournament as it is now."""
    known = set(tournament.entries.values_list("pk", flat=True))
    sizes = tournament.table_sizes
    for table in tables:
        if len(table) not in sizes or not known.issuperset(entry.pk for entry in table):
            raise LookAgain


@transaction.atomic
def start_table(
    tournament: Tournament, rules: scoring.Rules, names: Sequence[str], *, by: Actor
) -> Sitting:
    """Set up one table for tonight, its players in seat order, under a tournament of its own."""
    tournament.kind = Tournament.Kind.TABLE
    _set_rules(tournament, rules, by)
    entries = add_entries(tournament, [{"name": name} for name in names], by=by)
    return open_session(tournament, [entries], by=by).sittings.get()


@transaction.atomic
def prolong(tournament: Tournament, rounds: int, *, seen: int, by: Actor) -> None:
    """Let every table play so many rounds more than the number its writer has `seen` planned.

    Where that is no longer the number, somebody has prolonged the play already: nothing is done.
    """
    current = take_turn(tournament)
    if current.rounds_per_session != seen:
        return
    current.rounds_per_session = seen + rounds
    _set_rules(current, current.rules, by)


@transaction.atomic
def create_tournament(tournament: Tournament, rules: scoring.Rules, *, by: Actor) -> Tournament:
    """Store a new tournament under these rules, directed by whoever creates it."""
    _set_rules(tournament, rules, by)
    if by.user is not None:
        give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


@transaction.atomic
def change_rules(
    tournament: Tournament,
    rules: scoring.Rules,
    *,
    seen: int,
    by: Actor,
    partners: bool | None = None,
) -> None:
    """Keep a tournament's settings, the rules it is played by, and whether in partnerships.

    Raises `Overtaken` when they have changed since the version `seen`. Where the rules would
    change, raises `RulesFrozen` once a result is taken down under them, and `SeatedOtherwise`.
    """
    take_turn(tournament)  # for which whoever records a round waits, too
    _check_seen(tournament, seen)
    wanted = tournament.partners if partners is None else partners
    is_same = tournament.rules.fingerprint == rules.fingerprint and tournament.partners == wanted
    if not is_same and tournament.is_frozen:
        raise RulesFrozen
    tournament.partners = wanted
    if not is_same:
        _check_seated(tournament)
    _set_rules(tournament, rules, by)


def _check_seated(tournament: Tournament) -> None:
    """Raise `SeatedOtherwise` where a table could not be seated so."""
    tables = Sitting.objects.filter(session__tournament=tournament).select_related("session")
    counted = tables.order_by("session__number", "number").annotate(players=Count("seats"))
    if others := list(counted.exclude(players__in=tournament.table_sizes)):
        raise SeatedOtherwise(others)


def _set_rules(tournament: Tournament, rules: scoring.Rules, by: Actor) -> None:
    """Keep only what differs from the text, so that a record reads as it was chosen."""
    rule_set = rules.rule_set
    tournament.rule_set = rule_set.slug
    tournament.options = {
        option.name: rules.options[option.name]
        for option in rule_set.options
        if rules.options[option.name] != option.default
    }
    tournament.points = {
        rule.item: rules.points[rule.item]
        for rule in rule_set.rules
        if rules.points[rule.item] != rule.points
    }
    old, begun = None, {}
    if tournament._state.adding:
        tournament.save()
        begun = tournament.begun()
    else:  # whatever else was done to it meanwhile, such as publishing, stays
        old = Tournament.objects.get(pk=tournament.pk).announced()
        tournament.save(update_fields=ANNOUNCED)
    told = tournament.announced()
    audit.append(tournament, Act.Kind.RULES_SET, by, subject=begun, old=old, new=told)


def account_name(typed: str) -> str:
    """Return a name as accounts keep it. Raises `ValidationError` for what cannot be one."""
    username: Any = User._meta.get_field("username")
    return str(username.clean(User.normalize_username(typed), None))


def open_account(
    tournament: Tournament, username: str, password: str, role: str, *, by: Actor
) -> User:
    """Make an account and give it a role.

    Raises `IntegrityError` if there is one of this name, `ValidationError` if it cannot be one.
    """
    user = User(username=account_name(username))
    user.set_password(password)  # which takes its time: nobody waits for it
    with transaction.atomic():
        take_turn(tournament)
        user.save(force_insert=True)
        give_role(tournament, user, role, by=by)
    return user


@transaction.atomic
def give_role(tournament: Tournament, user: User, role: str, *, by: Actor) -> Membership:
    """Make somebody a member of the tournament's staff. Raises `AlreadyOnStaff`."""
    take_turn(tournament)
    if tournament.memberships.filter(user=user).exists():
        raise AlreadyOnStaff
    membership = Membership.objects.create(tournament=tournament, user=user, role=role)
    audit.append(tournament, Act.Kind.ROLE_GIVEN, by, new={"user": user.username, "role": role})
    return membership


@transaction.atomic
def take_role(membership: Membership, *, by: Actor) -> None:
    """Remove somebody from the staff. Raises `LastDirector` rather than leave nobody in charge.

    Raises `Membership.DoesNotExist` when somebody else has removed them meanwhile.
    """
    tournament = take_turn(membership.tournament)
    current = Membership.objects.select_related("user").get(pk=membership.pk)
    others = tournament.memberships.exclude(pk=current.pk)
    if not any(other.role == Membership.Role.DIRECTOR for other in others):
        raise LastDirector
    current.delete()
    old = {"user": current.user.username, "role": current.role}
    audit.append(tournament, Act.Kind.ROLE_TAKEN, by, old=old)
