"""The published HyperPAV runs and the values that follow from their printed rows, each with what rounding may hide."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from slicewright.study.data import data_folder

Kind = Literal["HyperPAV", "classic PAV"]

ROWS = {
    "volume_io_per_s": "I/O/s",
    "service_ms": "ms",
    "response_ms": "ms",
    "queue_depth": "I/Os",
    "base_alias_ratio": "",
}
"""The values of a run and their units, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value computed from printed figures, and the most by which their rounding can have moved it.

    >>> Value(1.29, 0.05).low
    1.24
    """

    value: float
    rounding: float

    @property
    def low(self) -> float:
        """The least that the print allows."""
        return self.value - self.rounding


@dataclass(frozen=True, slots=True)
class Report:
    """One published run: its name, its page, what kind of aliases and how many.

    `aliases` is per base in classic PAV and per pool in HyperPAV.

    >>> Report("Y032181H", Path("Y032181H.txt"), "HyperPAV", 8, 8).aliases_per_volume
    1.0
    """

    table: str
    path: Path
    kind: Kind
    bases: int
    aliases: int

    @property
    def aliases_per_volume(self) -> float:
        """Aliases that one volume has or, in a pool, its share of them."""
        return self.aliases / self.bases

    @property
    def title(self) -> str:
        """What the run is, in a few words."""
        plural = "alias" if self.aliases == 1 else "aliases"
        if self.kind == "HyperPAV":
            return f"HyperPAV, {self.bases} volumes, {self.aliases} {plural} in the pool"
        return f"classic PAV, one volume, {self.aliases} {plural}"

    @property
    def rows(self) -> list[str]:
        """The values that this run publishes."""
        pool = self.kind == "HyperPAV" and self.aliases > 0
        return [row for row in ROWS if pool or row != "base_alias_ratio"]


def study_folder() -> Path:
    """Where the study's published data lies.

    >>> (study_folder() / "hyperpav.toml").exists()
    True
    """
    return data_folder("published") / "hyperpav"


def reports(folder: Path | None = None) -> list[Report]:
    """The published runs in the order of `hyperpav.toml`; no page is opened.

    >>> [report.table for report in reports()]
    ['Y032180H', 'Y032181H', 'Y032182H', 'Y040180P', 'Y040181P', 'Y040182P']
    """
    folder = folder or study_folder()
    listed = tomllib.loads((folder / "hyperpav.toml").read_text("utf-8"))["report"]
    return [_report(folder, row) for row in listed]


def values(report: Report) -> dict[str, Value]:
    """The values of a run at full precision from its printed rows; raises InputError when the page cannot be read.

    Arithmetic as in "z/VM HyperPAV Support", A Unified Look at Volume I/O Rate and Volume Response Time: volume
    values are rate-weighted over bases and aliases; the true response is (rate x service in progress + queue) / rate,
    which the toolkit of that release printed wrongly.

    >>> found = values(reports()[0])
    >>> round(found["volume_io_per_s"].value, 3), round(found["queue_depth"].value, 1)
    (736.125, 14.4)
    """
    from slicewright._core import DeviceReport

    columns = DeviceReport.read(report.path.read_bytes(), str(report.path)).devices()
    rate = _total(columns, "io_per_s")
    service = _weighted(columns, rate)
    queue = _total(columns, "queue_depth", role="base")
    waiting_ms = 1000 * queue.value / rate.value
    found = {
        "volume_io_per_s": Value(rate.value / report.bases, rate.rounding / report.bases),
        "service_ms": service,
        "response_ms": Value(
            service.value + waiting_ms,
            service.rounding + 1000 * queue.rounding / rate.value + waiting_ms * rate.rounding / rate.value,
        ),
        "queue_depth": queue,
    }
    if "base_alias_ratio" in report.rows:
        found["base_alias_ratio"] = _ratio(columns, report)
    return found


def _report(folder: Path, row: dict[str, Any]) -> Report:
    path = folder / row["file"]
    return Report(path.stem, path, row["kind"], row["bases"], row["aliases"])


def _total(columns: dict[str, list[Any]], name: str, role: str = "") -> Value:
    """The sum of a column, over the devices of one role or over all."""
    rows = [i for i, own in enumerate(columns["role"]) if role in ("", own)]
    figures = math.fsum(columns[name][i] for i in rows)
    return Value(figures, math.fsum(columns[f"{name}_rounding"][i] for i in rows))


def _weighted(columns: dict[str, list[Any]], rate: Value) -> Value:
    """The rate-weighted service time: sum(rate x service) / sum(rate)."""
    rows = list(
        zip(
            columns["io_per_s"],
            columns["io_per_s_rounding"],
            columns["service_ms"],
            columns["service_ms_rounding"],
            strict=True,
        )
    )
    mean = math.fsum(own * service for own, _, service, _ in rows) / rate.value
    slack = math.fsum(own * ds + abs(service - mean) * dr for own, dr, service, ds in rows) / rate.value
    return Value(mean, slack)


def _ratio(columns: dict[str, list[Any]], report: Report) -> Value:
    """Mean rate of a base over mean rate of an alias."""
    base, alias = _total(columns, "io_per_s", "base"), _total(columns, "io_per_s", "pool-alias")
    ratio = (base.value / report.bases) / (alias.value / report.aliases)
    return Value(ratio, ratio * (base.rounding / base.value + alias.rounding / alias.value))
