"""The closed model in SimPy, written as its manual teaches: a process per guest, an event per wait."""

import random
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import simpy

VOLUMES = 8
GUESTS_A_VOLUME = 16
ALIASES = 8
THINK_MS = 2.0
SERVICE_MS = 1.4

ALIAS = -1


@dataclass
class Outcome:
    """The counts of a run after its warm-up."""

    ios: int
    response_sum_ms: float
    measured_ms: float

    @property
    def io_per_s(self) -> float:
        """I/Os ended per simulated second."""
        return self.ios / self.measured_ms * 1000.0

    @property
    def response_ms(self) -> float:
        """Mean time from asking for a server to the end of the I/O."""
        return self.response_sum_ms / self.ios


class Pool:
    """The servers: a base per volume, aliases for all; the longest waiter gets a freed alias."""

    def __init__(self, env: simpy.Environment) -> None:
        self.env = env
        self.base_free = [True] * VOLUMES
        self.aliases_free = ALIASES
        self.at_volume: list[deque[simpy.Event]] = [deque() for _ in range(VOLUMES)]
        # All waiting requests, oldest first, including those that their base has already started.
        self.at_pool: deque[tuple[simpy.Event, int]] = deque()

    def claim(self, volume: int) -> int | simpy.Event:
        """The server that takes the I/O now, or the event that will say which one does."""
        if self.base_free[volume]:
            self.base_free[volume] = False
            return volume
        if self.aliases_free:
            self.aliases_free -= 1
            return ALIAS
        turn = self.env.event()
        self.at_volume[volume].append(turn)
        self.at_pool.append((turn, volume))
        return turn

    def release(self, server: int) -> None:
        """Give the server to the next: a base to its volume's oldest, an alias to the pool's oldest."""
        if server == ALIAS:
            while self.at_pool:
                turn, volume = self.at_pool.popleft()
                if not turn.triggered:
                    self.at_volume[volume].popleft()
                    turn.succeed(ALIAS)
                    return
            self.aliases_free += 1
        elif self.at_volume[server]:
            self.at_volume[server].popleft().succeed(server)
        else:
            self.base_free[server] = True


def simulate(seed: int, measured_s: float, warm_up_s: float = 1.0) -> Outcome:
    """Run the model once; the same seed gives the same outcome.

    >>> outcome = simulate(1, 0.5)
    >>> 10_000 < outcome.io_per_s < 12_500
    True
    """
    env = simpy.Environment()
    pool = Pool(env)
    exponential = random.Random(seed).expovariate
    outcome = Outcome(0, 0.0, measured_s * 1000.0)
    begin = warm_up_s * 1000.0

    def guest(volume: int) -> Generator[simpy.Event, Any, None]:
        while True:
            yield env.timeout(exponential(1 / THINK_MS))
            asked = env.now
            claimed = pool.claim(volume)
            server = claimed if isinstance(claimed, int) else (yield claimed)
            yield env.timeout(exponential(1 / SERVICE_MS))
            pool.release(server)
            if env.now >= begin:
                outcome.ios += 1
                outcome.response_sum_ms += env.now - asked

    for volume in range(VOLUMES):
        for _ in range(GUESTS_A_VOLUME):
            env.process(guest(volume))
    env.run(until=begin + outcome.measured_ms)
    return outcome
