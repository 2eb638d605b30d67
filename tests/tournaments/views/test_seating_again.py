"""Reseating a session that has not begun."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, events
from tests.api import phone
from tests.cast import SOMEBODY
from tests.proposals import Page, assign, numbers, propose
from tests.races import run_before
from tournaments import archives, verification
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Session, Sitting, Tournament
from tournaments.queries import exchanges
from tournaments.queries.presence import Status
from tournaments.queries.publications import showing
from tournaments.services import (
    calls,
    closing,
    presence,
    seating,
    table_links,
    totals,
)
from tournaments.services.exchanges import exchange
from tournaments.services.phones import NoSuchLink, join, join_by_number_alone, phone_of
from tournaments.services.publications import publish

Tables = list[list[int]]


def seat(tournament: Tournament, *tables: range) -> Session:
    """Add the players in these ranges, and seat them."""
    missing = max(table[-1] for table in tables) - tournament.entries.count()
    cast.make_entries(tournament, missing) if missing > 0 else None
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    seated = [[by_number[number] for number in table] for table in tables]
    return seating.open_session(tournament, seated, by=SOMEBODY)


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six, without rounds."""
    return seat(tournament, range(1, 7), range(7, 13))


@pytest.fixture
def in_fives(db: None) -> Session:
    """Two tables of five, by rules for five or six at a table."""
    return seat(cast.make_tournament("goninkan-classic"), range(1, 6), range(6, 11))


def address(session: Session) -> str:
    return reverse("reseat-session", args=[session.tournament.slug, session.number])


def by_hand(browser: Client, session: Session) -> Page:
    """Return the page for changing the present seats by hand."""
    return propose(browser, address(session), hand="1")


def as_text(tables: Tables) -> str:
    return "\n".join(" ".join(map(str, table)) for table in tables)


def seat_typed(browser: Client, session: Session, tables: Tables, **more: str) -> Page:
    """Assign these tables, typed on a new page."""
    return assign(browser, by_hand(browser, session), as_text(tables), **more)


def seated(session: Session) -> Tables:
    return [[entry.number for entry in table] for table in seating.seating_of(session)]


SIX = [[12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]]
FIVES = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]


def test_another_draw_follows_the_roll_call(director: Client, session: Session) -> None:
    """Seats those present without a seat; leaves out those away, and others without a seat."""
    tournament = session.tournament
    cast.make_entries(tournament, 2)
    for number, status in ((3, Status.ABSENT), (5, Status.PRESENT), (14, Status.PRESENT)):
        entry, expected = tournament.entries.get(number=number), Status.EXPECTED
        presence.mark_presence(entry, 1, status, seen_status=expected, by=SOMEBODY)
    page = director.get(address(session))
    assert page.context["draw_form"].initial["out"] == "3 13"
    told = page.text[page.text.index("抽選に入らない選手：") :]
    assert ">13</span>" in told[: told.index("</p>")]
    drawn = propose(director, address(session), out="3 13")
    assert 14 in {each.number for table in drawn.context["tables"] for each in table}


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, session: Session
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address(session)).status_code == 404
        assert browser.post(address(session), {"hand": "1"}).status_code == 404
    assert address(session) not in scorekeeper.get(session.get_absolute_url()).text


def test_the_page_shows_who_sits_where(director: Client, session: Session) -> None:
    assert address(session) in director.get(session.get_absolute_url()).text
    form = by_hand(director, session).context["form"]
    assert form.initial["tables"] == "1 2 3 4 5 6\n7 8 9 10 11 12"


def test_proposal_says_that_the_seats_have_changed_since(
    director: Client, session: Session
) -> None:
    """A message that they are assigned already would be no news."""
    old = by_hand(director, session)
    seat_typed(director, session, SIX)
    address_of_old = old.request["PATH_INFO"]
    for act in (partial(director.get, address_of_old), partial(assign, director, old)):
        assert act().headers["Location"] == session.get_absolute_url()
        told = director.get(session.get_absolute_url()).text
        assert "この席の案はもう使えません" in told
        assert "すでに決まっています" not in told
    assert seated(session) == SIX


