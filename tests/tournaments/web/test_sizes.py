"""How much each address takes: before anything of it is read, and of whom."""

import pytest
from django.test import Client

from scoring.problems import MOST_LISTED
from tests import cast, hostile
from tests.visiting import NAMES, make_world, read_to_end
from tournaments.permissions.levels import Level, levels_by_url_name
from tournaments.web import body_sizes

pytestmark = pytest.mark.django_db
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
READ_UNASKED = 16_000  # bytes, of somebody who has not logged in

MAY = levels_by_url_name()


def unread(client: Client, url: str, length: int, method: str = "POST") -> int:
    """Return the response to a request with this `Content-Length` and no body."""
    response = client.generic(method, url, CONTENT_LENGTH=str(length), content_type="text/plain")
    read_to_end(response)
    return response.status_code


def test_limits_name_existing_urls() -> None:
    assert set(NAMES) >= body_sizes.LIMITS.keys()


@pytest.mark.parametrize("name", sorted(body_sizes.LIMITS))
def test_phones_and_anybody_may_send_only_small_bodies(name: str) -> None:
    levels = set(MAY[name].values())
    without_log_in = {Level.RECORD, Level.PHONE, Level.APPLY, Level.ANYBODY}
    if levels & without_log_in and name != "hand-over":
        assert body_sizes.LIMITS[name] <= READ_UNASKED


def test_body_above_its_limit_is_refused_unread() -> None:
    world = make_world()
    for name in NAMES:
        most, url = body_sizes.limit_of(name), world.url(name)
        for role in ("anonymous", "table", "director", "owner"):
            client = world.browser(role)
            assert unread(client, url, most + 1) == 413, (name, role)


def test_large_bodies_require_a_log_in() -> None:
    world = make_world()
    for name in (name for name in body_sizes.LIMITS if body_sizes.LIMITS[name] > body_sizes.USUAL):
        url, is_api = world.url(name), name.startswith("api-")
        expected = 401 if is_api else 302
        for role in ("anonymous", "table"):
            assert unread(world.browser(role), url, body_sizes.USUAL + 1) == expected, (name, role)


def test_unknown_token_is_refused_before_the_body_is_read(client: Client) -> None:
    headers = {"Authorization": "Bearer nobody"}
    answer = client.post("/api/tournaments/archive", CONTENT_LENGTH="1000000", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_unknown")


def test_unknown_url_answers_404(client: Client) -> None:
    assert client.post("/api/nothing", CONTENT_LENGTH="9" * 12).status_code == 404


LARGEST_ANSWER = 50_000


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("log-in", ["username", "password"]),
        ("join", ["table", "pin"]),
        ("join", ["code"]),
        ("start-table", [f"name_{i}" for i in range(1, 7)]),
        ("record-round", ["dealer", "kankei", "trump", "reason"]),
        ("record-round", ["reason"]),
    ],
)
def test_responses_to_large_forms_stay_small(name: str, fields: list[str]) -> None:
    """Typed values are shown again, and a quotation mark takes six bytes in HTML."""
    world = make_world()
    share = (body_sizes.limit_of(name) - 100) // len(fields)
    body = "&".join(f"{field}=" + '"' * (share - len(field) - 2) for field in fields)
    response = world.browser("table").post(world.url(name), body, content_type=FORM)
    assert response.status_code in {200, 422}
    assert len(response.content) <= LARGEST_ANSWER


@pytest.mark.parametrize("name", ["api-join", "api-token", "api-call", "api-accept", "api-round"])
def test_responses_to_large_documents_stay_small(name: str) -> None:
    world = make_world()
    cast.record(world.sitting)  # else there is nothing to accept
    room = body_sizes.limit_of(name) - 100
    for body in (hostile.keys(room), hostile.keys(room, 1000), f'{{"token":"{"x" * room}"}}'):
        for method in {"POST", "PUT"} & MAY[name].keys():
            response = world.browser("table").generic(method, world.url(name), body, JSON)
            assert response.status_code == 422
            assert len(response.content) <= LARGEST_ANSWER
            assert len(response.json()["errors"]) <= MOST_LISTED
