"""The scenario of the two domains: inputs derived from the published setup, the workload, and the text of it.

The one text that `reproduce`, `calibrate` and the shipped files share.  Every choice made here was declared before the
runs that it is for: docs/decisions/0010-mdf-study.md, for the adopted form 0011-mdf-adopted.md, for the growing one
0047-mdf-growing-surges.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from slicewright.scenario.sharing import parameter_slice_ms
from slicewright.study.calibrate import Constants as Fits
from slicewright.study.spec import Spec
from slicewright.values.numerals import in_scenario

ROTATION_MS = 16.7
"""A whole rotation at 3,600 rpm: the latency of an I/O is anywhere from none to this."""

PEND_MS = 0.5
"""ASSUME pend: the split of service between pend, disconnect and connect is not published and changes nothing."""

SLIH_MS = 0.15
"""ASSUME the service of the interrupt handler. From .02 to .3 ms, IOSQ at scheduling parameter 1 moves by less than its
noise: the front end's own service is fitted, and offsets the handler's."""

CYCLE_S = 1
"""RMF's default cycle; the document does not say which one was used."""

PROGRAMS, REGIONS = 100, 60
"""Application programs, each scheduled serially (ASSUME), and message-processing regions (figure 4)."""

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
    """A volume that the document names: its share of its domain's I/O, or I/Os per command, and its service in ms.

    >>> derived().hot["C23"].service_ms
    17
    """

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


def document(folder: Path | None = None) -> Mapping[str, Any]:
    """The published numbers as they are written.

    >>> document()["setup"]["ims_terminals"]
    1000
    """
    return Spec.read("mdf", folder).document


@cache
def derived(folder: Path | None = None) -> _Derived:
    """The derived inputs of the study in `folder`.

    Think = terminals / ETR - response (interactive response-time law). CPU per transaction = CPU x one processor / ETR,
    because two logical processors at 50 % are one processor's worth. Service = RESP - IOSQ (Partitioning Large
    Processors, 4.0).

    >>> round(derived().front_end_io, 3)
    1.283
    """
    found = document(folder)
    setup, ims, tso = found["setup"], found["table3"]["ims"], found["table4"]["tso"]
    etr, commands = ims["external_transactions_per_s"][SEEN], tso["external_transactions_per_s"][SEEN]
    io = found["figure8"]["ims"]["io_per_s"][SEEN]
    return _Derived(
        terminals=setup["ims_terminals"],
        ims_think_s=setup["ims_terminals"] / etr - ims["response_s"][SEEN],
        messages_per_s=etr,
        ims_io=io / etr,
        ims_cpu_ms=1000 * ims["cpu_percent"][SEEN] / 100 / etr,
        ims_service_ms=_service(found["table1"]["ims"]),
        front_end_io=ims["front_end_4705_rate_per_s"][SEEN] / etr,
        hot={name: _named_disk(found["table2"][f"IMS-{name}"], io) for name in ("C23", "8C2")},
        users=setup["tso_users"],
        tso_think_s=setup["tso_users"] / commands - tso["response_s"][SEEN],
        tso_service_ms=_service(found["table1"]["tso"]),
        busy={name: _named_disk(found["table2"][f"TSO-{name}"], commands) for name in ("CC1", "CC2")},
    )


def _service(table: dict[str, dict[str, float]]) -> float:
    return table["response_ms"][SEEN] - table["iosq_ms"][SEEN]


def _named_disk(table: dict[str, dict[str, float]], per: float) -> _Disk:
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
class Constants:
    """The constants of both domains: of IMS front_end, messages, volumes; of TSO cpu, volumes, pairs.

    In the adopted and the growing form IMS also has own, and each slice of TSO begins with reload. The first front-end
    I/O of a slice takes more messages: a fixed number, or one that grows with the time off.  `inputs` are derived from
    the published setup, the shipped one where none is given.

    >>> Constants({}, {}, "adopted").reload_ms, Constants({}, {}).reload_ms
    (0.3, 0.0)
    """

    ims: Mapping[str, float]
    tso: Mapping[str, float]
    form: str = "first"
    inputs: _Derived | None = None

    @staticmethod
    def of_fit(found: Fits) -> Constants:
        """The constants of both domains, or of the one that is fitted; what follows from the setup is of the folder."""
        ims, tso = (found.of.get(part, {}) for part in Spec.read("mdf").forms[found.form].parts)
        return Constants(ims, tso, found.form, None if found.folder is None else derived(found.folder))

    @property
    def reload_ms(self) -> float:
        """The reload at the start of each slice of TSO, ms."""
        return 0.0 if self.form == "first" else RELOAD_MS

    def first_messages(self, parameter: int) -> float | None:
        """How many messages ride on the first front-end I/O of a slice on average; None: as many as on any other.

        In the growing form those of any other, and those that arrive while the domain is off: a slice of the other one.

        >>> round(Constants({"messages": 1.2}, {}, "growing").first_messages(3), 3)
        2.118
        """
        if self.form != "growing":
            return FIRST_MESSAGES if self.form == "adopted" else None
        gathered = (self.inputs or derived()).messages_per_s * parameter_slice_ms(parameter) / 1000
        return self.ims["messages"] + gathered


