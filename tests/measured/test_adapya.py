"""Does adapya-base, a reader of SMF dumps that is none of ours, find in our dumps what we put there?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import slicewright
from adapya.base.smfrecordz import i2dt
from slicewright._core import SmfFile, smf_file, smf_layouts
from slicewright.run.tables import unpacked

from tests.measured.dumps import START_US, SYSTEM, Dump, dump, header, sections, triplets

KINDS = {"pool": {(74, 1), (78, 3)}, "two-domains": {(70, 1), (74, 1)}, "enq-exits": {(70, 1), (72, 5), (77, 1)}}


@pytest.fixture(scope="module", params=sorted(KINDS))
def named(request: pytest.FixtureRequest) -> tuple[str, Dump]:
    """A dump of a starter, with its name."""
    settings = {"measure.interval": "4 s"}
    return request.param, dump(slicewright.run(slicewright.starter(request.param), replications=1, set=settings))


def field(section: bytes, layout: str, name: str) -> bytes:
    """The bytes of a field of the documented layout."""
    (fields,) = (row["fields"] for row in smf_layouts() if row["name"] == layout)
    (found,) = (row for row in fields if row["name"] == name)
    return section[found["offset"] : found["offset"] + found["length"]]


def read(data: bytes) -> tuple[SmfFile, dict[str, dict[str, Any]]]:
    """A dump that was read to its end, and the rows of each system."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        found = SmfFile([(Path(file.name), "dump")])
        rows = found.rows(len(data))
    assert rows is not None
    return found, rows


def test_it_finds_as_many_records_as_we_do(named: tuple[str, Dump]) -> None:
    _, found = named
    size, records = read(found.data)[0].size
    assert (len(found.data), len(found.records())) == (size, records)


def test_it_finds_the_types_that_the_run_has(named: tuple[str, Dump]) -> None:
    name, found = named
    headers = [header(record) for record in found.records()]
    assert {(smf.rty, smf.sty) for smf in headers} >= KINDS[name]


def test_it_finds_lengths_systems_and_subsystems(named: tuple[str, Dump]) -> None:
    for record in named[1].records():
        smf = header(record)
        assert (smf.sid, smf.ssi.strip()) == (SYSTEM, "RMF")
        assert smf.rlen == len(record) or smf.seg == 1


def test_it_finds_when_records_were_written(named: tuple[str, Dump]) -> None:
    _, found = named
    length = round(found.intervals[0]["length_s"] * 1e6)
    ends = {i2dt(header(record).dte, 0).timestamp() for record in found.records()}
    assert len(ends) == 1, "all of one day"
    times = {header(record).tme for record in found.records()}
    start = START_US % 86_400_000_000
    assert times == {(start + length * number) // 10_000 for number in range(1, len(found.intervals) + 1)}


def test_triplets_locate_sections_within_the_record(named: tuple[str, Dump]) -> None:
    for record in named[1].records():
        end = 28 + 8 * len(triplets(record))
        for offset, length, number in sorted(triplets(record)):
            if number:
                assert offset == end, "sections follow each other"
                end = offset + length * number
        assert end == len(record)


def test_every_record_has_a_product_section_of_its_interval(named: tuple[str, Dump]) -> None:
    for record in named[1].records():
        (product,) = sections(record, 0)
        assert field(product, "SMFxxPRO", "SMFPRD").decode("cp037").strip() == "RMF"
        assert field(product, "SMFxxPRO", "SMFDAT").hex() == "0126033f"


@pytest.fixture(scope="module")
def pool() -> Dump:
    settings = {"measure.interval": "4 s"}
    return dump(slicewright.run(slicewright.starter("pool"), replications=1, set=settings))


def test_starts_of_a_volume_are_the_table_s(pool: Dump) -> None:
    volumes = pool.intervals[0]["tables"]["volumes"]
    devices = sections(pool.of_kind(74)[0], 2)
    starts = [int.from_bytes(field(section, "SMF74B", "SMF74SSC")) for section in devices]
    assert starts == [round(rate * pool.intervals[0]["length_s"]) for rate in volumes["io_per_s"]]
    labels = [field(section, "SMF74B", "SMF74SER").decode("cp037").strip() for section in devices]
    assert labels == volumes["volume"]


def test_connect_time_of_a_volume_is_the_table_s_to_a_tick(pool: Dump) -> None:
    volumes, length = pool.intervals[0]["tables"]["volumes"], pool.intervals[0]["length_s"]
    for section, rate, conn in zip(
        sections(pool.of_kind(74)[0], 2), volumes["io_per_s"], volumes["conn_ms"], strict=True
    ):
        ticks = int.from_bytes(field(section, "SMF74B", "SMF74CNN"))
        assert ticks * 0.128 == pytest.approx(rate * length * conn, abs=0.128)


def test_our_own_reader_gives_the_tables_back(pool: Dump) -> None:
    tables = unpacked(read(pool.data)[1][SYSTEM])
    before = [row for interval in pool.intervals for row in interval["tables"]["volumes"]["conn_ms"]]
    assert list(tables["volumes"]["conn_ms"]) == pytest.approx(before, rel=1e-3)
    fails = [row for interval in pool.intervals for row in interval["tables"]["pools"]["fails"]]
    assert list(tables["pools"]["fails"]) == pytest.approx(fails, rel=1e-6)


def test_a_spanned_record_is_put_together_by_both() -> None:
    volumes = {"volume": [f"V{n:05}" for n in range(1_400)], "device": [f"{n:04X}" for n in range(1_400)]}
    figures = {name: [1.0] * 1_400 for name in ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "queue_depth")}
    columns = {
        "devices": ("device",), "pools": ("pool",), "partitions": ("partition",), "logical_processors": ("number",),
        "enqueues": ("enqueue",), "serialization": ("partition",),
    }  # fmt: skip
    empty: dict[str, dict[str, list[Any]]] = {name: {column: [] for column in keys} for name, keys in columns.items()}
    interval = {"length_s": 900.0, "samples": 900, "tables": {**empty, "volumes": {**volumes, **figures}}}
    data = smf_file([interval], SYSTEM, START_US)
    found = Dump(data, [interval]).records()
    assert len(found) == read(data)[0].size[1] == 14
    assert any(record[2] == 1 for record in found), "adapya-base leaves the word of the first segment"
    labels = [
        field(section, "SMF74B", "SMF74SER").decode("cp037").strip()
        for record in found
        for section in sections(record, 2)
    ]
    assert labels == volumes["volume"]
