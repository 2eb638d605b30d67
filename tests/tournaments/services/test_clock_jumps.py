"""A jump of the server's clock ends no session and no event, and is told."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tests.private_data import PRIVATE
from tournaments import audit, verification
from tournaments.models import AuditEntry, Clock, Sitting
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.private_data import holdings_of
from tournaments.server import believed_time
from tournaments.server.believed_time import A_DAY, Readings, Watch, read_clocks
from tournaments.services import clock_jumps, clocks, closing, private_data
from tournaments.services.clocks import ClockAction

pytestmark = pytest.mark.django_db


@pytest.fixture
def started(sitting: Sitting) -> Clock:
    session = sitting.session
    clocks.set_clock(session, ClockSettings(3600), seen_version=0, by=cast.SOMEBODY)
    seen = AuditEntry.objects.latest("number").number
    return clocks.run_clock(session, ClockAction.START, seen_version=seen, by=cast.SOMEBODY)


def jump(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the system's clock this far from the monotonic clock."""
    real, now = read_clocks, timezone.now
    monkeypatch.setattr(
        believed_time, "read_clocks", lambda: Readings(real().wall + seconds, *real()[1:])
    )
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(seconds=seconds))


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Watch:
    monkeypatch.setattr(believed_time, "_watches", [watch := Watch(tmp_path)])
    return watch


def test_session_clock_goes_on_as_before(
    started: Clock, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, tournament = started.started_at, started.session.tournament
    clock_jumps.check()
    jump(monkeypatch, 1500)
    for _ in range(2):
        clock_jumps.check()
    started.refresh_from_db()
    assert started.started_at == before + timedelta(seconds=1500)  # type: ignore[operator]
    entry = tournament.audit_entries.latest("number")
    assert (entry.kind, entry.who, entry.new) == ("clock_jumped", "server", {"seconds": 1500})
    assert verification.verify(tournament) == []


def test_400_days_forward_end_nothing_before_somebody_has_looked(
    sitting: Sitting, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = sitting.session.tournament
    cast.make_entries(tournament, 1, **PRIVATE)
    jump(monkeypatch, 400 * A_DAY)
    clock_jumps.check()
    assert not closing.is_over(tournament)
    assert not closing.was_over(tournament)
    assert private_data.erase_due() == []
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "somebody"))
    page = tournament.get_absolute_url()
    assert "サーバーの時計は合っていますか" in scorekeeper.get(page).text
    answer = scorekeeper.post(reverse("believe-clock", args=[tournament.slug]), follow=True)
    assert "サーバーの時計は合っていますか" not in answer.text
    assert believed_time.today() == timezone.localdate()
    assert holdings_of(tournament).players == 1


def test_verify_names_times_that_run_backwards(
    sitting: Sitting, capsys: pytest.CaptureFixture[str]
) -> None:
    tournament = sitting.session.tournament
    earlier = timezone.now() - timedelta(hours=1)
    audit.append_entry(tournament, AuditEntry.Kind.UNPUBLISHED, cast.SOMEBODY, at=earlier)
    number = tournament.audit_entries.latest("number").number
    call_command("verify")
    assert f"audit entry {number}: is dated before the entry before it" in capsys.readouterr().out
    assert verification.verify(tournament) == []
