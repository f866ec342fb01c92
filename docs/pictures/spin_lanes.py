"""The picture of a holder that loses its processor while others spin: the same load, with three ways to yield.

It leaves out the control program's own path, which is too short to be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from slicewright import Timeline, trace
from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PROCESSORS = 3
FROM_S, FOR_S = 0.010, 0.024
YIELDS = {"never": "Never", "x44": "X'44'", "x9c": "X'9C'"}
LOOKS = {
    "has the lock": (SERIES[0], ""),
    "computes": ("#b9d3ea", ""),
    "spins": (SERIES[1], "////"),
    "another machine": ("#dfe3e8", ""),
}
"""Colour and hatch of what a processor runs."""
STOPPED = ("#ffffff", "xxxx")
"""How the lock looks while whoever has it does not run."""
SEEN_MS = 0.012
"""Stretches that are nearer to each other than this, and alike, are drawn as one: DIAGNOSEs are in between."""

Stretch = tuple[float, float]


def lanes() -> str:
    """For each way to yield the lock, and below it what each processor runs."""
    from matplotlib.patches import Patch

    with ink():
        figure = figure_of(9.8, 3.1)
        axes = figure.subplots(1, len(YIELDS), sharey=True)
        for axis, (how, words) in zip(axes, YIELDS.items(), strict=True):
            _panel(axis, trace(_scenario(how), from_s=FROM_S, for_s=FOR_S), words)
        axes[0].set_yticks(range(-1, PROCESSORS), ["lock", *map(str, range(PROCESSORS))])
        axes[0].set_ylabel("Logical processor")
        looks = {**LOOKS, "lock taken, its holder without a processor": STOPPED}
        patches = [
            Patch(facecolor=colour, hatch=hatch, label=label, edgecolor=INK, linewidth=0.3)
            for label, (colour, hatch) in looks.items()
        ]
        figure.legend(handles=patches, loc="outside lower center", ncols=len(patches), frameon=False, fontsize=8)
        return svg_of(figure, "who spins while whom")


def _panel(axis: Axes, timeline: Timeline, words: str) -> None:
    spans = timeline.spans.to_dicts()
    runs = [row for row in spans if row["kind"] == "virtual-processor" and row["state"] == "running"]
    taken = [row for row in spans if row["kind"] == "spin-lock"]
    spinning = [row for row in timeline.waits.to_dicts() if row["kind"] == "spinning"]
    spun = 0.0
    for run in runs:
        place, own = _number(run["on"]), _stretch(run, timeline)
        if not str(run["holder"]).startswith("TEAM"):
            _draw(axis, place, [own], "another machine")
            continue
        task = f"TASKS #{_number(run['holder']) + 1}"
        has = [_stretch(row, timeline) for row in taken if row["holder"] == task]
        spins = [_stretch(row, timeline) for row in spinning if row["holder"] == task]
        spun += sum(end - start for start, end in _common([own], spins))
        _draw(axis, place, [own], "computes")
        _draw(axis, place, _common([own], spins), "spins")
        _draw(axis, place, _common([own], has), "has the lock")
    times = 0
    for row in taken:
        own = _stretch(row, timeline)
        times += own[1] < 1000 * FOR_S
        who = f"TEAM 0 VP {int(str(row['holder']).rsplit('#', 1)[1]) - 1}"
        running = [_stretch(run, timeline) for run in runs if str(run["holder"]).endswith(who)]
        _bars(axis, -1, [own], STOPPED)
        _draw(axis, -1, _common([own], running), "has the lock")
    axis.set_title(f"{words}: taken {times} times, {spun:.1f} ms spun", loc="left")
    axis.set_ylim(PROCESSORS - 0.4, -1.6)
    axis.set_xlim(0, 1000 * FOR_S)
    axis.grid(visible=False, axis="y")
    axis.set_xlabel("Simulated time, ms")


def _draw(axis: Axes, place: int, stretches: Sequence[Stretch], what: str) -> None:
    _bars(axis, place, stretches, LOOKS[what])


def _bars(axis: Axes, place: int, stretches: Sequence[Stretch], look: tuple[str, str]) -> None:
    colour, hatch = look
    for start, end in _joined(stretches):
        axis.barh(
            place, end - start, left=start, height=0.84, color=colour, hatch=hatch,
            edgecolor=INK if hatch else PAPER, linewidth=0.0,
        )  # fmt: skip


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
    """What is in both.

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
