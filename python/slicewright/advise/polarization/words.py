"""The words around the numbers of an answer about polarization: what gates throughput, what parks, what is assumed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from slicewright.advise.constants import OPEN, Constant
from slicewright.advise.controlled import Controlled
from slicewright.advise.noise import below, beyond
from slicewright.advise.notes import Said, demand
from slicewright.advise.polarization.answer import PolarizationAnswer, SettingPoint
from slicewright.advise.polarization.build import default_is
from slicewright.advise.polarization.gate import ELSEWHERE, PROCESSOR
from slicewright.statistics import Estimate, fixed, percent, plural, plus_minus, seconds

SOURCE = "z/VM HiperDispatch, Effect of T/V-Based Parking"
KINDS = {
    "costs of the control program": r"\.(lock|costs)\.",
    "caches": r"^(topology|virtual_machine)\.",
    "the controller": r"\.controller\.",
    "dispatching": r"\.(slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes)$",
}
"""What constants are of, by their keys."""


def heading(file: str, one: Controlled) -> str:
    """What was read.

    >>> from slicewright.advise.polarization.example import zvm
    >>> heading("zvm.toml", zvm())
    'zvm.toml  scenario: ZVM, 8 logical processors of a zEC12; 54 virtual machines with 62 virtual processors'
    """
    machine = f" of a {one.machine}" if one.machine and one.machine != "generic" else ""
    virtual = (
        f"{plural(one.virtual_machines, 'virtual machine')} with {plural(one.virtual_processors, 'virtual processor')}"
    )
    return f"{file}  scenario: {one.name}, {plural(one.now.processors, 'logical processor')}{machine}; {virtual}"


def change(value: Estimate, what: str) -> str:
    """A difference in percent as more, less, or as much.

    >>> change(Estimate(-8.3, 0.5, 10), "work"), change(Estimate(0.2, 0.5, 10), "work")
    ('8.30 ± .50 % less work', 'as much work (.2 ± .5 %)')
    """
    if not (beyond(value, 0.0) or below(value, 0.0)):
        return f"as much {what} ({plus_minus(value.mean, value.half_width)} %)"
    return f"{plus_minus(abs(value.mean), value.half_width)} % {'more' if value.mean > 0 else 'less'} {what}"


def wait_change(answer: PolarizationAnswer, point: SettingPoint) -> str:
    """How many virtual processors wait for a processor under the setting to choose, and under another.

    >>> from slicewright.advise.polarization.example import advice
    >>> wait_change(advice(), advice().curve[0]).startswith("CPU wait ")
    True
    """
    chosen = answer.point(answer.recommendation.setting if answer.recommendation else answer.partition.now)
    before = f"{_wait(chosen)} -> " if chosen else ""
    return f"CPU wait {before}{_wait(point)}"


def reason(answer: PolarizationAnswer, loss_percent: float) -> str:
    """Why nothing is recommended.

    >>> from slicewright.advise.polarization.example import advice
    >>> reason(advice(), 1.0).startswith("it makes no difference")
    True
    """
    default = (
        "which is z/VM's default" if default_is(answer.partition.now) else "z/VM's default is vertical with reshuffle"
    )
    return (
        "it makes no difference: no polarization, method or CPUPAD differs from "
        f"{answer.partition.now.words(answer.usual)}, {default}, by more than noise and {loss_percent:g} %"
    )


def say(answer: PolarizationAnswer, changed: bool) -> Said:
    """All lines around an answer; `changed`: whether its scenario changes while it runs.

    >>> from slicewright.advise.polarization.example import advice
    >>> say(advice(), False).facts[0].startswith("throughput is gated by the processor")
    True
    """
    now = answer.point(answer.partition.now)
    assert now is not None
    facts = [_gate(answer), _trade(answer), _parking(answer, now), _fits(answer), _costs(answer, now)]
    open_ = _constants(answer.constants)
    if open_:
        open_.append("where they are from: slicewright explain; the range is over the readings above")
    if changed:
        open_.append("what changes while it runs is left out: advice is on the machine as built")
    return Said(tuple(one for one in facts if one), tuple(open_), tuple(_caveats(answer)), tuple(_needed(answer, now)))


def _gate(answer: PolarizationAnswer) -> str:
    gate, partition = answer.gate, answer.partition
    paced = f"{', '.join(partition.paced)} computes until charged a share of the time" if partition.paced else ""
    if gate.follows is not None:
        ratio = plus_minus(gate.follows.mean, gate.follows.half_width)
        told = f"where work takes 1 % more of guests' processor time, {ratio} % less of it is done"
        if gate.follows.mean < 0:
            told = "where work takes more of guests' processor time, no less of it is done"
    else:
        told = f"guests want a processor for {percent(gate.by_cycles, 0)} of their time; no setting tells more"
    if gate.where == PROCESSOR:
        lead = "throughput is gated by the processor"
    elif gate.where == ELSEWHERE:
        lead = "throughput is gated elsewhere (think time, I/O, arrivals)"
    else:
        lead = "throughput is gated by the processor in part"
    return f"{lead}: {told}" + (f"; {paced}" if paced and gate.where != ELSEWHERE else "")


def _trade(answer: PolarizationAnswer) -> str:
    """What parking, or fewer processors, did here, beside the document's caution."""
    chosen = answer.point(answer.recommendation.setting if answer.recommendation else answer.partition.now)
    parked = [
        one for one in answer.curve if one.setting.vertical and one.columns["unparked"].mean < _most(answer) - 0.05
    ]
    saving = [one for one in parked if below(one.from_chosen.total, 0.0)]
    elsewhere = answer.gate.where == ELSEWHERE
    if elsewhere:
        saving = [one for one in saving if not below(one.from_chosen.work, 0.0)]
    least = min(saving, key=lambda one: one.columns["total_percent"].mean, default=None)
    caution = (
        f"what is gated by the processor pays for parking in throughput ({SOURCE})"
        if not elsewhere
        else f"what is gated elsewhere may save processor time at no loss ({SOURCE})"
    )
    if least is None or chosen is None:
        at_no_loss = " at no loss" if elsewhere else ""
        return f"{caution}; here neither parking nor fewer processors saves processor time{at_no_loss}"
    work = _relative(chosen, least, "work_percent")
    total = _relative(chosen, least, "total_percent")
    name = least.setting.words(answer.usual)
    return f"{caution}; here {name}: processor time {total}, work {work}, {wait_change(answer, least)}"


