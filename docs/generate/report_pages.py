"""The page of pages: every page of `slicewright report --page`, with its first lines from a small run."""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stdout

from slicewright import run
from slicewright._core import starter
from slicewright.cli import main
from slicewright.run.pages.control_programs import BY_INTERVAL, OF_SPINNING, PARKING
from slicewright.values.catalogue import PAGES, TABLE_PAGES

MOST_LINES = 16
"""Lines of a page that are shown."""

MOST_LINES_OF_A_LOG = 24
"""Lines of a log that are shown; its head is longer."""

_BEFORE = """\
# Pages

Made from what the program prints; not edited by hand.

`slicewright report RUN --page NAME` prints a simulated run in the form that analysts know from their monitors. Numbers
are rounded as on the original, and sampled values are sampled here too. Each page below shows its first lines, from a
run of ten seconds of a starter scenario:

- `slicewright new pool`, unless listed below;
- `slicewright new two-domains`: partitions, processors, checks;
- `slicewright new zvm`, in two intervals of five seconds: control programs;
- `slicewright new apache-spin`, in two intervals of five seconds: guests that spin;
- `slicewright new enq-exits`: resources by name;
- `slicewright new full-channel`: channel paths."""

OF_DOMAINS = frozenset({"rmf-cpu", "rmf-partition", "checks"})
"""Pages that are shown for the starter of domains."""

OF_CONTROL_PROGRAMS = frozenset({*BY_INTERVAL, PARKING})
"""Pages that only the starter of a z/VM partition has."""


def page() -> str:
    """The page, in Markdown."""
    parts = [_BEFORE]
    with tempfile.TemporaryDirectory() as folder:
        for kind, intervals in (
            ("pool", 1),
            ("two-domains", 1),
            ("zvm", 2),
            ("apache-spin", 2),
            ("enq-exits", 1),
            ("full-channel", 1),
        ):
            short = {"measure.interval": f"{10 // intervals} s", "measure.intervals": intervals}
            run(starter(kind), replications=2, set=short | {"measure.warm_up": "1 s"}, out=f"{folder}/{kind}")
        for name, what in PAGES.items():
            lines = _printed("report", f"{folder}/{_starter(name)}", "--page", name).rstrip("\n").split("\n")
            most = MOST_LINES_OF_A_LOG if name in OF_CONTROL_PROGRAMS else MOST_LINES
            shown = lines if len(lines) <= most else [*lines[:most], "..."]
            body = "\n".join(line.rstrip() for line in shown)
            parts.append(f"## {name}\n\n{what[0].upper()}{what[1:]}.\n\n```text\n{body}\n```")
    return "\n\n".join(parts) + "\n"


def _starter(page: str) -> str:
    """The starter scenario of a page."""
    if page in OF_SPINNING:
        return "apache-spin"
    if page in TABLE_PAGES:
        return TABLE_PAGES[page].starter
    if page == "contention":
        return "enq-exits"
    if page in OF_CONTROL_PROGRAMS:
        return "zvm"
    return "two-domains" if page in OF_DOMAINS else "pool"


def _printed(*words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        status = main(list(words))
    if status:
        raise RuntimeError(f"slicewright {' '.join(words)} ended with status {status}")
    return out.getvalue()
