"""ENQ, DEQ and RESERVE as a service to try: who asks for which name, what he is told, who waits for whom.

It leaves out the rules, which are the engine's, name lists, and time: nobody waits here, a release says who goes on.

>>> service = Service()
>>> file, writer, reader = Resource("PAYROLL", "MASTER"), Task(1), Task(2)
>>> service.enq(writer, file).return_code
0
>>> service.enq(reader, file, "SHARE").word
'waits'
>>> [effect.by for effect in service.deq(writer, file).effects if effect.kind == "granted"]
[Task(task=2, space=1, system=1)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from slicewright._core import Serialization
from slicewright.problems import Problem, problem, refusal

UNAUTHORIZED = 16_384
"""Unauthorized requests that an address space may have at once (GRSCNFxx, ENQMAXU)."""

AUTHORIZED = 250_000
"""Authorized ones (GRSCNFxx, ENQMAXA)."""

_MOST_16 = 2**16 - 1
_MOST_32 = 2**32 - 1


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
    mode too; nobody calls with a lock held (MVS Programming: Authorized Assembler Services Reference, ENQ and DEQ).

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
"""Who asks: a task stands for an unauthorized caller of the supervisor call in its own address space."""


@dataclass(frozen=True, slots=True, order=True)
class Resource:
    """A name and its scope: a qname of up to 8 characters, an rname of up to 255, STEP, SYSTEM or SYSTEMS.

    In answers `system` and `space` say whose a name is that does not reach everybody. Each character stands for a byte
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
    """What follows from a request for others, or is to be done by whoever carries it out.

    `kind`: "granted" (by, resource), "reserve volume" and "release volume" (system, volume), "contention" (resource,
    waiters: how many wait now) or "no wait" (by, resource, ret: somebody did not get it and does not wait).

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
    """What became of a request: one word, the return code or the completion code, and the effects in their order.

    Who waits has neither code yet: that he has the resource is an effect of somebody else's release, with the code 0.

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


