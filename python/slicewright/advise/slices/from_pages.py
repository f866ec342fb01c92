"""An answer about slices from RMF pages of partitions: loads that print them again, and what each does with others.

It leaves out pages of z/VM, which tell no partition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from slicewright._core import Scenario
from slicewright.advise.about import is_scenario
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.build import Case, Given, build
from slicewright.advise.slices.machine import machine_of
from slicewright.advise.slices.page_fit import Fitted, fit_closed, fit_open, found_as
from slicewright.advise.slices.page_load import SLIH_MS, Setting, Share, scenario_text
from slicewright.advise.slices.partition_page import PartitionPage, plain, read_partition
from slicewright.advise.slices.question import SliceQuestion
from slicewright.problems import Problem, problem, refusal
from slicewright.statistics import fixed, seconds
from slicewright.text import plural

NOT_TOLD_MS = 30.0
"""ASSUME: the slice that a scenario has where nobody tells it; no answer depends on it."""
PROCESSORS = 2
SERVICES = ("rotating", "constant", "exponential")


def answer_pages(
    named: Sequence[tuple[str, bytes]],
    question: SliceQuestion,
    progress: Callable[[float], None] = lambda share: None,
) -> SliceAnswer:
    """The answer from a page of each partition, all of one interval; raises InputError.

    >>> from slicewright.advise.question import AdviceOptions
    >>> from slicewright.advise.slices.example import PAGE
    >>> from slicewright.advise.slices.question import check
    >>> found = answer_pages([("SYSA.txt", PAGE)], check(AdviceOptions(slices="30 ms")))
    >>> found.recommendation.slice_ms < 10, len(found.readings)
    (True, 4)
    """
    pages = _read(named)
    setting = _setting(pages, question)
    told = question.slice_ms is not None
    source = ", ".join(one.file for one in pages)
    fitted = _readings(setting, source, question)
    cases = tuple(_case(one) for one in sorted(fitted, key=lambda one: bool(one.why)))
    machine = machine_of(cases[0].text)
    assert machine is not None
    busy = tuple(one.name for one in setting.shares if one.busy is not None)
    given = Given(
        tuple(one.file for one in pages), _what(pages), cases, now=told, switch_told=False,
        facts=_facts(pages, fitted), open=_open(pages, setting, question, cases),
        needed=_needed(question, bool(busy)), headroom=told and (bool(busy) or len(pages) > 1), busy=busy,
    )  # fmt: skip
    return build(given, machine, question, progress)


def _read(named: Sequence[tuple[str, bytes]]) -> list[PartitionPage]:
    problems: list[Problem] = []
    pages = []
    for name, data in named:
        if is_scenario(name, data):
            why = "a scenario gives its load, a report has to have one found"
            problems.append(
                problem("a scenario beside other files", file=name, why=why, allowed="one scenario, or reports")
            )
            continue
        if b"FCX108" in data:
            why = "a DEVICE page of z/VM tells no partition and no wait for one"
            allowed = "RMF DIRECT ACCESS DEVICE ACTIVITY of each partition, or a scenario with [cec]"
            problems.append(problem("says nothing about slices", file=name, why=why, allowed=allowed))
            continue
        try:
            pages.append(read_partition(data, name))
        except ValueError as error:
            if not hasattr(error, "problems"):
                raise
            problems += error.problems
    if problems:
        raise refusal(*problems)
    return pages


def _setting(pages: Sequence[PartitionPage], question: SliceQuestion) -> Setting:
    """Who shares: the pages' partitions, and others that take the turns that are left."""
    assumed = question.assumed
    shares, others = _shares(pages, question)
    busy = assumed.busy or (None,) * len(pages)
    names: list[str] = []
    for at, one in enumerate(pages, 1):
        name = plain(one.system, f"PAGE{at}")
        names.append(name if name not in names else f"{name}.{at}")
    rows = [Share(name, share, page, used) for name, share, page, used in zip(names, shares, pages, busy, strict=True)]
    rows += [Share(f"OTHER{at}", share, None, None) for at, share in enumerate(others, 1)]
    slih = assumed.slih_ms if assumed.slih_ms is not None else SLIH_MS
    slice_ms = question.slice_ms if question.slice_ms is not None else NOT_TOLD_MS
    return Setting(tuple(rows), assumed.processors or PROCESSORS, slice_ms, slih)


def _shares(pages: Sequence[PartitionPage], question: SliceQuestion) -> tuple[list[float], list[float]]:
    """The shares of the pages' partitions, and those of others; raises InputError where they cannot be."""
    problems = []
    told = question.assumed.partitions
    if told is not None and told < len(pages):
        what = f"{told} partitions, and {len(pages)} pages"
        problems.append(problem(what, key="assume partitions", allowed=f"{len(pages)} or more"))
    for key, given in (("share", question.shares), ("assume busy", question.assumed.busy)):
        if given and len(given) != len(pages):
            what = f"{plural(len(given), 'value')} for {plural(len(pages), 'page')}"
            why, allowed = "each page is of one partition", "one per page, in their order"
            problems.append(problem(what, key=key, why=why, allowed=allowed))
    if problems:
        raise refusal(*problems)
    count = max(told or 0, len(pages), 2)
    shares = list(question.shares or (1 / count,) * len(pages))
    left, others = 1 - sum(shares), count - len(pages)
    if left > 1e-9:
        if told is not None and not others:
            why, allowed = "there are no other partitions", "together 100 %, or more partitions"
            raise refusal(problem(f"{100 * left:.4g} % is nobody's share", key="share", why=why, allowed=allowed))
        others = max(others, 1)
        return shares, [left / others] * others
    if others and (told is not None or len(pages) == 1):
        why = "who has all processors always has no slices"
        raise refusal(problem("nothing is left for another partition", key="share", why=why, allowed="below 100 %"))
    return shares, []


