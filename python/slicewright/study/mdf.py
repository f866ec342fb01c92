"""The 580/MDF study: two domains on one machine, and what their slices do to I/O.

Every choice made here was declared before the runs that it is for: docs/decisions/0010-mdf-study.md, for the adopted
form 0011-mdf-adopted.md, for the growing one 0047-mdf-growing-surges.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from msgspec import Struct

from slicewright.report.figure import Figure
from slicewright.report.figure import Panel as Drawn
from slicewright.report.model import Block
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.statistics import fixed
from slicewright.study.calibrate import Constants as Fits
from slicewright.study.pages import Maker, line, published, published_groups
from slicewright.study.points import Budget, Columns, Key, Point, Tables
from slicewright.study.spec import Number, Panel, Spec
from slicewright.study.study import Runs, Study
from slicewright.study.templates import rendered

ROTATION_MS = 16.7
"""A whole rotation at 3,600 rpm: the latency of an I/O is anywhere from none to this."""

PEND_MS = 0.5
"""ASSUME pend: the split of service between pend, disconnect and connect is not published and changes nothing."""

SLIH_MS = 0.15
"""ASSUME the service of the interrupt handler. From .02 to .3 ms, IOSQ at scheduling parameter 1 moves by less than its
noise: the front end's own service is fitted, and offsets the handler's."""

PROGRAMS = 100
"""Application programs, each scheduled serially (ASSUME)."""

TSO_IO = 10
"""ASSUME I/Os per TSO command: not published."""

RELOAD_MS = 0.3
"""ASSUME what a logical processor of TSO loses at the beginning of each slice, in the adopted form alone."""

FIRST_MESSAGES = 2.0
"""ASSUME how many messages ride on the first front-end I/O of a slice on average, in the adopted form alone."""


CLASSES = Spec.read("mdf").command_class
"""The classes that `study.toml` assumes."""

SEEN = "sched1"
"""The only column that anything is derived from or fitted to."""


@dataclass(frozen=True, slots=True)
class _Disk:
    """A volume that the document names: its share of its domain's I/O, or I/Os per command."""

    share: float
    service_ms: float


@dataclass(frozen=True, slots=True)
class _Derived:
    """Inputs derived from scheduling parameter 1; times in the unit of their suffix, CPU with the handler's in it.

    `messages_per_s` is what the front end carries each way: a message in and one out per transaction.
    `hot` are the two IMS volumes with their shares of its I/O, `busy` the two of TSO with I/Os per command.

    >>> one = derived()
    >>> round(one.ims_think_s, 2), round(one.tso_think_s, 2), round(one.ims_cpu_ms, 2), round(one.ims_io, 2)
    (16.03, 20.1, 17.93, 15.37)
    """

    terminals: int
    ims_think_s: float
    messages_per_s: float
    ims_io: float
    ims_cpu_ms: float
    ims_service_ms: float
    front_end_io: float
    hot: dict[str, _Disk]
    users: int
    tso_think_s: float
    tso_service_ms: float
    busy: dict[str, _Disk]


Rows = Mapping[str, Mapping[str, float]]
"""Published values by row and column."""


class _Setup(Struct, frozen=True):
    ims_terminals: int
    tso_users: int


class _Published(Struct, frozen=True):
    setup: _Setup
    table1: Mapping[str, Rows]
    table2: Mapping[str, Rows]
    table3: Mapping[str, Rows]
    table4: Mapping[str, Rows]
    figure6: Mapping[str, Mapping[str, int]]
    figure8: Mapping[str, Rows]


@cache
def derived(folder: Path | None = None) -> _Derived:
    """The derived inputs of the study in `folder`.

    Think = terminals / ETR - response (interactive response-time law). CPU per transaction = CPU x one processor / ETR,
    because two logical processors at 50 % are one processor's worth. Service = RESP - IOSQ (Partitioning Large
    Processors, 4.0).

    >>> round(derived().front_end_io, 3)
    1.283
    """
    found = Spec.read("mdf", folder).document_as(_Published)
    setup, ims, tso = found.setup, found.table3["ims"], found.table4["tso"]
    etr, commands = ims["external_transactions_per_s"][SEEN], tso["external_transactions_per_s"][SEEN]
    io = found.figure8["ims"]["io_per_s"][SEEN]
    return _Derived(
        terminals=setup.ims_terminals,
        ims_think_s=setup.ims_terminals / etr - ims["response_s"][SEEN],
        messages_per_s=etr,
        ims_io=io / etr,
        ims_cpu_ms=1000 * ims["cpu_percent"][SEEN] / 100 / etr,
        ims_service_ms=_service(found.table1["ims"]),
        front_end_io=ims["front_end_4705_rate_per_s"][SEEN] / etr,
        hot={name: _named_disk(found.table2[f"IMS-{name}"], io) for name in ("C23", "8C2")},
        users=setup.tso_users,
        tso_think_s=setup.tso_users / commands - tso["response_s"][SEEN],
        tso_service_ms=_service(found.table1["tso"]),
        busy={name: _named_disk(found.table2[f"TSO-{name}"], commands) for name in ("CC1", "CC2")},
    )


