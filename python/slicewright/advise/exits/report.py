"""The answer about exits for people and for programs: what to choose, a row per structure, evidence and caveats."""

from __future__ import annotations

from typing import Any

from slicewright.advise.answer import Answer, Explanation, Point
from slicewright.advise.constants import OPEN
from slicewright.advise.exits.structures import (
    BATCH,
    COMPLETE,
    FRONT_END,
    LEFT,
    NONE,
    SHORT,
    SINGLE,
    STEPS,
    Enqueuing,
)
from slicewright.advise.notes import demand
from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    chosen_mark,
    holding,
    readings_table,
    recommendation,
    scope,
)
from slicewright.report.figure import Figure, Panel
from slicewright.report.json import fields, record, records
from slicewright.report.model import Block, Paragraph, Report, Table
from slicewright.report.spec import columns, header, series
from slicewright.statistics import fixed, plural, plus_minus, seconds, signed

ExitAnswer = Answer[Enqueuing, str, None]

_SOURCE = "GRS/MIM Installation Exit Performance"
_TABLES = ("serialization",)
_POINTS = """
    people    name                 |      | exits
    programs  exits now sees_every_request keeps_up
    cpu_percent                    | ±
    people    over_batch           | ±    | saved          | %
    programs  saved_percent
    people    over_batch.. ?       | .1   | all readings
    programs  saved.. pairs_per_s global_per_s
    cpu_us_per_pair                | ±    | CPU a pair
    programs  base_us front_end_us fast_us slow_us storage_us message_us
    elapsed_us_per_pair            | ±    | elapsed
    lock_held_percent              | ± .1
    lock_wait_us                   | ± .1 | wait
    programs  from_now_percent
"""
_PARTS = f"name | | us a pair; {' | .1 | | -; '.join(STEPS)} | .1 | | -; cpu_us_per_pair | .1 | in all | -"
_DRAWN = {
    "CPU a pair, us": {"cpu_us_per_pair": "in all", "slow_us": "slow exits"},
    "elapsed a pair, us": {"elapsed_us_per_pair": "elapsed"},
    "lock held, %": {"lock_held_percent": "held"},
}
"""Of the processor time of a pair all of it, and the part that a filter is about."""


def report(answer: ExitAnswer) -> Report:
    """The answer as a report."""
    facts = [("recommendation", "none: it makes no difference")]
    if answer.recommendation:
        saved = answer.point(answer.recommendation).differences["saved"]
        facts = [("exits", SHORT[answer.recommendation]), ("saved over batch", f"{saved} % of a processor")]
    parts = Table(columns(_PARTS, _TABLES, _values(answer)), answer.points)
    blocks = [
        *_headline(answer),
        picture(answer).captioned("Bars are simulation noise (95 %)."),
        _points(answer),
        parts,
    ]
    readings = readings_table(answer.readings, SHORT.__getitem__, ("saves over batch", "%"))
    name, case = answer.subject.name, answer.case
    shown = Parts(f"Exits in {name}", name, case.heading, facts, blocks, readings, case.constants)
    return advice_report(answer.explanation, shown)


def picture(answer: ExitAnswer) -> Figure:
    """Processor time a pair by what it is made of, elapsed time, and the lock, by structure."""
    places = [float(at) for at in range(1, len(answer.points) + 1)]
    now = [(at, "now") for at, point in zip(places, answer.points, strict=True) if point.variant == answer.now]
    names = [SHORT[point.variant] for point in answer.points]
    panels = []
    for label, drawn in _DRAWN.items():
        shown = [
            series(places, [point.columns[key] for point in answer.points], text, "points")
            for key, text in drawn.items()
        ]
        panels.append(Panel(label, shown, now, names=names))
    return Figure(panels)


