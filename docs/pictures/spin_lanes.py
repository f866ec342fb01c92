"""The picture of a holder that loses its processor while others spin: the same load, with three ways to yield."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slicewright import Timeline, trace
from slicewright.report.figure import Figure, Look, Panel, Series

PROCESSORS = 3
FROM_S, FOR_S = 0.010, 0.024
YIELDS = {"never": "Never", "x44": "X'44'", "x9c": "X'9C'"}
LOOKS = {
    "has the lock": Look(1),
    "computes": Look(1, 0.25),
    "spins": Look(2, texture="hatched"),
    "another machine": Look(0, 0.12),
    "lock taken, its holder without a processor": Look(0, 0.02, "crossed"),
}
"""Looks of a processor's work, and last the lock while its holder does not run."""
SEEN_MS = 0.012
"""Stretches that are nearer to each other than this, and alike, are drawn as one: DIAGNOSEs are in between."""

Stretch = tuple[float, float]


def lanes() -> Figure:
    """For each way to yield the lock, and below it what each processor runs."""
    panels = [_panel(trace(_scenario(how), from_s=FROM_S, for_s=FOR_S), words) for how, words in YIELDS.items()]
    return Figure(panels, "Logical processor", layout="rows", row=30)


def _panel(timeline: Timeline, words: str) -> Panel:
    spans = timeline.spans.to_dicts()
    runs = [row for row in spans if row["kind"] == "virtual-processor" and row["state"] == "running"]
    taken = [row for row in spans if row["kind"] == "spin-lock"]
    spinning = [row for row in timeline.waits.to_dicts() if row["kind"] == "spinning"]
    drawn: dict[str, list[tuple[int, Stretch]]] = {label: [] for label in LOOKS}
    spun = 0.0
    for run in runs:
        place, own = 1 + _number(run["on"]), _stretch(run, timeline)
        if not str(run["holder"]).startswith("TEAM"):
            _draw(drawn, place, [own], "another machine")
            continue
        task = f"TASKS #{_number(run['holder']) + 1}"
        has = [_stretch(row, timeline) for row in taken if row["holder"] == task]
        spins = [_stretch(row, timeline) for row in spinning if row["holder"] == task]
        spun += sum(end - start for start, end in _common([own], spins))
        _draw(drawn, place, [own], "computes")
        _draw(drawn, place, _common([own], spins), "spins")
        _draw(drawn, place, _common([own], has), "has the lock")
    times = 0
    for row in taken:
        own = _stretch(row, timeline)
        times += own[1] < 1000 * FOR_S
        holder = f"TEAM 0 VP {int(str(row['holder']).rsplit('#', 1)[1]) - 1}"
        running = [_stretch(run, timeline) for run in runs if str(run["holder"]).endswith(holder)]
        _draw(drawn, 0, [own], "lock taken, its holder without a processor")
        _draw(drawn, 0, _common([own], running), "has the lock")
    # Covering series come last.
    order = ("computes", "another machine", "lock taken, its holder without a processor", "spins", "has the lock")
    series = [
        Series([at for at, _ in drawn[label]], [None] * len(drawn[label]), None, label, "spans",
               [start for _, (start, _) in drawn[label]], [end for _, (_, end) in drawn[label]], look=LOOKS[label],
               thickness=0.84)
        for label in order
    ]  # fmt: skip
    title = f"{words}: taken {times} times, {spun:.1f} ms spun"
    names = ["lock", *map(str, range(PROCESSORS))]
    return Panel("Simulated time, ms", series, names=names, title=title, limits=(0, 1000 * FOR_S))


def _draw(drawn: dict[str, list[tuple[int, Stretch]]], place: int, stretches: Sequence[Stretch], what: str) -> None:
    drawn[what] += [(place, stretch) for stretch in _joined(stretches)]


def _joined(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """Stretches in order, those as one between which there is next to nothing.

    >>> list(_joined([(0.0, 1.0), (1.001, 2.0), (3.0, 4.0)]))
    [(0.0, 2.0), (3.0, 4.0)]
    """
    before: Stretch | None = None
    for start, end in sorted(stretches):
        if before is not None and start - before[1] < SEEN_MS:
            before = (before[0], max(end, before[1]))
            continue
        if before is not None:
            yield before
        before = (start, end)
    if before is not None:
        yield before


def _common(some: Sequence[Stretch], others: Sequence[Stretch]) -> list[Stretch]:
    """The common parts of both.

    >>> _common([(0.0, 2.0)], [(1.0, 3.0), (5.0, 6.0)])
    [(1.0, 2.0)]
    """
    both = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return [(start, end) for start, end in both if start < end]


def _stretch(row: dict[str, object], timeline: Timeline) -> Stretch:
    """From when to when, in ms from the start of the picture."""
    start, end = row["from_us"], row["to_us"]
    assert isinstance(start, float)
    last = end if isinstance(end, float) else timeline.to_us
    return (max(start, timeline.from_us) - timeline.from_us) / 1000, (last - timeline.from_us) / 1000


def _number(name: object) -> int:
    """The number at the end of a name.

    >>> _number("TEAM 0 VP 2")
    2
    """
    return int(str(name).rsplit(" ", 1)[1])


def _scenario(yields: str) -> str:
    return f"""
name = "who spins while whom"
assume = "an example"

[cec]
processors = {PROCESSORS}
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = {PROCESSORS}
mode = "UP"
control_program = {{ polarization = "horizontal", slice = "2 ms" }}

[[virtual_machine]]
name = "TEAM"
partition = "ZVM"
virtual_processors = {PROCESSORS}
share = {100 * PROCESSORS}
yields = "{yields}"

[[virtual_machine]]
name = "OTHER"
partition = "ZVM"
count = {PROCESSORS}

[[spin_lock]]
name = "LOCK"
virtual_machine = "TEAM"

[[guest]]
name = "TASKS"
virtual_machine = "TEAM"
count = {PROCESSORS}
program = [
  {{ compute = {{ exponential = "1 ms" }} }},
  {{ lock = "LOCK", steps = [ {{ compute = {{ exponential = "500 us" }} }} ] }},
]

[[guest]]
name = "OTHERS"
virtual_machine = "OTHER"
count = {PROCESSORS}
program = [ {{ compute = "1 s" }} ]

[measure]
interval = "1 s"
warm_up = "0 s"
"""
