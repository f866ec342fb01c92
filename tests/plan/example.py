"""A machine for tests of plans: two pools behind two channels that are nearly full."""

from __future__ import annotations

import functools

VOLUMES = 12

_VOLUME = """
[[volume]]
name = "{name}"
device = "{device:04X}"
control_unit = "CU"
alias_pool = "{pool}"
service = {{ pend = "0.15 ms", connect = {{ exponential = "0.25 ms" }} }}
"""
_JOBS = """
[[guest]]
name = "JOBS{at:02}"
count = 6
program = [
  {{ think = {{ exponential = "2.5 ms" }} }},
  {{ io = {{ volume = "VOL{at:02}", bytes = "8 KiB", reads = "75 %" }} }},
]
"""
_HEAD = """
name = "Orders behind two channels"
assume = "an example for tests"

[[channel]]
name = "40"
type = "FICON"

[[channel]]
name = "41"
type = "FICON"

[[control_unit]]
name = "CU"
channels = ["40", "41"]

[[alias_pool]]
name = "LSS60"
aliases = 1

[[alias_pool]]
name = "LSS61"
aliases = 1

[[guest]]
name = "ORDERS"
arrivals = "60/s"
program = [
  { repeat = 4, steps = [ { io = { uniform = ["VOL00", "VOL06"], bytes = "8 KiB", reads = "75 %" } } ] },
]

[measure]
interval = "10 s"
warm_up = "500 ms"
"""


@functools.cache
def two_channels() -> str:
    """Twelve volumes in two pools behind two channels: with more aliases alone, orders get slower."""
    volumes = (
        _VOLUME.format(
            name=f"VOL{at:02}", device=0x6000 + at + (0x100 if at >= VOLUMES // 2 else 0), at=at,
            pool="LSS60" if at < VOLUMES // 2 else "LSS61",
        )
        + (_JOBS.format(at=at) if at not in (0, 6) else "")
        for at in range(VOLUMES)
    )  # fmt: skip
    return _HEAD + "".join(volumes)
