"""The WSGI application: `gunicorn --config python:tournaments.gunicorn tournaments.wsgi`."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections

from tournaments.server import sqlite, write_queue
from tournaments.server.checks import refuse_an_unsafe_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
application = get_wsgi_application()
refuse_an_unsafe_start()
import_module(settings.ROOT_URLCONF)  # every view, before there are several processes
sqlite.require_existing_file(connections.settings["default"])
sqlite.keep_connections(connections.settings["default"])
write_queue.enable()
