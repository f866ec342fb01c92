"""Loads of partitions that share processors: their unknowns, and how a load is corrected towards RMF pages of it.

A page of devices prints rate, queue and parts of service of each volume, on z/OS the interrupt delay too.  Other pages
print how busy a partition was.  Not printed are populations, think times, the interrupt handler, and spreads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Array, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.reading.accept import SURE
from slicewright.reading.evidence import Evidence, Evidences, Key, Unknown, Value, Values
from slicewright.reading.search import Family, Seen, Setting
from slicewright.statistics import significant
from slicewright.values.numerals import in_scenario

_LATENCY_MS = 8.35
"""Half a rotation of 16.7 ms, which disks of the study turn in (Partitioning Large Processors: 3380)."""
_HANDLER_MS = {"classic": 0.15, "current": 0.02}
"""ASSUME: what the interrupt handler takes, at the level of MVS/XA as scenarios do, and on the processors of z/OS."""
PATH_MS = {"classic": 0.1, "current": 0.02}
"""ASSUME: computing between two I/Os, assumed where no page says how busy its partition is."""
_HANDLERS = {"classic": (0.05, 0.4), "current": (0.005, 0.05, 0.2)}
"""ASSUME: other times of the handler (ms), tried where no interrupt delay shows it."""
_OF_BOUND = (0.03, 0.07, 0.12, 0.2, 0.3, 0.45, 0.7, 0.95)
"""Times of the handler that are tried, as shares of the most that it can take."""
_WORK_MS = 10.0
"""ASSUME: how long a stretch of work is that does no I/O."""
_WORKS_MS = (2.0, 30.0)
"""ASSUME: the least and the most of that."""
_ALMOST = 0.97
"""How much of what it can have a partition without a page is let use: more work than it can have would pile up."""
_BUSIEST = 0.6
"""How busy exposures are made that stand for a volume with aliases, whose number is not read."""
_MORE = (0, 1, 2, 4, 9)
"""Requests of a volume in circulation, beyond the fewest that Little's law allows."""
_BATCHES = (1, 2, 3, 4, 6, 9)
_SPREADS = (0.0, 0.06, 0.16, 1 / 3, 1.0, 2.0)
"""Spreads of service that are looked at, as the squared coefficient of variation of its longest part."""
_FIT_IOS = 24_000
_LEAST_MS = 0.001
_MOST_HANDLER = 0.95
"""The most that the handler takes of the processor time of an I/O."""


@dataclass(frozen=True, slots=True)
class PageVolume:
    """A volume with I/O: rate per second, times in ms, queue in requests, each with its rounding.

    `hold_ms` is what is printed under AVG INT DLY, if it is; `aliased` says that other devices help (PAV is not 1).
    `samples` is how many the queue is a mean of; 0: it is no mean of samples.
    """

    name: str
    device: str
    io_per_s: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    queue: float = 0.0
    queue_rounding: float = 0.0
    hold_ms: float | None = None
    aliased: bool = False
    io_rounding: float = 0.0
    hold_rounding: float = 0.0
    service_rounding: float = 0.0
    samples: float = 0.0

    @property
    def service_ms(self) -> float:
        """Pend, disconnect and connect."""
        return self.pend_ms + self.disc_ms + self.conn_ms

    @property
    def present(self) -> float:
        """Requests at the volume, by Little's law: waiting, in service, or with an interrupt to come."""
        return self.queue + self.io_per_s * (self.service_ms + (self.hold_ms or 0.0)) / 1000

    @property
    def rotating(self) -> float:
        """The spread of the longest part where it is half a rotation before and after its mean."""
        longest = max(self.disc_ms, self.conn_ms)
        return min(1.0, _LATENCY_MS / longest) ** 2 / 3 if longest > 0 and self.disc_ms >= self.conn_ms else 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """A partition: its share (0 to 1), the volumes of its page (none: it only takes its turns), and its CPU time."""

    name: str
    share: float
    volumes: tuple[PageVolume, ...] = ()
    level: str = "classic"
    busy: float | None = None
    """Share of its turns in which it computes, as given or as dispatched; None is not known."""
    weight: float | None = None
    capped: bool = False
    """Both under PR/SM."""
    work: float = 0.0
    """Processors that a partition without a page uses, under PR/SM: there it matters what others do."""
    seen: float | None = None
    """MVS BUSY: share of time in which its logical processors have work, whether or not they have a physical one."""
    logicals: int | None = None

    @property
    def io_per_s(self) -> float:
        """I/Os per second of all its volumes."""
        return sum(volume.io_per_s for volume in self.volumes)