def test_new_draw_is_stored_as_proposed(director: Client, session: Session) -> None:
    page = propose(director, address(session), out="")
    drawn = numbers(page.context["tables"])
    assert drawn != seated(session)
    answer = assign(director, page)
    assert answer.headers["Location"] == session.get_absolute_url()
    assert seated(session) == drawn
    assert verification.verify(session.tournament) == []


def test_reseating_is_one_audit_entry_with_its_reason(director: Client, session: Session) -> None:
    seat_typed(director, session, SIX, reason="組み合わせの誤り")
    act = session.tournament.audit_entries.latest("number")
    assert (act.kind, act.reason) == (AuditEntry.Kind.SESSION_RESEATED, "組み合わせの誤り")
    assert act.new == [[str(number) for number in table] for table in SIX]
    assert act.old == [[str(number) for number in range(i, i + 6)] for i in (1, 7)]
    history = reverse("history", args=[session.tournament.slug])
    rows = cast.in_english(director).get(history).text.partition("<tbody")[2]
    assert rows.count("Seats reassigned") == 1


def test_tables_keep_links_pins_and_phones(session: Session) -> None:
    sitting = session.sittings.get(number=1)
    pin = table_links.make_pin(sitting, by=SOMEBODY)
    at_the_table = phone(sitting)
    reseat(session, SIX)
    seats = at_the_table.get(f"/api/sittings/{sitting.pk}")["seats"]
    assert [each["number"] for each in seats] == SIX[0]
    assert join(sitting.token)
    assert join_by_number_alone(session.sittings.get(number=1).number, pin)
    assert verification.verify(session.tournament) == []


def reseat(session: Session, tables: Tables, seen: int | None = None) -> None:
    by_number = {entry.number: entry for entry in session.tournament.entries.all()}
    entries = [[by_number[number] for number in table] for table in tables]
    seen = seating.seats_version(session) if seen is None else seen
    seating.reseat(session, entries, seen_version=seen, by=SOMEBODY)


@pytest.mark.both
def test_number_of_tables_may_change(in_fives: Session) -> None:
    session, tournament = in_fives, in_fives.tournament
    lost, kept = session.sittings.get(number=2), session.sittings.get(number=1)
    phones = [join(each.token) for each in (kept, lost)]
    cast.make_entries(tournament, 5)
    for tables in (
        [*FIVES, [11, 12, 13, 14, 15]],
        [[15, 3, 4, 5, 6, 7]],
        [[1, 2, 3, 4, 5], [11, 12, 13, 14, 15]],
    ):
        reseat(session, tables)
        assert seated(session) == tables
        assert verification.verify(tournament) == []
    assert phone_of(phones[0].secret)
    assert phone_of(phones[1].secret) is None
    with pytest.raises(NoSuchLink):
        join(lost.token)
    join(session.sittings.get(number=2).token)
    assert verification.verify(tournament) == []
    closing.close(tournament, by=SOMEBODY)
    assert verification.verify(tournament) == []


@pytest.mark.both
@pytest.mark.parametrize(
    "change",
    [
        lambda session: table_links.make_link(session.sittings.get(number=2), by=SOMEBODY),
        lambda session: Sitting.objects.filter(number=3).update(token="another"),
        lambda session: session.sittings.get(number=3).seats.all().delete(),
        lambda session: Sitting.objects.create(session=session, number=4),
    ],
    ids=["properly", "link", "seats", "table"],
)
def test_verification_finds_a_manipulated_reseating(
    in_fives: Session, request: pytest.FixtureRequest, change: Callable[[Session], Any]
) -> None:
    session, tournament = in_fives, in_fives.tournament
    cast.make_entries(tournament, 5)
    reseat(session, [*FIVES, [11, 12, 13, 14, 15]])
    change(session)
    is_proper = request.node.callspec.id == "properly"
    assert (verification.verify(tournament) == []) == is_proper


def test_reseating_survives_an_archive(in_fives: Session) -> None:
    session, tournament = in_fives, in_fives.tournament
    join(session.sittings.get(number=2).token)
    reseat(session, [[5, 4, 3, 2, 1, 6]])
    cast.record(session.sittings.get())
    content = archives.export_archive(tournament, with_private=True)
    events.forget(tournament)
    owner = cast.make_user("owner")
    again = archives.import_archive(content, by=Actor(owner, "owner"))
    assert seated(again.sessions.get()) == [[5, 4, 3, 2, 1, 6]]
    assert verification.verify(again) == []


