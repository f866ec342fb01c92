"""The study of installation exits: five published times of a million pairs of ENQ and DEQ, and two sweeps.

Every choice made here was declared before any run: docs/decisions/0020-grs-exits-study.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from slicewright.reading.constants import rounded
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Table, Verbatim
from slicewright.report.spec import columns
from slicewright.report.text import table_lines
from slicewright.results.judge import Cell, Place
from slicewright.statistics import Estimate, fixed, plus_minus_column
from slicewright.study.calibrate import Constants
from slicewright.study.judge import Unit, aside
from slicewright.study.pages import Context, Direction, Maker, counted, curve, published_dots
from slicewright.study.points import Budget, Key, Point, Tables
from slicewright.study.reproduce import Points
from slicewright.study.spec import Number, Spec, Wanted
from slicewright.study.study import Runs, Study
from slicewright.study.templates import rendered, sentence
from slicewright.values.numerals import in_scenario

if TYPE_CHECKING:
    from slicewright.study.exits_timed import Bench

FRONT_END, BATCH, POOLED, SINGLE = "svc-front-end", "batch", "prebatch-pooled", "prebatch-single-area"
UNLOCKED = "batch-unlocked"
"""The batch structure with the free parameter outside of the lock: the other extreme, over processors alone."""

STRUCTURES = {
    FRONT_END: "front end of the SVC and DEQ latch: no exit called",
    BATCH: "BATCH on every ENQ and DEQ, QUEUED1 on every ENQ, storage obtained each time",
    POOLED: "fast exits on every ENQ and DEQ, slow ones where PREBATCH wants them, storage from a pool",
    SINGLE: "the same with one area for parameters in place of a pool",
}
"""The ways through exits that a row of the document has, and what each is."""

SHARES = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""Percent of pairs that are global, swept."""

PROCESSORS = (1, 2, 4, 8, 16)
"""Processors swept, with as many guests."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run: a structure, percent of pairs that are global, processors with a guest each, and the published row.

    >>> Case(BATCH, share=20).name, Case(SINGLE, processors=4).name, Case(UNLOCKED).structure
    ('batch-g20', 'prebatch-single-area-n4', 'batch')
    """

    form: str
    share: int = 0
    processors: int = 1
    row: str = ""
    """The row of the document that its scenario is shipped as, if it is one."""

    @property
    def structure(self) -> str:
        """The exits of it: one of `STRUCTURES`."""
        return BATCH if self.form == UNLOCKED else self.form

    @property
    def unlocked(self) -> bool:
        """Whether the free parameter is outside of the lock."""
        return self.form == UNLOCKED

    @property
    def drawn(self) -> bool:
        """Whether anything is drawn: which pairs are global."""
        return 0 < self.share < 100

    @property
    def amount(self) -> str:
        """More is simulated where something is drawn."""
        return "drawn" if self.drawn else "still"

    @property
    def name(self) -> str:
        """What the run is called: its form, `-g` percent of global pairs, `-n` processors; or its row."""
        if self.row:
            return f"row-{self.row}"
        share = f"-g{self.share}" if self.share else ""
        return f"{self.form}{share}{f'-n{self.processors}' if self.processors > 1 else ''}"


FAST_CALLS = 5
"""Fast calls of a local pair: NQXITFAST and PREBATCH on ENQ and DEQ, ENDOFLQCB at the end of the queue."""

SLOW_CALLS = 3
"""Slow calls of a pair without a filter: BATCH on ENQ and DEQ, QUEUED1 on ENQ."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The cost of a pair of ENQ and DEQ, us: base, fast calls, pool for these, and everything else of row 2.

    >>> prices = Prices(19.0, 1.0, 13.0, 335.0)
    >>> round(prices.slow_call, 9), round(prices.status, 9), prices.fast_call, prices.pool_call
    (111.6, 111.4, 0.2, 2.6)
    """

    base: float
    fast: float
    pool: float
    rest: float

    @staticmethod
    def of_fit(found: Constants) -> Prices:
        """The four prices of the study's constants."""
        return Prices(*(found[name] for name in ("base", "fast", "pool", "rest")))

    @property
    def fast_call(self) -> float:
        """Of one fast call, us."""
        return self.fast / FAST_CALLS

    @property
    def pool_call(self) -> float:
        """Of storage from a pool for one fast call, us."""
        return self.pool / FAST_CALLS

    @property
    def slow_call(self) -> float:
        """Of one slow call, us: a third of the free parameter, less the one fast call that row 2 has."""
        return (self.rest - self.fast_call) / SLOW_CALLS

    @property
    def status(self) -> float:
        """Of one slow call beyond what a call costs by itself, us: storage, copy, faults, recovery, locks."""
        return self.slow_call - self.fast_call