def document(answer: ExitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), a row per structure, readings, evidence.

    Savings are over slow exits at every request, in % of one processor; `saved_low` and `saved_high` are null where
    only one reading was simulated.
    """
    chosen = answer.recommendation and answer.point(answer.recommendation)
    points = _points(answer)
    own: Document[str] = Document(
        recommendation=fields(
            exits=chosen.variant, as_now=chosen.variant == answer.now, saved_percent=chosen["saved_percent"],
            from_now_percent=chosen["from_now_percent"], alike=list(answer.alike),
        ) if chosen else None,
        situation={"now": answer.now, "global_percent": _share(answer)},
        variant=str,
        gain="saved_percent",
        asked=[record(points, answer.point(structure)) for structure in answer.case.asked],
        target={"exits": list(answer.meets)},
        tables={"structures": records(points)},
        evidence={"least_percent": answer.request.knobs["least"]},
    )  # fmt: skip
    return advice_document("exits", answer, own)


def heading(file: str, read: Enqueuing, partition: Enqueuing) -> str:
    """The scenario and partition that were read."""
    return (
        f"{file}  scenario: {partition.name}, {plural(partition.processors, 'logical processor')}; "
        f"{plural(partition.names, 'name')}, {partition.wide} of them with scope systems"
    )


def explain(answer: ExitAnswer) -> Explanation:
    """The notes of an answer."""
    return Explanation(facts=_facts(answer), open=_open(answer), caveats=_caveats(answer), needed=_needed(answer))


def _points(answer: ExitAnswer) -> Table[Point[str]]:
    """A row per structure of exits; JSON has every counter that was compared."""
    legend = (
        "100 % is one processor; CPU is for the present number of pairs of ENQ and DEQ; saved: relative to slow"
        " exits at every request (batch). Elapsed: time of a pair, including its waits for the lock of ENQ and"
        f" DEQ and for the manager. ± is simulation noise (95 %, {answer.plan.replications} runs)."
    )
    return Table(
        columns(_POINTS, _TABLES, _values(answer)), answer.points, legend=legend,
        marks=lambda point: holding({
            **chosen_mark(answer, point.variant), "not advised": point.variant not in COMPLETE,
            "completes fewer": not point.fits,
        }),
    )  # fmt: skip


def _values(answer: ExitAnswer) -> dict[str, Any]:
    """Keys of the spec that a point lacks; slow exits at every request save nothing over themselves."""
    return {
        "name": lambda point: SHORT[point.variant],
        "exits": lambda point: point.variant,
        "now": lambda point: point.variant == answer.now,
        "sees_every_request": lambda point: point.variant in COMPLETE,
        "keeps_up": lambda point: point.fits,
        "over_batch": lambda point: point["saved_percent"] if point.variant != BATCH else None,
        "over_batch..": lambda point: point["saved.."] if point.variant != BATCH else None,
    }


def _headline(answer: ExitAnswer) -> list[Block]:
    gains = [_gains(answer, answer.recommendation)] if answer.recommendation else []
    blocks = recommendation(answer, SHORT.__getitem__, scope(answer, SHORT.__getitem__), gains)
    saved, whole = answer.point(SINGLE).differences["saved"], answer.point(BATCH).columns["cpu_percent"].mean
    part = fixed(100 * saved.mean / whole if whole > 0 else 0.0, 0)
    blocks.append(Paragraph(
        f"A filter saves {part} % of what slow exits at every request take, {saved} % of a processor, with "
        f"{fixed(_share(answer), 1)} % of the pairs global."
    ))  # fmt: skip
    if answer.request.target is not None:
        met = ", ".join(SHORT[structure] for structure in answer.meets) or "no structure does"
        blocks.append(Paragraph(f"{answer.request.target}: {met}."))
    return blocks


def _gains(answer: ExitAnswer, chosen: str) -> str:
    point, now = answer.point(chosen), answer.point(answer.now)
    alike = " and ".join(SHORT[name] for name in answer.alike)
    same = f" No difference from {alike} beyond noise." if alike else ""
    if chosen == answer.now:
        return f"It takes {point.columns['cpu_percent']} % of a processor.{same}"
    saved = point.differences["from_now"]
    size = f"{plus_minus(abs(saved.mean), saved.half_width)} % of a processor {'less' if saved.mean >= 0 else 'more'}"
    return (
        f"{now.columns['cpu_percent']} -> {point.columns['cpu_percent']} % of a processor for the same pairs, "
        f"{size} than with {SHORT[answer.now]}; of a pair, us: {_made_of(now, point)}.{same}"
    )


def _share(answer: ExitAnswer) -> float:
    """Percent of the pairs that are global, as things are now."""
    now = answer.point(SINGLE).columns
    pairs = now["pairs_per_s"].mean
    return 100 * now["global_per_s"].mean / pairs if pairs > 0 else 0.0


def _made_of(one: Point[str], other: Point[str]) -> str:
    """Parts of a pair of which the other takes more (+) or less (-), us, largest first; parts below .05 are omitted."""
    parts = {name: other.columns[name].mean - one.columns[name].mean for name in STEPS}
    largest = sorted(parts.items(), key=lambda part: -abs(part[1]))
    return ", ".join(f"{header(name, _TABLES)} {signed(us, 1)}" for name, us in largest if abs(us) >= 0.05) or "nothing"


def _facts(answer: ExitAnswer) -> tuple[str, ...]:
    batch, single = answer.point(BATCH), answer.point(SINGLE)
    before, after = (fixed(point.columns["cpu_us_per_pair"].mean, 1) for point in (batch, single))
    facts = [
        f"{answer.point(answer.now).columns['pairs_per_s']} pairs of ENQ and DEQ a second now ({SHORT[answer.now]}), "
        f"{fixed(_share(answer), 1)} % of them global; processor time is compared for these pairs",
        f"a filter takes a pair from {before} to {after} us of processor time: {_made_of(batch, single)}",
        f"each structure simulated with the same random numbers, {answer.plan.replications} runs of "
        f"{seconds(answer.plan.interval_s)} after {seconds(answer.plan.warm_up_s)}",
    ]
    if answer.request.growth != 1:
        facts.append(f"{demand(answer.request.growth)}: {', '.join(answer.case.grown) or 'nothing grows'}")
    return tuple(facts)


def _open(answer: ExitAnswer) -> tuple[str, ...]:
    found = []
    for role, source in (*((role, role) for role in OPEN), (LEFT, f"unchanged from {_SOURCE}")):
        keys = [each.key.removeprefix("serialization.") for each in answer.case.constants if each.role == role]
        if keys:
            found.append(f"{source}, not measured on this system: {', '.join(keys)}")
    return tuple(found)


def _caveats(answer: ExitAnswer) -> tuple[str, ...]:
    said = [
        f"{SHORT[FRONT_END]} is not recommended: requests by PC linkage bypass it, so that a name may be held twice "
        f"({_SOURCE}){'; guests call by PC here' if answer.subject.by_pc else ''}",
        f"{SHORT[NONE]} shares nothing with other systems: its cost is that of the service itself",
        "the cost of a slow call is a single number: its parts (storage, copy, page faults, locks) are unpublished",
    ]
    slow = ", ".join(SHORT[point.variant] for point in answer.points if not point.fits)
    if slow:
        said.append(f"fewer pairs are completed with {slow} than with the others: the comparison uses the same number")
    if answer.point(SINGLE).columns["global_per_s"].mean > 0:
        said.append("for a global pair, a filter saves only the slow call of its DEQ; its message costs the same")
    return tuple(said)


def _needed(answer: ExitAnswer) -> tuple[str, ...]:
    if len(set(answer.chosen) & set(COMPLETE)) > 1:
        return ("processor time of a million pairs of your own with each structure",)
    if any(constant.key.endswith((".state", ".relock")) for constant in answer.case.constants):
        return ("processor time of a slow exit on your own system: a million pairs of ENQ and DEQ with and without it",)
    return ()
