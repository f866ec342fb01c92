"""The engine as Python sees it: scenarios, simulation, report pages; no statistics and no conversation."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self, TypedDict

from slicewright.scenario.view import View

__version__: str

class _Counter(TypedDict):
    """A counter of a table or log.

    `header` is its name over a column for people, without the unit; `digits` how it is printed without a half-width:
    3 (significant), count, .1 (decimals), ms, or share, which is printed in percent.
    `over_intervals` says how the values of several intervals that were read become one: mean, sum, min, max, last,
    whole (not at all), instant in a log.  `by` are the counters of the same row whose sum says how much there was to
    measure: it is the weight of an interval in a mean, and where it is 0 the counter has no value.  Without `by`
    intervals weigh alike."""

    table: str
    name: str
    header: str
    unit: str
    digits: str
    how: Literal["measured", "sampled", "derived"]
    over_intervals: Literal["mean", "sum", "whole", "min", "max", "last", "instant"]
    by: list[str]
    formula: str
    source: str

class _KeyColumn(TypedDict):
    """A column that says what a row is about; those that identify it are its name, others say more of it."""

    table: str
    name: str
    meaning: str
    identifies: bool

class _Table(TypedDict):
    """A table or log, and what a row of it is."""

    name: str
    rows: str
    log: bool

class InputError(ValueError):
    """Something that was written or fed is wrong; `problems` lists all of it."""

    problems: list[dict[str, Any]]
    """Each: file, line, column (from 1; 0: none), key, what, why, allowed, nearest (texts, maybe empty)."""

class RunError(RuntimeError):
    """A run that could not go on, with the simulated time and the reason."""

class Scenario:
    """A scenario that was read, checked and resolved."""

    @staticmethod
    def read(text: bytes, file: str, set: Sequence[str] = (), files: Sequence[tuple[str, str, bytes]] = ()) -> Scenario:
        """Read TOML, with files that it names (name, name in messages, bytes); raises InputError with every problem."""

    @staticmethod
    def of(values: Mapping[str, Any], file: str = "scenario") -> Scenario:
        """A scenario of values by key: {"guest": [{"name": "A", ...}]}; raises InputError with every problem.

        Quantities are texts with units ("2 ms"), True is yes, a None is an absent key."""

    @property
    def name(self) -> str: ...
    @property
    def resolved(self) -> str:
        """The complete scenario as TOML, every default written out."""
    @property
    def unmarked(self) -> str:
        """`resolved` without marks: equal whether a value was written, set or left to its default."""
    @property
    def checksum(self) -> str:
        """SHA-256 of `resolved`, in hex."""
    @property
    def swept(self) -> list[str]:
        """The axes of `[[sweep]]`, each as `KEY=VALUES`; they are not in `resolved`."""
    @property
    def left_open(self) -> dict[str, Any]:
        """The tables beside the machine, as dictionaries: `purchases`, and what its fit left open.

        That is `fit` (or None), `opens` and `readings`.  They are not in `resolved`.
        """
    @property
    def replays(self) -> list[dict[str, Any]]:
        """The replayed guests: guest, file, supplied, and where the file is named (line, column, key)."""
    @property
    def measure(self) -> dict[str, Any]:
        """interval_s, intervals, warm_up_s (None: automatic), replications, sample_s."""
    def explain(self) -> list[dict[str, str]]:
        """A row per number: key, value, role (input, assumed, calibrated, borrowed, default), why."""
    @property
    def view(self) -> View:
        """The resolved scenario, typed and read-only."""
    @staticmethod
    def outline(text: bytes) -> View:
        """What can be understood of a text that may be no scenario; everything else is None or empty."""
    def given(self, path: str) -> Literal["written", "set", "default"] | None:
        """What decided the value at a path such as "cec.switch"; None where no value is.

        Raises InputError for a path that the language does not have, or whose table is not in the scenario."""
    def with_(self, changes: Mapping[str, Any] | Sequence[str]) -> Scenario:
        """The scenario with values changed, all of it checked again; raises InputError with every problem.

        `changes` maps paths to values: {"cec.slice": "10 ms", "volume.*.aliases": 2}; None takes a key, or all tables
        of a kind, away.  Texts are read as `--set` reads them: 'cec.slice="10 ms"'."""
    def without_changes(self) -> Scenario:
        """The scenario in which nothing changes while the machine runs; raises InputError."""
    def grown(self, factor: float) -> Scenario:
        """The scenario with so many times the demand: virtual machines, closed populations and arrival rates.

        Counts are rounded; guests of virtual machines grow as those do.  Raises InputError beyond a key's bounds."""
    def grown_by(self, factors: Mapping[str, float]) -> Scenario:
        """The scenario with the demand of some guests multiplied, by name, as `grown` does.

        Virtual machines of a kind grow as the guest in them that grows most."""
    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What is probably not meant, though it can be simulated; rows like `InputError.problems`."""
    def most_replications(self) -> int:
        """How many replications fit the memory that the results of a run may take."""
    def result_bytes(self, replications: int) -> int:
        """Bytes that the results of so many replications take until they are written."""
    def refuse_beyond_memory(self, replications: int) -> None:
        """Raise InputError unless so many replications fit the memory that the results of a run may take."""
    def warm_up(
        self, seed: int, progress: Callable[[float], None] | None = None, threads: int | None = None
    ) -> tuple[float, bool]:
        """The warm-up to cut, in seconds, and whether the pilots settled within it: the declared one, or MSER-5.

        `progress` is called with the share of the pilots done, at most ten times a second. Pilots run on this many
        threads, without a number on one per processor; that changes nothing but the time."""
    def simulate(
        self,
        seed: int,
        replications: tuple[int, int],
        threads: int,
        warm_up_s: float,
        progress: Callable[[float], None] | None = None,
    ) -> dict[str, dict[str, list[Any]]]:
        """Simulate replications first..last (half open); a table of columns per entity kind, and logs.

        Logs (decisions, contention) are those of replication 0, and empty without it.

        `progress` is called with the share done, at most ten times a second.
        Raises RunError; KeyboardInterrupt stops within a second."""

class Page:
    """A page that analysts know, kept to the byte; read as one of the kinds below, which differ in what they tell."""

    @classmethod
    def read(cls, data: bytes, file: str) -> Self:
        """Read a page of this kind; raises InputError with every problem."""

    @property
    def run(self) -> str:
        """The name of the run, "Y032180H", or of the system; empty when the page has none."""
    @property
    def system(self) -> str:
        """The same, as pages of RMF have it."""
    @property
    def started(self) -> str:
        """What is printed as its start: "2007/02/04 13:28:34", or "05/11/2019 06.00.00" on pages of RMF."""
    @property
    def interval_s(self) -> float: ...
    @property
    def cycle_s(self) -> float: ...
    @property
    def samples(self) -> int:
        """How many samples the interval holds; 0 when the page does not tell it."""
    @property
    def level(self) -> str:
        """ "current" (IOSQ is measured) or "classic" (IOSQ is the mean sampled queue over the rate); else empty."""
    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Lines that are no rows: line, device, type, why."""
    @property
    def disagreements(self) -> list[dict[str, Any]]:
        """Rows whose TOTAL is not LPAR MGMT + EFFECTIVE within rounding; rows like `InputError.problems`."""
    def fact(self, label: str) -> str:
        """What the head says after such words as "WAIT COMPLETION"; empty where it does not."""
    def fields(self) -> list[dict[str, str]]:
        """What is printed, a row per row of the page, by heading ("AVG IOSQ TIME")."""
    def table(self, name: str) -> dict[str, list[Any]]:
        """A table as columns, as far as the page gives it, each number `x` with `x_rounding`.

        That is half a unit of its last printed digit.  Raises ValueError for a table that no run has."""
    def devices(self) -> dict[str, list[Any]]:
        """The devices table."""
    def volumes(self) -> dict[str, list[Any]]:
        """The volumes table (classic PAV: base and aliases together; else bases); a queue of RMF is IOSQ x rate."""
    def processors(self) -> dict[str, list[Any]]:
        """The logical_processors table."""
    def partitions(self) -> dict[str, list[Any]]:
        """The partitions table."""
    def set(self, row: str, column: str, text: str) -> None:
        """Replace one printed field; only its bytes change.  Raises InputError when it does not fit."""
    def to_bytes(self) -> bytes: ...

