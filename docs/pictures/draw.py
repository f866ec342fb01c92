"""What is in each picture: which runs are simulated, and which of their counters are drawn.

Runs are short and have fixed seeds: the same version draws the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from slicewright import Run, run, trace
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.report import picture
from slicewright.advise.aliases.request import check
from slicewright.advise.command import read
from slicewright.advise.options import AdviceOptions
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.results.judge import SCORED
from slicewright.statistics import Estimate, estimate
from slicewright.study.hyperpav import STUDY, Kind, Report, pool, reports
from slicewright.study.judge import Judge
from slicewright.study.points import Budget
from slicewright.values.carried import data_folder, study_folder

from docs.pictures import (
    control_programs,
    dynamics,
    exit_costs,
    exits,
    fleet,
    front_end,
    held_up,
    late_waits,
    limit_cases,
    limits,
    polarization,
    sampling,
    slices,
    spin_lanes,
    spin_locks,
    strip,
    teaching,
    thread_locks,
    token_slices,
    year,
    yields,
)

BUDGET = Budget(replications=5, most=5, interval_s=10, warm_up_s=1.0)
SHORT = {"measure.interval": "10 s", "measure.warm_up": "1 s"}
MOST_ALIASES = 24
POLICIES = ("none", "same-volume", "pool-fifo")


def study() -> Figure:
    """The six published runs over simulated curves: rate, response and queue against aliases."""
    own = STUDY.constants()
    kinds: list[tuple[str, Kind, range]] = [
        ("pool, simulated", "HyperPAV", range(MOST_ALIASES + 1)),
        ("classic, simulated", "classic PAV", range(0, MOST_ALIASES + 1, 8)),
    ]
    drawn = [(label, [STUDY.simulate(pool(count, kind), own, BUDGET) for count in xs]) for label, kind, xs in kinds]
    panels = []
    for row, label in (
        ("volume_io_per_s", "I/O per s and volume"),
        ("response_ms", "Response, ms"),
        ("queue_depth", "Waiting, all 8 volumes"),
    ):
        curves = []
        for name, points in drawn:
            scales = [_eighth(point.case, row) for point in points]
            found = [point.estimate(row) for point in points]
            x = [_aliases_of_eight(point.case) for point in points]
            y = [scale * point.mean for scale, point in zip(scales, found, strict=True)]
            noise = [scale * point.half_width for scale, point in zip(scales, found, strict=True)]
            curves.append(Series(x, y, half_width=noise, label=name))
        panels.append(Panel(label, [*curves, *_published(row)]))
    return Figure(panels, "Aliases of the eight volumes")


def readings() -> Figure:
    """The aliases that one report justifies: rate, response and queue, with the range over all readings."""
    report = study_folder("hyperpav") / "device-reports" / "Y032180H.txt"
    return picture(answer(read([report]), check(AdviceOptions()))[0])


def redispatch() -> Figure:
    """The three policies against each other, under the same random numbers."""
    counts = range(0, MOST_ALIASES + 1, 2)
    panels = []
    for name, label in (
        ("io_per_s", "I/O per second"),
        ("response_ms", "Response, ms"),
        ("queue_depth", "Waiting requests"),
    ):
        curves = [
            _curve(counts, [_estimate(_pooled(count, policy), "system", name) for count in counts], policy)
            for policy in POLICIES
        ]
        panels.append(Panel(label, curves))
    return Figure(panels, "Aliases in the pool")


def alias_pool() -> Figure:
    """The counters of a pool as aliases are added."""
    counts = range(0, MOST_ALIASES + 1, 2)
    found = {
        name: [_estimate(_pooled(count, "none"), "pools", name) for count in counts]
        for name in ("fails_per_try", "free_mean", "low_water")
    }
    free = [_curve(counts, found["free_mean"], "free, mean"), _curve(counts, found["low_water"], "low water")]
    panels = [
        Panel("Fails per try", [_curve(counts, found["fails_per_try"], "fails per try")]),
        Panel("Free aliases", free),
    ]
    return Figure(panels, "Aliases in the pool")


def paths() -> Figure:
    """Connect time under sharing: simulated, and by the formula; beside it the linear form."""
    counts = range(1, 25)
    station, formula = [], []
    for sharing in (2.774, 10.0, 100.0):
        found = [_estimate(_connected(count, sharing), "control_units", "slowdown") for count in counts]
        station.append(_curve(counts, found, f"{sharing:g} %"))
        known = [(count, 1 + sharing / 100 * (count - 1)) for count in range(1, 25, 4)]
        formula.append(_points(known, "formula", f"{sharing:g} %"))
    linear = [_estimate(_concurrent(count), "volumes", "conn_ms") for count in counts]
    straight = [(count, 1 + 0.1 * count) for count in range(1, 25, 4)]
    panels = [
        Panel("Connect, times that alone, by sharing", [*station, *formula]),
        Panel(
            "Connect, ms, per_concurrent .1 ms",
            [_curve(counts, linear, "linear"), _points(straight, "formula", "linear")],
        ),
    ]
    return Figure(panels, "I/Os connected")


def channel_path() -> Figure:
    """The gain from aliases behind one channel that fills up, and behind a faster one."""
    counts = range(9)
    panels = []
    for table, counter, label in (
        ("system", "io_per_s", "I/O per second"),
        ("system", "response_ms", "Response, ms"),
        ("channels", "busy_percent", "Channel busy, %"),
    ):
        curves = [
            _curve(counts, [_estimate(_behind(kind, aliases), table, counter) for aliases in counts], kind)
            for kind in ("FICON", "FICON Express4")
        ]
        panels.append(Panel(label, curves))
    return Figure(panels, "Aliases in the pool")


def volume() -> Figure:
    """What the gap costs a volume that always has work: without aliases and with one."""
    gaps = [step * 0.02 for step in range(11)]
    panels = []
    for name, label in (("io_per_s", "I/O per second"), ("response_ms", "Response, ms")):
        curves = [
            _curve(gaps, [_estimate(_with_gap(gap, aliases), "system", name) for gap in gaps], words)
            for aliases, words in ((0, "no alias"), (1, "one alias"))
        ]
        panels.append(Panel(label, curves))
    return Figure(panels, "Gap, ms")


def monitor() -> Figure:
    """The queue at a base in intervals of ten seconds: over all of the time, and as sampled every two seconds."""
    changed = {**SHORT, "measure.intervals": 30}
    frame = run(data_folder("scenarios") / "pool.toml", replications=1, set=changed).intervals
    own = frame.filter(frame["volume"] == "BWPVS0").sort("interval")
    x = [10.0 * (number + 1) for number in range(own.height)]
    panel = Panel(
        "Waiting at BWPVS0, mean of 10 s",
        [
            Series(x, own["queue_depth"].to_list(), label="queue_depth"),
            dots(x, own["queue_depth_sampled"].to_list(), label="queue_depth_sampled, every 2 s"),
        ],
    )
    return Figure([panel], "Simulated time, s")


def timeline() -> Figure:
    """Some instants around a change: three of four aliases are taken away."""
    scenario = data_folder("scenarios") / "dynamics.toml"
    return trace(scenario, from_s=9.996, for_s=0.01).figure()


PICTURES: dict[str, Callable[[], Figure]] = {
    "study": study,
    "readings": readings,
    "redispatch": redispatch,
    "alias-pool": alias_pool,
    "paths": paths,
    "channel-path": channel_path,
    "volume": volume,
    "monitor": monitor,
    "timeline": timeline,
    "vary": dynamics.vary,
    "reserve": dynamics.reserve,
    "minidisk": dynamics.minidisk,
    "slices": slices.slices,
    "cfs": late_waits.late_waits,
    "thread-locks": thread_locks.thread_locks,
    "token-slices": token_slices.token_slices,
    "choose-a-slice": slices.choose,
    "choose-polarization": polarization.choose,
    "choose-a-yield": yields.choose,
    "choose-an-exit-structure": exits.choose,
    "choose-a-cpu-limit": limits.choose,
    **limit_cases.CASES,
    "fleet": fleet.fleet,
    "front-end": front_end.front_end,
    "sampling": sampling.sampling,
    "control-program": strip.strip,
    "caches": control_programs.caches,
    "displacement": control_programs.displacement,
    "parking": control_programs.parking,
    "scheduler-lock": control_programs.scheduler_lock,
    "held-up": held_up.held_up,
    "spin-locks": spin_lanes.lanes,
    "choose-a-setting": year.plan,
    "exit-costs": exit_costs.exit_costs,
    "lock-orders": spin_locks.lock_orders,
    "yields": spin_locks.yields,
    "one-server": teaching.one_server,
    "bank-tellers": teaching.bank_tellers,
    "many-servers": teaching.many_servers,
}
"""Each picture's name, which is that of its file and, but for the first, of the page that shows it."""


