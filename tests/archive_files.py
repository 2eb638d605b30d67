"""Archives unpacked, changed and packed again, and the largest that are accepted."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from tournaments import audit
from tournaments import sealed_files as seals
from tournaments.archives import files
from tournaments.audit import chain
from tournaments.models import AuditEntry, Receipt, Tournament
from tournaments.queries.publications.content import digest_of
from tournaments.services import idempotency


def unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def json_of(content: bytes) -> Any:
    """Return event.json."""
    return json.loads(unpacked(content)["event.json"])


def sealed(parts: dict[str, bytes], **methods: int) -> bytes:
    """Return a zip of these members with a correct seal, compressed by these methods."""
    methods = {"event": zipfile.ZIP_DEFLATED} | methods
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.comment = seals.UNSEALED
        for name, text in parts.items():
            method = methods.get(name.partition(".")[0], zipfile.ZIP_STORED)
            archive.writestr(name, text, method)
    seals.write_seal(stream)
    return stream.getvalue()


def made_up(content: bytes, change: Callable[[Any, Any], object]) -> bytes:
    """Return an archive after a change, with a correct seal, length and SHA-256."""
    parts = unpacked(content)
    manifest, event = (json.loads(parts[name]) for name in ("manifest.json", "event.json"))
    change(manifest, event)
    text = json.dumps(event).encode()
    if "sha256" in manifest:
        manifest |= {"length": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    return sealed({"manifest.json": json.dumps(manifest).encode(), "event.json": text})


def largest(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield names and archives, whose only receipt is as large as the limits allow."""
    parts = unpacked(content)
    before, _, _ = parts["event.json"].rpartition(b'"receipts"')
    for name, text in _largest_documents().items():
        receipt = b'{"key":"k","request":"' + b"0" * 64 + b'","at":"2026-01-01T00:00:00Z","answer":'
        receipt += b'{"status":200,"body":{"a":[' + text.encode() + b']}},"digest":"'
        receipt += b"0" * 64 + b'"}'
        document = before + b'"receipts":[' + receipt + b"]}"
        manifest = json.loads(parts["manifest.json"])
        manifest |= {"length": len(document), "sha256": hashlib.sha256(document).hexdigest()}
        yield (
            name,
            sealed({"manifest.json": json.dumps(manifest).encode(), "event.json": document}),
        )


def _largest_documents() -> dict[str, str]:
    """Return JSON for a receipt's answer at each of the limits."""
    objects, marks = files.MOST_OBJECTS - 20_000, files.MOST_SEPARATORS - 20_000
    length = files.LARGEST_UNPACKED - 200_000
    return {
        "objects": ",".join(f'{{"{i:x}":0}}' for i in range(objects)),
        "nested": ",".join(['{"a":' * 100 + "0" + "}" * 100] * (objects // 100)),
        "keys": "{" + ",".join(f'"{i:x}":0' for i in range(marks // 2)) + "}",
        "texts": ",".join(f'"{i:x}"' for i in range(marks * 3 // 4)),
        "wide text": '"' + "a" * length + '𠮷"',
        "blank": " " * length + "0",
    }


def resealed(content: bytes, change: Callable[[Any, Any], object]) -> bytes:
    """Return an archive after a change, with all digests and chains recomputed where possible."""

    def reseal(manifest: Any, event: Any) -> None:
        change(manifest, event)
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            _reseal_publications(event)
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            _rechain(AuditEntry, event["acts"], event["tournament"]["slug"], chain.digest_of)
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            for number, receipt in enumerate(event["receipts"], 1):
                receipt["number"] = number
            _rechain(Receipt, event["receipts"], event["tournament"]["slug"], idempotency.digest_of)
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            for receipt in event["receipts"]:
                receipt.pop("number", None)

    return made_up(content, reseal)


def _reseal_publications(event: Any) -> None:
    for publication in event["publications"]:
        publication["digest"] = digest_of(publication["content"])
        for act in event["acts"]:
            if (
                act["kind"] == AuditEntry.Kind.PUBLISHED
                and act["new"]["number"] == publication["number"]
            ):
                act["new"]["digest"] = publication["digest"]


def _rechain(
    model: type[AuditEntry | Receipt], rows: list[Any], slug: str, digest: Callable[..., str]
) -> None:
    previous = audit.CHAIN_START
    for row in rows:
        if model is AuditEntry:
            row["previous"] = previous
        said = {key: value for key, value in row.items() if key != "digest"}
        said["at"] = datetime.fromisoformat(row["at"])
        made = model(tournament=Tournament(slug=slug), **said)
        previous = row["digest"] = digest(made) if model is AuditEntry else digest(made, previous)


def places_in(document: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inside:
        yield (*way, key)
        if isinstance(value, dict | list):
            yield from places_in(value, (*way, key))


def places_at_ends(document: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places in a document, of each list only those in its first and last items.

    For checks that treat all items of a list alike.
    """
    if isinstance(document, dict):
        inside = list(document.items())
    else:
        inside = [(at, document[at]) for at in sorted({0, len(document) - 1}) if document]
    for key, value in inside:
        yield (*way, key)
        if isinstance(value, dict | list):
            yield from places_at_ends(value, (*way, key))


def value_at(document: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        document = document[key]
    return document


def put_at(document: Any, way: tuple[Any, ...], value: Any) -> None:
    value_at(document, way[:-1])[way[-1]] = value


@contextmanager
def changed_at(document: Any, way: tuple[Any, ...], value: Any) -> Iterator[None]:
    """Change a document within a `with` block: to copy it would take as long as to check it."""
    before = value_at(document, way)
    put_at(document, way, value)
    yield
    put_at(document, way, before)


# Values of every JSON type, with unusual sizes and content.
STRANGE_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**12, 1.5, "", "x", "長" * 300, "9999-12-31T23:59:59Z"),
    *([], [1], ["x"], {}, {"evil": 1}),
)
