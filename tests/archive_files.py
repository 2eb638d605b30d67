"""Archives taken apart and made up, and the largest that are still read."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from tournaments.archives import files
from tournaments.files import sealed as seals


def unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(parts: dict[str, bytes], **methods: int) -> bytes:
    """Return a file of these parts as if we had written it, packed by these methods."""
    methods = {"event": zipfile.ZIP_DEFLATED} | methods
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.comment = seals.UNSEALED
        for name, text in parts.items():
            method = methods.get(name.partition(".")[0], zipfile.ZIP_STORED)
            archive.writestr(name, text, method)
    seals.put_seal(stream)
    return stream.getvalue()


def made_up(content: bytes, change: Callable[[Any, Any], object]) -> bytes:
    """Return an archive after a change of its documents, sealed anew with the right digests."""
    parts = unpacked(content)
    manifest, event = (json.loads(parts[name]) for name in ("manifest.json", "event.json"))
    change(manifest, event)
    text = json.dumps(event).encode()
    if "sha256" in manifest:
        manifest |= {"length": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    return sealed({"manifest.json": json.dumps(manifest).encode(), "event.json": text})


def largest(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield archives whose only receipt holds as much as is read, each after its name."""
    parts = unpacked(content)
    before, _, _ = parts["event.json"].rpartition(b'"receipts"')
    for name, text in _largest_documents().items():
        receipt = b'{"key":"k","request":"' + b"0" * 64 + b'","at":"2026-01-01T00:00:00Z","answer":'
        receipt += b'{"a":[' + text.encode() + b']},"digest":"' + b"0" * 64 + b'"}'
        document = before + b'"receipts":[' + receipt + b"]}"
        manifest = json.loads(parts["manifest.json"])
        manifest |= {"length": len(document), "sha256": hashlib.sha256(document).hexdigest()}
        yield (
            name,
            sealed({"manifest.json": json.dumps(manifest).encode(), "event.json": document}),
        )


def _largest_documents() -> dict[str, str]:
    """Return what an answer in a receipt could hold, as much of it as is read."""
    objects, marks = files.MOST_OBJECTS - 20_000, files.MOST_MARKS - 20_000
    length = files.LARGEST_UNPACKED - 200_000
    return {
        "objects": ",".join(f'{{"{i:x}":0}}' for i in range(objects)),
        "nested": ",".join(['{"a":' * 100 + "0" + "}" * 100] * (objects // 100)),
        "keys": "{" + ",".join(f'"{i:x}":0' for i in range(marks // 2)) + "}",
        "texts": ",".join(f'"{i:x}"' for i in range(marks * 3 // 4)),
        "wide text": '"' + "a" * length + '𠮷"',
        "blank": " " * length + "0",
    }
