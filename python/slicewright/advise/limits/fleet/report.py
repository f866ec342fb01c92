"""The answer about a fleet: a line per workload, as a report, as a table, as patches and as recommendations."""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

from slicewright._core import __version__
from slicewright.advise.limits import report as one_container
from slicewright.advise.limits.answer import LimitAnswer
from slicewright.advise.limits.quantity import limit
from slicewright.advise.limits.request import FleetRequest
from slicewright.advise.many import Several
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import Span
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.statistics import count, fixed, milliseconds, plural


class Verdict(Enum):
    """The verdict on a workload; for some the counters tell nothing."""

    RAISE = "raise"
    LOWER = "lower"
    KEEP = "keep"
    NO_LIMIT_DOES = "no limit does"
    NEVER = "never throttled"
    RARE = "hardly throttled"
    FULL = "limit used up"
    FEW = "too few periods"
    UNEXPLAINED = "not explained"
    UNCOUNTED = "not counted"
    UNLIMITED = "no limit"
    CONTRADICTED = "contradiction"

    @property
    def tells(self) -> bool:
        """Whether a limit is recommended."""
        return self in (Verdict.RAISE, Verdict.LOWER, Verdict.KEEP)


@dataclass(frozen=True, slots=True)
class MainReading:
    """The main reading of a workload's counters, and how many fit beside it."""

    threads: int
    batch: float
    cpu_ms: float
    scv: float
    bursts: bool
    fits: int

    @property
    def words(self) -> str:
        """In words."""
        kind = {0.0: "all alike", 1.0: "exponential"}.get(self.scv, f"scv {self.scv:g}")
        more = f"; {self.fits} fit" if self.fits > 1 else ""
        if self.bursts:
            return f"{self.threads} at once, bursts of {self.batch * self.cpu_ms:.3g} ms, {kind}{more}"
        return f"{self.threads} at once, batches of {self.batch:.3g}, {kind}{more}"


@dataclass(frozen=True, slots=True)
class Line:
    """One workload.  Limits, reservations and use are of one replica, in processors; latency is of its busy time.

    `cost` is what throttling adds to latencies now, by name in ms, `cost_range` over readings; None where the counters
    do not tell.  `then` is the limit that would do.
    """

    workload: str
    nodes: tuple[str, ...]
    replicas: int
    verdict: Verdict
    limit: float | None
    reserved: float | None
    used: float
    busy: float
    requests_per_s: float | None
    periods: int
    throttled: int
    cost_mean_ms: float | None = None
    cost_p99_ms: float | None = None
    cost_p99_range: Span = field(default_factory=lambda: Span(None, None))
    p99_ms: float | None = None
    p99_then_ms: float | None = None
    measured_p99_ms: float | None = None
    throttled_then_percent: float | None = None
    then: float | None = None
    low: float | None = None
    high: float | None = None
    """Ends of the range of limits; inf is none."""
    reading: MainReading | None = None
    why: str = ""
    settles: str = ""
    peak: float = 0.0
    """Processors in the interval of a replica that used most."""
    varies: int = 0
    """Whether all readings vary more (1) or less (-1) from interval to interval than was measured."""

    @property
    def throttled_percent(self) -> float:
        """Throttled periods, of those that were counted."""
        return 100 * self.throttled / self.periods if self.periods else 0.0

    @property
    def after(self) -> float | None:
        """The limit if the advice is followed: that of now where nothing is recommended."""
        return self.then if self.verdict.tells else self.limit

    @property
    def change(self) -> float:
        """Processors that all replicas get more, or less."""
        if self.limit is None or self.after is None or not math.isfinite(self.after):
            return 0.0
        return (self.after - self.limit) * self.replicas

    @property
    def reserves(self) -> float:
        """Processors that a replica reserves: its request, or its limit, which Kubernetes takes where it has none."""
        return self.reserved if self.reserved is not None else self.limit or 0.0

    @property
    def reserves_after(self) -> float:
        """The same if the advice is followed: a request above the limit is not allowed, one beside it stays."""
        if self.after is None:
            return self.reserves
        return min(self.reserved, self.after) if self.reserved is not None else self.after

    @property
    def rank(self) -> tuple[bool, float, float, float, str]:
        """The place in the order of costs, the dearest first: a limit that is used up leads."""
        full = self.verdict is Verdict.FULL
        return not full, -(self.cost_p99_ms or 0.0), -(self.cost_mean_ms or 0.0), -self.throttled_percent, self.workload


