"""Slices from RMF pages: loads that print the pages again, found by simulation, and the words about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.assumptions import without_effect
from slicewright.advise.slices.answer import Case, Given, SliceAnswer, build
from slicewright.advise.slices.machine import PRSM, RUNS_MS, check_fits, machine_of, measured, run_ms
from slicewright.advise.slices.pages import (
    Evidence,
    MachinePage,
    PageVolume,
    PartitionPage,
    Weighed,
    gather,
    named_by,
    plain,
)
from slicewright.advise.slices.request import MARGIN_PERCENT, Assumed, SliceRequest
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.statistics import fixed, percent, plural, seconds, significant
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.numerals import in_scenario

_LATENCY_MS = 8.35
"""Half a rotation of 16.7 ms, which disks of the study turn in (Partitioning Large Processors: 3380)."""
SLIH_MS = {"classic": 0.15, "current": 0.02}
"""ASSUME: what the interrupt handler takes, at the level of MVS/XA as scenarios do, and on the processors of z/OS."""
_PATH_MS = {"classic": 0.1, "current": 0.02}
"""ASSUME: computing between two I/Os, assumed where no page says how busy its partition is."""
_WORK_MS = 10.0
"""ASSUME: how long a stretch of work of another partition is."""
_ALMOST = 0.97
"""How much of what it can have such a partition is let use: more work than it can have would pile up for ever."""
_BUSIEST = 0.6
"""How busy exposures are made that stand for a volume with aliases, whose number is not read."""


@dataclass(frozen=True, slots=True)
class Share:
    """A partition: its share (0 to 1), its page (None: it only takes its turns), CPU busy of its turns if known."""

    name: str
    share: float
    page: PartitionPage | None
    busy: float | None
    """Share of its turns in which it computes, as given or as dispatched."""
    weight: float | None = None
    capped: bool = False
    """Both under PR/SM."""
    work: float = 0.0
    """Processors that a partition without a page uses, under PR/SM: there it matters what others do."""
    seen: float | None = None
    """MVS BUSY: share of time in which its logical processors have work, whether or not they have a physical one."""
    logicals: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings from no page: partitions, shared processors, the slice of an equal share, the interrupt handler (ms)."""

    shares: tuple[Share, ...]
    processors: int
    slice_ms: float
    slih_ms: float
    weighs: bool = False
    """Whether processors go by weight (PR/SM, WAIT COMPLETION NO); the slice is then the longest run."""


@dataclass(frozen=True, slots=True)
class _Requester:
    """The requesters of I/O to a volume, which think (ms) between I/Os; none, for arrivals at the printed rate."""

    partition: str
    volume: str
    """Its name in the scenario; the page's own may stand on another page too."""
    printed: PageVolume
    population: int
    think_ms: float

    @property
    def name(self) -> str:
        """The name of the guest."""
        return f"on-{self.volume}"


@dataclass(frozen=True, slots=True)
class PageLoad:
    """A load: setting, requesters, how service is spread (rotating, constant, exponential), and where it is from."""

    name: str
    setting: Setting
    requesters: tuple[_Requester, ...]
    service: str
    source: str
    paths: tuple[tuple[str, float], ...] = ()
    """CPU time between two I/Os in ms, by partition, where it was searched for."""

    def grown(self, factor: float) -> PageLoad:
        """The load with `factor` times the demand: rates, or populations with think times that correct the rounding."""
        return replace(self, requesters=tuple(_grown(requester, factor) for requester in self.requesters))


def requesters(setting: Setting, population: int) -> tuple[_Requester, ...]:
    """A requester for each volume of each page; 0 is arrivals from outside."""
    made, seen = [], set()
    for share in setting.shares:
        for volume in share.page.volumes if share.page else ():
            name = volume.name if volume.name not in seen else f"{volume.name}.{share.name}"
            count = 2
            while name in seen:
                name, count = f"{volume.name}.{share.name}.{count}", count + 1
            seen.add(name)
            think = max(0.0, 1000 * population / volume.io_per_s - volume.service_ms)
            made.append(_Requester(share.name, name, volume, population, think if population else 0.0))
    return tuple(made)