def _service(table: Rows) -> float:
    return table["response_ms"][SEEN] - table["iosq_ms"][SEEN]


def _named_disk(table: Rows, per: float) -> _Disk:
    return _Disk(table["rate_per_s"][SEEN] / per, _service(table))


@dataclass(frozen=True, slots=True)
class _Dealt:
    """A volume: its share of the I/O, how many of the programs have it, and the weight of going there otherwise.

    >>> dealt([("C23", 0.6), ("DB01", 0.4)], 0.5)[0]
    _Dealt(name='C23', share=0.6, programs=60, other=0.3)
    """

    name: str
    share: float
    programs: int
    other: float


def dealt(shares: Sequence[tuple[str, float]], own: float) -> list[_Dealt]:
    """Each volume with its part of the programs, where a part `own` of the I/O (0 to 1) keeps to what the program has.

    Program m has the volume in which (m + .5) / 100 of the cumulative shares lies.  A program cannot be divided,
    so a volume's I/O from programs differs a little from its share. The weights of the other I/O make up for that.
    Where its own programs alone give a volume more than its share, nothing else goes there, and its share is not kept.

    >>> [one.programs for one in dealt([("A", 0.3362), ("B", 0.3352), ("C", 0.3286)], 0.5)]
    [34, 33, 33]
    """
    total = sum(share for _, share in shares)
    edges = [0.0, *accumulate(share / total for _, share in shares)]
    middles = [(member + 0.5) / PROGRAMS for member in range(PROGRAMS)]
    found = []
    for (name, share), low, high in zip(shares, edges[:-1], edges[1:], strict=True):
        programs = sum(low <= middle < high for middle in middles)
        other = max(0.0, round(share / total - own * programs / PROGRAMS, 12))
        found.append(_Dealt(name, share / total, programs, other))
    return found


IMS, TSO = "PEMDFI", "PEMDFT"
"""The two domains, as figure 3 names them."""

FRONT_END = "4705"
BOTH = (IMS, TSO)

FITTED = "fitted at scheduling parameter 1 (published/mdf/calibrated.toml)"
DERIVED = "derived from scheduling parameter 1"


@dataclass(frozen=True, slots=True)
class Case:
    """What is simulated: a scheduling parameter from 1 to 5, and which domains have work.

    >>> Case(3).domains, Case(3).name
    (('PEMDFI', 'PEMDFT'), 'sched3')
    """

    parameter: int
    domains: tuple[str, ...] = BOTH

    @property
    def name(self) -> str:
        """The published column of the parameter."""
        return f"sched{self.parameter}"

    @property
    def amount(self) -> str:
        """A trial of TSO alone is longer."""
        return "tso" if self.domains == (TSO,) else "points"


@dataclass(frozen=True, slots=True)
class _Constants:
    """The constants of both domains: of IMS front_end, messages, volumes; of TSO cpu, volumes, pairs.

    In the adopted and the growing form IMS also has own, and each slice of TSO begins with reload. The first front-end
    I/O of a slice takes more messages: a fixed number, or one that grows with the time off.  `inputs` are derived from
    the published setup, the shipped one where none is given.

    >>> _Constants({}, {}, "adopted").reload_ms, _Constants({}, {}).reload_ms
    (0.3, 0.0)
    """

    ims: Mapping[str, float]
    tso: Mapping[str, float]
    form: str = "first"
    inputs: _Derived | None = None

    @staticmethod
    def of_fit(found: Fits) -> _Constants:
        """The constants of both domains, or of the one that is fitted; what follows from the setup is of the folder."""
        ims, tso = (found.of.get(part, {}) for part in Spec.read("mdf").forms[found.form].parts)
        return _Constants(ims, tso, found.form, None if found.folder is None else derived(found.folder))

    @property
    def reload_ms(self) -> float:
        """The reload at the start of each slice of TSO, ms."""
        return 0.0 if self.form == "first" else RELOAD_MS

    def first_messages(self, parameter: int) -> float | None:
        """How many messages ride on the first front-end I/O of a slice on average; None: as many as on any other.

        In the growing form those of any other, and those that arrive while the domain is off: a slice of the other one.

        >>> round(_Constants({"messages": 1.2}, {}, "growing").first_messages(3), 3)
        2.118
        """
        if self.form != "growing":
            return FIRST_MESSAGES if self.form == "adopted" else None
        gathered = (self.inputs or derived()).messages_per_s * parameter_slice_ms(parameter) / 1000
        return self.ims["messages"] + gathered