class DeviceReport(Page):
    """A DEVICE (FCX108) page: a row per device."""

    kind: ClassVar[str]

class DirectAccessReport(Page):
    """An RMF DIRECT ACCESS DEVICE ACTIVITY page: a row per volume of a z/OS or MVS system."""

    kind: ClassVar[str]

class CpuReport(Page):
    """An RMF CPU ACTIVITY page: a row per logical processor of one system."""

    kind: ClassVar[str]

class PartitionReport(Page):
    """An RMF PARTITION DATA page: a row per partition and type of processors."""

    kind: ClassVar[str]

class ChannelReport(Page):
    """An RMF CHANNEL PATH ACTIVITY page: a row per channel path of one system."""

    kind: ClassVar[str]

class QueuingReport(Page):
    """An RMF I/O QUEUING ACTIVITY page: a row per logical control unit with HyperPAV."""

    kind: ClassVar[str]

def device_page(
    title: dict[str, Any], devices: dict[str, list[Any]], volumes: dict[str, list[Any]] | None = None
) -> str:
    """A page in the style of FCX108 from a devices table (no replication column: one row a device).

    `title`: run (str), interval_s (float), note (str), response ("toolkit", the default, or "correct").  The correct
    one of a base whose volume borrows aliases from a pool is known only with the volumes table."""