def _published(row: str) -> list[Series]:
    judge = Judge(STUDY)
    groups: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    by_table = {report.table: report for report in reports()}
    for number in (number for number in judge.published if number.place.row == row):
        report, ruling, value = by_table[number.place.table], judge.ruling(number), number.value
        width = ruling.band.width(value) if ruling.role in SCORED else 0.0
        words = (
            "predicted" if ruling.role in SCORED else {"calibrated": "fitted to"}.get(ruling.role, "expected to miss")
        )
        kind = "classic" if report.kind == "classic PAV" else "pool"
        scale = _eighth(report, row)
        groups.setdefault((kind, words), []).append((_aliases_of_eight(report), scale * value, scale * width))
    return [
        dots(
            [x for x, _, _ in some],
            [y for _, y, _ in some],
            [width for _, _, width in some],
            f"{kind}, {words}",
            [f"{kind}, simulated"],
        )
        for (kind, words), some in groups.items()
    ]


def _aliases_of_eight(report: Report) -> float:
    return 8 * report.aliases_per_volume


def _eighth(report: Report, row: str) -> float:
    """A classic report shows one volume of eight: what makes its queue that of eight."""
    return 8 / report.bases if row == "queue_depth" else 1.0


@cache
def _pooled(aliases: int, policy: str) -> Run:
    changed = {"alias_pool.LSS-52.aliases": aliases, "alias_pool.LSS-52.redispatch": policy}
    return run(data_folder("scenarios") / "hyperpav" / "Y032181H.toml", replications=5, set={**SHORT, **changed})