def _scenario_text(load: PageLoad) -> str:
    """The scenario of a load; the same load gives the same text."""
    setting = load.setting
    lines = [f"name = {_text(load.name)}", "", "[source]", 'document = "RMF DIRECT ACCESS DEVICE ACTIVITY"']
    lines += [f"report = {_text(load.source)}", "", "[cec]", f"processors = {setting.processors}"]
    if setting.weighs:
        lines += [f'dispatcher = "{PRSM}"', f'run_time = "{in_scenario(setting.slice_ms)} ms"']
    else:
        lines += [f'slice = "{in_scenario(setting.slice_ms)} ms"']
    lines += ['assume = "as given, or assumed: not on any page"', ""]
    for share in setting.shares:
        lines += [
            "[[partition]]",
            f"name = {_text(share.name)}",
            f"logical_processors = {share.logicals or setting.processors}",
        ]
        if setting.weighs:
            lines += [f"weight = {_weight(share)}", f'capped = "{"yes" if share.capped else "no"}"']
        else:
            lines += [f'target = "{in_scenario(100 * share.share)} %"']
        lines += [f'slih = "{in_scenario(setting.slih_ms)} ms"']
        lines += ['assume = "share as given, or equal; the time of the interrupt handler is unpublished"', ""]
    numbers = _numbers(load.requesters)
    for requester in load.requesters:
        lines += _volume(requester, numbers[requester.volume], load)
    for requester in load.requesters:
        lines += _guest(requester, load)
    for share in setting.shares:
        lines += _work(share, setting)
    lines += ["[measure]", 'interval = "30 s"', "replications = 10", 'assume = "long enough to see queues"']
    return "\n".join(lines) + "\n"


def _path_ms(load: PageLoad, partition: str) -> tuple[float, bool]:
    """CPU time between two I/Os in ms, and whether it follows from how busy the partition is."""
    setting = load.setting
    for name, path in load.paths:
        if name == partition:
            return path, True
    share = next(share for share in setting.shares if share.name == partition)
    if share.busy is None or share.page is None:
        return _PATH_MS[share.page.level if share.page else "classic"], False
    # The page's own rate, not that of a load that has grown: more I/O is more computing.
    per_io = 1000 * share.busy * share.share * setting.processors / share.page.io_per_s
    return max(0.001, per_io - setting.slih_ms), True


def _grown(one: _Requester, factor: float) -> _Requester:
    """At the responses of now, the I/Os that it asks for would be `factor` times as many."""
    wanted = replace(one.printed, io_per_s=factor * one.printed.io_per_s)
    if not one.population:
        return replace(one, printed=wanted)
    response = max(0.0, 1000 * one.population / one.printed.io_per_s - one.think_ms)
    population = max(1, round(factor * one.population))
    think = 1000 * population / wanted.io_per_s - response
    while think < 0:
        population += 1
        think = 1000 * population / wanted.io_per_s - response
    return replace(one, printed=wanted, population=population, think_ms=think)


def _numbers(made: Sequence[_Requester]) -> dict[str, str]:
    """Device numbers of four digits, each once; a number that two pages have is changed for the later one."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for requester in made:
        digits = requester.printed.device[-4:].upper().rjust(4, "0")
        value = int(digits, 16)
        while f"{value:04X}" in taken:
            value = (value + 1) % 0x10000
        taken.add(f"{value:04X}")
        found[requester.volume] = f"{value:04X}"
    return found


def _volume(one: _Requester, device: str, load: PageLoad) -> list[str]:
    printed = one.printed
    lines = ["[[volume]]", f"name = {_text(one.volume)}", f'device = "{device}"', f"partition = {_text(one.partition)}"]
    if printed.aliased:
        load_ms = printed.service_ms + 2 * load.setting.slice_ms
        lines.append(f"aliases = {min(255, int(printed.io_per_s * load_ms / 1000 / _BUSIEST) + 1)}")
    spread = _spread(printed.disc_ms, load.service)
    source = _text(f"means as printed: {load.source}; the distribution is assumed")
    pend, connect = in_scenario(printed.pend_ms), in_scenario(printed.conn_ms)
    parts = f'pend = "{pend} ms", disconnect = {spread}, connect = "{connect} ms"'
    return [*lines, f"service = {{ {parts}, assume = {source} }}", ""]


def _spread(mean_ms: float, service: str) -> str:
    if mean_ms <= 0 or service == "constant":
        return f'"{in_scenario(mean_ms)} ms"'
    if service == "exponential":
        return f'{{ exponential = "{in_scenario(mean_ms)} ms" }}'
    half = min(_LATENCY_MS, mean_ms)
    return f'{{ uniform = ["{in_scenario(mean_ms - half)} ms", "{in_scenario(mean_ms + half)} ms"] }}'


def _weight(share: Share) -> int:
    return max(1, min(999, round(share.weight or 1)))


def _work(share: Share, setting: Setting) -> list[str]:
    """A guest that computes in a partition without a page, as much as PARTITION DATA gives it used."""
    most = min(float(share.logicals or setting.processors), float(setting.processors))
    used = min(share.work, _ALMOST * most)
    if share.page is not None or not setting.weighs or used <= 0:
        return []
    lines = ["[[guest]]", f"name = {_text('work-of-' + share.name)}", f"partition = {_text(share.name)}"]
    lines += [f'arrivals = "{in_scenario(1000 * used / _WORK_MS)}/s"']
    why = "enough to use the time in PARTITION DATA; their length is assumed"
    return [
        *lines,
        f'program = [ {{ compute = {{ exponential = "{in_scenario(_WORK_MS)} ms" }} }} ]',
        f"assume = {_text(why)}",
        "",
    ]


def _guest(one: _Requester, load: PageLoad) -> list[str]:
    path, known = _path_ms(load, one.partition)
    why = "from the CPU busy of the partition" if known else "computing between two I/Os, assumed"
    compute = f'{{ compute = {{ exponential = "{in_scenario(path)} ms" }}, assume = {_text(why)} }}'
    steps = [compute, f"{{ io = {{ volume = {_text(one.volume)} }} }}"]
    lines = ["[[guest]]", f"name = {_text(one.name)}", f"partition = {_text(one.partition)}"]
    if not one.population:
        lines += [f'arrivals = "{in_scenario(one.printed.io_per_s)}/s"']
        return [*lines, f"program = [ {', '.join(steps)} ]", f"source = {_text('rate as printed')}", ""]
    if one.think_ms > 0:
        steps.insert(0, f'{{ think = {{ exponential = "{in_scenario(one.think_ms)} ms" }} }}')
    lines += [f"count = {one.population}", f"program = [ {', '.join(steps)} ]"]
    return [*lines, f"calibrated = {_text(load.source)}", ""]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_POPULATIONS = (1, 2, 3, 4, 6, 9, 13)
"""Requests per volume that are tried: between them, no queue is far from that of one of them."""
_STEPS = 4
_FIT_IOS = 20_000
_RATE_PERCENT = 3.0
"""How far a closed load may miss a printed rate: it is adjusted by simulation, which has noise."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A load with what it prints: I/O per second and waiting requests of all volumes; `why` it does not fit, if so."""

    load: PageLoad
    io_per_s: float
    queue: float
    why: str
    seen: tuple[tuple[str, float], ...] = ()
    """MVS BUSY that it gives, by partition."""
    miss: float = 0.0
    """How far its waiting requests are from the printed ones, as a share of all requests present."""