@dataclass(frozen=True, slots=True)
class Partitions:
    """Partitions and the processors that they share, the slice of an equal share and what a switch takes (ms)."""

    shares: tuple[Share, ...]
    processors: int
    slice_ms: float
    switch_ms: float = 0.0
    weighs: bool = False
    """Whether processors go by weight (PR/SM, WAIT COMPLETION NO); the slice is then the longest run."""

    @property
    def paged(self) -> list[Share]:
        """The partitions with a page of devices."""
        return [share for share in self.shares if share.volumes]


@dataclass(frozen=True, slots=True)
class Requester:
    """The requesters of I/O to a volume, which think (ms) between I/Os; of a population of 0, arrivals in batches."""

    partition: str
    volume: str
    """Its name in the scenario; the page's own may stand on another page too."""
    printed: PageVolume
    population: int
    think_ms: float
    batch: int = 1
    scv: float = 0.0
    """Squared coefficient of variation of the longest part of service."""

    def grown(self, factor: float) -> Requester:
        """At the responses of now, the I/Os that it asks for would be `factor` times as many."""
        wanted = replace(self.printed, io_per_s=factor * self.printed.io_per_s)
        if not self.population:
            return replace(self, printed=wanted)
        response = max(0.0, 1000 * self.population / self.printed.io_per_s - self.think_ms)
        population = max(1, round(factor * self.population))
        think = 1000 * population / wanted.io_per_s - response
        while think < 0:
            population += 1
            think = 1000 * population / wanted.io_per_s - response
        return replace(self, printed=wanted, population=population, think_ms=think)


@dataclass(frozen=True, slots=True)
class Load:
    """Requesters on a machine, with what no page prints; times in ms."""

    name: str
    machine: Partitions
    requesters: tuple[Requester, ...]
    handler_ms: float
    source: str
    paths: Mapping[str, float]
    """CPU time per I/O beside the handler, by partition."""
    beside: bool = False
    """Whether most of that CPU time belongs to programs that do no I/O."""
    work_ms: float = _WORK_MS
    """A stretch of work that does no I/O."""
    pinned: str = ""
    """What a correction leaves as it is: handler, spread, or both."""
    longer: float = 0.0
    """Service times beyond those printed, in roundings."""

    def grown(self, factor: float) -> Load:
        """The load with `factor` times the demand: rates, or populations with think times that correct the rounding."""
        return replace(self, requesters=tuple(requester.grown(factor) for requester in self.requesters))

    def path_ms(self, share: Share) -> float:
        """CPU time per I/O beside the handler: what its partition used by PARTITION DATA, or as found."""
        if share.busy is None:
            return self.paths[share.name]
        # The page's own rate, not that of a load that has grown: more I/O is more computing.
        per_io = 1000 * share.busy * share.share * self.machine.processors / share.io_per_s
        return max(0.001, per_io - self.handler_ms)

    def words(self) -> str:
        """The load in words."""
        counts = sorted({requester.population for requester in self.requesters})
        batches = sorted({requester.batch for requester in self.requesters if not requester.population})
        kinds = []
        if counts := [count for count in counts if count]:
            requests = "request" if counts == [1] else "requests"
            kinds.append(f"{_counted(counts)} {requests} per volume, each waiting for the last")
        if batches:
            kinds.append("open arrivals" + (f" in batches of {_counted(batches)}" if batches != [1] else ""))
        scvs = [round(requester.scv, 2) for requester in self.requesters]
        more = ", most CPU time in other programs" if self.beside else ""
        if any(share.work for share in self.machine.shares) and self.work_ms != _WORK_MS:
            more += f", others' work in stretches of {self.work_ms:g} ms"
        if self.longer:
            more += f", service at the {'upper' if self.longer > 0 else 'lower'} end of its digits"
        return f"{'; '.join(kinds)}; handler {spread_of([self.handler_ms])} ms; service scv {spread_of(scvs)}{more}"

    def scenario(self) -> Scenario:
        """The scenario of the load."""
        machine = self.machine
        length = f"{in_scenario(machine.slice_ms)} ms"
        numbers = _device_numbers(self.requesters)
        return Scenario.of(
            {
                "name": self.name,
                "source": {"document": "RMF DIRECT ACCESS DEVICE ACTIVITY", "report": self.source},
                "cec": {
                    "processors": machine.processors,
                    "switch": _ms(machine.switch_ms),
                    "assume": "as given, or assumed: not on any page",
                    **({"dispatcher": "prsm", "run_time": length} if machine.weighs else {"slice": length}),
                },
                "partition": [_partition(share, self) for share in machine.shares],
                "volume": [_volume(each, numbers[each.volume], self) for each in self.requesters],
                "guest": [
                    *(_guest(each, self) for each in self.requesters),
                    *(guest for share in machine.shares for guest in _work(share, self)),
                ],
                "measure": {"interval": "30 s", "replications": 10, "assume": "long enough to see queues"},
            },
            "reading",
        )