@cache
def _connected(count: int, sharing: float) -> Run:
    """Guests, each on a volume of its own, that do nothing but connect."""
    parts = [
        'name = "always connected"',
        'assume = "an example"',
        f'[[control_unit]]\nname = "CU"\nsharing = "{sharing} %"',
    ]
    for number in range(count):
        parts.append(
            f'[[volume]]\nname = "V{number}"\ndevice = "{0x100 + number:04X}"\ncontrol_unit = "CU"\n'
            'service = { connect = { exponential = "1 ms" } }'
        )
        parts.append(f'[[guest]]\nname = "G{number}"\ncount = 1\nprogram = [ {{ io = {{ volume = "V{number}" }} }} ]')
    return run("\n\n".join(parts), replications=5, set=SHORT)


@cache
def _concurrent(count: int) -> Run:
    """Guests on one volume with an alias for each but the first, under the linear form."""
    text = f"""
name = "always in service"
assume = "an example"

[[volume]]
name = "V"
device = "0100"
aliases = {count - 1}
service = {{ connect = {{ exponential = "1 ms", per_concurrent = "0.1 ms" }} }}

[[guest]]
name = "G"
count = {count}
program = [ {{ io = {{ volume = "V" }} }} ]
"""
    return run(text, replications=5, set=SHORT)


@cache
def _behind(kind: str, aliases: int) -> Run:
    changed = {"channel.50.type": kind, "alias_pool.LSS-10.aliases": aliases}
    return run(data_folder("scenarios") / "full-channel.toml", replications=5, set={**SHORT, **changed})


@cache
def _with_gap(gap_ms: float, aliases: int) -> Run:
    changed = {"volume.BWPVS0.gap": f"{gap_ms:g} ms", "volume.BWPVS0.aliases": aliases}
    return run(data_folder("scenarios") / "pav.toml", replications=5, set={**SHORT, **changed})


def _estimate(result: Run, table: str, counter: str) -> Estimate:
    return estimate(result.values(table, counter, *_first(result, table)))


def _first(result: Run, table: str) -> list[str]:
    """The first entity of a table; none of the system's, which has no names."""
    frame = result.raw[table]
    return [] if table == "system" else [str(frame[table.removesuffix("s")][0])]


def _curve(xs: Iterable[float], found: Sequence[Estimate], label: str) -> Series:
    return Series(
        [float(x) for x in xs],
        [point.mean for point in found],
        half_width=[point.half_width for point in found],
        label=label,
    )


def _points(found: Sequence[tuple[float, float]], label: str, of: str) -> Series:
    return dots([x for x, _ in found], [y for _, y in found], label=label, of=[of])