class _Row(Struct, frozen=True):
    """A published row: its levels, its time, its exits, and what a request goes through."""

    row: str
    environment: str
    wall_s: float
    structure: str
    path: str


class _Published(Struct, frozen=True):
    setup: Mapping[str, float]
    elapsed: tuple[_Row, ...]


@cache
def _published() -> _Published:
    return Spec.read("grs-exits").document_as(_Published)


def pairs() -> int:
    """How many pairs of ENQ and DEQ were timed."""
    return int(_published().setup["pairs"])


def rows() -> tuple[_Row, ...]:
    """The published rows.

    >>> [row.structure for row in rows()][:2]
    ['svc-front-end', 'batch']
    """
    return _published().elapsed


MESSAGE_US = 100.0
ANSWER_MS = 5.0
"""ASSUME: the cost of a message of the manager, and how long the answer to the first takes. A global pair has two
messages (asking, releasing); no published row has any."""

WORDS = dict(zip(STRUCTURES, ("svc-front-end", "batch", "prebatch-pooled-1.4", "prebatch-single-area"), strict=True))
"""The name of each structure in a scenario; row 3's is prebatch-pooled-1.2, which is the same."""


def costs(prices: Prices, *, unlocked: bool = False) -> dict[str, str]:
    """Prices as `[serialization.cost]` has them; `unlocked`: the free parameter outside of the lock.

    A fast call costs half of its price as its parameter list and half as its entry, and its storage.

    >>> found = costs(Prices(19.0, 1.0, 13.0, 335.0))
    >>> found["enq"], found["list"], found["pooled"]
    ('9.5 us', '0.1 us', '2.6 us')
    """
    half = prices.fast_call / 2
    found = {
        "enq": prices.base / 2, "deq": prices.base / 2, "front_end": 0.0, "list": half, "entry": half,
        "obtained": 0.0, "pooled": prices.pool_call, "single": 0.0,
        "state": 0.0 if unlocked else prices.status, "copy_per_kib": 0.0, "fault": 0.0, "recovery": 0.0,
        "relock": prices.status if unlocked else 0.0, "message": MESSAGE_US,
    }  # fmt: skip
    return {key: f"{in_scenario(value)} us" for key, value in found.items()}


SHIPPED = (Case(BATCH, share=20), Case(SINGLE, share=20), Case(POOLED, processors=8), Case(UNLOCKED, processors=8))
"""Whose scenarios are shipped beside the five rows: some of either sweep."""

SEEN = (Case(BATCH), Case(POOLED, share=20), Case(POOLED, processors=4), Case(UNLOCKED, processors=4))
"""A run of every kind: alone, with a manager's messages, with a lock that others want."""

PRICES = ("base", "fast", "pool", "rest")

SHARE, COUNT = "share", "processors"
"""The names of the sweeps, by which their tables begin."""

SHOWN = {SHARE: ("elapsed_us", "cpu_us"), COUNT: ("pairs_per_s", "lock_held_percent", "lock_wait_us", "cpu_us")}
"""The values of a sweep's runs that are kept; times are per pair of ENQ and DEQ."""

SHORT = {FRONT_END: "front end", BATCH: "batch", POOLED: "pooled", SINGLE: "single area", UNLOCKED: "batch, unlocked"}
"""Names of the structures in tables and pictures."""


