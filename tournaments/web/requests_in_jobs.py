"""Requests that are answered in a job: whole requests, read again in a process of low priority.

The process that received the request has checked it. The job handles it as the server does, with
the same middleware, but reads a copy of the database, so that no lock of it keeps a phone waiting.
So it may write nothing. A browser that waits for two seconds gets a page that shows the progress.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from functools import wraps
from threading import BoundedSemaphore
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest, get_script_name
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import set_script_prefix
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from tournaments.backups.snapshots import consistent_snapshot
from tournaments.exceptions import Busy
from tournaments.server import jobs, kept_jobs
from tournaments.server.jobs import Job, Lane
from tournaments.server.kept_jobs import KeptJob

SECONDS_UNTIL_PROGRESS = 2.0
REFRESH_SECONDS = 2
MOST_WAITING = 4  # of the eight threads of a process

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
Environ = Mapping[str, Any]

_waiting = BoundedSemaphore(MOST_WAITING)


class AnsweredInJob(Exception):
    """The job answered with an error; the `response` is to be sent as it is."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.status_code)
        self.response = response


def in_a_job(view: View) -> View:
    """Decorate a view of GET to be called in a job. It raises `Busy` and `JobEnded`.

    Programs, such as curl, get the file in the response. A browser that has waited for
    `SECONDS_UNTIL_PROGRESS` is redirected to the same URL with the key `job` in the query, which
    shows the progress, and then the file.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if not jobs.is_served():
            return view(request, *args, **named)
        kept = kept_jobs.find(request.GET.get("job", ""))
        if kept is not None and kept.about["for"] == _account_and_path(request):
            return _progress_or_file(request, kept)
        return _answer_in_job(request, shows_progress=kept is None and _is_navigation(request))

    return cast("View", answer)


def content_from_job(request: HttpRequest, make: Callable[[], bytes]) -> bytes:
    """Return the content of the answer to a request, made in a job; without jobs, what `make` does.

    For views that cache it. Raises `AnsweredInJob` if the answer is an error.
    """
    if not jobs.is_served():
        return make()
    response = jobs.run(replay, _environ_of(request))
    if response.status_code != 200:
        raise AnsweredInJob(response)
    return response.content


@jobs.lowers_priority_itself  # once it has copied the database
def replay(environ: Environ) -> HttpResponse:
    """Answer a request without a body, from the state of the database at its beginning."""
    with consistent_snapshot():
        jobs.lower_priority()
        set_script_prefix(get_script_name({**environ}))
        request = WSGIRequest({**environ, "wsgi.input": io.BytesIO()})
        answered = WSGIHandler().get_response(request)
    response = HttpResponse(
        getattr(answered, "content", b""),
        status=answered.status_code,
        headers=dict(answered.headers),
    )
    response.cookies = answered.cookies
    return response


def _environ_of(request: HttpRequest) -> Environ:
    """Return the request's variables that can be sent to a job."""
    return {name: value for name, value in request.META.items() if isinstance(value, str | tuple)}


def _is_navigation(request: HttpRequest) -> bool:
    """Return whether a person waits in a browser, and not a program or a script."""
    accepted = request.headers.get("Accept", "")
    return request.method == "GET" and "text/html" in accepted and not _has_token(request)


def _has_token(request: HttpRequest) -> bool:
    return "Authorization" in request.headers


def _account_and_path(request: HttpRequest) -> list[Any]:
    return [request.user.pk, request.path]


def _answer_in_job(request: HttpRequest, *, shows_progress: bool) -> HttpResponse:
    """Answer in a job; with `shows_progress` redirect if it takes longer. Raises `Busy`.

    If the client goes away, the job is cancelled.
    """
    if not _waiting.acquire(blocking=False):
        raise Busy
    job = jobs.start(Lane.LONG, replay, _environ_of(request))
    is_kept = False
    try:
        begun = time.monotonic()
        while not job.wait(0.5) and not _has_gone(request):
            if shows_progress and time.monotonic() - begun > SECONDS_UNTIL_PROGRESS:
                response = _redirect_to_progress(request, job)
                is_kept = True
                return response
        return HttpResponse(status=503) if not job.has_ended else cast("HttpResponse", job.result())
    finally:
        if not is_kept:
            job.cancel()
        _waiting.release()


def _has_gone(request: HttpRequest) -> bool:
    """Return whether the client has closed its connection, as far as the server can tell."""
    has_gone: Callable[[], bool] | None = request.META.get("waitress.client_disconnected")
    return has_gone is not None and has_gone()


def _redirect_to_progress(request: HttpRequest, job: Job) -> HttpResponse:
    about = {"for": _account_and_path(request), "back": _page_before(request)}
    return redirect(_own_address(request, job=kept_jobs.keep(job, about)))


def _page_before(request: HttpRequest) -> str:
    """Return the path of the page that led here, to which a cancelled job returns."""
    page = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}):
        return "/"
    parts = urlsplit(page)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _own_address(request: HttpRequest, **more: str) -> str:
    """Return the address of this request with these values in its query."""
    query = request.GET.copy()
    for name, value in more.items():
        query[name] = value
    return f"{request.path}?{query.urlencode()}"


def _progress_or_file(request: HttpRequest, kept: KeptJob) -> HttpResponse:
    """Return the file if it is made, else the page that shows the progress and loads itself again.

    A file that is not shown but saved would leave that page as it is, so there is one more page.
    """
    kept.look()
    address = _own_address(request, file="1")
    if kept.has_ended:
        response: HttpResponse = kept.result()
        is_saved = response.headers.get("Content-Disposition", "").startswith("attachment")
        if not is_saved or "file" in request.GET:
            return response
        context: dict[str, Any] = {"address": address, "back": kept.about["back"]}
        context["heading"] = gettext("The file is ready")
        refresh = f"0; url={address}"
    else:
        done, total = kept.progress
        context = {"done": done, "total": total, "key": kept.folder.name}
        context["heading"] = gettext("The file is being made")
        refresh = str(REFRESH_SECONDS)
    page = render(request, "job.html", context)
    page.headers["Refresh"] = refresh
    page.headers["Cache-Control"] = "no-store"
    return page
