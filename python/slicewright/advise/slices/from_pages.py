"""Slices from RMF pages: partitions, loads that print the pages again, and the words about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.assumptions import without_effect
from slicewright.advise.slices.answer import Case, Given, SliceAnswer, build
from slicewright.advise.slices.machine import RUNS_MS, check_fits, machine_of, run_ms
from slicewright.advise.slices.pages import (
    Evidence,
    MachinePage,
    PartitionPage,
    Weighed,
    gather,
    named_by,
    plain,
)
from slicewright.advise.slices.request import MARGIN_PERCENT, SWITCH_MS, Assumed, SliceRequest
from slicewright.reading.accept import PAGE_S
from slicewright.reading.search import Budget, Trial, Why, explore
from slicewright.reading.slices import (
    PATH_MS,
    Known,
    Load,
    Outcome,
    Partitions,
    Share,
    SliceModel,
    simulated,
    spread_of,
)
from slicewright.statistics import fixed, percent, plural, seconds, significant
from slicewright.values.errors import Problem, problem, refusal

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


def _partitions_of(evidence: Evidence, question: SliceRequest) -> Partitions:
    """The partitions that share: the pages' own, and others that take the turns that are left; raises InputError."""
    _check(evidence, question)
    machine = evidence.machine
    rows = tuple(_told(evidence, question) if machine is None else _weighed(evidence, machine, question))
    length = _slice_of(evidence, question) or _NOT_TOLD_MS
    switch_ms = question.assumed.switch_ms
    if switch_ms is None:
        shortest = length if _weighs(evidence) else length * len(rows) * min(row.share for row in rows)
        switch_ms = min(SWITCH_MS, shortest / 4)
    return Partitions(rows, _processors(evidence, question), length, switch_ms, _weighs(evidence))


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
        what = f"{plural(assumed.partitions, 'partition')}, and {plural(len(pages), 'page')} of devices"
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
    rows = [
        _share(name, share, at, (evidence, question))
        for at, (name, share) in enumerate(zip(names, shares, strict=True))
    ]
    return rows + [Share(f"OTHER{at}", share) for at, share in enumerate(others, 1)]


def _share(
    name: str, share: float, at: int, of: tuple[Evidence, SliceRequest], weighed: Weighed | None = None
) -> Share:
    """The partition of a page; how busy it was as given, else by the time dispatched if a turn ends at a wait.

    Its own page has MVS BUSY, which is used beside the time dispatched.
    """
    evidence, question = of
    page, machine = evidence.pages[at], evidence.machine
    told = question.assumed.busy[at] if question.assumed.busy else None
    cpu = evidence.cpu(page)
    logicals = weighed.logicals if weighed else cpu.logicals if cpu else None
    made = Share(name, share, page.volumes, page.level, told, logicals=logicals)
    if weighed and machine and machine.waits is False:
        made = replace(made, weight=weighed.weight, capped=weighed.capped)
        if told is None and weighed.used is not None and machine.shared:
            made = replace(made, busy=weighed.used / (share * machine.shared))
    return made if told is not None or cpu is None else replace(made, seen=cpu.busy)


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
            name = plain(partition.name, "P")
            rows.append(_share(name, share, found[partition.name], (evidence, question), partition))
        else:
            # A partition that keeps its turns through waits is dispatched, whatever it computes.
            work = (partition.used or 0.0) if machine.waits is False else 0.0
            rows.append(
                Share(plain(partition.name, "P"), share, weight=partition.weight, capped=partition.capped, work=work,
                      logicals=partition.logicals)
            )  # fmt: skip
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
_FAR = 3.0
"""Allowances by which the nearest load may miss a number before there is no advice."""
_MOST = 0.25
"""Share of the I/Os of volumes that no load explains, before there is no advice; as for aliases."""
_WORDS = {"io_per_s": "I/O/s", "queue_depth": "waiting", "hold_ms": "ms of interrupt delay", "busy": "busy"}
"""The numbers of a page."""

_COLUMNS = ("io_per_s", "queue_depth", "hold_ms")
_Trial = Trial[Load, Outcome]


