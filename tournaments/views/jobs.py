"""Cancelling a job whose progress is shown (`web.requests_in_jobs`)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import kept_jobs


@requires(POST=Level.ANYBODY)
def cancel_job(request: HttpRequest, job: str) -> HttpResponse:
    """Cancel a job of this account, and redirect to the page that led to it."""
    kept = kept_jobs.find(job)
    if kept is None or kept.about["for"][0] != request.user.pk:
        return redirect("home")
    kept.cancel()
    return redirect(kept.about["back"])
