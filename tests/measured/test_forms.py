"""Does a file get its form, SMF or MONWRITE, from its records, in every framing that tools transfer them in?"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.advise.day import read_day
from slicewright.measured.form import form_of, is_monitor_data

RECORDS = Path(__file__).parent / "records"
"""Dumps as IFASMFDP writes them; names and numbers are invented."""


def _volumes(file: Path) -> list[float]:
    return sw.read([file]).of().at(0)["volumes"]["io_per_s"].to_list()


@pytest.mark.parametrize("name", ["dasd.smf", "dasd-rdwonly.smf"])
def test_a_dump_that_starts_with_its_dump_header_is_smf(name: str) -> None:
    file = RECORDS / name
    assert form_of(file) == "smf"
    assert is_monitor_data(file)
    assert [kind.record for kind in sw.read([file]).kinds][:2] == ["2-0", "3-0"]
    assert _volumes(file) == pytest.approx([812, 604, 55], rel=0.01)


def test_a_dump_in_gzip_is_smf_for_advice_too(tmp_path: Path) -> None:
    packed = tmp_path / "dasd.gz"
    packed.write_bytes(gzip.compress((RECORDS / "dasd.smf").read_bytes()))
    assert form_of(packed) == "smf"
    day = read_day([packed], None)
    assert day is not None
    assert day.records == "SMF data"


@pytest.mark.parametrize("name", ["README.md", "published/hyperpav/device-reports/Y032180H.txt"])
def test_a_page_and_a_text_are_no_monitor_data(name: str) -> None:
    assert not is_monitor_data(name)


@pytest.mark.parametrize("byte", [0x00, 0x40, 0xC5, 0xE2, 0xFF])
def test_a_dump_is_smf_by_its_structure_whatever_stands_at_byte_40(tmp_path: Path, byte: int) -> None:
    data = bytearray((RECORDS / "dasd.smf").read_bytes())
    assert (data[9], data[40]) == (2, 0xE2), "a dump header first, and the letter that starts a MONWRITE area"
    data[40] = byte
    file = tmp_path / "dump"
    file.write_bytes(data)
    assert form_of(file) == "smf"
    assert _volumes(file) == pytest.approx([812, 604, 55], rel=0.01)