def _fit_closed(setting: Setting, service: str, source: str, margin_percent: float) -> Fitted:
    """A population per volume, with think times that give the printed rates, and a queue near the printed one."""
    every = {count: requesters(setting, count) for count in _POPULATIONS}
    printed = every[1]
    best: list[tuple[float, _Requester]] = [(np.inf, requester) for requester in every[_POPULATIONS[-1]]]
    for count in _POPULATIONS:
        load = _adjusted(PageLoad("closed", setting, every[count], service, source))
        run = _simulated(load)
        for at, requester in enumerate(load.requesters):
            wanted = printed[at].printed
            # A volume with aliases queues for one of them, whose number is not read: its queue says nothing of slices.
            miss = 0.0 if wanted.aliased else abs(float(run.queues[at]) - wanted.queue)
            if abs(float(run.rates[at]) / wanted.io_per_s - 1) <= _RATE_PERCENT / 100 and miss < best[at][0]:
                best[at] = (miss, requester)
    chosen = PageLoad("closed", setting, tuple(requester for _, requester in best), service, source, load.paths)
    return _judged(_adjusted(chosen), margin_percent)


def _found_as(load: PageLoad) -> str:
    """A load in words."""
    counts = sorted({requester.population for requester in load.requesters})
    if counts[0] == 0:
        return f"open arrivals at the printed rate; service {load.service}"
    span = f"{counts[0]} to {counts[-1]}" if counts[0] != counts[-1] else str(counts[0])
    noun = "request" if counts[-1] == 1 else "requests"
    return f"{span} {noun} per volume, each waiting for the last; service {load.service}"


@dataclass(frozen=True, slots=True)
class _Run:
    rates: Array
    queues: Array
    seen: dict[str, float]
    """Share of time with work, by partition."""


def _adjusted(load: PageLoad) -> PageLoad:
    """Think times moved, step by step, by what a request's round is too long or too short (N / X - R).

    So is what programs compute, by how busy a partition saw itself.
    """
    for _ in range(_STEPS):
        run = _simulated(load)
        moved = []
        for requester, rate in zip(load.requesters, run.rates, strict=True):
            missing = 1000 * requester.population * (1 / requester.printed.io_per_s - 1 / max(float(rate), 1e-9))
            think = max(0.0, requester.think_ms + missing) if requester.population else 0.0
            moved.append(replace(requester, think_ms=think))
        load = replace(load, requesters=tuple(moved), paths=_paths(load, run))
    return load


