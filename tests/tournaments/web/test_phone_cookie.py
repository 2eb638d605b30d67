"""What a browser keeps of its phones: a cookie of its own, and nothing in the database."""

from __future__ import annotations

from http.cookies import Morsel

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Phone, Sitting
from tournaments.models.tokens import digest
from tournaments.services import table_links
from tournaments.web import phone_cookie

pytestmark = pytest.mark.django_db


def cookie_of(client: Client) -> Morsel[str]:
    cookie: Morsel[str] = client.cookies[phone_cookie.NAME]
    return cookie


def secrets_of(client: Client) -> list[str]:
    kept = signing.loads(cookie_of(client).value, salt=phone_cookie.SALT)
    return [*kept["secrets"].values()]


def join(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]), follow=True)


def play(client: Client, sitting: Sitting) -> int:
    return client.get(f"{sitting.get_absolute_url()}play/").status_code


def everything_stored() -> str:
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        for name in names:
            cursor.execute(f'SELECT * FROM "{name}"')
        return "\n".join(
            str(row)
            for name in names
            for row in cursor.execute(f'SELECT * FROM "{name}"') or cursor.fetchall()
        )


@pytest.mark.both
@pytest.mark.parametrize("way", ["link", "PIN", "one table"])
def test_secret_of_a_phone_is_nowhere_in_the_database(sitting: Sitting, way: str) -> None:
    client = Client()
    match way:
        case "link":
            join(client, sitting)
        case "PIN":
            pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
            client.post(reverse("join"), {"table": "1", "pin": pin})
        case _:
            client.post(reverse("start-table", args=["yoninkan"]), {"name_1": "成田 キヨ"})
    (secret,) = secrets_of(client)
    assert Phone.objects.get().digest == digest(secret)
    assert secret not in everything_stored()
    decoded = [str(each.get_decoded()) for each in Session.objects.all()]
    assert not [each for each in decoded if secret in each]


def test_cookie_is_for_this_server_alone(sitting: Sitting) -> None:
    client = Client()
    join(client, sitting)
    cookie = cookie_of(client)
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie["max-age"] == 14 * 24 * 60 * 60


def test_session_is_rotated_when_a_phone_joins(sitting: Sitting) -> None:
    victim, attacker = Client(), Client()
    attacker.post(reverse("start-table", args=["yoninkan"]), {"name_1": "a"})
    victim.cookies["sessionid"] = planted = attacker.cookies["sessionid"].value
    join(victim, sitting)
    assert victim.cookies["sessionid"].value != planted
    assert not Session.objects.filter(session_key=planted).exists()
    assert (play(victim, sitting), play(attacker, sitting)) == (200, 404)


def test_phone_outlasts_a_log_in_of_the_staff(sitting: Sitting) -> None:
    cast.make_user("keeper")
    client = Client()
    join(client, sitting)
    client.post(reverse("log-in"), {"username": "keeper", "password": "keeper"})
    assert play(client, sitting) == 200
    client.post(reverse("log-out"))
    assert play(client, sitting) == 200


def test_write_of_a_phone_is_not_taken_from_another_site(sitting: Sitting) -> None:
    client = Client(enforce_csrf_checks=True)
    join(client, sitting)
    path = f"/api/sittings/{sitting.pk}/calls"
    refused = client.post(path, {"kind": "director"}, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")


def test_browser_keeps_its_newest_phones() -> None:
    tournament = cast.make_tournament("yoninkan")
    sittings = [cast.make_sitting(tournament) for _ in range(phone_cookie.MAX_SECRETS + 1)]
    client = Client()
    for each in sittings:
        client.get(reverse("join-table", args=[each.token]))
    assert len(secrets_of(client)) == phone_cookie.MAX_SECRETS
    assert len(cookie_of(client).OutputString()) < 4096
    assert play(client, sittings[-1]) == 200
