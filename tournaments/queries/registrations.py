"""Applications to play: the state that counts, the waiting list, and places that are free."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

from django.db.models import Count, Q

from tournaments.models import Entry, Registration, Tournament
from tournaments.models.people import search_key
from tournaments.models.tokens import digest

State = Registration.State
LIVE = (State.PENDING, State.APPROVED, State.WAITING)  # who wants to play and may
# Of e-mail, in a contact. What often stands between it and a telephone number or a label, such as
# `/` or `:`, is no part of it, although an address might contain some of these signs.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+?^_`{|}~-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")


class Applicant(NamedTuple):
    """An application, the state that counts, and its player if approved and still there.

    `place` is that on the waiting list, from 1. A division with a capacity of its own has a waiting
    list of its own: its name is the `line`, which is empty on the list of all others. `is_double`
    marks who may be somebody that applied before or is a player already.
    """

    row: Registration
    state: State
    player: Entry | None = None
    place: int | None = None
    line: str = ""
    is_double: bool = False

    @property
    def contact(self) -> str:
        """Return the contact, of a player as it may have been corrected since."""
        return self.player.contact if self.player else self.row.contact


class Places(NamedTuple):
    """How many players there are, substitutes left out, and how many there may be.

    `divisions` has the places of each division that has a capacity of its own.
    """

    players: int
    capacity: int | None
    divisions: Mapping[str, Places] = MappingProxyType({})

    @property
    def free(self) -> int | None:
        """Return how many places are left, None if there is no limit."""
        return None if self.capacity is None else max(0, self.capacity - self.players)

    @property
    def is_full(self) -> bool:
        """Return whether nobody finds a place, whatever the division."""
        return self.free == 0

    def who_fits(self, divisions: Iterable[str]) -> list[bool]:
        """Return of each, given by division, whether a place is left; who comes first is served.

        Who finds none in the division leaves the place to those who come after.

        >>> Places(8, 10, {"A": Places(4, 5)}).who_fits(["A", "A", "B", "B"])
        [True, False, True, False]
        """
        left = Counter({name: own.free or 0 for name, own in self.divisions.items()})
        all_left = math.inf if self.free is None else self.free
        found = []
        for division in divisions:
            fits = all_left > 0 and (division not in self.divisions or left[division] > 0)
            all_left -= fits
            left[division] -= fits
            found.append(fits)
        return found

    def has_place_for(self, division: str) -> bool:
        """Return whether a player of this division finds a place."""
        return self.who_fits([division])[0]


def places_of(tournament: Tournament) -> Places:
    """Return the places of a tournament, in one query."""
    chosen = tournament.registration_settings
    entries = tournament.entries.filter(is_substitute=False).order_by()
    players = dict(entries.values_list("division").annotate(Count("pk")))
    own = {
        name: Places(players.get(name, 0), chosen.capacities[name])
        for name in chosen.divisions  # in this order, which a JSON object need not keep
        if name in chosen.capacities
    }
    return Places(sum(players.values()), chosen.capacity, own)


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
        line = _line_of(row, capacities)
        same = Q(division=line) if line else ~Q(division__in=capacities)
        return Applicant(row, State.WAITING, place=before.filter(same).count(), line=line)
    player = None
    if row.player is not None:
        player = tournament.entries.filter(number=row.player).first()
    return Applicant(row, state_of(row, has_player=player is not None), player)


def _line_of(row: Registration, capacities: Mapping[str, int]) -> str:
    """Return the division in whose waiting list the application stands, empty for that of all."""
    return row.division if row.division in capacities else ""


def registration_under(tournament: Tournament, key: str) -> Registration | None:
    """Return the application whose link contains this key, None if there is none."""
    rows = tournament.registrations.select_related("tournament")
    return rows.filter(digest=digest(key)).first()


def applicants_of(tournament: Tournament) -> list[Applicant]:
    """Return all applications in the order in which they came, in two queries."""
    rows = list(tournament.registrations.order_by("number"))
    capacities = tournament.registration_settings.capacities
    entries = {entry.number: entry for entry in tournament.entries.all()}
    found = []
    waiting: Counter[str] = Counter()
    for row in rows:
        player = entries.get(row.player) if row.player is not None else None
        state = state_of(row, has_player=player is not None)
        if state != State.WAITING:
            found.append(Applicant(row, state, player))
            continue
        line = _line_of(row, capacities)
        waiting[line] += 1
        found.append(Applicant(row, state, place=waiting[line], line=line))
    return _with_doubles(found, entries.values())


def _with_doubles(applicants: Sequence[Applicant], entries: Iterable[Entry]) -> list[Applicant]:
    """Mark who has the name of somebody before, and a reading that does not differ."""
    own = {each.player.number for each in applicants if each.player is not None}
    known: dict[str, list[str]] = defaultdict(list)  # readings by name
    for entry in entries:
        if entry.number not in own:
            known[search_key(entry.name)].append(search_key(entry.reading))
    marked = []
    for each in applicants:
        if each.state not in LIVE:
            marked.append(each)
            continue
        name, reading = search_key(each.row.name), search_key(each.row.reading)
        is_double = any(not reading or not other or reading == other for other in known[name])
        marked.append(each._replace(is_double=is_double))
        known[name].append(reading)
    return marked


def contacts_without_use(tournament: Tournament, *, at_closing: bool = False) -> list[Registration]:
    """Return the applications with a contact by which no player is reached any more, by number.

    They were withdrawn or declined, or the player has another contact now; at closing also those
    that wait, as nobody else will play. Asks nothing of a tournament in which registration was
    never set.
    """
    if not tournament.registration:
        return []
    concerned = tournament.registrations.exclude(contact="").order_by("number")
    kept = () if at_closing else (State.PENDING, State.WAITING)
    rows = list(concerned.exclude(state__in=kept))
    entries = tournament.entries.values_list("number", "contact")
    contacts: dict[int | None, str] = dict(entries) if rows else {}
    return [
        row
        for row in rows
        if row.state == State.WITHDRAWN or contacts.get(row.player) != row.contact
    ]


class Mailing(NamedTuple):
    """How to reach all applicants in one state: e-mail addresses, and who gave none."""

    state: State
    addresses: list[str]
    others: list[Applicant]

    @property
    def link(self) -> str:
        """Return the link that begins a message to all, who do not see each other's addresses."""
        return f"mailto:?bcc={quote(','.join(self.addresses), safe='@,')}"