def entitlements(cores: int, partitions: Sequence[tuple[int | None, int]]) -> list[dict[str, Any]]:
    """What partitions (weight, or None where dedicated; logical cores) are entitled to, a row each, in their order.

    share_percent (None: dedicated), entitlement_cores, contended_cores, most_cores, horizontal_percent, vertical_high,
    vertical_medium, vertical_low, medium_percent (None: no medium), assumed (maybe empty).  Raises ValueError where
    nothing can be computed: `slicewright.entitlement` says what is wrong, and where."""

def direct_access_page(title: dict[str, Any], devices: dict[str, list[Any]], volumes: dict[str, list[Any]]) -> str:
    """A page in the style of RMF DIRECT ACCESS DEVICE ACTIVITY from tables of one row a device, one a volume.

    `title`: run (str), interval_s (float), samples (int), cycle_s (None: the interval over the samples), note (str),
    level ("current" or "classic"), view ("true" or "sampled"), partitions (their names)."""

def cpu_page(title: dict[str, Any], processors: dict[str, list[Any]]) -> str:
    """A page in the style of RMF CPU ACTIVITY from the logical processors of one partition, one row each.

    `title`: run (str), interval_s (float), samples (int), cycle_s (None: no sampler), note (str), shares (of each
    processor what it is promised, in percent of a physical one, or None, and "HIGH", "MED", "LOW" or ""), parked (of
    each processor in percent, or None; empty: none can be)."""

def partition_page(title: dict[str, Any], partitions: dict[str, list[Any]]) -> str:
    """A page in the style of RMF PARTITION DATA from a table of one row a partition.

    `title`: run (str), interval_s (float), samples (0: none), note (str), seen_from (a partition), physical
    (processors), waits (whether a partition that waits stays dispatched), dispatch_interval (as printed; empty: no one
    length), settings (weight and capping as printed, of each partition)."""

def table_page(page: str, title: dict[str, Any], table: dict[str, list[Any]]) -> str:
    """A page that is made of one table: "rmf-channel" (channels) or "rmf-enqueue" (enqueues), in the style of RMF.

    `title`: run (str), interval_s (float), samples (0: none), note (str).  Raises ValueError for another page."""

def contention_page(note: str, rows: dict[str, list[Any]]) -> str:
    """Contention at one instant, in the style of DISPLAY GRS: rows of the log of contention; empty: there is none."""

def live_calls(length: int) -> dict[str, Any]:
    """Call the system for this many ns on this thread: stretches_ns, calls in a stretch, cpu_ns."""

def live_control_group_version(directory: str | os.PathLike[str]) -> int:
    """The version of control groups that a directory belongs to, by the type of its file system; 0 for any other."""

def live_end_with_parent() -> None:
    """Have the system kill this process when the one that started it ends; raises InputError where it cannot."""

def live_lock_costs(processor: int) -> dict[str, float]:
    """Costs of work, tries, calls and switches on a processor, in ns; raises InputError where it cannot be used."""

