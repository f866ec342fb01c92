"""The machine of a scenario, typed: processors, partitions, control programs, virtual machines, devices.

Fields are named as the keys of the scenario language, with the units of their numbers; None is a key that is absent.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How a span of time is distributed: the field that is not None names the kind and gives its mean."""

    constant_s: float | None
    exponential_s: float | None
    uniform_s: tuple[float, float] | None
    erlang_s: float | None
    hyperexponential_s: float | None
    gamma_s: float | None
    stages: int | None
    scv: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect(Distribution):
    """The distribution of connect time, and how its mean grows with concurrency and size."""

    per_concurrent_s: float
    per_kib_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cec:
    """`[cec]`: the physical processors and how they are shared; fields of other dispatchers are None."""

    processors: int
    machine: str | None
    dispatcher: str
    scheduling_parameter: int | None
    slice_s: float | None
    dispatching: str | None
    run_time_s: float | None
    wait_completion: bool | None
    preemption: str | None
    bandwidth_slice_s: float | None
    base_slice_s: float | None
    tick_s: float | None
    wakeup_preemption: bool | None
    slice_ends: str | None
    sched_yield: str | None
    switch_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """`[topology]`: how cores lie, and which caches they share."""

    cores_per_chip: int
    chips_per_book: int
    cores_per_book: int | None
    nest_cost: float | None
    caches: tuple[CacheLevel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLevel:
    """`[[topology.cache]]`: a level of caches, innermost first."""

    name: str
    shared_by: str
    size_bytes: int
    nest: float | None
    beyond: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LparGroup:
    """`[[lpar_group]]`: a group of partitions under one absolute cap, in processors' worth."""

    name: str
    cap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cgroup:
    """`[[cgroup]]`: a group of threads under Linux, as its control files have it."""

    name: str
    cpu_max: str
    cpu_max_burst: str
    cpu_weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """`[[partition]]`: an operating system, or a control program, with its logical processors."""

    name: str
    logical_processors: int
    mode: str
    target_percent: float | None
    maximum_percent: float | None
    weight: int | None
    capped: bool | None
    cap: float | None
    lpar_group: str | None
    online: int | None
    polarization: str | None
    active: bool | None
    slih: Distribution | None
    ssch: Distribution | None
    reload_s: float | None
    enabled: int | None
    cpenable: Cpenable | None
    rmf: Rmf | None
    control_program: ControlProgram | None
    architecture_mode: str | None
    storage_size: str | None
    storage_location: str | None
    console_address: str | None

    @property
    def program(self) -> ControlProgram:
        """Its control program, of a partition that has one."""
        assert self.control_program is not None, f"partition {self.name} has a control program"
        return self.control_program

    @property
    def dedicated(self) -> bool:
        """Whether its processors are its own (mode UP)."""
        return self.mode == "UP"

    @property
    def at_start(self) -> bool:
        """Whether it is there from the start, and not added by a change."""
        return self.active is not False

    @property
    def vertical(self) -> bool:
        """Whether its logical processors are polarized vertically."""
        program = self.control_program
        return "vertical" in (self.polarization, program.polarization if program else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpenable:
    """CPENABLE: when one more processor is enabled for I/O interrupts, and when one fewer."""

    low_percent: float
    high_percent: float
    every_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rmf:
    """The measurement program inside a partition, which samples queues."""

    cycle_s: float
    jitter_s: float
    priority: int | None
    takes: Distribution | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlProgram:
    """The control program of a partition (z/VM): what SET SRM sets, its lock, its costs, its controller."""

    polarization: str
    method: str
    cpupad_percent: float
    excessuse: str
    unparking: str
    slice_s: float
    slice_jitter_percent: float
    homes: str
    vector_order: str
    horizontal_stealing: str
    vertical_stealing: str
    barriers: tuple[int, ...]
    lock: SchedulerLock
    costs: PathCosts
    controller: ParkingController
    soft_wait_s: float
    pause_loop: PauseLoop | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerLock:
    """The scheduler lock of a control program (SRMSLOCK)."""

    mode: str
    hold_s: float
    per_waiter_s: float
    handover: str
    spin_retry: int
    spin_try_s: float
    yields: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCosts:
    """Processor time that the path of a control program takes."""

    wake_s: float
    dispatch_s: float
    wait_s: float
    simulate_s: float
    look_s: float
    entry_s: float
    park_s: float
    fast_x44_s: float
    x44_s: float
    x9c_s: float
    sense_s: float
    kick_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseLoop:
    """Pause-loop exiting: when loops of guests that spin are intercepted, and what happens then."""

    window_s: float
    gap_s: float
    grow: int
    shrink: int
    most_s: float
    exit_s: float
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkingController:
    """When a control program parks and unparks processors."""

    every_s: float
    history: int
    percentile_percent: float
    margin_percent: float
    tv_threshold: float
    start: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualMachine:
    """`[[virtual_machine]]`: virtual machines of one kind in a partition with a control program."""

    name: str
    partition: str
    count: int
    virtual_processors: int
    share: int | None
    absolute_share_percent: float | None
    limit_percent: float | None
    footprint_bytes: int | None
    touched_in_s: float | None
    guest_type: str | None
    spin_retry: int | None
    spin_try_s: float | None
    yields: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpinLock:
    """`[[spin_lock]]`: a spin lock of the operating system in virtual machines of one kind."""

    name: str
    virtual_machine: str
    count: int
    order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLock:
    """`[[thread_lock]]`: a lock that threads share."""

    name: str
    wait: str
    order: str
    attempt_s: float
    tries: int | None
    call_s: float | None
    wake_s: float | None
    lift: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """`[[network]]`: a network between virtual machines."""

    name: str
    latency_s: float
    rate_bytes_per_s: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """`[[channel]]`: a channel path (CHPID): the serial time of an I/O on it, and how it serves several."""

    name: str
    type: str | None
    per_io_s: float
    per_kib_s: float
    duplex: str
    holds: str
    discipline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlUnit:
    """`[[control_unit]]`: a control unit with the path group that leads to it."""

    name: str
    paths: int
    channels: tuple[str, ...] | None
    selection: str | None
    sharing_percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasPool:
    """`[[alias_pool]]`: aliases that volumes of the pool borrow for one I/O (HyperPAV)."""

    name: str
    aliases: int
    first_alias: str
    redispatch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """`[[volume]]`: a disk volume with its base device; `aliases` and `limit_per_s` are None without them."""

    name: str
    device: str
    type: str
    partition: str | None
    control_unit: str | None
    alias_pool: str | None
    aliases: int | None
    first_alias: str | None
    redispatch: str | None
    gap_s: float
    limit_per_s: float | None
    limit_slice_s: float | None
    limit_tick_s: float | None
    service: Service


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The parts of an I/O: pend, disconnect and connect."""

    pend: Distribution
    disconnect: Distribution
    connect: Connect


@dataclass(frozen=True, slots=True, kw_only=True)
class Minidisk:
    """`[[minidisk]]`: a part of a volume that is used for one I/O at a time."""

    name: str
    volume: str
    cache: MinidiskCache | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MinidiskCache:
    """The minidisk cache: how many reads hit, and how long a hit takes."""

    read_hits_percent: float
    time: Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """`[[front_end]]`: a front-end processor through which messages come and go."""

    name: str
    volume: str
    messages: float
    first_messages: float | None
