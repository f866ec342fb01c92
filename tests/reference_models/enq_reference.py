"""ENQ, DEQ and RESERVE a second time, as plainly as the rules can be written: one list of requests per resource.

The owners of a resource follow from its list: the first request, and if that request shares, those directly behind it
that share too. Speed is no concern here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from slicewright.serialization.enq import Answer, Caller, Effect, Queue, Request, Resource, Task, Wait

FOR_AUTHORIZED = [
    "ADRDFRAG", "ADRDSN", "ARCENQG", "BWODSN", "SYSCTLG", "SYSDSN", "SYSIEA01", "SYSIEECT", "SYSIEFSD", "SYSIGGV1",
    "SYSIGGV2", "SYSPSWRD", "SYSVSAM", "SYSVTOC",
]  # fmt: skip
"""Qnames for authorized programs; those that begin with SYSZ are too."""


@dataclass
class Entry:
    """A request in a list."""

    by: Task
    shares: bool
    volume: int | None
    authorized: bool
    number: int


@dataclass
class Reference:
    """All lists, and the limits of an address space for unauthorized and authorized requests."""

    unauthorized: int
    authorized: int
    lists: dict[Resource, list[Entry]] = field(default_factory=dict)
    requests: int = 0

    def enq(self, caller: Caller, named: Resource, access: str, ret: str, volume: int | None) -> Answer:
        """The answer to an ENQ or RESERVE, and its effects."""
        if code := _refused(caller, named, "X338") or ("X438" if volume is not None and named.scope == "STEP" else ""):
            return Answer("abend", None, code)
        resource, by = _meant(named, caller.task), caller.task
        entries = self.lists.get(resource, [])
        mine = [entry for entry in entries if entry.by == by]
        if mine:
            return self._again(resource, mine[0], ret)
        newcomer = Entry(by, access == "SHARE", volume, caller.authorized, self.requests)
        at_once = newcomer in owners([*entries, newcomer])
        if ret == "CHNG":
            return Answer("not held", 8, None)
        if ret == "TEST":
            return Answer("available", 0, None) if at_once else Answer("unavailable", 4, None)
        if self.count(by, caller.authorized) >= (self.authorized if caller.authorized else self.unauthorized):
            return Answer("abend", None, "X538") if ret == "NONE" else Answer("over limit", 0x18, None)
        if ret == "USE" and not at_once:
            return Answer("unavailable", 4, None, (Effect("no wait", by, resource, ret=ret),))
        effects = self._becomes(resource, [*entries, newcomer])
        self.requests += 1
        return Answer("granted", 0, None, effects) if at_once else Answer("waits", None, None, effects)

    def _again(self, resource: Resource, mine: Entry, ret: str) -> Answer:
        have = owners(self.lists[resource])
        if ret == "NONE":
            return Answer("abend", None, "X138")
        if mine not in have:
            return Answer("outstanding", 0x14, None)
        if ret != "CHNG":
            return Answer("held", 8, None)
        if len(have) > 1:
            return Answer("shared by others", 4, None, (Effect("no wait", mine.by, resource, ret=ret),))
        mine.shares = False
        return Answer("changed", 0, None)

    def deq(self, caller: Caller, named: Resource, ret: str) -> Answer:
        """The answer to a DEQ, and its effects."""
        if code := _refused(caller, named, "X330"):
            return Answer("abend", None, code)
        resource = _meant(named, caller.task)
        entries = self.lists.get(resource, [])
        mine = [entry for entry in entries if entry.by == caller.task]
        if not mine:
            return Answer("abend", None, "X130") if ret == "NONE" else Answer("not requested", 8, None)
        if mine[0] not in owners(entries):
            return Answer("abend", None, "X530") if ret == "NONE" else Answer("outstanding", 4, None)
        return Answer("released", 0, None, self._without(resource, mine[0]))

    def end_task(self, by: Task) -> tuple[int, tuple[Effect, ...]]:
        """How many requests a task had, and what their release brings, the earliest first."""
        mine = [
            (entry.number, resource, entry)
            for resource, queue in self.lists.items()
            for entry in queue
            if entry.by == by
        ]
        effects: tuple[Effect, ...] = ()
        for _, resource, entry in sorted(mine, key=lambda one: one[0]):
            effects += self._without(resource, entry)
        return len(mine), effects

    def end_space(self, space: int, system: int) -> tuple[int, tuple[Effect, ...]]:
        """The end of an address space: that of its tasks, by number."""
        return self._end(lambda by: (by.system, by.space) == (system, space))

    def end_system(self, system: int) -> tuple[int, tuple[Effect, ...]]:
        """A system leaves: the end of all its tasks, by address space and number."""
        return self._end(lambda by: by.system == system)

    def _end(self, ends: Callable[[Task], bool]) -> tuple[int, tuple[Effect, ...]]:
        """First they wait no more, the last in each queue first; then what they have is released."""
        entries = [(entry, resource) for resource, queue in self.lists.items() for entry in queue if ends(entry.by)]
        entries.sort(key=lambda one: (one[0].by.system, one[0].by.space, one[0].by.task, one[0].number))
        effects: tuple[Effect, ...] = ()
        for resource in dict.fromkeys(r for entry, r in entries if entry not in owners(self.lists[r])):
            for entry in reversed(self.lists[resource]):
                if ends(entry.by) and entry not in owners(self.lists[resource]):
                    effects += self._without(resource, entry)
        for by in dict.fromkeys(entry.by for entry, _ in entries):
            effects += self.end_task(by)[1]
        return len(entries), effects

    def _without(self, resource: Resource, gone: Entry) -> tuple[Effect, ...]:
        return self._becomes(resource, [entry for entry in self.lists[resource] if entry is not gone])

    def _becomes(self, resource: Resource, entries: list[Entry]) -> tuple[Effect, ...]:
        """Put a list in the place of another; the effects on all tasks."""
        before = self.lists.get(resource, [])
        had, have = owners(before), owners(entries)
        held = self.reserved()
        effects = []
        for entry in had:
            if entry not in entries and entry.volume is not None:
                held[entry.by.system, entry.volume] -= 1
                if not held[entry.by.system, entry.volume]:
                    effects.append(Effect("release volume", system=entry.by.system, volume=entry.volume))
        for entry in have:
            if entry in had:
                continue
            if entry in before:
                effects.append(Effect("granted", entry.by, resource))
            if entry.volume is not None:
                held[entry.by.system, entry.volume] += 1
                if held[entry.by.system, entry.volume] == 1:
                    effects.append(Effect("reserve volume", system=entry.by.system, volume=entry.volume))
        waited, wait = len(before) - len(had), len(entries) - len(have)
        if waited != wait:
            effects.append(Effect("contention", resource=resource, waiters=wait))
        self.lists[resource] = entries
        if not entries:
            del self.lists[resource]
        return tuple(effects)

    def reserved(self) -> Counter[tuple[int, int]]:
        """How many RESERVEs of a system have a volume."""
        have = (entry for entries in self.lists.values() for entry in owners(entries))
        return Counter((entry.by.system, entry.volume) for entry in have if entry.volume is not None)

    def count(self, by: Task, authorized: bool) -> int:
        """How many requests of a kind the address space of a task has."""
        entries = (entry for queue in self.lists.values() for entry in queue)
        return sum(_home(entry.by) == _home(by) and entry.authorized == authorized for entry in entries)

    def queues(self) -> list[Queue]:
        """All queues, by name and reach."""
        return [_queue(resource, self.lists[resource]) for resource in sorted(self.lists, key=_order)]

    def waits(self) -> list[Wait]:
        """Every waiting task, and the tasks ahead of it that cannot share with it."""
        found = []
        for resource in sorted(self.lists, key=_order):
            entries = self.lists[resource]
            for place in range(len(owners(entries)), len(entries)):
                waiter = entries[place]
                ahead = [request.by for request in entries[:place] if not (request.shares and waiter.shares)]
                found.append(Wait(waiter.by, _access(waiter), resource, tuple(ahead)))
        return found

    def deadlocked(self) -> set[frozenset[Task]]:
        """Sets of tasks that reach each other over waits."""
        ahead: dict[Task, set[Task]] = {}
        for wait in self.waits():
            ahead.setdefault(wait.by, set()).update(wait.blockers)
        reach = {task: _reach(ahead, task) for task in ahead}
        sets = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in reach}
        return {tasks for tasks in sets if len(tasks) > 1}


def owners(entries: list[Entry]) -> list[Entry]:
    """The owners of a resource: the first request, and if it shares, those directly behind that share."""
    have = entries[:1]
    for entry in entries[1:]:
        if not (entry.shares and have[0].shares):
            break
        have.append(entry)
    return have


def _reach(ahead: dict[Task, set[Task]], task: Task) -> set[Task]:
    reached: set[Task] = set()
    new = set(ahead[task])
    while new:
        reached |= new
        new = {further for task in new for further in ahead.get(task, ())} - reached
    return reached


def _refused(caller: Caller, named: Resource, unauthorized: str) -> str:
    if caller.locked or (caller.cross_memory and caller.linkage == "SVC"):
        return "X0F8"
    qname = named.qname.rstrip()
    guarded = qname in FOR_AUTHORIZED or qname.startswith("SYSZ")
    return unauthorized if guarded and not caller.authorized else ""


def _meant(named: Resource, by: Task) -> Resource:
    system = None if named.scope == "SYSTEMS" else by.system
    space = by.space if named.scope == "STEP" else None
    return Resource(named.qname.rstrip(), named.rname, named.scope, system, space)


def _home(task: Task) -> tuple[int, int]:
    return task.system, task.space


def _order(resource: Resource) -> tuple[str, str, int, int, int]:
    scope = ("STEP", "SYSTEM", "SYSTEMS").index(resource.scope)
    return f"{resource.qname:8}", resource.rname, scope, resource.system or 0, resource.space or 0


def _access(entry: Entry) -> str:
    return "SHARE" if entry.shares else "EXCLUSIVE"


def _queue(resource: Resource, entries: list[Entry]) -> Queue:
    have = owners(entries)
    waiting = entries[len(have) :]
    sharing = sum(entry.shares for entry in waiting)
    requests = tuple(Request(entry.by, _access(entry), entry in have, entry.volume) for entry in entries)
    return Queue(resource, len(have), len(waiting) - sharing, sharing, requests)
