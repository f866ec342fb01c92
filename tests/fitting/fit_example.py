"""The measured day of the examples: one volume with four guests, then with five, simulated and exported."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright._core import Scenario

if TYPE_CHECKING:
    from slicewright.fitting.fit import Fit
    from slicewright.measured.measured import Measured

SCENARIO = b"""
name = "example"
[[volume]]
name = "VOL001"
device = "1000"
service = { pend = "0.2 ms", disconnect = "0.1 ms", connect = { exponential = "0.7 ms" } }
[[guest]]
name = "USERS"
count = 4
program = [ { think = { exponential = "3 ms" } }, { io = { volume = "VOL001" } } ]
[measure]
interval = "60 s"
intervals = 3
sample = "50 ms"
warm_up = "1 s"
replications = 1
"""


@functools.cache
def day() -> Measured:
    """Six intervals of a minute: three with four guests, three with five."""
    return joined(*(Scenario.read(SCENARIO, "example").with_({"guest.USERS.count": count}) for count in (4, 5)))


@functools.cache
def fit() -> Fit:
    """The fit of that day."""
    from slicewright.fitting.fit import fit as fitted

    return fitted(day(), shown="0,2,3,5")


def joined(*scenarios: Scenario, seed: int = 1) -> Measured:
    """The intervals of several scenarios one after the other, as monitor data have them."""
    import polars as pl
    from slicewright.measured.export import monwrite
    from slicewright.measured.read import read
    from slicewright.run.run import run

    parts: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, scenario in enumerate(scenarios):
            file = Path(folder, str(number))
            file.write_bytes(monwrite(run(scenario, seed=seed + number, replications=1), system="LABSYS"))
            parts.append(read([file]).of())
    raw, starts, ends = dict(parts[0].raw), list(parts[0].starts_us), list(parts[0].ends_us)
    for part in parts[1:]:
        shift, count = ends[-1] - part.starts_us[0], len(starts)
        for table, frame in part.raw.items():
            later = frame.with_columns(pl.col("interval") + count) if "interval" in frame.columns else frame
            raw[table] = pl.concat([raw[table], later.cast(raw[table].schema)]) if later.height else raw[table]
        starts += [start + shift for start in part.starts_us]
        ends += [end + shift for end in part.ends_us]
    return replace(parts[0], raw=raw, starts_us=starts, ends_us=ends)
