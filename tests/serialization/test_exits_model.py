"""Exits against the reference: random exits, lists and requests, the same ways, changes, queues and memories.

Many more histories: `SLICEWRIGHT_ENQ_HISTORIES=20000 python -m pytest tests/serialization/test_exits_model.py`.
"""

import doctest
import os
from collections import Counter
from random import Random

import pytest
from slicewright.serialization.enq import Caller, Resource, Task
from slicewright.serialization.exits import POINTS, Complex, Exit, Taken, Wanted

from tests.reference_models.enq_reference import Reference
from tests.reference_models.exits_reference import END, Walk, Way
from tests.tidy.tree import ROOT

HISTORIES = int(os.environ.get("SLICEWRIGHT_ENQ_HISTORIES", "60"))
STEPS = 60
BATCHES = 2
QNAMES = ["A", "B", "C", "D"]
NAMES = {"want": "want", "stop": "stop", "code": "return code", "drop_reserve": "reserve", "rename": "name"}
"""The engine's word for a refused change of an exit, where it differs from the word here."""


def text(lists: dict[str, set[str]]) -> str:
    """RNLDEF statements, one per qname and list."""
    entries = [(kind, qname) for kind, qnames in lists.items() for qname in sorted(qnames)]
    return "\n".join(f"RNLDEF RNL({kind}) TYPE(GENERIC) QNAME({qname})" for kind, qname in entries)


def any_exit(draw: Random, number: int) -> tuple[Exit, set[str]]:
    """An exit for a few qnames that mostly wants what its point allows."""
    point = draw.choice(POINTS)
    qnames = set(draw.sample(QNAMES, draw.randint(1, 2)))
    wants = {
        "rename": (draw.choice(QNAMES), "R"),
        "scope": draw.choice(["SYSTEM", "SYSTEMS", "STEP"]),
        "volume": draw.randint(1, 2),
        "no_volume": True,
        "skip_lists": True,
        "want": True,
        "code": draw.choice([0, 4, 8]),
        "drop_reserve": True,
        "abend": 0x123,
        "fail": True,
    }
    weights = [2, 2, 1, 1, 2, 4, 2, 2, 2, 0.8]
    wanted = draw.choices(list(wants), weights, k=draw.choice([0, 1, 1, 2]))
    stops = not ({"rename"} & set(wanted)) and draw.random() < 0.6
    given = {key: wants[key] for key in wanted}
    return Exit(point, f"EXIT{number}", text({"INCL": qnames}), stops=stops, **given), qnames  # type: ignore[arg-type]


def any_wanted(draw: Random) -> Wanted:
    """A resource of any scope; RESERVEs are for more than one address space."""
    scope = draw.choice(["STEP", "SYSTEM", "SYSTEM", "SYSTEMS", "SYSTEMS"])
    volume = draw.choice([None, None, 1, 2]) if scope == "SYSTEMS" else None
    return Wanted(Resource(draw.choice(QNAMES), draw.choice("RS"), scope), draw.choice(["SHARE", "EXCLUSIVE"]), volume)


def compare_way(taken: Taken, way: Way, also: Way | None = None) -> None:
    """Calls and parameter lists at every point, what the cache spared, searches of lists."""
    calls, lists = way.calls + (also.calls if also else Counter()), way.lists + (also.lists if also else Counter())
    points = taken.account.points
    assert {point: row["calls"] for point, row in points.items()} == {point: calls[point] for point in POINTS}
    assert {point: row["lists"] for point, row in points.items()} == {point: lists[point] for point in POINTS}
    numbers = taken.account.numbers
    assert (numbers["spared"], numbers["searches"]) == (way.spared + (also.spared if also else 0), way.searches)


def enq(draw: Random, systems: Complex, walk: Walk, queues: Reference) -> list[str]:
    """An ENQ on both sides; how it went."""
    wanted = [any_wanted(draw) for _ in range(draw.choice([1, 1, 2]))]
    wanted = wanted[:1] if wanted[0].resource == wanted[-1].resource else wanted
    ret = draw.choice(["NONE", "HAVE", "USE", "TEST"])
    caller = Caller(Task(draw.randint(1, 4)), draw.choice(["SVC", "SYSTEM"]))
    way = walk.walk(wanted, ret != "NONE")
    taken = systems.enq(caller, *wanted, ret=ret)
    expected: list[str] = []
    for at, resource in enumerate(way.resources):
        if way.abend is not None or (expected and expected[-1].startswith("X")):
            expected.append("X123" if at == 0 else "not looked at")
        elif resource.code is not None:
            expected.append("answered by an exit")
        else:
            answer = queues.enq(caller, resource.now, wanted[at].access, ret, resource.volume)
            expected.append(answer.abend or answer.word)
    walk.queued(way, ret != "NONE")
    assert [answer.abend or answer.word for answer in taken.answers] == expected
    assert [answer.volume for answer in taken.answers] == [resource.volume for resource in way.resources]
    queued = [(answer.resource.qname, answer.resource.rname, answer.resource.scope) for answer in taken.answers]
    assert queued == [(resource.now.qname, resource.now.rname, resource.now.scope) for resource in way.resources]
    compare_way(taken, way)
    return [*expected, *way.calls]


