"""The command by which anybody can check a lot."""

from __future__ import annotations

import re
import subprocess

from django.conf import settings

from scoring.ranking.tie_breaks import order_by_lot


def test_documented_command_gives_the_order_of_the_lot() -> None:
    text = (settings.BASE_DIR / "docs" / "desk.md").read_text(encoding="utf-8")
    [command] = re.findall(r"```sh\n(for NUMBER .*)\n```", text)
    told = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)  # noqa: S607
    players = [line.split()[1] for line in told.stdout.splitlines()]
    assert players == order_by_lot(["2", "4", "9"], "20261121")
