"""The report of a plan, and its document in JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from slicewright._core import __version__
from slicewright.explore.planned import FURTHEST, Alone, Answer, Bought, Guessed
from slicewright.explore.purchases import Purchase, bought, words_of
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.results.busiest import Resource
from slicewright.results.busiest import busiest as busiest_of
from slicewright.statistics import Estimate, count, estimate, fixed, percent, plural, significant
from slicewright.values.numerals import in_json

_SHOWN = 12
"""Resources and parts as text; the page has all."""


def plan_report(answer: Answer) -> Report:
    """A plan as a report."""
    lead, aside = _lead(answer)
    asked = "; ".join([*map(str, answer.machines.growth), *(need.text for need in answer.requirements)])
    first: list[Block] = [
        Paragraph(f"{answer.name}  {asked}", flush=True, face=Face.TEXT),
        Lead(lead, aside),
        *[Notes(name, [text]) for name, text in _named(answer)],
        Table(columns(_REQUIREMENTS), _requirements(answer), legend=_NOISE),
    ]
    legend = f"{_what(answer)}; changed: of a purchase in the set the set without it, of others the set with it."
    bought = Table(
        columns(_ALONE),
        [
            {
                "words": each.purchase.words,
                "from": each.purchase.now,
                "to": each.purchase.levels[each.level].to,
                "cost": each.purchase.levels[each.level].cost,
                "alone": each.alone,
                "without": each.without,
                "helps": each.helps,
            }
            for each in answer.alone
        ],
        legend=legend,
    )
    rest = [Table(columns(_RESOURCES), _resources(answer)[:200], brief=_first(_resources(answer)))]
    parts = Table(columns(_PARTS), _part_rows(answer), brief=_first(_part_rows(answer)))
    facts = [
        ("sets", f"{answer.counts['settings']:,}"),
        ("simulated", f"{answer.counts['simulated']:,}"),
        ("slicewright", __version__),
    ]
    front = Table(
        columns(_FRONT),
        [
            {
                "cost": each.cost,
                "response": each.response,
                "state": "yes" if each.holds else "no",
                "set": words_of(answer.purchases, each.setting),
            }
            for each in answer.front
        ],
        legend=_CHEAPER,
    )
    sections = [
        Section("Plan", first),
        Section("Purchases", [bought]),
        Section("Cost and response", [front, *_figures(answer)]),
        Section("Machine", [*rest, parts]),
        Section("", [Notes("Procedure", _procedure(answer))]),
    ]
    return Report(f"Plan for {answer.name}", asked, facts, sections)


_ROUNDED = 0.05
"""ASSUME: growth of whole guests that is off by more than this share of them is worth a sentence."""
_NOISE = "± is simulation noise (95 %)."
_CHEAPER = "No set that was simulated is both cheaper and faster than one of these."
_REQUIREMENTS = "requirement; today | ±each; grown | ±each | grown; after | ±each; state | verdict"
_ALONE = """
    words   | words | purchase
    from    | words
    to      | words
    cost    | count
    alone   | ±each | alone    | ms
    without | ±each | changed | ms
    helps   | words | helps
