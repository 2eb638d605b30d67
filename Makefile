# On a bare Debian 12 `make run` and `make test` set up everything they need.
# Each step of the set-up leaves a stamp file in .venv/ and is not repeated.

HOST = 0.0.0.0# not ?=: some shells export HOST as the host name
PORT ?= 8000
PYTHON ?= python3

RUN_PACKAGES = openssl libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fontconfig \
	fonts-morisawa-bizud-gothic fonts-morisawa-bizud-mincho fonts-noto-cjk fonts-noto-core \
	fonts-hanazono fonts-noto-color-emoji node-qrcode-generator
# libatomic1 is for Playwright's driver.
TEST_PACKAGES = chromium-headless-shell libatomic1 postgresql libreoffice-calc-nogui libreoffice-core-nogui \
	poppler-utils gettext strace zbar-tools curl

bin = .venv/bin
ready_to_run = .venv/run-packages .venv/run-requirements .venv/catalogues
ready_to_test = $(ready_to_run) .venv/test-packages .venv/test-requirements
checks = types lint stubs settings
catalogues = $(wildcard tournaments/locale/*/LC_MESSAGES/*.po)

.PHONY: run test bytecode promises check $(checks) messages requirements wheel audit sbom mutants soak screenshots
.DELETE_ON_ERROR:

run: $(ready_to_run)  ## set up, then serve a demonstration tournament to this machine and the local network
	@exec $(bin)/python manage.py serve --demo --host $(HOST) --port $(PORT)

# Bytecode is written even if the environment disables it: six processes import all tests.
test: export PYTHONDONTWRITEBYTECODE =
test: $(ready_to_test)  ## everything: lint, types, migrations, tests on SQLite, then on PostgreSQL
	@$(MAKE) --no-print-directory --jobs 2 --output-sync $(checks) bytecode
	$(bin)/pytest -n auto --dist worksteal -p tests.coverage --junit-xml .venv/results-sqlite.xml
	$(bin)/python tests/with_postgres.py $(bin)/pytest -n auto --dist worksteal -m database tests \
		--junit-xml .venv/results-postgresql.xml

# Import all tests once: pytest rewrites their assertions, which takes it longer than to read them.
bytecode:
	@$(bin)/pytest --collect-only --quiet >.venv/collected.txt || { cat .venv/collected.txt; exit 1; }

promises: .venv/test-requirements  ## enter in docs/promises.md what the last `make test` has shown
	$(bin)/python -m tests.promises .venv/results-sqlite.xml .venv/results-postgresql.xml

check: .venv/test-requirements .venv/catalogues  ## lint, types and settings; no tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync $(checks)

types:
	$(bin)/mypy

lint:
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/djhtml --tabwidth 2 --check templates
	$(bin)/python tests/format_styles.py --check static/css/*.css
	$(bin)/oxlint --deny-warnings static/js

stubs:
	MYPYPATH=stubs $(bin)/python -m mypy.stubtest --ignore-missing-stub waitress gunicorn

settings:
	$(bin)/python manage.py makemigrations --check --dry-run --settings tests.settings
	ALLOWED_HOSTS=makiyaku.example SECRET_KEY=$$(head -c 48 /dev/urandom | base64) \
		$(bin)/python manage.py check --deploy --fail-level WARNING

messages: $(ready_to_test)  ## collect the messages to translate
	$(bin)/python manage.py makemessages --all --no-obsolete --no-wrap --add-location file \
		--ignore .venv --ignore var --ignore tests
	sed -i '/^"POT-Creation-Date/d; /^"Report-Msgid-Bugs-To/d' $(catalogues)

# For Linux, macOS and Windows: the hashes are those of all wheels. A package is renewed by its line in requirements*.in.
requirements: export UV_CUSTOM_COMPILE_COMMAND = make requirements
requirements: .venv/test-requirements  ## pin requirements*.in in requirements*.txt, with all they bring and the hashes
	for name in requirements requirements-dev; do $(bin)/uv --no-config pip compile --quiet --universal \
		--python-version 3.11 --generate-hashes --output-file $$name.txt $$name.in || exit 1; done

wheel: .venv/test-requirements .venv/catalogues  ## build the wheel, which has the compiled catalogues, in dist/
	$(bin)/uv --no-config build --quiet --wheel --no-build-isolation

audit: .venv/test-requirements  ## look up known weaknesses of what Makiyaku needs; asks the package index
	$(bin)/uv --no-config tool run pip-audit==2.10.1 --strict --disable-pip --require-hashes -r requirements.txt

sbom: .venv/test-requirements  ## list what Makiyaku needs, with versions and hashes, in dist/ (CycloneDX)
	mkdir -p dist
	$(bin)/uv --no-config tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.txt \
		--pyproject pyproject.toml --output-reproducible --output-file dist/makiyaku.cdx.json

mutants: $(ready_to_test)  ## change the rules in small ways: do their own tests notice?
	$(bin)/python benchmarks/mutants.py

soak: $(ready_to_test)  ## play a day of 340 players with kills, losses, a full disk, clocks set wrongly and other computers
	$(bin)/python benchmarks/soak.py

screenshots: $(ready_to_test)  ## take the pictures of the guides and of the README from a new demo
	$(bin)/python tests/screenshots.py

# Install missing Debian packages. On other systems only print what to install.
define install
	@if ! command -v dpkg-query >/dev/null; then \
		echo "Not a Debian system. Please install the contents of these packages: $(1)"; \
	else \
		missing=; for package in $(1); do \
			dpkg-query --show --showformat '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed \
				|| missing="$$missing $$package"; \
		done; \
		if [ -n "$$missing" ]; then \
			root=; [ "$$(id -u)" = 0 ] || root="sudo"; \
			echo "Installing from Debian:$$missing"; \
			$$root apt-get update -q && \
			$$root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing || exit 1; \
		fi; \
	fi
	@mkdir -p .venv && touch $@
endef

.venv/run-packages: Makefile
	$(call install,$(RUN_PACKAGES))

.venv/test-packages: Makefile
	$(call install,$(TEST_PACKAGES))

$(bin)/python:
	$(PYTHON) -m venv .venv

.venv/run-requirements: requirements.txt | $(bin)/python
	$(bin)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.venv/test-requirements: requirements-dev.txt requirements.txt | $(bin)/python
	$(bin)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@ .venv/run-requirements

.venv/catalogues: $(catalogues) | .venv/run-requirements
	$(bin)/pybabel --quiet compile -D django -d tournaments/locale
	@touch $@
