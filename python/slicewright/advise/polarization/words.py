"""The words around the numbers of an answer about polarization: what gates throughput, what parks, what is assumed."""

from __future__ import annotations

import math

from slicewright.advise.answer import Explanation
from slicewright.advise.constants import open_lines
from slicewright.advise.controlled import Controlled
from slicewright.advise.notes import demand
from slicewright.advise.polarization.comparison import SettingAnswer, SettingPoint, best, default_is, usual
from slicewright.advise.polarization.gate import ELSEWHERE, PROCESSOR
from slicewright.experiment.paired import below, beyond
from slicewright.statistics import Estimate, fixed, percent, plural, plus_minus, seconds

SOURCE = "z/VM HiperDispatch, Effect of T/V-Based Parking"
KINDS = {
    "costs of the control program": r"\.(lock|costs)\.",
    "caches": r"^(topology|virtual_machine)\.",
    "the controller": r"\.controller\.",
    "dispatching": r"\.(slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes)$",
}
"""The kinds of constants, by their keys."""


def heading(file: str, read: Controlled, partition: Controlled) -> str:
    """The scenario and partition that were read, without growth.

    >>> from slicewright.advise.polarization.example import zvm
    >>> heading("zvm.toml", zvm(), zvm())
    'zvm.toml  scenario: ZVM, 8 logical processors of a zEC12; 54 virtual machines with 62 virtual processors'
    """
    return f"{file}  scenario: {read.words}"


def change(value: Estimate, what: str) -> str:
    """A difference in percent as more, less, or as much.

    >>> change(Estimate(-8.3, 0.5, 10), "work"), change(Estimate(0.2, 0.5, 10), "work")
    ('8.30 ± .50 % less work', 'as much work (.2 ± .5 %)')
    """
    if not (beyond(value, 0.0) or below(value, 0.0)):
        return f"as much {what} ({plus_minus(value.mean, value.half_width)} %)"
    return f"{plus_minus(abs(value.mean), value.half_width)} % {'more' if value.mean > 0 else 'less'} {what}"


def wait_change(answer: SettingAnswer, point: SettingPoint) -> str:
    """How many virtual processors wait for a processor under the setting to choose, and under another.

    >>> from slicewright.advise.polarization.example import advice
    >>> wait_change(advice(), advice().points[0]).startswith("CPU wait ")
    True
    """
    return f"CPU wait {_wait(answer.point(best(answer)))} -> {_wait(point)}"


def explain(answer: SettingAnswer) -> Explanation:
    """All lines around an answer.

    >>> from slicewright.advise.polarization.example import advice
    >>> explain(advice()).facts[0].startswith("throughput is gated by the processor")
    True
    """
    now = answer.point(answer.now)
    facts = (_gate(answer), _trade(answer), _parking(answer, now), _fits(answer), _costs(answer, now))
    open_ = open_lines(answer.case.constants, KINDS.items())
    if open_:
        open_.append("slicewright explain lists their sources; the range is over the readings above")
    if answer.case.scenario.view.changes:
        open_.append("changes during the run are ignored: advice is for the machine as defined")
    return Explanation(facts, tuple(open_), tuple(_caveats(answer)), tuple(_needed(answer, now)))


def _gate(answer: SettingAnswer) -> str:
    gate, partition = answer.evidence.gate, answer.subject
    paced = f"{', '.join(partition.paced)} computes until charged a share of the time" if partition.paced else ""
    if gate.follows is not None:
        ratio = plus_minus(gate.follows.mean, gate.follows.half_width)
        follows = f"where work takes 1 % more of guests' processor time, {ratio} % less of it is done"
        if gate.follows.mean < 0:
            follows = "where work takes more of guests' processor time, no less of it is done"
    else:
        follows = f"guests want a processor for {percent(gate.by_cycles, 0)} of their time; no setting shows more"
    if gate.where == PROCESSOR:
        lead = "throughput is gated by the processor"
    elif gate.where == ELSEWHERE:
        lead = "throughput is gated elsewhere (think time, I/O, arrivals)"
    else:
        lead = "throughput is gated by the processor in part"
    return f"{lead}: {follows}" + (f"; {paced}" if paced and gate.where != ELSEWHERE else "")


def _trade(answer: SettingAnswer) -> str:
    """The effect of parking, or of fewer processors, here, beside the document's caution."""
    chosen = answer.point(best(answer))
    parked = [
        point
        for point in answer.points
        if point.variant.vertical and point.columns["unparked"].mean < _most(answer) - 0.05
    ]
    saving = [point for point in parked if below(point.differences["total_from_chosen"], 0.0)]
    elsewhere = answer.evidence.gate.where == ELSEWHERE
    if elsewhere:
        saving = [point for point in saving if not below(point.differences["work_from_chosen"], 0.0)]
    least = min(saving, key=lambda one: one.columns["total_percent"].mean, default=None)
    caution = (
        f"work gated by the processor loses throughput by parking ({SOURCE})"
        if not elsewhere
        else f"work gated elsewhere may save processor time at no loss ({SOURCE})"
    )
    if least is None:
        at_no_loss = " at no loss" if elsewhere else ""
        return f"{caution}; here neither parking nor fewer processors saves processor time{at_no_loss}"
    work = _relative(chosen, least, "work_percent")
    total = _relative(chosen, least, "total_percent")
    name = least.variant.words(usual(answer))
    return f"{caution}; here {name}: processor time {total}, work {work}, {wait_change(answer, least)}"


