"""The page of a computer that follows another one, served to this computer only.

Makiyaku itself does not run there: there is no database yet.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

STYLES, SCRIPT = ("site.css", "pages.css"), "going-on.js"
FILES = {**dict.fromkeys(STYLES, ("css", "text/css")), SCRIPT: ("js", "text/javascript")}
LONGEST_FORM = 1_000  # bytes
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class FollowingPage:
    """Serves the page in threads; `is_pressed` is set when its button was pressed."""

    def __init__(self, port: int, describe: Callable[[], dict[str, Any]]) -> None:
        """`describe` returns the context of the template."""
        self.is_pressed = Event()
        self.refusal = ""  # why it was not gone on
        self.describe, self.language = describe, translation.get_language()
        self.secret = secrets.token_urlsafe()  # in the form: other pages do not know it
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        Thread(target=self.server.serve_forever, daemon=True).start()

    def refuse(self, why: str) -> None:
        """Show why the tournament does not go on here; the button can be pressed again."""
        self.refusal = why
        self.is_pressed.clear()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def rendered(self) -> str:
        with translation.override(self.language):
            context = self.describe() | {"secret": self.secret, "styles": STYLES, "script": SCRIPT}
            context |= {"is_going_on": self.is_pressed.is_set(), "refusal": self.refusal}
            return render_to_string("following.html", context)

    def is_from_this_page(self, host: str, body: bytes) -> bool:
        """Return whether a form was sent by our page: its host is this computer."""
        is_here = host.partition(":")[0] in {"127.0.0.1", "localhost"}
        posted = parse_qs(body.decode("ascii", "replace")).get("secret", [""])
        return is_here and secrets.compare_digest(posted[0].encode(), self.secret.encode())

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.removeprefix("/")
                if name in FILES:
                    folder, kind = FILES[name]
                    path = settings.PAGES_DIR / "static" / folder / name
                    self.respond(200, path.read_bytes(), kind)
                elif not name:
                    self.respond(200, page.rendered().encode(), "text/html; charset=utf-8")
                else:
                    self.respond(404, b"", "text/plain")

            def do_POST(self) -> None:
                length = min(int(self.headers.get("Content-Length") or 0), LONGEST_FORM)
                body = self.rfile.read(length)
                if not page.is_from_this_page(self.headers.get("Host", ""), body):
                    self.respond(403, b"", "text/plain")
                    return
                page.is_pressed.set()
                self.respond(200, page.rendered().encode(), "text/html; charset=utf-8")

            def respond(self, status: int, content: bytes, kind: str) -> None:
                self.send_response(status)
                for name, value in HEADERS.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                """Requests are not logged."""

        return Handler