@dataclass(frozen=True, slots=True)
class _Volume:
    name: str
    device: str
    domain: str
    connect_ms: float
    source: str


def _disks_of(
    domain: str, named: Mapping[str, _Disk], alike: Iterable[tuple[str, str]], rest_ms: float
) -> list[_Volume]:
    """The volumes of a domain: those of table 2, and others alike; all of service is connect, but latency and pend."""

    def volume(name: str, device: str, service_ms: float, source: str) -> _Volume:
        return _Volume(name, device, domain, service_ms - ROTATION_MS / 2 - PEND_MS, source)

    hot = [volume(name, name, disk.service_ms, "table 2") for name, disk in named.items()]
    return hot + [volume(name, device, rest_ms, "rest of table 1") for name, device in alike]


def _ims_disks(constants: Mapping[str, float], own: _Derived) -> list[_Volume]:
    share = 1 - sum(disk.share for disk in own.hot.values())
    rest = own.ims_service_ms - sum(disk.share * disk.service_ms for disk in own.hot.values())
    alike = ((name, f"D{int(name[2:]):02X}") for name in _names("DB", constants["volumes"]))
    return _disks_of(IMS, own.hot, alike, rest / share)


def _tso_disks(constants: Mapping[str, float], own: _Derived) -> list[_Volume]:
    ios = sum(disk.share for disk in own.busy.values())
    rest = TSO_IO * own.tso_service_ms - sum(disk.share * disk.service_ms for disk in own.busy.values())
    alike = ((name, f"E{int(name[2:]):02X}") for name in _names("TS", constants["volumes"]))
    return _disks_of(TSO, own.busy, alike, rest / (TSO_IO - ios))


Choice = tuple[float, list[str]]
"""Volumes that are chosen alike, and their weight in all; of a name with + the first request of a pair."""


def _ims(constants: _Constants, own: _Derived, first: float | None) -> dict[str, Any]:
    """The work of the IMS domain; in other forms than the first, programs keep to volumes of their own in part.

    The I/O elsewhere makes up for parts of programs; volumes with the same number of programs are listed together.
    """
    fitted = constants.ims
    keeps, mine = fitted.get("own", 0.0) / 100, {}
    if constants.form == "first":
        hot = {name: disk.share for name, disk in own.hot.items()}
        choices = _targets(hot, "DB", fitted["volumes"], 1 - sum(hot.values()))
    else:
        found = dealt(_ims_shares(fitted, own), keeps)
        mine = {volume.name: volume.programs for volume in found if volume.programs}
        alike: dict[float, list[str]] = {}
        for volume in found:
            alike.setdefault(volume.other, []).append(volume.name)
        choices = [(len(listed) * weight, listed) for weight, listed in alike.items() if weight > 0]
    return {
        "front_end_ms": fitted["front_end"], "messages": fitted["messages"], "first": first,
        "compute_ms": (own.ims_cpu_ms - SLIH_MS * (own.ims_io + own.front_end_io)) / own.ims_io,
        "keeps": keeps, "own": mine, "choices": choices,
    }  # fmt: skip


def _tso(fitted: Mapping[str, float], own: _Derived) -> dict[str, Any]:
    """The work of the TSO domain: classes of figure 6, each with as many bursts a command as its demand asks for."""
    pairs, ios = fitted["pairs"] / 100, sum(disk.share for disk in own.busy.values())
    starts = TSO_IO - ios * pairs / 2
    paired: dict[str, float] = {}
    for name, disk in own.busy.items():
        paired |= {name: disk.share * (1 - pairs), f"{name}+": disk.share * pairs / 2}
    percents = Spec.read("mdf").document_as(_Published).figure6["tso_workload_percent"]
    weights = [(transaction.weight(percents), transaction.demand) for transaction in CLASSES]
    mean = sum(weight * demand for weight, demand in weights) / 100
    return {
        "io": TSO_IO, "compute_ms": (fitted["cpu"] - SLIH_MS * TSO_IO) / starts,
        "choices": _targets(paired, "TS", fitted["volumes"], TSO_IO - ios),
        "classes": [(weight, starts * demand / mean) for weight, demand in weights],
    }  # fmt: skip


