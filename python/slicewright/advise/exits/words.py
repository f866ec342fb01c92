"""The words around the numbers of an answer about exits: what a filter saves, what it cannot, what is assumed."""

from __future__ import annotations

from slicewright.advise.answer import Explanation, Point
from slicewright.advise.constants import OPEN
from slicewright.advise.exits.comparison import Enqueuing, ExitAnswer
from slicewright.advise.exits.prices import LEFT
from slicewright.advise.exits.structures import BATCH, COMPLETE, FRONT_END, NONE, SHORT, SINGLE
from slicewright.advise.notes import demand
from slicewright.statistics import Estimate, fixed, plural, plus_minus, seconds, signed

SOURCE = "GRS/MIM Installation Exit Performance"
STEP_WORDS = {
    "base_us": "base", "front_end_us": "front end", "fast_us": "fast exits", "slow_us": "slow exits",
    "storage_us": "storage", "message_us": "messages",
}  # fmt: skip
"""The parts of the processor time of a pair."""


def heading(file: str, read: Enqueuing, partition: Enqueuing) -> str:
    """The scenario and partition that were read.

    >>> from slicewright.advise.exits.example import partition
    >>> heading("a.toml", partition(), partition())
    'a.toml  scenario: MVS, 1 logical processor; 2 names, 1 of them with scope systems'
    """
    return (
        f"{file}  scenario: {partition.name}, {plural(partition.processors, 'logical processor')}; "
        f"{plural(partition.names, 'name')}, {partition.wide} of them with scope systems"
    )


def share(answer: ExitAnswer) -> float:
    """Percent of the pairs that are global, as things are now.

    >>> from slicewright.advise.exits.example import advice
    >>> 10 < share(advice()) < 30
    True
    """
    now = answer.point(SINGLE).columns
    pairs = now["pairs_per_s"].mean
    return 100 * now["global_per_s"].mean / pairs if pairs > 0 else 0.0


def gained(saved: Estimate, beside: str) -> str:
    """A saving as less, more or as much processor time as with another structure.

    >>> gained(Estimate(-0.5, 0.1, 10), "none"), gained(Estimate(33.4, 0.5, 10), "batch")
    ('.50 ± .10 % of a processor more than with none', '33.4 ± .5 % of a processor less than with batch')
    """
    how = "less" if saved.mean >= 0 else "more"
    return (
        f"{plus_minus(abs(saved.mean), saved.half_width)} % of a processor {how} than with {SHORT.get(beside, beside)}"
    )


def made_of(one: Point[str], other: Point[str]) -> str:
    """Parts of a pair of which the other takes more (+) or less (-), us, largest first; parts below .05 are omitted.

    >>> from slicewright.advise.exits.example import advice
    >>> made_of(advice().point("batch"), advice().point("batch"))
    'nothing'
    """
    parts = {name: other.columns[name].mean - one.columns[name].mean for name in STEP_WORDS}
    largest = sorted(parts.items(), key=lambda part: -abs(part[1]))
    shown = [f"{STEP_WORDS[name]} {signed(value, 1)}" for name, value in largest if abs(value) >= 0.05]
    return ", ".join(shown) or "nothing"


def explain(answer: ExitAnswer) -> Explanation:
    """The notes of an answer.

    >>> from slicewright.advise.exits.example import advice
    >>> any("PC linkage" in caveat for caveat in explain(advice()).caveats)
    True
    """
    return Explanation(_facts(answer), _open(answer), _caveats(answer), _needed(answer))


def _facts(answer: ExitAnswer) -> tuple[str, ...]:
    now = answer.point(answer.now)
    rate, wide = now.columns["pairs_per_s"], share(answer)
    cpu = {point.variant: point.columns["cpu_us_per_pair"].mean for point in answer.points}
    facts = [
        f"{plus_minus(rate.mean, rate.half_width)} pairs of ENQ and DEQ a second now ({SHORT[answer.now]}), "
        f"{fixed(wide, 1)} % of them global; processor time is compared for these pairs",
        f"a filter takes a pair from {fixed(cpu[BATCH], 1)} to {fixed(cpu[SINGLE], 1)} us of processor time: "
        f"{made_of(answer.point(BATCH), answer.point(SINGLE))}",
        f"each structure simulated with the same random numbers, {answer.plan.replications} runs of "
        f"{seconds(answer.plan.interval_s)} after {seconds(answer.plan.warm_up_s)}",
    ]
    if answer.request.growth != 1:
        facts.append(f"{demand(answer.request.growth)}: {', '.join(answer.case.grown) or 'nothing grows'}")
    return tuple(facts)


def _open(answer: ExitAnswer) -> tuple[str, ...]:
    found = []
    for role, source in (*((role, role) for role in OPEN), (LEFT, f"unchanged from {SOURCE}")):
        keys = [
            constant.key.removeprefix("serialization.") for constant in answer.case.constants if constant.role == role
        ]
        if keys:
            found.append(f"{source}, not measured on this system: {', '.join(keys)}")
    return tuple(found)


def _caveats(answer: ExitAnswer) -> tuple[str, ...]:
    said = [
        f"{SHORT[FRONT_END]} is not recommended: requests by PC linkage bypass it, so that a name may be held twice "
        f"({SOURCE}){'; guests call by PC here' if answer.subject.by_pc else ''}",
        f"{SHORT[NONE]} shares nothing with other systems: its cost is that of the service itself",
        "the cost of a slow call is a single number: its parts (storage, copy, page faults, locks) are unpublished",
    ]
    slow = [SHORT[point.variant] for point in answer.points if not point.fits]
    if slow:
        said.append(
            f"fewer pairs are completed with {', '.join(slow)} than with the others: the comparison uses the"
            " same number"
        )
    if answer.point(SINGLE).columns["global_per_s"].mean > 0:
        said.append("for a global pair, a filter saves only the slow call of its DEQ; its message costs the same")
    return tuple(said)


def _needed(answer: ExitAnswer) -> tuple[str, ...]:
    if len(set(answer.chosen) & set(COMPLETE)) > 1:
        return ("processor time of a million pairs of your own with each structure",)
    if any(constant.key.endswith((".state", ".relock")) for constant in answer.case.constants):
        return ("processor time of a slow exit on your own system: a million pairs of ENQ and DEQ with and without it",)
    return ()