def live_locks(method: str, who: tuple[list[int], int, int], what: tuple[int, int, int, int, int]) -> dict[str, Any]:
    """Run threads that share a lock: processors, threads, hogs; turns outside it and under it, tries, ns, seed."""

def live_reads(file: tuple[str, int], what: tuple[int, int, int, int, int]) -> dict[str, Any]:
    """Read a file past the page cache: its bytes a read; threads, permits, ns between reads of one or 0, ns, seed."""

def live_tick_s() -> float:
    """The step of the kernel's timer tick, in seconds; raises InputError on systems other than Linux."""

def live_waits(
    frame: tuple[int, int, bool, int],
    waiters: Sequence[tuple[tuple[int, tuple[str, int] | None], tuple[str, int]]],
    ready: Callable[[int | None], object],
) -> dict[str, Any]:
    """Run threads on this machine for a while and say what they saw.

    `frame`: processor, nanoseconds, whether a thread burns what the others leave, seed.  A waiter: nanoseconds of a
    timer, or a file and the bytes of a direct read; then "uniform" (starts over so many nanoseconds) or "locked"
    (starts after so many of work).  `ready` is called with the burner's thread id (None without one) before all start.
    Of each of `waiters`: began_ns, started_ns, due_ns (None of reads), seen_ns (lists), missed; `gaps_ns` has pairs.
    Raises InputError, and what `ready` raises."""

def log_page(
    page: str, title: dict[str, Any], mean: dict[str, Any], intervals: list[tuple[float, dict[str, Any]]]
) -> str:
    """A log of one control program in the style of the z/VM Performance Toolkit, means first, then each interval.

    `page`: "proclog" or "vectors" (tables are control_processors), "fcx265" (locks), "users", "shares" or "privop"
    (virtual_machines), "system" (control_programs, and locks as one more key, a table), "spinlocks" (spin_locks).
    `title`: run, system (str), length_s (float), note (str); for "shares" also logical_processors, and settings (kind,
    share as printed, limit in percent of a processor or None).  `intervals`: when each ended, in seconds since the
    start of the first, and its table.  Raises ValueError for another page."""

def parking_page(title: dict[str, Any], decisions: dict[str, list[Any]]) -> str:
    """The decisions of one control program, in the order of time, as a log in the same style.

    `title`: as for `log_page`, with logical_processors, unparking (large, medium or small, at each decision), and
    set: at which second since the start of the first interval SET SRM set what, in words."""

class NameLists:
    """The text of resource name lists (`GRSRNLxx`), kept to the byte; names are as they are, or `X'hex'`."""

    @staticmethod
    def read(data: bytes, file: str) -> NameLists:
        """Read a text; raises InputError with every problem."""

    @property
    def file(self) -> str:
        """What the text is called."""
    def entries(self) -> list[dict[str, Any]]:
        """A row per entry, in the order of the text: list (INCL, EXCL, CON), type, qname, rname (or None), line,
        column, text."""

    def warnings(self) -> list[dict[str, Any]]:
        """Problems that do not keep the lists from being used: entries without effect, wildcards that are none."""

    def settle(self, asked: str, qname: str, rname: str) -> dict[str, Any]:
        """What becomes of a request (STEP, SYSTEM, SYSTEMS, RESERVE): asked, scope, hardware_reserve, and searches,
        each list, name, entry (its number, from 0, or None).  Raises InputError."""

    def replace(self, number: int, entry: tuple[str, str, str, str | None]) -> None:
        """Put another entry (list, type, qname, rname) in the place of one, from 0; every other byte stays.

        Raises InputError when the text would not say that, IndexError when there is no such entry."""

    def to_bytes(self) -> bytes: ...

def name_list_differences(systems: list[NameLists]) -> list[dict[str, Any]]:
    """How the lists of each system differ from those of the first, as problems; none when all are the same."""

def name_list_text(entries: list[tuple[str, str, str, str | None]]) -> str:
    """The text of entries (list, type, qname, rname), a statement each; raises InputError."""