def _counted(values: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys(map(str, (values[0], values[-1]))))


def spread_of(values: Sequence[float]) -> str:
    """The least and the most of some values with two digits, in words."""
    return " to ".join(dict.fromkeys(significant(value, 2) for value in (min(values), max(values))))


def _device_numbers(made: Sequence[Requester]) -> dict[str, str]:
    """Device numbers of four digits, each once; a number that two pages have is changed for the later one."""
    found: dict[str, str] = {}
    taken: set[int] = set()
    for requester in made:
        value = int(requester.printed.device[-4:], 16)
        while value in taken:
            value = (value + 1) % 0x10000
        taken.add(value)
        found[requester.volume] = f"{value:04X}"
    return found


def _partition(share: Share, load: Load) -> dict[str, Any]:
    machine = load.machine
    made: dict[str, Any] = {"name": share.name, "logical_processors": share.logicals or machine.processors}
    if machine.weighs:
        made |= {"weight": max(1, min(999, round(share.weight or 1))), "capped": share.capped}
    else:
        made["target"] = f"{in_scenario(100 * share.share)} %"
    why = "share as given, or equal; the time of the interrupt handler is unpublished"
    return made | {"slih": _ms(load.handler_ms), "assume": why}


def _volume(requester: Requester, device: str, load: Load) -> dict[str, Any]:
    printed = requester.printed
    made: dict[str, Any] = {"name": requester.volume, "device": device, "partition": requester.partition}
    if printed.aliased:
        load_ms = printed.service_ms + 2 * load.machine.slice_ms
        made["aliases"] = min(255, int(printed.io_per_s * load_ms / 1000 / _BUSIEST) + 1)
    longer = 1 + load.longer * printed.service_rounding / printed.service_ms if printed.service_ms else 1.0
    service: dict[str, Any] = {"pend": _ms(longer * printed.pend_ms)}
    spread = "disconnect" if printed.disc_ms >= printed.conn_ms else "connect"
    for name, mean in (("disconnect", printed.disc_ms), ("connect", printed.conn_ms)):
        service[name] = _distribution(longer * mean, requester.scv if name == spread else 0.0)
    service["assume"] = f"means as printed: {load.source}; the distribution is found or assumed"
    return made | {"service": service}


def _distribution(mean_ms: float, scv: float) -> str | dict[str, Any]:
    """Uniform as far as that goes, and gamma beyond."""
    if scv == 0 or mean_ms <= 0:
        return _ms(mean_ms)
    if scv > 1 / 3:
        return {"gamma": _ms(mean_ms), "scv": round(scv, 6)}
    half = float(np.sqrt(3 * scv)) * mean_ms
    return {"uniform": [_ms(mean_ms - half), _ms(mean_ms + half)]}


