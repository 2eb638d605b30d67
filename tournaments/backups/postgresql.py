"""Copy and replace a PostgreSQL database with its own programs, pg_dump and pg_restore."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

from tournaments.backups import contents, files
from tournaments.backups.contents import Contents
from tournaments.backups.errors import (
    BackupNotTaken,
    Damaged,
    NotRestored,
    ProgramMissing,
    ProgramTooOld,
    Tampered,
)

BackUp = Callable[[Callable[[Path], Contents]], None]
DEBIAN = Path("/usr/lib/postgresql")  # has a folder for each version
LONGEST_WAIT = "--lock-wait-timeout=30s"
TABLES = (
    "SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p')"
    " AND pg_table_is_visible(c.oid) AND c.relnamespace::regnamespace::text NOT LIKE 'pg\\_%'"
    " AND c.relnamespace::regnamespace::text != 'information_schema'"
)
# Classes of SQLSTATE that say that the server is away, full or busy: the dump is not the reason.
SERVER_TROUBLE_STATES = ("08", "40", "53", "55", "57")
DEADLOCK, TIMES_TO_TRY = "40P01", 10
BLOCK_WRITERS, BLOCK_READERS = "EXCLUSIVE", "ACCESS EXCLUSIVE"  # lock modes of PostgreSQL
FIRST_LOCKED = ("tournaments_tournament",)  # every write locks it first: `audit.locks`
# A writer that waits for our lock may hold a read lock on a table that we are about to drop: a
# deadlock, which PostgreSQL does not detect once the writer has waited for a second. Therefore such
# writers are cancelled; their clients get 503 and retry.
CANCEL_BLOCKED_WRITERS = (
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
    " WHERE usename = current_user AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
)
HAS_TOURNAMENTS = re.compile(rb"TABLE DATA \S+ tournaments_tournament ")
COPY_BEGINS = re.compile(rb"COPY .+ FROM stdin;\n")
COPY_ENDS = b"\\.\n"


def copy(to: Path) -> Contents:
    """Dump the committed state of the database to the new file `to`, and return its contents.

    Blocks neither readers nor writers. Raises `BackupNotTaken`.
    """
    own_connection = connection.copy()
    try:
        with repeatable_read(own_connection) as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
            dumped_contents = _count_contents(cursor)  # of the snapshot that pg_dump reads, too
            os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
            options = ["--format=custom", "--no-owner", "--no-privileges", LONGEST_WAIT]
            _run_program(
                "pg_dump",
                *options,
                f"--snapshot={snapshot}",
                f"--file={to}",
                *_connection_arguments(),
            )
            return dumped_contents
    finally:
        own_connection.close()


def compact() -> None:
    """Free the space of rows that private data were erased from, instead of some time later.

    Blocks neither readers nor writers.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM tournaments_entry, tournaments_registration")


def check(dump: Path, expected: Contents) -> None:
    """Raise `Damaged` if a dump cannot be read, or if it should have tournaments and has none."""
    try:
        listing = _run_program("pg_restore", "--list", str(dump))
    except ProgramMissing:
        raise
    except BackupNotTaken as error:
        raise Damaged(error.detail) from error
    if expected.tournaments and not HAS_TOURNAMENTS.search(listing):
        raise Damaged


def current_contents() -> Contents:
    with connection.cursor() as cursor:
        return _count_contents(cursor)


def prepare(dump: Path, _steps: Sequence[str]) -> None:
    """Do nothing: a dump can only be migrated and verified inside `replace`."""


