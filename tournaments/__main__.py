"""The commands: `makiyaku` where a wheel is installed, else `python manage.py`."""

import gc
import io
import os
import platform
import sys
from multiprocessing import freeze_support

import django
from django.core.management import execute_from_command_line

from tournaments import __version__
from tournaments.server import environment

# As in `tournaments.gunicorn`: migrations and imports make many objects and little garbage.
ALLOCATIONS_UNTIL_COLLECTION = 50_000


def main() -> None:
    freeze_support()  # where jobs are spawned, one of a frozen program begins here
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would print its own alone
        others = f"Django {django.__version__}, Python {platform.python_version()}"
        sys.stdout.write(f"makiyaku {__version__} ({others})\n")
        return
    gc.set_threshold(ALLOCATIONS_UNTIL_COLLECTION, 20, 20)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    if sys.argv[1:2] == ["serve"]:
        environment.set_venue_defaults()
        gc.disable()  # imports make no garbage; enabled again once all views are imported
    for stream in (sys.stdout, sys.stderr):  # a console in Windows' encodings lacks most signs
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