def _paths(load: PageLoad, run: _Run) -> tuple[tuple[str, float], ...]:
    """CPU time between two I/Os by partition, in proportion to what is missing of its MVS BUSY."""
    found = []
    for share in load.setting.shares:
        if share.seen is None or share.page is None:
            continue
        before = _path_ms(load, share.name)[0]
        # The handler's part is given; a busy that it exceeds leaves the programs next to nothing.
        factor = float(np.clip(share.seen / max(run.seen[share.name], 1e-6), 0.2, 5.0))
        all_of_it = 1000 * share.share * load.setting.processors / share.page.io_per_s
        found.append((share.name, float(np.clip(before * factor, 0.001, all_of_it))))
    return tuple(found)


def _simulated(load: PageLoad) -> _Run:
    """Rate and queue of each volume, and the share of time in which each partition had work."""
    total = sum(requester.printed.io_per_s for requester in load.requesters)
    interval = float(np.clip(float(f"{_FIT_IOS / 4 / total:.2g}"), 2.0, 300.0))
    names = [share.name for share in load.setting.shares]
    plan = Plan(interval, interval / 10, 4)
    scenario = Scenario.read(_scenario_text(load).encode(), "reading")
    trial = measured(scenario, [requester.volume for requester in load.requesters], names, plan)
    work = (trial.domains["effective_percent"] + trial.domains["pending_percent"]).mean(axis=0) / 100
    seen = dict(zip(names, (float(busy) for busy in work), strict=True))
    return _Run(trial.devices["io_per_s"].mean(axis=0), trial.devices["queue_depth"].mean(axis=0), seen)


def _judged(load: PageLoad, margin_percent: float) -> Fitted:
    run = _simulated(load)
    printed = [requester.printed for requester in load.requesters]
    compared = [at for at, volume in enumerate(printed) if not volume.aliased]
    total, queue = float(run.rates.sum()), float(run.queues[compared].sum())
    wanted, waiting = sum(volume.io_per_s for volume in printed), sum(printed[at].queue for at in compared)
    present = waiting + sum(volume.io_per_s * volume.service_ms / 1000 for volume in printed)
    allowed = sum(printed[at].queue_rounding for at in compared) + margin_percent / 100 * present
    why = ""
    if abs(total / wanted - 1) > _RATE_PERCENT / 100 or abs(queue - waiting) > allowed:
        why = f"{fixed(total, 0)} I/O/s, {fixed(queue, 2)} waiting against {fixed(wanted, 0)}, {fixed(waiting, 2)}"
    seen = tuple((share.name, run.seen[share.name]) for share in load.setting.shares if share.seen is not None)
    return Fitted(load, total, queue, why, seen, abs(queue - waiting) / present)


_NOT_TOLD_MS = 30.0
"""ASSUME: the slice that a scenario has where it is not given; no answer depends on it."""
_PROCESSORS = 2
"""ASSUME: as in the study, where it is not given."""


def _slice_of(evidence: Evidence, question: SliceRequest) -> float | None:
    """The slice of an equal share in ms: as given, or the dispatch interval of PARTITION DATA; None is not known.

    Under PR/SM it is the longest run, which PR/SM computes where it is not set.
    """
    machine = evidence.machine
    if question.slice_ms is not None or machine is None:
        return question.slice_ms
    if machine.slice_ms is None and _weighs(evidence) and machine.shared:
        return run_ms(machine.shared, sum(partition.logicals for partition in machine.sharing))
    return machine.slice_ms


def _weighs(evidence: Evidence) -> bool:
    """Whether processors go by weight: PARTITION DATA says WAIT COMPLETION NO, which fixed slices know nothing of."""
    return evidence.machine is not None and evidence.machine.waits is False


def _setting_of(evidence: Evidence, question: SliceRequest) -> Setting:
    """The partitions that share: the pages' own, and others that take the turns that are left; raises InputError."""
    _check(evidence, question)
    machine = evidence.machine
    rows = _told(evidence, question) if machine is None else _weighed(evidence, machine, question)
    assumed = question.assumed
    processors = _processors(evidence, question)
    slih = SLIH_MS[evidence.pages[0].level] if assumed.slih_ms is None else assumed.slih_ms
    length = _slice_of(evidence, question) or _NOT_TOLD_MS
    return Setting(tuple(rows), processors, length, slih, _weighs(evidence))


