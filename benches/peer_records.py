"""Readers of monitor data and SMF in Python, for comparison: plain `struct`, and maps of adapya-base.

Each gives five numbers of each device and interval: rate, pending, disconnect and connect time, and queue.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from adapya.base.datamap import NETWORKBO, Bytes, Datamap, String, Uint2, Uint4
from adapya.base.recordio import readrec

Five = tuple[float, float, float, float, float]

BLOCK = 4096
HEADER = struct.Struct(">HHBxHQ")
AREA = struct.Struct(">BBxxII")
DEVICE = struct.Struct(">4s28xIIIII116xII")
"""Of record 6/3 from byte 24: subchannel; connect, pending, disconnect time; samples, queue; starts, timed starts."""

WORDS = struct.Struct(">HH")
TRIPLET = struct.Struct(">IHH")
SECTION = struct.Struct(">20xIIII4xII4x")
"""Of a device section of record 74-1: starts, timed starts, connect, pending and disconnect time, queue."""
WHOLE, LAST = 0, 0x200
"""Of a segment: a whole record, the last one of a record."""
PRODUCT, DEVICES = 28, 44
"""The places of two triplets of record 74-1."""
LENGTH_AT, SAMPLES_AT = 18, 24
"""The places of two fields of a product section: length of the interval, samples."""
TICK_MS = 0.128


def monitor_struct(path: Path) -> list[Five]:
    """Differences of successive records 6/3 of a MONWRITE file, by `struct`."""
    before: dict[bytes, tuple[int, tuple[int, ...]]] = {}
    rows: list[Five] = []
    for domain, number, clock, frame, at in _monitor_records(path):
        if (domain, number) != (6, 3):
            continue
        device, *counters = DEVICE.unpack_from(frame, at + 24)
        last = before.get(device)
        before[device] = (clock, tuple(counters))
        if last is None:
            continue
        connect, pending, disconnect, samples, queued, starts, timed = (
            now - then for now, then in zip(counters, last[1], strict=True)
        )
        tick = TICK_MS / (timed or 1)
        rate = starts * 4_096_000_000 / (clock - last[0])
        rows.append((rate, pending * tick, disconnect * tick, connect * tick, queued / (samples or 1)))
    return rows


def _monitor_records(path: Path) -> Iterator[tuple[int, int, int, bytes, int]]:
    """Domain, number and clock of each record, with its frame and place in it."""
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            for at in range(40, BLOCK - 12, 12):
                kind, _, start, end = AREA.unpack_from(block, at)
                if not kind:
                    break
                left = end - start + 1
                while left > 0:
                    frame, size, place = file.read(BLOCK), min(left, BLOCK), 0
                    left -= size
                    while place + HEADER.size <= size:
                        length, _, domain, number, clock = HEADER.unpack_from(frame, place)
                        yield domain, number, clock, frame, place
                        if domain == 1 and number in (11, 13):
                            break
                        place += length


def smf_struct(path: Path) -> list[Five]:
    """The device sections of records 74-1 of a dump with block and record descriptor words, by `struct`."""
    rows: list[Five] = []
    for record in _smf_records(path.read_bytes()):
        if record[5] != 74 or record[22:24] != b"\x00\x01":
            continue
        seconds, samples = _interval(record)
        offset, size, number = TRIPLET.unpack_from(record, DEVICES)
        sections = record[offset : offset + size * number]
        for starts, timed, connect, pending, disconnect, queued in SECTION.iter_unpack(sections):
            tick = TICK_MS / (timed or 1)
            rows.append((starts / seconds, pending * tick, disconnect * tick, connect * tick, queued / samples))
    return rows


def _smf_records(data: bytes) -> Iterator[bytes]:
    """Each record with a descriptor word first, its segments put together."""
    at, joined = 0, b""
    while at < len(data):
        end, at = at + WORDS.unpack_from(data, at)[0], at + 4
        while at < end:
            length, segment = WORDS.unpack_from(data, at)
            joined += data[at + 4 * bool(joined) : at + length]
            at += length
            if segment in (WHOLE, LAST):
                yield joined
                joined = b""


def _interval(record: bytes) -> tuple[float, int]:
    """Seconds and samples of the interval of a record of RMF, from its product section."""
    offset, _, _ = TRIPLET.unpack_from(record, PRODUCT)
    digits = int(record[offset + LENGTH_AT : offset + LENGTH_AT + 4].hex()[:-1])
    minutes, ms = divmod(digits, 100_000)
    (samples,) = struct.unpack_from(">I", record, offset + SAMPLES_AT)
    return 60 * minutes + ms / 1000, samples


def smf_adapya(path: Path) -> list[Five]:
    """The same by adapya-base: its reader of dumps, and a map of the section, for which it has none."""
    rows: list[Five] = []
    section = Datamap(
        "SMF74B", Uint2("num"), Uint2("lcu"), Bytes("flags", 2), String("ser", 6), Bytes("kind", 4), Uint4("nux"),
        *(Uint4(name) for name in ("ssc", "mec", "cnn", "pen", "atv", "dis", "que", "utl")),
        byteOrder=NETWORKBO, ebcdic=1,
    )  # fmt: skip
    with path.open("rb") as file:
        for record in readrec(file, recform="BDW+"):
            if record[5] != 74 or record[22:24] != b"\x00\x01":
                continue
            seconds, samples = _interval(record)
            offset, size, number = TRIPLET.unpack_from(record, DEVICES)
            section.buffer = record
            for at in range(offset, offset + size * number, size):
                section.offset = at
                tick = TICK_MS / (section.mec or 1)
                times = (section.pen * tick, section.dis * tick, section.cnn * tick)
                rows.append((section.ssc / seconds, *times, section.que / samples))
    return rows