def _targets(named: Mapping[str, float], prefix: str, count: float, weight: float) -> list[Choice]:
    """The choice of a volume: the named ones by weight, the others alike, of which there are `count`.

    Where that has a fraction, the last of them gets this share of what each other one gets.
    """
    full, others = math.floor(count), _names(prefix, count)
    choices = [(share, [name]) for name, share in named.items() if share > 0]
    choices.append((weight * full / count, others[:full]))
    if count > full:
        choices.append((weight * (count - full) / count, others[-1:]))
    return choices


def _ims_shares(constants: Mapping[str, float], own: _Derived) -> list[tuple[str, float]]:
    """Each disk of IMS with its share of the I/O: those of table 2 as derived, the others alike.

    >>> round(sum(share for _, share in _ims_shares({"volumes": 86.0}, derived())), 12)
    1.0
    """
    hot, count = [(name, disk.share) for name, disk in own.hot.items()], constants["volumes"]
    each = (1 - sum(share for _, share in hot)) / count
    others = _names("DB", count)
    return [*hot, *((name, each * min(1, count - at)) for at, name in enumerate(others))]


def _names(prefix: str, count: float) -> list[str]:
    """The names of `count` alike volumes, a fraction of one included.

    >>> _names("DB", 2.5)
    ['DB01', 'DB02', 'DB03']
    """
    return [f"{prefix}{number:02d}" for number in range(1, math.ceil(count) + 1)]


COLUMNS = {"sched1": 1, "sched3": 3, "sched5": 5}
"""The columns that can be simulated, with the scheduling parameter of each; BASE is not described."""

Value = tuple[str, str]
"""Table and row."""


class _Mdf(Study):
    """The study: a case is a scheduling parameter, with work in both domains or in one."""

    name = "mdf"
    reads = ("volumes", "guests", "front_ends", "resources", "partitions")
    drawn = tuple(
        (f"{form} form", form, [Case(parameter) for parameter in PARAMETERS])
        for form in ("first", "adopted", "growing")
    )

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """Both domains at the parameter of a column, none for BASE; in a search the part's domain alone."""
        if part:
            return (Case(1, (IMS if part.startswith("ims") else TSO,)),)
        parameter = COLUMNS.get(number.place.column)
        return (Case(parameter),) if parameter else ()

    def scenario(self, case: Case, constants: Fits, budget: Budget) -> str:
        """Both domains as a complete scenario file (TOML); one without work has its slices and nothing to do.

        >>> text = STUDY.scenario(Case(3), STUDY.constants(), Budget())
        >>> [line for line in text.splitlines() if line.startswith("scheduling_parameter")]
        ['scheduling_parameter = 3']
        """
        fits = _Constants.of_fit(constants)
        own, ims, tso = fits.inputs or derived(), None, None
        disks: list[_Volume] = []
        if IMS in case.domains:
            disks += _ims_disks(fits.ims, own)
            ims = _ims(fits, own, fits.first_messages(case.parameter))
        if TSO in case.domains:
            disks += _tso_disks(fits.tso, own)
            tso = _tso(fits.tso, own)
        return rendered(
            "mdf", parameter=case.parameter, slice_ms=parameter_slice_ms(case.parameter), form=fits.form,
            reload_ms=fits.reload_ms, disks=disks, own=own, ims=ims, tso=tso, pend_ms=PEND_MS,
            rotation_ms=ROTATION_MS, slih_ms=SLIH_MS, programs=PROGRAMS, fitted=FITTED, derived=DERIVED,
        )  # fmt: skip

    def measure(self, case: Case, run: Tables, constants: Fits) -> Mapping[Key, float]:
        """The values of the domains that had work."""
        return values(run)

    def runs(self) -> tuple[Runs, Runs]:
        """Every published parameter in two forms."""
        shipped = [(form, Case(parameter)) for form in ("first", "adopted") for parameter in COLUMNS.values()]
        return shipped, shipped

    def words(self) -> Mapping[str, Maker]:
        """The assumed sizes of two variants, and figures 7 to 10 and table 2, published and simulated."""
        return {
            "reload": lambda context: [fixed(RELOAD_MS, 1)],
            "messages": lambda context: [f"{FIRST_MESSAGES:g}"],
            "figures": lambda context: _pictures(STUDY.lines(context.progress)),
        }


STUDY = _Mdf()
"""The study."""