def begin(session: Session, how: str) -> None:
    sitting = session.sittings.get(number=2)
    match how:
        case "round":
            cast.record(sitting)
        case "totals":
            points = dict.fromkeys(cast.keys(sitting), 0)
            totals.enter_totals(sitting, points, seen_version=0, by=SOMEBODY)
        case "call":
            calls.call_desk(sitting, "director", "", by=SOMEBODY)
        case "disagreement":
            cast.make_disagreement(sitting)


@pytest.mark.parametrize("how", ["round", "totals", "call", "disagreement"])
def test_session_that_has_begun_is_not_reseated(
    director: Client, session: Session, how: str
) -> None:
    mine = by_hand(director, session)
    begin(session, how)
    before = seated(session)
    assert address(session) not in director.get(session.get_absolute_url()).text
    assert director.get(address(session)).headers["Location"] == session.get_absolute_url()
    answer = assign(director, mine, as_text(SIX))
    assert answer.headers["Location"] == session.get_absolute_url()
    assert seated(session) == before


def test_seats_changed_since_end_a_proposal(director: Client, session: Session) -> None:
    """By another proposal, or by an exchange of players."""
    mine = by_hand(director, session)
    other = propose(director, address(session), out="")
    assert assign(director, other).status_code == 302
    stored = seated(session)
    assert assign(director, mine, as_text(SIX)).headers["Location"] == session.get_absolute_url()
    assert director.get(address(session)).status_code == 200  # nothing is proposed for these seats
    mine = by_hand(director, session)
    one, other = session.tournament.entries.filter(number__in=[stored[0][0], stored[1][0]])
    stamp = exchanges.plan_exchange(session, one, other).stamp
    exchange(session, one, other, seen_stamp=stamp, by=SOMEBODY, reason="席の誤り")
    assign(director, mine)
    assert seated(session) != stored
    assert session.tournament.audit_entries.filter(kind="session_reseated").count() == 1


def test_problems_name_their_line(director: Client, session: Session) -> None:
    for tables in ([[1, 2, 3]], [[1, 1, 2, 3, 4, 5]], FIVES, SIX[:1]):
        answer = seat_typed(director, session, tables, reason="誤り")
        assert answer.status_code == (409 if tables == SIX[:1] else 422)
        assert answer.status_code == 409 or 'value="誤り"' in answer.text
    assert seated(session) == [list(range(1, 7)), list(range(7, 13))]


def test_unchanged_seats_add_no_audit_entry(director: Client, session: Session) -> None:
    before = session.tournament.audit_entries.count()
    assert assign(director, by_hand(director, session)).status_code == 302
    assert session.tournament.audit_entries.count() == before


def test_closed_event_is_not_reseated(director: Client, session: Session) -> None:
    mine = by_hand(director, session)
    closing.close(session.tournament, by=SOMEBODY)
    before = seated(session)
    assert assign(director, mine).status_code == 422
    assert seated(session) == before
    assert "close" in director.get(address(session)).headers["Location"]
    assert address(session) not in director.get(session.get_absolute_url()).text


def test_new_seats_are_public_at_once(client: Client, session: Session) -> None:
    first = seat(session.tournament, range(1, 7))
    cast.record(first.sittings.get())
    publication = publish(session.tournament, by=SOMEBODY)
    reseat(session, SIX)
    assert showing.changes_since(publication).count() == 0
    shown = client.get(session.get_absolute_url()).context["sheets"][0].players
    assert shown == tuple(map(str, SIX[0]))


def test_writing_to_a_removed_table_is_not_found(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = session.sittings.get(number=2)
    at_the_table, facts = phone(sitting), cast.plain_round(sitting)
    run_before(monkeypatch, calls, "call_desk", lambda: reseat(session, [[1, 2, 3, 4, 5, 6]]))
    answer = at_the_table.post(f"/api/sittings/{sitting.pk}/calls", {"kind": "director"})
    assert answer.status_code in {401, 404}
    put = {"facts": facts, "seen": 0}
    assert at_the_table.put(f"/api/sittings/{sitting.pk}/rounds/1", put).status_code in {401, 404}
    assert verification.verify(session.tournament) == []