def deq(draw: Random, systems: Complex, walk: Walk, queues: Reference) -> list[str]:
    """A DEQ on both sides, of a resource that a task may own; its outcome."""
    caller, asked = Caller(Task(draw.randint(1, 4))), any_wanted(draw).resource
    way = walk.walk([Wanted(asked)], conditional=True)
    made = way.resources[0]
    before = [queue for queue in queues.queues() if named(queue.resource) == named(made.now)]
    taken = systems.deq(caller, asked, ret="HAVE")
    compare_to = None
    if way.abend is not None:
        word = "X123"
    elif made.code is not None:
        word = "answered by an exit"
    else:
        word = queues.deq(caller, made.now, "HAVE").word
        if word == "released" and len(before[0].requests) == 1 and made.now.scope == "SYSTEM":
            compare_to = walk.ended(asked, made.now, made.volume)
    assert (taken.answers[0].abend or taken.answers[0].word) == word
    compare_way(taken, way, compare_to)
    return [word, *way.calls, *(compare_to.calls if compare_to else [])]


def named(resource: Resource) -> tuple[str, str, str]:
    """A resource of the one system and the one address space."""
    return resource.qname, resource.rname, resource.scope


def play(seed: int) -> Counter[str]:
    """One history; what it met."""
    draw = Random(seed)
    lists = {kind: set(draw.sample(QNAMES, draw.randint(0, 2))) for kind in ("INCL", "EXCL", "CON")}
    systems, queues = Complex("star"), Reference(16_384, 250_000)
    systems.join(1, lists=text(lists))
    walk = Walk(lists["INCL"], lists["EXCL"], lists["CON"])
    met: Counter[str] = Counter()
    for number in range(STEPS):
        kind = draw.random()
        if kind < 0.12 or number < 4:
            one, qnames = any_exit(draw, number)
            systems.add(1, one)
            walk.exits.append((one, qnames))
        elif kind < 0.15 and walk.exits:
            gone = walk.exits.pop(draw.randrange(len(walk.exits)))[0]
            systems.delete(1, gone.point, gone.name)
            walk.failed.discard((gone.point, gone.name))
            walk.refused = {refusal for refusal in walk.refused if refusal[:2] != (gone.point, gone.name)}
        elif kind < 0.17:
            systems.clear_cache(1)
            walk.cache.clear()
        elif kind < 0.65:
            met.update(enq(draw, systems, walk, queues))
        elif kind < 0.95:
            met.update(deq(draw, systems, walk, queues))
        else:
            task = Task(draw.randint(1, 4))
            for resource in ending(queues, task):
                met.update(walk.ended(resource, resource).calls)
            assert systems.end_task(task)[:2] == queues.end_task(task)
        compare_state(systems, walk, queues)
    met.update(change for _, _, change in walk.refused)
    met["failed"] += len(walk.failed)
    met["cached"] += len(walk.cache)
    return met


def ending(queues: Reference, task: Task) -> list[Resource]:
    """The local resources without any request when a task ends."""
    alone = [queue.resource for queue in queues.queues() if [request.by for request in queue.requests] == [task]]
    return [resource for resource in alone if resource.scope == "SYSTEM"]


def compare_state(systems: Complex, walk: Walk, queues: Reference) -> None:
    """Queues, the cache, and what became of exits."""
    assert systems.query() == queues.queues()
    assert systems.waits() == queues.waits()
    assert systems.cached(1) == len(walk.cache)
    assert systems.broken_laws() == []
    installed = systems.exits(1)
    assert {(exit_.point, exit_.name) for exit_ in installed if exit_.failed} == walk.failed
    refused = {(exit_.point, exit_.name, change) for exit_ in installed for change in exit_.refused}
    assert refused == {(p, n, NAMES.get(c, c.replace("skip_", ""))) for p, n, c in walk.refused}


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_requests_make_the_ways_of_the_reference(batch: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(batch, HISTORIES, BATCHES):
        met += play(seed)
    words = ["granted", "waits", "released", "answered by an exit", "X123", "not looked at", "failed", "cached"]
    assert [word for word in (*words, *POINTS[:-1], END) if not met[word]] == [], "a batch meets everything there is"
    assert [change for change in ("rename", "want", "code", "abend", "scope", "volume") if not met[change]] == []


def test_the_examples_on_the_page_of_exits_run() -> None:
    page = ROOT / "docs" / "concepts" / "exits.md"
    tried = doctest.testfile(str(page), module_relative=False)
    assert tried.attempted > 0
    assert tried.failed == 0