def _processors(evidence: Evidence, question: SliceRequest) -> int:
    """The shared processors: of the page, given, or as in the study where no page is about the whole machine.

    Raises InputError where PARTITION DATA does not identify them, and where fewer are said than were used.
    """
    machine, told = evidence.machine, question.assumed.processors
    if machine is None:
        file, used = evidence.pages[0].file, sum((cpu.dispatched or 0.0) * cpu.logicals for cpu in evidence.cpus)
        known, source = told, "assumed" if told is None else f"--assume processors={told}"
    else:
        file, used = machine.file, machine.used
        known, source = (machine.shared, "the page") if machine.shared else (told, f"--assume processors={told}")
        if known is None:
            why = "the page prints no number of general processors (CP), and its times imply none"
            what, allowed = "the number of shared processors is missing", "--assume processors=N"
            raise refusal(problem(what, file=file, key="PHYS PROC NUM", why=why, allowed=allowed))
    if problems := check_fits(file, used, known or _PROCESSORS, source):
        raise refusal(*problems)
    return known or _PROCESSORS


def _check(evidence: Evidence, question: SliceRequest) -> None:
    pages, assumed = evidence.pages, question.assumed
    problems: list[Problem] = []
    for key, given in (("share", question.shares), ("assume busy", assumed.busy)):
        if given and len(given) != len(pages):
            what = f"{plural(len(given), 'value')} for {plural(len(pages), 'page')} of devices"
            why, allowed = "each page is of one partition", "one per page, in their order"
            problems.append(problem(what, key=key, why=why, allowed=allowed))
    machine, length = evidence.machine, question.slice_ms
    if _weighs(evidence) and length is not None and not RUNS_MS[0] <= length <= RUNS_MS[1]:
        why = "WAIT COMPLETION NO: processors go by weight, and the slice is the longest run"
        problems.append(problem(f"{length:g} ms is no run time", key="slices", why=why, allowed="1 ms to 100 ms"))
    if machine:
        options = {"share": bool(question.shares), "assume partitions": assumed.partitions is not None}
        options["assume processors"] = assumed.processors is not None and machine.processors is not None
        problems += [
            problem("PARTITION DATA gives it", key=key, file=machine.file, allowed="one of them")
            for key, there in options.items()
            if there
        ]
    elif assumed.partitions is not None and assumed.partitions < len(pages):
        what = f"{assumed.partitions} partitions, and {len(pages)} pages of devices"
        problems.append(problem(what, key="assume partitions", allowed=f"{len(pages)} or more"))
    if problems:
        raise refusal(*problems)


def _told(evidence: Evidence, question: SliceRequest) -> list[Share]:
    """Shares from the command line, or equal ones."""
    pages = evidence.pages
    shares, others = _shares(pages, question)
    names: list[str] = []
    for at, page in enumerate(pages, 1):
        name = plain(page.system, f"PAGE{at}")
        names.append(name if name not in names else f"{name}.{at}")
    rows = []
    for at, (name, share, page) in enumerate(zip(names, shares, pages, strict=True)):
        rows.append(_share(name, share, page, _Busy(evidence, question, at)))
    return rows + [Share(f"OTHER{at}", share, None, None) for at, share in enumerate(others, 1)]


class _Busy:
    """The evidence of how busy the partition of a page was."""

    def __init__(self, evidence: Evidence, question: SliceRequest, at: int, weighed: Weighed | None = None) -> None:
        self.told = question.assumed.busy[at] if question.assumed.busy else None
        self.page = evidence.cpu(evidence.pages[at])
        self.weighed = weighed
        self.machine = evidence.machine


def _share(name: str, share: float, page: PartitionPage, busy: _Busy) -> Share:
    """A given value goes first; then the time dispatched, if a turn ends at a wait; then the partition's own page."""
    cpu, weighed, machine = busy.page, busy.weighed, busy.machine
    logicals = weighed.logicals if weighed else cpu.logicals if cpu else None
    made = Share(name, share, page, busy.told, logicals=logicals)
    if weighed and machine and machine.waits is False:
        made = replace(made, weight=weighed.weight, capped=weighed.capped)
        if busy.told is None and weighed.used is not None and machine.shared:
            return replace(made, busy=weighed.used / (share * machine.shared))
    return made if busy.told is not None or cpu is None else replace(made, seen=cpu.busy)


def _weighed(evidence: Evidence, machine: MachinePage, question: SliceRequest) -> list[Share]:
    """Shares by weight, in the order of PARTITION DATA, which is that of the turns."""
    found: dict[str, int] = {}
    problems: list[Problem] = []
    for at, page in enumerate(evidence.pages):
        name = named_by(evidence.machines, page.system)
        if not any(partition.name == name for partition in machine.sharing):
            allowed = ", ".join(partition.name for partition in machine.sharing)
            what = f"no partition that shares processors is named {page.system or 'by this page'}"
            why = (
                f"{machine.file} lists the partitions that share; its own MVS PARTITION NAME is"
                f" {machine.printer or 'missing'}"
            )
            problems.append(problem(what, file=page.file, key="SYSTEM ID", why=why, allowed=allowed))
        elif name in found:
            what = f"two pages of partition {name}"
            problems.append(problem(what, file=page.file, key="SYSTEM ID", allowed="one page of devices per partition"))
        found[name] = at
    if problems:
        raise refusal(*problems)
    rows = []
    for partition in machine.sharing:
        share = machine.share(partition.name)
        if partition.name in found:
            at = found[partition.name]
            rows.append(
                _share(plain(partition.name, "P"), share, evidence.pages[at], _Busy(evidence, question, at, partition))
            )
        else:
            # A partition that keeps its turns through waits is dispatched, whatever it computes.
            work = (partition.used or 0.0) if machine.waits is False else 0.0
            other = Share(plain(partition.name, "P"), share, None, None, partition.weight, partition.capped, work)
            rows.append(replace(other, logicals=partition.logicals))
    return [row for row in rows if row.share > 0]


