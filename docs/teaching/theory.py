"""Closed forms of the queues that the teaching pages simulate: M/M/1, M/M/c, M/G/1, and the machine repairman's.

Nothing in the engine uses these: they are what it is compared with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Closed:
    """What a closed population does: completions per time, mean response, how many wait, how long one service takes."""

    rate: float
    response: float
    waiting: float
    service: float


def one_server(busy: float, service: float = 1.0, scv: float = 1.0) -> float:
    """Mean response of M/G/1: service x (1 + busy (1 + scv) / (2 (1 - busy))), by Pollaczek and Khinchine.

    `scv` is variance / mean^2 of the service: 1 is M/M/1, 0 is M/D/1.  Kleinrock, Queueing Systems 1, section 5.6.

    >>> [one_server(0.5), one_server(0.5, scv=0.0), one_server(0.75)]
    [2.0, 1.5, 4.0]
    """
    return service * (1 + busy * (1 + scv) / (2 * (1 - busy)))


def must_wait(servers: int, offered: float) -> float:
    """The share of arrivals that finds all servers busy in M/M/c: Erlang's C formula; `offered` is rate x service.

    Kleinrock, Queueing Systems 1, section 3.5.

    >>> [round(must_wait(1, 0.75), 3), round(must_wait(4, 3.0), 3)]
    [0.75, 0.509]
    """
    terms = [offered**n / math.factorial(n) for n in range(servers)]
    last = offered**servers / math.factorial(servers) * servers / (servers - offered)
    return last / (sum(terms) + last)


def many_servers(servers: int, offered: float, service: float = 1.0) -> float:
    """Mean response of M/M/c: service x (1 + C / (servers - offered)).

    >>> [many_servers(1, 0.75), round(many_servers(4, 3.0), 3)]
    [4.0, 1.509]
    """
    return service * (1 + must_wait(servers, offered) / (servers - offered))


def repairman(customers: int, think: float, servers: int, sharing: float = 0.0) -> Closed:
    """A closed population at servers of mean service 1, exponential all: the machine repairman's birth and death.

    With n customers there, min(n, servers) are served, each at the speed 1 / (1 + sharing (served - 1)).
    Kleinrock, Queueing Systems 1, section 3.8, with rates that depend on the state.

    >>> alone = repairman(1, 2.0, 1)
    >>> [round(alone.rate, 4), alone.response, alone.waiting]
    [0.3333, 1.0, 0.0]
    >>> [round(repairman(12, 2.0, c, sharing=1.0).response, 2) for c in (1, 4, 12)]
    [10.0, 10.0, 10.0]
    """
    served = [min(n, servers) for n in range(customers + 1)]
    speed = [0.0] + [n / (1 + sharing * (n - 1)) for n in served[1:]]
    weights = [1.0]
    for n in range(1, customers + 1):
        weights.append(weights[-1] * (customers - n + 1) / think / speed[n])
    total = sum(weights)
    rate = sum(weight * at for weight, at in zip(weights, speed, strict=True)) / total
    present = sum(weight * n for n, weight in enumerate(weights)) / total
    in_service = sum(weight * n for weight, n in zip(weights, served, strict=True)) / total
    return Closed(rate, present / rate, present - in_service, in_service / rate)
