"""Partitions that share the processors of some RMF pages, and their shares: from PARTITION DATA, given or assumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.slices.evidence import Evidence
from slicewright.advise.slices.machine import RUNS_MS, check_fits, run_ms
from slicewright.advise.slices.machine_page import MachinePage, Weighed, named_by
from slicewright.advise.slices.page_load import SLIH_MS, Setting, Share
from slicewright.advise.slices.partition_page import PartitionPage, plain
from slicewright.advise.slices.request import SliceRequest
from slicewright.errors import Problem, problem, refusal
from slicewright.statistics import plural

NOT_TOLD_MS = 30.0
"""ASSUME: the slice that a scenario has where it is not given; no answer depends on it."""
PROCESSORS = 2
"""ASSUME: as in the study, where it is not given."""


def slice_of(evidence: Evidence, question: SliceRequest) -> float | None:
    """The slice of an equal share in ms: as given, or the dispatch interval of PARTITION DATA; None is not known.

    Under PR/SM it is the longest run, which PR/SM computes where it is not set.

    >>> from slicewright.advise.slices.evidence import gather
    >>> from slicewright.advise.slices.example import PAGE, PARTITIONS
    >>> slice_of(gather([("A.txt", PAGE), ("machine.txt", PARTITIONS)]), SliceRequest())
    30.0
    """
    machine = evidence.machine
    if question.slice_ms is not None or machine is None:
        return question.slice_ms
    if machine.slice_ms is None and weighs(evidence) and machine.shared:
        return run_ms(machine.shared, sum(partition.logicals for partition in machine.sharing))
    return machine.slice_ms


def weighs(evidence: Evidence) -> bool:
    """Whether processors go by weight: PARTITION DATA says WAIT COMPLETION NO, which fixed slices know nothing of.

    >>> from slicewright.advise.slices.evidence import gather
    >>> from slicewright.advise.slices.example import PAGE, PARTITIONS
    >>> weighs(gather([("A.txt", PAGE), ("machine.txt", PARTITIONS)]))
    False
    """
    return evidence.machine is not None and evidence.machine.waits is False


def setting_of(evidence: Evidence, question: SliceRequest) -> Setting:
    """The partitions that share: the pages' own, and others that take the turns that are left; raises InputError.

    >>> from slicewright.advise.slices.evidence import gather
    >>> from slicewright.advise.slices.example import PAGE
    >>> found = setting_of(gather([("A.txt", PAGE)]), SliceRequest(shares=(0.75,)))
    >>> [(one.name, one.share) for one in found.shares]
    [('PEMDFI', 0.75), ('OTHER1', 0.25)]
    """
    _check(evidence, question)
    machine = evidence.machine
    rows = _told(evidence, question) if machine is None else _weighed(evidence, machine, question)
    assumed = question.assumed
    processors = _processors(evidence, question)
    slih = SLIH_MS[evidence.pages[0].level] if assumed.slih_ms is None else assumed.slih_ms
    length = slice_of(evidence, question) or NOT_TOLD_MS
    return Setting(tuple(rows), processors, length, slih, weighs(evidence))


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
    if problems := check_fits(file, used, known or PROCESSORS, source):
        raise refusal(*problems)
    return known or PROCESSORS


def _check(evidence: Evidence, question: SliceRequest) -> None:
    pages, assumed = evidence.pages, question.assumed
    problems: list[Problem] = []
    for key, given in (("share", question.shares), ("assume busy", assumed.busy)):
        if given and len(given) != len(pages):
            what = f"{plural(len(given), 'value')} for {plural(len(pages), 'page')} of devices"
            why, allowed = "each page is of one partition", "one per page, in their order"
            problems.append(problem(what, key=key, why=why, allowed=allowed))
    machine, length = evidence.machine, question.slice_ms
    if weighs(evidence) and length is not None and not RUNS_MS[0] <= length <= RUNS_MS[1]:
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
