"""How often `plan` finds the best purchases, on machines whose truth is known and whose bottleneck was planted.

    python -m benches.plan_sites [MACHINES [FIRST]]

A machine serves orders that arrive at random.  They compute, hold a lock, and do I/O to volumes of a pool behind a
channel.  One of these is planted as the bottleneck: it is nearly full after growth, and the others are not.  In every
second six machines another is two thirds full, so that the best set may enlarge both.  Each can be enlarged at a price.
The truth is every set of purchases that is cheaper than the plan's, simulated with other random numbers.

A plan *holds* where the true response with its set keeps the requirement.  Its *cost* is right up to a tenth above the
cheapest set that keeps it in truth.  It *names* the bottleneck where the busiest resource after growth is the planted
one; of a machine without a bottleneck where it buys nothing.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from slicewright._core import Scenario
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import seeded, simulate
from slicewright.explore.plan import plan
from slicewright.statistics import estimate

from benches.coverage import Found, judged, share

KINDS = ("channel", "processor", "lock", "pool", "slice", "none")
"""The planted bottleneck; machines take turns."""

MACHINES, FIRST = 60, 100
"""Machines that are judged, and the first of them; the method is changed while looking at machines 0 to 59 only."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "channel": ("channel",), "processor": ("processor",), "lock": ("lock", "resource", "enqueue"), "pool": ("pool",),
    "slice": ("slice",),
}  # fmt: skip
"""The kinds of resources that are a planted bottleneck."""

GROWTH = 20
"""Growth of all arrivals, in percent."""
_ORDERS, _TRUTHS, _SEED = 8_000, 5, 79
"""Orders of a replication of the truth, its replications, and the seed of its random numbers."""
_TEST = 30
"""TARGET CPU PERCENTAGE of the other partition, which leaves its slices idle."""
_PLANTED = {"pool": (0.78, 0.86), "processor": (0.76, 0.84), "slice": (0.7, 0.78)}
"""Use of a planted bottleneck by orders: less where interrupts, switches or the queue at one base add to it."""
_SECOND = 0.22
"""How much less full a second planted resource is than a bottleneck."""
_VOLUMES = 4
_KIB = 16
_LEAST_GAIN = 1.4
"""A response without the relief of the planted bottleneck, as a multiple of that with it, at least."""


