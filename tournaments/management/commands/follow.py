"""Follow another computer: hold its newest copy, and go on with it at the press of a button."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.i18n import standby as words
from tournaments.management.commands import serve
from tournaments.server import static_files, venue
from tournaments.standby import following, snapshots
from tournaments.standby.followers import Code
from tournaments.standby.following import Following, Leader, NotFollowed
from tournaments.web.following_page import FollowingPage

EVENTS = """
SELECT t.name, (SELECT max(number) FROM tournaments_act WHERE tournament_id = t.id),
       (SELECT count(*) FROM tournaments_round r JOIN tournaments_sitting i ON i.id = r.sitting_id
        JOIN tournaments_session s ON s.id = i.session_id
        WHERE s.tournament_id = t.id AND r.version = 1)
FROM tournaments_tournament t WHERE t.kind = 'tournament' ORDER BY t.id DESC LIMIT 20
"""


class Command(BaseCommand):
    help = "Follow another computer with the pairing code that its page of backups shows."
    requires_system_checks: list[str] = []  # there is no database yet

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("followed", nargs="?", help="such as https://192.168.1.7:8443")
        parser.add_argument("code", nargs="?", help="needed the first time")
        serve.add_serving_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Follow until the button is pressed, then go on. The options are those of `serve`."""
        os.umask(0o077)
        venue.prepare_folder(settings.DATA_DIR)
        with translation.override(serve.terminal_language()):
            serve.check_port_is_free("127.0.0.1", options["port"], "--port")
            leader = self.leader(options["followed"], options["code"])
            followed = Following(settings.FOLLOWING_DIR, leader)
            page = FollowingPage(options["port"], lambda: describe(followed))
            self.stdout.write(
                _("On this machine: %(url)s") % {"url": f"http://localhost:{options['port']}/"}
            )
            self.stdout.write(_("Stop with Ctrl-C."))
            self.stdout.flush()
            static_files.collect()  # takes seconds, which going on saves
            while not self.goes_on(page, options["address"]):
                followed.look()
                page.is_pressed.wait(following.SECONDS_BETWEEN)
            page.close()
        serve.serve_in_this_process(options)

    def goes_on(self, page: FollowingPage, address: str) -> bool:
        """Go on if the button was pressed; return whether that was done.

        Without the tournament's address the page says how to add it.
        """
        if not page.is_pressed.is_set():
            return False
        try:
            serve.check_has_address(address)
            call_command("go_on", str(settings.FOLLOWING_DIR), "--yes", "--no-serve")
        except CommandError as error:
            page.refuse(str(error))
            return False
        return True

    def leader(self, address: str | None, code: str | None) -> Leader:
        """Return the computer to follow, after pairing with it if there is a code."""
        if not address or not code:
            leader = following.stored_leader(settings.FOLLOWING_DIR)
            if leader is None:
                raise CommandError(_("The address and the code of the other computer are missing."))
            return leader
        try:
            typed = Code.parse(code)
        except ValueError:
            raise CommandError(_("This is not a pairing code. Copy the whole code.")) from None
        try:
            return following.pair(settings.FOLLOWING_DIR, address, typed, socket.gethostname())
        except NotFollowed as error:
            if str(error) == "refused":
                message = _("The code is no longer valid. Make a new one there.")
                raise CommandError(message) from None
            raise CommandError(str(words.FOLLOWING[str(error)])) from None
        except (OSError, HTTPException, ValueError, KeyError) as error:
            raise CommandError(f"{words.FOLLOWING['away']} ({error})") from None


def describe(followed: Following) -> dict[str, Any]:
    """Return the context of the page."""
    snapshot, current_until = followed.snapshot, followed.current_until
    return {
        "address": followed.leader.address,
        "state": words.FOLLOWING[followed.fault],
        "is_fine": not followed.fault,
        "made_at": words.made_at_in_words(snapshot.header.made_at) if snapshot else "",
        "current_until": words.made_at_in_words(current_until) if current_until else "",
        "events": list(events_in(snapshot.content)) if snapshot else [],
    }


def events_in(content: bytes) -> Iterator[dict[str, Any]]:
    """Yield the name, the last audit entry's number and the number of rounds of each event."""
    with snapshots.opened(content) as copy:
        try:
            rows = copy.execute(EVENTS).fetchall()
        except sqlite3.Error:  # of another version
            rows = []
    for name, entry, rounds in rows:
        yield {"name": name, "entry": entry or 0, "rounds": rounds}
