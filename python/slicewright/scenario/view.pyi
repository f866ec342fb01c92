"""A scenario, typed and read-only.  Written by `python -m docs.generate view` from the engine's keys."""

from collections.abc import Mapping
from dataclasses import dataclass

from slicewright.scenario import derived

@dataclass(frozen=True, slots=True, kw_only=True)
class View(derived.View):
    """A machine, its load, and how it is measured."""

    name: str
    """Name of the scenario in results."""
    source: Source | None
    """Where the numbers come from; covers every number that no nearer note covers."""
    cec: Cec | None
    """The processors that partitions share."""
    topology: Topology | None
    """Arrangement of the cores and the caches that they share."""
    lpar_groups: tuple[LparGroup, ...]
    """A group of partitions that PR/SM caps together."""
    partitions: tuple[Partition, ...]
    """A partition or domain with its logical processors."""
    cgroups: tuple[Cgroup, ...]
    """A group of threads under Linux, in place of partitions."""
    virtual_machines: tuple[VirtualMachine, ...]
    """Virtual machines of one kind, in a partition with a control program."""
    spin_locks: tuple[SpinLock, ...]
    """A spin lock of the operating system in virtual machines of one kind."""
    thread_locks: tuple[ThreadLock, ...]
    """A lock that threads share."""
    networks: tuple[Network, ...]
    """A network over which virtual machines exchange requests and replies."""
    channels: tuple[Channel, ...]
    """A channel path, which carries one I/O at a time in each direction."""
    control_units: tuple[ControlUnit, ...]
    """A control unit with the path group that leads to it."""
    alias_pools: tuple[AliasPool, ...]
    """A HyperPAV pool."""
    volumes: tuple[Volume, ...]
    """A disk volume with its base device."""
    minidisks: tuple[Minidisk, ...]
    """A part of a volume that is used for one I/O at a time."""
    resources: tuple[Resource, ...]
    """Something that guests hold for a while and queue for."""
    serialization: Serialization | None
    """The service of ENQ and DEQ, with its exits and prices."""
    enqueues: tuple[Enqueue, ...]
    """A resource that guests of partitions enqueue on by name."""
    front_ends: tuple[FrontEnd, ...]
    """A front-end processor through which messages come and go."""
    classes: tuple[Class, ...]
    """A class of business: guests, virtual machines and paging that grow together."""
    guests: tuple[Guest, ...]
    """A group of guests that run the same program."""
    pagings: tuple[Paging, ...]
    """Pages that a control program or a system reads and writes by itself: paging, or spooling."""
    changes: tuple[Change, ...]
    """Changes while the machine runs; they have numbers in place of names, from 1."""
    measure: Measure
    """Length and number of measurements."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The document that the numbers come from."""

    document: str
    """The title of the document the numbers were read in."""
    report: str | None
    """The report or run within the document."""
    section: str | None
    """The section or table within the document."""
    remark: str | None
    """Remarks on the numbers of the document."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Cec:
    """The central electronic complex: the processors that partitions share, in slices of fixed length or by weight, or
    threads."""

    processors: int
    """Physical processors, including those of dedicated partitions."""
    machine: str | None
    """Arrangement of its cores and the caches that they share: a description that ships with slicewright; those of
    dedicated partitions come first."""
    dispatcher: str
    """The scheduler of shared processors: fixed slices in turn (580/MDF), each logical processor by weight (PR/SM), or
    threads in groups with limits (Linux's fair scheduler)."""
    scheduling_parameter: int | None
    """SCHEDULING PARAMETER of the System Scheduling screen (figure 3): the slice of an equal share is 35 - 5 x this ms,
    30 at 1 and 10 at 5 (Partitioning Large Processors, 7.0)."""
    slice_s: float | None
    """The slice of an equal share, where no scheduling parameter gives it."""
    dispatching: str | None
    """Assignment of shared processors: all to one partition at a time, or each a turn ahead of the one before it."""
    run_time_s: float | None
    """PR/SM: longest run of a logical processor before others are looked at, in place of the formula; a vertical high
    has 100 ms."""
    wait_completion: bool | None
    """PR/SM, Wait Completion: whether a logical processor keeps its physical one through waits until its run is
    over."""
    preemption: str | None
    """PR/SM: whether an I/O interrupt takes a physical processor from a logical one of another partition."""
    bandwidth_slice_s: float | None
    """Cfs, sched_cfs_bandwidth_slice_us: what a processor takes from the quota of a group at a time."""
    base_slice_s: float | None
    """Cfs, base_slice_ns: how long a thread is meant to run before others of its group are looked at, and a group
    before others."""
    tick_s: float | None
    """Cfs: time between ticks of a processor (1 / CONFIG_HZ), which detect a used-up quota or slice; use above the
    quota is owed."""
    wakeup_preemption: bool | None
    """Cfs: whether a thread that wakes with the earliest deadline preempts the running thread, or waits until that one
    has had its base slice."""
    slice_ends: str | None
    """Cfs with ticks: where the end of a base slice is noticed. steps: at ticks and at the ends of steps of a program.
    ticks: at ticks and calls of the scheduler only, for programs that compute in several steps."""
    sched_yield: str | None
    """Cfs: what sched_yield takes from its caller. forfeit: the rest of its base slice, in virtual time. deadline: its
    virtual deadline alone is a base slice later, as from 6.6 on."""
    switch_s: float | None
    """Time to switch a processor to a partition, taken from the beginning of that partition's slice or run; cfs: time
    of a thread that a processor begins to run."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """Arrangement of the machine's cores and the caches that they share, written out, or `cec.machine` with another
    `beyond`."""

    cores_per_chip: int
    """Cores per chip."""
    chips_per_book: int
    """Chips per book (or drawer)."""
    cores_per_book: int | None
    """Processors of a book (or drawer) that partitions can have; the last chips of a book then have fewer, or none."""
    nest_cost: float | None
    """Addition to the time in warm caches for each unit of `nest`: `beyond` is 1 + `nest` x `nest_cost`."""
    caches: tuple[CacheLevel, ...]
    """A level of caches, the innermost first, at most three."""

@dataclass(frozen=True, slots=True, kw_only=True)
class LparGroup:
    """A group of partitions with one absolute cap; a partition names its group."""

    name: str
    """Name; no two of a kind have the same name."""
    cap: float
    """PR/SM, absolute group capping: what its partitions get together at most, in processors' worth."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Partition(derived.Partition):
    """A partition or domain: an operating system with logical processors of its own."""

    name: str
    """Name; no two of a kind have the same name."""
    logical_processors: int
    """NUMBER OF LP'S of the Configuration Attributes screen (figure 2): number of logical processors."""
    mode: str
    """MP: it shares processors with others, in slices; UP: each logical processor has a physical one for itself
    (Partitioning Large Processors, 5.0)."""
    target_percent: float | None
    """TARGET CPU PERCENTAGE (figures 2 and 3): its share, of the sum of all targets, is its part of a frame of
    slices."""
    maximum_percent: float | None
    """MAXIMUM CPU PERCENTAGE (figures 2 and 3): the most of a frame that it gets; the rest of its share stays idle."""
    weight: int | None
    """PR/SM, initial processing weight: its share of the shared processors, over the sum of all weights, while others
    want theirs too."""
    capped: bool | None
    """PR/SM, Initial Capping: whether each of its logical processors gets no more than its part of the share."""
    cap: float | None
    """PR/SM, absolute capping: what it gets at most, in processors' worth, evenly over its logical processors."""
    lpar_group: str | None
    """PR/SM, Group Name: the group whose absolute cap it shares with the other partitions of the group."""
    online: int | None
    """PR/SM, initial processors: number of its logical processors online at the start, the first ones; the others are
    reserved, and a change configures them online."""
    polarization: str | None
    """PR/SM: whether the share lies evenly on its logical processors, or on as few as possible: high, medium and low
    ones."""
    active: bool | None
    """No: it is not there until a change adds it (A on the Configuration Attributes screen, figure 2)."""
    slih: Distribution | None
    """Time of the second-level interrupt handler per I/O interrupt."""
    ssch: Distribution | None
    """Processor time of the program to start an I/O, before the channel subsystem has it (SSCH)."""
    reload_s: float | None
    """Time that each logical processor loses at the beginning of a slice to reload its caches."""
    enabled: int | None
    """Number of its logical processors that take I/O interrupts while they have work; those in wait always do."""
    cpenable: Cpenable | None
    """CPENABLE(LO,HI): enables one more or one fewer by the share of interrupts that a handler finds by testing (TPI);
    (0,0) enables all from the start."""
    rmf: Rmf | None
    """The measurement program inside it, which samples queues when the partition lets it."""
    control_program: ControlProgram | None
    """The control program in it (z/VM), which dispatches virtual machines on its logical processors."""
    architecture_mode: str | None
    """ARCHITECTURE MODE of the Configuration Attributes screen (figure 2); no time depends on it."""
    storage_size: str | None
    """STORAGE SIZE of that screen: "64M", or "ALL"; no time depends on it."""
    storage_location: str | None
    """STORAGE LOCATION of that screen: "ANY", or a hexadecimal address; no time depends on it."""
    console_address: str | None
    """CONSOLE ADDRESS of that screen: "NONE", or an address; no time depends on it."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Cgroup:
    """A group of threads under Linux, with what limits it."""

    name: str
    """Name; no two of a kind have the same name."""
    cpu_max: str
    """Time that its threads may run, on all processors together, in each period: "20 ms 100 ms", or as in the file
    "20000 100000", microseconds; a period that is not given is 100 ms; "max" is no limit (Linux, cgroup-v2)."""
    cpu_max_burst: str
    """Unused quota that it may use later, at most: "10 ms", or as in the file "10000"; up to the quota (Linux,
    cgroup-v2)."""
    cpu_weight: int
    """Its share of a processor beside other groups that want it, over the sum of their weights (Linux, cgroup-v2)."""
    shared_data_percent: float | None
    """Cost of data that all threads of the group write: their work takes this much longer for each other one that runs;
    assumed of a load, since no source has it for all."""
    shared_data_far_percent: float | None
    """The same for each other one that runs on another chip of [topology] or `cec.machine`; other books are as far."""

@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualMachine:
    """Virtual machines of one kind, which a control program dispatches."""

    name: str
    """Name; no two of a kind have the same name."""
    of_class: str | None
    """The class of business; `--set guest.@CLASS.key=value` means all guests of a class."""
    partition: str
    """The partition in which they are; it has a control program."""
    count: int
    """Number of machines of the kind; guests are assigned to them in turn."""
    growth_percent: float | None
    """Growth of their number: `count` is multiplied and rounded; guests in them grow by their own growth."""
    virtual_processors: int
    """Virtual processors of each."""
    share: int | None
    """SHARE RELATIVE: what each of them is promised, beside the shares of the others."""
    absolute_share_percent: float | None
    """SHARE ABSOLUTE: what each of them is promised, of all logical processors of the partition."""
    limit_percent: float | None
    """LIMITHARD: the most that each of them gets, of all logical processors of the partition."""
    footprint_bytes: int | None
    """Storage of each of its virtual processors in the caches."""
    touched_in_s: float | None
    """Run time of a virtual processor until it has touched all but 1/e of that storage."""
    guest_type: str | None
    """Which operating system runs in each of them: a description that ships with slicewright and gives `spin_retry` and
    `yields`."""
    spin_retry: int | None
    """Attempts of its operating system to take a held spin lock before it yields; at 0 it yields after every
    attempt."""
    spin_try_s: float | None
    """Time of one such attempt."""
    yields: str | None
    """Yield: never. X'44' ends the own slice, X'9C' runs the holder of the lock. `sense-running` is X'9C' unless SIGP
    Sense Running Status reports that the holder runs. `halt` waits for the release of the lock, which needs locks with
    turns. `pause-loop` loops until the processor intercepts it, as `pause_loop` of the control program says."""

@dataclass(frozen=True, slots=True, kw_only=True)
class SpinLock:
    """A spin lock of the operating system in virtual machines: a guest that finds it held spins on its virtual
    processor."""

    name: str
    """Name; no two of a kind have the same name."""
    virtual_machine: str
    """The kind of virtual machines whose operating system has it; each machine of the kind has its own."""
    count: int
    """Number of equal locks in each machine; a guest takes a certain one, each equally likely."""
    order: str
    """Order of grants. unordered: the first to try once it is free, newcomers too. ticket: first come, first served.
    queued: the same, with each watching the one before, the target of its yields."""

@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLock:
    """A lock that threads share: one has it, and the others spin, yield their processor or sleep."""

    name: str
    """Name; no two of a kind have the same name."""
    wait: str
    """What a thread does that finds it held. spin: tries until it has it. yield: calls sched_yield after `tries`.
    sleep: sleeps until a release wakes it, as with a futex."""
    order: str
    """Order of grants. unordered: the first to try once it is free, newcomers too. ticket: first come, first served."""
    attempt_s: float
    """Processor time of a try; an uncontended lock takes one."""
    tries: int | None
    """Yield: tries before a thread yields, each time."""
    call_s: float | None
    """Yield, sleep: processor time of the call that yields, or that goes to sleep."""
    wake_s: float | None
    """Sleep: processor time of the call that wakes, at each release after a wait."""
    lift: float | None
    """Nice level of a thread while it holds the lock, so that its scheduler prefers it."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network between virtual machines: what goes over it takes its latency and bytes / rate, whatever else goes
    there."""

    name: str
    """Name; no two of a kind have the same name."""
    latency_s: float
    """Latency of the first byte."""
    rate_bytes_per_s: int | None
    """Bytes per second to one end, as an amount of data: "100 MB"."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel path (CHPID): the serial time of an I/O on it, and how it serves several."""

    name: str
    """Name; no two of a kind have the same name."""
    type: str | None
    """The published channel that gives the numbers below."""
    per_io_s: float
    """Serial time per I/O, whatever it transfers: time for which the channel is busy with it."""
    per_kib_s: float
    """Serial time per KiB of an I/O: 1.024 ms over the link rate in MB/s."""
    duplex: str
    """Full: reads and writes each have the channel to themselves; half: they share it."""
    holds: str
    """Transfer: an I/O holds it for the serial time alone, and waits in its connect time; connection: for all of its
    connect time, and waits in pend or disconnect."""
    discipline: str
    """Shared: it interleaves the frames of all its I/Os, which progress evenly (processor sharing); fifo: it carries
    one I/O at a time in each direction, in the order of asking."""

@dataclass(frozen=True, slots=True, kw_only=True)
class ControlUnit:
    """A control unit with the path group that leads to it."""

    name: str
    """Name; no two of a kind have the same name."""
    paths: int
    """Channel paths to the control unit, as reports print them."""
    channels: tuple[str, ...]
    """The channels of the path group, a path each; several control units may share a channel."""
    selection: str | None
    """Rotating: the channels in turn, whatever is there; first-free: the next in turn that is free, with one queue for
    all, or of shared channels the one with the fewest I/Os."""
    sharing_percent: float
    """With n connected each progresses at 1 / (1 + sharing (n - 1)); 100 % is one path shared by all."""

@dataclass(frozen=True, slots=True, kw_only=True)
class AliasPool:
    """Aliases that any volume of the pool may borrow for one I/O (HyperPAV)."""

    name: str
    """Name; no two of a kind have the same name."""
    aliases: int
    """Aliases in the pool; may be 0."""
    first_alias: str
    """Device number of the first alias; the others follow it."""
    redispatch: str
    """Action of an alias when its I/O ends: return to the pool, take from its volume, take from any volume of the
    pool."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """A disk volume with its base device."""

    name: str
    """Name; no two of a kind have the same name."""
    device: str
    """Device number of the base; of volumes whose name counts up that of the first."""
    type: str
    """Device type as reports print it."""
    partition: str | None
    """The partition that does its I/O: the interrupt at the end waits for it, and the device is busy until it is
    handled."""
    control_unit: str | None
    """The control unit it is on."""
    alias_pool: str | None
    """HyperPAV: the pool it borrows aliases from."""
    aliases: int | None
    """Classic PAV: aliases bound to it."""
    first_alias: str | None
    """Device number of the first alias; the others follow it."""
    redispatch: str | None
    """Action of an alias when its I/O ends: return to the pool, take from its volume, take from any volume of the
    pool."""
    gap_s: float
    """Path length of the control program between an I/O's end and the next start on the same exposure."""
    limit_per_s: float | None
    """How many I/Os a second may start, as `riops` of io.max; an I/O without a token keeps its exposure and stays
    pending."""
    limit_slice_s: float | None
    """The tokens of a slice are all there when it begins; an I/O that finds none waits for the next slice."""
    limit_tick_s: float | None
    """Tick of the clock that slices are counted in; waiting I/Os go on one tick after a slice has begun."""
    service: Service
    """Service time of an I/O, part by part."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Minidisk:
    """A part of a volume that does one I/O at a time for all guests; others wait for their turn."""

    name: str
    """Name; no two of a kind have the same name."""
    volume: str
    """The volume it lies on."""
    cache: MinidiskCache | None
    """The minidisk cache that avoids some of its I/Os."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Units that guests hold for a while; a guest that finds none free waits, first come, first served."""

    name: str
    """Name; no two of a kind have the same name."""
    count: int
    """Number of units, each held by one task at a time."""
    members: int
    """Number of equal resources, with `count` units and a queue each; a guest needs a certain one, each equally
    likely."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Serialization:
    """The service of ENQ and DEQ, the same in all partitions."""

    exits: str
    """Interface of a multi-image manager to requests: none, in front of the SVC, or by slow exits at every request
    (batch). The others have fast exits that select requests for the slow one, with pooled storage or a single area."""
    managed: str | None
    """The names that the manager shares with other systems, as RNLDEF statements of an inclusion list."""
    answer_s: float
    """Response time of the manager to a message, during which the task waits."""
    systems: str
    """Exchange of global requests between systems: none, by a ring message, by a lock structure."""
    residency_s: float
    """Ring: how long each system holds the message; a request waits for it and then for its way round."""
    transmission_s: float | None
    """Ring: time of the message from one system to the next, and of the signal of ring acceleration."""
    accelsys: int | None
    """Ring acceleration (ACCELSYS): number of systems that have to see a request, its own among them, before it is
    granted; a ring of fewer systems is not accelerated."""
    structure_service_s: float
    """Star: how long the lock structure takes for a request."""
    linkage: str
    """The door through which programs call: the supervisor call, or the program call (LINKAGE=SYSTEM), which no front
    end of the supervisor call sees."""
    name_lists: str | None
    """Resource name lists, the same in all systems: the text of a GRSRNLxx member."""
    cost: SerializationCost
    """The processor time of the pieces of a request."""
    own_exits: tuple[OwnExit, ...]
    """Exits of the installation's own, called behind those of the manager."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Enqueue:
    """A resource that guests of partitions enqueue on by name, with a queue of owners and waiters."""

    name: str
    """Name; no two of a kind have the same name."""
    qname: str
    """Its major name, 1 to 8 characters: "SYSDSN"."""
    rname: str
    """Its minor name, up to 200 characters; that of members has a period and their number from 1 behind it."""
    scope: str
    """Requested scope of the name: one group of guests (an address space), one partition (a system), all."""
    members: int
    """Number of equal resources of this name; a request is for a certain one, each equally likely."""
    reserve: tuple[str, ...]
    """It is asked for by RESERVE, which takes the volume for one system as well: a volume of each partition that sees
    it; I/Os of others to it stay pending meanwhile."""

@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """A front-end processor: messages wait in it, in and out by turns, and ride together on one I/O of its
    subchannel."""

    name: str
    """Name; no two of a kind have the same name."""
    volume: str
    """The volume that stands for its subchannel; nothing else does I/O to it."""
    messages: float
    """Mean number of messages per I/O, at most those waiting; each I/O takes one of the two whole numbers beside it."""
    first_messages: float | None
    """The same for the first I/O after its partition was dispatched, which may take along what has gathered
    meanwhile."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """A class of business: guests, virtual machines and paging that grow together."""

    name: str
    """Name; no two of a kind have the same name."""
    growth_percent: float | None
    """Growth of all that are of the class and have none of their own."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Guest(derived.Guest):
    """A group of guests that run the same program."""

    name: str
    """Name; no two of a kind have the same name."""
    of_class: str | None
    """The class of business; `--set guest.@CLASS.key=value` means all guests of a class."""
    partition: str | None
    """The partition in which they run; their I/O goes to its volumes only."""
    virtual_machine: str | None
    """The virtual machines in which they run, spread over those of the kind by turns; each that needs a processor takes
    a virtual one."""
    cgroup: str | None
    """The cgroup in which they run, each of them a thread."""
    priority: int | None
    """Dispatching priority in the partition: the higher number goes first, and takes a processor from a lower one."""
    nice: float | None
    """Nice level of the threads: each step is a factor of 1.25 in weight beside the other threads of the group (Linux,
    sched-nice-design)."""
    processor: int | None
    """The one processor on which the threads may run, counted from zero (sched_setaffinity)."""
    count: int | None
    """Closed: number of guests, each of which starts over at the end of its program."""
    arrivals_per_s: float | None
    """Open: Poisson arrivals from outside, each running the program once."""
    batch: int | None
    """Guests per arrival; `arrivals` is then the rate of batches."""
    batch_mean: float | None
    """Mean number of guests per arrival: at least one, geometrically distributed."""
    growth_percent: float | None
    """Growth of the load as written: arrivals come more often, a closed `count` is multiplied and rounded."""
    replay: str | None
    """Recorded: a file of I/Os, CSV or Parquet, each of which arrives at its time, is done and leaves."""
    arrives: str | None
    """Spawned: whenever a program does a `spawn` of it, or an `exchange` with it, one more runs the program once."""
    program: tuple[Step, ...]
    """Steps of each guest, in order."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Pages that a control program or a system reads and writes by itself: paging, or spooling."""

    name: str
    """Name; no two of a kind have the same name."""
    of_class: str | None
    """The class of business; `--set guest.@CLASS.key=value` means all guests of a class."""
    partition: str | None
    """The partition in which they run; their I/O goes to its volumes only."""
    volumes: tuple[str, ...]
    """Volumes with the page or spool space, each equally likely."""
    reads_per_s: float | None
    """Pages read in a second: page-ins of the interval, or spool reads."""
    writes_per_s: float | None
    """Pages written in a second: page-outs of the interval, or spool writes."""
    growth_percent: float | None
    """Growth of both rates."""
    pages_per_io: float
    """Pages of 4 KiB that one I/O transfers, on average; paging with other blocks is a table of its own."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change while the machine runs; changes at one time happen in the order of the file."""

    at_s: float
    """When, since the start of the first interval; the warm-up comes before."""
    aliases: AliasChange | None
    """This many aliases are online from now on; one that is busy leaves when its I/O ends."""
    paths: PathChange | None
    """This many paths are online from now on; with none, I/O that starts stays pending."""
    reserve: str | None
    """Another system reserves this volume: I/O in progress finishes, I/O that starts stays pending."""
    release: str | None
    """The other system releases this volume, and what is pending goes on."""
    partition: PartitionChange | None
    """A partition is promised something else, from the next slice or dispatch on, or has other processors online."""
    scheduling_parameter: int | None
    """Slices: SCHEDULING PARAMETER of the System Scheduling screen from the next slice on (P there, figure 3)."""
    add: str | None
    """A partition that is not there is added (A on the Configuration Attributes screen, figure 2)."""
    delete: str | None
    """A partition that is there is deleted (D on that screen); its programs stop where they are, and its resources are
    released."""
    srm: SrmChange | None
    """SET SRM in the control program of a partition."""
    add_exit: str | None
    """An exit of the installation's own is added in all systems, behind those that are at its point (SETPROG
    EXIT,ADD)."""
    delete_exit: str | None
    """An exit of the installation's own is deleted from all systems, one that failed too (SETPROG EXIT,DELETE)."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(derived.Measure):
    """Length and number of measurements of the scenario."""

    interval_s: float
    """Length of each reported interval."""
    intervals: int
    """Number of consecutive measured intervals."""
    warm_up_s: float | None
    """Time simulated before measurement begins."""
    replications: int
    """Number of independent runs, from which half-widths are computed."""
    sample_s: float
    """Interval at which the control program samples queues."""

@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLevel:
    """A level of caches."""

    name: str
    """Name; no two of a kind have the same name."""
    shared_by: str
    """The cores that share one of them: a single core, the cores of a chip, the cores of a book."""
    size_bytes: int
    """Size of one of them."""
    nest: float | None
    """Weight of a fetch from beyond it in the machine's Relative Nest Intensity, without the common factor."""
    beyond: float
    """Factor on the time in warm caches for work whose storage is in no cache up to this one."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Distribution of random spans of time."""

    constant_s: float | None
    """Always this span."""
    exponential_s: float | None
    """Memoryless, with this mean."""
    uniform_s: tuple[float, float] | None
    """Every span between these two equally likely."""
    erlang_s: float | None
    """The sum of equal exponential stages, with this mean."""
    hyperexponential_s: float | None
    """One of two exponential spans with balanced means, with this mean (scv at least 1)."""
    gamma_s: float | None
    """Gamma, with this mean."""
    stages: int | None
    """Number of exponential stages."""
    scv: float | None
    """Squared coefficient of variation: variance / mean^2."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Cpenable:
    """When one more processor is enabled for I/O interrupts, and when one fewer."""

    low_percent: float
    """LO: below this share of TPI one processor fewer is enabled, down to one."""
    high_percent: float
    """HI: above this share of TPI one more is enabled, up to all."""
    every_s: float
    """Interval between decisions."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Rmf:
    """The measurement program inside the partition, which samples queues when its partition lets it."""

    cycle_s: float
    """CYCLE: how far apart its timer pops, 50 to 9999 ms."""
    jitter_s: float
    """Largest deviation of a sample from its time, at most a cycle."""
    priority: int | None
    """Its dispatching priority: it samples as a task that competes with the guests of the partition."""
    takes: Distribution | None
    """Processor time of a sample."""

@dataclass(frozen=True, slots=True, kw_only=True)
class ControlProgram:
    """The control program of a partition (z/VM), which dispatches virtual machines on its logical processors."""

    polarization: str
    """SET SRM POLARIZATION: all logical processors alike, or as few as possible: high, medium and low ones, some
    parked."""
    method: str
    """SET SRM DSPWDMETHOD: how virtual processors are placed on dispatch vectors in vertical mode: evenly by count, or
    the biggest first with siblings together; `none` leaves them where they are, which no product does."""
    cpupad_percent: float
    """SET SRM CPUPAD: processors' worth kept unparked beyond what is predicted to be used; 100 % is one processor."""
    excessuse: str
    """SET SRM EXCESSUSE: how much of what other partitions leave it hopes for."""
    unparking: str
    """SET SRM UNPARKING: as many processors as it is entitled to and hopes for, as it is entitled to, or as it
    needs."""
    slice_s: float
    """SET SRM DSPSLICE: how long a virtual processor runs before others are looked at."""
    slice_jitter_percent: float
    """Largest deviation of a dispatch slice from its length, either way."""
    homes: str
    """Home vectors of virtual processors at the start: one after the other (in-turn), or any (drawn); one that is never
    idle and never stolen stays there."""
    vector_order: str
    """Order in a dispatch vector: the least charge over share first, or first come, first served whatever the share."""
    horizontal_stealing: str
    """Horizontal mode. global: one list of ready virtual processors. free: the same, and the processor that has been
    idle longest handles wake-ups. eager: a vector each, and a processor with an empty one steals from any other."""
    vertical_stealing: str
    """Vertical mode: a processor with an empty vector steals from the nearest where enough wait, or from any other."""
    barriers: tuple[int, ...]
    """Number that has to wait in a vector before a processor steals from it: one on the same chip, in the same book,
    farther."""
    lock: SchedulerLock
    """The scheduler lock (SRMSLOCK)."""
    costs: PathCosts
    """The costs of the control program's path."""
    controller: ParkingController
    """When processors are parked and unparked."""
    soft_wait_s: float
    """Soft wait of an idle virtual processor, which only outcomes of DIAGNOSE X'9C' distinguish from wait."""
    pause_loop: PauseLoop | None
    """Pause-loop exiting: how loops of guests with `yields = "pause-loop"` are intercepted."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The parts of an I/O: pend + disconnect + connect."""

    pend: Distribution
    """From the start until the device accepts the first command."""
    disconnect: Distribution
    """Working without the path."""
    connect: Connect
    """Transferring over the path, alone on it."""

@dataclass(frozen=True, slots=True, kw_only=True)
class MinidiskCache:
    """The minidisk cache: reads that it holds are not started on any exposure."""

    read_hits_percent: float
    """Which share of the reads it holds; a write always goes to the volume."""
    time: Distribution
    """Time of an I/O that the cache avoids."""

@dataclass(frozen=True, slots=True, kw_only=True)
class SerializationCost:
    """The processor time of the pieces of a request."""

    enq_s: float
    """An ENQ or RESERVE by itself."""
    chng_s: float
    """An ENQ that changes a shared hold to exclusive, by itself."""
    deq_s: float
    """A DEQ by itself."""
    front_end_s: float
    """The front end of the supervisor call."""
    list_s: float
    """Building the parameter list of an exit, per call."""
    entry_s: float
    """Calling an exit and coming back, per call."""
    obtained_s: float
    """Obtaining storage for a call and giving it back."""
    pooled_s: float
    """Storage for a call from a pool, and back to it."""
    single_s: float
    """Storage for a call that is always the same area."""
    state_s: float
    """Saving the state of the request for a slow exit, per call: one free parameter for all of a slow call."""
    copy_per_kib_s: float
    """Copying state for a slow exit, per KiB."""
    fault_s: float
    """A page fault while state is copied."""
    recovery_s: float
    """Setting up recovery for a slow exit, per call."""
    relock_s: float
    """Dropping the lock for a slow exit and taking it again."""
    message_s: float
    """Sending the manager's message, beside its answer."""

@dataclass(frozen=True, slots=True, kw_only=True)
class OwnExit:
    """An exit of the installation's own before ENQ and DEQ, the same in all partitions: [[serialization.exit]]."""

    name: str
    """Name; no two of a kind have the same name."""
    point: str
    """The exit point; at one point it is called behind the exits of the manager, in the order of the file."""
    names: str | None
    """The names that it is for, as RNLDEF statements; in which of the lists they stand does not matter."""
    rename: str | None
    """ISGNQXITFAST, ISGNQXIT: they mean this resource instead, which has no members."""
    scope: str | None
    """ISGNQXITFAST, ISGNQXIT: they reach so far, unless the name lists, which are searched then, say otherwise."""
    volume: tuple[str, ...]
    """ISGNQXITFAST, ISGNQXIT: the request is a RESERVE of this volume: a volume of each partition that sees it."""
    no_volume: bool | None
    """ISGNQXITFAST, ISGNQXIT: the request is no RESERVE any more."""
    skip_lists: bool | None
    """ISGNQXITFAST, ISGNQXIT: the name lists are not searched."""
    want: bool | None
    """ISGNQXITPREBATCH: ISGNQXITBATCHCND is called for the request."""
    code: int | None
    """ISGNQXITBATCH, ISGNQXITBATCHCND: a return code in place of the request, which is not queued for; only of an ENQ
    that minds return codes (ret = "use" or "have")."""
    drop_reserve: bool | None
    """ISGNQXITBATCH, ISGNQXITBATCHCND: a RESERVE is an ENQ without its volume."""
    abend: int | None
    """ISGNQXITBATCH, ISGNQXITBATCHCND: an abnormal end in place of an ENQ; the recovery of the program goes past its
    steps."""
    fail: bool | None
    """It fails when it is called for one of its names: it is removed from that system, and the request goes on."""
    stops: bool | None
    """ISGNQXITPREBATCH, ISGENDOFLQCB: for qnames without names of its own, it asks for no further calls."""
    own_s: float
    """Its own processor time per call for one of its names, at fast points under the ENQ/DEQ lock."""
    installed: bool | None
    """No: it is not there until a change adds it."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Step(derived.Step):
    """One step of a program."""

    think: Distribution | None
    """Let time pass without using anything."""
    compute: Distribution | None
    """Use a processor: the guest's own, or those of its partition."""
    pace_percent: float | None
    """In a virtual machine: use a processor until what has been charged is this share of the time since the guest
    began; nothing where it is already."""
    intercept_s: float | None
    """In a virtual machine: issue an instruction that the control program simulates for this long. The virtual
    processor then goes on if its dispatch vector is empty, else it goes back there, with any locks that it has."""
    io: Io | None
    """Do one I/O and wait for its end."""
    message_in: str | None
    """Have a message carried in through this front end, and go on when its I/O is over and the interrupt handled."""
    message_out: str | None
    """Have a message carried out through this front end, and go on when its I/O is over and the interrupt handled."""
    spawn: str | None
    """Have one more of this guest, which arrives = "spawned", run its program once, and go on at once."""
    exchange: str | None
    """Between virtual machines: send a request to this guest, which arrives = "spawned". One of it runs its program
    once, and this one goes on when the reply is there. A guest of a fixed population (`count`) always has the same
    server, by turns."""
    network: str | None
    """The network that request and reply go over."""
    request_bytes: int | None
    """Size of the request."""
    reply_bytes: int | None
    """Size of the reply."""
    repeat: int | None
    """Do the steps this many times."""
    repeat_mean: float | None
    """Do the steps this many times on average: one of the two neighbouring whole numbers each time, so that the mean is
    exact."""
    hold: str | None
    """Wait for a unit of this resource and hold it while doing the steps; holds nest three deep at most."""
    lock: str | None
    """In a virtual machine: take this spin lock of it, spin while it is held, and release it after the steps. They only
    compute, intercept, repeat, choose and lock; locks nest two deep at most."""
    thread_lock: str | None
    """In a cgroup: take this lock, wait for it in its way while it is held, and release it after the steps. They only
    compute, repeat and choose."""
    enq: str | None
    """In a partition: enqueue on this resource by name, wait for it, and dequeue after the steps. Without steps it is
    kept until a `deq` or the end of the program. At most four nest, and four are kept."""
    access: str | None
    """Mode in which the resource is held: exclusive or shared."""
    ret: str | None
    """The action when it is not available at once. none: wait. have: wait, and accept a resource that is kept already.
    use: skip the steps. test: only ask. chng: make a shared hold exclusive until it is dequeued. The last two never
    wait, and skip the steps if the answer is no."""
    linkage: str | None
    """The door that the request comes through, and that of its dequeue."""
    do: tuple[Step, ...]
    """Steps until it is dequeued; after a test or a chng, steps where the answer is yes."""
    deq: str | None
    """Dequeue from a resource that is kept; nothing where it is not."""
    choose: tuple[Alternative, ...]
    """Do the steps of one of these, each with its weight."""
    steps: tuple[Step, ...]
    """Steps that are repeated, or run while the resource or lock is held; repeats nest at most three deep."""

@dataclass(frozen=True, slots=True, kw_only=True)
class AliasChange:
    """Number of online aliases of a pool or of a volume."""

    pool: str | None
    """HyperPAV: the pool whose aliases they are."""
    volume: str | None
    """Classic PAV: the volume that they are bound to."""
    online: int
    """Aliases online from now on, the first ones; at most the number defined."""

@dataclass(frozen=True, slots=True, kw_only=True)
class PathChange:
    """Number of online paths to a control unit."""

    control_unit: str
    """The control unit that they lead to."""
    online: int
    """Paths online from now on; at most the number defined."""

@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionChange(derived.PartitionChange):
    """The share of a partition, and its logical processors online."""

    name: str
    """The partition."""
    target_percent: float | None
    """Slices: its TARGET CPU PERCENTAGE from now on."""
    maximum_percent: float | None
    """Slices: its MAXIMUM CPU PERCENTAGE from now on."""
    weight: int | None
    """PR/SM: its weight from now on."""
    online: int | None
    """PR/SM: number of its logical processors online from now on, the first ones (CF CPU)."""

@dataclass(frozen=True, slots=True, kw_only=True)
class SrmChange:
    """The settings of SET SRM in the control program of a partition."""

    partition: str
    """The partition whose control program it is."""
    polarization: str | None
    """POLARIZATION from now on."""
    method: str | None
    """DSPWDMETHOD from now on."""
    cpupad_percent: float | None
    """CPUPAD from now on; 100 % is one processor."""
    excessuse: str | None
    """EXCESSUSE from now on."""
    unparking: str | None
    """UNPARKING from now on."""
    slice_s: float | None
    """DSPSLICE from now on."""

@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerLock:
    """The scheduler lock (SRMSLOCK): the slower the more processors want it."""

    mode: str
    """Exclusive for all list work (5.2), or shared for that of one vector and exclusive for joining and leaving
    (5.3)."""
    hold_s: float
    """Time for which an uncontended list operation holds it; with 0 there is no lock."""
    per_waiter_s: float
    """Additional time for each that held it or waited for it when the holder came: its cache line is contended;
    calibrated with 8 and 16 processors and compared with measurements up to 32."""
    handover: str
    """Next holder where the partition shares its processors: the first that came, dispatched or not, or the first
    dispatched one."""
    spin_retry: int
    """Attempts of a processor before it yields, where the partition shares its processors."""
    spin_try_s: float
    """Time of one such attempt."""
    yields: str
    """Yield to PR/SM of a processor that spins for it, where the partition shares its processors; no yield where it
    does not."""

@dataclass(frozen=True, slots=True, kw_only=True)
class PathCosts:
    """The costs of the control program's path."""

    wake_s: float
    """Of handling a wake-up, beside the lock; not charged."""
    dispatch_s: float
    """Of dispatching a virtual processor, beside the lock; not charged."""
    wait_s: float
    """Of taking a virtual processor that waits off its vector, beside the lock; not charged."""
    simulate_s: float
    """Of simulating the wait of a virtual processor, charged to it."""
    look_s: float
    """Of looking at one dispatch vector for work when its own has none; not charged."""
    entry_s: float
    """Time to refill, at each entry of a virtual processor, the innermost caches and translations that the control
    program displaced; charged as its own."""
    park_s: float
    """Of parking or unparking a processor; not charged."""
    fast_x44_s: float
    """Of a DIAGNOSE X'44' over an empty vector (fast path), charged to the virtual processor."""
    x44_s: float
    """Of a DIAGNOSE X'44' that ends the slice of its caller, beside the list operation, charged to it."""
    x9c_s: float
    """Of a DIAGNOSE X'9C', whatever its outcome, charged to its caller."""
    sense_s: float
    """Of SIGP Sense Running Status, which the virtual processor does itself."""
    kick_s: float | None
    """Of the call by which the release of a lock wakes a halted virtual processor, beside the wake-up, charged to the
    releaser."""

@dataclass(frozen=True, slots=True, kw_only=True)
class ParkingController:
    """When a control program parks and unparks processors."""

    every_s: float
    """Time between decisions on the number of unparked processors and on placement."""
    history: int
    """Number of past intervals between decisions that it evaluates."""
    percentile_percent: float
    """Which percentile of what was used in them is what it predicts."""
    margin_percent: float
    """Addition to the prediction: 100 % is one processor."""
    tv_threshold: float
    """From which ratio of total to virtual time (T/V) on it keeps no more unparked than the prediction and CPUPAD."""
    start: int | None
    """Logical processors that are unparked before the first decision, in vertical mode."""

@dataclass(frozen=True, slots=True, kw_only=True)
class PauseLoop:
    """Pause-loop exiting (PLE): a processor intercepts the loop of a guest that spins, and its control program
    yields."""

    window_s: float
    """How long a virtual processor may loop before its processor intercepts that, at first."""
    gap_s: float
    """Longest time between two attempts (`spin_try`) of a loop; a slower one is not recognized."""
    grow: int
    """Factor by which each exit multiplies the window of a virtual processor; at 0 it is the first one again."""
    shrink: int
    """Divisor of the window at each dispatch; at 0 it is the first one again."""
    most_s: float
    """Longest window."""
    exit_s: float
    """Of an exit and the search that follows, charged to the virtual processor."""
    target: str
    """Next to run. preempted: a virtual processor of the same machine that waits for a processor, in turn (KVM). next:
    the first of the vector, whosever it is (Xen)."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Io:
    """Where an I/O goes, how much it transfers and which way."""

    volume: str | None
    """Always this volume."""
    minidisk: str | None
    """Always this minidisk."""
    uniform: tuple[str, ...]
    """Each of these equally likely."""
    weighted: Mapping[str, float]
    """Each of these with its weight."""
    zipf: tuple[str, ...]
    """Each of these, the most wanted first, number k with weight 1 / k^exponent."""
    exponent: float | None
    """Steepness of the weights; 0 is uniform."""
    own: Mapping[str, float]
    """That of the member of a resource which is held: each of these belongs to its part of the members, by its
    weight."""
    of: str | None
    """The resource whose members have the volumes; the I/O is inside a hold of it."""
    bytes: int
    """Amount of data that it transfers."""
    reads_percent: float
    """Which share of the I/Os are reads; the others are writes."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One of the alternatives of `choose`."""

    weight: float
    """Relative frequency of the choice, in proportion to the weights of the others."""
    steps: tuple[Step, ...]
    """Steps of the choice."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Connect(Distribution):
    """Distribution of connect time, alone on the path, and its growth with concurrency and size."""

    per_concurrent_s: float
    """Addition to the mean for each I/O in service at the volume, this one included."""
    per_kib_s: float
    """Addition to the connect time alone on the path for each KiB that an I/O transfers."""
