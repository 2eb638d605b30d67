"""Serve Makiyaku on this machine and the local network, such as on a laptop in a gym."""

import gc
import io
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.i18n import catalogues
from tournaments.models import Tournament
from tournaments.printing import installed_fonts
from tournaments.server import certificates, environment, one_process, ports, static_files, venue
from tournaments.server.certificates import Certificate
from tournaments.services import automatic_backups
from tournaments.system import processes

EVERYWHERE = "0.0.0.0"  # noqa: S104  phones connect from the network


class Command(BaseCommand):
    help = "Prepare the data folder, then serve this machine and its local network."
    requires_system_checks: list[str] = []  # `prepare` runs them, after it has set the secret key

    def add_arguments(self, parser: CommandParser) -> None:
        add_serving_arguments(parser)
        parser.add_argument(
            "--demo",
            action="store_true",
            help="start with a demonstration tournament, if there is none",
        )

    def handle(
        self,
        *_args: Any,
        host: str,
        port: int,
        https: int | None,
        address: str,
        demo: bool,
        **_options: Any,
    ) -> None:
        """Prepare the folder, print the addresses, and run the server. `https` is a port."""
        with suppress(OSError):  # a read-only installation has compiled catalogues
            catalogues.compile_missing()  # before any message is translated
        with translation.override(terminal_language()):
            check_has_address(address)
            settings.ADDRESS = address
            check_port_is_free(host, port, "--port")
            if https:
                check_port_is_free(host, https, "--https")
            password = self.prepare(demo=demo)
            certificate = certificate_for(host) if https else None
            self.announce(host, port, password)
            if https and certificate:
                self.announce_https(host, https, certificate)
            self.stdout.write(_("Everything is kept in %(folder)s") % {"folder": settings.DATA_DIR})
            self.stdout.write(_("Stop with Ctrl-C."))
        run_server(host, port, https, certificate)

    def prepare(self, *, demo: bool) -> str | None:
        """Prepare the data folder and the database, and collect static files.

        Creates the secret key and the first account if they are missing, and with `demo` the demo
        events. Returns the first director's password, or None once it was changed.
        """
        os.umask(0o077)
        venue.prepare_folder(settings.DATA_DIR)
        if not environment.get_text("SECRET_KEY"):
            settings.SECRET_KEY = venue.ensure_secret_key(settings.SECRET_KEY_FILE)
        self.check(databases=["default"])  # imports every view
        gc.freeze()  # what the views have imported stays: no collection looks at it again
        gc.enable()
        call_command("migrate", interactive=False, verbosity=0)
        static_files.collect()
        call_command("clearsessions")  # expired sessions
        password = venue.ensure_first_director(settings.DATA_DIR / "director-password")
        if demo and not Tournament.objects.exists():
            call_command("demo")
        return password

    def announce(self, host: str, port: int, password: str | None) -> None:
        """Print the addresses, a QR code for phones, `password`, and what fonts are missing.

        Neither address nor code is printed if phones cannot reach it, and no `password` once it was
        changed.
        """
        addresses = addresses_of(host)
        own_host = "localhost" if host == EVERYWHERE else host
        self.stdout.write(self.style.SUCCESS(_("Makiyaku is running.")))
        self.stdout.write(_("On this machine: %(url)s") % {"url": f"http://{own_host}:{port}/"})
        if venue.is_loopback(host):
            self.stdout.write(
                _(
                    "Phones cannot reach it: it is served to this machine alone. Start it without"
                    " --host."
                )
            )
            addresses = []
        for address in addresses:
            self.stdout.write(_("On phones: %(url)s") % {"url": f"http://{address}:{port}/"})
        if addresses:
            self.stdout.write(qr_code(f"http://{addresses[0]}:{port}/", sys.stdout.encoding))
        if password:
            self.stdout.write(
                _("Log in as %(name)s with the password %(password)s")
                % {"name": venue.DIRECTOR, "password": password}
            )
            self.stdout.write(
                _("Choose your own with: %(command)s")
                % {"command": command_for_this_database("changepassword", venue.DIRECTOR)}
            )
        if installed_fonts.languages_without_font():
            self.stdout.write(self.style.WARNING(str(installed_fonts.REMEDY)))

    def announce_https(self, host: str, port: int, certificate: Certificate) -> None:
        for address in addresses_of(host):
            self.stdout.write(_("The desk: %(url)s") % {"url": f"https://{address}:{port}/"})
        self.stdout.write(
            _(
                "The browser will warn about this certificate once. View the certificate, continue"
                " only if its SHA-256 fingerprint is this one, and use only this address there:"
            )
        )
        self.stdout.write(certificate.fingerprint)


