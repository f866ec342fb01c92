"""The load of a scenario, typed: guests with their programs, what they hold and enqueue on, and what changes meanwhile.

Fields are named as the keys of the scenario language, with the units of their numbers; None is a key that is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from slicewright.scenario.machine import ControlProgram, Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """`[[guest]]`: guests that run the same program: closed (`count`), open, replayed, or spawned by others."""

    name: str
    partition: str | None
    virtual_machine: str | None
    cgroup: str | None
    priority: int | None
    nice: float | None
    processor: int | None
    count: int | None
    arrivals_per_s: float | None
    batch: int | None
    batch_mean: float | None
    replay: str | None
    arrives: str | None
    program: tuple[Step, ...]

    @property
    def every_step(self) -> Iterator[Step]:
        """Every step of the program, those within steps too."""
        return _every(self.program)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a program; the fields that are not None, or not empty, say what it does."""

    think: Distribution | None
    compute: Distribution | None
    pace_percent: float | None
    intercept_s: float | None
    io: Io | None
    message_in: str | None
    message_out: str | None
    spawn: str | None
    exchange: str | None
    network: str | None
    request_bytes: int | None
    reply_bytes: int | None
    repeat: int | None
    repeat_mean: float | None
    hold: str | None
    lock: str | None
    thread_lock: str | None
    enq: str | None
    access: str | None
    ret: str | None
    linkage: str | None
    do: tuple[Step, ...]
    deq: str | None
    choose: tuple[Alternative, ...]
    steps: tuple[Step, ...]

    @property
    def within(self) -> Iterator[Step]:
        """The steps that it is made of."""
        yield from self.do
        yield from self.steps
        for alternative in self.choose:
            yield from alternative.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One of the alternatives of `choose`."""

    weight: float
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Io:
    """Where an I/O goes, how much it transfers and which way."""

    volume: str | None
    minidisk: str | None
    uniform: tuple[str, ...]
    weighted: Mapping[str, float]
    zipf: tuple[str, ...]
    exponent: float | None
    own: Mapping[str, float]
    of: str | None
    bytes: int
    reads_percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """`[[resource]]`: units that guests hold for a while and queue for."""

    name: str
    count: int
    members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Serialization:
    """`[serialization]`: the service of ENQ and DEQ, with its exits and prices."""

    exits: str
    managed: str | None
    answer_s: float
    systems: str
    residency_s: float
    transmission_s: float | None
    accelsys: int | None
    structure_service_s: float
    linkage: str
    name_lists: str | None
    cost: SerializationCost
    own_exits: tuple[OwnExit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SerializationCost:
    """Processor time that the pieces of a request take."""

    enq_s: float
    chng_s: float
    deq_s: float
    front_end_s: float
    list_s: float
    entry_s: float
    obtained_s: float
    pooled_s: float
    single_s: float
    state_s: float
    copy_per_kib_s: float
    fault_s: float
    recovery_s: float
    relock_s: float
    message_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnExit:
    """`[[serialization.exit]]`: an exit of the installation's own."""

    name: str
    point: str
    names: str | None
    rename: str | None
    scope: str | None
    volume: tuple[str, ...]
    no_volume: bool | None
    skip_lists: bool | None
    want: bool | None
    code: int | None
    drop_reserve: bool | None
    abend: int | None
    fail: bool | None
    stops: bool | None
    own_s: float
    installed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enqueue:
    """`[[enqueue]]`: a resource that guests of partitions enqueue on by name."""

    name: str
    qname: str
    rname: str
    scope: str
    members: int
    reserve: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`[[change]]`: what changes at an instant after the start of the first interval; one of its fields is not None."""

    at_s: float
    aliases: AliasChange | None
    paths: PathChange | None
    reserve: str | None
    release: str | None
    partition: PartitionChange | None
    scheduling_parameter: int | None
    add: str | None
    delete: str | None
    srm: SrmChange | None
    add_exit: str | None
    delete_exit: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasChange:
    """How many aliases of a pool or of a volume are online from now on."""

    pool: str | None
    volume: str | None
    online: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PathChange:
    """How many paths to a control unit are online from now on."""

    control_unit: str
    online: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionChange:
    """The share that a partition has from now on."""

    name: str
    target_percent: float | None
    maximum_percent: float | None
    weight: int | None
    online: int | None

    @property
    def settings(self) -> dict[str, str]:
        """The new share and the processors online, by key, with units."""
        shares = {"target": self.target_percent, "maximum": self.maximum_percent}
        numbers = {"weight": self.weight, "online": self.online}
        counts = {key: str(number) for key, number in numbers.items() if number is not None}
        return counts | {key: f"{share:g} %" for key, share in shares.items() if share is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class SrmChange:
    """Settings of SET SRM in the control program of a partition."""

    partition: str
    polarization: str | None
    method: str | None
    cpupad_percent: float | None
    excessuse: str | None
    unparking: str | None
    slice_s: float | None


def srm_settings(srm: SrmChange | ControlProgram) -> dict[str, str]:
    """Settings of SET SRM, of a change or at the start, by key, with units.

    >>> from slicewright.scenario.starters import read_starter
    >>> srm_settings(read_starter("zvm").view.partitions[0].control_program)["unparking"]
    'small'
    """
    values = {
        "polarization": srm.polarization,
        "method": srm.method,
        "cpupad": None if srm.cpupad_percent is None else f"{srm.cpupad_percent:g} %",
        "excessuse": srm.excessuse,
        "unparking": srm.unparking,
        "slice": None if srm.slice_s is None else f"{1000 * srm.slice_s:g} ms",
    }
    return {key: value for key, value in values.items() if value is not None}


def _every(program: Iterable[Step]) -> Iterator[Step]:
    for step in program:
        yield step
        yield from _every(step.within)
