"""The words of an answer about yields: where the gain is from, what is contended, what is assumed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.answer import Explanation
from slicewright.advise.constants import open_lines
from slicewright.advise.notes import demand
from slicewright.advise.yields.comparison import Row, YieldAnswer, YieldPoint, here
from slicewright.advise.yields.contention import Contention, Gains, Why
from slicewright.advise.yields.locked import Locked
from slicewright.advise.yields.yielding import SENSE, YIELDS, Yielding
from slicewright.experiment.paired import below, beyond
from slicewright.run.yield_budget import SAVED, per_yield_us
from slicewright.statistics import Estimate, fixed, plural, plus_minus, seconds, significant

SOURCE = "z/VM 5.3 report, Diagnose X'9C' Support"
SAVED_WORDS = {
    "holder_sooner": "holder resumed sooner", "spin": "spin saved", "diagnose": "DIAGNOSE saved",
    "switches": "switches avoided", "caches": "caches kept", "idle": "idle less", "work": "other work",
}  # fmt: skip
"""The sources of a gain, by `yield_budget.SAVED`."""
KINDS = {
    "costs of the control program": r"\.(lock|costs)\.|\.soft_wait$",
    "caches": r"^topology\.|^virtual_machine\..*\.(footprint|touched_in)$",
    "spinning": r"\.spin_(try|retry)$",
    "dispatching": r"\.(slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes)$",
}
"""The kinds of constants, by their keys; of the controller in vertical mode only."""
CONTROLLER = ("the controller", r"\.controller\.")


def heading(file: str, read: Locked, partition: Locked) -> str:
    """The scenario and partition that were read, with growth.

    >>> from slicewright.advise.yields.example import spinners
    >>> heading("spinners.toml", spinners(), spinners())
    'spinners.toml  scenario: ZVM, 2 logical processors; 4 virtual machines with 8 virtual processors (4.0 each)'
    """
    return f"{file}  scenario: {partition.controlled.words} ({fixed(partition.each, 1)} each)"


def gained(value: Estimate, beside: str, what: str = "throughput") -> str:
    """A gain in percent as more, less, or as much as with another yield.

    >>> gained(Estimate(12.13, 0.5, 10), "X'44'"), gained(Estimate(0.2, 0.5, 10), "X'44'")
    ("12.1 ± .5 % more throughput than with X'44'", "as much throughput as with X'44' (.2 ± .5 %)")
    """
    if not (beyond(value, 0.0) or below(value, 0.0)):
        return f"as much {what} as with {beside} ({plus_minus(value.mean, value.half_width)} %)"
    more = "more" if value.mean > 0 else "less"
    return f"{plus_minus(abs(value.mean), value.half_width)} % {more} {what} than with {beside}"


def made_of(point: YieldPoint) -> str:
    """The sources of a gain, in percent of throughput, the most first; parts below .05 are omitted.

    >>> from slicewright.advise.yields.example import advice
    >>> made_of(here(advice()).point(advice().evidence.base))
    'nothing'
    """
    parts = [(name, point.parts[name].mean) for name in SAVED if name in point.parts]
    largest = sorted(parts, key=lambda part: -abs(part[1]))
    return (
        ", ".join(f"{SAVED_WORDS[name]} {fixed(mean, 1)}" for name, mean in largest if abs(mean) >= 0.05) or "nothing"
    )


def expectation(answer: YieldAnswer, row: Row) -> str:
    """Whether a gain is to be expected on the row's processors, and the measurements.

    >>> from slicewright.advise.yields.example import advice
    >>> expectation(advice(), advice().evidence.rows[-1]).startswith("no gain is to be expected on 8 processors")
    True
    """
    found = row.contention
    on = f"on {plural(row.processors, 'processor')}"
    if found.expected:
        yet = f"; but {measured(answer, found)}" if found.gains is Gains.NONE else ""
        return f"a gain may be expected {on}: {_contended(found)}{yet}"
    why = "; ".join(_why(answer, row, reason) for reason in found.why)
    return f"no gain is to be expected {on}: {why} ({measured(answer, found)})"


def measured(answer: YieldAnswer, found: Contention) -> str:
    """The gains in the runs where none is to be expected.

    >>> from slicewright.advise.yields.example import advice
    >>> none = Estimate(0.13, 0.24, 5)
    >>> measured(advice(), Contention((), Gains.NONE, none, none, none))
    "measured: none beyond 1 %, at most .1 ± .2 % over X'44'"
    """
    if found.most.mean == 0 == found.most.half_width:
        return "measured: the same throughput to the last digit"
    most = f"{plus_minus(found.most.mean, found.most.half_width)} % over X'44'"
    least = f"{answer.request.knobs['least']:g} %"
    match found.gains:
        case Gains.NONE:
            return f"measured: none beyond {least}, at most {most}"
        case Gains.OPEN:
            return f"measured: none beyond noise, which allows {most}"
        case Gains.SOME:
            return f"but measured: {most}"


def _why(answer: YieldAnswer, row: Row, why: Why) -> str:
    partition, found = answer.subject, row.contention
    match why:
        case Why.ALONE:
            return "with one virtual processor in each machine no lock is ever contended"
        case Why.ROOM:
            many = plural(partition.virtual_processors, "virtual processor")
            return f"with as many processors as virtual ones ({many}) every lock holder runs"
        case Why.UNCONTENDED:
            return f"no lock is contended: {_share(found.contended_percent)} % of acquisitions spin"
        case Why.FAST:
            return (
                f"practically all X'44' are fast, {_share(found.fast_percent)} %: no virtual processor waits in the"
                " vectors"
            )


def _contended(found: Contention) -> str:
    parts = [f"{_share(found.contended_percent)} % of acquisitions spin"]
    if found.fast_percent.replications:
        parts.append(f"{_share(found.fast_percent)} % of X'44' are fast")
    return ", ".join(parts)


def _share(value: Estimate) -> str:
    return plus_minus(value.mean, value.half_width) if value.replications else "0"


def explain(answer: YieldAnswer) -> Explanation:
    """All lines around an answer.

    >>> from slicewright.advise.yields.example import advice
    >>> explain(advice()).facts[0].startswith("a gain may be expected on 2 processors")
    True
    """
    facts = [expectation(answer, here(answer)), *_saving(answer), *_outcomes(answer), *_locks(answer)]
    kinds = [*KINDS.items(), *([CONTROLLER] if answer.subject.controlled.now.vertical else [])]
    open_ = open_lines(answer.case.constants, kinds)
    if open_:
        open_.append("slicewright explain lists their sources; the range is over the readings above")
    if answer.case.scenario.view.changes:
        open_.append("changes during the run are ignored: advice is for the machine as defined")
    return Explanation(tuple(facts), tuple(open_), tuple(_caveats(answer)), tuple(_needed(answer)))


def _saving(answer: YieldAnswer) -> list[str]:
    """The compared gain for each X'44' that is not fast, as the report's numbers give it."""
    base, other = here(answer).point(answer.evidence.base), here(answer).point(answer.evidence.compared)
    if base is None or other is None:
        return []
    ended = base.columns["x44_per_s"].mean - base.columns["fast_x44_per_s"].mean
    worth = per_yield_us(other.differences["gain"].mean, answer.subject.processors, ended)
    value = plus_minus(other.differences["gain"].mean, other.differences["gain"].half_width)
    lines = [f"{other.variant.words()} over {base.variant.words()}, {value} %: {made_of(other)}"]
    if math.isfinite(worth) and beyond(other.differences["gain"], 0.0):
        lines.append(
            f"that is {fixed(worth, 0)} us of processor time for each of the {fixed(ended, 0)} X'44' per s that are not"
            " fast"
        )
    return lines


