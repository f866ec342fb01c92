"""Does every page that is kept here obey the laws that pages of a site are held against?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from slicewright.advise.aliases.evidence import read_pools
from slicewright.advise.aliases.from_reports import check_laws
from slicewright.advise.slices.pages import read_cpu, read_machine, read_partition
from slicewright.measured.rmf_pages import Kind, kinds

KEPT = sorted([*Path("tests/golden/pages").iterdir(), *Path("tests/golden/rmf_pages").iterdir()])
DEVICES = [file for file in KEPT if b"FCX108" in file.read_bytes()]
READERS = {Kind.DEVICES: read_partition, Kind.CPU: read_cpu, Kind.PARTITIONS: read_machine}
RMF = [file for file in KEPT if file not in DEVICES and kinds(file.read_bytes())]


def test_there_are_pages_of_every_kind() -> None:
    assert {kind for file in RMF for kind in kinds(file.read_bytes())} == set(READERS)
    assert DEVICES


@pytest.mark.parametrize("file", RMF, ids=lambda file: file.name)
def test_a_kept_rmf_page_breaks_no_law(file: Path) -> None:
    for page in re.split(rb"(?m)^(?= {20,}[A-Z] [A-Z] )", file.read_bytes()):  # a title each: a reader takes one system
        for kind in kinds(page):
            READERS[kind](page, file.name)  # raises InputError with the law


@pytest.mark.parametrize("file", DEVICES, ids=lambda file: file.name)
def test_a_kept_device_page_breaks_no_law(file: Path) -> None:
    for pool in read_pools(file.read_bytes(), file.name, (), None):
        assert [law.impossible for law in check_laws(pool) if law.impossible] == []
