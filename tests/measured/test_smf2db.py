"""Does smf2db, which prints reports in the style of RMF from JSON of SMF records, print the numbers of our tables?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import slicewright

from tests.measured.dumps import SYSTEM, dump
from tests.measured.smf_json import as_json

# It takes seconds to import, and uses what pandas is about to remove.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

HEX, SPAN, TEXT, NUMBER = "0x00", "0:00:00", "", 0


def _fields(prefix: str, names: str, value: object) -> dict[str, Any]:
    return {f"{prefix}{name}": value for name in names.split()}


# Fields that smf2db asks for and whose places are not published.
CONTROL = {
    **_fields("smf74", "smf s15 src srs", HEX), **_fields("smf74", "tnm mct", NUMBER), "smf74tsf": TEXT,
    "smf74tdy": "01/01/2026", "smf74tok.smf74ttm": "00.00.00",
}  # fmt: skip
DEVICE = {
    **_fields("smf74", "clf cnx cn2 dts dct_hex2 nm2", HEX),
    **_fields("smf74", "dvb cmr idt cuq spr spw sftr sftw ios", SPAN),
    **_fields("smf74", "sgn dev cu dct", TEXT),
    **_fields("smf74", "scs rsv alc mtp nrd cof ict nda mtc hpc nss psm pct cap atd agc ags", NUMBER),
    **_fields("smf74", "sbr sbw sqr sqw slbr slbw scmr snis stor stow sor sow", NUMBER),
}
ENQUEUE_CONTROL = _fields("smf77", "fg1 rf2", HEX)
ENQUEUE = _fields("smf77", "dow dwr aql csc nod", NUMBER) | _fields("smf77", "do1 do2 dw1 dw2 sy1 sy2 sy3 sy4", TEXT)


def _report(records: list[Any], folder: Path, kind: int, *options: str) -> list[list[str]]:
    """The words of each line of the report that smf2db prints."""
    from click.testing import CliRunner
    from smf2db.__main__ import cli

    file = folder / f"{kind}.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    said = CliRunner().invoke(cli, ["report", str(kind), str(file), "-l", SYSTEM, "-o", "-", *options])
    assert said.exit_code == 0, said.output
    return [line.split() for line in said.output.splitlines()]


def _near(printed: list[str], values: list[float]) -> bool:
    """Whether words say the values, to the rounding of a thousandth and of a tick in the record."""
    return [float(word) for word in printed] == pytest.approx(values, abs=2.1e-3)


def test_rates_and_times_of_volumes_are_printed(tmp_path: Path) -> None:
    found = dump(slicewright.run(slicewright.starter("pool"), replications=1, set={"measure.interval": "10 s"}))
    placed = {"smf74a": (1, "SMF74A"), "smf74b": (2, "SMF74B")}
    records = [as_json(record, placed, {"smf74a": CONTROL, "smf74b": DEVICE}) for record in found.of_kind(74)]
    lines = _report(records, tmp_path, 74, "-r", "Device Activity", "-d", "DASD")
    volumes = found.intervals[0]["tables"]["volumes"]
    for volume, *values in zip(*map(volumes.get, ("volume", "io_per_s", "pend_ms", "disc_ms", "conn_ms")), strict=True):
        (words,) = (words for words in lines if volume in words)
        assert _near([words[5], *words[11:14]], values), volume


def test_contention_of_resources_is_printed(tmp_path: Path) -> None:
    found = dump(slicewright.run(slicewright.starter("enq-exits"), replications=1, set={"measure.interval": "40 s"}))
    absent = {"smf77ctl": ENQUEUE_CONTROL, "smf77enq": ENQUEUE}
    records = [as_json(record, {"smf77enq": (2, "SMF77ENQ")}, absent) for record in found.of_kind(77)]
    for resource in (row for record in records for row in record["smf77enq"]):
        resource["smf77rnm"] = f"0x{resource['smf77rnm'].encode('cp037').hex()}"
    lines = _report(records, tmp_path, 77)
    enqueues = found.intervals[0]["tables"]["enqueues"]
    for row, name in enumerate(enqueues["rname"]):
        (at,) = (place for place, words in enumerate(lines) if words and words[0].split("(")[0] == name)
        times = [enqueues[f"contention_{which}_ms"][row] / 1000 for which in ("min", "max", "total", "mean")]
        assert _near(lines[at + 1][:4], times), name
        waiters = [enqueues[f"{kind}_waiters_max"][row] for kind in ("exclusive", "shared")]
        assert _near([lines[at + 1][14], lines[at + 1][16]], waiters), name
        assert _near(lines[at + 1][17:18], [enqueues["contentions"][row]]), name
