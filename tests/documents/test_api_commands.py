"""The shell commands in docs/api.md work against a real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.faults.serving import serving, verify
from tests.programs import find_program

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "api.md"


@pytest.mark.posix("commands of a shell, whose text is UTF-8")
def test_commands_of_the_api_document_work(tmp_path: Path) -> None:
    (commands,) = re.findall(
        r"^```sh\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    find_program("curl")
    data = tmp_path / "var"
    with serving(data) as server:
        where = {"URL": f"http://127.0.0.1:{server.port}", "PASSWORD": server.password()}
        done = subprocess.run(
            [find_program("bash"), "-euo", "pipefail", "-c", commands],
            check=False,
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"} | where,
            stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 0, done.stdout
    entries, first, corrected, standings, trail = documents(done.stdout)
    assert [each["number"] for each in entries["entries"]] == [1, 2, 3, 4, 5, 6]
    assert (first["version"], corrected["version"], corrected["reason"]) == (1, 2, "miscounted")
    points = {row["number"]: row["points"] for row in standings["standings"]}
    assert points == {1: -1, 2: 1, 3: -1, 4: 1, 5: 1, 6: -1}
    assert [entry["kind"] for entry in trail["acts"]][-1] == "round_corrected"
    assert verify(data).startswith("0 ")


def documents(text: str) -> list[Any]:
    """Parse concatenated JSON documents."""
    found, decoder, text = [], json.JSONDecoder(), text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].strip()
    return found