"""
_FRONT = "cost | count; response | ±each | response | ms; state | words | holds; set | words | set"
_RESOURCES = "resource | words; today | .1 | today | %; grown | .1 | grown | %; after | .1 | after | %"
_PARTS = "part | words; unit | words | -; today | ±each; grown | ±each; after | ±each"


def document(answer: Answer) -> dict[str, Any]:
    """The plan as values for JSON."""
    chosen, runner = answer.chosen, answer.runner_up
    return {
        "name": answer.name,
        "growth": [{"name": each.pattern, "percent": each.percent} for each in answer.machines.growth],
        "requirements": [
            {"text": need.text, "limit": need.constraint.bound, "unit": need.unit}
            | {name: _est(value) for name, value in _three(answer, at).items()}
            | {"after": _over(answer, at), "holds": row["state"] != "broken"}
            for at, (need, row) in enumerate(zip(answer.requirements, _requirements(answer), strict=True))
        ],
        "purchases": [_offered(purchase, offer) for purchase in answer.purchases for offer in purchase.offers],
        "recommended": None if chosen is None or answer.doubt else _recommended(answer, chosen),
        "why_not": answer.doubt or _why_not(answer),
        "runner_up": None if runner is None else _recommended(answer, runner) | {"separates": _separates(answer)},
        "front": [
            {"cost": in_json(each.cost), "response_ms": _est(each.response), "holds": each.holds,
             "purchases": bought(answer.purchases, each.setting)}
            for each in answer.front
        ],
        "response": _what(answer),
        "alone": [_alone_document(each) for each in answer.alone],
        "busiest": {name: _resource(seen.machine.busiest) for name, seen in _seen(answer).items()},
        "resources": [
            {"kind": row["kind"], "name": row["resource"], "partition": row["partition"],
             "today_percent": in_json(row["today"]), "grown_percent": in_json(row["grown"]),
             "after_percent": in_json(row["after"])}
            for row in _resources(answer)
        ],
        "next": _next_document(answer),
        "guesses": [
            {"key": each.key, "words": _guess_words(each), "from": each.low, "to": each.high, "changes": each.changes}
            for each in answer.guesses[0]
        ],
        "parts": [
            {"kind": row["kind"], "name": row["part"], "column": row["column"]}
            | {name: _est(row[name]) for name in ("today", "grown", "after")}
            for row in _part_rows(answer)
        ],
        "readings": [
            {"name": name, "values": [_est(estimate(each.tolist())) for each in seen.left]}
            for name, seen in answer.by_reading.items()
        ],
        "findings": [{"kind": name.lower(), "text": text} for name, text in _named(answer)],
        "searched": {**answer.counts, "optuna": answer.searched, "screen_error_percent": in_json(answer.screened)},
    }  # fmt: skip


def _seen(answer: Answer) -> dict[str, Any]:
    return {"today": answer.today, "grown": answer.grown, "after": answer.after}


def _three(answer: Answer, at: int) -> dict[str, Estimate]:
    return {name: estimate(seen.left[at].tolist()) for name, seen in _seen(answer).items()}


def _over(answer: Answer, at: int) -> dict[str, float | None] | None:
    """The bounded value after, with its range over readings where there are several."""
    found = _est(_three(answer, at)["after"])
    means = [float(seen.left[at].mean()) for seen in answer.by_reading.values()]
    return found if not means or found is None else found | {"low": in_json(min(means)), "high": in_json(max(means))}


def _est(value: Estimate | None) -> dict[str, float | None] | None:
    return None if value is None else {"mean": in_json(value.mean), "half_width": in_json(value.half_width)}


def _resource(found: Resource | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"name": found.name, "kind": found.kind, "percent": in_json(found.percent), "words": str(found)}


def _offered(purchase: Purchase, offer: Any) -> dict[str, Any]:
    return {
        "key": purchase.key, "from": purchase.now, "values": [level.to for level in purchase.levels[1:]],
        "offered": offer.values, "price": in_json(offer.price), "per": offer.per, "words": purchase.words,
    }  # fmt: skip


def _recommended(answer: Answer, found: Bought) -> dict[str, Any]:
    probability = {"probability": in_json(answer.probability)} if found is answer.chosen else {}
    return {"purchases": bought(answer.purchases, found.setting), "cost": in_json(found.cost)} | probability


def _alone_document(row: Alone) -> dict[str, Any]:
    level = row.purchase.levels[row.level]
    return {
        "key": row.purchase.key, "to": level.to, "cost": in_json(level.cost), "words": row.purchase.words,
        "in_set": row.in_set, "alone_ms": _est(row.alone), "without_ms": _est(row.without), "helps": row.helps,
    }  # fmt: skip


def _next_document(answer: Answer) -> dict[str, Any] | None:
    if answer.next is None:
        return None
    found, growth, broken = answer.next
    return {
        "resource": found.name if found is not None and found.full else "", "growth_percent": round(growth),
        "requirement": broken,
    }  # fmt: skip


def _what(answer: Answer) -> str:
    shown = answer.machines.shown
    need = next((each for each in answer.requirements if each.constraint.expression == shown), None)
    return need.left if need else f"{shown.entity} {shown.counter}".strip()


def _lead(answer: Answer) -> tuple[str, str]:
    chosen = answer.chosen
    if answer.doubt:
        return f"No recommendation: {answer.doubt}.", ""
    if chosen is None:
        return "No set of these purchases holds every requirement.", ""
    sure = (
        f"the cheapest with at least {percent(min(math.floor(1000 * answer.probability), 999) / 1000, 1)} probability"
    )
    words = words_of(answer.purchases, chosen.setting)
    if words == "nothing":
        return "Buy nothing: every requirement is held", sure
    return f"{words}: cost {count(chosen.cost)}", sure


def _why_not(answer: Answer) -> str:
    """Why nothing is recommended: what forbids it, with the number, and what would hold."""
    if answer.chosen is not None:
        return ""
    most, busiest = answer.most, answer.most.seen.machine.busiest
    every = {"": most.seen, **{f" under the reading `{name}`": seen for name, seen in answer.by_reading.items()}}
    broken = [
        f"{need.left} {estimate(seen.left[at].tolist())} against {significant(need.constraint.bound)}{under}"
        for at, need in enumerate(answer.requirements)
        for under, seen in every.items()
        if not need.ratio(seen.left[at]).mean() <= 1
    ]
    said = f"Nearest is {words_of(answer.purchases, most.setting)} (cost {count(most.cost)}): "
    said += f"{'; '.join(broken[:3]) or 'noise decides'}."
    if overload := answer.machines.overload(most.setting):
        said += f" {_capital(overload)}."
    elif busiest is not None and busiest.full:
        said += f" {_forbids(most.seen.machine.resources)}."
    elif busiest is not None:
        said += f" No resource is full (the busiest: {busiest}), so that service itself takes this long."
    if answer.carries is not None:
        said += f" This set carries {fixed(answer.carries, 0)} % growth, not {fixed(answer.percent, 0)} %."
    return said


def _forbids(resources: Sequence[Resource]) -> str:
    """The full resource that forbids more; full ones of several partitions limit each its own, so all are named.

    >>> own = Resource("limit", "the cap of TEST", 100.0, partition="TEST")
    >>> _forbids([own, Resource("processor", "the processors of PROD", 99.0, partition="PROD")])
    'The cap of TEST 100.0 % busy and the processors of PROD 99.0 % busy are full: one of them forbids more'
    """
    full = [each for each in resources if each.full]
    of_each = [
        innermost
        for partition in dict.fromkeys(each.partition for each in full)
        if (innermost := busiest_of([each for each in full if each.partition == partition]))
    ]
    names = _capital(" and ".join(map(str, of_each)))
    return f"{names} forbids more" if len(of_each) == 1 else f"{names} are full: one of them forbids more"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _separates(answer: Answer) -> str:
    """The differences of the runner-up from the choice."""
    chosen, other = answer.chosen, answer.runner_up
    if chosen is None or other is None:
        return ""
    both = [
        f"{need.left} {estimate(b.tolist())} instead of {estimate(a.tolist())}"
        for need, a, b in zip(answer.requirements, chosen.seen.left, other.seen.left, strict=True)
    ]
    more = other.cost - chosen.cost
    cost = f"it costs {count(more)} more" if more else "it costs the same"
    return f"{cost}; {', '.join(both)}"


def _named(answer: Answer) -> Iterator[tuple[str, str]]:
    """The sentences of a plan under their names."""
    if answer.doubt and answer.chosen is not None:
        words, cost = words_of(answer.purchases, answer.chosen.setting), count(answer.chosen.cost)
        yield "Own values", f"the cheapest list with those of the scenario: {words}, cost {cost}"
    if why := _why_not(answer):
        yield "Why not", why
    if not answer.machines.left_open.predicts:
        yield "Doubt", "the fit does not predict the intervals that it was not shown"
    for unknown in answer.machines.left_open.open:
        yield "Open", f"{unknown.value}: {unknown.why}"
    if rounded := _rounded(answer):
        yield "Growth", rounded
    busiest = [(name, seen.machine.busiest) for name, seen in _seen(answer).items()]
    if known := [f"{name} {each}" for name, each in busiest if each is not None]:
        yield "Busiest", "; ".join(known)
    for scale, when in ((0.0, "today"), (1.0, "grown")):
        if overload := answer.machines.overload(answer.machines.nothing, scale):
            yield "Saturated", f"{when} {overload}"
            break
    if answer.chosen is not None:
        other = answer.runner_up
        text = (
            f"{words_of(answer.purchases, other.setting)}: {_separates(answer)}"
            if other
            else "no other set that was tried holds"
        )
        yield "Runner-up", text
    if answer.next is not None:
        found, growth, broken = answer.next
        full = f"{found} is full" if found is not None and found.full else ""
        both = " and ".join(filter(None, [full, f"{broken} breaks" if broken else ""]))
        yield "Next", f"{both} at {fixed(growth, 0)} % growth"
    elif answer.chosen is not None and answer.percent > 0:
        yield "Next", f"nothing is full, and every requirement is held, up to {FURTHEST:g} % growth"
    guessed, tried = answer.guesses
    for each in guessed:
        yield "Guess", f"{_guess_words(each)}: {each.changes}"
    if tried and not guessed:
        yield (
            "Guesses",
            f"none of {plural(tried, 'assumed number')} changes the list within its range (see sensitivity)",
        )
    if answer.by_reading:
        yield "Readings", _over_readings(answer)


def _rounded(answer: Answer) -> str:
    """Where whole guests grow by another share than was asked for; "" where none does by much."""
    loads = (next(iter(each.values())) for each in (answer.machines.loads, answer.machines.grown()))
    before, after = ({guest.name: guest.count or 0 for guest in load.view.guests} for load in loads)
    off = []
    for growth in answer.machines.growth:
        for name in (guest for guest in growth.guests if guest in before):  # paging has no count
            share = after[name] / before[name] - 1 if before[name] else growth.percent / 100
            if abs(share - growth.percent / 100) > _ROUNDED:
                off.append(f"{name} from {before[name]} to {after[name]} ({100 * share:+.0f} %)")
    more = f", and {len(off) - 1} more" if len(off) > 1 else ""
    return f"guests are whole: {off[0]}{more}" if off else ""


def _guess_words(guess: Guessed) -> str:
    return f"{guess.key} {guess.now} ({guess.role})"


def _over_readings(answer: Answer) -> str:
    ranges = []
    for at, need in enumerate(answer.requirements):
        means = [float(seen.left[at].mean()) for seen in answer.by_reading.values()]
        ranges.append(f"{need.left} {significant(min(means))} to {significant(max(means))}")
    return f"over the {plural(len(answer.by_reading), 'reading')} of the fit: {'; '.join(ranges)}"


def _requirements(answer: Answer) -> list[dict[str, Any]]:
    rows = []
    for at, need in enumerate(answer.requirements):
        every = [answer.after, *answer.by_reading.values()]
        within = "broken" if answer.chosen is None else "within the tolerance of its bound"
        state = "met" if all(need.ratio(seen.left[at]).mean() <= 1 for seen in every) else within
        rows.append({"requirement": need.text, **_three(answer, at), "state": state})
    return rows


def _resources(answer: Answer) -> list[dict[str, Any]]:
    """The resources with their utilization, the fullest of the grown machine first."""
    known = {
        name: {(each.kind, each.name): each for each in seen.machine.resources if each.limited}
        for name, seen in _seen(answer).items()
    }
    keys = dict.fromkeys(key for each in known.values() for key in each)
    rows = []
    for key in keys:
        levels = {name: each[key].percent if key in each else math.nan for name, each in known.items()}
        partition = next(each[key].partition for each in known.values() if key in each)
        rows.append({"kind": key[0], "resource": key[1], "partition": partition, **levels})
    return sorted(rows, key=lambda row: -max(row["grown"], row["after"]))


def _part_rows(answer: Answer) -> list[dict[str, Any]]:
    """Classes, guests, partitions and volumes: their times and their use of processors."""
    seen = _seen(answer)
    rows: list[dict[str, Any]] = []
    for name in answer.after.machine.times:
        guest = name in answer.after.machine.guests
        own = {
            when: estimate(each.machine.times[name].tolist()) if name in each.machine.times else None
            for when, each in seen.items()
        }
        kind, column = ("guest", "transaction_ms") if guest else ("volume", "response_ms")
        rows.append({"kind": kind, "part": name.removeprefix("transaction of "), "column": column, "unit": "ms", **own})
    for name in answer.after.classes:
        own = {when: estimate(each.classes[name].tolist()) for when, each in seen.items() if name in each.classes}
        rows.append({"kind": "class", "part": name, "column": "transaction_ms", "unit": "ms", **own})
    for name in answer.after.cpu:
        own = {when: estimate(each.cpu[name].tolist()) for when, each in seen.items() if name in each.cpu}
        rows.append(
            {"kind": "partition", "part": name, "column": "cpu_percent", "unit": "%", **dict.fromkeys(seen), **own}
        )
    return sorted(rows, key=lambda row: ("class", "guest", "partition", "volume").index(row["kind"]))


def _first(rows: Sequence[dict[str, Any]]) -> Any:
    first = [row.get("resource", row.get("part")) for row in rows[:_SHOWN]]
    return lambda row: row.get("resource", row.get("part")) in first


def _procedure(answer: Answer) -> list[str]:
    counts, machines = answer.counts, answer.machines
    interval = next(iter(machines.loads.values())).measure["interval_s"]
    lines = [
        f"{counts['simulated']:,} of {plural(counts['settings'], 'set')} were simulated, in "
        f"{plural(counts['batches'], 'batch', 'batches')} of "
        f"{interval:g} s; sets that cost more than one that holds were not.",
        "The queueing screen orders what is simulated and decides nothing; for the largest set its utilization is off "
        f"by at most {fixed(answer.screened, 1)} % of full.",
        "Open arrivals grow in rate, closed populations in number (rounded).",
    ]
    if answer.searched:
        lines.insert(1, "Optuna's TPE sampler proposed the sets; one that was not proposed may be cheaper.")
    return lines


def _figures(answer: Answer) -> list[Block]:
    """Response over cost."""
    points = answer.front
    if len(points) < 2:
        return []
    kept, lost = ([each for each in points if each.holds is holds] for holds in (True, False))
    series = [
        Series(
            [each.cost for each in points],
            [each.response.mean for each in points],
            label="cheapest",
            kind="steps",
            look=Look(3),
        )
    ]
    for label, some, look in (
        ("holds every requirement", kept, Look(1, filled=False, shape="circle")),
        ("breaks one", lost, Look(2, filled=False, shape="diamond")),
    ):
        if some:
            series.append(
                Series(
                    [each.cost for each in some], [each.response.mean for each in some],
                    [each.response.half_width for each in some], label, "points", look=look,
                )
            )  # fmt: skip
    said = f"{_what(answer)} over cost of {plural(len(points), 'set')}: {len(kept)} hold every requirement."
    return [Figure([Panel(_what(answer), series)], "cost", _CHEAPER, title="Cost against response", alternative=said)]
