"""The dispatch model in SimPy: a process per virtual processor, with the resource of its manual or with a list by hand.

It counts only dispatches and bursts, which favours the peer.
"""

import random
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import simpy

VIRTUAL = 104
LOGICAL = 32
QUANTUM_MS = 2.0
BURST_MS = 5.0
THINK_MS = 5.0

Process = Generator[simpy.Event, Any, None]


@dataclass
class Run:
    """A run that is under way, and what it has counted since its warm-up."""

    env: simpy.Environment
    exponential: Callable[[float], float]
    begin_ms: float
    dispatches: int = 0
    bursts: int = 0
    measured_ms: float = 0.0

    @property
    def counted(self) -> bool:
        """Whether the warm-up is over."""
        return self.env.now >= self.begin_ms

    @property
    def bursts_per_s(self) -> float:
        """Bursts ended per simulated second."""
        return self.bursts / self.measured_ms * 1000.0

    @property
    def dispatches_per_s(self) -> float:
        """Dispatches per simulated second."""
        return self.dispatches / self.measured_ms * 1000.0


def by_the_manual(run: Run) -> Callable[[], Process]:
    """Virtual processors that request the logical ones as a shared resource, again for every quantum."""
    processors = simpy.Resource(run.env, capacity=LOGICAL)

    def virtual_processor() -> Process:
        while True:
            yield run.env.timeout(run.exponential(1 / THINK_MS))
            left = run.exponential(1 / BURST_MS)
            while left > 0.0:
                with processors.request() as turn:
                    yield turn
                    run.dispatches += run.counted
                    quantum = min(left, QUANTUM_MS)
                    yield run.env.timeout(quantum)
                    left -= quantum
            run.bursts += run.counted

    return virtual_processor


def by_hand(run: Run) -> Callable[[], Process]:
    """The same with a count of free processors and a list of waiting processes: about twice as fast."""
    env = run.env
    ready: deque[simpy.Event] = deque()
    free = LOGICAL

    def queue() -> simpy.Event:
        turn = env.event()
        ready.append(turn)
        return turn

    def virtual_processor() -> Process:
        nonlocal free
        while True:
            yield env.timeout(run.exponential(1 / THINK_MS))
            left = run.exponential(1 / BURST_MS)
            if free:
                free -= 1
            else:
                yield queue()
            run.dispatches += run.counted
            while left > QUANTUM_MS:
                yield env.timeout(QUANTUM_MS)
                left -= QUANTUM_MS
                if ready:
                    ready.popleft().succeed()
                    yield queue()
                run.dispatches += run.counted
            yield env.timeout(left)
            if ready:
                ready.popleft().succeed()
            else:
                free += 1
            run.bursts += run.counted

    return virtual_processor


def simulate(
    seed: int,
    measured_s: float,
    warm_up_s: float = 1.0,
    written: Callable[[Run], Callable[[], Process]] = by_the_manual,
) -> Run:
    """Run the model once; the same seed gives the same outcome.

    >>> outcome = simulate(1, 0.5)
    >>> 6_000 < outcome.bursts_per_s < 6_800
    True
    """
    env = simpy.Environment()
    run = Run(env, random.Random(seed).expovariate, begin_ms=warm_up_s * 1000.0)
    virtual_processor = written(run)
    for _ in range(VIRTUAL):
        env.process(virtual_processor())
    env.run(until=run.begin_ms + measured_s * 1000.0)
    run.measured_ms = measured_s * 1000.0
    return run
