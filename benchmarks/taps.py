"""How long a tap on the phone's page takes to be seen, on a processor a sixth as fast as this one.

    .venv/bin/python benchmarks/taps.py

serves a table, opens its page in a real Chromium slowed down six times and cut off from the
network, and taps what changes most: the counters of a deal, whose points and reasons follow each
tap. The yardstick is a page of one button that counts, tapped by turns with it: the ratio says
more than milliseconds, for a busy machine slows both. It prints the table of `docs/benchmarks.md`.
"""

import shutil
import statistics

from playwright.sync_api import Browser, Page, sync_playwright
from slow_line import served, start_table

RUNS, SLOWED = 200, 6

# Until the frame that shows it has been drawn.
TAP = """
async (selector) => {
  const start = performance.now();
  document.querySelector(selector).click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}
"""
YARDSTICK = """
<!doctype html><title>yardstick</title><button>0</button><script>
document.querySelector("button").addEventListener("click", (event) => {
  event.target.textContent = Number(event.target.textContent) + 1;
});
</script>
"""


def open_phone(browser: Browser, port: int) -> Page:
    """Open a table's page without the network, with a deal of which everything is known."""
    path, state = start_table(browser, port)
    context = browser.new_context(storage_state=state, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}{path}")
    page.wait_for_selector("html[data-phone=ready]", state="attached")
    context.set_offline(True)
    for seat in (1, 2, 4):  # who deals, and the kankei
        page.locator(f".ring .seat:nth-child({seat})").click()
    page.fill("#id_deal_1_kankei", "8")
    page.fill("#id_deal_1_mukankei", "4")
    return page


def open_yardstick(browser: Browser) -> Page:
    """Open the page of one button."""
    page = browser.new_page()
    page.set_content(YARDSTICK)
    return page


def tap(page: Page, selector: str) -> float:
    """Return how many milliseconds a tap takes while the page's processor is slowed down."""
    page.bring_to_front()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    took = float(page.evaluate(TAP, selector))
    session.detach()
    return took


def main() -> None:
    """Print a table of what was measured."""
    phone_times, yardstick_times = [], []
    with served() as (port, _folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        phone, yardstick = open_phone(browser, port), open_yardstick(browser)
        for run in range(RUNS):
            step = "1" if run % 2 else "-1"
            phone_times.append(tap(phone, f"#deal-1 [data-step='{step}']"))
            yardstick_times.append(tap(yardstick, "button"))
        browser.close()
    print("| a tap on | median | 9 in 10 | slowest | within 100 ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    tell("a counter of the phone's page", phone_times)
    tell("a button that only counts", yardstick_times)


def tell(name: str, milliseconds: list[float]) -> None:
    """Print a row of the table."""
    times = sorted(milliseconds)
    told = statistics.median(times), times[int(len(times) * 0.9) - 1], times[-1]
    kept = sum(each <= 100 for each in times)
    print(f"| {name} |", *(f"{each:.0f} ms |" for each in told), f"{kept} of {len(times)} |")


if __name__ == "__main__":
    main()
