"""The door for servers: `gunicorn --config python:tournaments.gunicorn tournaments.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connections

from tournaments.server import sqlite, writers
from tournaments.server.checks import refuse_an_unsafe_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
application = get_wsgi_application()
refuse_an_unsafe_start()
sqlite.never_create(connections.settings["default"])
writers.serve()
