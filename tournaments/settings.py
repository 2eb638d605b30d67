"""Settings for production, with these variables of the environment.

SECRET_KEY, ALLOWED_HOSTS  required in production; `manage.py serve` sets its own
DATABASE_URL               the database, such as PostgreSQL; by default a SQLite file in DATA_DIR
DATABASE_REPLICA_URL       none; a read replica of PostgreSQL, for spectators' pages
DATA_DIR                   database, backups, keys: var/ in this folder; of a wheel, the folder that
                           the system has for the data of a user's programs
BACKUPS_DIR                the backups: backups/ in DATA_DIR
STANDBY_SECONDS            5; between two standby copies of SQLite by `serve`, 0 for none
HTTPS                      on; off on a local network, which has no valid certificate
LANGUAGE_CODE              ja; the language of a reader who has not chosen one: ja, en, zh-hans
TIME_ZONE                  Asia/Tokyo; that of the times on pages and paper, such as Asia/Shanghai
VENUE                      off; on where each phone has its own address: enables limits per address
DEBUG                      off
"""

from collections.abc import MutableMapping
from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from platformdirs import user_data_path

from tournaments.server import databases, environment
from tournaments.server.certificates import Certificate
from tournaments.system import processes

BASE_DIR = Path(__file__).resolve().parent.parent
IS_CHECKOUT = (BASE_DIR / "manage.py").exists()  # else a wheel is installed
PAGES_DIR = BASE_DIR if IS_CHECKOUT else BASE_DIR / "tournaments" / "pages"  # templates/, static/
DATA_PLACE = BASE_DIR / "var" if IS_CHECKOUT else user_data_path("makiyaku", appauthor=False)
DATA_DIR = Path(environment.get_text("DATA_DIR", str(DATA_PLACE))).resolve()
BACKUPS_DIR = Path(environment.get_text("BACKUPS_DIR", str(DATA_DIR / "backups"))).resolve()
STANDBY_DIR = DATA_DIR / "standby"  # the copies, and how they are
FOLLOWING_DIR = DATA_DIR / "following"  # the copies of another computer that this one follows
STANDBY_SECONDS = environment.get_seconds("STANDBY_SECONDS", 5)
HELD_BACK_DIR = DATA_DIR / "held-back"  # addresses with more connections than their limit
SECRET_KEY_FILE = DATA_DIR / "secret-key"  # made by `manage.py serve`, by nothing else

DEBUG = environment.get_flag("DEBUG", default=False)
HTTPS = environment.get_flag("HTTPS", default=not DEBUG)
VENUE = environment.get_flag("VENUE", default=False)
LISTENING = ""  # the address of `serve`, which sets this and the next four
ADDRESS = ""  # the tournament's address, which another laptop can take over
DESK_HTTPS_PORT = 0  # 0: no port for https
DESK_CERTIFICATE: Certificate | None = None
PHONES_PORT = 80
ALLOWED_HOSTS = environment.get_words("ALLOWED_HOSTS")

# Without a key most commands still work, but `wsgi.py` refuses to serve.
SECRET_KEY = environment.get_text("SECRET_KEY")
if not SECRET_KEY and SECRET_KEY_FILE.exists():
    SECRET_KEY = SECRET_KEY_FILE.read_text(encoding="ascii").strip()

ROOT_URLCONF = "tournaments.urls"
WSGI_APPLICATION = "tournaments.wsgi.application"

# The kinds of games: `game_kinds.py` tells what each consists of.
GAME_KINDS = [
    "tournaments.games.kankei.KIND",
    "tournaments.games.captures.KIND",
    "tournaments.games.finish.KIND",
]

INSTALLED_APPS = [
    "tournaments",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "tournaments.web.desk_https.DeskHttpsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tournaments.web.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "tournaments.middleware.PrivateMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tournaments.middleware.LanguageMiddleware",
    "tournaments.middleware.EpochMiddleware",
    "tournaments.middleware.BodySizeMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "tournaments.middleware.NotThereMiddleware",
    "tournaments.middleware.NotMadeMiddleware",
    "tournaments.web.storage_errors.StorageErrorMiddleware",
    "tournaments.web.state_conflicts.StateConflictMiddleware",
    "tournaments.permissions.door.DeclaredMiddleware",
    "tournaments.permissions.admission.AdmissionMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PAGES_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "tournaments.server.templates.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                ),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# The database, and a replica of it on PostgreSQL: see `server/replica.py`.

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# What a server does by itself: seconds between two calls, and the function.
HOUSEKEEPING = (
    (5, "tournaments.services.clock_jumps.check"),
    (5, "tournaments.standby.process.ensure_running"),
    (3600, "tournaments.services.private_data.erase_due"),
)
# What the job server loads before its first job.
JOB_PREPARATION = "tournaments.printing.rendering.prepare"

