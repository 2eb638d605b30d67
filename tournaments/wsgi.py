"""The WSGI application: `gunicorn --config python:tournaments.gunicorn tournaments.wsgi`."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from tournaments.server import databases
from tournaments.server.checks import refuse_an_unsafe_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
application = get_wsgi_application()
refuse_an_unsafe_start()
import_module(settings.ROOT_URLCONF)  # every view, before there are several processes
databases.open_as_server()
