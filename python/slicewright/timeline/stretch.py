"""A stretch of simulated time: what the engine recorded of it, as rows and as frames, and how it is asked for."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, timeline
from slicewright.errors import problem, refusal
from slicewright.parameters import check, number_problem, whole_problem

if TYPE_CHECKING:
    import polars

    from slicewright.report.figure import Figure
    from slicewright.run.run import Source

MOST_REPLICATION = 9_999
"""The highest number that a replication of a run can have."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Something that one holder at a time occupies: its name, its kind, and what it is of.

    `kind` is base, bound-alias, pool-alias, logical-processor, virtual-processor, lock, spin-lock or enqueue (a name);
    it is of a volume, a pool, a partition, a kind of virtual machines or a resource.

    >>> Lane("522A", "base", "BWPVS0").label
    '522A BWPVS0'
    >>> Lane("PEMDFI 0", "logical-processor", "PEMDFI").label
    'PEMDFI 0'
    """

    name: str
    kind: str
    of: str

    @property
    def label(self) -> str:
        """As the trade writes it: device number, volume or pool, whether an alias; or partition and processor."""
        if not self.is_exposure:
            return self.name
        return f"{self.name} {self.of}" + (" alias" if self.kind != "base" else "")

    @property
    def is_processor(self) -> bool:
        """Whether it is a logical processor."""
        return self.kind == "logical-processor"

    @property
    def is_exposure(self) -> bool:
        """Whether it is an exposure of a volume, or an alias."""
        return self.kind in ("base", "bound-alias", "pool-alias")


@dataclass(frozen=True, slots=True)
class Span:
    """A lane (by number) occupied by a holder (by number, None: nobody), in us; `to_us` None: beyond the end.

    `state` of an exposure is busy, held, interrupt-pending, gap or offline; of a processor working, handling-interrupt
    (its holder is whose I/O ended), control-program, in-wait, parked, not-dispatched or work-not-dispatched; of a
    virtual processor waking, cpu-wait, running, interrupted or limited; of a lock locked; of a spin lock or an ENQ/DEQ
    lock taken; of a name owned or shared (without a holder: by several).  `on` is the lane of the
    processor that runs it or has taken it.

    >>> Span(0, 0, 0.0, None, "A", "busy").state
    'busy'
    """

    lane: int
    holder: int | None
    from_us: float
    to_us: float | None
    what: str
    state: str
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A holder (by number) who waited at a volume, minidisk, partition or lock, in us; `to_us` None: beyond the end.

    `kind` is queued (for an exposure), turn (at a minidisk), held (pending), interrupt (the I/O has ended and nobody
    handles that), ready (for a processor), spinning (for a spin lock), suspended (for an ENQ/DEQ lock) or enqueued (for
    a name); of a virtual processor also waking, interrupted or limited.  `lane` is the base, exposure, processor, lock
    or name that it is about.

    >>> Wait(0, 0.0, 250.0, "queued", 0, "A", "base busy, no alias").why
    'base busy, no alias'
    """

    holder: int
    from_us: float
    to_us: float | None
    kind: str
    lane: int
    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Yield:
    """A virtual processor (its lane) that spins yielded on a processor (its lane), in us, and what came of it.

    >>> Yield(77.0, 3, 0, "X'44': its slice is over").lane
    3
    """

    at_us: float
    lane: int
    on: int
    what: str