SQLITE_URL = processes.sqlite_url(DATA_DIR / "makiyaku.sqlite3")
DATABASES = {"default": databases.database_of(environment.get_text("DATABASE_URL", SQLITE_URL))}
REPLICA_URL = environment.get_text("DATABASE_REPLICA_URL")
if REPLICA_URL:
    if "postgresql" not in DATABASES["default"]["ENGINE"]:
        raise ImproperlyConfigured("DATABASE_REPLICA_URL needs PostgreSQL in DATABASE_URL.")
    DATABASES["replica"] = databases.database_of(REPLICA_URL)
    DATABASE_ROUTERS = ["tournaments.server.replica.Router"]
    MIDDLEWARE.append("tournaments.web.replica_reads.ReplicaMiddleware")

# Words and times. A reader may ask for another language, see `middleware.py`.

LANGUAGES = [("ja", "日本語"), ("en", "English"), ("zh-hans", "简体中文")]
LANGUAGE_CODE = environment.get_choice("LANGUAGE_CODE", [code for code, _name in LANGUAGES])
PHONES_COOKIE_NAME = "phones"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "tournaments" / "locale"]  # for the sentences in templates/ and scoring/
FORMAT_MODULE_PATH = "tournaments.i18n.formats"
TIME_ZONE = environment.get_text("TIME_ZONE", "Asia/Tokyo")

# Static files: our own, with the contents' hash in the name, so that browsers may keep them.

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [PAGES_DIR / "static"]
QR_LIBRARY = Path("/usr/share/javascript/qrcode-generator")  # Debian's; elsewhere there is none
if QR_LIBRARY.is_dir():
    STATICFILES_DIRS.append(("qrcode-generator", QR_LIBRARY))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournaments.server.styles.StaticFiles"},
}

# More than any field may have: `web.body_sizes` limits the body of each address.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8_000_000

# Seconds for which an event, and a page made of it, are cached for readers without a log-in or a
# phone. What they see is at most twice as old; one second older behind an HTTP cache, and another
# with a replica: three seconds in all. Other readers see every change at once.
PUBLIC_CACHE_SECONDS = 0.5 if REPLICA_URL else 1

# `default` has the pages for these readers, `parts` the parts of pages for other readers, which are
# cached until the event changes (`Event.parts_cache_key`). The largest have 500 kB: few are cached.
CACHES = {
    "nothing": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "parts": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "parts",
        "OPTIONS": {"MAX_ENTRIES": 20},
    },
}

# People.

LOGIN_URL = "log-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"

OTP_TOTP_ISSUER = "Makiyaku"  # in the app, beside the account name
OTP_TOTP_THROTTLE_FACTOR = 0  # `services.guesses` counts wrong codes

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# What browsers may load: only files of this server, no inline scripts. An inline style sheet needs
# the nonce of the response.

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "worker-src": [SELF],
    },
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"


def add_headers(headers: MutableMapping[str, str], _path: str, _url: str) -> None:
    """Forbid a static file that is opened as a page, such as an SVG image, to load anything."""
    headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"


WHITENOISE_ADD_HEADERS_FUNCTION = add_headers

CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked by a supervisor on the same machine
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # whether a host's subdomains have certificates is not for us to say
    "security.W021",  # nor whether browsers should ship with its name
]

# Errors are logged to the terminal, with DEBUG or without; no mails are sent.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "tournaments.server.log_formatter.TokenHidingFormatter",
            "fmt": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"terminal": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["terminal"], "level": "WARNING"},
    "loggers": {  # requests of `runserver`, which have their own handler in Django
        "django.server": {"handlers": ["terminal"], "level": "INFO", "propagate": False},
    },
}
