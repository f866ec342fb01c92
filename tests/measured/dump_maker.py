"""Small SMF dumps of invented systems, section by section, at the offsets that IBM's manual has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

TIME = 3_240_000
"""09:00 in hundredths of a second, the start of each interval; all last a quarter of an hour."""
DATE = bytes([0x01, 0x26, 0x04, 0x0F])
QUARTER = 900

Fields = Mapping[int, bytes]


def text(name: str, length: int) -> bytes:
    """A name in EBCDIC."""
    return name.ljust(length).encode("cp037")


def number(value: int, length: int) -> bytes:
    """A whole number."""
    return value.to_bytes(length)


def hex_float(value: float) -> bytes:
    """A short hexadecimal floating-point number."""
    exponent = 0
    while value >= 1:
        value, exponent = value / 16, exponent + 1
    return bytes([64 + exponent]) + round(value * 2**24).to_bytes(3)


def section(length: int, fields: Fields) -> bytes:
    """A section of zeros with some fields, by their offset."""
    made = bytearray(length)
    for at, value in fields.items():
        made[at : at + len(value)] = value
    return bytes(made)


def plain(kind: int, length: int = 18, fields: Fields | None = None, system: str = "LABX") -> bytes:
    """A record of a type without subtypes; fields by their offset in the record."""
    head = number(length, 2) + bytes([0, 0, 0x1E, kind]) + number(TIME, 4) + DATE + text(system, 4)
    return section(length, {0: head, **(fields or {})})


def record(
    code: tuple[int, int], triplets: Sequence[Sequence[bytes]], system: str = "LABX", partition: int = 1
) -> bytes:
    """A record of RMF with the sections of each triplet; the product section is made."""
    product = section(104, {
        0: b"\x79\x8f", 2: text("RMF", 8), 10: b"\x00\x90\x00\x0f", 14: DATE, 18: b"\x15\x00\x00\x0f",
        24: number(QUARTER, 4), 36: b"\x00\x01\x00\x0f", 50: number(partition, 1), 96: text(system, 8),
    })  # fmt: skip
    kinds = [[product], *triplets]
    at, located, body = 28 + 8 * len(kinds), b"", b""
    for sections in kinds:
        length = len(sections[0]) if sections else 0
        located += number(at if sections else 0, 4) + number(length, 2) + number(len(sections), 2)
        body += b"".join(sections)
        at += length * len(sections)
    head = bytes([0, 0, 0x5E, code[0]]) + number(TIME + 100 * QUARTER, 4) + DATE + text(system, 4) + text("RMF", 4)
    head += number(code[1], 2) + number(len(kinds), 2) + bytes(2)
    return number(at, 2) + head + located + body


def in_blocks(records: Sequence[bytes]) -> bytes:
    """Records in one block with its descriptor word."""
    body = b"".join(records)
    return number(len(body) + 4, 2) + bytes(2) + body


def write(path: Path, *records: bytes) -> Path:
    """A dump in one block."""
    path.write_bytes(in_blocks(records))
    return path


def partitions(rows: Sequence[tuple[str, int, int, Sequence[int]]], general: int = 6, length: int = 88) -> bytes:
    """Record 70-1 of partitions: name, number, weight, and the seconds that each logical processor was dispatched.

    The time is managed by PR/SM for a hundredth; `general` are the processors of the type CP.
    """
    logical: list[bytes] = []
    described: list[bytes] = []
    for name, at, weight, seconds in rows:
        described.append(
            section(84, {0: text(name, 8), 8: bytes([at, 4]), 10: number(len(seconds), 2), 12: number(len(logical), 4)})
        )
        for place, busy in enumerate(seconds):
            us, online = busy * 1_000_000, 0 if at == 0 else QUARTER * 1_000_000
            logical.append(section(length, {
                0: number(us, 8), 8: number(place, 2), 10: number(weight, 2), 14: number(1, 2),
                16: number(us * 99 // 100 if at else 0, 8), 40: number(online, 8), 48: number(max(online - us, 0), 8),
            }))  # fmt: skip
    types = [section(24, {0: text("CP", 16), 16: number(general, 2)})]
    cpus = [section(92, {8: number(0, 2), 10: b"\x09", 16: number(9_000, 4), 20: number(900, 4)})]
    control = [section(344, {3: number(general, 1)})]
    return record((70, 1), [control, cpus, [], described, logical, types])


def disks(rows: Sequence[tuple[str, int]], aliases: int = 0, subchannel_set: int = 0, exposures: int = 0) -> bytes:
    """Record 74-1 of volumes of one subsystem, 0031, with the I/Os that each ended, of half a millisecond.

    `aliases` are those of HyperPAV; with `exposures` each volume has static ones.
    """
    flags = b"\x22" if aliases else b"\x20" if exposures else b""
    control = [section(110, {2: number(len(rows), 2), 6: number(0x20, 2)})]
    devices = [
        section(300, {
            0: number(0x3100 + at, 2), 2: number(0x31, 2), 5: b"\x01", 6: text(name, 6), 20: number(count, 4),
            16: number(exposures, 4), 24: number(count, 4), 28: number(3 * count, 4), 32: number(count, 4),
            44: number(count // 10_000, 4), 120: flags, 153: number(aliases, 1), 181: number(subchannel_set, 1),
        })
        for at, (name, count) in enumerate(rows)
    ]  # fmt: skip
    return record((74, 1), [control, devices])


def paths(*numbers: int) -> bytes:
    """The sections of channel paths that are online to a subsystem."""
    return b"".join(section(56, {0: bytes([number_, 0xC0])}) for number_ in numbers)


def channels(busy: Mapping[int, float]) -> bytes:
    """Record 73 of FICON channel paths, busy for a share in percent of 1,000 work units a second."""
    measured = QUARTER * 1_000_000 // 1_024
    rows = [
        section(112, {
            0: bytes([path, 0x01]), 12: number(measured, 4), 22: b"\x02\xf8", 28: hex_float(1_000.0),
            40: hex_float(4_096.0), 48: hex_float(10.0 * percent * QUARTER),
        })
        for path, percent in busy.items()
    ]  # fmt: skip
    return record((73, 1), [[section(92, {})], rows])


def pools(fails: float, all_ios: float, needs: float | None, of_paths: bytes = b"") -> bytes:
    """Record 78-3 of subsystem 0031; `needs` are the times an alias was needed, None in a record that ends before.

    `of_paths` are the sections of its channel paths, which the section of the subsystem locates.
    """
    fields = {0: number(0x31, 2), 8: hex_float(fails), 12: hex_float(all_ios), 16: number(4, 4)}
    length = 28
    if needs is not None:
        fields |= {40: hex_float(needs)} if needs else {}
        length = 88
    unit: list[bytes] = []
    if of_paths:
        at = 28 + 8 * 5 + 104 + 20 + length
        unit = [section(20, {
            0: number(0x31, 2), 2: number(1, 2), 4: number(at, 4), 8: number(56, 2),
            10: number(len(of_paths) // 56, 2),
        })]  # fmt: skip
    made = record((78, 3), [unit, [], [], [section(length, fields)]]) + of_paths
    return number(len(made), 2) + made[2:]


def requests(step: int, system: int, systems: int) -> bytes:
    """Record 72-5 of ENQs by scope."""
    fields = {0: b"\x02", 240: number(step, 8), 288: number(system, 8), 336: number(systems, 8)}
    return record((72, 5), [[section(384, fields)]])


Request = tuple[float, int, bool, int, str]
"""Seconds from the start of the interval, task, whether it obtains, scope from 1, minor name of SYSDSN."""


def each_request(rows: Sequence[Request], system: str = "LABX") -> bytes:
    """Record 87-2 of requests that took a millisecond each, written at the end of the interval; local time is GMT.

    Places are those of GRS87RPT.
    """
    midnight = (2026 - 1900) * 365 + (2026 - 1901) // 4 + 40 - 1

    def tod(seconds: float) -> bytes:
        since = midnight * 86_400 + TIME // 100 + seconds
        return number(round(since * 1e6) << 12, 8)

    asked = b"".join(
        section(92, {28: number(0x32, 2), 32: number(task, 4), 36: text("BATCH", 8), 45: tod(at), 61: tod(at + 0.001)})
        for at, task, _, _, _ in rows
    )
    names = b"".join(
        section(80, {13: bytes([0x08 if obtains else 0, scope, len(name)]), 28: text("SYSDSN", 8) + text(name, 0)})
        for _, _, obtains, scope, name in rows
    )
    places = number(44, 4) + number(92, 2) + number(len(rows), 2)
    places += number(44 + len(asked), 4) + number(80, 2) + number(len(rows), 2)
    head = bytes([0, 0, 0x5E, 87]) + number(TIME + 100 * QUARTER, 4) + DATE + text(system, 4) + bytes(4) + number(2, 2)
    made = head + bytes(4) + places + asked + names
    return number(len(made) + 2, 2) + made