def _outcomes(answer: YieldAnswer) -> list[str]:
    point = here(answer).point(answer.evidence.compared)
    if point is None:
        return []
    rate = point.columns["x9c_per_s"].mean
    if not rate > 0:
        return []
    shares = [
        f"{fixed(100 * point.columns[f'x9c_{name}_per_s'].mean / rate, 1)} % {words}"
        for name, words in (
            ("yielded", "dispatched their target at once"), ("dispatched", "found it running"),
            ("not_ready", "not ready"), ("soft_wait", "in soft wait"), ("wait", "in wait"),
        )
    ]  # fmt: skip
    return [f"of {fixed(rate, 0)} X'9C' per s {', '.join(shares)}"]


def _locks(answer: YieldAnswer) -> list[str]:
    """How locks are held and waited for, under X'44' and under what is compared."""
    base, other = here(answer).point(answer.evidence.base), here(answer).point(answer.evidence.compared)
    if base is None or other is None:
        return []

    def both(name: str) -> str:
        before, after = (point.columns[name].mean for point in (base, other))
        return f"{significant(before)} -> {significant(after)}"

    lead = f"locks, {base.variant.words()} -> {other.variant.words()}: held {both('held_us')} us a time"
    tail = f"{both('dispatches_per_s')} dispatches per s"
    if not base.columns["contended_per_s"].mean > 0:
        return [f"{lead}, never contended; {tail}"]
    return [
        f"{lead}, waited for {both('wait_us')} us when contended, {both('contended_percent')} % are; longest"
        f" {both('longest_wait_ms')} ms; {tail}"
    ]


