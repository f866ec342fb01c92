"""A load behind RMF pages as a scenario: partitions and their shares, volumes as printed, and the requesters of I/O.

`page_fit` finds the load that fits the pages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.slices.machine import PRSM
from slicewright.advise.slices.partition_page import PageVolume, PartitionPage
from slicewright.io.numerals import in_scenario

LATENCY_MS = 8.35
"""Half a rotation of 16.7 ms, which disks of the study turn in (Partitioning Large Processors: 3380)."""
SLIH_MS = {"classic": 0.15, "current": 0.02}
"""ASSUME: what the interrupt handler takes, at the level of MVS/XA as scenarios do, and on the processors of z/OS."""
PATH_MS = {"classic": 0.1, "current": 0.02}
"""ASSUME: computing between two I/Os, assumed where no page says how busy its partition is."""
WORK_MS = 10.0
"""ASSUME: how long a stretch of work of another partition is."""
ALMOST = 0.97
"""How much of what it can have such a partition is let use: more work than it can have would pile up for ever."""
BUSIEST = 0.6
"""How busy exposures are made that stand for a volume with aliases, whose number is not read."""


@dataclass(frozen=True, slots=True)
class Share:
    """A partition: its share (0 to 1), its page (None: it only takes its turns), CPU busy of its turns if known."""

    name: str
    share: float
    page: PartitionPage | None
    busy: float | None
    """Share of its turns in which it computes, as given or as dispatched."""
    weight: float | None = None
    capped: bool = False
    """Both under PR/SM."""
    work: float = 0.0
    """Processors that a partition without a page uses, under PR/SM: there it matters what others do."""
    seen: float | None = None
    """MVS BUSY: share of time in which its logical processors have work, whether or not they have a physical one."""
    logicals: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings from no page: partitions, shared processors, the slice of an equal share, the interrupt handler (ms)."""

    shares: tuple[Share, ...]
    processors: int
    slice_ms: float
    slih_ms: float
    weighs: bool = False
    """Whether processors go by weight (PR/SM, WAIT COMPLETION NO); the slice is then the longest run."""


@dataclass(frozen=True, slots=True)
class Requester:
    """The requesters of I/O to a volume, which think (ms) between I/Os; none, for arrivals at the printed rate.

    >>> Requester("A", "V1", PageVolume("V1", "0100", 10, 0, 1, 1), 0, 0.0).name
    'on-V1'
    """

    partition: str
    volume: str
    """Its name in the scenario; the page's own may stand on another page too."""
    printed: PageVolume
    population: int
    think_ms: float

    @property
    def name(self) -> str:
        """The name of the guest."""
        return f"on-{self.volume}"


@dataclass(frozen=True, slots=True)
class PageLoad:
    """A load: setting, requesters, how service is spread (rotating, constant, exponential), and where it is from.

    >>> PageLoad("open", Setting((), 2, 30.0, 0.15), (), "rotating", "a page").service
    'rotating'
    """

    name: str
    setting: Setting
    requesters: tuple[Requester, ...]
    service: str
    source: str
    paths: tuple[tuple[str, float], ...] = ()
    """CPU time between two I/Os in ms, by partition, where it was searched for."""

    def thinking(self, think_ms: Sequence[float]) -> PageLoad:
        """The same with other think times."""
        pairs = zip(self.requesters, think_ms, strict=True)
        return replace(self, requesters=tuple(replace(requester, think_ms=think) for requester, think in pairs))

    def grown(self, factor: float) -> PageLoad:
        """The load with `factor` times the demand: rates, or populations with think times that correct the rounding."""
        return replace(self, requesters=tuple(_grown(requester, factor) for requester in self.requesters))


def requesters(setting: Setting, population: int) -> tuple[Requester, ...]:
    """A requester for each volume of each page; 0 is arrivals from outside.

    >>> from slicewright.advise.slices.example import setting
    >>> [one.volume for one in requesters(setting(), 2)]
    ['C23', '8C2']
    """
    made, seen = [], set()
    for share in setting.shares:
        for volume in share.page.volumes if share.page else ():
            name = volume.name if volume.name not in seen else f"{volume.name}.{share.name}"
            count = 2
            while name in seen:
                name, count = f"{volume.name}.{share.name}.{count}", count + 1
            seen.add(name)
            think = max(0.0, 1000 * population / volume.io_per_s - volume.service_ms)
            made.append(Requester(share.name, name, volume, population, think if population else 0.0))
    return tuple(made)


def scenario_text(load: PageLoad) -> str:
    """The scenario of a load; the same load gives the same text.

    >>> from slicewright.advise.slices.example import page_load
    >>> print(scenario_text(page_load()).splitlines()[0])
    name = "open"
    """
    setting = load.setting
    lines = [f"name = {_text(load.name)}", "", "[source]", 'document = "RMF DIRECT ACCESS DEVICE ACTIVITY"']
    lines += [f"report = {_text(load.source)}", "", "[cec]", f"processors = {setting.processors}"]
    if setting.weighs:
        lines += [f'dispatcher = "{PRSM}"', f'run_time = "{in_scenario(setting.slice_ms)} ms"']
    else:
        lines += [f'slice = "{in_scenario(setting.slice_ms)} ms"']
    lines += ['assume = "as given, or assumed: not on any page"', ""]
    for share in setting.shares:
        lines += [
            "[[partition]]",
            f"name = {_text(share.name)}",
            f"logical_processors = {share.logicals or setting.processors}",
        ]
        if setting.weighs:
            lines += [f"weight = {_weight(share)}", f'capped = "{"yes" if share.capped else "no"}"']
        else:
            lines += [f'target = "{in_scenario(100 * share.share)} %"']
        lines += [f'slih = "{in_scenario(setting.slih_ms)} ms"']
        lines += ['assume = "share as given, or equal; the time of the interrupt handler is unpublished"', ""]
    numbers = _numbers(load.requesters)
    for requester in load.requesters:
        lines += _volume(requester, numbers[requester.volume], load)
    for requester in load.requesters:
        lines += _guest(requester, load)
    for share in setting.shares:
        lines += _work(share, setting)
    lines += ["[measure]", 'interval = "30 s"', "replications = 10", 'assume = "long enough to see queues"']
    return "\n".join(lines) + "\n"


