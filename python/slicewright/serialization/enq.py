"""ENQ, DEQ and RESERVE as a service to try: requests by tasks for names, their return codes, and the waits.

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

from collections.abc import Sequence

import polars as pl

from slicewright._core import Serialization
from slicewright.serialization import rows
from slicewright.serialization.batch import Answers, carry_out
from slicewright.serialization.rows import (
    Answer,
    Caller,
    Deadlock,
    Effect,
    Filter,
    Link,
    Queue,
    Request,
    Resource,
    Task,
    Wait,
    Who,
)
from slicewright.values.parameters import check

__all__ = [
    "AUTHORIZED",
    "UNAUTHORIZED",
    "Answer",
    "Answers",
    "Caller",
    "Deadlock",
    "Effect",
    "Filter",
    "Link",
    "Queue",
    "Request",
    "Resource",
    "Service",
    "Task",
    "Wait",
    "Who",
]

UNAUTHORIZED = 16_384
"""Unauthorized requests that an address space may have at once (GRSCNFxx, ENQMAXU)."""

AUTHORIZED = 250_000
"""Authorized ones (GRSCNFxx, ENQMAXA)."""

PROBLEM_PROGRAM = Caller(Task(0))
"""The environment of most callers: unauthorized, in their own address space, without a lock."""


class Service:
    """All resources that are asked for, by all systems that share names.

    `unauthorized` and `authorized`: how many requests of each kind an address space may have at once.  Over it an
    unconditional request ends with X538 and a conditional one has the return code X'18'. Raises InputError for a limit
    that is not 0 to 2^32 - 1.

    >>> service = Service(unauthorized=1)
    >>> service.enq(Task(1), Resource("Q", "A")).word, service.enq(Task(1), Resource("Q", "B")).abend
    ('granted', 'X538')
    """

    def __init__(self, unauthorized: int = UNAUTHORIZED, authorized: int = AUTHORIZED) -> None:
        check(
            rows.number_problem("unauthorized", unauthorized, rows.MOST_32),
            rows.number_problem("authorized", authorized, rows.MOST_32),
        )
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
        caller = rows.caller_of(by)
        check(
            *rows.caller_problems(caller),
            *rows.resource_problems(resource),
            *rows.word_problems(access=access, ret=ret),
            *([] if volume is None else [rows.number_problem("volume", volume, rows.MOST_32)]),
        )
        asked = (access, ret, volume)
        word, code, abend, effects = self._engine.enq(rows.who(caller), rows.named(resource), asked)
        return Answer(word, code, rows.completion(abend), rows.effects_of(effects))

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
        """Release a resource: `ret` NONE or HAVE, which reports names that the task does not have instead of ending it.

        Return codes, from MVS Programming: Authorized Assembler Services Reference, DEQ: 0 released; 4 the task still
        waits for it, and goes on waiting; 8 the task has not asked for it. Raises InputError as `enq` does.

        >>> service = Service()
        >>> service.deq(Task(1), Resource("Q", "R"), "HAVE").return_code
        8
        """
        caller = rows.caller_of(by)
        check(*rows.caller_problems(caller), *rows.resource_problems(resource), *rows.word_problems(ret=ret))
        word, code, abend, effects = self._engine.deq(rows.who(caller), rows.named(resource), ret)
        return Answer(word, code, rows.completion(abend), rows.effects_of(effects))

    def batch(self, resources: Sequence[Resource], requests: pl.DataFrame, caller: Caller = PROBLEM_PROGRAM) -> Answers:
        """Carry out many requests in one call, in the order of their rows: some 120 ns each.

        A request has `verb` (ENQ, DEQ), `resource` (its place in `resources`, from 0) and `task`; `system` and `space`
        are 1, `access` is EXCLUSIVE, `ret` NONE and `volume` none where these columns are missing. All come from the
        environment of `caller`, whose task does not count. Raises InputError with everything that is no request;
        none is carried out then.

        >>> requests = pl.DataFrame({"verb": ["ENQ", "ENQ", "DEQ"], "resource": 0, "task": [1, 2, 1]})
        >>> done = Service().batch([Resource("PAYROLL", "MASTER")], requests)
        >>> done.answers["word"].to_list()
        ['granted', 'waits', 'released']
        >>> done.effects.select("request", "kind", "task").rows()
        [(1, 'contention', None), (2, 'granted', 2), (2, 'contention', None)]
        """
        return carry_out(self._engine, resources, requests, caller)

    def end_task(self, by: Task) -> tuple[int, tuple[Effect, ...]]:
        """End a task: everything it has or waits for is released; how many requests, and what follows.

        >>> service = Service()
        >>> _ = service.enq(Task(1), Resource("Q", "R"))
        >>> service.end_task(Task(1))
        (1, ())
        """
        check(*rows.task_problems(by))
        released, effects = self._engine.end_task(rows.numbers_of(by))
        return released, rows.effects_of(effects)

    def end_space(self, space: int, system: int = 1) -> tuple[int, tuple[Effect, ...]]:
        """End an address space: all its tasks end, in the order of their numbers; how many requests, and what follows.

        >>> service = Service()
        >>> for number in (1, 2):
        ...     _ = service.enq(Task(number, space=7), Resource("Q", str(number)))
        >>> service.end_space(7)
        (2, ())
        """
        check(rows.number_problem("space", space, rows.MOST_16), rows.number_problem("system", system, rows.MOST_16))
        released, effects = self._engine.end_space(system, space)
        return released, rows.effects_of(effects)

    def end_system(self, system: int) -> tuple[int, tuple[Effect, ...]]:
        """A system leaves: all its tasks end, what they held is free; how many requests, and what follows.

        >>> service = Service()
        >>> _ = service.enq(Task(1, system=3), Resource("Q", "R"))
        >>> service.end_system(3)
        (1, ())
        """
        check(rows.number_problem("system", system, rows.MOST_16))
        released, effects = self._engine.end_system(system)
        return released, rows.effects_of(effects)

    def raise_limits(self, space: int, unauthorized: int, authorized: int, system: int = 1) -> None:
        """Let one address space have more requests; the greater of this and the common limit counts (ISGADMIN).

        >>> service = Service(unauthorized=0)
        >>> service.raise_limits(1, 1, 0)
        >>> service.enq(Task(1), Resource("Q", "R")).word
        'granted'
        """
        numbers = (
            rows.number_problem("unauthorized", unauthorized, rows.MOST_32),
            rows.number_problem("authorized", authorized, rows.MOST_32),
        )
        check(
            rows.number_problem("space", space, rows.MOST_16),
            rows.number_problem("system", system, rows.MOST_16),
            *numbers,
        )
        self._engine.raise_limits(system, space, unauthorized, authorized)

    def requests_of_space(self, space: int, system: int = 1) -> tuple[int, int]:
        """How many requests an address space has at once: unauthorized, authorized.

        >>> Service().requests_of_space(1)
        (0, 0)
        """
        check(rows.number_problem("space", space, rows.MOST_16), rows.number_problem("system", system, rows.MOST_16))
        return self._engine.requests_of_space(system, space)

    def reserves(self, system: int, volume: int) -> int:
        """How many RESERVEs of a system have a volume.

        >>> Service().reserves(1, 7)
        0
        """
        check(rows.number_problem("system", system, rows.MOST_16), rows.number_problem("volume", volume, rows.MOST_32))
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
        return rows.queues_of(self._engine.query(rows.filter_of(wanted)))

    def waits(self) -> list[Wait]:
        """The tasks that wait, by the name of the resource and their place in the queue, and the tasks that block them.

        >>> service = Service()
        >>> for number in (1, 2):
        ...     _ = service.enq(Task(number), Resource("Q", "R"))
        >>> [(wait.by.task, [blocker.task for blocker in wait.blockers]) for wait in service.waits()]
        [(2, [1])]
        """
        return rows.waits_of(self._engine.waits())

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
        return rows.deadlocks_of(self._engine.deadlocks())

    def broken_laws(self) -> list[str]:
        """The laws that must always hold and do not, a sentence each: for tests; always empty.

        >>> Service().broken_laws()
        []
        """
        return self._engine.broken_laws()
