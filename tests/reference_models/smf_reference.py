"""A second writer of SMF dumps: records of RMF from the tables of a run, at the offsets that IBM publishes.

It shares nothing with the engine's writer.  Places and meanings: z/OS MVS System Management Facilities, and IBM's z/OS
Data Gatherer.  Unlike that writer it has record 73, and in 78-3 the channel paths of a control unit.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
Section = bytearray
TICK_MS = 0.128


@dataclass(frozen=True)
class Interval:
    """The tables of an interval: rows by name; `paths` are the channel paths of each pool, `weights` of partitions."""

    start: datetime.datetime
    seconds: float
    tables: Mapping[str, Sequence[Row]]
    weights: Mapping[str, int]
    processors: int
    paths: Sequence[int]

    @property
    def samples(self) -> int:
        """A sample of RMF in each second."""
        return round(self.seconds)

    def count(self, per_second: float | None) -> int:
        """How often something happens."""
        return round((per_second or 0.0) * self.seconds)


def dump(intervals: Sequence[Interval], system: str) -> bytes:
    """The records of the intervals, each in a block of its own."""
    out = b""
    for interval in intervals:
        for record in _records(interval, system):
            out += struct.pack(">HH", len(record) + 4, 0) + record
    return out


def _records(interval: Interval, system: str) -> list[bytes]:
    made = [
        _record((70, 1), _processors(interval), interval, system),
        _record((73, 1), _channels(interval), interval, system),
        _record((74, 1), _devices(interval), interval, system),
        _record((77, 1), _resources(interval), interval, system),
        _queuing(interval, system),
    ]
    if interval.tables["serialization"]:
        made.append(_record((72, 5), _requests(interval), interval, system))
    return made


def _put(section: Section, at: int, length: int, value: float) -> None:
    section[at : at + length] = round(value).to_bytes(length)


def _text(section: Section, at: int, length: int, text: str) -> None:
    section[at : at + length] = text.ljust(length)[:length].encode("cp037")


def _float(section: Section, at: int, value: float) -> None:
    """A short floating-point number of System/360: sign and exponent of 16, excess 64; a fraction of 24 bits."""
    exponent = 64
    while value >= 1:
        value, exponent = value / 16, exponent + 1
    while 0 < value < 1 / 16:
        value, exponent = value * 16, exponent - 1
    section[at : at + 4] = bytes([exponent if value else 0]) + min(round(value * 2**24), 2**24 - 1).to_bytes(3)


def _packed(digits: str) -> bytes:
    return bytes.fromhex(digits + "F")


def _date(when: datetime.datetime) -> bytes:
    return _packed(f"01{when:%y}{when.timetuple().tm_yday:03}")


def _record(
    code: tuple[int, int], kinds: Sequence[Sequence[Section]], interval: Interval, system: str, more: bytes = b""
) -> bytes:
    """Header, triplets, product section, sections; `more` are bytes that no triplet locates."""
    start, end = interval.start, interval.start + datetime.timedelta(seconds=interval.seconds)
    product = Section(104)
    _text(product, 2, 8, "RMF")
    product[10:14] = _packed(f"0{start:%H%M%S}")
    product[14:18] = _date(start)
    minutes, ms = divmod(round(1e3 * interval.seconds), 60_000)
    product[18:22] = _packed(f"{minutes:02}{ms:05}")
    _put(product, 24, 4, interval.samples)
    product[36:40] = _packed("0001000")
    _put(product, 50, 1, 1)
    _text(product, 96, 8, system)
    every = [[product], *kinds]
    at, triplets, body = 28 + 8 * len(every), b"", b""
    for sections in every:
        length = len(sections[0]) if sections else 0
        triplets += struct.pack(">IHH", at + len(body) if sections else 0, length, len(sections))
        body += b"".join(map(bytes, sections))
    midnight = end.replace(hour=0, minute=0, second=0, microsecond=0)
    hundredths = round(100 * (end - midnight).total_seconds())
    head = struct.pack(">HBBI", 0, 0xDE, code[0], hundredths) + _date(end)
    head += system.ljust(4).encode("cp037") + "RMF ".encode("cp037") + struct.pack(">HHH", code[1], len(every), 0)
    record = head + triplets + body + more
    return struct.pack(">H", len(record) + 2) + record


def _processors(interval: Interval) -> list[list[Section]]:
    control = Section(404)
    partitions: list[Section] = []
    logical: list[Section] = []
    own: list[Section] = []
    _put(control, 3, 1, interval.processors)
    _put(control, 24, 2, interval.samples)
    us = 1e4 * interval.seconds
    for number, row in enumerate(interval.tables["partitions"], 1):
        rows = [each for each in interval.tables["logical_processors"] if each["partition"] == row["partition"]]
        partition = Section(84)
        _text(partition, 0, 8, row["partition"])
        _put(partition, 8, 1, number)
        partition[9] = 0x04
        _put(partition, 10, 2, len(rows))
        _put(partition, 12, 4, len(logical))
        partitions.append(partition)
        for each in rows:
            idle = 100 - each["dispatched_percent"] - each["management_percent"] - each["pending_percent"]
            processor = Section(96)
            _put(processor, 0, 8, us * (each["dispatched_percent"] + each["management_percent"]))
            _put(processor, 8, 2, each["number"])
            _put(processor, 10, 2, interval.weights[row["partition"]])
            _put(processor, 14, 2, 1)
            _put(processor, 16, 8, us * each["dispatched_percent"])
            _put(processor, 40, 8, us * 100)
            _put(processor, 48, 8, us * max(idle, 0))
            logical.append(processor)
            if number == 1:
                own.append(_own(interval, each))
    name = Section(24)
    _text(name, 0, 16, "CP")
    _put(name, 16, 2, interval.processors)
    _put(name, 20, 4, interval.processors * interval.samples)
    return [[control], own, [], partitions, logical, [name]]


def _own(interval: Interval, row: Row) -> Section:
    cpu, interrupts = Section(92), interval.count(row["interrupts_per_s"])
    tested = round(interrupts * (row["tpi_percent"] or 0) / 100)
    _put(cpu, 0, 8, 4096 * 1e4 * interval.seconds * (100 - row["busy_percent"]))
    _put(cpu, 8, 2, row["number"])
    cpu[10] = 0x09
    _put(cpu, 16, 4, interrupts - tested)
    _put(cpu, 20, 4, tested)
    return cpu


def _channels(interval: Interval) -> list[list[Section]]:
    """FICON, measurement group 2: work units of a channel that does 1,000 of them in a second at most."""
    made = []
    for row in interval.tables["channels"]:
        channel = Section(112)
        channel[0:2] = bytes([int(row["channel"], 16), 0x01])
        _put(channel, 12, 4, interval.seconds * 1e6 / 1_024)
        channel[22:24] = b"\x02\xf8"
        for at, value in {4: 1_000, 16: 4_096, 24: 10 * row["busy_percent"] * interval.seconds}.items():
            _float(channel, 24 + at, value)
        for at, kib in {32: row["write_kib_per_s"], 40: row["read_kib_per_s"]}.items():
            _float(channel, 24 + at, (kib or 0) / 4 * interval.seconds)
        made.append(channel)
    return [[Section(92)], made]


def _devices(interval: Interval) -> list[list[Section]]:
    rows, pools = interval.tables["volumes"], [pool["pool"] for pool in interval.tables["pools"]]
    control = Section(110)
    _put(control, 2, 2, len(rows))
    _put(control, 6, 2, 0x20)
    made = []
    for row in rows:
        device, starts = Section(300), interval.count(row["io_per_s"])
        _put(device, 0, 2, int(row["device"], 16))
        device[5] = 0x01
        _text(device, 6, 6, row["volume"])
        if row["pool"]:
            pool = interval.tables["pools"][pools.index(row["pool"])]
            _put(device, 2, 2, pools.index(row["pool"]) + 1)
            device[120] = 0x22
            _put(device, 153, 1, pool["aliases"])
            _put(device, 16, 4, row["alias_io_per_s"] * row["service_ms"] / 1e3 * interval.samples)
        _put(device, 156, 4, interval.samples)
        for at, value in {20: starts, 24: starts, 44: row["queue_depth_sampled"] * interval.samples}.items():
            _put(device, at, 4, value)
        for at, column in {28: "conn_ms", 32: "pend_ms", 40: "disc_ms"}.items():
            _put(device, at, 4, (row[column] or 0.0) * starts / TICK_MS)
        made.append(device)
    return [[control], made]


def _queuing(interval: Interval, system: str) -> bytes:
    """Record 78-3: each unit's paths are behind the sections, where the section of the unit locates them."""
    units, queues, pools, paths = [], [], [], b""
    rows = interval.tables["pools"]
    at = 28 + 8 * 5 + 104 + len(rows) * (20 + 68 + 88)
    for number, row in enumerate(rows, 1):
        unit, queue, pool = Section(20), Section(68), Section(88)
        volumes = [volume for volume in interval.tables["volumes"] if volume["pool"] == row["pool"]]
        for section in (unit, queue, pool):
            _put(section, 0, 2, number)
        _put(unit, 4, 4, at + len(paths))
        _put(unit, 8, 2, 56)
        _put(unit, 10, 2, len(interval.paths))
        queue[2] = 0x02
        counts = {8: row["fails"], 12: sum(interval.count(volume["io_per_s"]) for volume in volumes), 40: row["tries"]}
        for place, value in {**counts, 44: row["tries"] - row["fails"]}.items():
            _float(pool, place, value)
        _put(pool, 16, 4, row["aliases"] - row["low_water"])
        paths += b"".join(bytes([path, 0xC0]) + bytes(54) for path in interval.paths)
        units.append(unit)
        queues.append(queue)
        pools.append(pool)
    return _record((78, 3), [units, queues, [], pools], interval, system, paths)


