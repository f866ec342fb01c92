"""Seconds of the page in a browser: first paint, from a dropped report to its figure, from a slider to its results.

    python -m benches.page

Needs Chromium.  Each number is the median of several.  A slider has three results, each with more replications.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benches.page_timeline import BROWSERS

ROOT = Path(__file__).parents[1]
FILE = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
DROPS = 5
MOVES = (4, 12, 6, 14, 10)
"""Aliases to which the slider is moved; the scenario has 8."""
WARM_S = 8.0
"""After the start of the server, whose workers load what tasks need."""
WANTED = {"first paint": 0.5, "drop to figure": 2.0, "slider, first answer": 0.2, "slider, refined": 2.0}

SLIDER = """async (value) => {
  const slider = [...document.querySelectorAll("input[type=range]")].find((each) =>
    (each.getAttribute("aria-label") ?? "").includes("aliases"));
  const shown = () => document.querySelector("main").innerText.match(/\\d+ replications of [^;\\n]*/)?.[0];
  const before = shown();
  const started = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const times = [];
  let last = before;
  while (times.length < 3 && performance.now() - started < 10000) {
    await new Promise((done) => setTimeout(done, 4));
    if (shown() !== last) {
      last = shown();
      times.push((performance.now() - started) / 1000);
    }
  }
  return times;
}"""


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of its own."""
    command = [sys.executable, "-m", "slicewright", "serve", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.terminate()


def drop(page: Page, root: str) -> float:
    """Seconds from a dropped DEVICE page to its first figure."""
    page.goto(f"{root}#/")
    page.wait_for_selector(".zone")
    started = time.perf_counter()
    page.set_input_files("#choose", FILE)
    page.wait_for_selector("figure svg")
    return time.perf_counter() - started


def measured(page: Page, address: str) -> dict[str, list[float]]:
    """Seconds by what is measured."""
    root = address.partition("?")[0]
    page.goto(address)
    page.wait_for_selector(".zone")
    paint: Any = page.evaluate("performance.getEntriesByType('paint')[0].startTime / 1000")
    drops = [drop(page, root) for _ in range(DROPS)]
    page.goto(f"{root}#/experiment/from/pool")
    page.wait_for_selector("figure.started svg")
    moves = []
    for value in MOVES:
        page.wait_for_timeout(4000)
        moves.append(page.evaluate(SLIDER, value))
    first, _, refined = zip(*moves, strict=True)
    return {
        "first paint": [paint], "drop to figure": drops,
        "slider, first answer": list(first), "slider, refined": list(refined),
    }  # fmt: skip


def main() -> int:
    """Print the medians beside what is wanted; 2 without a browser."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        print(f"no browser: install one of {', '.join(BROWSERS)}", file=sys.stderr)
        return 2
    with served() as address, sync_playwright() as player:
        time.sleep(WARM_S)
        browser = player.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        found = measured(browser.new_page(viewport={"width": 1280, "height": 900}), address)
        browser.close()
    for name, values in found.items():
        print(f"{name:22} {statistics.median(values):6.2f} s  (wanted {WANTED[name]} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
