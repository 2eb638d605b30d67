"""Applications to play: the state that counts, the waiting lists, and the free places."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote, urlencode

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.models import Entry, Registration, Tournament
from tournaments.models.people import search_key
from tournaments.models.tokens import digest

State = Registration.State
LIVE = (State.PENDING, State.APPROVED, State.WAITING)  # neither declined nor withdrawn
# An e-mail address in a contact. `/` ends it, although addresses may contain one, because it often
# separates the address from a telephone number or a label.
CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
CODE_LENGTH = 8
MOST_IN_A_LINK = 500  # e-mail addresses
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+?^_`{|}~-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")


class Applicant(NamedTuple):
    """An application with the state that counts; see `state_of`.

    - `player`: the player if approved and not removed
    - `position`: the position on the waiting list, from 1; None in other states
    - `waiting_list`: the division if it has a capacity and therefore a waiting list of its own;
      empty for the list of all other divisions
    - `is_double`: the applicant may be a player or an earlier applicant
    """

    row: Registration
    state: State
    player: Entry | None = None
    position: int | None = None
    waiting_list: str = ""
    is_double: bool = False

    @property
    def contact(self) -> str:
        """Return the contact of the player, who may have a new one, or else of the application."""
        return self.player.contact if self.player else self.row.contact


class Vacancies(NamedTuple):
    """The number of players, without substitutes, and the capacity; None if there is no limit.

    `divisions` has the vacancies of each division that has a capacity of its own. `awaited` is how
    many of the free places are for applicants on the waiting list; see `vacancies_for_new`.
    """

    players: int
    capacity: int | None
    divisions: Mapping[str, Vacancies] = MappingProxyType({})
    awaited: int = 0

    @property
    def free(self) -> int | None:
        """None if there is no limit."""
        return None if self.capacity is None else max(0, self.capacity - self.players)

    @property
    def is_full(self) -> bool:
        return self.free == 0

    @property
    def goes_to_waiting_list(self) -> bool:
        """Return whether a new application goes there: no place is free, or others wait for it."""
        return self.free is not None and self.free <= self.awaited

    def which_fit(self, divisions: Iterable[str]) -> list[bool]:
        """Return for each applicant, given by division, whether there is a free place.

        Places are assigned in this order. An applicant whose division is full takes no place.

        >>> Vacancies(8, 10, {"A": Vacancies(4, 5)}).which_fit(["A", "A", "B", "B"])
        [True, False, True, False]
        """
        free = Counter({name: division.free or 0 for name, division in self.divisions.items()})
        all_free = math.inf if self.free is None else self.free
        fitting = []
        for division in divisions:
            fits = all_free > 0 and (division not in self.divisions or free[division] > 0)
            all_free -= fits
            free[division] -= fits
            fitting.append(fits)
        return fitting

    def has_place_for(self, division: str) -> bool:
        return self.which_fit([division])[0]

    def has_place_for_new(self, division: str) -> bool:
        """Return whether a place is left for a new application, after the waiting list."""
        own = self.divisions.get(division)
        return not (self.goes_to_waiting_list or (own and own.goes_to_waiting_list))


def vacancies_of(tournament: Tournament) -> Vacancies:
    """Makes one query."""
    settings = tournament.registration_settings
    entries = tournament.entries.filter(is_substitute=False).order_by()
    players = dict(entries.values_list("division").annotate(Count("pk")))
    by_division = {
        name: Vacancies(players.get(name, 0), settings.capacities[name])
        for name in settings.divisions  # in this order, which a JSON object need not keep
        if name in settings.capacities
    }
    return Vacancies(sum(players.values()), settings.capacity, by_division)


def vacancies_for_new(tournament: Tournament) -> Vacancies:
    """Return the vacancies, with how many the waiting list takes first. Makes two queries."""
    vacancies = vacancies_of(tournament)
    rows = tournament.registrations.filter(state=State.WAITING).order_by("number")
    waiting = list(rows.values_list("division", flat=True))
    awaited = Counter(compress(waiting, vacancies.which_fit(waiting)))
    by_division = {
        name: each._replace(awaited=awaited[name]) for name, each in vacancies.divisions.items()
    }
    return vacancies._replace(divisions=by_division, awaited=awaited.total())


def state_of(row: Registration, *, has_player: bool) -> State:
    """Return the state that counts: an approved application whose player was removed is declined.

    >>> state_of(Registration(state="approved", player=3), has_player=False).value
    'declined'
    """
    state = State(row.state)
    return State.DECLINED if state == State.APPROVED and not has_player else state


def applicant_of(row: Registration) -> Applicant:
    """Return one application as its applicant sees it, in one query at most."""
    tournament = row.tournament
    if row.state == State.WAITING:
        before = tournament.registrations.filter(state=State.WAITING, number__lte=row.number)
        capacities = tournament.registration_settings.capacities
        waiting_list = _waiting_list_of(row, capacities)
        on_list = Q(division=waiting_list) if waiting_list else ~Q(division__in=capacities)
        position = before.filter(on_list).count()
        return Applicant(row, State.WAITING, position=position, waiting_list=waiting_list)
    player = None
    if row.player is not None:
        player = tournament.entries.filter(number=row.player).first()
    return Applicant(row, state_of(row, has_player=player is not None), player)


def _waiting_list_of(row: Registration, capacities: Mapping[str, int]) -> str:
    """See `Applicant.waiting_list`."""
    return row.division if row.division in capacities else ""


def code_of(tournament: Tournament) -> str:
    """Return the code that the director gives out, on the poster or in a letter (申込コード).

    It is derived from the server's secret key, so that no archive and no audit entry contains it.
    """
    number = tournament.registration_settings.code_number
    value = f"{tournament.pk}.{number}"
    digits = salted_hmac("registration code", value, algorithm="sha256").digest()[:CODE_LENGTH]
    return "".join(CODE_LETTERS[digit % len(CODE_LETTERS)] for digit in digits)


def path_for_applicants(tournament: Tournament) -> str:
    """Includes the code that the director gives out."""
    path = reverse("register", args=[tournament.slug])
    return f"{path}?{urlencode({'code': code_of(tournament)})}"


def is_code(tournament: Tournament, typed: str) -> bool:
    """Capitals, spaces and full-width letters may differ."""
    letters = "".join(unicodedata.normalize("NFKC", typed).casefold().split())
    return constant_time_compare(letters, code_of(tournament))


def open_count(tournament: Tournament) -> int:
    """Return the number of open applications: pending, or on the waiting list."""
    return tournament.registrations.filter(state__in=(State.PENDING, State.WAITING)).count()


def registration_with_key(tournament: Tournament, key: str) -> Registration | None:
    rows = tournament.registrations.select_related("tournament")
    return rows.filter(digest=digest(key)).first()


def applicants_of(tournament: Tournament) -> list[Applicant]:
    """In the order of arrival; makes two queries."""
    rows = list(tournament.registrations.order_by("number"))
    capacities = tournament.registration_settings.capacities
    entries = {entry.number: entry for entry in tournament.entries.all()}
    applicants = []
    waiting: Counter[str] = Counter()  # by waiting list
    for row in rows:
        player = entries.get(row.player) if row.player is not None else None
        state = state_of(row, has_player=player is not None)
        if state != State.WAITING:
            applicants.append(Applicant(row, state, player))
            continue
        name = _waiting_list_of(row, capacities)
        waiting[name] += 1
        applicants.append(Applicant(row, state, position=waiting[name], waiting_list=name))
    return _with_doubles(applicants, entries.values())


def _with_doubles(applicants: Sequence[Applicant], entries: Iterable[Entry]) -> list[Applicant]:
    """Return the applicants with `is_double` set.

    A double has the name of an earlier applicant, or of a player who did not apply, and a reading
    that does not differ. Declined and withdrawn applications are not compared.
    """
    applied = {each.player.number for each in applicants if each.player is not None}
    readings: dict[str, list[str]] = defaultdict(list)  # by name
    for entry in entries:
        if entry.number not in applied:
            readings[search_key(entry.name)].append(search_key(entry.reading))
    marked = []
    for each in applicants:
        if each.state not in LIVE:
            marked.append(each)
            continue
        name, reading = search_key(each.row.name), search_key(each.row.reading)
        is_double = any(not reading or not other or reading == other for other in readings[name])
        marked.append(each._replace(is_double=is_double))
        readings[name].append(reading)
    return marked


def contacts_without_use(tournament: Tournament, *, at_closing: bool = False) -> list[Registration]:
    """Return the applications whose contact is no longer needed, ordered by number.

    They are withdrawn or declined, or their player has another contact now. With `at_closing` also
    those that are pending or waiting, because nobody else will play. Makes no query if registration
    was never set.
    """
    if not tournament.registration:
        return []
    with_contact = tournament.registrations.exclude(contact="").order_by("number")
    undecided = () if at_closing else (State.PENDING, State.WAITING)
    rows = list(with_contact.exclude(state__in=undecided))
    entries = tournament.entries.values_list("number", "contact")
    contacts: dict[int | None, str] = dict(entries) if rows else {}
    return [  # a declined application has no player
        row
        for row in rows
        if row.state == State.WITHDRAWN or contacts.get(row.player) != row.contact
    ]


class Mailing(NamedTuple):
    """The e-mail addresses of the applicants in one state; `others` gave another contact."""

    state: State
    addresses: list[str]
    others: list[Applicant]

    @property
    def link(self) -> str:
        """Return a `mailto:` link to all addresses, as blind copies.

        Empty for more than `MOST_IN_A_LINK`: browsers and mail programs limit its length.
        """
        if len(self.addresses) > MOST_IN_A_LINK:
            return ""
        return f"mailto:?bcc={quote(','.join(self.addresses), safe='@,')}"


def mailings_of(applicants: Sequence[Applicant]) -> list[Mailing]:
    """Return the mailings to approved, waiting and pending applicants; without empty ones."""
    mailings = []
    for state in (State.APPROVED, State.WAITING, State.PENDING):
        group = [each for each in applicants if each.state == state and each.contact]
        addresses = dict.fromkeys(
            address for each in group for address in addresses_in(each.contact)
        )
        others = [each for each in group if not addresses_in(each.contact)]
        if group:
            mailings.append(Mailing(state, list(addresses), others))
    return mailings


def addresses_in(contact: str) -> list[str]:
    """Return the e-mail addresses in a contact, which may be typed in full-width letters.

    >>> addresses_in("電話090-1234-5678／メール：taro@example.jp、hana＠example.jp")
    ['taro@example.jp', 'hana@example.jp']
    """
    addresses: list[str] = ADDRESS.findall(unicodedata.normalize("NFKC", contact))
    return addresses


def counts_of(applicants: Iterable[Applicant]) -> dict[State, int]:
    """With 0 for states without any."""
    counts = dict.fromkeys(State, 0)
    for each in applicants:
        counts[each.state] += 1
    return counts


def is_still_player(applicant: Applicant) -> bool:
    """Return whether an applicant withdrew after approval and is still among the players."""
    return applicant.state == State.WITHDRAWN and applicant.player is not None


class OpenApplications(NamedTuple):
    pending: int = 0  # to be approved or declined
    left: int = 0  # withdrawn, but the applicant is still among the players
    may_move_up: int = 0  # on a waiting list with a free place; 0 if approval is automatic


def open_applications(tournament: Tournament) -> OpenApplications:
    """Return what waits for the director; makes no query if registration was never set."""
    if not tournament.registration:
        return OpenApplications()
    undecided = tournament.registrations.exclude(state__in=(State.APPROVED, State.DECLINED))
    rows = list(undecided.order_by("number").values_list("state", "player", "division"))
    withdrawn = [player for state, player, _ in rows if state == State.WITHDRAWN and player]
    left = tournament.entries.filter(number__in=withdrawn).count() if withdrawn else 0
    waiting = [division for state, _, division in rows if state == State.WAITING]
    may_move_up = 0
    if waiting and not tournament.is_past and not tournament.registration_settings.is_automatic:
        may_move_up = sum(vacancies_of(tournament).which_fit(waiting))
    return OpenApplications(sum(row[0] == State.PENDING for row in rows), left, may_move_up)
