"""How long a tap on the phone's page takes to be seen, on a processor a sixth as fast as this one.

    .venv/bin/python benchmarks/taps.py

serves a table, opens its page in a real Chromium slowed down six times and cut off from the
network, and taps the counters of a deal: one whose taps decide nothing, and one whose every tap
decides the deal or undoes that, by which its points, their reasons and the next deal come and go.
The yardstick is a page of one button that counts, tapped by turns with them: the ratio says more
than milliseconds, for a busy machine slows both. It prints the table of `docs/benchmarks.md`.
"""

import shutil

from playwright.sync_api import Browser, Page, sync_playwright
from slow_line import served, start_table, tell

RUNS, SLOWED = 200, 6

# Until the frame that shows the count has been drawn, and the one that shows what follows of it.
TAP = """
async ([selector, follows]) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const told = new Promise((done) => {
    if (!follows) done();
    else new MutationObserver(done).observe(document.querySelector(follows), { childList: true });
  });
  const start = performance.now();
  const counted = drawn().then(() => performance.now() - start);
  document.querySelector(selector).click();
  await told.then(drawn);
  return [await counted, performance.now() - start];
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
    page.locator("#deal-1 .deal-other > summary").click()
    page.fill("#id_deal_1_kankei", "8")
    page.fill("#id_deal_1_mukankei", "4")
    return page


def open_yardstick(browser: Browser) -> Page:
    """Open the page of one button."""
    page = browser.new_page()
    page.set_content(YARDSTICK)
    return page


def tap(page: Page, selector: str, follows: str = "") -> tuple[float, float]:
    """Return how many milliseconds a tap takes while the page's processor is slowed down.

    First until its count is seen, then until what `follows` has changed and is seen, too.
    """
    page.bring_to_front()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    counted, followed = page.evaluate(TAP, [selector, follows])
    session.detach()
    return float(counted), float(followed)


def main() -> None:
    """Print a table of what was measured."""
    plain, deciding, yardstick_times = [], [], []
    with served() as (port, _folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        phones = open_phone(browser, port), open_phone(browser, port)
        yardstick = open_yardstick(browser)
        for run in range(RUNS):
            back, forth = ("1", "-1") if run % 2 else ("-1", "1")
            plain.append(tap(phones[0], f"#deal-1 [data-step='{back}']")[0])
            deciding.append(tap(phones[1], f"#deal-1 [data-step='{forth}']", "#preview"))
            yardstick_times.append(tap(yardstick, "button")[0])
        browser.close()
    print("| a tap on | median | 9 in 10 | slowest | within 100 ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, times in (
        ("a counter that decides nothing", plain),
        ("a counter that decides the deal, until its count is seen", [one for one, _ in deciding]),
        ("the same, until points, reasons and the next deal are", [two for _, two in deciding]),
        ("a button that only counts", yardstick_times),
    ):
        tell(name, times, written="{:.0f} ms", within=100)


if __name__ == "__main__":
    main()
