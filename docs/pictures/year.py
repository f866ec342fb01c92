"""The picture of a plan for a year: a response over the growing load, with its limit."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from slicewright import sweep
from slicewright.explore.sweep import limit_line
from slicewright.report.figure import Figure, Panel, Series

PAGE = Path(__file__).parent.parent / "how-to" / "choose-a-setting.md"
ORDERS, ALIASES = "guest.ORDERS.arrivals", "alias_pool.POOL.aliases"
LIMIT_MS = 10.0


def plan() -> Figure:
    """The 95th percentile of the slower volume over the arrivals of every third month."""
    block = re.search(r"^```toml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    arrivals = [f"{300 * 1.03**month:.0f}/s" for month in range(0, 13, 3)]
    with TemporaryDirectory() as folder:
        found = sweep(block[1], {ORDERS: arrivals, ALIASES: [0, 2]}, out=Path(folder, "store"), replications=5)
        volumes = found.table("volumes").sort("response_p95_ms").group_by(ORDERS, ALIASES, maintain_order=True).last()
    lines = []
    for aliases in (2, 0):
        rows = volumes.filter(volumes[ALIASES] == aliases).sort(ORDERS)
        x, y, half = (rows[name].to_list() for name in (ORDERS, "response_p95_ms", "response_p95_ms_half_width"))
        lines.append(Series(x, y, half, f"aliases {aliases}"))
    ends = lines[0].x[0], lines[0].x[-1]
    return Figure([Panel("Response, 95th percentile, ms", [*lines, *limit_line(*ends, LIMIT_MS)])], "Orders per second")
