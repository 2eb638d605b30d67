"""Removals and undos that are sent twice: by a double click, by Back, or by a second helper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast, series, stages
from tests.cast import SOMEBODY
from tests.races import run_before
from tournaments.models import Presence, Tournament
from tournaments.services import adjustments, seating
from tournaments.services import sessions as sessions_service
from tournaments.services.presence import mark_presence
from tournaments.services.substitutions import add_substitute

pytestmark = pytest.mark.django_db

Sent = tuple[str, dict[str, Any]]  # an address and what is posted there


def _session(tournament: Tournament) -> Sent:
    cast.make_sitting(tournament)
    return reverse("remove-session", args=[tournament.slug, 1]), {}


def _player(tournament: Tournament) -> Sent:
    cast.make_entries(tournament, 1)
    return reverse("edit-entry", args=[tournament.slug, 1]), {"delete": "yes"}


def _staff(tournament: Tournament) -> Sent:
    cast.make_staff(tournament, "kudo")
    return reverse("staff", args=[tournament.slug]), {"remove": "kudo"}


def _stage(tournament: Tournament) -> Sent:
    stages.make_stage(tournament)
    return reverse("edit-stage", args=[tournament.slug, 2]), {"do": "remove"}


def _adjustment(tournament: Tournament) -> Sent:
    [entry] = cast.make_entries(tournament, 1)
    adjustments.adjust_points(tournament, 1, entry, -2, by=SOMEBODY, reason="遅刻")
    address = reverse("adjustments", args=[tournament.slug])
    return address, {"take_back": "1", "reason": "誤り"}


def _decision(tournament: Tournament) -> Sent:
    cast.record(cast.make_sitting(tournament))
    adjustments.draw_lot(tournament, 1, [2, 4, 5], by=SOMEBODY, reason="抽選")
    return reverse("ties", args=[tournament.slug]), {"take_back": "1", "reason": "誤り"}


def _substitute(tournament: Tournament) -> Sent:
    entry = cast.make_entries(tournament, 7)[0]
    seen, status = Presence.Status.EXPECTED, Presence.Status.ABSENT
    mark_presence(entry, 1, status, seen_status=seen, by=SOMEBODY)
    row = add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)
    address = reverse("substitute", args=[tournament.slug, 1, 1])
    return address, {"seen": row.substitute.number}


def _applicant(tournament: Tournament) -> Sent:
    cast.open_registration(tournament)
    row = cast.register(tournament)
    return reverse("registrations", args=[tournament.slug]), {"remove": row.number}


def _series(tournament: Tournament) -> Sent:
    found = series.make_series(tournament, owner=User.objects.get(username="director"))
    address = reverse("tournament-series", args=[tournament.slug])
    return address, {"series": found.slug, "do": "remove"}


def _tournament(tournament: Tournament) -> Sent:
    return reverse("remove-tournament", args=[tournament.slug]), {"do": "remove"}


REMOVALS = (
    *(_session, _player, _staff, _stage, _adjustment, _decision),
    *(_substitute, _applicant, _series, _tournament),
)


@pytest.mark.parametrize("removal", REMOVALS)
def test_removal_that_is_sent_again_leads_where_the_first_led(
    director: Client,
    stranger: Client,
    client: Client,
    tournament: Tournament,
    removal: Callable[[Tournament], Sent],
) -> None:
    """Nobody else is told that something was removed."""
    address, sent = removal(tournament)
    before = [each.post(address, sent).status_code for each in (stranger, client)]
    answers = [director.post(address, sent, follow=True) for _twice in range(2)]
    [first, again] = [answer.redirect_chain for answer in answers]
    assert len(first) == 1
    assert again == first
    kinds = list(tournament.audit_entries.values_list("kind", "number").order_by("number"))
    told = "削除されています" if removal == _tournament else 'class="alert alert-'
    assert told in answers[1].text
    director.post(address, sent)
    assert list(tournament.audit_entries.values_list("kind", "number").order_by("number")) == kinds
    after = [each.post(address, sent) for each in (stranger, client)]
    assert [each.status_code for each in after] == before == [404, 404]
    assert not any("すでに" in each.text for each in after)


@pytest.mark.parametrize(
    ("removal", "words"),
    [
        (_session, "この回戦はすでに取り消されています。"),
        (_player, "この選手はすでに削除されています。"),
        (_staff, "kudoさんはすでにスタッフから外れています。"),
        (_stage, "このステージはすでに削除されています。"),
    ],
)
def test_what_was_removed_already_is_said_to_be_so(
    director: Client, tournament: Tournament, removal: Callable[[Tournament], Sent], words: str
) -> None:
    """What has never been there is not found."""
    address, sent = removal(tournament)
    unknown = address.replace("/1/", "/9/").replace("/2/", "/9/")
    wrong = {"remove": "nobody"} if "remove" in sent else sent
    assert director.post(unknown, wrong).status_code == 404
    assert words not in director.post(address, sent, follow=True).text
    assert words in director.post(address, sent, follow=True).text


def test_page_that_removes_a_session_says_that_it_is_removed(
    director: Client, tournament: Tournament
) -> None:
    """As when somebody else has removed it since the page was opened, or just before."""
    address, sent = _session(tournament)
    session = tournament.sessions.get()
    with pytest.MonkeyPatch.context() as patch:
        run_before(
            patch,
            sessions_service,
            "remove_session",
            lambda: sessions_service.remove_session(session, by=SOMEBODY),
        )
        answers = [director.post(address, sent, follow=True)]
    answers.append(director.get(address, follow=True))
    for answer in answers:
        assert answer.redirect_chain == [(tournament.get_absolute_url(), 302)]
        assert "この回戦はすでに取り消されています。" in answer.text
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert director.get(address).status_code == 200
