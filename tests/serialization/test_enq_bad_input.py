"""Is an invalid request refused with all its problems, and without any change?"""

from collections.abc import Callable

import pytest
from slicewright import InputError
from slicewright.serialization.enq import Caller, Filter, Resource, Service, Task

FILE = Resource("PAYROLL", "MASTER")


def complaint(ask: Callable[[Service], object]) -> str:
    """The problems of a request, after which the service is as it was."""
    service = Service()
    service.enq(Task(9), FILE)
    before = service.query()
    with pytest.raises(InputError) as caught:
        ask(service)
    assert service.query() == before
    return str(caught.value)


@pytest.mark.parametrize(
    ("resource", "said"),
    [
        (Resource("", "R"), "qname: the qname is empty; allowed: 1 to 8 characters"),
        (Resource("NINECHARS", "R"), "qname: the qname has 9 characters; allowed: 1 to 8 characters"),
        (Resource("Q", ""), "rname: the rname is empty; allowed: 1 to 255 characters"),
        (Resource("Q", "R" * 256), "rname: the rname has 256 characters; allowed: 1 to 255 characters"),
        (
            Resource("Q", "R", "SYSTEMX"),
            "scope: `SYSTEMX` is not a scope; allowed: STEP, SYSTEM, SYSTEMS; did you mean SYSTEM?",
        ),
        (
            Resource("Q", "R\u20ac"),
            "rname: `R\u20ac` is not a text of bytes\n  allowed: characters of Latin-1, each a byte",
        ),
    ],
)
def test_an_invalid_name_is_reported(resource: Resource, said: str) -> None:
    assert complaint(lambda service: service.enq(Task(1), resource)) == said
    assert complaint(lambda service: service.deq(Task(1), resource)) == said


def test_invalid_words_are_reported_together() -> None:
    said = complaint(lambda service: service.enq(Caller(Task(1), "SVB"), Resource("", "R"), "EXCLUSIV", "HAV"))
    assert [line.partition(":")[0] for line in said.splitlines()] == ["qname", "access", "ret", "linkage"]
    assert said.splitlines()[1].endswith("did you mean EXCLUSIVE?")


@pytest.mark.parametrize("task", [Task(-1), Task(1, space=2**16), Task(1, system=-3), Task(2**32)])
def test_numbers_out_of_range_are_reported(task: Task) -> None:
    said = complaint(lambda service: service.enq(task, FILE))
    assert "is out of range\n  allowed: 0 to" in said
    assert complaint(lambda service: service.end_task(task)) == said


def test_a_volume_out_of_range_is_reported() -> None:
    assert complaint(lambda service: service.reserve(Task(1), FILE, -7)).startswith("volume: `-7` is out of range")


def test_an_invalid_filter_is_reported() -> None:
    assert "did you mean STEP?" in complaint(lambda service: service.query(Filter(scope="STP")))
    assert "owners: `-1`" in complaint(lambda service: service.query(Filter(owners=-1)))


def test_an_invalid_limit_is_reported() -> None:
    with pytest.raises(InputError, match="unauthorized: `-1` is out of range"):
        Service(unauthorized=-1)