def _readings(setting: Setting, source: str, question: SliceQuestion) -> list[Fitted]:
    """The main one first: closed where the slice is told, so that queues can be held against it; else open."""
    assumed = question.assumed
    margin = assumed.margin_percent
    services = SERVICES if assumed.service is None else (assumed.service,)
    closed: list[Fitted] = []
    if question.slice_ms is not None and assumed.arrivals != "open":
        closed = [fit_closed(setting, one, source, margin) for one in services]
    if assumed.arrivals == "closed" and closed:
        return closed
    opened = services if not closed else services[:1]
    unheld = float("inf") if question.slice_ms is None else margin
    return [*closed[:1], *(fit_open(setting, one, source, unheld) for one in opened), *closed[1:]]


def _case(one: Fitted) -> Case:
    def grow(factor: float) -> str:
        return Scenario.read(scenario_text(one.load.grown(factor)).encode(), "reading").resolved

    return Case(f"{one.load.name}-{one.load.service}", found_as(one.load), grow(1.0), one.why, grow)


def _what(pages: Sequence[PartitionPage]) -> str:
    lines = []
    for one in pages:
        system = f", {one.system}" if one.system else ""
        when = f", {one.started}" if one.started else ""
        length = f", {seconds(one.interval_s)}" if one.interval_s else ""
        left = [f"{one.idle:,} idle"] if one.idle else []
        left += [f"{one.skipped:,} lines that are not disks"] if one.skipped else []
        tail = f" ({' and '.join(left)} left out)" if left else ""
        lines.append(f"{one.file}  RMF DIRECT ACCESS DEVICE ACTIVITY{system}{when}{length}{tail}")
    return "\n".join([*lines, ""])


def _facts(pages: Sequence[PartitionPage], fitted: Sequence[Fitted]) -> tuple[str, ...]:
    lines = []
    for one in pages:
        served = sum(each.io_per_s * each.service_ms / 1000 for each in one.volumes)
        name = f"{one.system or one.file}: "
        lines.append(
            f"{name}{fixed(one.io_per_s, 1)} I/O/s, {fixed(one.queue, 2)} waiting + {fixed(served, 2)} in service "
            f"(rate x IOSQ, rate x (PEND + DISC + CONN))"
        )
        known = [(each.io_per_s, each.hold_ms) for each in one.volumes if each.hold_ms is not None]
        if known:
            mean = sum(rate * hold for rate, hold in known) / sum(rate for rate, _ in known)
            lines.append(f"{name}AVG INT DLY {fixed(mean, 1)} ms: taken for hold, and nothing is fitted to it")
    fits = [one for one in fitted if not one.why]
    if fits:
        lines.append(f"simulated as read: {fixed(fits[0].io_per_s, 1)} I/O/s, {fixed(fits[0].queue, 2)} waiting")
    return tuple(lines)


def _open(
    pages: Sequence[PartitionPage], setting: Setting, question: SliceQuestion, cases: Sequence[Case]
) -> tuple[str, ...]:
    lines = []
    shares = ", ".join(f"{one.name} {100 * one.share:.4g} %" for one in setting.shares)
    lines.append(f"shares {'as told' if question.shares else 'not told, assumed equal'}: {shares}; --share")
    if question.slice_ms is None:
        lines.append("slices of now are not told, so that queues say nothing of the load: --slices '30 ms'")
    if question.assumed.processors is None:
        lines.append(f"{setting.processors} shared processors: assumed; --assume processors=...")
    if not any(one.busy is not None for one in setting.shares):
        lines.append("how busy processors are is on no such page: programs compute .1 ms an I/O; --assume busy=82%")
    lines.append(
        "how service is spread is on no page: rotating (16.7 ms a turn), constant, exponential; --assume service="
    )
    if all(one.why for one in cases):
        lines.append(f"no load fits what is printed: the nearest is used ({cases[0].why})")
    serials = [each.name for one in pages for each in one.volumes]
    twice = sorted({name for name in serials if serials.count(name) > 1})
    if twice:
        lines.append(
            f"{', '.join(twice[:4])} on more than one page: simulated as volumes that know nothing of each other"
        )
    lengths = {(one.started, one.interval_s) for one in pages}
    if len(lengths) > 1:
        lines.append("the pages are not of one interval: loads that were not there together are put together")
    if any(each.aliased for one in pages for each in one.volumes):
        lines.append("volumes with aliases: so many are assumed that nothing waits for one")
    return tuple(lines)


def _needed(question: SliceQuestion, busy: bool) -> tuple[str, ...]:
    lines = []
    if question.slice_ms is None:
        lines.append("the slice that the pages were printed under: --slices")
    else:
        lines.append("pages of the same load under another scheduling parameter")
    if not busy:
        lines.append("how busy the processors were (CPU ACTIVITY): --assume busy=")
    return tuple(lines)
