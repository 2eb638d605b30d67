"""When something was: in every language one way to tell it, on the clock of the place."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.utils import translation

from tournaments.i18n.times import exact_moment, moment, moment_in_a_list

AT = datetime(2026, 11, 21, 7, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("ja", "2026年11月21日 16:03"),
        ("zh-hans", "2026年11月21日 16:03"),
        ("en", "Nov. 21, 2026 16:03"),
    ],
)
def test_a_moment_is_told_as_people_read_it(language: str, told: str) -> None:
    with translation.override(language):
        assert moment(AT) == told
        assert exact_moment(AT) == f"{told}:09"


def test_a_column_of_moments_names_the_year_only_where_it_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with translation.override("ja"):
        monkeypatch.setattr("tournaments.i18n.times.localdate", lambda: date(2026, 11, 22))
        assert moment_in_a_list(AT) == "11月21日 16:03:09"
        monkeypatch.setattr("tournaments.i18n.times.localdate", lambda: date(2027, 1, 2))
        assert moment_in_a_list(AT) == exact_moment(AT)
