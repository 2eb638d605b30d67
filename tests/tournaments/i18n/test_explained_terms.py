"""Terms of the game are explained to readers of other languages where rounds are recorded."""

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


def text_at(sitting: Sitting, name: str, language: str) -> str:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    return html.unescape(client.get(reverse(name, args=place)).text)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["play-table", "play-chart"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_phone_explains_the_terms_once(name: str, language: str) -> None:
    sitting = cast.make_sitting()
    with translation.override(language):
        explanation = terms.terms_of(sitting.session.tournament.rules)
    assert explanation
    assert text_at(sitting, name, language).count(explanation) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["play-table", "play-chart"])
def test_phone_explains_no_terms_in_japanese(name: str) -> None:
    assert "関係組：" not in text_at(cast.make_sitting(), name, "ja")


def test_explanation_of_kankei_names_the_key_card() -> None:
    with translation.override("en"):
        assert "the A of trumps" in terms.terms_of(
            scoring.choose(scoring.get_rule_set("goninkan-classic"))
        )
        assert "the J of trumps" in terms.terms_of(scoring.choose(scoring.get_rule_set("yoninkan")))
