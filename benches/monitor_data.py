"""`make bench`: monitor data and SMF read into tables, beside readers in Python: `struct`, and adapya-base for SMF.

The readers in Python give five numbers of each device and interval, and these are compared with the engine's. The
engine is timed twice: with a frame of these numbers, and with every table. `cargo bench --package records` times it
without Python. No rate fails the run: a busy machine is no fault.

`python -m benches.monitor_data 5` makes a dump of 5 GB, reads it into a run once, and prints rate and peak memory.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, isclose
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table
from slicewright._core import MonitorFile, SmfFile, monitor_file, smf_file
from slicewright.run.tables import unpacked

from benches import machine, peer_records

ROUNDS = 5
DEVICES = 500
MINUTES = 120
VOLUMES = 5_000
QUARTERS = 24
WANTED_MB = 250
WANTED_FACTOR = 100
WANTED_PEAK_MB = 300

SCHEDULE = ("volumes", "pools", "partitions", "logical_processors", "control_programs", "control_processors", "locks")
NAMES = {"volumes": "volume", "pools": "pool", "locks": "lock"}
FIGURES = {"io_per_s": 120.0, "pend_ms": 0.2, "disc_ms": 0.1, "conn_ms": 0.9, "queue_depth": 0.3, "response_ms": 1.5}

Side = Callable[[Path], pl.DataFrame | Sequence[peer_records.Five]]


@dataclass(frozen=True)
class Form:
    """A form of monitor data: a file of it, the engine's reader and five columns, and other readers."""

    title: str
    file: bytes
    reader: type[MonitorFile] | type[SmfFile]
    table: str
    columns: Sequence[str]
    peers: dict[str, Side]

    def sides(self) -> dict[str, Side]:
        """Each reader by its name; the engine's are first."""
        return {"engine, every table": self.every_table, "engine, five numbers": self.five_numbers, **self.peers}

    def every_table(self, path: Path) -> pl.DataFrame:
        """Every table as a frame; that of the five numbers."""
        return unpacked(self._tables(path))[self.table].select(self.columns)

    def five_numbers(self, path: Path) -> pl.DataFrame:
        """A frame of the five numbers alone."""
        table = self._tables(path)[self.table]
        return pl.DataFrame([pl.Series(name, np.frombuffer(table[name], "<f8")) for name in self.columns])

    def _tables(self, path: Path) -> dict[str, dict[str, Any]]:
        rows = self.reader([(path, path.name)]).rows(1 << 40) or {}
        return rows[next(iter(rows))]


def monitor() -> Form:
    """A file of MONWRITE with a sample a minute of 500 devices."""
    count = range(DEVICES)
    devices: dict[str, list[object]] = {
        "device": [f"{0x5000 + number:04X}" for number in count],
        "label": [f"V{number:05}" for number in count],
        "role": ["base"] * DEVICES,
        "paths": [4] * DEVICES,
        **{name: [""] * DEVICES for name in ("type", "base", "pool")},
        **{name: [value] * DEVICES for name, value in FIGURES.items()},
    }
    empty: dict[str, dict[str, list[object]]] = {
        name: {NAMES.get(name, "partition"): [], "number": []} for name in SCHEDULE
    }
    interval = {"length_s": 60.0, "samples": 30, "tables": {**empty, "devices": devices}}
    file = monitor_file([interval] * MINUTES, "LABSYS", 0)
    columns = ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "queue_depth")
    peers: dict[str, Side] = {"struct": peer_records.monitor_struct}
    return Form("monitor data", file, MonitorFile, "devices", columns, peers)


def smf() -> Form:
    """A dump with a quarter of an hour of 5,000 volumes in each interval."""
    count = range(VOLUMES)
    volumes: dict[str, list[object]] = {
        "volume": [f"V{number:05}" for number in count],
        "device": [f"{number:04X}" for number in count],
        **{name: [value] * VOLUMES for name, value in FIGURES.items()},
    }
    interval = {"length_s": 900.0, "samples": 900, "tables": {"volumes": volumes}}
    file = smf_file([interval] * QUARTERS, "LAB1", 0)
    columns = ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "queue_depth_sampled")
    peers: dict[str, Side] = {"struct": peer_records.smf_struct, "adapya-base": peer_records.smf_adapya}
    return Form("SMF", file, SmfFile, "volumes", columns, peers)


