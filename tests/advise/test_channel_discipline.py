"""Do readings of a page simulate channels as the engine has them: interleaved, and one I/O at a time for ESCON?"""

from dataclasses import replace

from slicewright._core import Scenario
from slicewright.experiment.plan import Plan
from slicewright.reading.pool import Load, Sources, VolumeLoad, scenario_text

VOLUME = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
LOAD = Load("r", "52", (VOLUME,), 0.05, 0.0, "channel", "none", False, 4, serial_ms=0.3)


def disciplines(load: Load) -> list[str]:
    """How the channels of a reading serve I/Os, from its resolved scenario."""
    text = scenario_text(load, 2, Plan(3.0, 0.3, 10), Sources("Y", "none", "assumed"))
    lines = Scenario.read(text.encode(), "reading.toml", []).resolved.splitlines()
    return [line.split('"')[1] for line in lines if line.strip().startswith("discipline =")]


def test_channels_of_a_reading_interleave() -> None:
    assert disciplines(LOAD) == ["shared"] * 4


def test_escon_carries_one_at_a_time() -> None:
    assert disciplines(replace(LOAD, one_at_a_time=True)) == ["fifo"] * 4