def _ms(value: float) -> str:
    return f"{in_scenario(max(0.0, value))} ms"


def _work(share: Share, load: Load) -> list[dict[str, Any]]:
    """Guests that compute and do no I/O: all that a partition without a page used, or most of one's with a page."""
    machine = load.machine
    if share.volumes:
        own = min(load.path_ms(share), PATH_MS[share.level])
        used = share.io_per_s * (load.path_ms(share) - own) / 1000 if load.beside else 0.0
    else:
        used = share.work if machine.weighs else 0.0
    used = min(used, _ALMOST * min(share.logicals or machine.processors, machine.processors))
    if used <= 0:
        return []
    return [{
        "name": f"work-of-{share.name}", "partition": share.name,
        "arrivals": f"{in_scenario(1000 * used / load.work_ms)}/s",
        "program": [{"compute": {"exponential": _ms(load.work_ms)}}],
        "assume": "enough to use the processor time on the pages; its length is assumed",
    }]  # fmt: skip


def _guest(requester: Requester, load: Load) -> dict[str, Any]:
    share = next(share for share in load.machine.shares if share.name == requester.partition)
    known = share.busy is not None or share.seen is not None
    path = load.path_ms(share)
    if load.beside:
        path = min(path, PATH_MS[share.level])
    why = "from the CPU busy of the partition" if known else "computing between two I/Os, assumed"
    steps: list[dict[str, Any]] = [
        {"compute": {"exponential": _ms(path)}, "assume": why}, {"io": {"volume": requester.volume}}
    ]  # fmt: skip
    made: dict[str, Any] = {"name": f"on-{requester.volume}", "partition": requester.partition}
    if not requester.population:
        made["arrivals"] = f"{in_scenario(requester.printed.io_per_s / requester.batch)}/s"
        if requester.batch > 1:
            made["batch"] = requester.batch
        return made | {"program": steps, "source": "rate as printed"}
    if requester.think_ms > 0:
        steps.insert(0, {"think": {"exponential": _ms(requester.think_ms)}})
    return made | {"count": requester.population, "program": steps, "calibrated": load.source}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A simulated load: columns by name, each an array of replications x volumes, or of replications x partitions."""

    volumes: Mapping[str, Array]
    partitions: Mapping[str, Array]


def simulated(load: Load, at: Mapping[str, float | str]) -> Outcome:
    """A load as it is now; raises RunError where a queue grows without bound."""
    total = sum(requester.printed.io_per_s for requester in load.requesters)
    interval = float(np.clip(float(f"{_FIT_IOS / 4 / total:.2g}"), 2.0, 300.0))
    plan = Plan(interval, interval / 10, 4)
    tables = simulate(load.scenario().with_(plan.keys()))
    volumes = [requester.volume for requester in load.requesters]
    partitions = [share.name for share in load.machine.shares]
    return Outcome(
        grid(tables["volumes"], ("volume", volumes), ("io_per_s", "queue_depth", "hold_ms"), 4),
        grid(tables["partitions"], ("partition", partitions), ("effective_percent", "pending_percent"), 4),
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What the asker knows of the load: the handler in ms, rotating, constant or exponential, closed or open."""

    handler_ms: float | None = None
    spread: str = ""
    arrivals: str = ""