class _GrsExits(Study):
    """The study: a case is a structure of exits, with a share of global pairs, on a number of processors."""

    name = "grs-exits"
    reads = ("serialization",)

    @staticmethod
    def bench(count: int | None = None, advance: Callable[[], None] = lambda: None) -> Bench:
        """Every row timed on this computer, and the service without exits; `advance` hears of rounds."""
        from slicewright.study.exits_timed import bench

        ways = [
            (row.row, "prebatch-pooled-1.2" if row.row == "3" else WORDS[row.structure], row.wall_s) for row in rows()
        ]
        return bench([("", "none", None), *ways], count or pairs(), advance)

    @cached_property
    def structures(self) -> Mapping[str, str]:
        """The structure of exits of each published row."""
        return {row.row: row.structure for row in rows()}

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The time of each row, in the order of the table."""
        found = spec.document_as(_Published)
        rounding = found.setup["printed_to_s"] / 2
        return (Number(Place("elapsed", "wall_s", "s", row.row), row.wall_s, rounding) for row in found.elapsed)

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """The structure of a row, alone."""
        row = number.place.column
        return (Case(self.structures[row], row="" if part else row),)

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """The run as a complete scenario file (TOML).

        >>> text = STUDY.scenario(Case(BATCH, share=20), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith(("exits", "state"))]
        ['exits = "batch"', 'state = "111.4 us"']
        """
        return rendered(
            "grs-exits", case=case, what=STRUCTURES[case.structure], answer_ms=ANSWER_MS,
            exits="prebatch-pooled-1.2" if case.row == "3" else WORDS[case.structure],
            costs=costs(Prices.of_fit(constants), unlocked=case.unlocked),
        )  # fmt: skip

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """Values of a pair: elapsed is the time in which a guest makes one; the wait for the lock is per pair.

        >>> rows = {"pairs_per_s": [50_000.0], "cpu_us_per_pair": [20.0]}
        >>> rows |= {"lock_held_percent": [100.0], "lock_wait_us": [0.0], "lock_per_s": [100_000.0]}
        >>> STUDY.measure(Case("prebatch-single-area"), {"serialization": rows}, STUDY.constants())["elapsed_us"]
        20.0
        """
        own = {name: column[0] for name, column in run["serialization"].items()}
        rate = float(own["pairs_per_s"])
        wait = float(own["lock_wait_us"]) if own["lock_per_s"] else 0.0  # without a take there is no wait
        return {
            "elapsed_us": 1e6 * case.processors / rate,
            "pairs_per_s": rate,
            "cpu_us": float(own["cpu_us_per_pair"]),
            "lock_held_percent": float(own["lock_held_percent"]),
            "lock_wait_us": wait * float(own["lock_per_s"]) / rate,
        }

    def samples(self, number: Number, points: Mapping[Any, Point]) -> list[float]:
        """The time of as many pairs as were published, s."""
        (case,) = self.cases(number)
        return [each * pairs() / 1e6 for each in points[case].samples["elapsed_us"]]

    def runs(self) -> tuple[Runs, Runs]:
        """The five rows, and some runs of either sweep; a run of every kind."""
        form = self.spec().first
        cases = [*(Case(row.structure, row=row.row) for row in rows()), *SHIPPED]
        return [(form, case) for case in cases], [(form, case) for case in SEEN]

    def extra(self, form: str) -> Iterator[Unit]:
        """The runs of both sweeps; that of processors has the other extreme of the batch structure too."""
        for structure in STRUCTURES:
            yield from (Unit(SHARE, (Case(structure, share=share),)) for share in SHARES)
        for structure in (*STRUCTURES, UNLOCKED):
            yield from (Unit(COUNT, (Case(structure, processors=count),)) for count in PROCESSORS)

    def beside(self, unit: Unit, points: Points) -> Iterator[Cell]:
        """The values of one run of a sweep: judged by nothing, except in directions."""
        if unit.run in SHOWN:
            (case,) = unit.cases
            column = f"g={case.share}" if unit.run == SHARE else f"n={case.processors}"
            for value in SHOWN[unit.run]:
                place = Place(f"{unit.run}.{case.form}", value, self.spec().values[value].unit, column)
                yield aside(place, points.of[case][0].estimate(value))

    def derived(self, numbers: Sequence[Number]) -> dict[str, float]:
        """The prices, us a pair, to four digits: row 1, differences of rows, and what the print leaves open of these.

        >>> STUDY.derived(STUDY.calibrated(STUDY.spec()))
        {'base': 19.0, 'fast': 1.0, 'pool': 13.0, 'rest': 335.0, 'open': 1.0}
        """
        own = {self.structures[number.place.column]: 1e6 * number.value / pairs() for number in numbers}
        found = {
            "base": own[FRONT_END],
            "fast": own[SINGLE] - own[FRONT_END],
            "pool": own[POOLED] - own[SINGLE],
            "rest": own[BATCH] - own[FRONT_END],
            "open": 2e6 * numbers[0].rounding / pairs(),
        }
        return {name: rounded(value) for name, value in found.items()}

    def words(self) -> Mapping[str, Maker]:
        """The stated miss, directions, prices, what rows are, and both sweeps as tables and figures."""
        return {
            "scored": lambda context: [f"Scored     {counted(context.cells)}"],
            "stated": _stated,
            "below": _stated,
            "directions": lambda context: (
                f"{at + 1} {each.said}" for at, each in enumerate(directions(_means(context)))
            ),
            "directions_json": _directions_json,
            "sweeps_json": lambda context: map(_swept, context.result.comparison),
            "prices_said": lambda context: [
                sentence("prices", self.committed("prices").constants, self.spec().constants["rest"])
            ],
            "open_us": lambda context: [f"{self.committed('prices').constants['open']:g}"],
            "prices": lambda context: [_price_table(printed=False)],
            "open": lambda context: [_price_table(printed=True)],
            "rows": _drawn_rows,
            "levels": lambda context: [Table(columns(_LEVELS), rows())],
            "share": lambda context: _figure(context, SHARE),
            "processors": lambda context: _figure(context, COUNT),
            "share_run": lambda context: _tables(context, SHARE),
            "processors_run": lambda context: _tables(context, COUNT),
            "share_tables": lambda context: [_fenced(_tables(context, SHARE))],
            "processor_tables": lambda context: [_fenced(_tables(context, COUNT))],
        }


STUDY = _GrsExits()
"""The study."""


def _stated(context: Context) -> list[str]:
    """The miss that was stated before any run, beside whatever verdict the band gives."""
    return [sentence("stated", cell) for cell in context.cells if cell.ruling.scored]


def _price_table(*, printed: bool) -> Table[str]:
    """The prices; `printed`: with what the print leaves open of each."""
    found, part = STUDY.committed("prices").constants, STUDY.spec().part("prices")
    values: dict[str, Callable[[str], Any]] = {
        "price": str, "us": lambda name: f"{found[name]:g}" if printed else found[name],
        "open": lambda name: f"± {found['open'] / (2 if name == 'base' else 1):g}",
        "from": lambda name: part.constants[name].source, "what": lambda name: part.constants[name].meaning,
    }  # fmt: skip
    lines = (
        "price; us | right | us a pair; open | right | print leaves open" if printed else "price; us | .2 | us a pair"
    )
    return Table(columns(f"{lines}; from; what || what it is", (), values), PRICES)


_LEVELS = "row; environment || levels; structure || exits; path || what a request goes through"


def _drawn_rows(context: Context) -> Iterator[Block]:
    """The five rows, published and simulated."""
    cells = context.cells
    if not cells:
        return
    x, own = [float(cell.place.column) for cell in cells], [cell.estimate for cell in cells]
    points = [
        published_dots(
            [(at, cell.published, cell.width, 1.0) for at, cell in zip(x, cells, strict=True)], "published", ()
        ),
        Series(
            x, [estimate.mean for estimate in own], [estimate.half_width for estimate in own], "simulated", "crosses"
        ),
    ]
    named = (
        "1 front end, 2 batch, 3 pooled on z/OS 1.2, 4 pooled on z/OS 1.4, 5 single area. Row 3 is predicted, with its "
        "band; the others are what the prices come from."
    )
    yield Figure([Panel("999,999 pairs, s", points)], "row", named)


# Both sweeps.


def _swept(cell: Cell) -> dict[str, Any]:
    """One value of a sweep as an object, with its 95 % half-width."""
    sweep, _, exits = cell.place.table.partition(".")
    over = {SHARE: "global_percent", COUNT: "processors"}[sweep]
    return {
        over: int(cell.place.column.partition("=")[2]), "exits": exits, "value": cell.place.row,
        "unit": cell.place.unit, "simulated": cell.estimate.mean, "half_width": cell.estimate.half_width,
    }  # fmt: skip


def _fenced(tables: Iterable[Table[int]]) -> Verbatim:
    return Verbatim("", "\n".join(line for each in tables for line in table_lines(each)))


_SWEEPS = {SHARE: ("g", SHARES, tuple(STRUCTURES)), COUNT: ("n", PROCESSORS, (*STRUCTURES, UNLOCKED))}
"""How a column of a sweep begins, what is swept, and the structures."""


def _found(context: Context, sweep: str) -> Callable[[str, str], list[Estimate]] | None:
    """The values of a structure over a sweep; None where it was not simulated."""
    letter, over, _ = _SWEEPS[sweep]
    found = {cell.place.key: cell.estimate for cell in context.result.comparison}
    if not any(key[0].startswith(f"{sweep}.") for key in found):
        return None
    return lambda form, row: [found[f"{sweep}.{form}", row, f"{letter}={at}"] for at in over]


def _tables(context: Context, sweep: str) -> Iterator[Table[int]]:
    """The values of a sweep over what is swept: a column per structure."""
    (_, over, forms), found = _SWEEPS[sweep], _found(context, sweep)
    if found is None:
        return
    for shown in context.spec.sweeps[sweep].tables:
        own = {form: found(form, shown.row) for form in forms}
        values: dict[str, Callable[[int], Any]] = {"processors": lambda at: str(over[at])}
        values |= {form: [each.mean for each in own[form]].__getitem__ for form in forms}
        lines = "; ".join(["processors", *(f"{form} | .0 | {SHORT[form]}" for form in forms)])
        if sweep == SHARE:
            values |= {
                form: plus_minus_column([(each.mean, each.half_width) for each in own[form]]).__getitem__
                for form in forms
            }
            values["global_percent"] = lambda at: f"{over[at]} %"
            values["ratio"] = _ratios(own).__getitem__
            lines = lines.replace("processors", "global_percent || global").replace("| .0 |", "| right |")
            lines += "; ratio | .2 | batch / single area"
        yield Table(columns(lines, (), values), range(len(over)), shown.label)


def _ratios(own: Mapping[str, Sequence[Estimate]]) -> list[float]:
    """The batch structure over the single area."""
    return [above.mean / below.mean for above, below in zip(own[BATCH], own[SINGLE], strict=True)]


def _figure(context: Context, sweep: str) -> Iterator[Block]:
    """The picture of a sweep: as many structures as a reader can distinguish."""
    (_, over, _), found, own = _SWEEPS[sweep], _found(context, sweep), context.spec.sweeps[sweep]
    if found is None:
        return
    drawn, x = (STRUCTURES if sweep == SHARE else _DRAWN), list(map(float, over))
    panels = [
        Panel(shown.label, [curve(x, found(form, shown.row), SHORT[form]) for form in drawn]) for shown in own.panels
    ]
    if sweep == SHARE:
        ratios = _ratios({form: found(form, "elapsed_us") for form in (BATCH, SINGLE)})
        ratio = Series(x, ratios, label="batch / single area")
        panels.append(Panel("elapsed, batch over single area", [ratio]))
    yield Figure(panels, own.over, own.caption)


_DRAWN = (BATCH, POOLED, SINGLE, UNLOCKED)


# The nine directions that were declared before any run: what filters, locks and processors do to a pair.

NEXT_TO_NOTHING = 1.05
"""The largest gain from a second processor where all of a pair is locked, as a factor."""

HARDLY = 1.1
"""Elapsed time of a global pair without a filter over that with one, below which it hardly changes."""

AT_MOST = 100.2
"""Percent: a pair may have begun before the time that is counted."""

MOST = max(PROCESSORS)
Means = Mapping[tuple[str, ...], float]


def _means(context: Context) -> Means:
    return {cell.place.key: cell.estimate.mean for cell in context.result.comparison}


def directions(found: Means, prices: Prices | None = None) -> list[Direction]:
    """All nine, of the values of both sweeps at some prices, the committed ones where none are given.

    None where there are no such values.

    >>> directions({})
    []
    """
    if not any(key[0] == f"processors.{UNLOCKED}" for key in found):
        return []
    rules = (*_of_global_pairs(found), *_of_processors(found, prices or Prices.of_fit(STUDY.constants())))
    return list(rules)


def _directions_json(context: Context) -> Iterator[dict[str, Any]]:
    for at, each in enumerate(directions(_means(context))):
        yield {"number": at + 1, "what": each.what, "holds": each.holds, "found": each.found}


def _of_global_pairs(found: Means) -> Iterator[Direction]:
    """The directions of filters, one to four."""
    elapsed = [[found[f"share.{form}", "elapsed_us", f"g={share}"] for share in SHARES] for form in (BATCH, SINGLE)]
    ratios = [above / below for above, below in zip(*elapsed, strict=True)]
    yield Direction("the filter makes a local pair 17 to 18 times cheaper", 17 <= ratios[0] <= 18, fixed(ratios[0], 2))
    what = "its advantage in elapsed time falls with every step of global pairs"
    falls = all(ratio > other for ratio, other in itertools.pairwise(ratios))
    yield Direction(what, falls, ", ".join(fixed(ratio, 2) for ratio in ratios))
    yield Direction(f"where all pairs are global it is under {HARDLY:g}", ratios[-1] < HARDLY, fixed(ratios[-1], 3))
    before, after = (found[f"share.{form}", "cpu_us", f"g={SHARES[-1]}"] for form in (BATCH, SINGLE))
    what = "processor time of a global pair falls by a factor of 1.2 to 1.3 all the same"
    yield Direction(what, 1.2 <= before / after <= 1.3, f"{fixed(before, 1)} to {fixed(after, 1)} us")


def _of_processors(found: Means, prices: Prices) -> Iterator[Direction]:
    """The directions of the lock, five to nine.

    The eighth: pairs completed, times what a pair is locked by its prices, are at most all of the time, but for a pair
    at an end.  Of a slow call the parameter list and the entry are outside of the lock in either form.
    """

    def rate(form: str, count: int) -> float:
        return found[f"processors.{form}", "pairs_per_s", f"n={count}"]

    rates = [rate(form, 1) for form in (FRONT_END, SINGLE, POOLED, BATCH)]
    what = "with one processor pairs per second order as the rows do, 1, 5, 4, 2"
    ordered = all(higher > lower for higher, lower in itertools.pairwise(rates))
    yield Direction(what, ordered, ", ".join(fixed(pairs, 0) for pairs in rates))
    gains = [rate(form, 2) / rate(form, 1) for form in STRUCTURES]
    orders = [sorted(STRUCTURES, key=lambda form: rate(form, count)) for count in (1, MOST)]
    what = f"no structure gains from a second processor, and their order is the same on {MOST}"
    yield Direction(
        what, max(gains) < NEXT_TO_NOTHING and orders[0] == orders[1], ", ".join(fixed(gain, 3) for gain in gains)
    )
    gain = rate(UNLOCKED, MOST) / rate(UNLOCKED, 1)
    yield Direction(
        f"with slow calls unlocked {MOST} processors make at least 12 times as many pairs", gain >= 12, fixed(gain, 1)
    )
    locked = {
        FRONT_END: prices.base,
        BATCH: prices.base + prices.rest - SLOW_CALLS * prices.fast_call,
        POOLED: prices.base + prices.fast + prices.pool,
        SINGLE: prices.base + prices.fast,
        UNLOCKED: prices.base + prices.fast_call,
    }
    most = max(rate(form, count) * locked_us / 1e4 for form, locked_us in locked.items() for count in PROCESSORS)
    what = "no structure exceeds one pair per locked time of a pair"
    yield Direction(what, most <= AT_MOST, f"at most {fixed(most, 2)} % of that")
    rates = [rate(form, MOST) for form in (UNLOCKED, POOLED)]
    cpu = [found[f"processors.{form}", "cpu_us", f"n={MOST}"] for form in (UNLOCKED, POOLED)]
    what = f"with slow calls unlocked it overtakes the pool on {MOST} processors, for over 10 times the processor time"
    shown = (
        f"{fixed(rates[0], 0)} and {fixed(rates[1], 0)} pairs a second, {fixed(cpu[0], 0)} and {fixed(cpu[1], 0)} us"
    )
    yield Direction(what, rates[0] > rates[1] and cpu[0] > 10 * cpu[1], shown)