def scenario(case: Case, constants: Constants) -> str:
    """Both domains at a scheduling parameter as a complete scenario file (TOML).

    A domain that has no work is there, with its slices, and has nothing to do.
    """
    own, domains, parameter = constants.inputs or derived(), case.domains, case.parameter
    disks: list[str] = []
    if IMS in domains:
        disks += _ims_disks(constants.ims, own)
    if TSO in domains:
        disks += _tso_disks(constants.tso, own)
    parts = [
        _head(parameter, constants.form),
        "\n".join(["volume = [", *disks, "]\n"]),
        _machine(parameter),
        *_partitions(constants),
    ]
    if IMS in domains:
        parts += _ims(constants, own, constants.first_messages(parameter))
    if TSO in domains:
        parts += _tso(constants, own)
    return "\n".join([*parts, _MEASURE])


_FORMS = {
    "adopted": "# The adopted form: with reload, surges of the front end, and volumes that programs keep to "
    "(decision 0011).\n",
    "growing": "# The growing form: the adopted one, with surges that grow with the time off (decision 0047).\n",
}
"""The comment that the scenarios of a form begin with; the first form has none."""


def _head(parameter: int, form: str) -> str:
    more = _FORMS.get(form, "")
    named = f"{form} form, " if more else ""
    slice_ms = parameter_slice_ms(parameter)
    return f"""\
# IMS and TSO in two domains of a 580/MDF, scheduling parameter {parameter}: slices of {slice_ms:g} ms.
# Not modelled: BASE, which is not described, and a front end for TSO: the document describes one for IMS.
{more}
name = "580/MDF: IMS and TSO, {named}scheduling parameter {parameter}"

# Disks: a latency that is anywhere in a rotation and a fixed rest, split as assumed; means at scheduling parameter 1.
"""


def _machine(parameter: int) -> str:
    return f"""\
[source]
document = "Partitioning Large Processors"

[cec]
processors = 2
scheduling_parameter = {parameter}
assume = "two physical processors, both for one domain at a time; switching takes no time"
"""


def _partitions(constants: Constants) -> Iterable[str]:
    for name, reload_ms in ((IMS, 0.0), (TSO, constants.reload_ms)):
        reload = f'reload = "{in_scenario(reload_ms)} ms"\n' if reload_ms else ""
        assumed = "; reload assumed, adopted knowing table 4" if reload_ms else ""
        yield f"""\
[[partition]]
name = "{name}"
logical_processors = 2
target = "50 %"
maximum = "50 %"
enabled = 1
slih = "{SLIH_MS} ms"
{reload}rmf = {{ cycle = "{CYCLE_S} s" }}
source = "figures 2 and 3; RMF's cycle is its default; slih and enabled assumed{assumed}"
"""


def _ims_disks(constants: Mapping[str, float], own: _Derived) -> Iterable[str]:
    yield from (_disk((name, name), IMS, disk.service_ms, "table 2") for name, disk in own.hot.items())
    share = 1 - sum(disk.share for disk in own.hot.values())
    rest = own.ims_service_ms - sum(disk.share * disk.service_ms for disk in own.hot.values())
    for name in names("DB", constants["volumes"]):
        yield _disk((name, f"D{int(name[2:]):02X}"), IMS, rest / share, "rest of table 1")
    mean = in_scenario(constants["front_end"])
    service = f'pend = "0 ms", disconnect = "0 ms", connect = {{ exponential = "{mean} ms" }}'
    yield _volume((FRONT_END, FRONT_END), IMS, service, f'calibrated = "{FITTED}; exponential is assumed"')


