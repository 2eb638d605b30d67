"""Who does not read Japanese is told, where rounds are taken down, what the words mean."""

from __future__ import annotations

import html

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

import scoring
from tests import cast
from tournaments.i18n import terms
from tournaments.models import Sitting


def words_at(sitting: Sitting, name: str, language: str) -> str:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    return html.unescape(client.get(reverse(name, args=place)).text)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["play-table", "play-chart"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_phone_tells_once_what_the_words_mean(name: str, language: str) -> None:
    sitting = cast.make_sitting()
    with translation.override(language):
        told = terms.terms_of(sitting.session.tournament.rules)
    assert told
    assert words_at(sitting, name, language).count(told) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["play-table", "play-chart"])
def test_the_phone_explains_nothing_in_japanese(name: str) -> None:
    assert "関係組：" not in words_at(cast.make_sitting(), name, "ja")


def test_kankei_are_told_by_their_key_card() -> None:
    with translation.override("en"):
        assert "the A of trumps" in terms.terms_of(
            scoring.choose(scoring.get_rule_set("goninkan-classic"))
        )
        assert "the J of trumps" in terms.terms_of(scoring.choose(scoring.get_rule_set("yoninkan")))
        assert not terms.terms_of(scoring.choose(scoring.get_rule_set("gouji")))
