"""Intervals of a run as OpenMetrics text: a gauge per counter, a sample per entity and interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from slicewright._core import counters
from slicewright.measured.export import span_us
from slicewright.run.tables import ENTITY
from slicewright.run.tabulated import Tabulated

if TYPE_CHECKING:
    import polars

PREFIX = "slicewright"


def openmetrics(run: Tabulated, *, replication: int = 0, start_us: int = 0) -> str:
    """The text (OpenMetrics 1.0): families in the order of the counters reference, timestamps at the ends of intervals.

    `start_us` is the start of the first interval, microseconds since 1970.  Counters without a value have no sample.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=1, set={"measure.interval": "5 s"})
    >>> text = openmetrics(run)
    >>> text.splitlines()[0], text.splitlines()[-1]
    ('# TYPE slicewright_volumes_io_per_s gauge', '# EOF')
    """
    import polars as pl

    lines: list[str] = []

    def end_s(interval: int) -> float:
        return span_us(run, interval, start_us)[1] / 1e6

    for counter in counters():
        table = counter["table"]
        if table not in ENTITY or run.raw[table].is_empty():
            continue
        rows = run.raw[table].filter(pl.col("replication") == replication)
        samples = list(_samples(rows, ENTITY[table].split(), counter["name"], end_s))
        if samples:
            name = f"{PREFIX}_{table}_{counter['name']}"
            lines += [f"# TYPE {name} gauge", f"# HELP {name} {_escaped(counter['formula'])}"]
            lines += [f"{name}{sample}" for sample in samples]
    return "\n".join([*lines, "# EOF", ""])


def _samples(rows: polars.DataFrame, keys: list[str], name: str, end_s: Callable[[int], float]) -> Iterator[str]:
    """A sample per row that has a value: labels, value and timestamp; the samples of an entity are together."""
    for row in rows.sort(*keys, "interval", maintain_order=True).iter_rows(named=True):
        if row[name] is not None:
            yield f"{labels({key: str(row[key]) for key in keys})} {row[name]!r} {end_s(row['interval']):.3f}"


def labels(values: Mapping[str, str]) -> str:
    """Labels as OpenMetrics has them behind the name of a metric; "" for none.

    >>> labels({"volume": 'a"b'})
    '{volume="a\\\\"b"}'
    """
    listed = ",".join(f'{key}="{_escaped(value)}"' for key, value in values.items())
    return f"{{{listed}}}" if listed else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
