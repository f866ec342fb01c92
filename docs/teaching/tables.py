"""The tables of the teaching pages, as Markdown: one row per setting, simulated values with half-widths, theory beside.

A page has `<!-- table NAME -->` above its table and `<!-- end -->` below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from slicewright import Run, run
from slicewright.statistics import Estimate, estimate, fixed
from slicewright.values.carried import data_folder

from docs.teaching import theory

Cell = tuple[Estimate, float]
"""A simulated value and the theoretical one."""

CUSTOMERS, THINK_MS = 12, 2.0
"""As in the scenario of the bank."""


@dataclass(frozen=True)
class Table:
    """A table: the head of its first column, a label per row, and per further column its head and its cells."""

    first: str
    labels: Sequence[str]
    columns: Mapping[str, Sequence[Cell]]

    def markdown(self) -> str:
        """Its lines; a column is simulated ± half-width, the one to its right the closed form."""
        head = [self.first]
        body = [list(self.labels)]
        for name, cells in self.columns.items():
            head += [f"{name}, simulated", "theory"]
            body.append([str(simulated) for simulated, _ in cells])
            body.append([fixed(value, 3) for _, value in cells])
        lines = ["| " + " | ".join(head) + " |", "|" + "---:|" * len(head)]
        lines += ["| " + " | ".join(row) + " |" for row in zip(*body, strict=True)]
        return "\n".join(lines)

    def cells(self) -> list[Cell]:
        """Every simulated value with its theory."""
        return [cell for cells in self.columns.values() for cell in cells]


def one_server() -> Table:
    """M/M/1 from nearly idle to nearly full."""
    loads = (10, 50, 75, 90, 95)
    results = [at_load(load) for load in loads]
    response = [theory.one_server(load / 100) for load in loads]
    waiting = [load / 100 * (value - 1) for load, value in zip(loads, response, strict=True)]
    return Table(
        "busy, %",
        [str(load) for load in loads],
        {
            "response, ms": [
                (system(result, "response_ms"), value) for result, value in zip(results, response, strict=True)
            ],
            "waiting": [(system(result, "queue_depth"), value) for result, value in zip(results, waiting, strict=True)],
        },
    )


def bank_tellers() -> Table:
    """The bank from one teller to one per customer, with nothing shared."""
    tellers = (1, 2, 3, 4, 5, 6, 8, 12)
    known = [theory.repairman(CUSTOMERS, THINK_MS, count) for count in tellers]
    results = [bank(count, 0) for count in tellers]
    return Table(
        "tellers",
        [str(count) for count in tellers],
        {
            "response, ms": [
                (system(result, "response_ms"), value.response) for result, value in zip(results, known, strict=True)
            ],
            "waiting": [
                (system(result, "queue_depth"), value.waiting) for result, value in zip(results, known, strict=True)
            ],
        },
    )


def shared_till() -> Table:
    """The same bank, its tellers sharing a tenth of their work, and all of it."""
    tellers = (1, 2, 4, 6, 8, 12)
    columns = {}
    for sharing in (10, 100):
        known = [theory.repairman(CUSTOMERS, THINK_MS, count, sharing / 100) for count in tellers]
        results = [bank(count, sharing) for count in tellers]
        columns[f"response, ms, sharing {sharing} %"] = [
            (system(result, "response_ms"), value.response) for result, value in zip(results, known, strict=True)
        ]
    return Table("tellers", [str(count) for count in tellers], columns)


def many_servers() -> Table:
    """M/M/c at 75 % busy: the same load per server, and ever more servers behind one queue."""
    servers = (1, 2, 4, 8, 16)
    results = [servers_behind_one_queue(count) for count in servers]
    response = [theory.many_servers(count, 0.75 * count) for count in servers]
    waiting = [0.75 * count * (value - 1) for count, value in zip(servers, response, strict=True)]
    return Table(
        "servers",
        [str(count) for count in servers],
        {
            "response, ms": [
                (system(result, "response_ms"), value) for result, value in zip(results, response, strict=True)
            ],
            "waiting": [(system(result, "queue_depth"), value) for result, value in zip(results, waiting, strict=True)],
        },
    )


TABLES: dict[str, Callable[[], Table]] = {
    "one-server": one_server,
    "bank-tellers": bank_tellers,
    "shared-till": shared_till,
    "many-servers": many_servers,
}
"""The tables by name; the name is above the table on its page."""


def written(page: str, fresh: Mapping[str, str]) -> str:
    """A page with its tables replaced by fresh ones, by name.

    >>> written("<!-- table a -->\\nold\\n<!-- end -->\\n", {"a": "new"})
    '<!-- table a -->\\n\\nnew\\n\\n<!-- end -->\\n'
    """

    def table(match: re.Match[str]) -> str:
        return f"<!-- table {match[1]} -->\n\n{fresh[match[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", table, page, flags=re.DOTALL)


def pages() -> list[Path]:
    """The teaching pages."""
    return sorted(Path(__file__).parent.glob("*.md"))


@cache
def at_load(percent: int, interval: str = "10 min") -> Run:
    """M/M/1 at this load."""
    changed = {"guest.USERS.arrivals": f"{10 * percent}/s", "measure.interval": interval}
    return run(data_folder("scenarios") / "mm1.toml", set=changed)


@cache
def bank(tellers: int, sharing_percent: int, interval: str = "1 min") -> Run:
    """The bank with this many tellers and this sharing."""
    changed = {
        "volume.BANK.aliases": tellers - 1,
        "control_unit.TILL.sharing": f"{sharing_percent} %",
        "measure.interval": interval,
    }
    return run(data_folder("scenarios") / "teaching" / "bank-tellers.toml", set=changed)


@cache
def servers_behind_one_queue(servers: int, percent: int = 75, interval: str = "1 min") -> Run:
    """M/M/c with this many servers at this load."""
    changed = {
        "volume.BANK.aliases": servers - 1,
        "guest.CUSTOMERS.arrivals": f"{10 * percent * servers}/s",
        "measure.interval": interval,
    }
    return run(data_folder("scenarios") / "mmc.toml", set=changed)


def system(result: Run, counter: str) -> Estimate:
    """A counter of the whole system."""
    return estimate(result.values("system", counter))
