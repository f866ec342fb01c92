"""Are listings read as systems print them: other pages, several intervals, static aliases, parts of pools?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import slicewright
from slicewright import InputError
from slicewright.advise.aliases.evidence import PoolReport, busiest, intervals, read_listing, read_pools, told_apart
from slicewright.advise.aliases.from_reports import heading
from slicewright.advise.slices.pages import read_cpu

from tests.advise.test_rmf_aliases import HEAD, pools, row
from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

REPORTS = ROOT / "published/hyperpav/device-reports"
HYPER = (REPORTS / "Y032181H.txt").read_bytes()
CLASSIC = (REPORTS / "Y040182P.txt").read_bytes()
ALONE = (REPORTS / "Y040180P.txt").read_bytes()
LATER = (
    ALONE.replace(b"15:00", b"15:20").replace(b"15:10", b"15:30").replace(b"1.84", b" .84").replace(b"3.7 ", b"2.4 ")
)
OTHER = b"""1FCX109  Run 2007/06/05 14:33:16         DEVICE CPOWNED
From 2007/02/04 13:16:46
                                        Load and Performance of CP Owned Disks
 Page slots in use      12 %
"""
CPU = (ROOT / "crates/records/tests/rmf/cpu.txt").read_bytes()


def by(listing: bytes, page: bytes = CLASSIC) -> list[PoolReport]:
    return read_pools(page, "page.txt", listing=read_listing(listing, "pav.txt"))


def test_device_is_used_among_other_pages_and_the_rest_counted() -> None:
    (found,) = read_pools(OTHER + HYPER + OTHER, "all.txt")
    (plain,) = read_pools(HYPER, "all.txt")
    assert (found.volumes, found.aliases, found.interval_s) == (plain.volumes, plain.aliases, 600)
    assert "8 lines of other pages ignored" in heading(found)
    with pytest.raises(InputError, match="the page is FCX109"):
        read_pools(OTHER, "other.txt")


def test_of_several_intervals_the_one_with_the_longest_queue_is_answered(
    tmp_path: Path, slicewright: CommandLine
) -> None:
    assert intervals(HYPER) == [HYPER]
    assert [text.count(b"\n") for text in intervals(LATER + ALONE)] == [22, 22]
    (tmp_path / "day.txt").write_bytes(LATER + OTHER + ALONE)
    known = ["--assume", "population=3", "--assume", "sharing=2%", "--assume", "redispatch=none", "-q"]
    outcome = slicewright("advise", tmp_path / "day.txt", *known, "--format", "json")
    assert outcome.status == 0, outcome.err
    assert json.loads(outcome.out)["evidence"]["reports"][0]["queue_depth"] == pytest.approx(1.84)
    assert "longest queue of 2 intervals" in slicewright("advise", tmp_path / "day.txt", *known).out


def test_of_several_rmf_intervals_too() -> None:
    second = HEAD.replace(b"06.00.00", b"06.15.00") + row(b"2300", b"1", waits=b"3.10")
    texts = intervals(HEAD + row(b"2300", b"1") + second)
    assert len(texts) == 2
    (found,) = busiest([pools(text) for text in texts])
    assert (found.started, found.intervals) == ("05/11/2019 06.15.00", 2)


def test_reports_of_one_name_are_distinguished_by_their_time() -> None:
    reports: Sequence[Sequence[PoolReport]] = [read_pools(ALONE, "a.txt"), read_pools(LATER, "a.txt")]
    names = [pool.run for (pool,) in told_apart(reports)]
    assert names == ["Y040180P, 2007/05/27 15:00:14", "Y040180P, 2007/05/27 15:20:14"]
    assert told_apart(reports[:1]) == [list(reports[0])]


def test_static_aliases_of_a_listing_belong_to_their_base() -> None:
    plain = CLASSIC.replace(b"->522A BWPVS0", b"3390-3       ")
    listing = (
        b"Device 522A is a base Parallel Access Volume device with the following aliases: 5249 524C\n"
        b"Device 5249 is an alias Parallel Access Volume device whose base device is 522A\n"
        b"DEVICE 524C IS AN ALIAS PARALLEL ACCESS VOLUME DEVICE WHOSE BASE DEVICE IS 522A\n"
    )
    for page in (CLASSIC, plain):
        (found,) = by(listing, page)
        assert (found.kind, found.aliases_present, found.io_per_s) == ("classic PAV", 2, 1619)


@pytest.mark.parametrize(
    ("listing", "page", "why"),
    [
        (b"Device 522A is a HyperPAV base in pool 3\n", ALONE, "pool 3: lists no alias"),
        (
            b"Device 522A is a HyperPAV base in pool 3\nDevice 5249 is a HyperPAV alias in pool 3\n", ALONE,
            "pool 3: rows of the aliases are missing",
        ),
        (b"Device 522A is a base with aliases 5249 5250\n", ALONE, "522A: rows of its aliases are missing"),
    ],
)  # fmt: skip
def test_missing_aliases_are_named_and_not_set_to_none(listing: bytes, page: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        by(listing, page)


def test_device_numbers_in_small_letters_are_the_same_devices() -> None:
    small = CLASSIC.replace(b" 522A 3390", b" 522a 3390")
    (found,) = read_pools(small, "page.txt")
    assert (found.name, found.aliases_present) == ("522A", 2)


def test_processors_for_other_work_are_not_counted_as_general_ones() -> None:
    page = read_cpu(CPU, "cpu.txt")
    assert page.logicals == 2
    assert page.busy == pytest.approx((0.8706 + 0.7011) / 2)
    assert read_cpu(CPU.replace(b"TOTAL/AVERAGE", b"Total/Average"), "cpu.txt") == page
    assert read_cpu(CPU.replace(b"TOTAL/AVERAGE", b"TOTAL AVERAGE"), "cpu.txt") == page


def test_carriage_control_of_a_listing_changes_no_number() -> None:
    page = Path(__file__).with_name("rmf_listings").joinpath("dasd-and-partitions.txt").read_bytes()
    first, *rest = page.splitlines(keepends=True)
    control = [b"0" if line.startswith(b"TOTAL SAMPLES") else b" " for line in rest]
    listing = b"1" + first + b"".join(mark + line for mark, line in zip(control, rest, strict=True))
    plain, printed = (slicewright.DirectAccessReport.read(data, "page.txt") for data in (page, listing))
    assert (printed.volumes(), printed.samples, printed.started) == (plain.volumes(), plain.samples, plain.started)
    plain_machine, printed_machine = (slicewright.PartitionReport.read(data, "page.txt") for data in (page, listing))
    assert printed_machine.fields() == plain_machine.fields()
