"""Does SMF_CORE, IBM's own reader, find in our dumps the records and sections that we put there?

`SLICEWRIGHT_SMF_CORE` names a directory with its sources: SMF-Tools/SMF_CORE/src of IBM's public repository IBM-Z-zOS
(Apache-2.0).  It takes records from z/OS, so `smf_core/ReadDump.java` gives them to it without descriptor words.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
import slicewright

from tests.measured.dumps import Dump, dump

SOURCES = os.environ.get("SLICEWRIGHT_SMF_CORE", "")
ON_Z_OS = {"JzOSSmfFile.java", "JclSmf.java", "SMF.java"}
"""They need the record files of z/OS."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("javac"), reason="no JDK"),
    pytest.mark.skipif(
        not Path(SOURCES, "com/ibm/smf/format").is_dir(), reason="SLICEWRIGHT_SMF_CORE names no sources"
    ),
]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    files = [file for file in Path(SOURCES).rglob("*.java") if file.name not in ON_Z_OS]
    ours = Path(__file__).parent / "smf_core" / "ReadDump.java"
    subprocess.run(["javac", "-nowarn", "-d", folder, *files, ours], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module", params=["pool", "two-domains", "enq-exits"])
def written(request: pytest.FixtureRequest) -> Dump:
    settings = {"measure.interval": "4 s"}
    return dump(slicewright.run(slicewright.starter(request.param), replications=1, set=settings))


def told(record: bytes) -> str:
    """The contents of a record from its bytes, in the words of the program."""
    (length,) = struct.unpack_from(">H", record)
    kind, subtype = record[5], int.from_bytes(record[22:24])
    names = (record[at : at + 4].decode("cp037").strip() for at in (14, 18))
    (count,) = struct.unpack_from(">H", record, 24)
    triplets = ("/".join(map(str, struct.unpack_from(">IHH", record, 28 + 8 * place))) for place in range(count))
    return " ".join([f"{kind} {subtype}", *names, str(length), *triplets])


def test_it_finds_types_systems_lengths_and_triplets(classes: Path, written: Dump, tmp_path: Path) -> None:
    records = [record for record in written.records() if record[2:4] == bytes(2)]
    (tmp_path / "dump").write_bytes(b"".join(records))
    program = ["java", "-Duser.timezone=UTC", "-DPRINT_WRAPPER=false", "-cp", str(classes), "ReadDump"]
    found = subprocess.run([*program, tmp_path / "dump"], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in found.splitlines()]
    assert [" ".join([*line[:5], *line[6:]]) for line in lines] == [told(record) for record in records]
    assert {line[5] for line in lines} == {"1770026404"}, "the end of the interval, local time"