class MonitorFile:
    """Files that MONWRITE has written, while they are read; memory grows with the rows asked for, and with entities."""

    def __init__(self, files: list[tuple[os.PathLike[str], str]]) -> None:
        """Files in order, each with its name in problems."""
    def rows(self, most: int) -> dict[str, dict[str, dict[str, Any]]] | None:
        """The next rows, at least `most` unless the files end: by system every table; None at the end.

        A column is bytes of doubles, or None where no row has a value.  One that says what a row is about is its names
        and bytes of whole numbers, places of names or counts.  Raises InputError for damage, OSError as `open`."""
    def pooled(self, system: str) -> dict[str, dict[str, Any]]:
        """The tables that had rows in several intervals, with a row for each entity over all that were read."""
    @property
    def kinds(self) -> list[dict[str, Any]]:
        """Records by kind: domain, record, name, title, samples, events, bytes, used, certainty."""
    @property
    def size(self) -> tuple[int, int]:
        """How many bytes and records there are, those of kinds beyond `kinds` too."""
    @property
    def notices(self) -> list[str]: ...
    @property
    def intervals(self) -> list[tuple[str, int, int]]:
        """The intervals: system, start and end in microseconds since 1970."""

def monitor_file(intervals: list[dict[str, Any]], system: str, start_us: int) -> bytes:
    """Intervals as a MONWRITE file: each has length_s, samples and tables, which are columns by name."""

def monitor_form(path: os.PathLike[str]) -> Literal["smf", "monwrite"] | None: ...
def monitor_layouts() -> list[dict[str, Any]]:
    """Layouts of monitor records: name, domain, record, title, length, certainty, source, used, fields."""

class SmfFile:
    """SMF dumps while they are read; `notices` names damaged records, InputError is for damage of descriptor words."""
    def __init__(self, files: list[tuple[os.PathLike[str], str]]) -> None: ...
    def rows(self, most: int) -> dict[str, dict[str, dict[str, Any]]] | None: ...
    def pooled(self, system: str) -> dict[str, dict[str, Any]]: ...
    @property
    def kinds(self) -> list[dict[str, Any]]: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def systems(self) -> list[tuple[str, int, int, int]]: ...
    @property
    def notices(self) -> list[str]: ...
    @property
    def intervals(self) -> list[tuple[str, int, int]]: ...

def smf_file(intervals: list[dict[str, Any]], system: str, start_us: int) -> bytes: ...
def smf_layouts() -> list[dict[str, Any]]: ...

class PoolListing:
    """The responses to CP QUERY PAV, as far as they say which device belongs where."""

    @staticmethod
    def read(data: bytes, file: str) -> PoolListing:
        """Read a listing, whatever its wording; raises InputError with every problem."""

    def devices(self) -> list[dict[str, Any]]:
        """A row per device: device, role (base, pool-alias, bound-alias), pool, base, aliases (numbers), line."""
    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Lines that were passed over: line, why."""

def pool_listing(note: str, devices: dict[str, list[Any]], volumes: dict[str, list[Any]]) -> str:
    """A listing in the style of CP QUERY PAV from tables of one row a device, one a volume (with its pool)."""

def unknown_targets(scenario: Scenario, texts: list[str]) -> list[dict[str, Any] | None]:
    """What is wrong with texts that say where recorded I/Os go: a problem of each that names nothing, else None."""

def supply(scenario: Scenario, guest: str, records: dict[str, list[Any]]) -> Scenario:
    """The scenario with the recorded I/Os of one guest, in the order of time.

    `records`: time_ns (from the start of the first interval), texts (where I/Os go, each text once), text (of each
    record the number of its text), bytes, write.  Raises InputError when they cannot be replayed."""

def exit_points() -> list[str]:
    """The exit points before ENQ and DEQ, in the order in which a request comes to them."""

def exit_structures() -> list[str]:
    """The structures of exits that were published, the one without any first."""

def scenario_files(text: bytes, file: str, set: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The files that a scenario names in place of texts: file, and where it is named (line, column, key)."""

def schema() -> str:
    """JSON Schema of scenario files."""

def channel_types() -> list[tuple[str, float, float]]:
    """The channels that ship: name, serial time per I/O and per KiB, both in ms."""

def redispatch_policies() -> list[str]:
    """What a freed alias may do next, by the names of the scenario language, the default first."""

def starters() -> list[tuple[str, str]]:
    """The kinds of starter scenarios, each with one line on what it is."""

def starter(kind: str) -> str:
    """A commented starter scenario; raises InputError with the nearest kind."""

def counters() -> list[_Counter]:
    """The counters of tables and logs, in the order of their columns."""

