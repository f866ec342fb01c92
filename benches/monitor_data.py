"""`make bench`: monitor data reduced to intervals, beside the same work in plain Python with `struct`.

Both read the same file and compute rates, times and queues of each device and interval. `cargo bench --package records
--bench monitor` times the engine without Python. No number fails the run: a busy machine is no fault.
"""

import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table
from slicewright._core import MonitorFile, monitor_file
from slicewright.run.tables import unpacked

from benches import machine

ROUNDS = 5
DEVICES = 500
INTERVALS = 120
WANTED_MB = 250.0
WANTED_FACTOR = 100.0

BLOCK = 4096
HEADER = struct.Struct(">HHBxHQ")
AREA = struct.Struct(">BBxxII")
SCHEDULE = ("volumes", "pools", "partitions", "logical_processors", "control_programs", "control_processors", "locks")
NAMES = {"volumes": "volume", "pools": "pool", "locks": "lock"}


def written() -> bytes:
    """A file with a sample a minute of many devices."""
    count = range(DEVICES)
    devices: dict[str, list[object]] = {
        "device": [f"{0x5000 + number:04X}" for number in count],
        "label": [f"V{number:05}" for number in count],
        "role": ["base"] * DEVICES,
        "paths": [4] * DEVICES,
        **{name: [""] * DEVICES for name in ("type", "base", "pool")},
    }
    times = {"io_per_s": 120.0, "pend_ms": 0.2, "disc_ms": 0.1, "conn_ms": 0.9, "queue_depth": 0.3, "response_ms": 1.5}
    devices |= {name: [value] * DEVICES for name, value in times.items()}
    empty: dict[str, dict[str, list[object]]] = {
        name: {NAMES.get(name, "partition"): [], "number": []} for name in SCHEDULE
    }
    interval = {"length_s": 60.0, "samples": 30, "tables": {**empty, "devices": devices}}
    return monitor_file([interval] * INTERVALS, "LABSYS", 0)


def engine(path: Path) -> int:
    """Device intervals as the engine reads them into tables."""
    read = MonitorFile.read([(path, path.name)])
    return unpacked(read.tables("LABSYS"))["devices"].height


def plain(path: Path) -> int:
    """The same in Python: rates, times and queues of each device, interval by interval."""
    before: dict[bytes, tuple[int, ...]] = {}
    rows: list[tuple[float, ...]] = []
    for record in _records(path):
        _, _, domain, number, clock = HEADER.unpack_from(record)
        if (domain, number) != (6, 3):
            continue
        starts, timed = struct.unpack_from(">II", record, 192)
        spans = struct.unpack_from(">III", record, 56)
        queue = struct.unpack_from(">II", record, 68)
        now = (clock, starts, timed, *spans, *queue)
        last = before.get(record[24:28])
        if last is not None:
            step = [a - b for a, b in zip(now, last, strict=True)]
            seconds, events = step[0] / 4_096_000_000, step[2] or 1
            means = (span * 0.128 / events for span in step[3:6])
            rows.append((step[1] / seconds, *means, step[7] / (step[6] or 1)))
        before[record[24:28]] = now
    return len(rows)


def _records(path: Path):  # type: ignore[no-untyped-def]
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            areas = [AREA.unpack_from(block, at) for at in range(40, BLOCK - 12, 12)]
            for kind, _, start, end in areas:
                if not kind:
                    break
                left = end - start + 1
                while left > 0:
                    frame, size, at = file.read(BLOCK), min(left, BLOCK), 0
                    left -= size
                    while at + HEADER.size <= size:
                        length, _, domain, number, _ = HEADER.unpack_from(frame, at)
                        yield frame[at : at + length]
                        if domain == 1 and number in (11, 13):
                            break
                        at += length


SIDES: dict[str, Callable[[Path], int]] = {"engine, into tables": engine, "struct in Python": plain}


def main() -> int:
    """Measure and print."""
    console = Console()
    console.print(machine.description())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "day.monwrite"
        path.write_bytes(written())
        size = path.stat().st_size / 1e6
        rates: dict[str, list[float]] = {name: [] for name in SIDES}
        for _ in range(ROUNDS):
            for name, side in SIDES.items():
                busy = time.process_time()
                side(path)
                rates[name].append(size / (time.process_time() - busy))
    table = Table(title=f"{size:.0f} MB of monitor data, one core, {ROUNDS} rounds, MB/s", title_justify="left")
    for heading in ("side", "median", "best", "worst"):
        table.add_column(heading, justify="left" if heading == "side" else "right")
    for name, rounds in rates.items():
        table.add_row(name, *(f"{number:,.1f}" for number in (median(rounds), max(rounds), min(rounds))))
    console.print(table)
    ours, theirs = (median(rates[name]) for name in SIDES)
    console.print(f"{ours / theirs:.1f} times the rate of Python; {WANTED_FACTOR:.0f} is wanted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