def _caveats(answer: YieldAnswer) -> list[str]:
    partition = answer.subject
    lines = []
    uses = answer.recommendation.yielding if answer.recommendation else answer.evidence.compared
    if _says(uses, SENSE):
        lines.append("SIGP Sense Running Status exists since the z9; z/OS 1.7 uses it, the Linux of that time does not")
    lines.append(f"X'9C' needs z/VM 5.3 (5.2 with service), and guests that issue it: SLES 10, z/OS 1.7 ({SOURCE})")
    lines.append(
        "throughput is measured as work done: a program needs the same work under any yield, and random variation"
        " of programs is excluded"
    )
    if any(order != "unordered" for kind in partition.kinds for order in kind.orders):
        lines.append("with ticket or queued locks, the next waiter blocks the others while it is not dispatched")
    if not partition.controlled.caches:
        lines.append(
            "no guest has anything in caches (cec.machine, footprint, touched_in): switches cost no refill here"
        )
    if partition.controlled.shares:
        lines.append("other partitions share its processors: a lock holder may lose a physical one as well")
    lines.append("contention is varied by logical processors; guests and their programs stay the same")
    lines += [f"not simulated: {skipped}" for skipped in answer.evidence.skipped]
    if answer.request.growth != 1:
        grown = f": {', '.join(answer.case.grown)}, with their guests" if answer.case.grown else ""
        lines.append(f"{demand(answer.request.growth)}{grown}")
    lines.append(
        f"each of {plural(answer.plan.replications, 'run')} simulates {seconds(answer.plan.interval_s)} after"
        f" {seconds(answer.plan.warm_up_s)} of warm-up"
    )
    return lines


def _says(yielding: Yielding, one: str) -> bool:
    return any(yield_of == one for _, yield_of in yielding.pairs)


def _needed(answer: YieldAnswer) -> list[str]:
    lines = []
    if len(set(answer.chosen)) > 1:
        lines.append(
            "the cost of switches and caches: one interval with each yield, X'44' and X'9C' rates (FCX104, FCX102)"
        )
    widths = [point.differences["gain"].half_width for point in here(answer).points]
    noise = max((width for width in widths if math.isfinite(width)), default=0.0)
    if answer.recommendation is None and noise > answer.request.knobs["least"]:
        lines.append(f"longer runs (measure.interval, measure.replications): noise is up to {fixed(noise, 1)} %")
    return lines


def ordered(points: Sequence[YieldPoint]) -> list[YieldPoint]:
    """Points in the order in which tables show them: each yield, then mixtures."""

    def place(point: YieldPoint) -> int:
        same = point.variant.yielding.alike
        return YIELDS.index(same) if same else len(YIELDS)

    return sorted(points, key=place)
