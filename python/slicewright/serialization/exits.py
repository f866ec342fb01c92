"""Installation exits before ENQ and DEQ, and systems that share names: what is called, what it answers, what it costs.

>>> systems = Complex()
>>> systems.join(1, "prebatch-single-area")
>>> taken = systems.enq(Task(1), Resource("PAYROLL", "MASTER", "SYSTEM"))
>>> taken.answers[0].word, taken.account.calls["ISGNQXITPREBATCH"]
('granted', 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from slicewright._core import Complex as _Complex
from slicewright._core import ExitAccount, exit_points, exit_structures
from slicewright.serialization import rows
from slicewright.serialization.enq import AUTHORIZED, UNAUTHORIZED, Effect, Filter, Queue, Resource, Task, Wait, Who
from slicewright.values.errors import Problem, problem
from slicewright.values.parameters import brief, check, kind_problem

__all__ = [
    "POINTS",
    "STRUCTURES",
    "Account",
    "Answered",
    "Complex",
    "Costs",
    "Delay",
    "Exit",
    "Hole",
    "Installed",
    "Stretch",
    "Taken",
    "Wanted",
]

STRUCTURES = tuple(exit_structures())
"""How a manager of several systems was put before ENQ and DEQ (GRS/MIM Installation Exit Performance, rows 1 to 5)."""

POINTS = tuple(exit_points())
"""The exit points in the order in which a request passes them (MVS Installation Exits)."""

_MOST_CODE = 0xFF
_MOST_ABEND = 0xFFF
_MOST_US = 1e12
_FLAGS = ("no_volume", "skip_lists", "want", "drop_reserve", "fail", "stops")


@dataclass(frozen=True, slots=True)
class Exit:
    """An exit that is a table: at which point, by which name, for which resources, with which answer.

    `names` is a text of RNLDEF statements, in any list; every name without one. The point decides what it may want.
    Before the lists (ISGNQXITFAST, ISGNQXIT) it is `rename` (qname, rname), `scope`, `volume` or `no_volume`,
    `skip_lists`. At ISGNQXITPREBATCH it is `want`, that the conditional batch exit is called. At the batch exits it is
    `code` (of conditional requests), `drop_reserve`, `abend`; nothing later. With `stops` the exit is not called again
    for qnames of which it has no names. It fails with `fail`: it is removed and the request goes on. `work`: plain,
    light, heavy; `own_us`: what a call for one of its names takes beside that, in microseconds.

    >>> Exit("ISGNQXITFAST", "LOCAL", "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)", scope="SYSTEM").work
    'plain'
    """

    point: str
    name: str
    names: str = ""
    rename: tuple[str, str] | None = None
    scope: str | None = None
    volume: int | None = None
    no_volume: bool = False
    skip_lists: bool = False
    want: bool = False
    code: int | None = None
    drop_reserve: bool = False
    abend: int | None = None
    fail: bool = False
    stops: bool = False
    work: str = "plain"
    own_us: float = 0.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A resource of a request, for what (SHARE, EXCLUSIVE), and the volume of a RESERVE.

    >>> Wanted(Resource("Q", "R")).access
    'EXCLUSIVE'
    """

    resource: Resource
    access: str = "EXCLUSIVE"
    volume: int | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome for a resource of a request, and how it was queued for: after exits and lists, which may change it.

    `managed`: a manager of several systems looks after it. `unseen`: one in front of the supervisor call would, and
    did not see the request, which came by program call. The word is that of the service, or "answered by an exit"
    with the exit's return code, or "not looked at" behind a resource that ended the caller.

    >>> Answered("granted", 0, None, Resource("Q", "R"), None, False, False).managed
    False
    """

    word: str
    return_code: int | None
    abend: str | None
    resource: Resource
    volume: int | None
    managed: bool
    unseen: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """Processor time in a piece: for what, whether the ENQ/DEQ lock is held meanwhile, microseconds.

    >>> Stretch("base", True, 9.5).locked
    True
    """

    piece: str
    locked: bool
    us: float


@dataclass(frozen=True, slots=True)
class Costs:
    """Prices in microseconds.

    The cost of a request is its base (`enq`, `chng`, `deq`) and that of each exit point. Each call builds the parameter
    list, gets storage and enters the exit. Each slow call also saves status, recovers, and drops and takes the lock;
    bytes cost copying, pages cost faults. The defaults follow from the published times of 999,999 pairs; `state`
    is everything that they do not divide (GRS/MIM Installation Exit Performance).

    >>> Costs().state
    111.4
    """

    enq: float = 9.5
    chng: float = 9.5
    deq: float = 9.5
    front_end: float = 0.0
    list: float = 0.1
    entry: float = 0.1
    obtained: float = 0.0
    pooled: float = 2.6
    single: float = 0.0
    state: float = 111.4
    copy_per_kib: float = 0.0
    fault: float = 0.0
    recovery: float = 0.0
    relock: float = 0.0
    light: float = 1.0
    heavy: float = 100.0
    message: float = 100.0


class Account:
    """Counts of the calls on the way of requests; accounts add up.

    >>> systems = Complex()
    >>> systems.join(1, "batch")
    >>> one, file = Task(1), Resource("Q", "R", "SYSTEM")
    >>> pair = systems.enq(one, file).account + systems.deq(one, file).account
    >>> pair.slow_calls, round(pair.us(), 2)
    (3, 354.0)
    """

    def __init__(self, engine: Any) -> None:
        self._engine: ExitAccount = engine

    @property
    def points(self) -> dict[str, dict[str, Any]]:
        """By exit point: lists, calls, slow, obtained, pooled, single, bytes, pages, light, heavy, own_us."""
        return self._engine.points()

    @property
    def calls(self) -> dict[str, int]:
        """By exit point: how often an exit was called."""
        return {point: row["calls"] for point, row in self.points.items()}

    @property
    def slow_calls(self) -> int:
        """How often the lock was dropped for an exit."""
        return sum(row["slow"] for row in self.points.values())

    @property
    def numbers(self) -> dict[str, int]:
        """Beside the points: enqs, changes, deqs, front_end, unseen, searches, messages, spared."""
        return self._engine.numbers()

    def stretches(self, costs: Costs | None = None) -> list[Stretch]:
        """The processor time of the whole way, in its order; raises InputError for prices that are none."""
        costs = Costs() if costs is None else costs
        check(kind_problem("costs", costs, Costs, "Costs"))
        prices = asdict(costs)
        check(*(_price(key, value) for key, value in prices.items()))
        return [Stretch(*row) for row in self._engine.stretches([(key, float(us)) for key, us in prices.items()])]

    def us(self, costs: Costs | None = None) -> float:
        """All of it in microseconds."""
        return sum(stretch.us for stretch in self.stretches(costs))

    def __add__(self, other: Account) -> Account:
        """The sum of both."""
        return Account(self._engine + other._engine)

    def __eq__(self, other: object) -> bool:
        """Whether the same was called as often."""
        return isinstance(other, Account) and self._engine == other._engine

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a request: its resources in their order, the effects, what was called.

    >>> systems = Complex()
    >>> systems.join(1)
    >>> systems.deq(Task(1), Resource("Q", "R"), ret="HAVE").answers[0].return_code
    8
    """

    answers: tuple[Answered, ...]
    effects: tuple[Effect, ...]
    account: Account