def _ims(constants: Constants, own: _Derived, first: float | None) -> Iterable[str]:
    surges = f"first_messages = {in_scenario(first)}\n" if first else ""
    assumed = "; first_messages assumed, adopted knowing table 3" if first else ""
    if constants.form == "growing":
        assumed = "; first_messages: besides, what arrives while the domain is off"
    yield f"""\
[[front_end]]
name = "{FRONT_END}"
volume = "{FRONT_END}"
messages = {in_scenario(constants.ims["messages"])}
{surges}calibrated = "{FITTED}{assumed}"

[[resource]]
name = "program"
count = 1
members = {PROGRAMS}
assume = "each of the 100 application programs is scheduled serially"

[[resource]]
name = "MPR"
count = {REGIONS}
source = "figure 4: message processing regions"
"""
    compute = (own.ims_cpu_ms - SLIH_MS * (own.ims_io + own.front_end_io)) / own.ims_io
    keeping = constants.form != "first"
    io = _dealt(constants.ims, own, " " * 10) if keeping else _alike(constants.ims, own, " " * 10)
    note = f'calibrated = "weight of own volumes {FITTED}; ' if keeping else 'source = "'
    yield f"""\
[[guest]]
name = "terminals"
partition = "{IMS}"
count = {own.terminals}
{note}figure 4; think time and I/Os {DERIVED}; CPU too, less the handler's; shapes are assumed"
program = [
  {{ think = {{ exponential = "{in_scenario(own.ims_think_s)} s" }} }},
  {{ message_in = "{FRONT_END}" }},
  {{ hold = "program", steps = [
    {{ hold = "MPR", steps = [
      {{ repeat_mean = {in_scenario(own.ims_io)}, steps = [
        {{ compute = {{ exponential = "{in_scenario(compute)} ms" }} }},
{io}
      ] }},
    ] }},
  ] }},
  {{ message_out = "{FRONT_END}" }},
]
"""


def _ims_shares(constants: Mapping[str, float], own: _Derived) -> list[tuple[str, float]]:
    """Each disk of IMS with its share of the I/O: those of table 2 as derived, the others alike.

    >>> round(sum(share for _, share in _ims_shares({"volumes": 86.0}, derived())), 12)
    1.0
    """
    hot, count = [(name, disk.share) for name, disk in own.hot.items()], constants["volumes"]
    each = (1 - sum(share for _, share in hot)) / count
    others = names("DB", count)
    return [*hot, *((name, each * min(1, count - at)) for at, name in enumerate(others))]


def _alike(constants: Mapping[str, float], own: _Derived, indent: str) -> str:
    """The choice of a volume of IMS where any program may want any of them."""
    hot, count = [(name, disk.share) for name, disk in own.hot.items()], constants["volumes"]
    return _targets(hot, names("DB", count), (count, 1 - sum(share for _, share in hot)), indent)


def _dealt(constants: Mapping[str, float], own: _Derived, indent: str) -> str:
    """The choice of a volume of IMS where programs keep to their own for part of the I/O, shares staying as they are.

    The I/O elsewhere makes up for parts of programs; volumes with the same number of programs are listed together.
    """
    keeps = constants["own"] / 100
    found = dealt(_ims_shares(constants, own), keeps)
    mine = ", ".join(f"{volume.name} = {volume.programs}" for volume in found if volume.programs)
    alike: dict[float, list[str]] = {}
    for volume in found:
        alike.setdefault(volume.other, []).append(volume.name)
    lines = [
        f"{indent}# Beside each volume: how many of the {PROGRAMS} programs have it. Below: the rest of what it gets.",
        f'{indent}{{ weight = {in_scenario(keeps)}, steps = [{{ io = {{ own = {{ {mine} }}, of = "program" }} }}] }},',
    ]
    lines += [_group(own_names, len(own_names) * weight, indent) for weight, own_names in alike.items() if weight > 0]
    return "\n".join([f"{indent[2:]}{{ choose = [", *lines, f"{indent[2:]}] }},"])


def _tso_disks(constants: Mapping[str, float], own: _Derived) -> Iterable[str]:
    yield from (_disk((name, name), TSO, disk.service_ms, "table 2") for name, disk in own.busy.items())
    ios = sum(disk.share for disk in own.busy.values())
    rest = TSO_IO * own.tso_service_ms - sum(disk.share * disk.service_ms for disk in own.busy.values())
    for name in names("TS", constants["volumes"]):
        yield _disk((name, f"E{int(name[2:]):02X}"), TSO, rest / (TSO_IO - ios), "rest of table 1")


def _tso(constants: Constants, own: _Derived) -> Iterable[str]:
    fitted = constants.tso
    count, pairs = fitted["volumes"], fitted["pairs"] / 100
    ios = sum(disk.share for disk in own.busy.values())
    for name in own.busy:
        yield f"""\
[[guest]]
name = "{name}-ahead"
partition = "{TSO}"
arrives = "spawned"
assume = "double buffering: the second request of a pair, for which nobody waits"
program = [ {{ io = {{ volume = "{name}" }} }} ]
"""
    starts = TSO_IO - ios * pairs / 2
    compute = (fitted["cpu"] - SLIH_MS * TSO_IO) / starts
    weights = _paired(own.busy, pairs)
    io = _targets(weights, names("TS", count), (count, TSO_IO - ios), " " * 10, paired=True)
    yield f"""\
[[guest]]
name = "users"
partition = "{TSO}"
count = {own.users}
calibrated = "CPU and pairs {FITTED}; users and classes from figure 6, think time {DERIVED}; demands, {TSO_IO} I/Os a \
command, shapes assumed"
program = [
  {{ think = {{ exponential = "{in_scenario(own.tso_think_s)} s" }} }},
  {{ choose = [
{_classes(starts, compute, io)}
  ] }},
]
"""