def path_ms(load: PageLoad, partition: str) -> tuple[float, bool]:
    """CPU time between two I/Os in ms, and whether it follows from how busy the partition is.

    >>> from slicewright.advise.slices.example import page_load
    >>> path_ms(page_load(), "PEMDFI")
    (0.1, False)
    """
    setting = load.setting
    for name, path in load.paths:
        if name == partition:
            return path, True
    share = next(share for share in setting.shares if share.name == partition)
    if share.busy is None or share.page is None:
        return PATH_MS[share.page.level if share.page else "classic"], False
    # The page's own rate, not that of a load that has grown: more I/O is more computing.
    per_io = 1000 * share.busy * share.share * setting.processors / share.page.io_per_s
    return max(0.001, per_io - setting.slih_ms), True


def _grown(one: Requester, factor: float) -> Requester:
    """At the responses of now, the I/Os that it asks for would be `factor` times as many."""
    wanted = replace(one.printed, io_per_s=factor * one.printed.io_per_s)
    if not one.population:
        return replace(one, printed=wanted)
    response = max(0.0, 1000 * one.population / one.printed.io_per_s - one.think_ms)
    population = max(1, round(factor * one.population))
    think = 1000 * population / wanted.io_per_s - response
    while think < 0:
        population += 1
        think = 1000 * population / wanted.io_per_s - response
    return replace(one, printed=wanted, population=population, think_ms=think)


def _numbers(made: Sequence[Requester]) -> dict[str, str]:
    """Device numbers of four digits, each once; a number that two pages have is changed for the later one."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for requester in made:
        digits = requester.printed.device[-4:].upper().rjust(4, "0")
        value = int(digits, 16)
        while f"{value:04X}" in taken:
            value = (value + 1) % 0x10000
        taken.add(f"{value:04X}")
        found[requester.volume] = f"{value:04X}"
    return found


def _volume(one: Requester, device: str, load: PageLoad) -> list[str]:
    printed = one.printed
    lines = ["[[volume]]", f"name = {_text(one.volume)}", f'device = "{device}"', f"partition = {_text(one.partition)}"]
    if printed.aliased:
        load_ms = printed.service_ms + 2 * load.setting.slice_ms
        lines.append(f"aliases = {min(255, int(printed.io_per_s * load_ms / 1000 / BUSIEST) + 1)}")
    spread = _spread(printed.disc_ms, load.service)
    source = _text(f"means as printed: {load.source}; the distribution is assumed")
    pend, connect = in_scenario(printed.pend_ms), in_scenario(printed.conn_ms)
    parts = f'pend = "{pend} ms", disconnect = {spread}, connect = "{connect} ms"'
    return [*lines, f"service = {{ {parts}, assume = {source} }}", ""]


def _spread(mean_ms: float, service: str) -> str:
    if mean_ms <= 0 or service == "constant":
        return f'"{in_scenario(mean_ms)} ms"'
    if service == "exponential":
        return f'{{ exponential = "{in_scenario(mean_ms)} ms" }}'
    half = min(LATENCY_MS, mean_ms)
    return f'{{ uniform = ["{in_scenario(mean_ms - half)} ms", "{in_scenario(mean_ms + half)} ms"] }}'


def _weight(share: Share) -> int:
    return max(1, min(999, round(share.weight or 1)))


def _work(share: Share, setting: Setting) -> list[str]:
    """A guest that computes in a partition without a page, as much as PARTITION DATA gives it used."""
    most = min(float(share.logicals or setting.processors), float(setting.processors))
    used = min(share.work, ALMOST * most)
    if share.page is not None or not setting.weighs or used <= 0:
        return []
    lines = ["[[guest]]", f"name = {_text('work-of-' + share.name)}", f"partition = {_text(share.name)}"]
    lines += [f'arrivals = "{in_scenario(1000 * used / WORK_MS)}/s"']
    why = "enough to use the time in PARTITION DATA; their length is assumed"
    return [
        *lines,
        f'program = [ {{ compute = {{ exponential = "{in_scenario(WORK_MS)} ms" }} }} ]',
        f"assume = {_text(why)}",
        "",
    ]


def _guest(one: Requester, load: PageLoad) -> list[str]:
    path, known = path_ms(load, one.partition)
    why = "from the CPU busy of the partition" if known else "computing between two I/Os, assumed"
    compute = f'{{ compute = {{ exponential = "{in_scenario(path)} ms" }}, assume = {_text(why)} }}'
    steps = [compute, f"{{ io = {{ volume = {_text(one.volume)} }} }}"]
    lines = ["[[guest]]", f"name = {_text(one.name)}", f"partition = {_text(one.partition)}"]
    if not one.population:
        lines += [f'arrivals = "{in_scenario(one.printed.io_per_s)}/s"']
        return [*lines, f"program = [ {', '.join(steps)} ]", f"source = {_text('rate as printed')}", ""]
    if one.think_ms > 0:
        steps.insert(0, f'{{ think = {{ exponential = "{in_scenario(one.think_ms)} ms" }} }}')
    lines += [f"count = {one.population}", f"program = [ {', '.join(steps)} ]"]
    return [*lines, f"calibrated = {_text(load.source)}", ""]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
