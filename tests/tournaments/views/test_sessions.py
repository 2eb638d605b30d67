"""The page of a session: its tables, their progress, seats and links."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.markup import tight
from tournaments.models import Session, Tournament
from tournaments.services import sessions
from tournaments.services.publications import show_live


@pytest.fixture
def session(tournament: Tournament) -> Session:
    session = cast.make_session(tournament, tables=3)
    done, playing, _ = session.sittings.all()
    for number in range(1, 11):
        cast.record(done, number=number)
    cast.record(playing)
    return session


def test_it_is_public_when_the_tournament_is(
    client: Client, scorekeeper: Client, session: Session
) -> None:
    assert client.get(session.get_absolute_url()).status_code == 404
    assert scorekeeper.get(session.get_absolute_url()).status_code == 200
    show_live(session.tournament, by=cast.SOMEBODY)
    assert client.get(session.get_absolute_url()).status_code == 200


def test_page_shows_the_progress_of_every_table(scorekeeper: Client, session: Session) -> None:
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    for state in ("sitting is-done", "sitting is-playing", "sitting is-waiting"):
        assert page.count(state) == 1
    assert "10 of 10 rounds" in page
    assert "1 of 10 rounds" in page
    for sitting in session.sittings.all():
        assert f'href="{sitting.get_absolute_url()}"' in page


def test_stopped_table_counts_only_rounds_that_were_played_out(
    scorekeeper: Client, session: Session
) -> None:
    playing = session.sittings.get(number=2)
    unfinished = cast.plain_round(playing) | {"deals": [{"kankei": 9, "mukankei": 4}]}
    cast.record(playing, unfinished, number=2)
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    assert "2 of 10 rounds" in page
    sessions.end_session(session, stopping=[2, 3], by=cast.SOMEBODY)
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    assert "1 of 10 rounds" in page
    assert "2 of 10 rounds" not in page


def test_staff_sees_first_what_the_session_needs_now(
    scorekeeper: Client, tournament: Tournament
) -> None:
    """Before play the prints; during play the progress, with the prints folded."""
    session = cast.make_session(tournament, tables=1)

    def folded(name: str) -> bool:
        page = scorekeeper.get(session.get_absolute_url()).text
        query = "?session=1" if name == "board" else ""
        args = [tournament.slug] if query else [tournament.slug, 1]
        first, more = (
            page.partition('class="page-head"')[2].split("</details>")[0].split("<details")
        )
        link = f'href="{reverse(name, args=args)}{query}"'
        assert (link in first) != (link in more)
        return link in more

    names = ("table-cards", "seat-list", "board", "exchange-players")
    assert [folded(name) for name in names] == [False, False, True, True]
    cast.record(session.sittings.get())
    assert [folded(name) for name in names] == [True, True, False, False]


def test_everybody_finds_their_seat_by_number(scorekeeper: Client, session: Session) -> None:
    seats = scorekeeper.get(session.get_absolute_url()).context["seats"]
    assert [(s.entry.number, s.sitting.number, s.position) for s in seats][6:8] == [
        (7, 2, 1),
        (8, 2, 2),
    ]


def test_printed_page_names_event_and_session(scorekeeper: Client, session: Session) -> None:
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    assert '<span class="print-only">Seats of session 1</span>' in tight(page)
    tables = page.partition("tables-head")[2].partition("</p>")[0]
    assert "Session 1" in tables
    assert session.tournament.name in tables


def test_the_code_of_a_public_event_is_printed_as_a_poster(
    director: Client, session: Session
) -> None:
    address = reverse("publish", args=[session.tournament.slug])
    assert "poster" not in director.get(address).text
    show_live(session.tournament, by=cast.SOMEBODY)
    page = director.get(address).text
    assert reverse("event-poster", args=[session.tournament.slug]) in page
    assert "/<wbr>tournaments/<wbr>" in page


def test_only_staff_see_the_links_that_let_tables_record(
    client: Client, scorekeeper: Client, session: Session
) -> None:
    show_live(session.tournament, by=cast.SOMEBODY)
    tokens = [sitting.token for sitting in session.sittings.all()]
    assert tokens
    public = client.get(session.get_absolute_url(), {"links": ""}).text
    wall = scorekeeper.get(session.get_absolute_url()).text
    staff = scorekeeper.get(session.get_absolute_url(), {"links": ""}).text
    for token in tokens:
        assert token not in public
        assert token not in wall
        assert reverse("join-table", args=[token]) in staff


def test_it_asks_few_questions_however_many_tables_there_are(
    scorekeeper: Client, session: Session, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(19):  # type: ignore[operator]  # pytest-django's fixture
        scorekeeper.get(session.get_absolute_url())


def test_there_is_no_such_session(scorekeeper: Client, tournament: Tournament) -> None:
    address = reverse("session", args=[tournament.slug, 9])
    assert scorekeeper.get(address).status_code == 404


def test_a_table_names_its_players_by_seat(scorekeeper: Client, session: Session) -> None:
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    second = page.split('<ol class="sitting-players seat-order">')[1].split("<li>")[2]
    assert tight(second).startswith('<b class="muted">2</b><bdi>工藤 正</bdi>')
    assert "No. 2" in second


def test_until_play_begins_it_says_what_to_do(scorekeeper: Client, tournament: Tournament) -> None:
    cast.in_english(scorekeeper)
    sitting = cast.make_sitting(tournament)
    address = sitting.session.get_absolute_url()
    assert "Put a printed card on each table" in scorekeeper.get(address).text
    cast.record(sitting)
    assert "Put a printed card on each table" not in scorekeeper.get(address).text


def test_session_of_totals_does_not_mention_phones(
    scorekeeper: Client, tournament: Tournament
) -> None:
    tournament.totals_only = True
    tournament.save()
    session = cast.make_sitting(tournament).session
    page = cast.in_english(scorekeeper).get(session.get_absolute_url()).text
    assert "open it to type in its totals" in page
    assert "Table cards" not in page
    assert "?links" not in page


def test_its_pages_lead_back_to_it(scorekeeper: Client, session: Session) -> None:
    for name in ("table-cards", "exchange-players"):
        address = reverse(name, args=[session.tournament.slug, session.number])
        crumbs = scorekeeper.get(address).text.split('class="breadcrumbs"')[1].split("</nav>")[0]
        assert f'href="{session.get_absolute_url()}"' in crumbs


def test_more_rounds_than_are_planned_are_no_fraction(
    scorekeeper: Client, tournament: Tournament
) -> None:
    """They were played before the number was lowered."""
    Tournament.objects.update(rounds_per_session=3)
    tournament.refresh_from_db()
    session = cast.make_session(tournament, tables=2)
    table = session.sittings.get(number=1)
    for number in (1, 2, 3):
        cast.record(table, number=number)
    Tournament.objects.update(rounds_per_session=2)
    slug = tournament.slug
    pages = {
        session.get_absolute_url(): "3役（予定は2役）",
        table.get_absolute_url(): "3役（予定は2役）",
        reverse("board", args=[slug]): "<b>3</b>（予定2）",
    }
    for page, words in pages.items():
        text = tight(scorekeeper.get(page).text)
        assert tight(words) in text
        assert "3／2" not in text
        assert "<b>3</b>/" not in text
