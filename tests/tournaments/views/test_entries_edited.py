"""Editing a player, and deleting one who never had a seat."""

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.private_data import private_in
from tests.races import run_before
from tournaments import verification
from tournaments.models import AuditEntry, Presence, Tournament
from tournaments.services import entries, registrations, versions
from tournaments.services.presence import mark_presence
from tournaments.services.substitutions import add_substitute


def address(tournament: Tournament, number: int = 1) -> str:
    return reverse("edit-entry", args=[tournament.slug, number])


def typed(director: Client, address: str, **fields: str) -> dict[str, str]:
    """Return the data that a browser sends from this page."""
    return {"seen": str(director.get(address).context["seen"]), "club": "", **fields}


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament
) -> None:
    cast.make_entries(tournament, 1)
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address(tournament)).status_code == 404
        assert browser.post(address(tournament), {"name": "me"}).status_code == 404


def test_everything_but_the_number_changes(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 2)
    page = address(tournament, 2)
    director.post(page, typed(director, page, name="髙橋", number="7"))
    entry = tournament.entries.get(number=2)
    assert (entry.name, entry.club, entry.division) == ("髙橋", "", "")


def test_an_error_keeps_what_was_typed(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    answer = director.post(address(tournament), {"name": " ", "club": "新しい会"})
    assert answer.status_code == 422
    assert 'value="新しい会"' in answer.text
    assert tournament.entries.get().name == "成田 キヨ"


def test_player_without_a_seat_is_deleted(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 2)
    assert 'name="delete"' in director.get(address(tournament)).text
    director.post(address(tournament), {"delete": "yes"})
    assert [entry.number for entry in tournament.entries.all()] == [2]


@pytest.mark.both
def test_concurrent_delete_deletes_once(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)

    def delete() -> None:
        entries.remove_entry(tournament.entries.get(), by=SOMEBODY)

    run_before(monkeypatch, registrations, "remove_entries", delete)
    answer = director.post(address(tournament), {"delete": "yes"}, follow=True)
    assert answer.redirect_chain == [(reverse("entries", args=[tournament.slug]), 302)]
    assert "この選手はすでに削除されています" in answer.text
    assert tournament.audit_entries.filter(kind=AuditEntry.Kind.ENTRY_REMOVED).count() == 1


def test_audit_entry_has_the_player_as_deleted(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)
    corrected = {"name": "髙橋", "club": "", "division": ""}

    def correct() -> None:
        entry = tournament.entries.get()
        entries.correct_entry(entry, corrected, seen_version=0, by=SOMEBODY)

    run_before(monkeypatch, registrations, "remove_entries", correct)
    director.post(address(tournament), {"delete": "yes"})
    old = tournament.audit_entries.get(kind=AuditEntry.Kind.ENTRY_REMOVED).old
    assert old is not None
    assert old["name"] == "髙橋"


def test_player_with_a_seat_stays(director: Client, tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    assert 'name="delete"' not in director.get(address(tournament)).text
    director.post(address(tournament), {"delete": "yes"})
    assert tournament.entries.count() == 6


def test_player_who_has_a_substitute_is_not_said_to_have_sat_at_a_table(
    director: Client, tournament: Tournament
) -> None:
    entry = cast.make_entries(tournament, 1)[0]
    assert "この選手の記録はまだない" in director.get(address(tournament)).text
    absent, expected = Presence.Status.ABSENT, Presence.Status.EXPECTED
    mark_presence(entry, 1, absent, seen_status=expected, by=SOMEBODY)
    add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)
    page = director.get(address(tournament)).text
    assert "席・代理・減点／加点のどれかの記録がある" in page
    assert 'name="delete"' not in page


@pytest.mark.parametrize("number", [99, 10**30])
def test_unknown_number_is_not_found(director: Client, tournament: Tournament, number: int) -> None:
    assert director.get(address(tournament, number)).status_code == 404


def test_a_player_of_another_tournament_is_not_found(
    director: Client, tournament: Tournament
) -> None:
    cast.make_entries(cast.make_tournament(), 1)
    assert director.get(address(tournament)).status_code == 404


def test_stale_page_replaces_nothing(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    mine = typed(director, page, name="成田 清")
    director.post(page, typed(director, page, name="成田 喜代"))
    answer = director.post(page, mine)
    assert answer.status_code == 409
    assert "成田 喜代" in answer.text  # what is stored
    assert 'value="成田 清"' in answer.text  # what was typed
    assert tournament.entries.get().name == "成田 喜代"
    director.post(page, mine | {"seen": str(answer.context["seen"])})
    assert tournament.entries.get().name == "成田 清"


def test_shown_data_are_not_older_than_their_version(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)
    theirs = {"name": "髙橋", "club": "", "division": ""}

    def correct() -> None:
        entry = tournament.entries.get()
        entries.correct_entry(entry, theirs, seen_version=0, by=SOMEBODY)

    run_before(monkeypatch, versions, "version_of", correct)
    shown = director.get(address(tournament)).context
    assert (shown["seen"], shown["entry"].name) == (tournament.audit_entries.count(), "髙橋")


def test_second_conflict_is_shown_too(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    mine = typed(director, page, name="成田 清")
    director.post(page, typed(director, page, name="成田 喜代"))
    theirs = typed(director, page, name="成田 季代")
    run_before(monkeypatch, versions, "version_of", partial(director.post, page, theirs))
    shown = director.post(page, mine).context
    assert shown["seen"] == shown["change"].audit_entry.number


def test_number_of_a_deleted_player_is_not_reused(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 3)
    page = address(tournament, 3)
    opened = typed(director, page, name="対馬 春")
    director.post(page, {"delete": "yes"})
    cast.make_entries(tournament, 1)
    assert director.post(page, opened).status_code == 404
    again = director.post(page, {"delete": "yes"}, follow=True)
    assert "この選手はすでに削除されています" in again.text
    assert [entry.number for entry in tournament.entries.all()] == [1, 2, 4]


KNOWN = {"contact": "017-000-0000", "birth_year": "1948", "notes": "車いすの席\n入口の近く"}


def private_of(tournament: Tournament) -> dict[str, str | int | None]:
    return tournament.entries.get(number=1).private_values()


def test_private_fields_are_edited(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1, contact="090", birth_year=1849)
    page = address(tournament)
    director.post(page, typed(director, page, name="成田 キヨ", **KNOWN))
    assert private_of(tournament) == KNOWN | {"birth_year": 1948}
    director.post(page, typed(director, page, name="成田 キヨ"))
    assert private_of(tournament) == {"contact": "", "birth_year": None, "notes": ""}
    assert verification.verify(tournament) == []


def test_history_does_not_show_private_values(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    page, same = address(tournament), {"name": "成田 キヨ", "club": "なかよし村"}
    director.post(page, typed(director, page, division="一般", **same, **KNOWN))
    act = tournament.audit_entries.latest("number")
    assert act.kind == AuditEntry.Kind.PRIVATE_CHANGED
    director.post(page, typed(director, page, **same))
    assert tournament.audit_entries.latest("number").kind == AuditEntry.Kind.ENTRY_CHANGED
    history = cast.in_english(director).get(reverse("history", args=[tournament.slug])).text
    assert history.partition("<tbody")[2].count("Private data of a player changed") == 1
    assert "contact, year of birth or notes changed" in history
    assert private_in(history, KNOWN) == set()


def test_stale_page_shows_the_stored_private_values(
    director: Client, tournament: Tournament
) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    mine = typed(director, page, name="成田 キヨ", contact="017-1", notes="")
    director.post(page, typed(director, page, name="成田 キヨ", contact="017-2", birth_year="1948"))
    answer = cast.in_english(director).post(page, mine)
    assert answer.status_code == 409
    assert private_of(tournament)["contact"] == "017-2"
    assert answer.context["stored_private"] == [("Contact", "017-2"), ("Year of birth", "1948")]
    assert 'value="017-1"' in answer.text
    director.post(page, mine | {"seen": str(answer.context["seen"])})
    assert private_of(tournament)["contact"] == "017-1"


def test_form_with_errors_keeps_the_version_seen(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    mine = typed(director, page, name="", contact="017-1")
    director.post(page, typed(director, page, name="成田 キヨ", contact="017-2"))
    answer = director.post(page, mine)
    assert answer.status_code == 422
    again = mine | {"name": "成田 キヨ", "seen": str(answer.context["seen"])}
    assert director.post(page, again).status_code == 409


@pytest.mark.parametrize(
    ("year", "status"),
    [("１９４８", 302), ("48", 422), ("1849", 422), ("9999", 422), ("昭和", 422)],
)
def test_a_year_of_birth_is_four_digits(
    director: Client, tournament: Tournament, year: str, status: int
) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    answer = director.post(page, typed(director, page, name="成田 キヨ", birth_year=year))
    assert answer.status_code == status
    assert private_of(tournament)["birth_year"] == (1948 if status == 302 else None)


@pytest.mark.parametrize("notes", ["一\n二", "一\r\n二", " 一 \n", "あ\n" * 1000])
def test_unchanged_notes_keep_their_line_ends(
    director: Client, tournament: Tournament, notes: str
) -> None:
    cast.make_entries(tournament, 1, notes=notes)
    page = address(tournament)
    as_sent = notes.replace("\r\n", "\n").replace("\n", "\r\n")
    director.post(page, typed(director, page, name="成田 清", notes=as_sent))
    assert tournament.entries.get().name == "成田 清"
    assert private_of(tournament)["notes"] == notes


def test_notes_have_room_for_two_thousand_characters(
    director: Client, tournament: Tournament
) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    answer = director.post(page, typed(director, page, name="成田 清", notes="あ" * 2001))
    assert answer.status_code == 422
    assert "あ" * 2001 in answer.text