def _shares(pages: Sequence[PartitionPage], question: SliceRequest) -> tuple[list[float], list[float]]:
    """The shares of the pages' partitions, and those of others; raises InputError where they cannot be."""
    stated = question.assumed.partitions
    count = max(stated or 0, len(pages), 2)
    shares = list(question.shares or (1 / count,) * len(pages))
    left, others = 1 - sum(shares), count - len(pages)
    if left > 1e-9:
        if stated is not None and not others:
            why, allowed = "there are no other partitions", "together 100 %, or more partitions"
            raise refusal(problem(f"{100 * left:.4g} % belongs to no partition", key="share", why=why, allowed=allowed))
        others = max(others, 1)
        return shares, [left / others] * others
    if others and (stated is not None or len(pages) == 1):
        why = "a partition that has all processors has no slices"
        raise refusal(problem("no share remains for another partition", key="share", why=why, allowed="below 100 %"))
    return shares, []


_SHOWN = 4
_TOO_FAR = 0.25
"""Share of the requests present by which waiting ones may be missed before there is no advice; as for aliases."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The subject of the words; the first of `fitted` is the main reading."""

    evidence: Evidence
    setting: Setting
    question: SliceRequest
    fitted: tuple[Fitted, ...]

    @property
    def busy(self) -> tuple[str, ...]:
        """The partitions of which it is known how busy they were."""
        known = [
            share for share in self.setting.shares if share.busy is not None or share.seen is not None or share.work > 0
        ]
        return tuple(share.name for share in known)

    @property
    def told(self) -> bool:
        """Whether the slice of now is known."""
        return _slice_of(self.evidence, self.question) is not None


def _what(evidence: Evidence) -> str:
    """A line per page that was read."""
    lines = []
    for page in evidence.pages:
        parts = [page.system, page.started, seconds(page.interval_s) if page.interval_s else ""]
        left = [f"{page.idle:,} idle"] if page.idle else []
        left += [f"{plural(page.skipped, 'row')} that {'is no disk' if page.skipped == 1 else 'are no disks'}"] * (
            page.skipped > 0
        )
        tail = f" ({' and '.join(left)} ignored)" if left else ""
        head = ", ".join(["RMF DIRECT ACCESS DEVICE ACTIVITY", *(part for part in parts if part)])
        lines.append(f"{page.file}  {head}{tail}")
    lines += [f"{cpu.file}  RMF CPU ACTIVITY, {cpu.system}" for cpu in evidence.cpus]
    lines += [
        f"{machine.file}  RMF PARTITION DATA, {plural(len(machine.partitions), 'partition')}"
        for machine in evidence.machines
    ]
    return "\n".join([*lines, ""])


def _facts(pages: Pages) -> tuple[str, ...]:
    """The evidence: Little's law per page, hold and CPU as derived from it, and what is simulated for it."""
    lines = []
    main = pages.fitted[0]
    for page in pages.evidence.pages:
        served = sum(each.io_per_s * each.service_ms / 1000 for each in page.volumes)
        name = f"{page.system or page.file}: "
        lines.append(
            f"{name}{fixed(page.io_per_s, 1)} I/O/s, {fixed(page.queue, 2)} waiting + {fixed(served, 2)} in service "
            f"(rate x IOSQ, rate x (PEND + DISC + CONN))"
        )
        known = [(each.io_per_s, each.hold_ms) for each in page.volumes if each.hold_ms is not None]
        if known:
            mean = sum(rate * hold for rate, hold in known) / sum(rate for rate, _ in known)
            lines.append(f"{name}AVG INT DLY {fixed(mean, 1)} ms: attributed to hold, and not used for a fit")
    if not main.why:
        how = "measured" if pages.evidence.measured else "on the page"
        lines.append(f"simulated as {how}: {fixed(main.io_per_s, 1)} I/O/s, {fixed(main.queue, 2)} waiting")
    found = dict(main.seen)
    for share in pages.setting.shares:
        if share.seen is not None and share.name in found:
            lines.append(f"{share.name}: MVS BUSY {percent(share.seen)}, simulated {percent(found[share.name])}")
        elif share.busy is not None:
            lines.append(f"{share.name}: uses {percent(share.busy)} of its share of the processors")
    return tuple(lines)


