"""Does advice on aliases say which volume waits, which gains and which pays?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from slicewright.advise.aliases.curve import Curve, VolumeLine, read_lines, volumes_picture, volumes_table
from slicewright.advise.aliases.evidence import PoolReport, read_pools
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.report import document, report
from slicewright.advise.aliases.request import AliasRequest
from slicewright.reading.pool import Sample
from slicewright.report import text
from slicewright.report.model import Report, Section

from tests.tidy.tree import ROOT

REPORTS = ROOT / "published/hyperpav/device-reports"


def pool(table: str) -> PoolReport:
    (found,) = read_pools((REPORTS / f"{table}.txt").read_bytes(), f"{table}.txt")
    return found


def made(aliases: int) -> Sample:
    """Eight volumes, two replications: the first gets faster with aliases, the last slower, the rest stay."""
    response = np.full((2, 8), 4.0)
    response[:, 0] -= 0.2 * aliases
    response[:, 7] += 0.1 * aliases
    response += np.array([[0.0], [0.01 * aliases]])
    rates = np.full((2, 8), 100.0)
    return Sample(rates, rates, response / 10, response / 2, response, np.zeros(2), np.zeros(2), aliases)


def test_each_volume_has_what_it_waits_now_and_what_it_gains() -> None:
    lines = read_lines(pool("Y032180H"), Curve("made", made, 40), 10)
    assert [line.volume for line in lines][:2] == ["BWPVS0", "BWPVS1"]
    assert lines[0].waiting == pytest.approx(1.80)
    assert lines[0].response_ms == pytest.approx(1000 * (1.80 + 0.711 * 1.3) / 711, rel=0.01)
    assert [round(line.gain_ms.mean, 2) for line in lines] == [1.95, *[-0.05] * 6, -1.05]


def test_the_response_of_a_volume_that_borrows_aliases_is_not_on_the_page() -> None:
    lines = read_lines(pool("Y032181H"), Curve("made", made, 40), 16)
    assert [line.response_ms for line in lines] == [None] * 8
    assert "Resp now" not in text.render(shown_alone(lines))


def shown_alone(lines: Sequence[VolumeLine]) -> Report:
    """A report of the table alone."""
    return Report("", "", (), [Section("", [volumes_table(lines, 16)])])


def test_text_shows_the_volumes_that_wait_longest_and_marks_those_that_pay() -> None:
    lines = read_lines(pool("Y032180H"), Curve("made", made, 40), 10)
    slow = [replace(line, waiting=9.0) if line.volume == "BWPVT3" else line for line in lines]
    shown = text.render(shown_alone(slow)).splitlines()
    rows = [line for line in shown if "BWPV" in line]
    assert len(rows) == 5
    assert "BWPVT3" in rows[0]
    assert "<- pays" in rows[0]
    assert len(volumes_picture(slow, 10).panels[0].series[0].x) == 8


def test_a_scenario_has_its_volumes_too() -> None:
    file = ROOT / "docs/tutorial/two-pools.toml"
    found, _ = answer([(file.name, file.read_bytes())], AliasRequest())
    rows = document(found)["volumes"]
    assert [row["volume"] for row in rows] == ["LNX001", "LNX002"]
    assert all(row["gain_ms"] > 0.5 for row in rows)
    assert "LNX001" in text.render(report(found))
