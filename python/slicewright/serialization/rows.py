"""Classes of ENQ and DEQ, for callers, resources and answers, and their conversion from the engine's rows.

Requests are checked for their numbers and characters alone; `slicewright.enq` has the service.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import eq
from typing import Any, NamedTuple, TypeAlias, overload

from slicewright.values import parameters
from slicewright.values.errors import Problem, problem
from slicewright.values.parameters import brief

MOST_16 = 2**16 - 1
"""The greatest number of a system or an address space."""

MOST_32 = 2**32 - 1
"""The greatest number of a task or a volume."""


class Task(NamedTuple):
    """A task in an address space of a system, each by a number of one's own choosing.

    >>> Task(3, space=2)
    Task(task=3, space=2, system=1)
    """

    task: int
    space: int = 1
    system: int = 1


@dataclass(frozen=True, slots=True)
class Caller:
    """A task, the door it uses (`linkage`: SVC or SYSTEM) and from where.

    The supervisor call is for callers in their own address space, the program call (SYSTEM) for those in cross-memory
    mode too. No caller may hold a lock (MVS Programming: Authorized Assembler Services Reference, ENQ and DEQ).

    >>> from slicewright.serialization.enq import Service
    >>> elsewhere = Caller(Task(1), cross_memory=True)
    >>> Service().enq(elsewhere, Resource("Q", "R")).abend
    'X0F8'
    >>> Service().enq(Caller(Task(1), linkage="SYSTEM", cross_memory=True), Resource("Q", "R")).return_code
    0
    """

    task: Task
    linkage: str = "SVC"
    cross_memory: bool = False
    locked: bool = False
    authorized: bool = False


Who: TypeAlias = Task | Caller
"""The caller: a task stands for an unauthorized caller of the supervisor call in its own address space."""


@dataclass(frozen=True, slots=True, order=True)
class Resource:
    """A name and its scope: a qname of up to 8 characters, an rname of up to 255, STEP, SYSTEM or SYSTEMS.

    In answers `system` and `space` are those of a name that is not global. Each character stands for a byte
    (Latin-1); blanks at the end of a qname do not count.

    >>> str(Resource("SYSDSN", "SYS1.LINKLIB"))
    'S=SYSTEMS SYSDSN   SYS1.LINKLIB'
    """

    qname: str
    rname: str
    scope: str = "SYSTEMS"
    system: int | None = None
    space: int | None = None

    def __str__(self) -> str:
        """As DISPLAY GRS has it."""
        shown = "".join(character if " " <= character <= "~" else "." for character in f"{self.qname:8} {self.rname}")
        return f"S={self.scope} {shown}"


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect of a request on other tasks, or an action left to the caller.

    `kind`: "granted" (by, resource), "reserve volume" and "release volume" (system, volume), "contention" (resource,
    waiters: how many wait now) or "no wait" (by, resource, ret: a task did not get it and does not wait).

    >>> from slicewright.serialization.enq import Service
    >>> service = Service()
    >>> effect, = service.reserve(Task(1), Resource("SYSVTOCX", "PACK01"), 7).effects
    >>> effect.kind, effect.system, effect.volume
    ('reserve volume', 1, 7)
    """

    kind: str
    by: Task | None = None
    resource: Resource | None = None
    system: int | None = None
    volume: int | None = None
    waiters: int | None = None
    ret: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: one word, the return code or the completion code, and the effects in their order.

    A task that waits has neither code yet: it gets the resource as an effect of another task's release, with code 0.

    >>> from slicewright.serialization.enq import Service
    >>> answer = Service().deq(Task(1), Resource("Q", "R"))
    >>> answer.word, answer.return_code, answer.abend
    ('abend', None, 'X130')
    """

    word: str
    return_code: int | None
    abend: str | None
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """A request in a queue: whose, for what (SHARE, EXCLUSIVE), whether it has it, with which volume.

    >>> Request(Task(1), "SHARE", owns=True).volume is None
    True
    """

    by: Task
    access: str
    owns: bool
    volume: int | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """A resource and the requests for it in their order, the owners first.

    >>> Queue(Resource("Q", "R"), 1, 0, 2, ()).waiters
    2
    """

    resource: Resource
    owners: int
    exclusive_waiters: int
    shared_waiters: int
    requests: tuple[Request, ...]

    @property
    def waiters(self) -> int:
        """How many wait."""
        return self.exclusive_waiters + self.shared_waiters


@dataclass(frozen=True, slots=True)
class Filter:
    """Which resources a query is for: those of which everything holds that is given, as GQSCAN has it.

    `rname_beginning` is the generic form of a name; `system`, `space` and `task` are those of some request in the
    queue; `owners` and `waiters` are the fewest.

    >>> Filter(qname="SYSDSN", waiters=1).rname is None
    True
    """

    qname: str = ""
    rname_beginning: str = ""
    rname: str | None = None
    scope: str | None = None
    system: int | None = None
    space: int | None = None
    task: int | None = None
    owners: int = 0
    waiters: int = 0
    with_reserve: bool = False


class Blockers(Sequence[Task]):
    """The first tasks of a tuple that all waiters for a resource share: n waiters take n places and not n².

    >>> ahead = Blockers((Task(1), Task(2), Task(3)), 2)
    >>> len(ahead), ahead[-1].task, ahead == (Task(1), Task(2))
    (2, 2, True)
    """

    __slots__ = ("_ahead", "_count")

    def __init__(self, ahead: tuple[Task, ...], count: int) -> None:
        self._ahead = ahead
        self._count = count

    def __len__(self) -> int:
        """How many they are."""
        return self._count

    @overload
    def __getitem__(self, at: int) -> Task: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Task, ...]: ...
    def __getitem__(self, at: int | slice) -> Task | tuple[Task, ...]:
        """One of them, or a tuple of some."""
        places = range(self._count)[at]
        return self._ahead[places] if isinstance(places, int) else tuple(self._ahead[place] for place in places)

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same tasks in the same order."""
        if not isinstance(other, (Blockers, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        """The hash of the tuple of them."""
        return hash(self[:])

    def __repr__(self) -> str:
        """The tuple of them."""
        return repr(self[:])


@dataclass(frozen=True, slots=True)
class Wait:
    """A task that waits, and those ahead of it in the queue that cannot have the resource together with it.

    `blockers` are all of these, owners first, in the order of the queue.

    >>> Wait(Task(2), "SHARE", Resource("Q", "R"), (Task(1),)).blockers[0].task
    1
    """

    by: Task
    access: str
    resource: Resource
    blockers: Sequence[Task]


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a circle: the task that waits, the resource, and the task that blocks it.

    >>> print(Link(Task(1), Resource("Q", "R"), Task(2)))
    1.1.1 waits for S=SYSTEMS Q        R behind 1.1.2
    """

    waiter: Task
    resource: Resource
    blocker: Task

    def __str__(self) -> str:
        """System, address space and task of both, and the resource between them."""
        return f"{_shown(self.waiter)} waits for {self.resource} behind {_shown(self.blocker)}"


@dataclass(frozen=True, slots=True)
class Deadlock:
    """Tasks that wait for each other for ever, by number, and a shortest circle through the first of them.

    >>> Deadlock((Task(1), Task(2)), ()).tasks[0]
    Task(task=1, space=1, system=1)
    """

    tasks: tuple[Task, ...]
    circle: tuple[Link, ...]


def number_problem(key: str, value: object, most: int) -> Problem | None:
    """The problem with a number from 0 to `most`.

    >>> number_problem("space", 7, MOST_16) is None
    True
    """
    what = "not a whole number"
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= most:
            return None
        what = "out of range"
    return problem(f"`{brief(value)}` is {what}", key=key, allowed=f"0 to {most}")


def text_problem(key: str, text: object) -> Problem | None:
    """The problem with a text of which each character is a byte.

    >>> text_problem("qname", "SYSDSN") is None
    True
    """
    if isinstance(text, str) and (text.isascii() or max(text) <= "\xff"):
        return None
    what = f"`{brief(text)}` is not a text of bytes" if isinstance(text, str) else f"`{brief(text)}` is not a text"
    return problem(what, key=key, allowed="characters of Latin-1, each a byte")


def word_problems(**words: object) -> Iterable[Problem | None]:
    """The problem with words, by key, that are not even texts; which words there are the engine knows.

    >>> any(word_problems(access="SHARE", ret="NONE"))
    False
    """
    return (parameters.text_problem(key, word, "a word") for key, word in words.items())


def flag_problems(**flags: object) -> Iterable[Problem | None]:
    """The problem with values, by key, that are to be True or False.

    >>> [wrong["key"] for wrong in flag_problems(cache=1) if wrong]
    ['cache']
    """
    return (parameters.kind_problem(key, flag, bool, "True, False") for key, flag in flags.items())


def task_problems(task: object) -> Iterable[Problem | None]:
    """The problem with a task or its numbers.

    >>> any(task_problems(Task(1)))
    False
    """
    if not isinstance(task, Task):
        return [parameters.kind_problem("by", task, Task, "a Task, or a Caller where one is taken")]
    most = {"task": MOST_32, "space": MOST_16, "system": MOST_16}
    return [number_problem(key, getattr(task, key), most[key]) for key in most]


def caller_problems(caller: Caller) -> Iterable[Problem | None]:
    """The problem with a caller and its task.

    >>> any(caller_problems(Caller(Task(1))))
    False
    """
    flags = flag_problems(cross_memory=caller.cross_memory, locked=caller.locked, authorized=caller.authorized)
    return (*task_problems(caller.task), *word_problems(linkage=caller.linkage), *flags)


def resource_problems(resource: object) -> Iterable[Problem | None]:
    """The problem with the types of a resource's parts and with the characters of its name.

    >>> any(resource_problems(Resource("Q", "R")))
    False
    """
    if not isinstance(resource, Resource):
        return [parameters.kind_problem("resource", resource, Resource, "a Resource")]
    names = (text_problem("qname", resource.qname), text_problem("rname", resource.rname))
    return (*names, *word_problems(scope=resource.scope))


def caller_of(by: Who) -> Caller:
    """The caller: a task, and from where it calls.

    >>> caller_of(Task(1)).linkage
    'SVC'
    """
    return by if isinstance(by, Caller) else Caller(by)


def numbers_of(task: Task) -> tuple[int, int, int]:
    """A task as the engine has it.

    >>> numbers_of(Task(3, space=2))
    (1, 2, 3)
    """
    return task.system, task.space, task.task


def who(caller: Caller) -> tuple[tuple[int, int, int], tuple[str, bool, bool, bool]]:
    """The caller as the engine has it: a task, and from where it calls.

    >>> who(Caller(Task(3)))
    ((1, 1, 3), ('SVC', False, False, False))
    """
    return numbers_of(caller.task), (caller.linkage, caller.cross_memory, caller.locked, caller.authorized)


def named(resource: Resource) -> tuple[bytes, bytes, str]:
    """A resource as the engine has it.

    >>> named(Resource("Q", "R"))
    (b'Q', b'R', 'SYSTEMS')
    """
    return resource.qname.encode("latin-1"), resource.rname.encode("latin-1"), resource.scope


def filter_of(wanted: Filter | None) -> dict[str, Any]:
    """A filter as the engine has it; raises InputError.

    >>> filter_of(Filter(qname="Q"))["qname"]
    b'Q'
    """
    wanted = Filter() if wanted is None else wanted
    parameters.check(parameters.kind_problem("wanted", wanted, Filter, "a Filter"))
    given: dict[str, Any] = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    texts = [(key, given[key]) for key in ("qname", "rname_beginning", "rname") if given[key] is not None]
    limits = {"system": MOST_16, "space": MOST_16, "task": MOST_32, "owners": MOST_32, "waiters": MOST_32}
    numbers = [number_problem(key, given[key], most) for key, most in limits.items() if given[key] is not None]
    words = {} if wanted.scope is None else {"scope": wanted.scope}
    parameters.check(
        *numbers,
        *(text_problem(key, text) for key, text in texts),
        *word_problems(**words),
        *flag_problems(with_reserve=wanted.with_reserve),
    )
    given.update({key: text.encode("latin-1") for key, text in texts})
    return given


def completion(code: int | None) -> str | None:
    """A completion code as it is written.

    >>> completion(0x538)
    'X538'
    """
    return None if code is None else f"X{code:03X}"


def task_of(row: tuple[int, int, int]) -> Task:
    """A task that the engine reports.

    >>> task_of((1, 2, 3))
    Task(task=3, space=2, system=1)
    """
    system, space, task = row
    return Task(task, space, system)


def tasks_of(rows: Iterable[tuple[int, int, int]]) -> tuple[Task, ...]:
    """Tasks that the engine reports.

    >>> tasks_of([(1, 2, 3)])
    (Task(task=3, space=2, system=1),)
    """
    return tuple(task_of(row) for row in rows)


def resource_of(row: dict[str, Any]) -> Resource:
    """A resource that the engine reports.

    >>> resource_of({"qname": b"Q       ", "rname": b"R", "scope": "STEP", "system": 1, "space": 2}).space
    2
    """
    qname, rname = row["qname"].decode("latin-1").rstrip(" "), row["rname"].decode("latin-1")
    return Resource(qname, rname, row["scope"], row["system"], row["space"])


def effects_of(rows: Iterable[dict[str, Any]]) -> tuple[Effect, ...]:
    """Effects that the engine reports.

    >>> effects_of([{"kind": "reserve volume", "system": 1, "volume": 7}])[0].volume
    7
    """
    return tuple(_effect(row) for row in rows)


def queues_of(rows: Iterable[dict[str, Any]]) -> list[Queue]:
    """Queues that the engine reports.

    >>> queues_of([])
    []
    """
    return [_queue(row) for row in rows]


def waits_of(rows: Sequence[dict[str, Any]]) -> list[Wait]:
    """Waits that the engine reports.

    >>> waits_of([])
    []
    """
    shared: dict[int, tuple[Task, ...]] = {}
    waits = []
    for row in rows:
        ahead = row["ahead"]
        if id(ahead) not in shared:
            shared[id(ahead)] = tasks_of(ahead)
        blockers = Blockers(shared[id(ahead)], row["blocking"])
        waits.append(Wait(task_of(row["by"]), row["access"], resource_of(row["resource"]), blockers))
    return waits


def deadlocks_of(rows: Iterable[dict[str, Any]]) -> list[Deadlock]:
    """Deadlocks that the engine reports.

    >>> deadlocks_of([])
    []
    """
    return [Deadlock(tasks_of(row["tasks"]), tuple(_link(step) for step in row["circle"])) for row in rows]


def _effect(row: dict[str, Any]) -> Effect:
    by, resource = row.get("by"), row.get("resource")
    rest = {key: row[key] for key in row if key not in ("by", "resource")}
    return Effect(**rest, by=by and task_of(by), resource=resource and resource_of(resource))


def _queue(row: dict[str, Any]) -> Queue:
    requests = tuple(
        Request(task_of(request["by"]), request["access"], request["owns"], request["volume"])
        for request in row["requests"]
    )
    counts = (row["owners"], row["exclusive_waiters"], row["shared_waiters"])
    return Queue(resource_of(row["resource"]), *counts, requests)


def _link(row: dict[str, Any]) -> Link:
    return Link(task_of(row["waiter"]), resource_of(row["resource"]), task_of(row["blocker"]))


def _shown(task: Task) -> str:
    return f"{task.system}.{task.space}.{task.task}"
