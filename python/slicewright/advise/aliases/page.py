"""The answer as a page of text: the recommendation first, then the curve, the evidence, and what stays open.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import textwrap

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.curve import Point
from slicewright.advise.notes import notes
from slicewright.statistics import fixed, percent, plus_minus
from slicewright.text import aligned, plural

WIDTH = 118


def page(answer: Answer) -> str:
    """The answer as text, no line wider than 118 characters but for long file names.

    The first lines say what was read; then the total of aliases, the range over readings and the rule of thumb.

    >>> from slicewright.advise.aliases.example import advice
    >>> print(page(advice()).splitlines()[2].strip())
    2 aliases for volume 522A ... rule of thumb 0 + 1.84 -> 2
    """
    blocks = [answer.heading, _headline(answer)]
    if answer.curve:
        blocks.append(_table(answer))
    blocks.append(notes(answer, _rejected(answer)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(answer: Answer) -> str:
    rule = answer.estimate
    thumb = f"rule of thumb {rule.present} + {_queue(rule.queue_depth)} -> {rule.aliases}"
    where = f"volume {answer.pool}" if answer.single else f"the pool of {answer.pool}"
    told = answer.recommendation
    if told is None:
        lines = textwrap.wrap(f"No recommendation for {where}: {answer.reason}.", WIDTH - 2)
        return "\n".join(f"  {line}" for line in [*lines, thumb.capitalize()])
    scope = f"range {told.low} to {told.high}" if told.low != told.high else "every reading agrees"
    scope = scope if answer.observed else f"knee, {percent(answer.knee_percent / 100, 0)}"
    more = told.aliases - rule.present
    change = f" ({abs(more)} {'more' if more > 0 else 'fewer'} than now)" if rule.present and more else ""
    first = f"  {plural(told.aliases, 'alias', 'aliases')} for {where}{change}".ljust(44) + f"  {scope}; {thumb}"
    return "\n".join([first, *_outcome(answer)])


def _outcome(answer: Answer) -> list[str]:
    told, now = answer.recommendation, answer.now
    point = answer.point(told.aliases) if told else None
    if told is None or point is None:
        return []
    if answer.now.queue_depth == 0 and told.aliases == 0:
        return ["  No volume queues: aliases would not help (first principle of z/VM HyperPAV Support)."]
    after = fixed(point.estimates["response_ms"].mean, 2)
    low, high = fixed(point.low["response_ms"], 2), fixed(point.high["response_ms"], 2)
    kept = " (as now)" if told.aliases == answer.estimate.present else ""
    change = f"  Response {fixed(now.response_ms, 2)} -> {after} ms{kept}"
    lines = [f"{change} if the guests are saturated; {low} to {high} ms over all readings."]
    if not answer.observed:
        lines = [f"{change}."]
    if answer.target:
        lines.append(f"  {_target(answer)}")
    return lines


def _target(answer: Answer) -> str:
    told = answer.target
    assert told is not None
    if told.aliases is None and told.low is None:
        return f"{told.target}: not met with any number of aliases, under any reading."
    main = f"{told.aliases} aliases" if told.aliases is not None else "not met if the guests are saturated"
    most = str(told.high) if told.high is not None else "never"
    return f"{told.target}: {main}; {told.low} to {most} over all readings."


def _queue(depth: float) -> str:
    return fixed(depth, 2).rstrip("0").rstrip(".") or "0"


def _table(answer: Answer) -> str:
    now = answer.now
    head: tuple[str, ...] = (
        "aliases",
        "I/O per s",
        "all readings",
        "Resp ms",
        "all readings",
        "waiting",
        "fails/try",
        "",
    )
    rows: list[tuple[str, ...]] = []
    for one in answer.observed:
        cells = (fixed(one.io_per_s, 0), "", fixed(one.response_ms, 2), "", fixed(one.queue_depth, 1), "", "")
        rows.append((f"{one.aliases} (read)", *cells))
    for aliases in _shown(answer):
        point = answer.point(aliases)
        if point and not (
            aliases == now.aliases and answer.growth == 1 and aliases not in answer.at and answer.observed
        ):
            rows.append(_row(point, _mark(answer, aliases)))
    rows.sort(key=lambda row: int(row[0].split()[0]))
    if not answer.observed:
        head, rows = _without_ranges(head), [_without_ranges(row) for row in rows]
    lines = aligned(head, rows)
    tail = "The range is what the evidence cannot tell." if answer.observed else "The load is as given."
    replications = next(iter(answer.curve[0].estimates.values())).replications
    return "\n".join([*lines, f"  ± is simulation noise (95 %, {replications} runs). {tail}"])


def _without_ranges(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell for at, cell in enumerate(row) if at not in (2, 4))


def _shown(answer: Answer) -> list[int]:
    told = answer.recommendation
    assert told is not None
    present, best = answer.estimate.present, told.aliases
    wanted = {present, (present + best) // 2, max(0, best - 2), best, told.low, told.high, answer.estimate.aliases}
    wanted |= {*answer.at, answer.curve[-1].aliases}
    if answer.target and answer.target.aliases is not None:
        wanted.add(answer.target.aliases)
    return sorted(count for count in wanted if answer.point(count))


def _row(point: Point, mark: str) -> tuple[str, ...]:
    io, response = point.estimates["io_per_s"], point.estimates["response_ms"]
    fails = point.estimates["fails_per_try"].mean
    return (
        str(point.aliases), plus_minus(io.mean, io.half_width), _range(point, "io_per_s"),
        plus_minus(response.mean, response.half_width), _range(point, "response_ms"),
        fixed(point.estimates["queue_depth"].mean, 1), "" if fails != fails else fixed(fails, 2), mark,
    )  # fmt: skip


def _range(point: Point, name: str) -> str:
    low, high = point.low[name], point.high[name]
    if name == "io_per_s" and high >= 1000:
        return f"{fixed(low / 1000, 1)}k - {fixed(high / 1000, 1)}k"
    return f"{fixed(low, 2 if name == 'response_ms' else 0)} - {fixed(high, 2 if name == 'response_ms' else 0)}"


def _mark(answer: Answer, aliases: int) -> str:
    told = answer.recommendation
    marks = []
    if told and aliases == told.aliases:
        marks.append(f"knee, {percent(answer.knee_percent / 100, 0)}")
    elif told and aliases == told.aliases - 2:
        marks.append("two fewer")
    if aliases in answer.at:
        marks.append("asked")
    if answer.target and aliases == answer.target.aliases:
        marks.append("target")
    if answer.observed and aliases == answer.now.aliases and answer.growth == 1:
        marks.append("as read, simulated")
    if answer.observed and aliases == answer.now.aliases and answer.growth != 1:
        marks.append("grown")
    return f"<- {'; '.join(marks)}" if marks else ""


def _rejected(answer: Answer) -> list[str]:
    """One line for each kind of reading that does not fit: of the populations the nearest."""
    seen: dict[str, str] = {}
    for one in answer.readings:
        if one.accepted:
            continue
        policy = one.load.redispatch if one.load and answer.estimate.present else "none"
        with_policy = "" if policy == "none" else f", redispatch {policy}"
        seen.setdefault(f"{one.arrivals} {policy}", f"{one.population}{with_policy}: {one.why}")
    return list(seen.values())