@dataclass(frozen=True, slots=True)
class Delay:
    """The wait of a global request: microseconds, systems that the message visits, whether a structure serves it.

    >>> Delay(10.0, 0, True).structure
    True
    """

    us: float
    hops: int
    structure: bool


@dataclass(frozen=True, slots=True)
class Hole:
    """A name that two tasks have at once and should not: the task that the manager did not see, and the other.

    >>> Hole(Resource("Q", "R"), Task(1), Task(1, system=2)).other.system
    2
    """

    resource: Resource
    unseen: Task
    other: Task


@dataclass(frozen=True, slots=True)
class Installed:
    """An exit that is installed: its point and name, how often it was called, whether it failed, what it may not want.

    >>> Installed("ISGNQXITFAST", "FILTER", 0, False).refused
    ()
    """

    point: str
    name: str
    calls: int
    failed: bool
    refused: tuple[str, ...] = field(default=())


class Complex:
    """Several systems, each with exits and name lists of its own, and the service that queues for all of them.

    `mode`: "none", "ring" or "star"; `residency_ms` is how long a system holds the message of a ring, `service_us`
    how long the structure of a star takes. Without sharing a name of scope SYSTEMS reaches one system, but for names
    that a manager looks after. Raises InputError for an unknown mode and times that are none.

    >>> systems = Complex("star")
    >>> for number in (1, 2):
    ...     systems.join(number)
    >>> [systems.enq(Task(1, system=number), Resource("Q", "R")).answers[0].word for number in (1, 2)]
    ['granted', 'waits']
    """

    def __init__(
        self,
        mode: str = "none",
        residency_ms: float = 1.0,
        service_us: float = 10.0,
        limits: tuple[int, int] = (UNAUTHORIZED, AUTHORIZED),
    ) -> None:
        check(*rows.word_problems(mode=mode), _limits(limits))
        check(_price("residency_ms", residency_ms), _price("service_us", service_us))
        check(*(rows.number_problem("limits", limit, rows.MOST_32) for limit in limits))
        self._engine = _Complex(mode, (residency_ms * 1e3, float(service_us)), limits)

    def join(
        self, system: int, structure: str = "none", lists: str = "", managed: str = "", cache: bool = False
    ) -> None:
        """A system joins, with the exits of a structure, RNLDEF texts of its lists and of what its manager cares about.

        Without `managed` the manager cares about every name of scope SYSTEMS. With `cache` it says of qnames of which
        it cares about none that it need not be asked again. Raises InputError with everything that is wrong.

        >>> Complex().join(1, "prebach-single-area")
        Traceback (most recent call last):
            ...
        _core.InputError: exits: there is no `prebach-single-area`; allowed: none, svc-front-end, batch, prebatch-pooled-1.2, prebatch-pooled-1.4, prebatch-single-area; did you mean prebatch-single-area?
        """  # noqa: E501
        texts = (rows.text_problem("lists", lists), rows.text_problem("managed", managed))
        words = (*rows.word_problems(structure=structure), *rows.flag_problems(cache=cache))
        check(_system(system), *words, *texts)
        self._engine.join(system, (structure, lists.encode("latin-1"), managed.encode("latin-1"), cache))

    def leave(self, system: int) -> tuple[int, tuple[Effect, ...]]:
        """A system leaves: what it held is freed, a ring is shorter; how many requests were released, and what follows.

        >>> systems = Complex("ring")
        >>> systems.join(1)
        >>> _ = systems.enq(Task(1), Resource("Q", "R"))
        >>> systems.leave(1)
        (1, ())
        """
        check(_system(system))
        released, effects = self._engine.leave(system)
        return released, rows.effects_of(effects)

    def add(self, system: int, exit: Exit) -> None:
        """Put an exit behind those that are at its point; raises InputError with everything that is wrong.

        >>> systems = Complex()
        >>> systems.join(1)
        >>> systems.add(1, Exit("ISGNQXITBATCH", "BUSY", code=4))
        >>> systems.enq(Task(1), Resource("Q", "R"), ret="USE").answers[0].word
        'answered by an exit'
        """
        check(_system(system), kind_problem("exit", exit, Exit, "an Exit"))
        numbers = {"volume": rows.MOST_32, "code": _MOST_CODE, "abend": _MOST_ABEND}
        given: dict[str, Any] = {attribute.name: getattr(exit, attribute.name) for attribute in fields(exit)}
        rename = ("", "") if exit.rename is None else exit.rename
        words = {key: given[key] for key in ("point", "name", "scope", "work") if given[key] is not None}
        check(
            _rename(rename),
            *rows.word_problems(**words),
            *rows.flag_problems(**{key: given[key] for key in _FLAGS}),
            rows.text_problem("names", exit.names),
            _price("own_us", exit.own_us),
            *(rows.number_problem(key, given[key], most) for key, most in numbers.items() if given[key] is not None),
        )
        given["names"] = exit.names.encode("latin-1")
        given["rename"] = None if exit.rename is None else tuple(text.encode("latin-1") for text in exit.rename)
        self._engine.add_exit((system, exit.point, exit.name), given)

    def delete(self, system: int, point: str, name: str) -> None:
        """Take an exit away; raises InputError when there is none.

        >>> systems = Complex()
        >>> systems.join(1, "batch")
        >>> systems.delete(1, "ISGNQXITBATCH", "MANAGER")
        >>> [one.point for one in systems.exits(1)]
        ['ISGNQXITQUEUED1', 'ISGENDOFLQCB']
        """
        check(_system(system), *rows.word_problems(point=point, name=name))
        self._engine.delete_exit(system, point, name)

    def exits(self, system: int) -> list[Installed]:
        """The exits of a system, by point; those that failed are there until they are deleted.

        >>> systems = Complex()
        >>> systems.join(1)
        >>> systems.add(1, Exit("ISGNQXITFAST", "BAD", fail=True))
        >>> systems.enq(Task(1), Resource("Q", "R")).answers[0].word, systems.exits(1)[0].failed
        ('granted', True)
        """
        check(_system(system))
        return [Installed(**{**row, "refused": tuple(row["refused"])}) for row in self._engine.exits(system)]

    def cached(self, system: int) -> int:
        """For how many points and qnames the cache keeps exits from being called.

        >>> systems = Complex()
        >>> systems.join(1, "prebatch-single-area", managed="RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(G)", cache=True)
        >>> [systems.enq(Task(n), Resource("Q", "R")).account.calls["ISGNQXITPREBATCH"] for n in (1, 2)]
        [1, 0]
        >>> systems.cached(1)
        1
        """
        check(_system(system))
        return self._engine.cached(system)

    def clear_cache(self, system: int) -> None:
        """Have all points called again (ISGGCECR).

        >>> systems = Complex()
        >>> systems.join(1)
        >>> systems.clear_cache(1)
        """
        check(_system(system))
        self._engine.clear_cache(system)

    def enq(self, by: Who, *wanted: Resource | Wanted, ret: str = "NONE") -> Taken:
        """Ask for one resource or several, exclusively where nothing else is said; `ret` as `slicewright.enq` has it.

        The first resource that ends the caller is the last that is looked at. Raises InputError with everything that
        is no request, and for a system that is no member.

        >>> systems = Complex()
        >>> systems.join(1, "prebatch-pooled-1.4")
        >>> taken = systems.enq(Task(1), Wanted(Resource("Q", "A"), "SHARE"), Resource("Q", "B"))
        >>> [answer.managed for answer in taken.answers], taken.account.calls["ISGNQXITBATCHCND"]
        ([True, True], 1)
        """
        caller = rows.caller_of(by)
        parts = [part if isinstance(part, Wanted) else Wanted(part) for part in wanted]
        check(
            _some(parts),
            *rows.caller_problems(caller),
            *(fault for part in parts for fault in rows.resource_problems(part.resource)),
            *(rows.number_problem("volume", part.volume, rows.MOST_32) for part in parts if part.volume is not None),
            *(fault for part in parts for fault in rows.word_problems(access=part.access, ret=ret)),
        )
        asked = [(rows.named(part.resource), part.access, part.volume) for part in parts]
        return _taken(self._engine.enq(rows.who(caller), asked, ret))

    def deq(self, by: Who, *resources: Resource, ret: str = "NONE") -> Taken:
        """Release one resource or several, by the names and scopes by which they were asked for; raises InputError.

        >>> systems = Complex()
        >>> systems.join(1, "batch")
        >>> _ = systems.enq(Task(1), Resource("Q", "R"))
        >>> systems.deq(Task(1), Resource("Q", "R")).account.calls["ISGENDOFLQCB"]
        1
        """
        caller = rows.caller_of(by)
        found = (fault for resource in resources for fault in rows.resource_problems(resource))
        check(_some(resources), *rows.caller_problems(caller), *rows.word_problems(ret=ret), *found)
        return _taken(self._engine.deq(rows.who(caller), [rows.named(resource) for resource in resources], ret))

    def end_task(self, by: Task) -> tuple[int, tuple[Effect, ...], Account]:
        """End a task: how many requests were released, what follows, what was called.

        >>> systems = Complex()
        >>> systems.join(1)
        >>> systems.end_task(Task(1))[:2]
        (0, ())
        """
        check(*rows.task_problems(by))
        released, effects, account = self._engine.end_task(rows.numbers_of(by))
        return released, rows.effects_of(effects), Account(account)

    def end_space(self, space: int, system: int = 1) -> tuple[int, tuple[Effect, ...], Account]:
        """End all tasks of an address space: how many requests were released, what follows, what was called.

        >>> systems = Complex()
        >>> systems.join(1)
        >>> systems.end_space(1)[:2]
        (0, ())
        """
        check(rows.number_problem("space", space, rows.MOST_16), _system(system))
        released, effects, account = self._engine.end_space(system, space)
        return released, rows.effects_of(effects), Account(account)

    def delay(self, system: int, at_ms: float = 0.0) -> Delay:
        """The wait of a global request of a system, made `at_ms` after a ring's message reached the first one.

        >>> systems = Complex("ring", residency_ms=2)
        >>> for number in (1, 2, 3):
        ...     systems.join(number)
        >>> systems.delay(1, at_ms=1.0)
        Delay(us=11000.0, hops=3, structure=False)
        """
        check(_system(system), _price("at_ms", at_ms))
        return Delay(*self._engine.delay(system, at_ms * 1e3))

    def query(self, wanted: Filter | None = None) -> list[Queue]:
        """The resources that are meant with their queues, as `slicewright.enq.Service.query`.

        >>> systems = Complex()
        >>> systems.join(1)
        >>> _ = systems.enq(Task(1), Resource("Q", "R"))
        >>> str(systems.query()[0].resource)
        'S=SYSTEM Q        R'
        """
        return rows.queues_of(self._engine.query(rows.filter_of(wanted)))

    def waits(self) -> list[Wait]:
        """The tasks that wait, and the tasks that block them, as `slicewright.enq.Service.waits`.

        >>> Complex().waits()
        []
        """
        return rows.waits_of(self._engine.waits())

    def holes(self) -> list[Hole]:
        """Names that two systems have at once although one has it exclusively: one was not seen by the manager.

        >>> systems = Complex()
        >>> for number in (1, 2):
        ...     systems.join(number, "svc-front-end")
        >>> _ = systems.enq(Task(1), Resource("Q", "R"))
        >>> from slicewright.serialization.enq import Caller
        >>> _ = systems.enq(Caller(Task(1, system=2), linkage="SYSTEM"), Resource("Q", "R"))
        >>> [(hole.unseen.system, hole.other.system) for hole in systems.holes()]
        [(2, 1)]
        """
        return [
            Hole(rows.resource_of(row["resource"]), rows.task_of(row["unseen"]), rows.task_of(row["other"]))
            for row in self._engine.holes()
        ]

    def broken_laws(self) -> list[str]:
        """The laws that must always hold and do not, a sentence each: for tests; always empty.

        >>> Complex().broken_laws()
        []
        """
        return self._engine.broken_laws()


