"""SMF dumps of runs, and the records and sections in them as adapya-base finds them."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import slicewright
from adapya.base.recordio import readrec
from adapya.base.smfrecordz import Smf
from slicewright._core import smf_file

SYSTEM, START_US = "LAB1", 1_770_026_400_000_000
TABLES = ("volumes", "devices", "pools", "partitions", "logical_processors", "enqueues", "serialization")


@dataclass(frozen=True)
class Dump:
    """A dump that was written of a run, with the tables that it was written of."""

    data: bytes
    intervals: Sequence[Mapping[str, Any]]

    def records(self) -> list[bytes]:
        """The records that adapya-base reads, each with its descriptor word."""
        return list(readrec(io.BytesIO(self.data), recform="BDW+"))

    def of_kind(self, kind: int) -> list[bytes]:
        """The records of a type."""
        return [record for record in self.records() if header(record).rty == kind]


def dump(run: slicewright.Run) -> Dump:
    """Replication 0 of a run as a dump."""
    raw = {name: run.raw[name].filter(pl.col("replication") == 0) for name in TABLES}
    count = max(int(frame["interval"].max()) for frame in raw.values() if not frame.is_empty()) + 1  # type: ignore[arg-type]
    intervals = [
        {
            "length_s": run.interval_s,
            "samples": 0,
            "tables": {
                name: frame.filter(pl.col("interval") == number).to_dict(as_series=False) for name, frame in raw.items()
            },
        }
        for number in range(count)
    ]
    return Dump(smf_file(intervals, SYSTEM, START_US), intervals)


def header(record: bytes) -> Smf:
    """The standard header as adapya-base maps it."""
    smf = Smf()
    smf.buffer = record
    return smf


def triplets(record: bytes) -> list[tuple[int, int, int]]:
    """Offset, length and number of the sections of each kind, from the bytes."""
    (count,) = struct.unpack_from(">H", record, 24)
    return [struct.unpack_from(">IHH", record, 28 + 8 * place) for place in range(count)]


def sections(record: bytes, place: int) -> list[bytes]:
    """The sections that a triplet locates."""
    offset, length, number = triplets(record)[place]
    return [record[offset + length * section : offset + length * (section + 1)] for section in range(number)]
