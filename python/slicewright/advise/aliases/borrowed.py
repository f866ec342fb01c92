"""Constants that one report cannot give and that are taken from the HyperPAV study instead."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from slicewright.advise.aliases.evidence import PoolReport, read_pools
from slicewright.study.data import data_folder, study_folder

STUDY = "hyperpav"
PART = "sharing"
"""The study, and the part of its constants in which connected I/Os slow each other."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Path length between I/Os and how connected I/Os slow each other, with where both are from.

    `printed_percent` is the sharing that the service times of the study's two calibration reports show by themselves.
    The study's constant also has to meet their rates and queues.  Both agree within the rounding of the print.
    """

    gap_ms: float
    sharing_percent: float
    printed_percent: float
    source: str


def borrow() -> Borrowed:
    """The committed constants of the HyperPAV study; raises FileNotFoundError when the installation is broken.

    >>> borrow().sharing_percent >= 0
    True
    """
    # Read as it is: the study itself, with all that simulates it, takes a tenth of a second to load.
    path = study_folder(STUDY) / "calibrated.toml"
    part = tomllib.loads(path.read_text("utf-8"))[PART]
    reports = [_report(table) for table in dict.fromkeys(cell["table"] for cell in part["cell"])]
    reports.sort(key=lambda report: report.aliases_present)
    place = path.relative_to(data_folder("published").parent).as_posix()
    printed_percent = 100 * printed_sharing(reports[0], reports[-1])
    return Borrowed(part["gap_ms"], part["sharing_percent"], printed_percent, f"hyperpav study, {place}")


def printed_sharing(few: PoolReport, many: PoolReport) -> float:
    """The sharing (a share of one) that takes the printed service of one report to that of another.

    With n - 1 others connected an I/O takes 1 + sharing (n - 1) times as long. Others are the mean number connected
    less an exposure's own part.  Pend and disconnect are taken as they are in the first report.

    >>> from slicewright.advise.aliases.example import report
    >>> f"{100 * printed_sharing(report('Y032180H'), report('Y032182H')):.2f} %"
    '4.22 %'
    """
    fixed = sum(exposure.io_per_s * (exposure.pend_ms + exposure.disc_ms) for exposure in few.exposures) / few.io_per_s
    connect = [report.service_ms - fixed for report in (few, many)]
    others = [
        report.io_per_s * connect_ms / 1000 * (1 - 1 / len(report.exposures))
        for report, connect_ms in zip((few, many), connect, strict=True)
    ]
    ratio = connect[1] / connect[0]
    room = others[1] - ratio * others[0]
    return max(0.0, (ratio - 1) / room) if room > 0 else 0.0


def _report(table: str) -> PoolReport:
    path = study_folder(STUDY) / "device-reports" / f"{table}.txt"
    return read_pools(path.read_bytes(), path.name)[0]
