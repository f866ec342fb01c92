"""The words around the numbers of an answer about slices: what was read, what is dear, what is assumed."""

from __future__ import annotations

from slicewright.advise.notes import demand
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.machine import Machine
from slicewright.advise.slices.request import SWITCHES_MS, SliceRequest
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.statistics import fixed, plural, significant

SHOWN = 4
"""Devices that are named in a line; the others are counted."""

LEFT_OUT = (
    "the exact formula assumes one I/O at a time, started at any instant of its partition's turn, and immediate"
    " interrupts; it ignores interrupt handlers, starts that bunch at the beginning of a turn, and re-driven devices"
)

PRSM_RULES = (
    "no exact formula exists, because a run ends at a wait and an interrupt may take a processor; room is"
    " measured with the demand of all partitions grown alike"
)


def span(value_ms: float) -> str:
    """A slice as it is printed.

    >>> span(30.0), span(12.5)
    ('30 ms', '12.5 ms')
    """
    return f"{value_ms:.4g} ms"


def heading(what: str, machine: Machine, io_per_s: float, now: bool) -> str:
    """The files read and their subject: on a line of its own where `what` ends one.

    >>> from slicewright.advise.slices.machine import example, machine_of
    >>> heading("a.toml  scenario", machine_of(example().view), 95.2, True)
    'a.toml  scenario: 2 partitions share 2 processors, slices of 30 ms; 5 devices, 95 I/O/s'
    """
    shares = f"{plural(len(machine.domains), 'partition')} share {plural(machine.processors, 'processor')}"
    slices = f", slices of {span(machine.slice_ms)}" if now else ", slices unknown"
    if machine.weighs:
        slices = f" by weight, runs up to {span(machine.slice_ms)}"
    between = "  " if what.endswith("\n") else ": "
    return f"{what}{between}{shares}{slices}; {plural(len(machine.devices), 'device')}, {fixed(io_per_s, 0)} I/O/s"


def warnings(answer: SliceAnswer, machine: Machine) -> tuple[str, ...]:
    """What is dear as it is now: devices that are faster than a frame, and slices that lose much to switches.

    >>> from slicewright.advise.slices.example import advice
    >>> from slicewright.advise.slices.machine import example, machine_of
    >>> print(warnings(advice(), machine_of(example().view))[0])
    slices of 30 ms are above half of the service of C23, ... 9.3 ms on average
    """
    lines = []
    chosen, now = answer.recommendation, answer.now_ms
    if chosen is not None and now is not None and now != chosen.slice_ms and chosen.low_ms <= now <= chosen.high_ms:
        lines.append(f"the range contains the present {span(now)}: nothing here shows that a change pays")
    point, many = answer.point(answer.now_ms), len(machine.domains) > 2
    dear = sorted((device for device in answer.devices if device.dear), key=lambda device: -device.io_per_s)
    if answer.now_ms is not None and point and dear:
        names = ", ".join(device.name for device in dear[:SHOWN]) + (
            f" and {len(dear) - SHOWN} more" * (len(dear) > SHOWN)
        )
        times = [fixed(extreme(device.service_ms for device in dear), 1) for extreme in (min, max)]
        shown = " to ".join(dict.fromkeys(times))
        frame = span(answer.now_ms * len(machine.domains))
        start = f"frames of {frame} are longer than" if many else f"slices of {span(answer.now_ms)} are above half of"
        lines.append(
            f"{start} the service of {names} ({shown} ms): an I/O that ends in another's slice waits for its own, "
            f"{fixed(point.hold.simulated.mean, 1)} ms on average"
        )
    if point and point.switch_percent >= 5 and answer.now_ms is not None:
        lines.append(
            f"switches take {fixed(point.switch_percent, 1)} % of the processors at {span(answer.now_ms)}"
            f" ({_assumed(answer)})"
        )
    if not machine.together and not machine.weighs:
        lines.append("processors change hands one by one: an interrupt finds one sooner than in the exact formula")
    return tuple(lines)


def caveats(answer: SliceAnswer, machine: Machine, question: SliceRequest) -> tuple[str, ...]:
    """What to keep in mind: the formula's limits, what a switch takes, what weighs what, devices it cannot say.

    >>> from slicewright.advise.slices.example import advice
    >>> from slicewright.advise.slices.machine import example, machine_of
    >>> print(caveats(advice(), machine_of(example().view), SliceRequest())[1])
    the cost of a switch is unpublished: assumed, .1 ms; the range has .02 to .5 ms; --assume switch=...
    """
    lines = [PRSM_RULES if machine.weighs else LEFT_OUT]
    if answer.switch_assumed:
        low, high = (significant(switch, 1) for switch in SWITCHES_MS)
        lines.append(
            f"the cost of a switch is unpublished: {_assumed(answer)}; the range has {low} to {high} ms; "
            "--assume switch=..."
        )
    elif answer.switch_ms == 0:
        lines.append("switches are given as free: then the shortest slice is the best one")
    how = "as given"
    if question.assumed.processor is None:
        how = "that share of the processors for the same share of the I/Os in service; --assume processor=..."
    lines.append(
        f"cost = ended I/Os that wait + {significant(answer.processor, 2)} x processors lost to switches: {how}"
    )
    lines.append("cache refills after a switch are part of its cost, or not modelled")
    odd = [device.name for device in machine.devices if device.service is None]
    if odd:
        lines.append(f"no formula for {', '.join(odd[:SHOWN])}: the service time depends on concurrency or size")
    driven = [device.name for device in machine.devices if device.redriven]
    if driven:
        lines.append(f"{', '.join(driven[:SHOWN])} is re-driven at each interrupt: its exact hold is only an estimate")
    if answer.growth != 1:
        lines.append(f"{demand(answer.growth)}: closed populations and arrival rates are scaled alike")
    return tuple(lines)


def settings(slice_ms: float) -> str:
    """The scheduling parameter beside a slice, where there is one.

    >>> settings(10.0), settings(9.0)
    (' (5)', '')
    """
    return next((f" ({parameter})" for parameter in PARAMETERS if parameter_slice_ms(parameter) == slice_ms), "")


def _assumed(answer: SliceAnswer) -> str:
    how = "assumed" if answer.switch_assumed else "told"
    return f"{how}, {significant(answer.switch_ms, 1)} ms"