def _most(answer: PolarizationAnswer) -> float:
    return max(one.columns["unparked"].mean for one in answer.curve)


def _relative(base: SettingPoint, other: SettingPoint, name: str) -> str:
    share = other.columns[name].mean / base.columns[name].mean - 1
    return f"{'+' if share > 0 else ''}{fixed(100 * share, 1)} %"


def _wait(point: SettingPoint) -> str:
    return fixed(point.columns["ready"].mean, 2)


def _parking(answer: PolarizationAnswer, now: SettingPoint) -> str:
    """Whether T/V-based parking engages."""
    threshold = answer.partition.controller.tv_threshold
    verticals = [
        one for one in answer.curve if one.setting.vertical and one.setting.processors == now.setting.processors
    ]
    ratios = [one.columns["tv_ratio"].mean for one in verticals if math.isfinite(one.columns["tv_ratio"].mean)]
    shown = " to ".join(dict.fromkeys(fixed(one, 2) for one in (min(ratios), max(ratios)))) if ratios else "not known"
    often = max(one.tv_parks for one in verticals)
    if often > 0:
        return (
            f"T/V-based parking engages: T/V is {shown}, it parks by need from {threshold:g},"
            f" at most in {percent(often, 0)} of decisions"
        )
    text = f"T/V-based parking does not engage: T/V is {shown}, below {threshold:g}"
    if answer.parking:
        return f"{text}; UNPARKING SMALL parks by need all the same"
    return f"{text}; so CPUPAD says nothing, unless UNPARKING is SMALL (--at 'UNPARKING SMALL')"


def _fits(answer: PolarizationAnswer) -> str:
    ratio = answer.runnable.mean
    size = (
        "the workload fits the partition, so that vertical mode has room to work"
        if ratio <= 1
        else ("more want processors than there are, where vertical mode does little")
    )
    return f"{fixed(ratio, 2)} virtual processors per logical processor run or want to: {size} (It Needs Room to Work)"


def _costs(answer: PolarizationAnswer, now: SettingPoint) -> str:
    value = now.columns
    return (
        f"now: {fixed(value['nonchargeable_cp_percent'].mean, 1)} % of a processor non-chargeable, of which"
        f" {fixed(value['spin_percent'].mean, 1)} % spinning for the scheduler lock;"
        f" {fixed(value['moved_percent'].mean, 1)} % of dispatches moved; {_wait(now)} virtual processors wait"
    )


def _constants(found: Sequence[Constant]) -> list[str]:
    """By role and kind, keys without what they have alike; all of them."""
    lines = []
    for role in OPEN:
        for what, pattern in KINDS.items():
            named = [
                f"{_short(one.key)} {one.value}" for one in found if one.role == role and re.search(pattern, one.key)
            ]
            if named:
                lines.append(f"{role}, {what}: {', '.join(named)}")
    return lines


def _short(key: str) -> str:
    """The last two parts of a key, which tell it from its neighbours."""
    parts = re.findall(r'"[^"]*"|[^.]+', key.split(".control_program.")[-1])
    return ".".join(parts[-2:])


def _caveats(answer: PolarizationAnswer) -> list[str]:
    lines = []
    now = answer.partition.now
    if not answer.partition.caches:
        lines.append("no guest has anything in caches (cec.machine, footprint, touched_in): moving costs nothing here")
    default = "vertical, reshuffle, CPUPAD 100 %, UNPARKING LARGE"
    lines.append(
        f"z/VM's defaults: {default}" + ("; it is as now" if default_is(now) else f"; now is {now.words(answer.usual)}")
    )
    if answer.partition.shares:
        lines.append("partitions that share its processors stay as they are; what they gain or lose is not weighed")
    if answer.fewest < answer.partition.now.processors:
        lines.append("fewer processors were tried at this mean demand: peaks above it need room")
    if answer.growth != 1:
        lines.append(
            f"{demand(answer.growth)}: {', '.join(answer.grown)}, with their guests"
            if answer.grown
            else demand(answer.growth)
        )
    lines.append(
        f"each of {plural(answer.replications, 'run')} looks at {seconds(answer.interval_s)}"
        f" after {seconds(answer.warm_up_s)} of warm-up"
    )
    return lines


def _needed(answer: PolarizationAnswer, now: SettingPoint) -> list[str]:
    lines = []
    disagree = {one.chosen.polarization for one in answer.readings if one.chosen is not None}
    if len(disagree) > 1:
        lines.append(
            "what costs and caches are: T/V, moved % and work of one interval in each mode (SET SRM POLARIZATION)"
        )
    noise = max((one.from_now.work.half_width for one in answer.curve), default=0.0)
    if answer.recommendation is None and math.isfinite(noise):
        lines.append(
            f"a larger share of the processors wanted, or longer runs: noise is up to {fixed(noise, 1)} % of the work"
        )
    return lines