def _classes(starts: float, compute: float, io: str) -> str:
    """The classes of figure 6, each with its weight and as many bursts as its demand asks for."""
    percents = document()["figure6"]["tso_workload_percent"]
    mean = sum(transaction.weight(percents) * transaction.demand for transaction in CLASSES) / 100
    lines = []
    for transaction in CLASSES:
        lines.append(f"""\
    {{ weight = {transaction.weight(percents)}, steps = [
      {{ repeat_mean = {in_scenario(starts * transaction.demand / mean)}, steps = [
        {{ compute = {{ exponential = "{in_scenario(compute)} ms" }} }},
{io}
      ] }},
    ] }},""")
    return "\n".join(lines)


def _paired(busy: dict[str, _Disk], pairs: float) -> list[tuple[str, float]]:
    """The choices of each busy volume per command: single requests and, marked +, the first of a pair."""
    found = []
    for name, disk in busy.items():
        found.append((name, disk.share * (1 - pairs)))
        found.append((f"{name}+", disk.share * pairs / 2))
    return found


def _targets(
    hot: list[tuple[str, float]],
    others: list[str],
    rest: tuple[float, float],
    indent: str,
    *,
    paired: bool = False,
) -> str:
    """The choice of a volume: the named ones by weight, the others alike; `rest` is how many and their weight in all.

    Where the number of others has a fraction, the last of them gets that share of what each other one gets.
    """
    count, weight = rest
    full = math.floor(count)
    lines = [
        f"{indent}{{ weight = {in_scenario(share)}, steps = [{_request(name)}] }}," for name, share in hot if share > 0
    ]
    lines.append(_group(others[:full], weight * full / count, indent))
    if count > full:
        last = in_scenario(weight * (count - full) / count)
        lines.append(f"{indent}{{ weight = {last}, steps = [{_request(others[-1])}] }},")
    return "\n".join([f"{indent[2:]}{{ choose = [", *lines, f"{indent[2:]}] }},"])


def _group(volumes: list[str], weight: float, indent: str) -> str:
    """A choice of one volume, or of several alike with their weight in all."""
    if len(volumes) == 1:
        return f"{indent}{{ weight = {in_scenario(weight)}, steps = [{_request(volumes[0])}] }},"
    listed = _listed(volumes, indent)
    return f"{indent}{{ weight = {in_scenario(weight)}, steps = [{{ io = {{ uniform = [\n{listed}\n{indent}] }} }}] }},"


def _request(name: str) -> str:
    if name.endswith("+"):
        volume = name.removesuffix("+")
        return f'{{ spawn = "{volume}-ahead" }}, {{ io = {{ volume = "{volume}" }} }}'
    return f'{{ io = {{ volume = "{name}" }} }}'


def _listed(volumes: list[str], indent: str) -> str:
    rows = [volumes[at : at + 12] for at in range(0, len(volumes), 12)]
    return "\n".join(f"{indent}  " + " ".join(f'"{name}",' for name in row) for row in rows)


def _disk(called: tuple[str, str], domain: str, service_ms: float, source: str) -> str:
    fixed = service_ms - ROTATION_MS / 2 - PEND_MS
    service = f'pend = "{PEND_MS} ms", disconnect = {{ uniform = ["0 ms", "{ROTATION_MS} ms"] }}'
    service += f', connect = "{in_scenario(fixed)} ms"'
    return _volume(called, domain, service, f'source = "RESP - IOSQ, {source}"')


def _volume(called: tuple[str, str], domain: str, service: str, note: str) -> str:
    """A volume on one line: there are more of them than of everything else."""
    name, device = called
    return f'  {{ name = "{name}", device = "{device}", partition = "{domain}", service = {{ {service} }}, {note} }},'


def names(prefix: str, count: float) -> list[str]:
    """The names of `count` alike volumes, a fraction of one included.

    >>> names("DB", 2.5)
    ['DB01', 'DB02', 'DB03']
    """
    return [f"{prefix}{number:02d}" for number in range(1, math.ceil(count) + 1)]


_MEASURE = """\
[measure]
interval = "1 h"
warm_up = "20 min"
replications = 10
source = "how this study measures"
"""
