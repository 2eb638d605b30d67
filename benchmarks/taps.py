"""Time until a tap on the phone's page is shown, on a processor slowed down to a sixth.

    .venv/bin/python benchmarks/taps.py

serves a table, opens its page in a real Chromium that is offline and slowed down six times, and
taps the counters of a deal: one of an undecided deal, and one of a deal that each tap decides or
makes undecided again, which shows and hides points, reasons and the next deal. The baseline,
measured alternately, is a page with one button that counts: compare the ratios, since a busy
machine slows both. It prints the table of `docs/benchmarks.md`.
"""

import shutil

from playwright.sync_api import Browser, Page, sync_playwright
from slow_line import print_row, served, start_table

RUNS, SLOWED = 200, 6

# Times until the frame that shows the count, and until the one that shows what follows.
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
BASELINE = """
<!doctype html><title>baseline</title><button>0</button><script>
document.querySelector("button").addEventListener("click", (event) => {
  event.target.textContent = Number(event.target.textContent) + 1;
});
</script>
"""


def open_phone(browser: Browser, port: int) -> Page:
    """Open a table's page, go offline, and fill in a deal."""
    path, state = start_table(browser, port)
    context = browser.new_context(storage_state=state, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}{path}")
    page.wait_for_selector("html[data-phone=ready]", state="attached")
    context.set_offline(True)
    for seat in (1, 2, 4):  # the dealer and both kankei
        page.locator(f".ring .seat:nth-child({seat})").click()
    page.locator("#deal-1 .deal-other > summary").click()
    page.fill("#id_deal_1_kankei", "8")
    page.fill("#id_deal_1_mukankei", "4")
    return page


def open_baseline(browser: Browser) -> Page:
    page = browser.new_page()
    page.set_content(BASELINE)
    return page


def tap(page: Page, selector: str, follows: str = "") -> tuple[float, float]:
    """Return the milliseconds of a tap, with the processor slowed down.

    First until its count is shown, then until the change of the element `follows` is shown.
    """
    page.bring_to_front()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    counted, followed = page.evaluate(TAP, [selector, follows])
    session.detach()
    return float(counted), float(followed)


def main() -> None:
    plain, deciding, baseline_times = [], [], []
    with served() as (port, _folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        phones = open_phone(browser, port), open_phone(browser, port)
        baseline = open_baseline(browser)
        for run in range(RUNS):
            back, forth = ("1", "-1") if run % 2 else ("-1", "1")
            plain.append(tap(phones[0], f"#deal-1 [data-step='{back}']")[0])
            deciding.append(tap(phones[1], f"#deal-1 [data-step='{forth}']", "#preview"))
            baseline_times.append(tap(baseline, "button")[0])
        browser.close()
    print("| a tap on | median | 9 in 10 | slowest | within 100 ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, times in (
        ("a counter that decides nothing", plain),
        ("a counter that decides the deal, until its count is shown", [one for one, _ in deciding]),
        ("the same, until points, reasons and the next deal are", [two for _, two in deciding]),
        ("a button that only counts", baseline_times),
    ):
        print_row(name, times, written="{:.0f} ms", within=100)


if __name__ == "__main__":
    main()