class SliceModel:
    """Loads of partitions as pages of an interval print them.

    `judged`: whether queue and hold can be compared; without the slice of now they say nothing.
    """

    unknowns: tuple[Unknown, ...] = ()
    lacks: tuple[str, ...] = ("a handler that takes another time in each partition", "think times of two kinds")

    def __init__(self, machine: Partitions, source: str, length_s: float, known: Known, judged: bool = True) -> None:
        self.machine, self.source, self.length_s, self.known, self.judged = machine, source, length_s, known, judged
        self.named: dict[str, tuple[Share, PageVolume]] = {}
        """The volumes by their names in the scenario, each with its partition."""
        for share in machine.paged:
            for volume in share.volumes:
                name, count = volume.name, 1
                while name in self.named:
                    name = f"{volume.name}.{share.name}" + (f".{count}" if count > 1 else "")
                    count += 1
                self.named[name] = share, volume
        self.parts: Mapping[str, float] = {name: volume.io_per_s for name, (_, volume) in self.named.items()}

    @cached_property
    def evidence(self) -> Evidence:
        """The numbers on the pages."""
        values: list[Value] = []
        for name, (_, volume) in self.named.items():
            values.append(Value("io_per_s", name, volume.io_per_s, volume.io_rounding))
            if not self.judged:
                continue
            if not volume.aliased:
                # A volume with aliases queues for one of them, whose number is not read: it says nothing of slices.
                values.append(
                    Value("queue_depth", name, volume.queue, volume.queue_rounding, volume.present,
                          volume.samples or None)
                )  # fmt: skip
            if volume.hold_ms:  # no handler takes no time: a delay of 0 is none that was measured
                chance = self._chance(volume.hold_ms, volume.io_per_s)
                values.append(Value("hold_ms", name, volume.hold_ms, volume.hold_rounding + chance))
        for share in self.machine.paged:
            if share.seen is not None and self.judged:
                chance = self._chance(share.seen, share.io_per_s)
                values.append(Value("busy", share.name, share.seen, 0.00005 + chance))
        return Evidence("slices", {}, self.length_s, tuple(values), self.source)

    def _chance(self, value: float, io_per_s: float) -> float:
        """ASSUME: what an I/O adds varies as much as an exponential wait, and I/Os come in pairs."""
        return SURE * value * float(np.sqrt(2 / max(1.0, io_per_s * self.length_s)))

    def families(self) -> Sequence[Family]:
        """Closed loads by requests in circulation; arrivals by their batches."""
        closed = [Family(f"least+{more}", "closed") for more in _MORE] if self.known.arrivals != "open" else []
        batches = _BATCHES if self.judged else (1,)
        opened = [Family(f"batch-{size}", "open") for size in batches] if self.known.arrivals != "closed" else []
        return [*closed, *opened] if self.judged else [*opened, *closed]

    def settings(self) -> Sequence[Setting]:
        """Values that volumes share and pages may not identify: handler, spreads, work beside I/O and its length."""
        made = [Setting({})]
        if any(share.busy is not None or share.seen is not None for share in self.machine.paged):
            made.append(Setting({("beside", ""): "yes"}, tried="alone"))
        if any(share.work for share in self.machine.shares):
            made += [Setting({("work_ms", ""): length}) for length in _WORKS_MS]
        if self.known.handler_ms is None:
            made += [Setting({("handler_ms", ""): time, ("pinned", ""): "handler"}) for time in self._handlers()]
        if not self.known.spread:
            made += [
                Setting({("pinned", ""): "spread"} | {("scv", name): scv for name in self.named}) for scv in (0.0, 1.0)
            ]
        if any(volume.service_rounding > 0.02 * volume.service_ms for _, volume in self.named.values()):
            made += [Setting({("longer", ""): ends}) for ends in (-1.0, 1.0)]
        return made

    def _handlers(self) -> list[float]:
        """Times of the handler, below the least hold and the processor time of an I/O."""
        delays = [volume.hold_ms for _, volume in self.named.values() if volume.hold_ms]
        most = [delay for delay in delays if self.judged]
        for share in self.machine.paged:
            if share.busy is not None or share.seen is not None:
                most.append(self._path_ms(share))
        bound = min(most, default=float("inf"))
        if delays and self.judged:
            return [float(f"{part * bound:.3g}") for part in _OF_BOUND]
        return [time for time in _HANDLERS[self.machine.paged[0].level] if time < bound]

    def screen(self, family: Family, setting: Setting, evidence: Evidences) -> Load:
        """The first guess: think times by Little's law from what is printed."""
        closed, amount = family.curve == "closed", int(family.name.partition("-")[2] or family.name.partition("+")[2])
        level = next(share.level for share in self.machine.paged)
        paths = {share.name: self._path_ms(share) for share in self.machine.paged}
        requesters = []
        for name, (share, volume) in self.named.items():
            scv = {"constant": 0.0, "exponential": 1.0}.get(self.known.spread, volume.rotating)
            population = int(np.ceil(volume.present - volume.queue_rounding)) + amount if closed else 0
            response = 1000 * volume.present / volume.io_per_s + paths[share.name]
            think = max(0.0, 1000 * population / volume.io_per_s - response) if closed else 0.0
            requesters.append(Requester(share.name, name, volume, population, think, 1 if closed else amount, scv))
        handler = _HANDLER_MS[level] if self.known.handler_ms is None else self.known.handler_ms
        load = Load(family.name, self.machine, tuple(requesters), handler, self.source, paths)
        return self.with_values(load, setting.values)

    def _path_ms(self, share: Share) -> float:
        if share.busy is not None:
            return 1000 * share.busy * share.share * self.machine.processors / share.io_per_s
        if share.seen is None:
            return PATH_MS[share.level]
        logicals = share.logicals or self.machine.processors
        return max(0.001, 1000 * share.seen * logicals * share.share / share.io_per_s)

    def counters(self, outcome: Outcome, evidence: Evidence) -> Array:
        """Rates, queues and holds of volumes, and the share of time in which a partition has work."""
        volumes, shares = list(self.named), [share.name for share in self.machine.shares]
        columns = []
        for value in evidence.values:
            if value.name == "busy":
                at = shares.index(value.part)
                work = outcome.partitions["effective_percent"][:, at] + outcome.partitions["pending_percent"][:, at]
                columns.append(work / 100)
            else:
                columns.append(outcome.volumes[value.name][:, volumes.index(value.part)])
        return np.stack(columns, axis=1)

    def correct(self, load: Load, seen: Sequence[Seen[Outcome]]) -> Load:
        """Think times by what a round is too long or too short (N / X - R), computing by how busy a partition was.

        The handler takes what volumes miss of their holds together, spreads of service what is left of each.
        """
        (each,) = seen
        wanted = {value.key: value.value for value in each.evidence.values}
        found = {value.key: float(got) for value, got in zip(each.evidence.values, each.found, strict=True)}
        moved = []
        for requester in load.requesters:
            key = ("io_per_s", requester.volume)
            missing = 1000 * requester.population * (1 / wanted[key] - 1 / max(found[key], 1e-9))
            think = max(0.0, requester.think_ms + missing) if requester.population else 0.0
            moved.append(replace(requester, think_ms=_digits(think)))
        spent = {}
        for share in self.machine.paged:
            spent[share.name] = load.path_ms(share) + load.handler_ms
            key = ("busy", share.name)
            if key in wanted and share.busy is None:
                most = 1000 * share.share * self.machine.processors / share.io_per_s
                factor = np.clip(wanted[key] / max(found[key], 1e-6), 0.2, 5.0)
                spent[share.name] = min(most, float(factor) * spent[share.name])
        held = self._held(replace(load, requesters=tuple(moved)), wanted, found, min(spent.values()))
        paths = {name: _digits(max(_LEAST_MS, spent[name] - held.handler_ms)) for name in load.paths}
        return replace(held, paths=paths)

    def _held(self, load: Load, wanted: Mapping[Key, float], found: Mapping[Key, float], most_ms: float) -> Load:
        """Handler, below the processor time of an I/O, and spreads moved by what is missing of the holds."""
        short = {key[1]: wanted[key] - found[key] for key in wanted if key[0] == "hold_ms" and np.isfinite(found[key])}
        if not short:
            return load
        printing = [requester for requester in load.requesters if requester.volume in short]
        handler = load.handler_ms
        if self.known.handler_ms is None and "handler" not in load.pinned:
            waiting = sum(found["io_per_s", name] * found["hold_ms", name] for name in short) / 1000
            weights = [
                each.printed.io_per_s / (0.01 * wanted["hold_ms", each.volume] + self._sway(each)) for each in printing
            ]
            # A handler that is longer keeps interrupts waiting that came together.
            together = 1 + waiting / self.machine.processors
            handler += _median([short[each.volume] for each in printing], weights) / together
            known = any(share.busy is not None or share.seen is not None for share in self.machine.paged)
            handler = min(handler, 5 * load.handler_ms + 0.05, _MOST_HANDLER * most_ms if known else np.inf)
            handler = _digits(max(_LEAST_MS, handler))
        if "spread" in load.pinned or self.known.spread:
            return replace(load, handler_ms=handler)
        spreads = {each.volume: self._spread(each, short[each.volume] - handler + load.handler_ms) for each in printing}
        moved = tuple(replace(each, scv=spreads.get(each.volume, each.scv)) for each in load.requesters)
        return replace(load, requesters=moved, handler_ms=handler)

    @cached_property
    def _holds(self) -> dict[tuple[str, bool], Array]:
        """The hold of each volume, closed or open, as first guesses with each spread have it.

        The exact formula would not do: it has starts spread evenly, and requests that waited for a turn start together.
        """
        found: dict[tuple[str, bool], Array] = {}
        for family in (Family(f"least+{_MORE[1]}", "closed"), Family("batch-1", "open")):
            load = self.screen(family, Setting({}), ())
            alike = [
                replace(load, requesters=tuple(replace(each, scv=scv) for each in load.requesters)) for scv in _SPREADS
            ]
            holds = np.array([simulated(each, {}).volumes["hold_ms"].mean(axis=0) for each in alike])
            found |= {(name, family.curve == "closed"): holds[:, at] for at, name in enumerate(self.named)}
        return found

    def _sway(self, requester: Requester) -> float:
        """How much of a volume's hold its spread of service decides (ms)."""
        return float(np.ptp(self._holds[requester.volume, requester.population > 0]))

    def _spread(self, requester: Requester, missing_ms: float) -> float:
        """The spread that brings a missing part of the hold about; near the present one where it decides little."""
        fine = np.linspace(0.0, _SPREADS[-1], 201)
        holds = np.interp(fine, _SPREADS, self._holds[requester.volume, requester.population > 0])
        now = np.interp(requester.scv, fine, holds)
        far = np.abs(holds - now - missing_ms) + 0.02 * (abs(missing_ms) + 0.01) * np.abs(fine - requester.scv)
        return round(float(fine[int(far.argmin())]), 4)

    def values(self, load: Load) -> Values:
        """The values of the unknowns."""
        made: dict[Key, float | str] = {
            ("handler_ms", ""): load.handler_ms, ("beside", ""): "yes" if load.beside else "no",
            ("work_ms", ""): load.work_ms, ("pinned", ""): load.pinned, ("longer", ""): load.longer,
        }  # fmt: skip
        made |= {("path_ms", name): path for name, path in load.paths.items()}
        for requester in load.requesters:
            of = requester.volume
            made |= {
                ("population", of): requester.population, ("think_ms", of): requester.think_ms,
                ("batch", of): requester.batch, ("scv", of): requester.scv,
            }  # fmt: skip
        return made

    def with_values(self, load: Load, values: Values) -> Load:
        """The load with other values."""
        every = dict(self.values(load)) | dict(values)

        def number(name: str, part: str = "") -> float:
            return cast(float, every[name, part])

        requesters = []
        for each in load.requesters:
            population, batch = (int(number(name, each.volume)) for name in ("population", "batch"))
            think, scv = (number(name, each.volume) for name in ("think_ms", "scv"))
            requesters.append(replace(each, population=population, think_ms=think, batch=batch, scv=scv))
        return replace(
            load, requesters=tuple(requesters), handler_ms=number("handler_ms"),
            paths={name: number("path_ms", name) for name in load.paths}, beside=every["beside", ""] == "yes",
            work_ms=number("work_ms"), pinned=str(every["pinned", ""]), longer=number("longer"),
        )  # fmt: skip

    def burst(self, load: Load) -> float:
        """Requests that arrive together, beyond the first, at most."""
        return max(requester.batch for requester in load.requesters) - 1.0


def _digits(value: float) -> float:
    """Six digits, so that the same load is simulated once."""
    return float(f"{value:.6g}")


def _median(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted median."""
    order = np.argsort(values)
    heaps = np.cumsum(np.asarray(weights)[order])
    return float(np.asarray(values)[order][int(np.searchsorted(heaps, heaps[-1] / 2))])