@dataclass(frozen=True)
class Machine:
    """A machine: times in ms, rates per second after growth."""

    number: int
    kind: str
    rate: float
    computing: float
    locked: float
    connect: float
    ios: int
    processors: int
    aliases: int
    target: int
    """TARGET CPU PERCENTAGE of the partition, beside another; 0 where its processors are its own."""
    by_name: bool
    """Whether the lock is a resource by name (ENQ)."""
    tightness: float
    """The required response, as a multiple of that with what was planted relieved."""
    planted: tuple[str, ...]
    """The bottleneck, and in every second six machines another resource that is two thirds full."""
    prices: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def numbered(cls, number: int) -> Machine:
        """The machine of this number, the same everywhere."""
        draw = random.Random(f"plan {number}")
        kind = KINDS[number % len(KINDS)]
        use = {name: draw.uniform(0.15, 0.5) for name in ("channel", "processor", "lock", "pool", "slice")}
        planted = [kind] if kind in use else []
        if planted and number // len(KINDS) % 2:
            planted.append(draw.choice([name for name in ("channel", "lock", "pool", "processor") if name != kind]))
        for name, less in zip(planted, (0.0, _SECOND), strict=False):
            use[name] = draw.uniform(*_PLANTED.get(name, (0.88, 0.93))) - less
        ios, processors = draw.randint(2, 5), draw.randint(1, 3)
        rate = use["channel"] * 1000 / (ios * _carry_ms())
        aliases = draw.randint(1, 2) if kind == "pool" else draw.randint(4, 8)
        serving = use["pool"] * (_VOLUMES + aliases) * 1000 / (rate * ios)
        target = draw.choice((10, 13, 20))
        shared = 2 * target / (target + _TEST) if kind == "slice" else float(processors)
        return cls(
            number, kind, rate,
            computing=use[kind if kind == "slice" else "processor"] * shared * 1000 / rate,
            locked=use["lock"] * 1000 / rate, connect=max(0.05, serving - _carry_ms() - 0.1), ios=ios,
            processors=2 if kind == "slice" else processors, aliases=aliases,
            target=target if kind == "slice" else 0, by_name=kind == "lock" and draw.random() < 0.5,
            tightness=draw.uniform(1.05, 1.8), planted=tuple(planted),
            prices={
                "alias": draw.choice((3, 5, 8)), "channel": draw.choice((60, 100, 150)),
                "processor": draw.choice((80, 200, 300)), "lock": draw.choice((20, 50, 120)),
                "slice": draw.choice((10, 30)),
            },
        )  # fmt: skip

    @property
    def text(self) -> str:
        """The scenario before growth."""
        lines = [f'name = "MACHINE {self.number}"', 'assume = "a simulated machine"', *self._partitions()]
        lines += ["[[channel]]", 'name = "40"', 'type = "FICON"', "[[control_unit]]", 'name = "CU"']
        lines += ['channels = ["40"]', "[[alias_pool]]", 'name = "POOL"', f"aliases = {self.aliases}"]
        names = [f"ORD{at:03d}" for at in range(_VOLUMES)]
        service = f'{{ pend = "0.1 ms", connect = {{ exponential = "{self.connect:.4f} ms" }} }}'
        for at, name in enumerate(names):
            lines += ["[[volume]]", f'name = "{name}"', f'device = "60{at:02X}"', 'partition = "PROD"']
            lines += ['control_unit = "CU"', 'alias_pool = "POOL"', f"service = {service}"]
        wait = f'[ {{ think = {{ exponential = "{self.locked:.4f} ms" }} }} ]'
        if self.by_name:
            lines += ["[serialization]", "[[enqueue]]", 'name = "LATCH"', 'qname = "ORDERS"', 'rname = "LATCH"']
            lock = f'{{ enq = "LATCH", do = {wait} }}'
        else:
            lines += ["[[resource]]", 'name = "LATCH"', "count = 1"]
            lock = f'{{ hold = "LATCH", steps = {wait} }}'
        listed = ", ".join(f'"{name}"' for name in names)
        io = f'{{ io = {{ uniform = [{listed}], bytes = "{_KIB} KiB" }} }}'
        steps = [
            f'{{ compute = {{ exponential = "{self.computing:.4f} ms" }} }}',
            lock,
            f"{{ repeat = {self.ios}, steps = [ {io} ] }}",
        ]
        lines += ["[[guest]]", 'name = "ORDERS"', 'partition = "PROD"']
        lines += [f'arrivals = "{self.rate / (1 + GROWTH / 100):.3f}/s"', f"program = [ {', '.join(steps)} ]"]
        return "\n".join([*lines, "[measure]", 'interval = "10 s"', 'warm_up = "2 s"', "replications = 10", ""])

    def _partitions(self) -> list[str]:
        if not self.target:
            lines = ["[cec]", "processors = 8", 'slice = "10 ms"', "[[partition]]", 'name = "PROD"']
            return [*lines, f"logical_processors = {self.processors}", 'mode = "UP"']
        lines = ["[cec]", "processors = 2", 'slice = "2 ms"', 'dispatching = "together"']
        for name, target in (("PROD", self.target), ("TEST", _TEST)):
            lines += ["[[partition]]", f'name = "{name}"', "logical_processors = 2", f'target = "{target} %"']
        return lines

    @property
    def levels(self) -> dict[str, list[str]]:
        """The values of each purchase: a key with the changes that can be bought, cheapest first."""
        lock = "enqueue.LATCH.members" if self.by_name else "resource.LATCH.members"
        found = {
            "alias_pool.POOL.aliases": [str(self.aliases + more) for more in (2, 4, 6)],
            "channel.*.type": ["FICON Express8S"],
            lock: ["2", "3"],
        }
        if self.target:
            return found | {"partition.PROD.target": ["30 %", "60 %"]}
        return found | {"partition.PROD.logical_processors": [str(self.processors + more) for more in (1, 2)]}

    def price(self, key: str, at: int) -> float:
        """The price of a level of a key; level 0 is the machine as it is."""
        if key.startswith("alias_pool"):
            return 2 * at * self.prices["alias"]
        if key.startswith("channel"):
            return at * self.prices["channel"]
        if key.endswith("target"):
            return at * self.prices["slice"]
        return at * self.prices["lock" if "LATCH" in key else "processor"]

    @property
    def offers(self) -> list[str]:
        """The purchases as `--buy` has them."""
        return [
            f"{key}={value} at {self.price(key, at):g}"
            for key, values in self.levels.items()
            for at, value in enumerate(values, 1)
        ]

    @property
    def sets(self) -> list[tuple[int, ...]]:
        """Every set of purchases: the level of each key."""
        return list(itertools.product(*(range(len(values) + 1) for values in self.levels.values())))

    def changes(self, chosen: Sequence[int]) -> list[str]:
        """The changes of a set."""
        pairs = zip(self.levels.items(), chosen, strict=True)
        return [f"{key}={_written(values[at - 1])}" for (key, values), at in pairs if at]

    def cost(self, chosen: Sequence[int]) -> float:
        """The cost of a set."""
        return sum(self.price(key, at) for key, at in zip(self.levels, chosen, strict=True))

    def truth(self, chosen: Sequence[int]) -> tuple[float, float]:
        """The mean response of an order with a set after growth, and its 95 % half-width, in ms."""
        grown = f'guest.ORDERS.arrivals="{self.rate:.3f}/s"'
        longer = Plan(float(f"{_ORDERS / self.rate:.2g}"), 2.0, _TRUTHS)
        scenario = Scenario.read(self.text.encode(), "machine").with_([grown, *self.changes(chosen), *longer.changes()])
        with seeded(_SEED):
            guests = simulate(scenario, {"guests": ("replication", "transaction_ms")})["guests"]
        found = estimate(guests["transaction_ms"])
        return found.mean, found.half_width

    def best(self, bound: float, most: float = math.inf) -> float:
        """The cost of the cheapest set that keeps the bound in truth, or `most` where none costs less than that."""
        cheaper = sorted((chosen for chosen in self.sets if self.cost(chosen) < most), key=self.cost)
        return next((self.cost(chosen) for chosen in cheaper if self.truth(chosen)[0] <= bound), most)

    @property
    def relief(self) -> tuple[int, ...]:
        """The set that enlarges what was planted, by all that can be bought of it, and nothing else."""
        keys = {"channel": "channel", "processor": "logical", "lock": "LATCH", "pool": "alias_pool", "slice": "target"}
        own = [keys[name] for name in self.planted]
        return tuple(len(values) if any(part in key for part in own) else 0 for key, values in self.levels.items())

    @property
    def bound(self) -> float | None:
        """The response that is required; None where the planted bottleneck makes too little difference."""
        without, relieved = self.truth((0,) * len(self.levels))[0], self.truth(self.relief)[0]
        if self.kind == "none":
            return float(f"{1.2 * without:.3g}")
        if not without > _LEAST_GAIN * relieved:
            return None
        return float(f"{min(self.tightness * relieved, relieved + 0.4 * (without - relieved)):.3g}")


