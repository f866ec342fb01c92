"""Each volume of a pool: its waiting and response as they are, at the recommendation, and the gain of the change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.aliases.curve import Curve
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.sample import Sample
from slicewright.io.numerals import finite
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals, estimates
from slicewright.report.json import values
from slicewright.report.model import Column, Face, Table
from slicewright.statistics import Estimate, estimate, plural

WORST = 5
"""Volumes that text shows: those that wait longest."""
DRAWN = 24
"""Volumes that the figure shows."""


@dataclass(frozen=True, slots=True)
class VolumeLine:
    """One volume.  `read` are waiting requests and response in ms as they are; None where the page does not give it.

    `gain_ms` is the response that it saves against the aliases of now, simulated with the same random numbers.  Below
    zero it pays for the others.
    """

    name: str
    waiting: float | None
    response_ms: float | None
    io_per_s: Estimate
    response_then_ms: Estimate
    waiting_then: Estimate
    gain_ms: Estimate

    @property
    def document(self) -> dict[str, object]:
        """The line as an object."""
        made: dict[str, object] = {"volume": self.name}
        for name in ("waiting", "response_ms", "io_per_s", "response_then_ms", "waiting_then", "gain_ms"):
            made |= values(name, getattr(self, name))
        return made


def read_lines(report: PoolReport, curve: Curve, aliases: int) -> tuple[VolumeLine, ...]:
    """The volumes of a report beside the curve of its main reading.

    A DEVICE page does not divide the I/O of a pool's aliases among volumes: their response is then not given.

    >>> from slicewright.advise.aliases.example import curves, report
    >>> (line,) = read_lines(report(), curves()[0], 2)
    >>> line.name, line.waiting, line.gain_ms.mean > 1
    ('BWPVS0', 1.84, True)
    """
    known = not (report.is_device and report.aliases)
    now = []
    for volume in report.volumes:
        present = volume.base.queue_depth + volume.in_service
        now.append((volume.name, volume.base.queue_depth, 1000 * present / volume.io_per_s if known else None))
    return _lines(now, curve.at(report.aliases_present), curve.at(aliases))


def simulated_lines(names: Sequence[str], curve: Curve, present: int, aliases: int) -> tuple[VolumeLine, ...]:
    """The volumes of a scenario, as simulated with the aliases of now and with others."""
    before = curve.at(present)
    waits, responses = before.queue_depth.mean(axis=0), before.response_ms.mean(axis=0)
    now = [(name, float(waits[at]), float(responses[at])) for at, name in enumerate(names)]
    return _lines(now, before, curve.at(aliases))


def volumes_table(lines: Sequence[VolumeLine], aliases: int) -> Table[VolumeLine]:
    """The volumes, longest waiting first; text shows the first few."""
    ordered = sorted(lines, key=lambda line: -(line.waiting or 0.0))
    shown = {line.name for line in ordered[:WORST]}
    then = f"with {plural(aliases, 'alias', 'aliases')}"
    rest = f" Text shows {WORST} of {len(lines)} volumes, longest queue first." if len(lines) > WORST else ""
    return Table(
        [
            Column("volume", "volume", lambda line: line.name),
            Column("waiting", "waiting now", lambda line: line.waiting, form=decimals(2)),
            Column("response_ms", "Resp now", lambda line: line.response_ms, "ms", decimals(2), optional=True),
            Column("io_per_s", "I/O per s then", lambda line: line.io_per_s, form=estimates),
            Column("response_then_ms", "Resp then", lambda line: line.response_then_ms, "ms", estimates),
            Column("waiting_then", "waiting then", lambda line: line.waiting_then, form=estimates),
            Column("gain_ms", "gain", lambda line: line.gain_ms, "ms", estimates),
        ],
        ordered,
        legend=f"Then: {then}. Gain: response that a volume saves, simulated; below 0 it pays.{rest}",
        marks=_marks, face=Face.PEOPLE, brief=lambda line: line.name in shown,
    )  # fmt: skip


def volumes_picture(lines: Sequence[VolumeLine], aliases: int) -> Figure:
    """Waiting and gain of the volumes that wait longest, a row each."""
    drawn = sorted(lines, key=lambda line: -(line.waiting or 0.0))[:DRAWN]
    rows, names = [float(at) for at in range(len(drawn))], [line.name for line in drawn]
    then = Series(
        rows, [finite(line.waiting_then.mean) for line in drawn],
        half_width=[finite(line.waiting_then.half_width) for line in drawn],
        label=f"with {plural(aliases, 'alias', 'aliases')}", kind="points",
    )  # fmt: skip
    now = dots(rows, [line.waiting for line in drawn], label="now")
    gains = Series(
        rows, [finite(line.gain_ms.mean) for line in drawn],
        half_width=[finite(line.gain_ms.half_width) for line in drawn],
        label="gain of response", kind="crosses",
    )  # fmt: skip
    panels = [
        Panel("Waiting requests", [now, then], names=names),
        Panel("Response saved, ms", [gains], origin="both sides", names=names),
    ]
    return Figure(panels, "Volume", layout="rows")


def _lines(now: Sequence[tuple[str, float, float | None]], before: Sample, after: Sample) -> tuple[VolumeLine, ...]:
    return tuple(
        VolumeLine(
            name, waiting, response,
            io_per_s=estimate(after.io_per_s[:, at].tolist()),
            response_then_ms=estimate(after.response_ms[:, at].tolist()),
            waiting_then=estimate(after.queue_depth[:, at].tolist()),
            gain_ms=estimate((before.response_ms[:, at] - after.response_ms[:, at]).tolist()),
        )
        for at, (name, waiting, response) in enumerate(now)
    )  # fmt: skip


def _marks(line: VolumeLine) -> list[str]:
    """Whether the response of a volume grows beyond noise."""
    return ["pays"] if line.gain_ms.high < 0 else []
