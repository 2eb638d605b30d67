"""Dates and times in each language, in local time."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.utils import translation

from tournaments.i18n.times import exact_moment, moment, short_moment

AT = datetime(2026, 11, 21, 7, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("ja", "2026年11月21日 16:03"),
        ("zh-hans", "2026年11月21日 16:03"),
        ("en", "21 Nov 2026 16:03"),
    ],
)
def test_moment_has_the_format_of_the_language(language: str, expected: str) -> None:
    with translation.override(language):
        assert moment(AT) == expected
        assert exact_moment(AT) == f"{expected}:09"


def test_short_moment_has_a_year_only_if_it_is_not_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with translation.override("ja"):
        monkeypatch.setattr("tournaments.i18n.times.localdate", lambda: date(2026, 11, 22))
        assert short_moment(AT) == "11月21日 16:03:09"
        monkeypatch.setattr("tournaments.i18n.times.localdate", lambda: date(2027, 1, 2))
        assert short_moment(AT) == exact_moment(AT)