def _system(system: object) -> Problem | None:
    return rows.number_problem("system", system, rows.MOST_16)


def _some(parts: Iterable[object]) -> Problem | None:
    return None if any(True for _ in parts) else problem("a request without a resource", key="resources")


def _limits(limits: object) -> Problem | None:
    if isinstance(limits, tuple | list) and len(limits) == 2:
        return None
    return problem(f"`{brief(limits)}` is not a pair", key="limits", allowed="two numbers: unauthorized, authorized")


def _rename(rename: object) -> Problem | None:
    if not isinstance(rename, tuple | list) or len(rename) != 2:
        return problem(f"`{brief(rename)}` is not a pair", key="rename", allowed="two texts: qname, rname")
    return next((wrong for text in rename if (wrong := rows.text_problem("rename", text))), None)


def _price(key: str, value: object) -> Problem | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST_US:
        return None
    return problem(f"`{brief(value)}` is not a length of time", key=key, allowed=f"0 to {_MOST_US:g}")


def _taken(row: tuple[list[dict[str, Any]], list[dict[str, Any]], ExitAccount]) -> Taken:
    answers, effects, account = row
    return Taken(tuple(_answered(answer) for answer in answers), rows.effects_of(effects), Account(account))


def _answered(row: Mapping[str, Any]) -> Answered:
    abend, resource = rows.completion(row["abend"]), rows.resource_of(row["resource"])
    return Answered(**{**row, "abend": abend, "resource": resource})
