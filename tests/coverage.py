"""Whether the tests reach every line and branch of rules, draws, services and queries.

With `-p tests.coverage`. SlipCover changes the bytecode of these packages on import, which takes
little time: the tracer of coverage.py doubles the time. Programs that tests start are not measured.
A line, or the block that it begins, is left out by `# pragma: no cover (why no test can reach it)`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import slipcover

MEASURED = ["scoring", "tournaments/draws", "tournaments/services", "tournaments/queries"]
LEFT_OUT = r"# pragma: no cover \(.{8,}\)"
of_workers: list[dict[str, Any]] = []

# When a line that was reached has run so often again, SlipCover looks through all functions for
# those that need no measuring any more: 40 times in 454 tests with its default of 50, 17 with this.
CALLS_UNTIL_REMOVED = 1000

measuring = slipcover.Slipcover(
    branch=True,
    d_miss_threshold=CALLS_UNTIL_REMOVED,
    exclude_lines=[LEFT_OUT],
    source=MEASURED,
)
slipcover.ImportManager(measuring, slipcover.FileMatcher(sources=MEASURED)).__enter__()


@pytest.hookimpl(optionalhook=True)  # a hook of xdist, in the process that the workers report to
def pytest_testnodedown(node: Any) -> None:
    """Keep what a worker has measured."""
    if text := getattr(node, "workeroutput", {}).get("coverage"):
        of_workers.append(json.loads(text))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report to the first process, which fails if a line or branch was not reached."""
    measured = measuring.get_coverage()
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["coverage"] = json.dumps(measured)
        return
    for each in of_workers:
        slipcover.merge_coverage(measured, each)
    if measured["summary"]["percent_covered"] < 100:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        slipcover.print_coverage(measured, outfile=reporter, skip_covered=True, missing_width=80)
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