@dataclass(frozen=True)
class Judged(Found):
    """A machine with the time of its plan, in seconds."""

    seconds: float = 0.0


def judge(number: int) -> Judged | None:
    """The plan of a machine against the truth of all its sets; None where nothing was planted deep enough."""
    machine = Machine.numbered(number)
    bound = machine.bound
    if bound is None:
        return None
    need = f"ORDERS transaction_ms <= {bound:g}"
    start = time.perf_counter()
    made: dict[str, Any] = plan(machine.text, machine.offers, [need], growth=[f"*={GROWTH}%"]).document()
    seconds = time.perf_counter() - start
    busiest = made["busiest"]["grown"] or {"name": "nothing", "kind": ""}
    recommended = made["recommended"]
    if recommended is None:
        words = f"none, where {machine.best(bound):g} holds {need}; {made['why_not']}"
        return Judged(number, machine.kind, words, {"holds": (False,)}, seconds=seconds)
    chosen = _chosen(machine, recommended["purchases"])
    mean, half = machine.truth(chosen)
    cost = machine.cost(chosen)
    best = machine.best(bound, cost)
    named = not cost if machine.kind == "none" else busiest["kind"] in NAMES[machine.kind]
    words = f"{'; '.join(machine.changes(chosen)) or 'nothing'} for {cost:g}, best {best:g}; {mean:.2f} ms, {need}; "
    words += f"busiest {busiest['name']}"
    held = {"holds": (mean - half <= bound,), "cost": (cost <= 1.1 * best + 1e-9,), "names": (named,)}
    return Judged(number, machine.kind, words, held, seconds=seconds)


def _chosen(machine: Machine, purchases: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """The levels of a set as the plan has it."""
    bought = {purchase["key"]: str(purchase["to"]) for purchase in purchases}
    return tuple(values.index(bought[key]) + 1 if key in bought else 0 for key, values in machine.levels.items())


def _carry_ms() -> float:
    """The serial time of an I/O on the channel of all machines."""
    text = 'name = "a"\nassume = "a"\n[[channel]]\nname = "40"\ntype = "FICON"\n[[control_unit]]\nname = "CU"\n'
    text += 'channels = ["40"]\n[[volume]]\nname = "V"\ndevice = "1"\ncontrol_unit = "CU"\n'
    text += (
        'service = { connect = "1 ms" }\n[[guest]]\nname = "G"\ncount = 1\nprogram = [ { io = { volume = "V" } } ]\n'
    )
    channel = Scenario.read(text.encode(), "channel").view.channels[0]
    return 1000 * (channel.per_io_s + _KIB * channel.per_kib_s)


def _written(value: str) -> str:
    return value if value.isdigit() else f'"{value}"'


def table(found: Sequence[Judged]) -> list[str]:
    """A row for each planted bottleneck and one for all: shares in percent, and the median time of a plan."""
    measures = ("holds", "cost", "names")
    lines = [f"{'planted':12}{'machines':>9}" + "".join(f"{name + ', %':>10}" for name in measures) + f"{'s':>8}"]
    for kind in (*KINDS, "all"):
        own = [each for each in found if kind in ("all", each.kind)]
        if own:
            shares = [share([holds for each in own for holds in each.held.get(name, ())]) for name in measures]
            cells = "".join(f"{'-' if value is None else f'{value:.1f}':>10}" for value in shares)
            lines.append(f"{kind:12}{len(own):9}{cells}{median(each.seconds for each in own):8.1f}")
    return lines


def main() -> None:
    """Judge machines, as many as the first argument says, from the second on, and print misses and the table."""
    words = [int(word) for word in sys.argv[1:3]]
    count, first = (*words, *(MACHINES, FIRST)[len(words) :])
    found = [each for each in judged(judge, range(first, first + count)) if isinstance(each, Judged)]
    for each in found:
        if not all(each.every):
            print(f"machine {each.number}, {each.kind}: {each.recommendation}, {dict(each.held)}")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
