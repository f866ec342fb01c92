"""Are all problems of systems, exits and requests reported at once, and without any change?"""

from collections.abc import Callable

import pytest
from slicewright import InputError
from slicewright.serialization.enq import Resource, Task
from slicewright.serialization.exits import Complex, Costs, Exit, Wanted

NAME = Resource("Q", "R")


def systems() -> Complex:
    """One system, number 1."""
    made = Complex()
    made.join(1, "batch")
    return made


WRONG: dict[str, tuple[Callable[[], object], list[str]]] = {
    "mode": (lambda: Complex("rng"), ["systems: there is no `rng`", "did you mean ring?"]),
    "times": (lambda: Complex("ring", residency_ms=-1), ["residency_ms: `-1` is not a length of time"]),
    "not a number": (lambda: Complex("star", service_us=float("nan")), ["service_us: `nan` is not a length of time"]),
    "structure and texts": (
        lambda: Complex().join(2, "bach", lists="RNLDEF RNL(INCL)", managed="NONSENSE"),
        ["exits: there is no `bach`", "did you mean batch?", "lists:1", "managed:1"],
    ),
    "twice": (lambda: systems().join(1), ["system: system 1 is a member already"]),
    "absent": (lambda: systems().enq(Task(1, system=7), NAME), ["system: there is no system 7", "allowed: 1"]),
    "nothing": (lambda: systems().enq(Task(1)), ["resources: a request without a resource"]),
    "volume": (lambda: systems().enq(Task(1), Wanted(NAME, volume=-1)), ["volume: `-1` is out of range"]),
    "words": (
        lambda: systems().enq(Task(1), Wanted(NAME, "SHAR"), ret="NON"),
        ["ret: `NON` is not a ret", "access: `SHAR` is not a access"],
    ),
    "point": (
        lambda: systems().add(1, Exit("ISGNQXITFST", "X", scope="SYSTM", work="hevy")),
        ["point: there is no `ISGNQXITFST`", "did you mean ISGNQXITFAST?", "scope: `SYSTM`", "did you mean heavy?"],
    ),
    "code": (lambda: systems().add(1, Exit("ISGNQXITBATCH", "X", code=256)), ["code: `256` is out of range"]),
    "name of an exit": (lambda: systems().add(1, Exit("ISGNQXITFAST", "TOOLONGNAME")), ["exit: the name"]),
    "new name": (
        lambda: systems().add(1, Exit("ISGNQXITFAST", "X", rename=("NINELONGS", ""))),
        ["qname: the qname has 9 characters", "rname: the rname is empty"],
    ),
    "not there": (lambda: systems().delete(1, "ISGNQXITFAST", "X"), ["exit: ISGNQXITFAST has no exit `X`"]),
    "price": (
        lambda: systems().enq(Task(1), NAME).account.us(Costs(enq=-1.0)),
        ["enq: `-1.0` is not a length of time"],
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case: str) -> None:
    ask, said = WRONG[case]
    with pytest.raises(InputError) as told:
        ask()
    assert [part for part in said if part not in str(told.value)] == []


def test_a_request_that_is_none_changes_nothing() -> None:
    made = systems()
    with pytest.raises(InputError):
        made.enq(Task(1), NAME, Resource("", "R"))
    assert made.query() == []
    assert [exit_.calls for exit_ in made.exits(1)] == [0, 0, 0]
