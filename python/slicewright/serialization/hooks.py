"""The price of filters in front of a call, as the engine's walk over exits: a front end, and exits behind it.

A filter of system calls is a hook as an installation exit is.  The kernel's way into the filters is a front end that
sees each call.  It answers by a bitmap, or each filter behind it is an exit that is entered and does work of its own.
Source: kernel/seccomp.c of Linux, __seccomp_filter and seccomp_run_filters; structure `svc-front-end` of the exits.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields

_POINT = "ISGNQXITBATCH"
"""Called for every request, without the lock."""


@dataclass(frozen=True, slots=True)
class HookPrices:
    """Nanoseconds of a call, of the way into its filters, of a filter, and of a comparison with a rule.

    A call that is compared with more than `near` rules passes more code than the first instruction cache holds, and
    fetches all of it anew: a comparison then costs `far_rule_ns`.

    >>> HookPrices(190.0, 60.0, 23.0, 0.5).rule_of(100)
    0.5
    """

    call_ns: float
    path_ns: float
    filter_ns: float
    rule_ns: float
    far_rule_ns: float | None = None
    """None where it was not measured; `rule_ns` holds then for all."""
    near: int = 0

    def rule_of(self, compared: float) -> float:
        """The price of a comparison where a call is compared with this number of rules in all."""
        return self.rule_ns if self.far_rule_ns is None or compared <= self.near else self.far_rule_ns


def hooked_ns(prices: HookPrices, comparisons: Sequence[float] | None) -> float:
    """The time of a call behind filters, each with its comparisons; None is a call without any.

    Without filters that run (an empty sequence) the bitmap has answered.

    >>> prices = HookPrices(190.0, 60.0, 23.0, 0.5)
    >>> [hooked_ns(prices, filters) for filters in (None, (), (100,), (100, 0))]
    [190.0, 250.0, 323.0, 346.0]
    """
    return _walk(prices, None if comparisons is None else tuple(comparisons))


@functools.lru_cache(maxsize=4096)
def _walk(prices: HookPrices, comparisons: tuple[float, ...] | None) -> float:
    from slicewright.serialization.enq import Resource, Task
    from slicewright.serialization.exits import Complex, Costs, Exit

    system = Complex()
    system.join(1, "none" if comparisons is None else "svc-front-end")
    rule_ns = prices.rule_of(sum(comparisons or ()))
    for at, count in enumerate(comparisons or ()):
        # The engine's microsecond is a nanosecond here: its walk has no scale, and its span no shorter unit.
        system.add(1, Exit(_POINT, f"FILTER{at}", own_us=count * rule_ns))
    account = system.enq(Task(1), Resource("SYSCALL", "GETPPID", "SYSTEM")).account
    free = {price.name: 0.0 for price in fields(Costs)}
    own = {"enq": prices.call_ns, "front_end": prices.path_ns, "entry": prices.filter_ns}
    return account.us(Costs(**free | own))