def _resources(interval: Interval) -> list[list[Section]]:
    made = []
    for row in interval.tables["enqueues"]:
        if not row["contentions"]:
            continue
        resource = Section(168)
        _text(resource, 0, 8, row["qname"])
        _text(resource, 8, 44, row["rname"])
        for at, column in {52: "contention_min_ms", 56: "contention_max_ms", 60: "contention_total_ms"}.items():
            _put(resource, at, 4, (row[column] or 0.0) / 1.024)
        for number in range(1, 5):
            looks = row["contention_total_ms"] / 1e3 * (row[f"queue_{number}_percent"] or 0.0) / 100
            _put(resource, 64 + 2 * number, 2, looks)
        _put(resource, 78, 2, row["exclusive_waiters_max"])
        _put(resource, 82, 2, row["shared_waiters_max"])
        _put(resource, 84, 2, row["contentions"])
        _put(resource, 86, 1, len(row["rname"]))
        resource[87] = 0x40 if row["scope"] == "SYSTEMS" else 0
        made.append(resource)
    return [[Section(2)], made]


def _requests(interval: Interval) -> list[list[Section]]:
    control = Section(384)
    for at, scope in {240: "STEP", 288: "SYSTEM", 336: "SYSTEMS"}.items():
        rows = [row for row in interval.tables["enqueues"] if row["scope"] == scope]
        _put(control, at, 8, sum(interval.count(row["requests_per_s"]) for row in rows))
    (service,) = interval.tables["serialization"]
    contended = (service["lock_contended_percent"] or 0) / 100 * (service["lock_per_s"] or 0)
    _put(control, 48, 8, interval.count(contended))
    _put(control, 64, 8, (service["lock_waiting"] or 0) * 1e3 * interval.seconds)
    return [[control]]
