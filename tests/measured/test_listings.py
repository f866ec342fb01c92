"""Do pages as RMF, JES, the console and the Performance Toolkit write them give their numbers, and advice?

The forms are those of manuals and of tools' documentation; names and numbers are made up.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import slicewright as sw
from slicewright._core import ChannelReport, QueuingReport
from slicewright.advise.question import Question
from slicewright.advise.questions import QUESTIONS

from tests.conftest import CommandLine

PAGES = Path(__file__).parent / "pages"
DASD, CHANNEL, DISPLAYED = (PAGES / f"{name}.txt" for name in ("rmf-dasd-v2r4", "rmf-channel-v2r4", "display-m-dev"))


def table(page: str, name: str) -> list[dict[str, Any]]:
    """The rows of a table of a page."""
    return sw.read([PAGES / page]).of().at(0)[name].to_dicts()


@pytest.mark.parametrize(
    ("page", "busy", "dispatched", "rates"),
    [
        ("rmf-cpu-v2r2-mt.txt", [4.15, 1.42], [4.28, 1.41], [13.91, 9.88]),
        ("rmf-cpu-partition-mixed-case.txt", [43.10, 21.80], [44.20, 22.50], [57.10, 21.10]),
    ],
)
def test_general_processors_are_read_and_others_left_out(
    slicewright: CommandLine, page: str, busy: list[float], dispatched: list[float], rates: list[float]
) -> None:
    rows = table(page, "logical_processors")
    assert [row["busy_percent"] for row in rows] == busy
    assert [row["dispatched_percent"] for row in rows] == dispatched
    assert [row["interrupts_per_s"] for row in rows] == rates
    outcome = slicewright("read", PAGES / page)
    assert outcome.status == 0
    assert "of processors of other types (IIP) ignored" in " ".join(outcome.out.split())


def test_polarization_and_share_stand_under_one_heading() -> None:
    page = sw.CpuReport.read((PAGES / "rmf-cpu-v2r2-mt.txt").read_bytes(), "page")
    first = page.fields()[0]
    assert (first["LOG PROC SHARE %"], first["LOG PROC HIGH/MED/LOW"]) == ("56.8", "MED")


@pytest.mark.parametrize("page", ["rmf-dasd-v2r4.txt", "rmf-dasd-asa.txt"])
def test_volumes_are_those_of_the_page_with_carriage_control_or_without(page: str) -> None:
    rows = [row for row in table(page, "volumes") if row["io_per_s"]]
    assert [(row["volume"], row["io_per_s"]) for row in rows] == [
        ("DB0001", 812.451), ("DB0002", 604.220), ("DB0003", 55.100), ("SYSRES", 2.010)
    ]  # fmt: skip


@pytest.mark.parametrize("page", ["rmf-dasd-v2r4.txt", "rmf-dasd-asa.txt"])
def test_a_page_and_its_listing_say_what_an_answer_lacks(slicewright: CommandLine, page: str) -> None:
    outcome = slicewright("read", PAGES / page)
    assert outcome.status == 0
    assert "advise aliases: " in outcome.out
    assert "the number of HyperPAV aliases is missing for 3 volumes" in " ".join(outcome.out.split())


def test_partitions_have_their_processors_and_physical_is_none_of_them() -> None:
    rows = {row["partition"]: row for row in table("rmf-partition-v2r4.txt", "partitions")}
    used = {name: row["dispatched_percent"] / 100 * row["logical_processors"] for name, row in rows.items()}
    assert set(rows) == {"PRDF", "TSTF"}
    assert used["PRDF"] == pytest.approx(2.24, abs=0.005)
    facts = sw.PartitionReport.read((PAGES / "rmf-partition-v2r4.txt").read_bytes(), "page")
    assert (facts.fact("CP"), facts.fact("PHYS PROC NUM")) == ("6", "8")
    nobody = next(row for row in facts.fields() if row["NAME"] == "*PHYSICAL*")
    assert nobody["PHYSICAL PROCESSORS TOTAL"] == "2.00"


def test_a_listing_of_devices_and_partitions_shares_six_processors() -> None:
    from slicewright.advise.slices.from_pages import partitions_of
    from slicewright.advise.slices.request import SliceRequest

    file = PAGES / "rmf-listing-dasd-partition.txt"
    assert partitions_of([("listing", file.read_bytes())], SliceRequest()).processors == 6


def test_mixed_case_pages_are_read_like_those_in_capitals() -> None:
    page = sw.PartitionReport.read((PAGES / "rmf-cpu-partition-mixed-case.txt").read_bytes(), "page")
    assert (page.system, page.interval_s, page.fact("CP")) == ("SYSG", 1799.996, "4")
    assert [row["NAME"] for row in page.fields()] == ["PRDG", "TSTG", "*PHYSICAL*", "PRDG"]


@pytest.mark.parametrize(
    ("page", "channels"),
    [
        ("rmf-channel-v2r4.txt", {"50": 9.8, "51": 9.7, "54": 9.9, "55": 9.8}),
        ("rmf-channel-speed-v2r4.txt", {"1A": 0.31, "40": 12.4, "41": 12.1}),
    ],
)
def test_channels_have_their_total_utilization(slicewright: CommandLine, page: str, channels: dict[str, float]) -> None:
    assert {row["channel"]: row["busy_percent"] for row in table(page, "channels")} == channels
    assert "CHANNEL PATH ACTIVITY" in slicewright("read", PAGES / page).out


def test_a_channel_page_alone_asks_for_a_page_of_devices(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", CHANNEL)
    assert outcome.status == 2
    assert "no page of devices" in outcome.err


def test_the_console_and_channels_beside_a_page_answer_without_an_option(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", "aliases", DASD, DISPLAYED, CHANNEL)
    assert outcome.status == 0, outcome.err
    said = " ".join(outcome.out.split())
    assert "3 volumes, 8 aliases, 1,472 I/O/s" in said
    assert "LCU 0024: 8 HyperPAV aliases by D M=DEV" in said
    assert "4 channels, 9.7 to 9.9 % busy (those of D M=DEV; CHANNEL PATH ACTIVITY" in said
    assert "--assume channel_busy" not in said


def pools(*files: str) -> tuple[list[int], tuple[str, ...]]:
    """The aliases of each pool of pages, and what the files beside them say."""
    from slicewright.advise.aliases.from_reports import pools_of
    from slicewright.advise.aliases.request import AliasRequest

    found, request = pools_of([(name, (PAGES / name).read_bytes()) for name in files], AliasRequest())
    return [len(pool.aliases) for page in found for pool in page if pool.aliases], request.beside


def test_devserv_counts_the_aliases_of_the_pool() -> None:
    aliases, said = pools("rmf-dasd-v2r4.txt", "devserv-qpavs.txt")
    assert aliases == [8]
    assert any("DEVSERV QPAVS" in note for note in said)


def test_devices_that_devserv_lists_are_not_counted_as_the_pool(slicewright: CommandLine, tmp_path: Path) -> None:
    """The command lists as many devices as it is asked for, one where no number is given."""
    file = tmp_path / "listed.txt"
    file.write_text("".join(
        line for line in (PAGES / "devserv-qpavs.txt").read_text().splitlines(keepends=True) if "POOL" not in line
    ))  # fmt: skip
    outcome = slicewright("advise", "aliases", DASD, file)
    assert outcome.status == 2
    assert "no HyperPAV alias in a reply of the console" in outcome.err


def test_queuing_activity_gives_the_aliases_where_all_were_in_use() -> None:
    aliases, said = pools("rmf-dasd-v2r4.txt", "rmf-ioq-v2r4.txt")
    assert aliases == [8]
    assert any("0.104 of its I/Os found no alias free" in note for note in said)


def test_fewer_aliases_than_were_in_use_at_once_are_refused(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", "aliases", DASD, PAGES / "rmf-ioq-v2r4.txt", "--aliases", "0024=6")
    assert outcome.status == 2
    assert "8 were in use at once" in outcome.err


def test_fewer_aliases_than_pav_shows_are_refused(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", "aliases", DASD, "--aliases", "0024=1")
    assert outcome.status == 2
    assert "PAV of its volumes shows 1.2 in use on average" in outcome.err


def test_more_io_than_the_assumed_channel_carries_is_refused(slicewright: CommandLine) -> None:
    given = ("--aliases", "0024=8", "--assume", "channel=FICON", "--assume", "io_size=800 KiB")
    outcome = slicewright("advise", "aliases", DASD, *given)
    assert outcome.status == 2
    assert "channels busy, and 1 is assumed" in outcome.err


def test_two_numbers_of_aliases_are_refused(slicewright: CommandLine) -> None:
    outcome = slicewright("advise", "aliases", DASD, DISPLAYED, "--aliases", "0024=6")
    assert outcome.status == 2
    assert "two numbers of aliases" in outcome.err


def test_marks_of_pav_are_said_and_read() -> None:
    from slicewright.advise.aliases.from_reports import pools_of
    from slicewright.advise.aliases.request import AliasRequest

    name = "rmf-dasd-pav-marks.txt"
    found, request = pools_of([(name, (PAGES / name).read_bytes())], AliasRequest(aliases={"0024": 8}))
    kinds = {pool.volumes[0].name: (pool.kind, pool.aliases_present) for page in found for pool in page}
    assert kinds["DB0001"] == ("classic PAV", 1)
    assert kinds["DB0002"] == ("HyperPAV", 8)
    assert "DB0001: PAV 2.1 on average, and changed in the interval" in request.beside
    assert any("DB0002: SuperPAV" in note for note in request.beside)


def test_an_unknown_page_among_known_ones_is_named_and_left_out(slicewright: CommandLine, tmp_path: Path) -> None:
    listing = tmp_path / "listing.txt"
    unknown = b"1                        W O R K L O A D   A C T I V I T Y\n  GOALS: 77.7 EXECUTION VELOCITY 12 13\n"
    cmf = b"1PRODUCED BY CMF MONITOR (5.5.00)\n 0220C 33909 10017 DB0009 1.0H 0024 many numbers 9.9x 9.9x 9.9x 9.9x\n"
    asa = (PAGES / "rmf-dasd-asa.txt").read_bytes()
    listing.write_bytes(unknown + asa + cmf + unknown)
    outcome = slicewright("read", listing)
    assert outcome.status == 0, outcome.err
    assert "WORKLOAD ACTIVITY" in outcome.out
    assert "DB0001" in outcome.out
    assert "DB0009" not in outcome.out


def test_fcx102_answers_yields_with_rates_and_says_what_it_lacks(slicewright: CommandLine) -> None:
    page = PAGES / "fcx102-system.txt"
    (row,) = table(page.name, "control_programs")
    assert (row["x9c_per_s"], row["x44_per_s"], row["x9c_dispatched_per_s"]) == (pytest.approx(170.1), 0, 159)
    assert row["total_percent"] is None
    said = " ".join(slicewright("read", page).out.split())
    assert "advise yields: How should guests that spin for a lock yield their processor?" in said
    outcome = slicewright("advise", page)
    assert outcome.status == 0, outcome.err
    said = " ".join(outcome.out.split())
    assert "X'9C' 170.1/s = not ready .3 + wait state 10.7 + soft wait .1 + already dispatched 159.0" in said
    assert "FCX104 PRIVOP has all of them" in said
    assert "No recommendation" in said


def test_fcx102_whose_counts_and_rates_differ_is_refused(slicewright: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text((PAGES / "fcx102-system.txt").read_text().replace(" 9553    159", " 9553    859"))
    outcome = slicewright("read", page)
    assert outcome.status == 2
    assert "9,553 in 60 s are 159.2/s" in outcome.err


def test_devr_is_named_and_read_and_answers_nothing(slicewright: CommandLine) -> None:
    page = PAGES / "rmf3-devr.txt"
    first, _ = table(page.name, "volumes")
    assert (first["volume"], first["device"]) == ("DB0001", "02208")
    assert (first["io_per_s"], first["response_ms"]) == (812.5, 2.1)
    outcome = slicewright("read", page)
    assert "PAV DB0001 1.8H, SYSRES 2*" in " ".join(outcome.out.split())
    asked = slicewright("advise", page)
    assert asked.status == 2
    assert asked.err.startswith(f"error: {page}: the RMF Monitor III report Device Resource Delays\n")


def test_the_older_layout_answers_as_it_is(slicewright: CommandLine) -> None:
    said = " ".join(slicewright("read", PAGES / "rmf-dasd-v1r11.txt").out.split())
    assert "advise aliases: How many aliases does a pool of volumes need?" in said


PROMISED = sorted(path.name for path in PAGES.glob("*.txt") if not path.name.startswith(("display", "devserv")))


def asked_by(read: dict[str, Any], title: str) -> list[str]:
    """The questions in the notes of `read` under this title."""
    notes = [
        note
        for section in read["sections"]
        for block in section["blocks"]
        if block.get("name") == title
        for note in block["lines"]
    ]
    return [note.split(":")[0].removeprefix("advise ") for note in notes if note.startswith("advise ")]


@pytest.mark.slow
@pytest.mark.parametrize("page", PROMISED)
def test_read_promises_what_advise_then_answers(slicewright: CommandLine, page: str) -> None:
    """The one list is asked by both: a question that is promised answers, and every other refuses."""
    read = slicewright("read", PAGES / page, "--format", "json")
    assert read.status == 0, read.err
    promised = asked_by(json.loads(read.out), "Answers")
    for name in QUESTIONS:
        outcome = slicewright("advise", name, PAGES / page)
        assert (outcome.status == 0) == (name in promised), (name, outcome.err)


@pytest.mark.parametrize("page", PROMISED)
def test_what_is_promised_lacks_nothing(page: str) -> None:
    from slicewright.advise.questions import answered_by_data

    data = sw.read([PAGES / page])
    for _, questions in answered_by_data(data):
        for question in questions:
            assert isinstance(question, Question)
            assert question.day is not None or not question.lacks(data.pages)


def test_pages_of_measured_intervals_are_printed_from_what_was_read(slicewright: CommandLine, tmp_path: Path) -> None:
    printed = {
        "rmf-dasd-v2r4.txt": ("rmf-dasd", "DB0001"), "rmf-cpu-v2r2-mt.txt": ("rmf-cpu", "4.28"),
        "rmf-partition-v2r4.txt": ("rmf-partition", "PRDF"), "rmf-channel-v2r4.txt": ("rmf-channel", "9.80"),
        "rmf-ioq-v2r4.txt": ("rmf-ioq", "0024"),
    }  # fmt: skip
    for file, (page, text) in printed.items():
        out = tmp_path / page
        assert slicewright("read", PAGES / file, "--out", out).status == 0
        outcome = slicewright("report", out, "--page", page)
        assert outcome.status == 0, outcome.err
        assert text in outcome.out
    refused = slicewright("report", tmp_path / "rmf-channel", "--page", "rmf-dasd")
    assert refused.status == 2
    assert "rmf-channel" in refused.err


def test_a_kept_page_is_not_asked_in_place_of_its_text(slicewright: CommandLine, tmp_path: Path) -> None:
    """No table has PAV: volumes that borrow aliases would be taken to have none."""
    assert slicewright("read", DASD, "--out", tmp_path / "kept").status == 0
    outcome = slicewright("advise", "aliases", tmp_path / "kept")
    assert outcome.status == 2
    assert f"the page itself: {DASD}" in outcome.err


def test_a_page_full_of_errors_of_one_kind_is_answered_once(slicewright: CommandLine, tmp_path: Path) -> None:
    lines = DASD.read_text().splitlines()
    row = next(line for line in lines if "DB0001" in line)
    rows = [row.replace("02208", f"0{0x2300 + at:X}").replace(" 2.10 ", " 2.x0 ") for at in range(200)]
    page = tmp_path / "page.txt"
    page.write_text("\n".join([*lines[:9], *rows]) + "\n")
    outcome = slicewright("advise", "aliases", page)
    assert outcome.status == 2
    assert outcome.err.count("error: ") == 1
    assert "the first of 200 of this kind" in outcome.err


@pytest.mark.parametrize("page", ["devserv-qpavs-static.txt", "display-m-cu.txt"])
def test_replies_without_a_pool_are_no_number_of_aliases(slicewright: CommandLine, page: str) -> None:
    """Aliases that are bound or unbound, and those that a control unit defines, are no pool of HyperPAV."""
    outcome = slicewright("advise", "aliases", DASD, PAGES / page)
    assert outcome.status == 2
    assert "no HyperPAV alias in a reply of the console" in outcome.err
    assert "DEVSERV QPAVS" in outcome.err


def test_a_channel_of_a_guest_of_z_vm_has_no_utilization() -> None:
    """Without the measurement facility RMF prints dashes (Report Analysis, Channel Path Activity report, note 2)."""
    page = (PAGES / "rmf-channel-speed-v2r4.txt").read_text()
    dashed = page.replace("  12.40", " ------").replace("   0.31", " ------")
    assert dashed.count("------ ") >= 2
    channels = ChannelReport.read(dashed.encode(), "page").fields()
    assert {row["ID"] for row in channels} == {"41"}


def test_queuing_activity_has_the_headings_of_its_overview_conditions() -> None:
    """HPAV WAIT and HPAV MAX (Report Analysis, IOQ, Spreadsheet and Overview reference), wherever they stand."""
    page = (PAGES / "rmf-ioq-v2r4.txt").read_bytes()
    moved = page.replace(b"WAIT   MAX", b"MAX   WAIT").replace(b"0.104     8", b"    8 0.104")
    fields = QueuingReport.read(moved.replace(b"0.000     0", b"    0 0.000"), "page").fields()
    assert [row["HPAV MAX"] for row in fields if row.get("HPAV WAIT")] == ["8", "0"]
