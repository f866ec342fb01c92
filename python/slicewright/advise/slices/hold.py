"""The exact formula of hold time: how long one ended I/O waits for the next slice of its own partition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.scenario.view import Distribution, Service

TERMS = 4096
"""Terms of the Fourier series; what is cut off is below frame / (10 x terms), .002 ms of a frame of 80 ms."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A partition's turn: ms that it has processors, and ms until it has them again.

    >>> Turn(30.0, 30.0).frame_ms
    60.0
    """

    on_ms: float
    off_ms: float

    @property
    def frame_ms(self) -> float:
        """From the beginning of one turn to that of the next."""
        return self.on_ms + self.off_ms


@dataclass(frozen=True, slots=True)
class Part:
    """A part of service time: mean in ms, squared coefficient of variation, and its form.

    `form` is constant, uniform, gamma (also exponential and Erlang) or hyperexponential, as in scenario files.

    >>> Part(10.0, 0.0).form
    'constant'
    """

    mean_ms: float
    scv: float
    form: str = "constant"

    def wave(self, angular: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The characteristic function at angular frequencies per ms."""
        turn = 1j * angular * self.mean_ms
        if self.form == "gamma":
            return np.asarray((1 - turn * self.scv) ** (-1 / self.scv))
        if self.form == "hyperexponential":
            share = (1 + np.sqrt((self.scv - 1) / (self.scv + 1))) / 2
            return np.asarray(sum(p / (1 - turn / (2 * p)) for p in (share, 1 - share)))
        if self.form == "uniform":
            half = angular * self.mean_ms * np.sqrt(3 * self.scv)
            return np.asarray(np.exp(turn) * np.sinc(half / np.pi))
        return np.asarray(np.exp(turn))


def hold_ms(turn: Turn, service: Sequence[Part]) -> float:
    """Mean ms from the end of one I/O to the next own slice, its start spread evenly over the own slice.

    Slices are T on and T off, service is S, and m = S mod 2T.  The wait is m - m^2/2T for m <= T, else (2T - m)^2/2T
    (Partitioning Large Processors, 1.0: an interrupt waits for the next slice).  For other turns and for service that
    varies the wait at each instant of the frame is averaged over where the I/O can end.

    >>> [round(hold_ms(Turn(t, t), [Part(18.0, 0.0)]), 1) for t in (30, 20, 10, 9)]
    [12.6, 9.9, 0.2, 0.0]
    >>> round(hold_ms(Turn(15, 45), [Part(18.0, 0.0)]), 1)
    34.5
    """
    if turn.off_ms <= 0:
        return 0.0
    if turn.on_ms <= 0:
        return float("inf")
    if all(part.scv == 0 for part in service):
        return _of_constant(turn, sum(part.mean_ms for part in service))
    return max(0.0, _of_any(turn, service))


def parts(service: Service) -> list[Part] | None:
    """The parts of a volume's service; None where it grows with others or with size.

    >>> from slicewright.scenario.starters import read_starter
    >>> parts(read_starter("mm1").view.volumes[0].service)[-1]
    Part(mean_ms=1.0, scv=1.0, form='gamma')
    """
    if service.connect.per_concurrent_s or service.connect.per_kib_s:
        return None
    return [_part(span) for span in (service.pend, service.disconnect, service.connect)]


def _part(span: Distribution) -> Part:
    if span.uniform_s is not None:
        low, high = (1000 * bound for bound in span.uniform_s)
        mean = (low + high) / 2
        return Part(mean, (high - low) ** 2 / (12 * mean**2), "uniform") if high > low else Part(mean, 0.0)
    if span.constant_s is not None:
        return Part(1000 * span.constant_s, 0.0)
    scv = span.scv or 0.0
    if span.hyperexponential_s is not None:
        return Part(1000 * span.hyperexponential_s, scv, "hyperexponential" if scv > 1 else "gamma")
    if span.erlang_s is not None:
        return Part(1000 * span.erlang_s, 1 / (span.stages or 1), "gamma")
    if span.gamma_s is not None:
        return Part(1000 * span.gamma_s, scv, "gamma")
    return Part(1000 * (span.exponential_s or 0.0), 1.0, "gamma")


def _of_constant(turn: Turn, service_ms: float) -> float:
    """The waits from the instant at which the first I/O of a slice ends to that of the last, averaged."""
    off, frame = turn.off_ms, turn.frame_ms

    def until(instant: float) -> float:
        whole, rest = divmod(instant, frame)
        return whole * off**2 / 2 + (max(0.0, off**2 - (frame - rest) ** 2) / 2 if rest > turn.on_ms else 0.0)

    first = service_ms % frame
    return (until(first + turn.on_ms) - until(first)) / turn.on_ms


def _of_any(turn: Turn, service: Sequence[Part]) -> float:
    """The same as a Fourier series over the frame, term by term times the characteristic function of service."""
    on, off, frame = turn.on_ms, turn.off_ms, turn.frame_ms
    angular = 2 * np.pi * np.arange(1, TERMS + 1) / frame
    step = 1j * angular
    wait = (np.exp(step * off) * (off / step + 1 / angular**2) - 1 / angular**2) / frame
    start = (np.exp(step * on) - 1) / (step * on)
    total = wait * start
    for part in service:
        total = total * part.wave(angular)
    return float(off**2 / (2 * frame) + 2 * total.real.sum())
