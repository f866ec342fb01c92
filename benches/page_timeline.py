"""Frames per second of the page while a timeline of a million spans scrolls and zooms in a browser.

    python -m benches.page_timeline

Needs Chromium. The spans are drawn at random from a fixed seed: 64 lanes that are in use most of the time, and 200,000
waits. Each frame of the browser scrolls on; the time from frame to frame is what `requestAnimationFrame` reports.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import Page, sync_playwright
from slicewright.serve.admission import Rules
from slicewright.serve.application import application
from slicewright.timeline.kept import Gathered, keep

SPANS, WAITS, LANES = 1_000_000, 200_000, 64
LENGTH_US = 20e6
HOLDERS = 500
FRAMES = 300
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

SCROLL = """async ([frames, x, y, turn]) => {
  const plot = document.querySelector(".timeline-plot");
  const times = [];
  for (let frame = 0; frame <= frames; frame += 1) {
    times.push(await new Promise(requestAnimationFrame));
    const sign = Math.floor(frame / turn) % 2 ? -1 : 1;
    const move = { deltaX: sign * x, deltaY: sign * y, clientX: 700, clientY: 400, cancelable: true };
    plot.dispatchEvent(new WheelEvent("wheel", move));
  }
  return times.slice(1).map((time, at) => time - times[at]);
}"""


def synthetic(spans: int = SPANS, lanes: int = LANES, waits: int = WAITS, seed: int = 1) -> Gathered:
    """A timeline with this number of spans on equally busy lanes."""
    draw = np.random.default_rng(seed)
    each = spans // lanes
    steps = draw.exponential(1.0, (lanes, 2 * each))
    edges = np.cumsum(steps, axis=1) * (LENGTH_US / steps.sum(axis=1, keepdims=True))
    start, end = edges[:, 0::2].ravel(), edges[:, 1::2].ravel()
    count = len(start)
    begins = np.sort(draw.uniform(0, LENGTH_US, waits))
    lane = draw.integers(0, lanes, waits).astype(np.int32)
    row = draw.integers(0, 3, waits).astype(np.uint8)
    order = np.lexsort((begins, row, lane))
    same = np.append((lane[order][1:] == lane[order][:-1]) & (row[order][1:] == row[order][:-1]), False)
    following = np.where(same, np.append(begins[order][1:], np.inf), np.inf)
    none = np.zeros(0)
    return Gathered(
        facts={"from_us": 0.0, "to_us": LENGTH_US},
        lanes={
            "name": [f"VM {number}" for number in range(lanes)], "kind": ["logical-processor"] * lanes,
            "of": ["VM"] * lanes,
        },
        texts={
            "holder": [f"GUEST {number}" for number in range(HOLDERS)], "state": ["working", "control-program"],
            "what": [""], "kind": ["ready"], "where": ["VM"], "why": ["CPU wait"], "change": [], "yield": [],
        },
        spans={
            "lane": np.repeat(np.arange(lanes, dtype=np.int32), each),
            "holder": draw.integers(0, HOLDERS, count).astype(np.int32), "from": start, "to": end,
            "state": draw.integers(0, 2, count).astype(np.uint8), "what": np.zeros(count, np.int32),
            "on": np.full(count, -1, np.int32),
        },
        waits={
            "lane": lane[order], "holder": draw.integers(0, HOLDERS, waits).astype(np.int32), "from": begins[order],
            "to": np.minimum(begins[order] + draw.exponential(500.0, waits), following),
            "kind": np.zeros(waits, np.uint8), "where": np.zeros(waits, np.int32), "why": np.zeros(waits, np.int32),
            "row": row[order],
        },
        changes={"at": none, "what": none.astype(np.int32)},
        yields={"at": none, "lane": none.astype(np.int32), "on": none.astype(np.int32), "what": none.astype(np.int32)},
    )  # fmt: skip


@contextmanager
def serving(gathered: Gathered) -> Iterator[str]:
    """The address of a server that has this timeline."""
    folder = tempfile.TemporaryDirectory(prefix="slicewright-", ignore_cleanup_errors=True)
    app = application(Rules("token"), Path(folder.name))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        threading.Event().wait(0.05)
    place: Path = app.state.session.timelines.place({"text": "synthetic"}, [], "", "")
    place.mkdir(parents=True)
    about = {"name": "synthetic", "seed": 1, "replication": 0, "warm_up_s": 0.0, "asked_to_us": LENGTH_US}
    keep(gathered, place, about, lambda share: None)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}/?token=token#/timeline/of/{place.name}"
    server.should_exit = True
    thread.join(20)
    folder.cleanup()


def measured(page: Page, address: str, window_us: float) -> dict[str, Any]:
    """Lengths of frames, in ms, by movement, from a window of this length."""
    root, _, screen = address.partition("#")
    page.goto(root)
    page.goto(f"{root.partition('?')[0]}#{screen}/{LENGTH_US / 2}/{LENGTH_US / 2 + window_us}")
    page.reload()
    page.wait_for_selector(".timeline-live:not(:empty)")
    moves = {"scroll 20 px a frame": [20, 0, 10_000], "scroll 200 px a frame": [200, 0, 60], "zoom": [0, 20, 30]}
    return {name: page.evaluate(SCROLL, [FRAMES, *move]) for name, move in moves.items()}


def main(asked: list[str]) -> int:
    """Print the lengths of frames for windows of several lengths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spans", type=int, default=SPANS)
    spans = parser.parse_args(asked).spans
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        print(f"no browser: install one of {', '.join(BROWSERS)}", file=sys.stderr)
        return 1
    print(f"{spans:,} spans on {LANES} lanes, {WAITS:,} waits; 1280 x 900 pixels, drawn without a GPU")
    with serving(synthetic(spans)) as address, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        print("window, ms  movement               frames/s  median, ms  95 %, ms")
        for window_us in (20e6, 2e6, 2e5, 2e4, 2e3):
            for name, times in measured(page, address, window_us).items():
                median, most = np.percentile(times, [50, 95])
                rate = 1e3 / np.mean(times)
                print(f"{window_us / 1e3:10,.0f}  {name:22} {rate:8.1f} {median:11.1f} {most:9.1f}", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
