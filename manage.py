#!/usr/bin/env python
"""The door to every command; `python manage.py serve` starts everything."""

import gc
import os
import sys

from django.core.management import execute_from_command_line

from tournaments.server import environment

# As in `tournaments.gunicorn`: migrations and imports make many objects and little garbage.
ALLOCATIONS_UNTIL_COLLECTION = 50_000

if __name__ == "__main__":
    gc.set_threshold(ALLOCATIONS_UNTIL_COLLECTION, 20, 20)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    if sys.argv[1:2] == ["serve"]:
        environment.set_venue_defaults()
        gc.disable()  # imports make no garbage; enabled again once all views are imported
    execute_from_command_line(sys.argv)