def _left_open(pages: Pages) -> tuple[str, ...]:
    """The facts that the pages do not have, and the assumptions."""
    setting, assumed = pages.setting, pages.question.assumed
    lines = [_shares_in_words(pages)]
    if not pages.told:
        lines.append("present slices unknown, so that queues give no information on the load: --slices '30 ms'")
    machine = pages.evidence.machine
    if assumed.processors is None and not (machine and machine.shared):
        lines.append(f"{plural(setting.processors, 'shared processor')}: assumed; --assume processors=...")
    if machine and machine.waits is False:
        lines.append(
            f"{'no partition keeps a processor while it waits' if pages.evidence.measured else 'WAIT COMPLETION NO'}: "
            "processors go by weight (PR/SM); partitions without a page of devices use the time in "
            f"{'0/16 or 70-1' if pages.evidence.measured else 'PARTITION DATA'}, in bursts of 10 ms"
        )
    if assumed.slih_ms is None:
        handler = significant(setting.slih_ms, 1)
        lines.append(f"the interrupt handler takes {handler} ms: assumed; --assume slih=...")
    if not pages.busy:
        path = significant(_PATH_MS[pages.evidence.pages[0].level], 1)
        has = "the records have" if pages.evidence.measured else "the page has"
        lines.append(f"{has} no processor utilization: programs compute {path} ms per I/O; --assume busy=82%")
    elif any(share.seen is not None and share.seen > 0.97 for share in setting.shares):
        lines.append(
            "a partition that always has work may want any amount more: its simulated demand is the smallest that fits"
        )
    if assumed.service is None:
        spread = "rotating (a disk of 16.7 ms a turn), constant, exponential"
        lines.append(f"no page has the distribution of service times: {spread}; --assume service=...")
    return (*lines, *_doubts(pages))


def _no_advice(pages: Pages) -> str:
    """Why there is none: the nearest load is far from what is printed; empty where there is advice."""
    if min(reading.miss for reading in pages.fitted) <= _TOO_FAR or not all(reading.why for reading in pages.fitted):
        return ""
    best = min(pages.fitted, key=lambda one: one.miss)
    return f"no load that was simulated reproduces these pages; the nearest gives {best.why}"


def _needed(pages: Pages) -> tuple[str, ...]:
    """The data that would settle it."""
    what = "monitor data" if pages.evidence.measured else "pages"
    lines = [f"{what} of the same load with another slice"]
    if _no_advice(pages):
        lines = ["facts that no page has: --assume slih=, processors=, busy=, service=; or a corrected --slices"]
    if not pages.told:
        lines = ["the slice at the time of the pages: --slices"]
    if not pages.busy:
        lines.append("the processor utilization: the CPU ACTIVITY page of each partition, or --assume busy=...")
    return tuple(lines)


def _shares_in_words(pages: Pages) -> str:
    shares = ", ".join(f"{share.name} {100 * share.share:.4g} %" for share in pages.setting.shares)
    machine = pages.evidence.machine
    if machine:
        given = "weights" if pages.evidence.measured else f"weights of {machine.file}"
        return f"shares by the {given}: {shares}"
    return f"shares {'as given' if pages.question.shares else 'unknown, assumed equal'}: {shares}; --share"


def _doubts(pages: Pages) -> list[str]:
    evidence, lines = pages.evidence, []
    if all(reading.why for reading in pages.fitted) and not _no_advice(pages):
        lines.append(f"no load fits the pages: the nearest is used ({pages.fitted[0].why})")
    serials = [each.name for page in evidence.pages for each in page.volumes]
    twice = sorted({name for name in serials if serials.count(name) > 1})
    if twice:
        names = ", ".join(twice[:_SHOWN]) + (f" and {len(twice) - _SHOWN} more" if len(twice) > _SHOWN else "")
        lines.append(f"{names} on more than one page: simulated as independent volumes")
    if _apart(evidence):
        lines.append("the pages cover different intervals: their loads may not have run at the same time")
    if any(each.aliased for page in evidence.pages for each in page.volumes):
        lines.append(
            "volumes with aliases: enough are assumed that no I/O waits for one; their queues are not compared"
        )
    if unused := evidence.unused():
        lines.append(f"{', '.join(unused)}: CPU ACTIVITY of a partition without a page of devices; not used")
    if len(evidence.machines) > 1:
        lines.append(f"more than one PARTITION DATA page: {evidence.machines[0].file} is used")
    return lines


