"""How tests start Debian's Chromium."""

from __future__ import annotations

from typing import Any

from tests.programs import find_program

HOST = (
    "makiyaku.test"  # leads to the server of the tests, but is no loopback address to the browser
)

# A later `--disable-features` replaces Playwright's own: what of it matters to us is said again.
AS_PLAYWRIGHT_SAYS = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "OptimizationHints"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "LensOverlay"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)
# For each new profile Chromium starts two processes that draw what drops down from an address bar
# nobody sees, and a spare one: more work than most of our pages.
NEVER_SEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")


def options() -> dict[str, Any]:
    """Return what Playwright is to start the browser with."""
    return {
        "executable_path": find_program("chromium"),
        "args": [
            *("--no-sandbox", "--disable-dev-shm-usage"),  # root and small /dev/shm in CI
            f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
            f"--disable-features={','.join([*AS_PLAYWRIGHT_SAYS, *NEVER_SEEN])}",
        ],
    }
