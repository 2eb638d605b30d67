"""Copying and replacing a PostgreSQL database with its own programs, pg_dump and pg_restore."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
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
    Damaged,
    NotRestored,
    NotTaken,
    ProgramMissing,
    ProgramTooOld,
    Tampered,
)

Keep = Callable[[Callable[[Path], Contents]], None]
DEBIAN = Path("/usr/lib/postgresql")  # which keeps the programs of every version apart
LONGEST_WAIT = "--lock-wait-timeout=30s"
TABLES = (
    "SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p')"
    " AND pg_table_is_visible(c.oid) AND c.relnamespace::regnamespace::text NOT LIKE 'pg\\_%'"
    " AND c.relnamespace::regnamespace::text != 'information_schema'"
)
AWAY = ("08", "40", "53", "55", "57")  # the server is away, full, busy: the dump is not at fault
DEADLOCK, TIMES_TO_TRY = "40P01", 10
WRITERS_OUT, READERS_OUT = "EXCLUSIVE", "ACCESS EXCLUSIVE"
FIRST_LOCKED = ("tournaments_tournament",)  # as every write does: `audit.locks`
# Writers that wait for us may have read from a table that we are about to drop: we would wait for
# each other, and those who have waited for a second look no more whether they do. They send again.
SEND_AWAY = (
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
    " WHERE usename = current_user AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
)
HAS_TOURNAMENTS = re.compile(rb"TABLE DATA \S+ tournaments_tournament ")
COPY_BEGINS = re.compile(rb"COPY .+ FROM stdin;\n")
COPY_ENDS = b"\\.\n"


def copy(to: Path) -> Contents:
    """Dump the database as it was last committed to a new file. Nobody waits."""
    apart = connection.copy()
    try:
        with transaction_of(apart) as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
            found = _contents_of(cursor)
            os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
            kept = ["--format=custom", "--no-owner", "--no-privileges", LONGEST_WAIT]
            _run("pg_dump", *kept, f"--snapshot={snapshot}", f"--file={to}", *_whereto())
            return found
    finally:
        apart.close()


def check(payload: Path, expected: Contents) -> None:
    """Raise `Damaged` if a dump cannot be read, or lacks tables its manifest speaks of."""
    listed = _output("pg_restore", "--list", str(payload))
    if expected.tournaments and not HAS_TOURNAMENTS.search(listed):
        raise Damaged


def present() -> Contents:
    """Return what is in the database now."""
    with connection.cursor() as cursor:
        return _contents_of(cursor)


def prove(payload: Path) -> None:
    """Nothing can be proven beforehand; `replace` proves before it commits."""


def replace(payload: Path, expected: Contents, keep: Keep) -> None:
    """Put a dump in the place of the database in one transaction, proven before it is committed.

    Nobody writes from before `keep` copies what is there until the new content is in force.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            tables = _tables(cursor)
            if tables:
                _lock(cursor, tables, WRITERS_OUT)
                keep(copy)
                cursor.execute(SEND_AWAY)
                _lock(cursor, tables, READERS_OUT)
                cursor.execute(f"DROP TABLE {tables} CASCADE")
            _play(cursor, payload)
            cursor.execute("SET search_path TO DEFAULT")
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            if _contents_of(cursor) != expected:
                raise Damaged
            _prove()
    except DatabaseError as error:
        state = getattr(error.__cause__, "sqlstate", None)
        if state is None or state.startswith(AWAY):
            raise
        raise NotRestored(str(error).strip().partition("\n")[0]) from error
    finally:
        connection.close()  # the script has left settings of its own in it
        ContentType.objects.clear_cache()


def _prove() -> None:
    """Bring what is there up to date, guards and all, end all log-ins and phones, and verify it."""
    ContentType.objects.clear_cache()
    call_command("migrate", interactive=False, verbosity=0, no_backup=True)
    call_command("end_log_ins")
    told = io.StringIO()
    try:  # by its name, as SQLite's copies are: it reads what takes backups
        call_command("verify", stdout=told)
    except SystemExit as found:
        raise Tampered(told.getvalue().partition("\n")[0]) from found