def _apart(evidence: Evidence) -> bool:
    """Whether two pages, of whatever kind, tell different intervals."""
    times = [(page.started, page.interval_s) for page in evidence.pages]
    times += [(machine.started, machine.interval_s) for machine in evidence.machines]
    times += [(cpu.started, cpu.interval_s) for cpu in evidence.cpus]
    starts, lengths = {start for start, _ in times if start}, {length for _, length in times if length}
    return len(starts) > 1 or len(lengths) > 1


_SERVICES = ("rotating", "constant", "exponential")


def answer_pages(
    named: Sequence[tuple[str, bytes]],
    question: SliceRequest,
    progress: Callable[[float], None] = lambda share: None,
) -> SliceAnswer:
    """The answer from a page of each partition, all of one interval; raises InputError."""
    return answer_evidence(gather(named), tuple(name for name, _ in named), question, progress)


def answer_evidence(
    evidence: Evidence,
    files: tuple[str, ...],
    question: SliceRequest,
    progress: Callable[[float], None] = lambda share: None,
) -> SliceAnswer:
    """The answer from pages that were read, or from measured intervals in their form; raises InputError."""
    _refuse_without_partitions(evidence, question)
    setting, stated = _setting_of(evidence, question), _slice_of(evidence, question) is not None
    if not stated:
        _refuse_idle(question.assumed)
    source = ", ".join(page.file for page in evidence.pages)
    fitted = _readings(setting, source, question.assumed, stated)
    fitted.sort(key=lambda one: (bool(one.why), one.miss if one.why else 0.0))
    cases = tuple(_case(reading) for reading in fitted)
    machine = machine_of(cases[0].scenario.view)
    assert machine is not None
    pages = Pages(evidence, setting, question, tuple(fitted))
    busy = pages.busy
    given = Given(
        files, _what(evidence), cases, now=stated, switch_told=False, facts=_facts(pages),
        open=_left_open(pages), needed=_needed(pages), busy=busy, reason=_no_advice(pages),
        headroom=stated and (bool(busy) or len(evidence.pages) > 1),
    )  # fmt: skip
    return build(given, machine, question, progress)


def read_setting(named: Sequence[tuple[str, bytes]], question: SliceRequest) -> Setting:
    """The partitions of pages before anything is simulated; raises InputError where they do not answer the question."""
    evidence = gather(named)
    _refuse_without_partitions(evidence, question)
    return _setting_of(evidence, question)


def _refuse_without_partitions(evidence: Evidence, question: SliceRequest) -> None:
    """Refuse pages of z/OS that nothing connects with partitions in slices; raises InputError."""
    told = question.slice_ms is not None or question.shares or question.assumed.partitions is not None
    if told or evidence.machine is not None or any(page.level != "current" for page in evidence.pages):
        return
    why = "a z/OS page of devices does not say that its partition shares processors in slices"
    allowed = "PARTITION DATA beside it, --slices or --share; advise aliases FILE asks about its queues (IOSQ)"
    raise refusal(
        *(problem("no partitions in slices", file=page.file, why=why, allowed=allowed) for page in evidence.pages)
    )


def _refuse_idle(assumed: Assumed) -> None:
    """Refuse what can be compared with the printed queues only where the slice is known; raises InputError."""
    why = "without the slice every reading has open arrivals, and none is compared with the printed queues; --slices"
    given = {"arrivals": assumed.arrivals is not None, "margin": assumed.margin_percent != MARGIN_PERCENT}
    problems = [without_effect(key, why) for key, there in given.items() if there]
    if problems:
        raise refusal(*problems)


def _readings(setting: Setting, source: str, assumed: Assumed, stated: bool) -> list[Fitted]:
    """The main reading first: closed where the slice is given, so that queues can be compared with it; else open."""
    margin = assumed.margin_percent
    services = _SERVICES if assumed.service is None else (assumed.service,)
    closed: list[Fitted] = []
    if stated and assumed.arrivals != "open":
        closed = [_fit_closed(setting, service, source, margin) for service in services]
    if assumed.arrivals == "closed" and closed:
        return closed
    opened = services if not closed else services[:1]
    unheld = margin if stated else float("inf")
    # Arrivals from outside at the printed rates.
    loads = [PageLoad("open", setting, requesters(setting, 0), service, source) for service in opened]
    return [*closed[:1], *(_judged(_adjusted(load), unheld) for load in loads), *closed[1:]]


def _case(one: Fitted) -> Case:
    def grow(factor: float) -> Scenario:
        return Scenario.read(_scenario_text(one.load.grown(factor)).encode(), "reading")

    return Case(f"{one.load.name}-{one.load.service}", _found_as(one.load), grow(1.0), one.why, grow)
