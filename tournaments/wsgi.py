"""The door for servers: `gunicorn --config python:tournaments.gunicorn tournaments.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

from tournaments.checks import refuse_an_unsafe_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
application = get_wsgi_application()
refuse_an_unsafe_start()
