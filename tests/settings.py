"""The settings under test: production's, but for what a test has no use for."""

import os

os.environ.setdefault("DATABASE_URL", "sqlite://:memory:")  # tests/with_postgres.py names another
os.environ.setdefault("HTTPS", "off")

from tournaments.settings import *  # noqa: F403  all of them
from tournaments.settings import MIDDLEWARE, STORAGES

SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["testserver", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
STORAGES |= {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }  # not collected
}
WHITENOISE_AUTOREFRESH = True  # finds static files where they were written
MIDDLEWARE = ["tests.described.AnswersAsDescribed", *MIDDLEWARE]