@dataclass(frozen=True)
class Timeline:
    """What happened from `from_us` to `to_us` after the start of the first interval, in one replication.

    `raw` has the engine's columns.  Spans and waits that were under way at `from_us` have the start that they had;
    those that go on beyond `to_us` have no end.

    >>> from slicewright._core import starter
    >>> some = trace(starter("mm1"), for_s=0.01)
    >>> some.lane_rows[0].kind, some.to_us
    ('base', 10000.0)
    """

    name: str
    seed: int
    replication: int
    warm_up_s: float
    """Simulated time before the first interval."""
    from_us: float
    to_us: float
    raw: Mapping[str, Mapping[str, Sequence[Any]]]

    @functools.cached_property
    def lane_rows(self) -> list[Lane]:
        """The lanes, in the order in which they are drawn."""
        return [Lane(*row) for row in self._rows("lanes", "name", "kind", "of")]

    @functools.cached_property
    def worth_drawing(self) -> list[int]:
        """The lanes (by number) but for spin locks that nobody takes and nobody spins for."""
        seen = {span.lane for span in self.span_rows} | {wait.lane for wait in self.wait_rows}
        return [number for number, lane in enumerate(self.lane_rows) if number in seen or lane.kind != "spin-lock"]

    @functools.cached_property
    def span_rows(self) -> list[Span]:
        """Who held which lane; by lane, then by time; those of a lane do not overlap."""
        return [Span(*row) for row in self._rows("spans", "lane", "holder", "from_us", "to_us", "what", "state", "on")]

    @functools.cached_property
    def wait_rows(self) -> list[Wait]:
        """Who waited, by time."""
        columns = ("holder", "from_us", "to_us", "kind", "lane", "where", "why")
        return [Wait(*row) for row in self._rows("waits", *columns)]

    @property
    def holder_names(self) -> Sequence[str]:
        """Who holds and waits, in an order that is the same in every window while there are at most 62."""
        return self.raw["holders"]["name"]

    @property
    def change_rows(self) -> list[tuple[float, str]]:
        """What somebody changed: when, in us, and what."""
        return self._rows("changes", "at_us", "what")

    @functools.cached_property
    def yield_rows(self) -> list[Yield]:
        """What came of the yields of virtual processors that spin for a lock of their own, by time."""
        return [Yield(*row) for row in self._rows("yields", "at_us", "lane", "on", "what")]

    @property
    def spans(self) -> polars.DataFrame:
        """A row per span: lane, kind, of, holder, what (volume), on (processor), state, from_us, to_us."""
        lanes, names = self.lane_rows, self.holder_names
        rows = [
            {
                "lane": lanes[one.lane].name, "kind": lanes[one.lane].kind, "of": lanes[one.lane].of,
                "holder": None if one.holder is None else names[one.holder], "what": one.what,
                "on": None if one.on is None else lanes[one.on].name, "state": one.state,
                "from_us": one.from_us, "to_us": one.to_us,
            }
            for one in self.span_rows
        ]  # fmt: skip
        return _frame(rows, ("lane", "kind", "of", "holder", "what", "on", "state"))

    @property
    def waits(self) -> polars.DataFrame:
        """A row per wait: holder, kind, where (volume, minidisk, partition or lock), why, from_us, to_us."""
        names = self.holder_names
        rows = [
            {
                "holder": names[one.holder], "kind": one.kind, "where": one.where, "why": one.why,
                "from_us": one.from_us, "to_us": one.to_us,
            }
            for one in self.wait_rows
        ]  # fmt: skip
        return _frame(rows, ("holder", "kind", "where", "why"))

    @property
    def yields(self) -> polars.DataFrame:
        """A row per yield: at_us, lane (virtual processor), on (processor), what (came of it)."""
        import polars as pl

        names = [lane.name for lane in self.lane_rows]
        rows = [(one.at_us, names[one.lane], names[one.on], one.what) for one in self.yield_rows]
        schema = {"at_us": pl.Float64, "lane": pl.String, "on": pl.String, "what": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def text(self, width: int = 80) -> str:
        """The timeline as lines of text, so many characters wide."""
        from slicewright.timeline.lanes import drawn

        return drawn(self, width)

    def figure(self) -> Figure:
        """The timeline as a figure."""
        from slicewright.timeline.picture import picture

        return picture(self)

    def svg(self) -> str:
        """The timeline as an SVG picture that opens in any browser."""
        from slicewright.figures import alone

        return alone(self.figure())

    def perfetto(self) -> dict[str, Any]:
        """The timeline in the Trace Event Format, which Perfetto and Chrome show."""
        from slicewright.timeline.events import trace_events

        return trace_events(self)

    def _rows(self, table: str, *columns: str) -> list[Any]:
        return list(zip(*(self.raw[table][column] for column in columns), strict=True))


def trace(
    scenario: Source,
    *,
    from_s: float = 0.0,
    for_s: float | None = None,
    seed: int = 1,
    replication: int = 0,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Timeline:
    """What happens in a stretch of simulated time, in the same replication that `run` measures.

    `from_s` counts from the start of the first interval; without `for_s` the stretch is as long as some forty I/Os
    or dispatches take.  `set` and `progress` are as for `run`.

    Raises InputError with every problem of the scenario, for a stretch that is not within the measurement, and for one
    in which more happens than can be looked at (200,000 spans and waits); RunError when the simulation cannot go on.

    >>> from slicewright._core import starter
    >>> print(trace(starter("mm1"), for_s=0.005).text().splitlines()[0])
    M/M/1...
    """
    from slicewright.run.run import progress_problem, ready_to_run

    check(
        whole_problem("seed", seed, 0, 2**64 - 1),
        whole_problem("replication", replication, 0, MOST_REPLICATION),
        number_problem("from_s", from_s, "seconds"),
        None if for_s is None else number_problem("for_s", for_s, "seconds"),
        progress_problem(progress),
    )
    world = ready_to_run(scenario, set).scenario
    _check_stretch(world, from_s, for_s)
    tell = progress or (lambda share: None)
    warm_up_s, _ = world.warm_up(seed, lambda share: tell(share / 2))
    return stretch(world, (seed, replication), warm_up_s, (from_s, for_s), lambda share: tell((1 + share) / 2))


def stretch(
    world: Scenario,
    seed_replication: tuple[int, int],
    warm_up_s: float,
    from_for_s: tuple[float, float | None],
    progress: Callable[[float], None] | None = None,
) -> Timeline:
    """The timeline of a scenario that was read, when its warm-up is known.

    >>> from slicewright._core import starter
    >>> world = Scenario.read(starter("mm1").encode(), "mm1.toml")
    >>> stretch(world, (1, 0), 0.0, (0.0, 0.002)).to_us
    2000.0
    """
    seed, replication = seed_replication
    raw = timeline(world, seed_replication, warm_up_s, from_for_s, progress)
    return Timeline(
        name=world.name, seed=seed, replication=replication, warm_up_s=warm_up_s,
        from_us=raw.pop("from_us"), to_us=raw.pop("to_us"), raw=raw,
    )  # fmt: skip


def _check_stretch(world: Scenario, from_s: float, for_s: float | None) -> None:
    from slicewright.statistics import seconds

    measured_s = float(world.measure["interval_s"]) * int(world.measure["intervals"])
    wrong = []
    starts_within = 0 <= from_s < measured_s
    if not starts_within:
        allowed = f"0 s up to the {seconds(measured_s)} that are measured"
        wrong.append(problem(f"starts at {_said(from_s)}", key="from", allowed=allowed))
    # What people add up in decimals may be off by a hair in binary.
    left_s = measured_s - from_s if starts_within else measured_s
    if for_s is not None and not 0 < for_s <= left_s * (1 + 1e-12):
        allowed = f"more than 0 s, up to the {seconds(left_s)} that are measured from there on"
        wrong.append(problem(f"lasts {_said(for_s)}", key="for", allowed=allowed))
    if wrong:
        raise refusal(*wrong)


def _said(value_s: float) -> str:
    from slicewright.statistics import seconds

    return seconds(value_s) if math.isfinite(value_s) else str(value_s)


def _frame(rows: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> polars.DataFrame:
    import polars as pl

    kinds = dict.fromkeys(texts, pl.String) | dict.fromkeys(("from_us", "to_us"), pl.Float64)
    return pl.DataFrame(rows, schema=kinds)