def _most(answer: SettingAnswer) -> float:
    return max(point.columns["unparked"].mean for point in answer.points)


def _relative(base: SettingPoint, other: SettingPoint, name: str) -> str:
    share = other.columns[name].mean / base.columns[name].mean - 1
    return f"{'+' if share > 0 else ''}{fixed(100 * share, 1)} %"


def _wait(point: SettingPoint) -> str:
    return fixed(point.columns["ready"].mean, 2)


def _parking(answer: SettingAnswer, now: SettingPoint) -> str:
    """Whether T/V-based parking engages."""
    threshold = answer.subject.controller.tv_threshold
    verticals = [
        point
        for point in answer.points
        if point.variant.vertical and point.variant.processors == now.variant.processors
    ]
    ratios = [
        vertical.columns["tv_ratio"].mean for vertical in verticals if math.isfinite(vertical.columns["tv_ratio"].mean)
    ]
    shown = (
        " to ".join(dict.fromkeys(fixed(ratio, 2) for ratio in (min(ratios), max(ratios)))) if ratios else "not known"
    )
    often = max(answer.evidence.parks[vertical.variant] for vertical in verticals)
    if often > 0:
        return (
            f"T/V-based parking engages: T/V is {shown}, it parks by need from {threshold:g},"
            f" at most in {percent(often, 0)} of decisions"
        )
    text = f"T/V-based parking does not engage: T/V is {shown}, below {threshold:g}"
    if answer.evidence.parking:
        return f"{text}; UNPARKING SMALL parks by need all the same"
    return f"{text}; so CPUPAD has no effect, unless UNPARKING is SMALL (--at 'UNPARKING SMALL')"


def _fits(answer: SettingAnswer) -> str:
    ratio = answer.evidence.runnable.mean
    size = (
        "the workload fits the partition, so vertical mode has room to work"
        if ratio <= 1
        else ("more virtual processors are ready than processors exist, so vertical mode changes little")
    )
    return (
        f"{fixed(ratio, 2)} virtual processors per logical processor run or are ready: {size} (It Needs Room to Work)"
    )


def _costs(answer: SettingAnswer, now: SettingPoint) -> str:
    value = now.columns
    return (
        f"now: {fixed(value['nonchargeable_cp_percent'].mean, 1)} % of a processor non-chargeable, of which"
        f" {fixed(value['spin_percent'].mean, 1)} % spinning for the scheduler lock;"
        f" {fixed(value['moved_percent'].mean, 1)} % of dispatches moved; {_wait(now)} virtual processors wait"
    )


def _caveats(answer: SettingAnswer) -> list[str]:
    lines = []
    now = answer.now
    if not answer.subject.caches:
        lines.append("no guest has anything in caches (cec.machine, footprint, touched_in): moving is free here")
    default = "vertical, reshuffle, CPUPAD 100 %, UNPARKING LARGE"
    lines.append(
        f"z/VM's defaults: {default}"
        + ("; it is as now" if default_is(now) else f"; now is {now.words(usual(answer))}")
    )
    if answer.subject.shares:
        lines.append("partitions that share its processors stay unchanged; their gains and losses are not weighed")
    if answer.evidence.fewest < answer.now.processors:
        lines.append("fewer processors were simulated at this mean demand: peaks above it need room")
    if answer.request.growth != 1:
        lines.append(
            f"{demand(answer.request.growth)}: {', '.join(answer.case.grown)}, with their guests"
            if answer.case.grown
            else demand(answer.request.growth)
        )
    lines.append(
        f"each of {plural(answer.plan.replications, 'run')} simulates {seconds(answer.plan.interval_s)} after"
        f" {seconds(answer.plan.warm_up_s)} of warm-up"
    )
    return lines


def _needed(answer: SettingAnswer, now: SettingPoint) -> list[str]:
    lines = []
    if len({setting.polarization for setting in answer.chosen}) > 1:
        lines.append("costs and caches: T/V, moved % and work of one interval in each mode (SET SRM POLARIZATION)")
    noise = max((point.differences["work_from_now"].half_width for point in answer.points), default=0.0)
    if answer.recommendation is None and math.isfinite(noise):
        lines.append(f"a higher demand for processors, or longer runs: noise is up to {fixed(noise, 1)} % of the work")
    return lines
