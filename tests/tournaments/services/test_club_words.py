"""A club table decides by itself: nothing it reads speaks of a desk."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Tournament
from tournaments.services import table_links

# Names of fields and addresses, which nobody reads.
UNREAD = re.compile(
    r'"(?:at_desk|by_desk|desk|desk_decides|points_at_desk)":|<style.*?</style>', re.DOTALL
)
DESK = {"ja": "本部", "en": "desk", "zh-hans": "记录台"}


@pytest.mark.django_db
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu"])
@pytest.mark.parametrize("language", DESK)
def test_the_page_of_a_club_table_names_no_desk(language: str, rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set, kind=Tournament.Kind.TABLE))
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    address = reverse("play-table", args=place)
    page = client.get(address).content.decode()
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    page += client.get(address).content.decode()
    words = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), page.lower())
    assert 'id="round-title"' in words
    assert 'id="kept"' in words
    assert DESK[language] not in UNREAD.sub("", words)
