"""Cancelling a job whose progress is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tournaments.server import kept_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(settings: Settings, tmp_path: Path) -> User:
    settings.DATA_DIR = tmp_path
    return cast.make_user("owner")


def job_of(user: User, data: Path) -> str:
    """Return the key of a job that the account has started at the page of rules."""
    folder = data / "jobs" / "abc123"
    folder.mkdir(parents=True)
    about = {"for": [user.pk], "back": reverse("rules")}
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
    return folder.name


def test_cancelled_job_leads_back_to_its_page(owner: User, tmp_path: Path) -> None:
    key = job_of(owner, tmp_path)
    answer = cast.browser_of(owner).post(reverse("cancel-job", args=[key]))
    assert answer["Location"] == reverse("rules")
    assert kept_jobs.find(key) is None


def test_jobs_of_others_and_unknown_ones_are_left_alone(owner: User, tmp_path: Path) -> None:
    key = job_of(owner, tmp_path)
    other = cast.browser_of(cast.make_user("other"))
    for each in (key, "unknown"):
        assert other.post(reverse("cancel-job", args=[each]))["Location"] == reverse("home")
    assert kept_jobs.find(key) is not None