def add_serving_arguments(parser: CommandParser) -> None:
    """Add the arguments that other commands hand on to `serve`."""
    parser.add_argument("--host", default=EVERYWHERE, help="address to listen on")
    parser.add_argument("--port", default=venue.PORT, type=int, help="port to listen on")
    parser.add_argument(
        "--https",
        nargs="?",
        type=int,
        const=venue.DESK_PORT,
        metavar="PORT",
        help=(
            f"let the desk in by https, too, with a certificate of our own (port {venue.DESK_PORT})"
        ),
    )
    parser.add_argument(
        "--address",
        default="",
        help="the tournament’s own address, printed on cards: another laptop can take it over",
    )


def serve_in_this_process(options: Mapping[str, Any]) -> None:
    """Run `serve` in place of this process, with these of its arguments. Never returns.

    Windows cannot replace a process: there this one waits for the other.
    """
    names = ("host", "port", "https", "address")
    arguments = [f"--{name}={options[name]}" for name in names if options[name]]
    sys.stdout.flush()
    os.chdir(settings.BASE_DIR)
    command = processes.manage("serve", *arguments)
    if os.name == "nt":
        sys.exit(subprocess.call(command))  # noqa: S603  our own program
    os.execv(sys.executable, command)  # noqa: S606  our own program


def addresses_of(host: str) -> list[str]:
    """Return the addresses at which other machines reach a server that listens on `host`."""
    return venue.lan_addresses() if host == EVERYWHERE else [host]


def check_port_is_free(host: str, port: int, option: str) -> None:
    """Raise `CommandError` if another program listens on this port.

    `option` is the command-line option that chooses another port; the message names it.
    """
    if not ports.is_port_free(host, port):
        message = _("Port %(port)s is taken; choose another, such as: %(option)s %(other)s")
        raise CommandError(message % {"port": port, "option": option, "other": port + 1})


def check_has_address(address: str) -> None:
    """Raise `CommandError` unless this machine has the tournament's address, if one is given."""
    if address and not venue.has_address(address):
        message = _(
            "This machine does not have the address %(address)s yet. Add it beside its own, as"
            " docs/venue.md shows; on Linux: sudo ip address add %(address)s/24 dev %(interface)s"
        )
        interface = venue.default_route_interface() or "wlan0"
        raise CommandError(message % {"address": address, "interface": interface})


def certificate_for(host: str) -> Certificate:
    """Return the certificate of this machine. Raises `CommandError` without openssl."""
    try:
        return certificates.ensure_certificate(settings.DATA_DIR, addresses_of(host))
    except certificates.NoOpenSSL:
        message = _("For https the program openssl is needed: apt-get install openssl")
        raise CommandError(message) from None


def terminal_language() -> str:
    """Return the language of the terminal's locale: English, Chinese, or else Japanese."""
    locale = environment.get_text("LC_ALL", environment.get_text("LANG")).split(".")[0].lower()
    return {"en": "en", "zh": "zh-hans"}.get(locale.split("_")[0], settings.LANGUAGE_CODE)


def command_for_this_database(*arguments: str) -> str:
    """Return a management command for another terminal, with the variables that name this database.

    A password in DATABASE_URL is replaced by `***`, which the database refuses.
    """
    variables = []
    if environment.get_text("DATA_DIR"):
        variables.append(f"DATA_DIR={shlex.quote(str(settings.DATA_DIR))}")
    if url := environment.get_text("DATABASE_URL"):
        password = urlsplit(url).password
        masked_url = url.replace(f":{password}@", ":***@") if password else url
        variables.append(f"DATABASE_URL={shlex.quote(masked_url)}")
    command = processes.typed_command(*arguments, is_checkout=settings.IS_CHECKOUT)
    return " ".join([*variables, command])


def qr_code(url: str, encoding: str | None) -> str:
    """Return the code as text; none if the terminal's encoding lacks its signs, as cp932 does."""
    drawing = io.StringIO()
    segno.make(url, micro=False).terminal(drawing, compact=True, border=2)
    code = drawing.getvalue()
    try:
        code.encode(encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return code


def run_server(
    host: str, port: int, https: int | None = None, certificate: Certificate | None = None
) -> None:
    """Run gunicorn in this process, which has already imported the application. Never returns.

    Where it cannot be imported, as on Windows, serve from this process alone.
    `https` is the desk's port; it is opened only with a certificate.
    """
    automatic_backups.wait_for_threads()  # gunicorn forks, which ends all threads but one
    os.chdir(settings.BASE_DIR)
    sys.stdout.flush()
    settings.LISTENING = host
    ports = [port]
    if https and certificate:
        ports.append(https)
        settings.DESK_HTTPS_PORT, settings.PHONES_PORT = https, port
        settings.DESK_CERTIFICATE = certificate
    try:
        from gunicorn.app.wsgiapp import WSGIApplication  # noqa: PLC0415  not on Windows
    except ImportError:
        one_process.run(host, ports)
        return
    options = [option for each in ports for option in ("--bind", f"{host}:{each}")]
    sys.argv = ["gunicorn", "--config", "python:tournaments.gunicorn", *options, "tournaments.wsgi"]
    WSGIApplication(prog="gunicorn").run()