def mailings_of(applicants: Sequence[Applicant]) -> list[Mailing]:
    """Return how to reach those who play, those on the waiting list, and those not decided yet."""
    found = []
    for state in (State.APPROVED, State.WAITING, State.PENDING):
        group = [each for each in applicants if each.state == state and each.contact]
        addresses = dict.fromkeys(at for each in group for at in addresses_in(each.contact))
        others = [each for each in group if not addresses_in(each.contact)]
        if group:
            found.append(Mailing(state, list(addresses), others))
    return found


def addresses_in(contact: str) -> list[str]:
    """Return the e-mail addresses in a contact, which may be typed in full-width letters.

    >>> addresses_in("電話090-1234-5678／メール：taro@example.jp、hana＠example.jp")
    ['taro@example.jp', 'hana@example.jp']
    """
    found: list[str] = ADDRESS.findall(unicodedata.normalize("NFKC", contact))
    return found


def counts_of(applicants: Iterable[Applicant]) -> dict[State, int]:
    """Return the number of applications in each state, 0 included."""
    counts = dict.fromkeys(State, 0)
    for each in applicants:
        counts[each.state] += 1
    return counts


def has_left(applicant: Applicant) -> bool:
    """Return whether somebody who withdrew is still among the players: the director decides."""
    return applicant.state == State.WITHDRAWN and applicant.player is not None


class OpenMatters(NamedTuple):
    """What waits for the director: how many applications to approve, players who have withdrawn.

    `may_move_up` are those on the waiting list for whom a place is free, if approval is by hand.
    """

    pending: int = 0
    left: int = 0
    may_move_up: int = 0


def open_matters(tournament: Tournament) -> OpenMatters:
    """Return what is open; asks nothing where registration was never set."""
    if not tournament.registration:
        return OpenMatters()
    concerned = tournament.registrations.exclude(state__in=(State.APPROVED, State.DECLINED))
    rows = list(concerned.order_by("number").values_list("state", "player", "division"))
    withdrawn = [player for state, player, _ in rows if state == State.WITHDRAWN and player]
    left = tournament.entries.filter(number__in=withdrawn).count() if withdrawn else 0
    waiting = [division for state, _, division in rows if state == State.WAITING]
    may_move_up = 0
    if waiting and not tournament.is_past and not tournament.registration_settings.is_automatic:
        may_move_up = sum(places_of(tournament).who_fits(waiting))
    return OpenMatters(sum(row[0] == State.PENDING for row in rows), left, may_move_up)