def key_columns() -> list[_KeyColumn]:
    """The columns that say what a row of each table is about."""

def tables() -> list[_Table]:
    """The tables, then the logs."""

def timeline(
    scenario: Scenario,
    which: tuple[int, int],
    warm_up_s: float,
    stretch: tuple[float, float | None],
    progress: Callable[[float], None] | None = None,
    part: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """What happened in a stretch (from_s, for_s) after the start of the first interval; which: (seed, replication).

    `from_us`, `to_us`, and columns: lanes (name, kind, of), holders (name), spans (lane, holder, from_us, to_us, what,
    on, state), waits (holder, from_us, to_us, kind, lane, where, why), changes (at_us, what).  Lanes (on, too) and
    holders are numbers; `to_us` is None for what lasts longer.  Without `for_s` it is as long as some forty I/Os take.
    `part` gets most of a long stretch, with places for lanes: `places` of the result has the lane of each.  Raises
    InputError when more happens than is kept, RunError; KeyboardInterrupt stops within a second."""

def span_s(text: str, key: str) -> float:
    """The seconds of a span as people write it, "100 ms"; raises InputError that names the key."""

def scenario_text(values: Mapping[str, Any]) -> str:
    """The text of a scenario of values by key, as `Scenario.of` reads it: a section for each table."""

def scenario_classes() -> list[tuple[str, str | None, str, list[tuple[str, str, str]]]]:
    """The tables of the scenario language as classes: name, base, meaning, and fields with name, type, meaning."""

def student_t(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t."""

class Serialization:
    """All resources that are asked for by ENQ and RESERVE, by all systems that share names.

    Who asks is (system, address space, task), a resource (qname, rname, scope), where a call comes from (linkage,
    cross-memory mode, locked, authorized). An answer is (word, return code, completion code, effects);
    `slicewright.enq` says what is in it."""

    def __init__(self, unauthorized: int, authorized: int) -> None: ...
    def enq(
        self,
        who: tuple[tuple[int, int, int], tuple[str, bool, bool, bool]],
        resource: tuple[bytes, bytes, str],
        asked: tuple[str, str, int | None],
    ) -> tuple[str, int | None, int | None, list[dict[str, Any]]]:
        """Carry out an ENQ or RESERVE; `asked`: access, ret, volume.  Raises InputError with all that is no request."""
    def deq(
        self,
        who: tuple[tuple[int, int, int], tuple[str, bool, bool, bool]],
        resource: tuple[bytes, bytes, str],
        ret: str,
    ) -> tuple[str, int | None, int | None, list[dict[str, Any]]]:
        """Carry out a DEQ; raises InputError with everything that is no request."""
    def batch(
        self,
        resources: Sequence[tuple[bytes, bytes, str]],
        caller: tuple[str, bool, bool, bool],
        columns: tuple[bytes, ...],
    ) -> tuple[bytes, list[tuple[str, int | None, int | None]], list[tuple[Any, ...]]]:
        """Carry out many requests: the place of each one's outcome, the outcomes, the effects.

        `columns`: verb, resource, system, space, task, access, ret, volume.  A column of one number is the same for
        every request.  Raises InputError for resources and caller, ValueError for columns of unequal length or with
        numbers that name nothing."""
    def end_task(self, by: tuple[int, int, int]) -> tuple[int, list[dict[str, Any]]]:
        """Release everything of a task: how many requests, and the effects."""
    def end_space(self, system: int, space: int) -> tuple[int, list[dict[str, Any]]]:
        """Release everything of all tasks of an address space: how many requests, and the effects."""
    def end_system(self, system: int) -> tuple[int, list[dict[str, Any]]]:
        """Release everything of all tasks of a system: how many requests, and the effects."""
    def raise_limits(self, system: int, space: int, unauthorized: int, authorized: int) -> None:
        """Let one address space have more requests at once."""
    def requests_of_space(self, system: int, space: int) -> tuple[int, int]:
        """How many requests an address space has: unauthorized, authorized."""
    def reserves(self, system: int, volume: int) -> int:
        """How many RESERVEs of a system have a volume."""
    def query(self, filter: dict[str, Any]) -> list[dict[str, Any]]:
        """Of which everything holds that is given: resource, owners, exclusive_waiters, shared_waiters, requests."""
    def waits(self) -> list[dict[str, Any]]:
        """A row per waiter: by, access, resource, ahead; the first `blocking` of `ahead`, a shared list, block it."""
    def deadlocks(self) -> list[dict[str, Any]]:
        """Tasks that wait for each other for ever: tasks, circle (waiter, resource, blocker)."""
    def broken_laws(self) -> list[str]:
        """Every law that is broken; empty when all is well."""

def enq_pairs(pairs: int, names: int) -> None:
    """So many uncontended pairs of an ENQ and a DEQ by turns over so many names, by one task, and nothing else."""

class ExitAccount:
    """What was called how often on the way of requests through installation exits."""

    def points(self) -> dict[str, dict[str, int]]:
        """By exit point: lists, calls, slow, obtained, pooled, single, bytes, pages, light, heavy."""
    def numbers(self) -> dict[str, int]:
        """Beside the points: enqs, changes, deqs, front_end, unseen, searches, messages, spared."""
    def stretches(self, prices: list[tuple[str, float]]) -> list[tuple[str, bool, float]]:
        """Processor time by these prices in microseconds: piece, whether the lock is held, microseconds."""
    def __add__(self, other: ExitAccount) -> ExitAccount: ...
    def __eq__(self, other: object) -> bool: ...

class Complex:
    """Several systems with installation exits in front of one service; `slicewright.exits` says what is in an answer.

    `times_us`: residency of the message of a ring, service time of the structure of a star; `limits`: unauthorized and
    authorized requests of an address space."""

    def __init__(self, mode: str, times_us: tuple[float, float], limits: tuple[int, int]) -> None: ...
    def join(self, system: int, exits: tuple[str, bytes, bytes, bool]) -> None:
        """A system joins; `exits`: structure, name lists, what its manager cares about (empty: all), with a cache."""
    def leave(self, system: int) -> tuple[int, list[dict[str, Any]]]:
        """A system leaves: how many requests were released, and the effects."""
    def add_exit(self, place: tuple[int, str, str], exit: dict[str, Any]) -> None: ...
    def delete_exit(self, system: int, point: str, name: str) -> None: ...
    def clear_cache(self, system: int) -> None:
        """Forget for which names points need not be called."""
    def cached(self, system: int) -> int: ...
    def exits(self, system: int) -> list[dict[str, Any]]:
        """The exits of a system: point, name, calls, failed, refused."""
    def enq(
        self,
        who: tuple[tuple[int, int, int], tuple[str, bool, bool, bool]],
        parts: list[tuple[tuple[bytes, bytes, str], str, int | None]],
        ret: str,
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]], ExitAccount]:
        """Carry out an ENQ: a row per resource, the effects, what was called."""
    def deq(
        self,
        who: tuple[tuple[int, int, int], tuple[str, bool, bool, bool]],
        parts: list[tuple[bytes, bytes, str]],
        ret: str,
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]], ExitAccount]:
        """Carry out a DEQ: a row per resource, the effects, what was called."""
    def end_task(self, by: tuple[int, int, int]) -> tuple[int, list[dict[str, Any]], ExitAccount]:
        """End a task: how many requests were released, the effects, what was called."""
    def end_space(self, system: int, space: int) -> tuple[int, list[dict[str, Any]], ExitAccount]:
        """End all tasks of an address space: how many requests were released, the effects, what was called."""
    def delay(self, system: int, at_us: float) -> tuple[float, int, bool]:
        """What a global request waits for: microseconds, hops, whether a structure serves it."""
    def query(self, filter: dict[str, Any]) -> list[dict[str, Any]]: ...
    def waits(self) -> list[dict[str, Any]]: ...
    def holes(self) -> list[dict[str, Any]]: ...  # resource, unseen, other
    def broken_laws(self) -> list[str]:
        """Every law that is broken; empty when all is well."""

def exit_pairs(structure: str, pairs: int, global_: bool) -> ExitAccount:
    """So many pairs of an ENQ and a DEQ carried out for real with the exits of a structure; what was called."""

def exit_pairs_by_threads(structure: str, pairs: int, threads: int) -> ExitAccount:
    """So many local pairs by so many threads at once, each with its own resource, one lock for all; what was called."""

def exit_prices() -> dict[str, float]:
    """The default prices of exits in microseconds, by their keys."""