_LINES = """
    workload
    replicas                 | count | n
    verdict                  |       | what to do
    people    now            | right | limit
    people    do             | right | then
    people    range          | right
    programs  limit then low high reserved used
    busy                     | .2    | used       | busy
    programs  requests_per_s periods throttled
    throttled_percent
    cost_p99_ms              | ms    | costs 99 % | ms
    programs  cost_p99_ms..
    cost_mean_ms             | ms    | mean       | ms
    html      cost_p99_ms..  | .0    | range      | ms
    page      p99_ms         | ms    | 99 % now   | ms
    page      p99_then_ms    | ms    | then       | ms
    page      measured_p99_ms ? | ms | measured   | ms
    programs  throttled_then_percent readings reading why settles
    html      change         | right | processors
    html      rests          |       | rests on
"""
_TOTALS = """
    replicas                 | count
    used                     | .1    |              | busy
    limit                    | .1    | limits now
    limit_then               | .1    | then
    reserved                 | .1    | reserved now
    reserved_then            | .1    | then
    people    without ?      | 3     | without a limit
    programs  unlimited
"""
_SET = ("limit", "then", "low", "high", "reserved")
"""Limits, which people set, have all their digits."""
_DRAWN = 20
"""Workloads that are drawn."""
_CAPTION = (
    "The workloads that throttling costs most. Left: what it adds to the 99th percentile of latency, with the range"
    " over readings. Right: limit now, the limit that would do, and its range."
)


def picture(answer: FleetAnswer) -> Figure | None:
    """Added latency, and limits; None where the counters of no workload tell."""
    lines = [line for line in answer.lines if line.cost_p99_ms is not None and line.then is not None][:_DRAWN]
    if not lines:
        return None
    rows = [float(at) for at in range(len(lines))]
    nothing = [None] * len(rows)
    names = [line.workload for line in lines]
    costs = [line.cost_p99_ms or 0.0 for line in lines]
    tips = [f"{line.workload}: {limit(line.limit or 0)} now, {limit(line.then or 0)} would do" for line in lines]
    ends = [max(line.high if line.high and math.isfinite(line.high) else 0.0, line.then or 0.0) for line in lines]
    added = [
        Series(rows, nothing, label="all readings", kind="spans", look=Look(1, 0.35),
               low=[line.cost_p99_range.low for line in lines], high=[line.cost_p99_range.high for line in lines]),
        Series(rows, costs, label="most likely reading", kind="points", look=Look(0), tips=tips),
    ]  # fmt: skip
    limits = [
        Series(rows, nothing, label="limits that would do", kind="spans", look=Look(2, 0.35),
               low=[line.low for line in lines], high=ends),
        Series(rows, [line.then for line in lines], label="then", kind="points", look=Look(2, shape="circle")),
        Series(rows, [line.limit for line in lines], label="now", kind="crosses", look=Look(0)),
    ]  # fmt: skip
    panels = [Panel("Throttling adds, ms", added, names=names), Panel("Limit, processors", limits, names=names)]
    alternative = f"Latency that throttling adds, and limits now and then, of {plural(len(lines), 'workload')}"
    return Figure(panels, "", _CAPTION, layout="rows", alternative=alternative)


@dataclass(frozen=True, slots=True)
class _Total:
    """Processors of some replicas: used in their busy time, limits, and what is reserved, now and then.

    Replicas without a limit are not in the sums of limits; `unlimited` counts them.
    """

    name: str
    replicas: int
    used: float
    limit: float
    limit_then: float
    reserved: float
    reserved_then: float
    unlimited: int = 0


