"""Which requests read from the replica, where there is one: those of spectators, for pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tournaments.server.connections import SAFE_METHODS
from tournaments.server.replica import is_reading, reading_from_replica, replica
from tournaments.web.json_responses import is_api_request
from tournaments.web.public_pages import is_spectator_request
from tournaments.web.storage_errors import AWAY, status_of


class ReplicaMiddleware:
    """Makes spectators' pages from the replica; from the primary if the replica fails.

    The API reads from the primary: a client may compare versions that it has read and written.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not (may_read_from_replica(request) and replica.is_current()):
            return self.get_response(request)
        with reading_from_replica():
            response = self.get_response(request)
        return self.get_response(request) if response.status_code == AWAY else response

    @staticmethod
    def process_exception(_request: HttpRequest, error: Exception) -> None:
        """Stop using the replica if it cannot be used; ignore other errors.

        The request then gets 503, upon which `__call__` repeats it with the primary.
        """
        if is_reading() and status_of(error) == AWAY:
            replica.distrust()


def may_read_from_replica(request: HttpRequest) -> bool:
    is_safe = request.method in SAFE_METHODS
    return is_safe and is_spectator_request(request) and not is_api_request(request)