def check(name: str, found: dict[str, list[float]], sums: list[float]) -> None:
    """Raise AssertionError unless a side found what the first one did."""
    first = next(iter(found.values()), sums)
    same = [isclose(a, b, rel_tol=1e-9) for a, b in zip(first, sums, strict=True)]
    assert all(same), f"{name} found {sums}, and the engine {first}"


def totals(rows: pl.DataFrame | Sequence[peer_records.Five]) -> list[float]:
    """How many rows there are, and the sum of each of the five numbers."""
    found = rows.rows() if isinstance(rows, pl.DataFrame) else rows
    return [float(len(found)), *(fsum(column) for column in zip(*found, strict=True))]


def timed(form: Form, path: Path) -> dict[str, list[float]]:
    """The rates of each side, MB/s; raises AssertionError unless all find the same."""
    rates: dict[str, list[float]] = {name: [] for name in form.sides()}
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, side in form.sides().items():
            busy = time.process_time()
            rows = side(path)
            rates[name].append(len(form.file) / 1e6 / (time.process_time() - busy))
            check(name, found, totals(rows))
            found[name] = totals(rows)
    return rates


def shown(form: Form, rates: dict[str, list[float]], console: Console) -> None:
    """Print the rates, and how often the engine's are those of the others."""
    size = len(form.file) / 1e6
    title = f"{size:.0f} MB of {form.title}, one core, {ROUNDS} rounds, MB/s ({WANTED_MB} wanted)"
    table = Table(title=title, title_justify="left")
    for heading in ("side", "median", "best", "worst"):
        table.add_column(heading, justify="left" if heading == "side" else "right")
    for name, rounds in rates.items():
        table.add_row(name, *(f"{number:,.1f}" for number in (median(rounds), max(rounds), min(rounds))))
    console.print(table)
    every, five, *_ = (median(rounds) for rounds in rates.values())
    for name in form.peers:
        other = median(rates[name])
        console.print(f"{name}: five numbers {five / other:.1f} times as fast, every table {every / other:.1f} times")


def write_large(path: Path, gigabytes: float) -> None:
    """Write a dump of this size: quarters of an hour of 5,000 volumes, each with rates and times of its own."""
    draw = np.random.default_rng(0)
    names = {"volume": [f"V{at:05}" for at in range(VOLUMES)], "device": [f"{at:04X}" for at in range(VOLUMES)]}
    size = start_us = 0
    with path.open("wb") as stream:
        while size < gigabytes * 1e9:
            values = {name: (usual * draw.uniform(0.5, 1.5, VOLUMES)).tolist() for name, usual in FIGURES.items()}
            interval = {"length_s": 900.0, "samples": 900, "tables": {"volumes": names | values}}
            size += stream.write(smf_file([interval], "LAB1", start_us))
            start_us += 900_000_000


def large(gigabytes: float, console: Console) -> None:
    """Make a dump of this size, read it into a run, and print the rate and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large"
        write_large(path, gigabytes)
        begun, busy = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "slicewright", "read", str(path), "--out", f"{folder}/run"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        clock, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - busy.ru_utime - busy.ru_stime
        megabytes = path.stat().st_size / 1e6
        console.print(
            f"read --out of {megabytes:,.0f} MB of SMF: {megabytes / clock:.0f} MB/s on a clock, "
            f"{megabytes / seconds:.0f} MB per s of processor time, peak {after.ru_maxrss / 1024:.0f} MB "
            f"({WANTED_PEAK_MB} wanted)"
        )


def main() -> int:
    """Measure and print."""
    console = Console()
    console.print(machine.description())
    if len(sys.argv) > 1:
        large(float(sys.argv[1]), console)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for form in (monitor(), smf()):
            path = Path(folder) / "day"
            path.write_bytes(form.file)
            shown(form, timed(form, path), console)
    console.print(f"{WANTED_FACTOR} times is wanted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