def _pictures(drawn: Mapping[str, Sequence[Point]]) -> Iterator[Block]:
    """The figures of the document, published and simulated; none where nothing was simulated."""

    def panel(own: Panel) -> Drawn:
        value = (own.table, own.row)
        simulated = [line(points, value, lambda case: float(case.parameter), label) for label, points in drawn.items()]
        points = (
            ((float(COLUMNS[cell.place.column]), cell.published, cell.width, 1.0), cell.ruling.role, list(drawn))
            for cell in published(STUDY)
            if cell.place.key[:2] == value and cell.place.column in COLUMNS
        )
        return Drawn(own.label, [*simulated, *published_groups(points)])

    for figure in STUDY.spec().figure if drawn else ():
        panels = list(map(panel, figure.panels))
        yield Figure(panels, "Scheduling parameter", f"{figure.title}. {figure.caption}", figure.title)


def values(tables: Tables) -> dict[Key, float]:
    """The study's values from the tables of one replication, of the domains that had work.

    IOSQ is that of RMF: the queue that the program inside the domain sampled, over the rate (Partitioning Large
    Processors, 4.0); RESP = IOSQ + service.  Domain means are rate-weighted over its disks, the front end is none.

    >>> values({"guests": {"guest": []}})
    {}
    """
    found: dict[Key, float] = {}
    guests = tables["guests"]["guest"]
    if "terminals" in guests:
        found |= _ims_values(tables)
    if "users" in guests:
        found |= _tso_values(tables)
    return found


def _ims_values(tables: Tables) -> dict[Key, float]:
    disks = _disks(tables["volumes"], IMS)
    guest, front = _row(tables["guests"], "guest", "terminals"), _row(tables["front_ends"], "front_end", FRONT_END)
    region = _row(tables["resources"], "resource", "MPR")
    found = _domain("table1.ims", disks)
    for name in ("C23", "8C2"):
        found |= _device(f"table2.IMS-{name}", disks[name])
    found["figure8.ims", "io_per_s"] = math.fsum(disk["io_per_s"] for disk in disks.values())
    table3 = {
        "front_end_4705_rate_per_s": front["io_per_s"],
        "tpns_queue_s": front["in_wait_ms"] / 1000,
        "input_queue_s": guest["resource_wait_ms"] / 1000,
        "execution_s": region["hold_ms"] / 1000,
        "output_queue_s": front["out_wait_ms"] / 1000,
        "response_s": guest["transaction_ms"] / 1000,
        "external_transactions_per_s": guest["cycles_per_s"],
        "cpu_percent": _row(tables["partitions"], "partition", IMS)["cpu_percent"],
    }
    return found | {("table3.ims", row): value for row, value in table3.items()}


def _tso_values(tables: Tables) -> dict[Key, float]:
    disks = _disks(tables["volumes"], TSO)
    guest = _row(tables["guests"], "guest", "users")
    found = _domain("table1.tso", disks)
    for name in ("CC1", "CC2"):
        found |= _device(f"table2.TSO-{name}", disks[name])
    return found | {
        ("table4.tso", "response_s"): guest["transaction_ms"] / 1000,
        ("table4.tso", "external_transactions_per_s"): guest["cycles_per_s"],
    }


def _disks(volumes: Columns, domain: str) -> dict[str, dict[str, float]]:
    """The disks of a domain, by name: IMS has C23, 8C2 and DB.., TSO the others; the front end is none."""
    own = ("C23", "8C2", "DB") if domain == IMS else ("CC1", "CC2", "TS")
    return {name: _row(volumes, "volume", name) for name in volumes["volume"] if name.startswith(own)}


def _domain(table: str, disks: dict[str, dict[str, float]]) -> dict[Key, float]:
    busy = [disk for disk in disks.values() if disk["io_per_s"]]
    rate = math.fsum(disk["io_per_s"] for disk in busy)
    iosq = math.fsum(disk["io_per_s"] * disk["iosq_rmf_ms"] for disk in busy) / rate
    service = math.fsum(disk["io_per_s"] * disk["service_ms"] for disk in busy) / rate
    return {(table, "response_ms"): iosq + service, (table, "iosq_ms"): iosq}


def _device(table: str, disk: dict[str, float]) -> dict[Key, float]:
    return {
        (table, "rate_per_s"): disk["io_per_s"],
        (table, "response_ms"): disk["iosq_rmf_ms"] + disk["service_ms"],
        (table, "iosq_ms"): disk["iosq_rmf_ms"],
    }


def _row(table: Columns, key: str, name: str) -> dict[str, float]:
    at = table[key].index(name)
    return {column: values[at] for column, values in table.items()}
