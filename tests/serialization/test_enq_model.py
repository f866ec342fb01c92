"""The service against the reference: the same random requests, the same answers, effects and queues.

Many more histories: `SLICEWRIGHT_ENQ_HISTORIES=100000 python -m pytest tests/serialization/test_enq_model.py`.
"""

import doctest
import os
from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest
from slicewright.serialization.enq import Answer, Caller, Effect, Filter, Resource, Service, Task

from tests.reference_models.enq_reference import Reference
from tests.tidy.tree import ROOT

HISTORIES = int(os.environ.get("SLICEWRIGHT_ENQ_HISTORIES", "80"))
STEPS = 250
BATCHES = 4


@dataclass(frozen=True)
class Cast:
    """The tasks and names of a history, and the frequency of each kind of request."""

    tasks: list[Task]
    names: list[Resource]
    sharing: float
    holding: float
    limits: tuple[int, int]


def any_cast(draw: Random) -> Cast:
    """Few of everything in one history, more in another."""
    systems, spaces = draw.choice([(1, 1), (1, 2), (2, 1), (2, 2)])
    everyone = [Task(t, s, y) for y in range(1, systems + 1) for s in range(1, spaces + 1) for t in range(1, 7)]
    qnames = ["Q", "PAYROLL", "SYSDSN", "SYSZX", "12345678"]
    scopes = draw.choice([["SYSTEMS"], ["SYSTEMS", "SYSTEM", "STEP"], ["SYSTEMS", "SYSTEMS", "SYSTEM"]])
    names = [
        Resource(draw.choice(qnames), draw.choice("AB ") + "R", draw.choice(scopes)) for _ in range(draw.randint(1, 6))
    ]
    limits = draw.choice([(16_384, 250_000), (4, 6), (0, 2), (9, 1)])
    tasks = draw.sample(everyone, draw.randint(2, len(everyone)))
    return Cast(tasks, names, draw.choice([0.2, 0.5, 0.9]), draw.choice([0.3, 0.5, 0.7]), limits)


def any_caller(draw: Random, task: Task) -> Caller:
    """A caller, mostly one with authority."""
    return Caller(task, draw.choice(["SVC", "SYSTEM"]), draw.random() < 0.05, draw.random() < 0.03, draw.random() < 0.5)


def step(draw: Random, cast: Cast, service: Service, reference: Reference) -> tuple[Answer, Answer]:
    """One request of a random task, on both sides."""
    caller, name = any_caller(draw, draw.choice(cast.tasks)), draw.choice(cast.names)
    kind = draw.random()
    if kind < 0.04:
        ends = (side.end_task(caller.task) for side in (service, reference))
        one, other = (Answer(f"{released} released", 0, None, effects) for released, effects in ends)
        return one, other
    if kind < 0.05:
        space, system = caller.task.space, caller.task.system
        ends = (side.end_space(space, system) for side in (service, reference))
        one, other = (Answer("space ended", released, None, effects) for released, effects in ends)
        return one, other
    if kind < 0.055:
        ends = (side.end_system(caller.task.system) for side in (service, reference))
        one, other = (Answer("system left", released, None, effects) for released, effects in ends)
        return one, other
    if kind < 0.055 + 0.945 * cast.holding:
        access = "SHARE" if draw.random() < cast.sharing else "EXCLUSIVE"
        ret = draw.choices(["NONE", "HAVE", "USE", "TEST", "CHNG"], [5, 3, 1, 1, 2])[0]
        volume = draw.choice([None, None, None, 1, 2])
        asked = (caller, name, access, ret, volume)
        return service.enq(*asked), reference.enq(*asked)
    ret = draw.choice(["NONE", "HAVE"])
    return service.deq(caller, name, ret), reference.deq(caller, name, ret)


def compare_state(cast: Cast, service: Service, reference: Reference) -> None:
    """The queues and all that is reported about them."""
    assert service.query() == reference.queues()
    assert service.waits() == reference.waits()
    assert {frozenset(deadlock.tasks) for deadlock in service.deadlocks()} == reference.deadlocked()
    assert service.broken_laws() == []
    reserved = reference.reserved()
    assert all(service.reserves(y, v) == reserved[y, v] for y in (1, 2) for v in (1, 2))
    for task in cast.tasks:
        counts = (reference.count(task, False), reference.count(task, True))
        assert service.requests_of_space(task.space, task.system) == counts


def play(seed: int) -> Counter[str]:
    """One history; what it met, by word and kind."""
    draw = Random(seed)
    cast = any_cast(draw)
    service, reference = Service(*cast.limits), Reference(*cast.limits)
    met: Counter[str] = Counter()
    for number in range(STEPS):
        answer, expected = step(draw, cast, service, reference)
        assert answer == expected, f"history {seed}, step {number}"
        met.update([answer.abend or answer.word, *(effect.kind for effect in answer.effects)])
        if number % 50 == 49:
            compare_state(cast, service, reference)
            met.update(["deadlock"] * len(service.deadlocks()))
    for task in cast.tasks:
        assert service.end_task(task) == reference.end_task(task)
    assert service.query() == []
    return met


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_histories_have_the_outcomes_of_the_reference(batch: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(batch, HISTORIES, BATCHES):
        met += play(seed)
    words = ["granted", "waits", "available", "unavailable", "changed", "held", "outstanding", "released", "deadlock"]
    words += ["space ended", "system left", "shared by others", "not held", "over limit", "not requested"]
    codes = ["X0F8", "X130", "X138", "X330", "X338", "X438", "X530", "X538"]
    kinds = ["contention", "no wait", "reserve volume", "release volume"]
    assert [word for word in (*words, *codes, *kinds) if not met[word]] == [], "a batch meets everything there is"


def test_an_answer_says_what_others_have_to_know() -> None:
    service = Service()
    file = Resource("PAYROLL", "MASTER")
    service.reserve(Task(1), file, 7)
    waits = service.reserve(Task(2, system=2), file, 7)
    assert waits == Answer("waits", None, None, (Effect("contention", resource=file, waiters=1),))
    assert service.deq(Task(1), file).effects == (
        Effect("release volume", system=1, volume=7),
        Effect("granted", Task(2, system=2), file),
        Effect("reserve volume", system=2, volume=7),
        Effect("contention", resource=file, waiters=0),
    )


def test_a_query_finds_by_every_key() -> None:
    service = Service()
    for task, rname in ((1, "A"), (2, "A"), (1, "B")):
        service.enq(Task(task), Resource("Q", rname))
    service.reserve(Task(3, space=2, system=2), Resource("Q", "CD"), 7)

    def found(wanted: Filter) -> str:
        return " ".join(queue.resource.rname for queue in service.query(wanted))

    filters = {
        "A B CD": Filter(qname="Q"),
        "CD": Filter(rname_beginning="C"),
        "B": Filter(rname="B"),
        "A": Filter(waiters=1),
        "A B": Filter(space=1),
        "": Filter(scope="STEP"),
    }
    assert {expected: found(wanted) for expected, wanted in filters.items()} == {
        expected: expected for expected in filters
    }
    assert found(Filter(with_reserve=True)) == found(Filter(system=2)) == found(Filter(task=3)) == "CD"


def test_the_example_on_its_page_runs() -> None:
    page = ROOT / "docs" / "concepts" / "enq.md"
    tried = doctest.testfile(str(page), module_relative=False)
    assert tried.attempted > 0
    assert tried.failed == 0