def replace(dump: Path, expected: Contents, back_up: BackUp, steps: Sequence[str]) -> None:
    """Replace the database by a dump in one transaction, which is verified before the commit.

    `back_up` is called with the function that copies the old database, unless the database has no
    tables. From then on until the commit, writers are blocked. Raises `Damaged`, `Tampered` or
    `NotRestored`, `DatabaseError` if the server is away, full or busy, and what `back_up` raises;
    the database is then unchanged.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            tables = _existing_tables(cursor)
            if tables:
                _lock_tables(cursor, tables, BLOCK_WRITERS)
                back_up(copy)
                cursor.execute(CANCEL_BLOCKED_WRITERS)  # they would deadlock with DROP TABLE
                _lock_tables(cursor, tables, BLOCK_READERS)
                cursor.execute(f"DROP TABLE {tables} CASCADE")
            _execute_script(cursor, dump)
            cursor.execute("SET search_path TO DEFAULT")
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            if _count_contents(cursor) != expected:
                raise Damaged
            _migrate_and_verify(steps)
    except DatabaseError as error:
        state = getattr(error.__cause__, "sqlstate", None)
        if state is None or state.startswith(SERVER_TROUBLE_STATES):
            raise
        raise NotRestored(str(error).strip().partition("\n")[0]) from error
    finally:
        connection.close()  # the script has changed settings of the session
        ContentType.objects.clear_cache()


def _migrate_and_verify(steps: Sequence[str]) -> None:
    """Call `migrate_and_verify` with the options `steps`. Raises `Tampered`."""
    ContentType.objects.clear_cache()
    output = io.StringIO()
    try:  # called by name, since `verification` imports modules that import `backups`
        call_command("migrate_and_verify", *steps, stdout=output)
    except SystemExit as error:
        raise Tampered(output.getvalue().partition("\n")[0]) from error


def _execute_script(cursor: Any, dump: Path) -> None:
    """Execute the SQL script that pg_restore makes of a dump, on this cursor.

    Rows follow a COPY statement in the script and are copied separately. Raises `Damaged` if
    pg_restore fails.
    """
    options = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--file=-"]
    command = [_program_path("pg_restore"), *options, str(dump)]
    with (
        tempfile.TemporaryFile() as warnings,  # no pipe, which would block pg_restore when full
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=warnings) as script,  # noqa: S603
    ):
        assert script.stdout is not None  # noqa: S101  for the types
        lines = iter(script.stdout.readline, b"")
        pending = io.BytesIO()
        for line in lines:
            if COPY_BEGINS.fullmatch(line):
                _execute_pending(cursor, pending)
                _copy_rows(cursor, line, lines)
            elif not line.startswith(b"\\"):  # leaves out commands of psql, such as \restrict
                pending.write(line)
        _execute_pending(cursor, pending)
        script.wait()
        warnings.seek(0)
        errors = warnings.read().decode(errors="replace")
    if script.returncode:
        raise Damaged(errors.strip().partition("\n")[0])


def _execute_pending(cursor: Any, pending: io.BytesIO) -> None:
    if pending.tell():
        cursor.execute(pending.getvalue().decode())
    pending.seek(0)
    pending.truncate()


def _copy_rows(cursor: Any, statement: bytes, lines: Iterator[bytes]) -> None:
    """Execute a COPY statement with the rows on the next lines, up to `COPY_ENDS`.

    Raises `Damaged` if the lines end before.
    """
    with cursor.copy(statement.decode()) as rows:
        for line in lines:
            if line == COPY_ENDS:
                return
            rows.write(line)
    raise Damaged


@contextmanager
def repeatable_read(own_connection: Any) -> Iterator[Any]:
    """Yield the cursor of a read-only transaction with REPEATABLE READ, rolled back afterwards."""
    own_connection.set_autocommit(False)
    try:
        with own_connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield cursor
    finally:
        own_connection.rollback()


def _count_contents(cursor: Any) -> Contents:
    """Return the migrations and the numbers of tournaments and rounds that this cursor sees."""

    def query(statement: str) -> Any:
        cursor.execute(statement)
        return cursor.fetchall()

    return contents.count_contents(query, {row[0] for row in query(TABLES)})


def _existing_tables(cursor: Any) -> str:
    """Return the existing tables of Django's models, quoted and separated by commas, as for SQL.

    They are in the order in which they are locked. Empty without tables.
    """
    our_tables = {*connection.introspection.django_table_names(), "django_migrations"}
    cursor.execute(TABLES)
    existing = our_tables & {row[0] for row in cursor.fetchall()}
    names = sorted(existing, key=_lock_order)
    return ", ".join(connection.ops.quote_name(name) for name in names)


def _lock_order(table: str) -> tuple[int, str]:
    """Return a sort key: `FIRST_LOCKED` come first, then the other tables by name."""
    return (FIRST_LOCKED.index(table) if table in FIRST_LOCKED else len(FIRST_LOCKED)), table


def _lock_tables(cursor: Any, tables: str, mode: str) -> None:
    """Lock tables in a lock mode of PostgreSQL; retry after a deadlock up to `TIMES_TO_TRY` times.

    `tables` is a list in SQL, as `_existing_tables` returns it. Call it in a transaction, which
    holds the locks until it ends: a deadlock rolls back the savepoint alone.
    """
    for tries_left in reversed(range(TIMES_TO_TRY)):
        try:
            with transaction.atomic():
                cursor.execute(f"LOCK TABLE {tables} IN {mode} MODE")
        except DatabaseError as error:
            if not tries_left or getattr(error.__cause__, "sqlstate", None) != DEADLOCK:
                raise
        else:
            return


def _connection_arguments() -> list[str]:
    """Return the arguments by which PostgreSQL's programs connect; without the password."""
    return DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[0][1:]


def _run_program(name: str, *arguments: str) -> bytes:
    """Run one of PostgreSQL's programs and return its output.

    Raises `ProgramMissing`, `ProgramTooOld`, `OSError` if the disk is full, and else
    `BackupNotTaken` if the program fails.
    """
    secrets = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[1] or {}
    completed = subprocess.run(  # noqa: S603  a program of PostgreSQL
        [_program_path(name), *arguments],
        check=False,
        capture_output=True,
        env=os.environ | secrets | {"LC_ALL": "C"},
    )
    if completed.returncode:
        errors = completed.stderr.decode(errors="replace").strip()
        if "server version mismatch" in errors:
            raise ProgramTooOld(errors.splitlines()[-1])
        if "No space left on device" in errors:
            raise OSError(errno.ENOSPC, errors)
        raise BackupNotTaken(errors.partition("\n")[0])
    return completed.stdout


def _program_path(name: str) -> str:
    """Return the path of a program of PostgreSQL. Raises `ProgramMissing`.

    Of Debian's versions it is the newest; without them, the program that the shell would find.
    """
    debian_paths = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4))
    program = str(debian_paths[-1]) if debian_paths else shutil.which(name)
    if program is None:
        raise ProgramMissing
    return program
