"""The staff of a tournament: adding and removing members."""

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import code, staff
from tests.cast import SOMEBODY
from tests.races import run_before
from tournaments.models import AuditEntry, Membership, Tournament
from tournaments.services.staff import give_role, remove_role
from tournaments.views import staff as staff_view


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("staff", args=[tournament.slug])


def typed(username: str, account: str = "new", role: str = "scorekeeper") -> dict[str, str]:
    return {"username": username, "account": account, "role": role}


@pytest.mark.both
def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address).status_code == 404
        assert browser.post(address, typed("me", role="director")).status_code == 404
    assert not User.objects.filter(username="me").exists()


@pytest.mark.both
def test_a_new_account_has_its_password_shown_once(director: Client, address: str) -> None:
    answer = director.post(address, typed("kudo"))
    password = answer.context["password"]
    assert password in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    assert password not in director.get(address).text
    assert Client().login(username="kudo", password=password)
    assert Membership.objects.get(user__username="kudo").role == "scorekeeper"


def test_an_account_that_exists_is_added(
    stranger: Client, director: Client, tournament: Tournament, address: str
) -> None:
    assert director.post(address, typed("stranger", "existing", "director")).status_code == 302
    assert stranger.get(address).status_code == 200


@pytest.mark.parametrize(
    ("username", "account"),
    [
        ("stranger", "new"),
        ("nobody", "existing"),
        ("director", "existing"),
        ("a b", "new"),
        ("", "new"),
        ("x" * 151, "new"),
        ("a\x00", "existing"),
        ("ﬃ" * 60, "new"),
    ],
)
def test_an_error_keeps_what_was_typed(
    stranger: Client, director: Client, address: str, username: str, account: str
) -> None:
    answer = director.post(address, typed(username, account))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["username"]
    assert answer.context["form"]["username"].value() == username


NOBODYS = pytest.mark.parametrize("name", ["table", "Table", "ｔａｂｌｅ", "demo", "manage.py"])


@NOBODYS
def test_reserved_account_names_are_refused(director: Client, address: str, name: str) -> None:
    answer = cast.in_english(director).post(address, typed(name))
    assert answer.status_code == 422
    assert "The history uses this name for something else" in answer.text
    assert User.objects.count() == 1


@NOBODYS
@pytest.mark.usefixtures("director")
def test_reserved_account_names_are_refused_by_the_api(tournament: Tournament, name: str) -> None:
    program = staff(User.objects.get())
    account = {"username": name, "password": "kano-mite-suro-haku", "role": "director"}
    answer = program.post(f"/api/tournaments/{tournament.slug}/staff", account)
    assert code(answer) == (422, "name_reserved")
    assert User.objects.count() == 1


@NOBODYS
@pytest.mark.django_db
def test_reserved_account_names_are_refused_by_the_command(name: str) -> None:
    owner = {"username": name, "email": "owner@example.com", "interactive": False}
    with pytest.raises(CommandError):
        call_command("createsuperuser", **owner)
    assert not User.objects.exists()


CONFUSING = ("DIRECTOR", "ｄｉｒｅｃｔｏＲ", "dire\N{CYRILLIC SMALL LETTER ES}tor")


@pytest.mark.parametrize("name", [*CONFUSING, "neputa\N{CYRILLIC CAPITAL LETTER VE}"], ids=ascii)
def test_account_name_like_that_of_another_is_refused(
    director: Client, tournament: Tournament, address: str, name: str
) -> None:
    assert director.post(address, typed(name)).status_code == 422
    sent = {"username": name, "role": "director", "password": "shamisen-neputa-7"}
    program = staff(User.objects.get(username="director"))
    where = f"/api/tournaments/{tournament.slug}/staff"
    assert code(program.post(where, sent)) == (422, "confusing_name")
    with pytest.raises(CommandError):
        call_command("createsuperuser", username=name, email="a@example.com", interactive=False)
    assert User.objects.count() == 1


@pytest.mark.usefixtures("director")
def test_name_that_is_too_long_once_normalised_is_refused(tournament: Tournament) -> None:
    program = staff(User.objects.get())
    account = {"username": "ﬃ" * 60, "password": "kano-mite-suro-haku", "role": "director"}
    answer = program.post(f"/api/tournaments/{tournament.slug}/staff", account)
    assert code(answer) == (422, "range")


def test_somebody_is_removed(
    director: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    director.post(address, {"remove": "scorekeeper"})
    assert scorekeeper.get(tournament.get_absolute_url()).status_code == 404


@pytest.mark.both
def test_the_last_director_stays(director: Client, tournament: Tournament, address: str) -> None:
    director.post(address, {"remove": "director"})
    assert tournament.memberships.filter(role="director").count() == 1


@pytest.mark.both
def test_member_of_another_tournament_is_not_removed(
    director: Client, tournament: Tournament, address: str
) -> None:
    other = cast.make_tournament()
    cast.make_staff(other, "elsewhere")
    assert director.post(address, {"remove": "elsewhere"}).status_code == 404
    assert other.memberships.count() == 1


def test_concurrent_add_adds_once(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kudo = cast.make_user("kudo")

    def add() -> None:
        give_role(tournament, kudo, "director", by=SOMEBODY)

    run_before(monkeypatch, staff_view, "give_role", add)
    answer = director.post(address, typed("kudo", "existing"))
    assert answer.status_code == 422
    assert answer.context["form"].errors["username"] == [
        "この人はもうスタッフに入っています。ほかの人を選んでください。"
    ]
    assert Membership.objects.get(user=kudo).role == "director"
    assert tournament.audit_entries.filter(kind=AuditEntry.Kind.ROLE_GIVEN).count() == 1


def test_concurrent_remove_removes_once(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_staff(tournament, "kudo")

    def remove() -> None:
        remove_role(tournament.memberships.get(user__username="kudo"), by=SOMEBODY)

    run_before(monkeypatch, staff_view, "remove_role", remove)
    removed = director.post(address, {"remove": "kudo"}, follow=True)
    assert removed.redirect_chain == [(address, 302)]
    assert "kudoさんはすでにスタッフから外れています" in removed.text
    assert tournament.audit_entries.filter(kind=AuditEntry.Kind.ROLE_TAKEN).count() == 1