def _summed(name: str, counted: Iterable[tuple[Line, int]]) -> _Total:
    pairs = list(counted)

    def sum_of(value: str) -> float:
        return sum(count * (getattr(line, value) or 0.0) for line, count in pairs)

    limited = [(line, count) for line, count in pairs if line.limit is not None]
    then = sum(count * (line.after or 0.0) for line, count in limited)
    return _Total(
        name, sum(count for _, count in pairs), sum_of("busy"), sum_of("limit"), then, sum_of("reserves"),
        sum_of("reserves_after"), sum(count for line, count in pairs if line.limit is None),
    )  # fmt: skip


@dataclass(frozen=True)
class FleetAnswer(Several[Line]):
    """Lines by what throttling costs, the dearest first; `deep` is the answer about the workload that was named."""

    lines: tuple[Line, ...]
    request: FleetRequest
    notes: tuple[str, ...] = ()
    hours: float = 0.0
    """For how long the fleet was watched, at most."""
    errors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Errors of the surrogate."""
    draws: int = 0
    deep: LimitAnswer | None = None

    question = "limits"

    @property
    def rows(self) -> Sequence[Line]:
        """The workloads."""
        return self.lines

    @cached_property
    def total(self) -> _Total:
        """The whole fleet."""
        return _summed("all", ((line, line.replicas) for line in self.lines))

    @cached_property
    def nodes(self) -> list[_Total]:
        """Each node with its replicas, the one that would have most reserved first; none where no node is known."""
        found: dict[str, list[tuple[Line, int]]] = {}
        for line in self.lines:
            for node in line.nodes:
                found.setdefault(node, []).append((line, 1))
        totals = [_summed(name, each) for name, each in found.items()]
        return sorted(totals, key=lambda total: (-total.reserved_then, total.name))

    @cached_property
    def _shown(self) -> frozenset[str]:
        return frozenset(line.workload for line in self.lines[: self.request.top])

    @property
    def heading(self) -> str:
        """Workloads, replicas, and the time."""
        return (
            f"{plural(len(self.lines), 'workload')}, {plural(self.total.replicas, 'replica')}: up to"
            f" {fixed(self.hours, 1)} h of replicas each"
        )

    def of(self, *verdicts: Verdict) -> list[Line]:
        """The lines with one of some verdicts."""
        return [line for line in self.lines if line.verdict in verdicts]

    def report(self) -> Report:
        """The answer as a report."""
        total = self.total
        facts = [
            ("replicas", count(total.replicas)),
            ("limits", f"{_processors(total.limit)} now, {_processors(total.limit_then)} then"),
            ("reserved", f"{_processors(total.reserved)} now, {_processors(total.reserved_then)} then"),
        ]
        drawn = picture(self)
        blocks: list[Block] = [
            Paragraph(self.heading, flush=True, face=Face.TEXT), *self.headline(), *([drawn] if drawn else []),
            self.table(), _totals([total], "replicas of all"), _totals(self.nodes, "node"),
        ]  # fmt: skip
        notes = [
            Notes("Evidence", [*_readings_words(self), *self.notes]), Notes("Open", _open_questions(self)),
            Notes("Caveats", _caveats(self)), Notes("Settles it", _needed(self)),
        ]  # fmt: skip
        sections = [Section("Workloads", blocks), Section("", [_verdicts(self), *(n for n in notes if n.lines)])]
        if self.deep is not None:
            deep = one_container.report(self.deep)
            sections += [
                Section(section.title or "Notes", section.blocks) for section in deep.sections if section.blocks
            ]
        title = f"CPU limits of {plural(len(self.lines), 'workload')}"
        return Report(title, self.heading, facts, sections)

    def headline(self) -> list[Block]:
        """How many limits should change, and where throttling costs most."""
        up, down = self.of(Verdict.RAISE), self.of(Verdict.LOWER)
        costs = [line for line in self.lines if line.cost_p99_ms is not None]
        change = f"limits {_processors(self.total.limit)} -> {_processors(self.total.limit_then)} processors in all"
        lead = f"Raise {len(up)}, lower {len(down)} of {plural(len(self.lines), 'limit')}"
        said = [f"Asked: {self.request.aim.words}."]
        if costs:
            first = costs[0]
            said.append(
                f"Throttling costs most in {first.workload}: {milliseconds(first.cost_p99_ms)} ms of the 99th"
                f" percentile, {fixed(first.throttled_percent, 1)} % of its periods."
            )
        if full := self.of(Verdict.FULL):
            said.append(
                f"{plural(len(full), 'workload')} used up the limit: queues grow there, and no number says how far."
            )
        return [Lead(lead, change), *(Paragraph(text) for text in said)]

    def legend(self) -> str:
        """The meaning of used, costs, range and throttled."""
        return (
            "Limit, used: processors of one replica; used is the mean of its busy time. Costs: what throttling adds to"
            " the 99th percentile and to the mean of latency in that time, under the most likely reading of the"
            " counters. The range of the limit covers all readings, and what chance and the surrogate may be off by."
            " Throttled: share of the periods counted."
        )

    def columns(self) -> list[Column[Line]]:
        """Limits now and then, and what throttling costs."""
        told: dict[str, Callable[[Line], Any]] = {
            "verdict": lambda line: line.verdict.value,
            "now": lambda line: limit(line.limit),
            "do": lambda line: limit(line.then) if line.then is not None else "",
            "range": _range,
            "cost_p99_ms..": lambda line: line.cost_p99_range,
            "readings": lambda line: line.reading.fits if line.reading else 0,
            "reading": lambda line: line.reading.words if line.reading else "",
            "change": lambda line: f"{line.change:+.2f}" if line.change else "",
            "rests": lambda line: line.reading.words if line.reading else line.why,
        }
        return columns(_LINES, ("cgroups",), told)

    def brief(self, row: Line) -> bool:
        """Whether it is one of those that cost most."""
        return row.workload in self._shown

    def facts(self) -> dict[str, Any]:
        """The aim, totals and nodes."""
        return fields(
            of="fleet", asked=self.request.aim.words, growth=self.request.growth, hours=self.hours,
            total=_shortened(_totals([self.total], ""))[0], nodes=_shortened(_totals(self.nodes, "")),
        )  # fmt: skip

    def records(self) -> dict[str, Any]:
        """The workloads in the order of what throttling costs."""
        return fields(workloads=_shortened(self.table(), _SET))

    def rest(self) -> dict[str, Any]:
        """The surrogate, notes, and the one workload that was simulated."""
        return fields(
            surrogate={
                "draws": self.draws, "errors_95_percent": {name: each[1] for name, each in self.errors.items()},
            },
            notes=list(self.notes), caveats=_caveats(self), needed=_needed(self),
            **({"workload": one_container.document(self.deep)} if self.deep is not None else {}),
        )  # fmt: skip

    def csv(self) -> str:
        """The workloads as a table of comma-separated values."""
        import csv

        rows = self.records()["workloads"]
        out = io.StringIO()
        if rows:
            writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return out.getvalue()


def _readings_words(answer: FleetAnswer) -> list[str]:
    """What the numbers rest on: the surrogate with its error, and how many loads fit."""
    told = [line for line in answer.lines if line.reading is not None]
    if not told:
        return []
    p99, share = (fixed(math.exp(answer.errors[name][1]), 2) for name in ("ratio_p99_ms", "throttled"))
    usual = sorted(line.reading.fits for line in told if line.reading is not None)[len(told) // 2]
    return [
        f"latency and throttling are from a surrogate fitted to {answer.draws:,} simulations; of simulations that it"
        f" was not fitted to, 95 % differ by less than a factor of {p99} in how throttling multiplies the 99th"
        f" percentile, and of {share} in the odds of a throttled period",
        f"{plural(usual, 'load')} (threads, batches, spread of CPU times) fit the counters of a workload (median)",
    ]


def _open_questions(answer: FleetAnswer) -> list[str]:
    """The questions that counters leave open, over workloads."""
    lines = []
    if wide := [line for line in answer.lines if _is_wide(line)]:
        lines.append(
            f"{plural(len(wide), 'workload')}: the range of the limit is over a factor of 4, first {wide[0].workload}"
        )
    if uncounted := [line for line in answer.lines if line.reading is not None and line.reading.bursts]:
        lines.append(
            f"{plural(len(uncounted), 'workload')}: requests are not counted, so latency is that of bursts of work,"
            f" first {uncounted[0].workload}"
        )
    return lines


def _caveats(answer: FleetAnswer) -> list[str]:
    """The assumptions about every workload."""
    lines = [
        "latency is that inside the container, from the arrival of a request to its end; waits for storage, other"
        " services and locks are extra",
        "the busy time is the tenth of the time with the most use; a peak shorter than two minutes is not seen",
        "a node has a processor for each thread that may run: neighbours are not modelled",
        "the surrogate is fitted for periods of 100 ms and ticks of 4 ms, without a burst; other periods are scaled",
    ]
    if answer.request.growth != 1:
        lines.append(f"costs and limits are for {answer.request.growth:g} times the measured work")
    return lines


def _needed(answer: FleetAnswer) -> list[str]:
    """The measurements that would settle most, by the number of workloads."""
    found: dict[str, list[Line]] = {}
    for line in answer.lines:
        if line.settles:
            found.setdefault(line.settles, []).append(line)
    listed = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    lines = [
        f"{settles} ({plural(len(each), 'workload')}: {each[0].workload}{' and others' * (len(each) > 1)})"
        for settles, each in listed
    ]
    if any(line.reading is not None and line.reading.bursts for line in answer.lines):
        lines.append("a counter of requests (a mesh's or OpenTelemetry's) beside the others, and threads by --workload")
    if answer.of(Verdict.RAISE):
        first = answer.of(Verdict.RAISE)[0].workload
        lines.append(f"the engine's own simulations of one workload: --workload {first}")
    return lines


def _is_wide(line: Line) -> bool:
    if line.low is None or line.high is None:
        return False
    return math.isinf(line.high) or line.high > 4 * line.low


_HEAD = """\
# CPU limits that slicewright {version} recommends, for {asked}.
# This file changes nothing by itself.  Read it, remove what you do not want, and try it:
#   kubectl apply --server-side --field-manager=slicewright --dry-run=server -f FILE
# One document alone is a strategic merge patch: kubectl -n NAMESPACE patch deployment NAME --patch-file FILE
# ASSUME: each workload is a Deployment; write StatefulSet or DaemonSet where it is one.
# Limits are from counters and a model; the range says how far the counters leave it open.
"""
_VPA_HEAD = """\
# CPU recommendations in the form of the status of VerticalPodAutoscaler, from slicewright {version}, for {asked}.
# This file changes nothing by itself: a status is written by its controller, and updateMode is Off.
# target, lowerBound and upperBound are limits, not requests as those of the VPA.
"""


def patches(answer: FleetAnswer) -> str:
    """A document for each workload whose limit should change, the dearest first."""
    lines = answer.of(Verdict.RAISE, Verdict.LOWER)
    head = _HEAD.format(version=__version__, asked=answer.request.aim.words)
    if not lines:
        return head + "# No limit should change.\n"
    return head + "".join(text for line in lines for text in _patch(line))


def recommendations(answer: FleetAnswer) -> str:
    """A document for each workload of which the counters tell which limit would do."""
    head = _VPA_HEAD.format(version=__version__, asked=answer.request.aim.words)
    lines = answer.of(Verdict.RAISE, Verdict.LOWER, Verdict.KEEP)
    return head + "".join(text for line in lines for text in _recommendation(line))


def _patch(line: Line) -> Iterator[str]:
    space, name, container = _names(line)
    assert line.then is not None
    assert line.limit is not None
    yield "---\n"
    yield f"# range {limit(line.low)} to {limit(line.high)}{_cost(line)}\n"
    yield f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  namespace: {space}\n  name: {name}\n"
    yield "spec:\n  template:\n    spec:\n      containers:\n"
    yield f"        - name: {container}\n          resources:\n            limits:\n"
    yield f"              cpu: {limit(line.then)} # now {limit(line.limit)}\n"
    if line.reserved is not None and line.reserved > line.then:
        yield "            requests:\n"
        yield f"              cpu: {limit(line.then)} # now {limit(line.reserved)}, more than the limit\n"


def _recommendation(line: Line) -> Iterator[str]:
    space, name, container = _names(line)
    assert line.then is not None
    yield "---\n"
    yield "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\n"
    yield f"metadata:\n  namespace: {space}\n  name: {name}\n"
    yield f"spec:\n  targetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: {name}\n"
    yield '  updatePolicy:\n    updateMode: "Off"\n'
    yield f"status:\n  recommendation:\n    containerRecommendations:\n      - containerName: {container}\n"
    yield f"        target:\n          cpu: {limit(line.then)}\n"
    if line.low is not None and math.isfinite(line.low):
        yield f"        lowerBound:\n          cpu: {limit(line.low)}\n"
    if line.high is not None and math.isfinite(line.high):
        yield f"        upperBound:\n          cpu: {limit(line.high)}\n"


def _names(line: Line) -> Sequence[str]:
    """Namespace, name and container, quoted where YAML would read something else."""
    parts = [*line.workload.split("/"), "", ""][:3]
    return [_quoted(part) for part in parts]


def _quoted(name: str) -> str:
    plain = name.replace("-", "").replace(".", "").isalnum() and name[0].isalpha() and name.isascii()
    # yes, no, null and their like are names of Kubernetes, and no strings in YAML.
    known = name.lower() in ("yes", "no", "on", "off", "true", "false", "null", "y", "n")
    return name if plain and not known else json.dumps(name)


def _cost(line: Line) -> str:
    if line.cost_p99_ms is None:
        return ""
    return f"; throttling adds {milliseconds(line.cost_p99_ms)} ms to the 99th percentile now"


_NODES = 5
"""Nodes that are listed as text."""
_ORDER = (Verdict.RAISE, Verdict.LOWER, Verdict.KEEP, Verdict.NO_LIMIT_DOES, Verdict.FULL, Verdict.NEVER, Verdict.RARE,
         Verdict.FEW, Verdict.UNEXPLAINED, Verdict.CONTRADICTED, Verdict.UNCOUNTED, Verdict.UNLIMITED)  # fmt: skip


def _totals(rows: Sequence[_Total], name: str) -> Table[_Total]:
    """Processors of some replicas, now, and if the advice is followed."""
    shown = {total.name for total in rows[:_NODES]}
    return Table(
        columns(f"name || {name}; {_TOTALS}", values={"without": lambda total: total.unlimited or None}), rows,
        legend="Processors. A replica without a request reserves its limit, as Kubernetes does.",
        brief=lambda total: total.name in shown, face=Face.PEOPLE,
    )  # fmt: skip


def _verdicts(answer: FleetAnswer) -> Table[Verdict]:
    """How many workloads each verdict has, why, and what would settle it."""
    counted = {verdict: found for verdict in _ORDER if (found := answer.of(verdict))}
    told: dict[str, Callable[[Verdict], Any]] = {
        "verdict": lambda verdict: verdict.value,
        "workloads": lambda verdict: len(counted[verdict]),
        "replicas": lambda verdict: sum(line.replicas for line in counted[verdict]),
        "why": lambda verdict: Counter(line.why for line in counted[verdict]).most_common(1)[0][0],
    }
    lines = "verdict || what to do; workloads | count; replicas | count; why"
    return Table(columns(lines, values=told), list(counted), face=Face.PEOPLE)


def _range(line: Line) -> str:
    if line.low is None or line.high is None:
        return ""
    return limit(line.low) if line.low == line.high else f"{limit(line.low)} - {limit(line.high)}"


def _processors(value: float) -> str:
    return fixed(value, 1)


def _shortened(table: Table[Any], but: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows as objects, with five digits of each number, which every machine gives alike."""
    made = [column if column.key in but else _short(column) for column in table.columns]
    return records(replace(table, columns=made))


def _short(column: Column[Any]) -> Column[Any]:
    def value(row: Any) -> Any:
        found = column.value(row)
        if isinstance(found, Span):
            return Span(digits(found.low), digits(found.high))
        return digits(found) if isinstance(found, float) else found

    def digits(number: float | None) -> float | None:
        return None if number is None else float(f"{number:.5g}")

    return replace(column, value=value)
