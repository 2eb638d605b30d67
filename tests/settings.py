"""Settings for tests: those of production, with some changes for speed."""

import os

os.environ.setdefault("DATABASE_URL", "sqlite://:memory:")  # or set by tests/with_postgres.py
os.environ.setdefault("HTTPS", "off")

from tournaments.settings import *  # noqa: F403
from tournaments.settings import MIDDLEWARE, STORAGES

SECRET_KEY = "only-for-tests"
ALLOWED_HOSTS = ["testserver", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast
STORAGES |= {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }  # not collected
}
WHITENOISE_AUTOREFRESH = True  # serves static files from their source folders
MIDDLEWARE = ["tests.openapi_validation.OpenAPIValidationMiddleware", *MIDDLEWARE]
PUBLIC_CACHE_SECONDS = 0  # tests look at once; `test_public_cache` has its own