@dataclass(frozen=True, slots=True)
class _Pages:
    """The subject of the words: pages, partitions, and the loads that are used, the main one first."""

    evidence: Evidence
    partitions: Partitions
    question: SliceRequest
    trials: tuple[_Trial, ...]
    open: tuple[Load, ...]
    """All loads that reproduce the pages, or the nearest one."""

    @property
    def busy(self) -> tuple[str, ...]:
        """The partitions of which it is known how busy they were."""
        known = [
            share
            for share in self.partitions.shares
            if share.busy is not None or share.seen is not None or share.work > 0
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


def _facts(pages: _Pages) -> tuple[str, ...]:
    """The evidence: Little's law per page, CPU as derived from it, and what is simulated for both."""
    lines = []
    main = pages.trials[0]
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
            use = "attributed to hold" if pages.told else "not compared, because the slice of now is unknown"
            lines.append(f"{name}AVG INT DLY {fixed(mean, 1)} ms: {use}")
    if main.outcomes:
        volumes = main.outcomes[0].volumes
        rates, queues, holds = (np.nan_to_num(volumes[name]).mean(axis=0) for name in _COLUMNS)
        how = "measured" if pages.evidence.measured else "on the page"
        lines.append(
            f"simulated {f'as {how}' if main.why is Why.FITS else 'nearest'}: {fixed(rates.sum(), 1)} I/O/s,"
            f" {fixed(queues.sum(), 2)} waiting, {fixed(float(rates @ holds / rates.sum()), 1)} ms of hold"
        )
    found = {miss.value.part: miss.found for miss in main.misses if miss.value.name == "busy"}
    for share in pages.partitions.shares:
        if share.seen is not None and share.name in found:
            lines.append(f"{share.name}: MVS BUSY {percent(share.seen)}, simulated {percent(found[share.name])}")
        if share.busy is not None:
            lines.append(f"{share.name}: uses {percent(share.busy)} of its share of the processors")
    return tuple(lines)


def _left_open(pages: _Pages) -> tuple[str, ...]:
    """The facts that the pages do not have, and the assumptions."""
    partitions, assumed = pages.partitions, pages.question.assumed
    lines = [_shares_in_words(pages)]
    if not pages.told:
        lines.append("present slices unknown, so that queues give no information on the load: --slices '30 ms'")
    machine = pages.evidence.machine
    if assumed.processors is None and not (machine and machine.shared):
        lines.append(f"{plural(partitions.processors, 'shared processor')}: assumed; --assume processors=...")
    if machine and machine.waits is False:
        lines.append(
            f"{'no partition keeps a processor while it waits' if pages.evidence.measured else 'WAIT COMPLETION NO'}: "
            "processors go by weight (PR/SM); partitions without a page of devices use the time in "
            f"{'0/16 or 70-1' if pages.evidence.measured else 'PARTITION DATA'}, in bursts of "
            f"{spread_of([load.work_ms for load in pages.open])} ms"
        )
    if assumed.slih_ms is None:
        handlers = spread_of([load.handler_ms for load in pages.open])
        lines.append(f"the interrupt handler takes {handlers} ms in the readings; --assume slih=...")
    if not pages.busy:
        path = significant(PATH_MS[pages.evidence.pages[0].level], 1)
        has = "the records have" if pages.evidence.measured else "the page has"
        lines.append(f"{has} no processor utilization: programs compute {path} ms per I/O; --assume busy=82%")
    elif any(share.seen is not None and share.seen > 0.97 for share in partitions.shares):
        lines.append(
            "a partition that always has work may want any amount more: its simulated demand is the smallest that fits"
        )
    if assumed.service is None:
        scvs = spread_of([requester.scv for load in pages.open for requester in load.requesters])
        lines.append(
            "no page has the distribution of service times: squared coefficients of variation (scv) of"
            f" {scvs} in the readings; --assume service=..."
        )
    return (*lines, *_doubts(pages))


def _missed(trial: _Trial) -> str:
    """The number that a load misses most, in words; empty where it misses none."""
    if trial.why is Why.GROWS:
        return "a queue grows without bound"
    worst = trial.worst
    if worst is None or worst.far <= 1:
        return ""
    number, digits = _WORDS[worst.value.name], 1 if worst.value.name == "io_per_s" else 2
    scale = 100 if worst.value.name == "busy" else 1
    unit = "%" if scale == 100 else number
    found, printed = (fixed(scale * value, digits) for value in (worst.found, worst.value.value))
    of = f" of {worst.value.part}" if worst.value.part else ""
    return f"{found} {unit}{' busy' if scale == 100 else ''}{of} against {printed}"


def _no_advice(pages: _Pages) -> str:
    """Why there is none: the nearest load is far from what is printed; empty where there is advice."""
    main = pages.trials[0]
    if main.why is Why.GROWS or (main.worst is not None and main.worst.far > _FAR):
        return f"no load that was simulated reproduces these pages; the nearest gives {_missed(main)}"
    parts = {requester.volume: requester.printed.io_per_s for requester in main.load.requesters}
    lost = sum(parts.get(part, 0.0) for part in main.unexplained)
    if lost > _MOST * sum(parts.values()):
        worst = max((miss for miss in main.misses if miss.value.part in main.unexplained), key=lambda miss: miss.far)
        if worst.far > _FAR:
            named = _missed(replace(main, unexplained=frozenset(), misses=(worst,)))
            return f"no load that was simulated reproduces these pages; the nearest gives {named}"
    return ""


def _needed(pages: _Pages) -> tuple[str, ...]:
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


def _shares_in_words(pages: _Pages) -> str:
    shares = ", ".join(f"{share.name} {100 * share.share:.4g} %" for share in pages.partitions.shares)
    machine = pages.evidence.machine
    if machine:
        given = "weights" if pages.evidence.measured else f"weights of {machine.file}"
        return f"shares by the {given}: {shares}"
    return f"shares {'as given' if pages.question.shares else 'unknown, assumed equal'}: {shares}; --share"


def _doubts(pages: _Pages) -> list[str]:
    evidence, lines = pages.evidence, []
    if not _no_advice(pages):
        lines += _widened(pages.trials[0])
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


def _widened(trial: _Trial) -> list[str]:
    """The volumes and partitions that a load misses, and what that does to its ranges; empty where it misses none."""
    missing = {miss.value.part for miss in trial.misses if miss.far > 1}
    if not missing:
        return []
    names = ", ".join(sorted(missing)[:_SHOWN]) + (f" and {len(missing) - _SHOWN} more" * (len(missing) > _SHOWN))
    nearest = _missed(replace(trial, unexplained=frozenset()))
    return [f"no load fits {names}: the nearest gives {nearest}; its ranges are multiplied by the miss"]


def _off(trial: _Trial) -> dict[str, float]:
    """The factor by which the hold of each volume may be off, where a rate, a queue or a busy is missed."""
    found: dict[str, float] = {}
    for miss in trial.misses:
        value = miss.value
        if miss.far <= 1 or value.name == "hold_ms":
            continue
        factor = 1 + abs(miss.off) / (value.scale or abs(value.value) or abs(miss.off))
        for requester in trial.load.requesters:
            if value.part in (requester.volume, requester.partition):
                found[requester.volume] = max(factor, found.get(requester.volume, 1.0))
    return found


def _apart(evidence: Evidence) -> bool:
    """Whether two pages, of whatever kind, tell different intervals."""
    times = [(page.started, page.interval_s) for page in evidence.pages]
    times += [(machine.started, machine.interval_s) for machine in evidence.machines]
    times += [(cpu.started, cpu.interval_s) for cpu in evidence.cpus]
    starts, lengths = {start for start, _ in times if start}, {length for _, length in times if length}
    return len(starts) > 1 or len(lengths) > 1


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
    partitions, stated = _partitions_of(evidence, question), _slice_of(evidence, question) is not None
    if not stated:
        _refuse_idle(question.assumed)
    found, rejected = _readings(evidence, partitions, question.assumed, stated)
    trials = _ends(found, partitions)
    machine = machine_of(trials[0].load.scenario().view)
    assert machine is not None
    pages = _Pages(evidence, partitions, question, tuple(trials), tuple(trial.load for trial in found))
    shown = list({_missed(trial): trial for trial in reversed(rejected)}.values())[::-1][:_SHOWN]
    cases = tuple(_case(trial, at) for at, trial in enumerate([*trials, *shown], 1))
    given = Given(
        files, _what(evidence), cases, now=stated, switch_told=False, facts=_facts(pages),
        open=_left_open(pages), needed=_needed(pages), busy=pages.busy, reason=_no_advice(pages),
        headroom=stated and (bool(pages.busy) or len(evidence.pages) > 1),
    )  # fmt: skip
    return build(given, machine, question, progress)


def partitions_of(named: Sequence[tuple[str, bytes]], question: SliceRequest) -> Partitions:
    """The partitions of pages before anything is simulated; raises InputError where they do not answer the question."""
    evidence = gather(named)
    _refuse_without_partitions(evidence, question)
    return _partitions_of(evidence, question)


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


def _readings(
    evidence: Evidence, partitions: Partitions, assumed: Assumed, stated: bool
) -> tuple[list[_Trial], list[_Trial]]:
    """Loads that print the pages again, the best known first, and others that do not, the nearest first.

    Without any the nearest is taken for one.  Without the slice of now arrivals are open, because no queue is compared.
    """
    known = Known(assumed.slih_ms, assumed.service or "", assumed.arrivals or ("" if stated else "open"))
    length_s = max((page.interval_s for page in evidence.pages if page.interval_s), default=PAGE_S)
    source = ", ".join(page.file for page in evidence.pages)
    model = SliceModel(partitions, source, length_s, known, stated)
    found = explore(model, [model.evidence], Budget(aim=assumed.margin_percent / 100), simulated)
    rejected = sorted(found.rejected, key=lambda trial: trial.worst.far if trial.worst else math.inf)
    if found.accepted:
        return list(found.accepted), rejected
    return rejected[:1], rejected[1:]


def _ends(found: Sequence[_Trial], partitions: Partitions) -> list[_Trial]:
    """The one in the middle, and those whose mean hold is the least or the most at some slices, short to long."""
    now = partitions.slice_ms
    probes: tuple[float, ...] = (
        (RUNS_MS[0], now, RUNS_MS[1]) if partitions.weighs else (1.0, 5.0, 15.0, max(30.0, 1.5 * now))
    )
    every = list({trial.load.words(): trial for trial in reversed(found)}.values())[::-1]
    machine = machine_of(every[0].load.scenario().view)
    assert machine is not None
    # No partition runs in turns that a switch fills.
    probes = tuple(length for length in probes if partitions.switch_ms < machine.shortest(length)) or (now,)
    if len(every) < 3:
        return every
    holds = np.array([[_mean_hold(trial.load, slice_ms) for slice_ms in probes] for trial in every])
    middle = int(np.argsort(holds[:, min(1, len(probes) - 1)], kind="stable")[(len(every) - 1) // 2])
    ends = {int(at) for at in (*holds.argmin(axis=0), *holds.argmax(axis=0))} - {middle}
    return [every[at] for at in (middle, *sorted(ends))]


def _mean_hold(load: Load, slice_ms: float) -> float:
    """The mean hold in ms with another slice, simulated for a short time."""
    outcome = simulated(replace(load, machine=replace(load.machine, slice_ms=slice_ms)), {})
    rates = np.array([requester.printed.io_per_s for requester in load.requesters])
    return float((np.nan_to_num(outcome.volumes["hold_ms"]) @ rates).mean() / rates.sum())


def _case(trial: _Trial, at: int) -> Case:
    def grow(factor: float) -> Scenario:
        return trial.load.grown(factor).scenario()

    printed = {miss.value.part: miss.value.value for miss in trial.misses if miss.value.name == "hold_ms"}
    kinds = {"closed" if requester.population else "open" for requester in trial.load.requesters}
    name = f"{'mixed' if len(kinds) > 1 else kinds.pop()}-{at}"
    return Case(name, trial.load.words(), grow(1.0), _missed(trial), grow, printed, _off(trial))