@dataclass(frozen=True, slots=True)
class Wait:
    """Somebody who waits, and those ahead of him who cannot have the resource together with him.

    >>> Wait(Task(2), "SHARE", Resource("Q", "R"), (Task(1),)).blockers[0].task
    1
    """

    by: Task
    access: str
    resource: Resource
    blockers: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a circle: who waits, for what, behind whom.

    >>> print(Link(Task(1), Resource("Q", "R"), Task(2)))
    1.1.1 waits for S=SYSTEMS Q        R behind 1.1.2
    """

    waiter: Task
    resource: Resource
    blocker: Task

    def __str__(self) -> str:
        """System, address space and task of both, and what stands between them."""
        return f"{_shown(self.waiter)} waits for {self.resource} behind {_shown(self.blocker)}"


@dataclass(frozen=True, slots=True)
class Deadlock:
    """Tasks that wait for each other for ever, by number, and a shortest circle through the first of them.

    >>> Deadlock((Task(1), Task(2)), ()).tasks[0]
    Task(task=1, space=1, system=1)
    """

    tasks: tuple[Task, ...]
    circle: tuple[Link, ...]


class Service:
    """All resources that are asked for, by all systems that share names.

    `unauthorized` and `authorized`: how many requests of each kind an address space may have at once; over it an
    unconditional request ends with X538 and a conditional one has the return code X'18'. Raises InputError for a limit
    that is not 0 to 2^32 - 1.

    >>> service = Service(unauthorized=1)
    >>> service.enq(Task(1), Resource("Q", "A")).word, service.enq(Task(1), Resource("Q", "B")).abend
    ('granted', 'X538')
    """

    def __init__(self, unauthorized: int = UNAUTHORIZED, authorized: int = AUTHORIZED) -> None:
        _check(_number("unauthorized", unauthorized, _MOST_32), _number("authorized", authorized, _MOST_32))
        self._engine = Serialization(unauthorized, authorized)

    def enq(
        self, by: Who, resource: Resource, access: str = "EXCLUSIVE", ret: str = "NONE", volume: int | None = None
    ) -> Answer:
        """Ask for a resource: `access` SHARE or EXCLUSIVE, `ret` NONE, TEST, USE, CHNG, HAVE; with a volume a RESERVE.

        Return codes, from MVS Programming: Authorized Assembler Services Reference, ENQ: 0 done (TEST: could be had); 4
        not at once (CHNG: others share it); 8 the task has it already (CHNG: has not asked for it); X'14' it waits
        already; X'18' over the limit. Raises InputError with everything about the request that is none: names too
        long or empty, unknown words, numbers out of range.

        >>> service = Service()
        >>> shared = Resource("PAYROLL", "MASTER")
        >>> [service.enq(Task(n), shared, "SHARE").word for n in (1, 2)]
        ['granted', 'granted']
        >>> service.enq(Task(1), shared, ret="CHNG").return_code
        4
        >>> service.enq(Task(1), Resource("TOOLONGNAME", "", "SYSTM"))
        Traceback (most recent call last):
            ...
        _core.InputError: qname: the qname has 11 characters; allowed: 1 to 8 characters
        rname: the rname is empty; allowed: 1 to 255 characters
        scope: `SYSTM` is not a scope; allowed: STEP, SYSTEM, SYSTEMS; did you mean SYSTEM?
        """
        caller = _caller(by)
        _check(
            *_wrong(caller.task),
            *_spelled(resource),
            *([] if volume is None else [_number("volume", volume, _MOST_32)]),
        )
        asked = (access, ret, volume)
        word, code, abend, effects = self._engine.enq((_by(caller.task), _from(caller)), _named(resource), asked)
        return Answer(word, code, _completion(abend), _effects(effects))

    def reserve(self, by: Who, resource: Resource, volume: int, ret: str = "NONE") -> Answer:
        """Ask for a resource for oneself, and for the volume (a number of one's own choosing) to be reserved with it.

        The reserve is an effect: the first RESERVE of a system on a volume that has what it asked for brings one, and
        the last that is gone brings a release. Raises InputError as `enq` does.

        >>> service = Service()
        >>> service.reserve(Task(1), Resource("SYSVTOCX", "PACK01"), 7).return_code
        0
        >>> service.reserves(1, 7)
        1
        """
        return self.enq(by, resource, "EXCLUSIVE", ret, volume)

    def deq(self, by: Who, resource: Resource, ret: str = "NONE") -> Answer:
        """Release a resource: `ret` NONE or HAVE, which tells of what the task does not have instead of ending it.

        Return codes, from MVS Programming: Authorized Assembler Services Reference, DEQ: 0 released; 4 the task still
        waits for it, and goes on waiting; 8 the task has not asked for it. Raises InputError as `enq` does.

        >>> service = Service()
        >>> service.deq(Task(1), Resource("Q", "R"), "HAVE").return_code
        8
        """
        caller = _caller(by)
        _check(*_wrong(caller.task), *_spelled(resource))
        word, code, abend, effects = self._engine.deq((_by(caller.task), _from(caller)), _named(resource), ret)
        return Answer(word, code, _completion(abend), _effects(effects))

    def end_task(self, by: Task) -> tuple[int, tuple[Effect, ...]]:
        """End a task: everything it has or waits for is released; how many requests, and what follows.

        >>> service = Service()
        >>> _ = service.enq(Task(1), Resource("Q", "R"))
        >>> service.end_task(Task(1))
        (1, ())
        """
        _check(*_wrong(by))
        released, effects = self._engine.end_task(_by(by))
        return released, _effects(effects)

    def raise_limits(self, space: int, unauthorized: int, authorized: int, system: int = 1) -> None:
        """Let one address space have more requests; the greater of this and the common limit counts (ISGADMIN).

        >>> service = Service(unauthorized=0)
        >>> service.raise_limits(1, 1, 0)
        >>> service.enq(Task(1), Resource("Q", "R")).word
        'granted'
        """
        numbers = (_number("unauthorized", unauthorized, _MOST_32), _number("authorized", authorized, _MOST_32))
        _check(_number("space", space, _MOST_16), _number("system", system, _MOST_16), *numbers)
        self._engine.raise_limits(system, space, unauthorized, authorized)

    def requests_of_space(self, space: int, system: int = 1) -> tuple[int, int]:
        """How many requests an address space has at once: unauthorized, authorized.

        >>> Service().requests_of_space(1)
        (0, 0)
        """
        _check(_number("space", space, _MOST_16), _number("system", system, _MOST_16))
        return self._engine.requests_of_space(system, space)

    def reserves(self, system: int, volume: int) -> int:
        """How many RESERVEs of a system have a volume.

        >>> Service().reserves(1, 7)
        0
        """
        _check(_number("system", system, _MOST_16), _number("volume", volume, _MOST_32))
        return self._engine.reserves(system, volume)

    def query(self, wanted: Filter | None = None) -> list[Queue]:
        """The resources that are meant with their queues, by name and then by scope; raises InputError.

        >>> service = Service()
        >>> for number in (1, 2, 3):
        ...     _ = service.enq(Task(number), Resource("Q", "R"))
        >>> queue, = service.query(Filter(waiters=1))
        >>> queue.owners, queue.waiters, [request.by.task for request in queue.requests]
        (1, 2, [1, 2, 3])
        """
        wanted = wanted or Filter()
        named = ("qname", "rname_beginning", "rname")
        given: dict[str, Any] = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
        texts = [(key, given[key]) for key in named if given[key] is not None]
        limits = {"system": _MOST_16, "space": _MOST_16, "task": _MOST_32, "owners": _MOST_32, "waiters": _MOST_32}
        numbers = [_number(key, given[key], most) for key, most in limits.items() if given[key] is not None]
        _check(*numbers, *(_text(key, text) for key, text in texts))
        given.update({key: text.encode("latin-1") for key, text in texts})
        return [_queue(row) for row in self._engine.query(given)]

    def waits(self) -> list[Wait]:
        """Everybody who waits, by the name of what he waits for and his place in the queue, and who blocks him.

        >>> service = Service()
        >>> for number in (1, 2):
        ...     _ = service.enq(Task(number), Resource("Q", "R"))
        >>> [(wait.by.task, [blocker.task for blocker in wait.blockers]) for wait in service.waits()]
        [(2, [1])]
        """
        rows = self._engine.waits()
        return [Wait(_task(r["by"]), r["access"], _resource(r["resource"]), _tasks(r["blockers"])) for r in rows]

    def deadlocks(self) -> list[Deadlock]:
        """Every set of tasks that wait for each other for ever, with a shortest circle through its first task.

        >>> service = Service()
        >>> for number, names in ((1, "AB"), (2, "BA")):
        ...     _ = service.enq(Task(number), Resource("Q", names[0]))
        >>> for number, names in ((1, "AB"), (2, "BA")):
        ...     _ = service.enq(Task(number), Resource("Q", names[1]))
        >>> for link in service.deadlocks()[0].circle:
        ...     print(link)
        1.1.1 waits for S=SYSTEMS Q        B behind 1.1.2
        1.1.2 waits for S=SYSTEMS Q        A behind 1.1.1
        """
        return [
            Deadlock(_tasks(row["tasks"]), tuple(_link(step) for step in row["circle"]))
            for row in self._engine.deadlocks()
        ]

    def broken_laws(self) -> list[str]:
        """What must hold at all times and does not, a sentence each: for tests; always empty.

        >>> Service().broken_laws()
        []
        """
        return self._engine.broken_laws()


def _check(*problems: Problem | None) -> None:
    found = [one for one in problems if one is not None]
    if found:
        raise refusal(*found)


def _number(key: str, value: object, most: int) -> Problem | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
        return None
    return problem(f"`{value}` is no number for it", key=key, allowed=f"0 to {most}")


def _text(key: str, text: object) -> Problem | None:
    if isinstance(text, str) and all(ord(character) < 256 for character in text):
        return None
    return problem(f"`{text}` is not a text of bytes", key=key, allowed="characters of Latin-1, each a byte")


def _wrong(task: Task) -> Iterable[Problem | None]:
    most = {"task": _MOST_32, "space": _MOST_16, "system": _MOST_16}
    return (_number(key, getattr(task, key), most[key]) for key in most)


def _spelled(resource: Resource) -> Iterable[Problem | None]:
    return (_text("qname", resource.qname), _text("rname", resource.rname))


def _caller(by: Who) -> Caller:
    return by if isinstance(by, Caller) else Caller(by)


def _by(task: Task) -> tuple[int, int, int]:
    return task.system, task.space, task.task


def _named(resource: Resource) -> tuple[bytes, bytes, str]:
    return resource.qname.encode("latin-1"), resource.rname.encode("latin-1"), resource.scope


def _from(caller: Caller) -> tuple[str, bool, bool, bool]:
    return caller.linkage, caller.cross_memory, caller.locked, caller.authorized


def _completion(code: int | None) -> str | None:
    return None if code is None else f"X{code:03X}"


def _shown(task: Task) -> str:
    return f"{task.system}.{task.space}.{task.task}"


def _task(row: tuple[int, int, int]) -> Task:
    system, space, task = row
    return Task(task, space, system)


def _tasks(rows: Iterable[tuple[int, int, int]]) -> tuple[Task, ...]:
    return tuple(_task(row) for row in rows)


def _resource(row: dict[str, Any]) -> Resource:
    qname, rname = row["qname"].decode("latin-1").rstrip(" "), row["rname"].decode("latin-1")
    return Resource(qname, rname, row["scope"], row["system"], row["space"])


def _effect(row: dict[str, Any]) -> Effect:
    by, resource = row.get("by"), row.get("resource")
    rest = {key: row[key] for key in row if key not in ("by", "resource")}
    return Effect(**rest, by=by and _task(by), resource=resource and _resource(resource))


def _effects(rows: Iterable[dict[str, Any]]) -> tuple[Effect, ...]:
    return tuple(_effect(row) for row in rows)


def _queue(row: dict[str, Any]) -> Queue:
    requests = tuple(Request(_task(one["by"]), one["access"], one["owns"], one["volume"]) for one in row["requests"])
    counts = (row["owners"], row["exclusive_waiters"], row["shared_waiters"])
    return Queue(_resource(row["resource"]), *counts, requests)


def _link(row: dict[str, Any]) -> Link:
    return Link(_task(row["waiter"]), _resource(row["resource"]), _task(row["blocker"]))
