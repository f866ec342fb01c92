"""Are the processors of a PARTITION DATA page those that it prints or implies, and never fewer than were used?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.slices.pages import read_cpu, read_machine, read_partition

from tests.advise.slices_example import CPU, PAGE
from tests.conftest import CommandLine

LISTING = Path(__file__).with_name("rmf_listings") / "dasd-and-partitions.txt"
HEAD = """\
                              P A R T I T I O N   D A T A   R E P O R T
 z/OS V2R4   SYSTEM ID SYSF   DATE 05/11/2019   TIME 06.00.00   INTERVAL 15.00.000

MVS PARTITION NAME                    PRDF{first}
NUMBER OF CONFIGURED PARTITIONS          3{second}
WAIT COMPLETION                         NO
DISPATCH INTERVAL                  DYNAMIC

NAME       S WGT   NUM   TYPE   EFFECTIVE    TOTAL         EFFECTIVE    TOTAL    LPAR MGMT  EFFECTIVE  TOTAL
"""
HEADINGS = """\
                   PROCESSOR-  ----DISPATCH TIME DATA----   LOGICAL PROCESSORS   --- PHYSICAL PROCESSORS ---
NAME       S WGT   NUM   TYPE   EFFECTIVE    TOTAL         EFFECTIVE    TOTAL    LPAR MGMT  EFFECTIVE  TOTAL
PRDF       A 600   4.0   CP   00.33.38.000 00.33.45.000      56.06    56.25       0.13     37.37    37.50
TSTF       A 300   3.2   CP   00.14.56.000 00.15.00.000      31.11    31.25       0.07     16.59    16.67
*PHYSICAL*                                 00.01.48.000                           2.00               2.00
"""
ZIIP = """\
PRDF       A 600   2.0   IIP  00.07.28.000 00.07.30.000      24.89    25.00       0.11     24.89    25.00
"""


def page(first: str = "", second: str = "", rows: str = HEADINGS) -> bytes:
    head = HEAD.format(first=first, second=second).rsplit("\n", 2)[0] + "\n"
    return (head + rows).encode()


V2R4 = page(
    "           PHYS PROC NUM       8             GROUP NAME   GRPA", "                   CP        6", HEADINGS + ZIIP
)
V1R12 = page(
    "\nNUMBER OF PHYSICAL PROCESSORS            9\n           CP                 6\n           ICF                3"
)
ONE_TYPE = page("\nNUMBER OF PHYSICAL PROCESSORS            6")
IMPLIED = page(rows=HEADINGS + ZIIP)
TOTAL_OF_TWO_TYPES = page("           PHYS PROC NUM       8", rows=HEADINGS + ZIIP)


@pytest.mark.parametrize("data", [V2R4, V1R12, ONE_TYPE, IMPLIED, TOTAL_OF_TWO_TYPES])
def test_the_processors_are_those_of_the_general_type(data: bytes) -> None:
    found = read_machine(data, "page.txt")
    assert (found.processors, [row.name for row in found.sharing]) == (6, ["PRDF", "TSTF"])


def test_a_mean_number_of_logical_processors_gives_what_a_partition_used() -> None:
    production, test = read_machine(V2R4, "page.txt").sharing
    assert production.used == pytest.approx(2.242, abs=0.001)
    assert test.used == pytest.approx(0.996, abs=0.001)
    assert test.logicals == 4


def test_a_printed_number_that_the_times_contradict_is_refused() -> None:
    data = V2R4.replace(b"CP        6", b"CP        3")
    with pytest.raises(InputError, match=r"3 physical processors\n.*imply 5\.9 to 6\.1"):
        read_machine(data, "page.txt")


def without_times(data: bytes) -> bytes:
    """The page as a level prints it that has no percentages of physical processors."""
    return data.replace(b"37.50", b"-----").replace(b"16.67", b"-----")


@pytest.mark.parametrize("mend", [without_times])
def test_a_page_that_says_no_number_asks_for_it(
    slicewright: CommandLine, tmp_path: Path, mend: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "listing.txt"
    file.write_bytes(mend(LISTING.read_bytes()).replace(b"PHYS PROC NUM       8", b"").replace(b"CP        6", b""))
    outcome = slicewright("advise", "slices", file)
    assert outcome.status == 2
    assert "--assume processors=N" in outcome.err


def test_fewer_processors_than_were_used_are_refused(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "listing.txt"
    file.write_bytes(
        without_times(LISTING.read_bytes()).replace(b"PHYS PROC NUM       8", b"").replace(b"CP        6", b"")
    )
    outcome = slicewright("advise", "slices", file, "--assume", "processors=2")
    assert outcome.status == 2
    assert "the partitions used 3.24 processors, and share 2" in outcome.err


def test_a_listing_of_devices_and_partitions_uses_the_processors_of_the_page(
    slicewright: CommandLine, tmp_path: Path
) -> None:
    made = tmp_path / "reading.toml"
    outcome = slicewright("advise", LISTING, "--assume", "service=constant", "--format", "json", "--out", made)
    assert outcome.status == 0, outcome.err
    answer = json.loads(outcome.out)
    assert "processors = 6" in made.read_text()
    recommended = answer["recommendation"]
    assert recommended["low"] <= 18.75 <= recommended["high"], "little I/O waits: no run time is dear"
    assert any("the range contains the present 18.75 ms" in warning for warning in answer["warnings"])


@pytest.mark.parametrize(
    ("printed", "damaged", "said"),
    [
        ("56.06    56.25", "560.6    562.5", "PRDF LOGICAL PROCESSORS EFFECTIVE: 560.6 % of its time"),
        ("16.59    16.67", "96.59    96.66", "sum of PHYSICAL PROCESSORS TOTAL: 136.16 % of its time"),
        ("37.37    37.50", "37.37    73.50", "the total 73.50 is not 0.13 + 37.37"),
    ],
)
def test_a_page_that_breaks_a_law_is_refused_with_the_law(printed: str, damaged: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_machine(V2R4.replace(printed.encode(), damaged.encode()), "page.txt")
    assert said in str(caught.value)


def test_a_processor_that_is_busier_than_always_is_refused() -> None:
    with pytest.raises(InputError, match=r"1 MVS BUSY: 200 % of its time"):
        read_cpu(CPU.replace(b"20.00  ------", b"200.0  ------"), "cpu.txt")


def test_a_device_without_aliases_that_serves_two_at_a_time_is_refused() -> None:
    with pytest.raises(InputError, match=r"0C23 ACTIVITY RATE: .* in service at a time"):
        read_partition(PAGE.replace(b"33.00   55", b"133.0   55"), "page.txt")