def _play(cursor: Any, payload: Path) -> None:
    """Carry out what pg_restore would: its script, statement by statement, and the rows."""
    options = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--file=-"]
    command = [_program("pg_restore"), *options, str(payload)]
    with (
        tempfile.TemporaryFile() as warnings,  # a pipe that nobody reads yet would stop it
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=warnings) as script,  # noqa: S603
    ):
        assert script.stdout is not None  # noqa: S101  for the types
        lines = iter(script.stdout.readline, b"")
        waiting = io.BytesIO()
        for line in lines:
            if COPY_BEGINS.fullmatch(line):
                _execute(cursor, waiting)
                _copy_rows(cursor, line, lines)
            elif not line.startswith(b"\\"):  # psql's own words, such as \restrict
                waiting.write(line)
        _execute(cursor, waiting)
        script.wait()
        warnings.seek(0)
        said = warnings.read().decode(errors="replace")
    if script.returncode:
        raise Damaged(said.strip().partition("\n")[0])


def _execute(cursor: Any, waiting: io.BytesIO) -> None:
    if waiting.tell():
        cursor.execute(waiting.getvalue().decode())
    waiting.seek(0)
    waiting.truncate()


def _copy_rows(cursor: Any, statement: bytes, lines: Iterator[bytes]) -> None:
    with cursor.copy(statement.decode()) as rows:
        for line in lines:
            if line == COPY_ENDS:
                return
            rows.write(line)
    raise Damaged


@contextmanager
def transaction_of(apart: Any) -> Iterator[Any]:
    """Give a cursor of a connection that sees one moment, whatever is committed meanwhile."""
    apart.set_autocommit(False)
    try:
        with apart.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield cursor
    finally:
        apart.rollback()


def _contents_of(cursor: Any) -> Contents:
    def ask(statement: str) -> Any:
        cursor.execute(statement)
        return cursor.fetchall()

    return contents.contents(ask, {row[0] for row in ask(TABLES)})


def _tables(cursor: Any) -> str:
    """Return our own tables that there are, as a statement lists them."""
    known = {*connection.introspection.django_table_names(), "django_migrations"}
    cursor.execute(TABLES)
    found = sorted(known & {row[0] for row in cursor.fetchall()}, key=_lock_order)
    return ", ".join(connection.ops.quote_name(name) for name in found)


def _lock_order(table: str) -> tuple[int, str]:
    """Return where a table stands in the order of locking: what writers lock first comes first."""
    return (FIRST_LOCKED.index(table) if table in FIRST_LOCKED else len(FIRST_LOCKED)), table


def _lock(cursor: Any, tables: str, mode: str) -> None:
    """Keep others out; try again where one of them and we would wait for each other."""
    for left in reversed(range(TIMES_TO_TRY)):
        try:
            with transaction.atomic():
                cursor.execute(f"LOCK TABLE {tables} IN {mode} MODE")
        except DatabaseError as error:
            if not left or getattr(error.__cause__, "sqlstate", None) != DEADLOCK:
                raise
        else:
            return


def _whereto() -> list[str]:
    return DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[0][1:]


def _run(name: str, *arguments: str) -> bytes:
    """Run one of PostgreSQL's programs; return what it printed. Raises `NotTaken`."""
    secrets = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[1] or {}
    done = subprocess.run(  # noqa: S603  a program of PostgreSQL
        [_program(name), *arguments],
        check=False,
        capture_output=True,
        env=os.environ | secrets | {"LC_ALL": "C"},
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        if "server version mismatch" in said:
            raise ProgramTooOld(said.splitlines()[-1])
        if "No space left on device" in said:
            raise OSError(errno.ENOSPC, said)
        raise NotTaken(said.partition("\n")[0])
    return done.stdout


def _output(name: str, *arguments: str) -> bytes:
    try:
        return _run(name, *arguments)
    except ProgramMissing:
        raise
    except NotTaken as error:
        raise Damaged(error.said) from error


def _program(name: str) -> str:
    """Return the newest program of this name. Raises `ProgramMissing`."""
    of_debian = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4))
    found = str(of_debian[-1]) if of_debian else shutil.which(name)
    if found is None:
        raise ProgramMissing
    return found
