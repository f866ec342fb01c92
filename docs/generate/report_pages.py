"""The page of pages: what `slicewright report --page` can print, each with its beginning from a small run."""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stdout

from slicewright import run
from slicewright._core import starter
from slicewright.cli import main
from slicewright.pages.catalogue import PAGES
from slicewright.pages.control_programs import BY_INTERVAL, OF_SPINNING, PARKING

MOST_LINES = 16
"""Lines of a page that are shown; what follows them is more of the same."""

MOST_LINES_OF_A_LOG = 24
"""The same of a log, whose head is longer."""

_BEFORE = """\
# Pages

Made from what the program prints; not edited by hand.

`slicewright report RUN --page NAME` prints a simulated run the way analysts know it from their monitors. Numbers are
rounded as on the original, and what is sampled there is the sampled value here. Each page below is the beginning of
that of the starter scenario (`slicewright new pool`), measured for ten seconds; pages of partitions and processors, and
the checks, are those of `slicewright new two-domains`, those of control programs of `slicewright new zvm`, measured for
two intervals of five seconds, of these the ones on guests that spin of `slicewright new apache-spin`, and those of
resources by name of `slicewright new enq-exits`."""

OF_DOMAINS = frozenset({"rmf-cpu", "rmf-partition", "checks"})
"""Pages that the starter of domains has more to show on."""

OF_NAMES = frozenset({"rmf-enqueue", "contention"})
"""Pages of what guests enqueue on."""

OF_CONTROL_PROGRAMS = frozenset({*BY_INTERVAL, PARKING})
"""Pages that only the starter of a z/VM partition has."""


def page() -> str:
    """The page, in Markdown."""
    parts = [_BEFORE]
    with tempfile.TemporaryDirectory() as folder:
        for kind, intervals in (("pool", 1), ("two-domains", 1), ("zvm", 2), ("apache-spin", 2), ("enq-exits", 1)):
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
    """The starter scenario that a page is shown of."""
    if page in OF_SPINNING:
        return "apache-spin"
    if page in OF_NAMES:
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
