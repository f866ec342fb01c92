"""Do requests in a frame have the answers of the same requests one by one, and is a wrong frame refused whole?"""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest
from slicewright import InputError
from slicewright._core import Serialization
from slicewright.serialization.enq import Answer, Effect, Resource, Service, Task

FILES = [Resource("PAYROLL", "MASTER"), Resource("PAYROLL", "INDEX", "SYSTEM"), Resource("TEMP", "WORK", "STEP")]
RIGHT = {"verb": ["ENQ", "DEQ"], "resource": [0, 0], "task": [1, 1]}


def drawn(seed: int, rows: int = 400) -> pl.DataFrame:
    """Random requests of few tasks, so that they meet."""
    draw = random.Random(seed)
    verbs = [draw.choice(("ENQ", "ENQ", "DEQ")) for _ in range(rows)]
    columns = {
        "verb": verbs,
        "resource": [draw.randrange(len(FILES)) for _ in verbs],
        "system": [draw.randrange(1, 3) for _ in verbs],
        "space": [draw.randrange(1, 3) for _ in verbs],
        "task": [draw.randrange(4) for _ in verbs],
        "access": [draw.choice(("SHARE", "EXCLUSIVE")) for _ in verbs],
        "ret": [draw.choice(("NONE", "HAVE") + ("TEST", "USE", "CHNG") * (verb == "ENQ")) for verb in verbs],
        "volume": [None if verb == "DEQ" or draw.random() < 0.8 else 7 for verb in verbs],
    }
    return pl.DataFrame(columns, schema_overrides={"volume": pl.Int64})


def one_by_one(service: Service, requests: pl.DataFrame) -> list[Answer]:
    """The answers of a call per row."""
    found = []
    for row in requests.iter_rows(named=True):
        by, file = Task(row["task"], row["space"], row["system"]), FILES[row["resource"]]
        if row["verb"] == "DEQ":
            found.append(service.deq(by, file, row["ret"]))
        else:
            found.append(service.enq(by, file, row["access"], row["ret"], row["volume"]))
    return found


def plain(effect: Effect) -> tuple[Any, ...]:
    """An effect in the form of a row."""
    by = effect.by
    return (effect.kind, by.system if by else effect.system, by.task if by else None, effect.volume, effect.waiters)


@pytest.mark.parametrize("seed", range(8))
def test_answers_are_those_of_single_requests(seed: int) -> None:
    requests = drawn(seed)
    expected = one_by_one(Service(), requests)
    found = Service().batch(FILES, requests).answers
    assert found.rows() == [(answer.word, answer.return_code, answer.abend) for answer in expected]


@pytest.mark.parametrize("seed", range(8))
def test_effects_are_those_of_single_requests(seed: int) -> None:
    requests = drawn(seed)
    expected = one_by_one(Service(), requests)
    found = Service().batch(FILES, requests).effects
    assert found.select("request", "kind", "system", "task", "volume", "waiters").rows() == [
        (number, *plain(effect)) for number, answer in enumerate(expected) for effect in answer.effects
    ]


def test_an_empty_frame_is_no_request() -> None:
    done = Service().batch(FILES, pl.DataFrame(RIGHT).clear())
    assert (done.answers.height, done.effects.height) == (0, 0)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"verb": ["ENQ", "DQE"]}, "verb, row 1: `DQE` is no verb"),
        ({"verb": ["ENQ", None]}, "verb, row 1: `None` is no verb"),
        ({"verb": [1, 2]}, "verb: the column holds Int64"),
        ({"resource": [0, 3]}, "resource, row 1: `3` is out of range"),
        ({"resource": [0.0, 1.0]}, "resource: the column holds Float64"),
        ({"task": [1, -1]}, "task, row 1: `-1` is out of range"),
        ({"task": [2**32, 1]}, "task, row 0: `4,294,967,296` is out of range"),
        ({"task": [2**63, 1]}, "task, row 0: `9,223,372,036,854,775,808` is out of range"),
        ({"task": [None, 1]}, "task, row 0: `None` is out of range"),
        ({"volume": [None, 2**63]}, "volume, row 1: `9,223,372,036,854,775,808` is out of range"),
        ({"access": ["SHARED", "SHARE"]}, "access, row 0: `SHARED` is no access"),
        ({"ret": ["TEST", "TEST"]}, "ret, row 1: `TEST` is no ret of DEQ"),
        ({"taks": [1, 1]}, "taks: no column `taks` is read"),
    ],
)
def test_a_wrong_column_is_named_with_its_row(columns: dict[str, list[Any]], said: str) -> None:
    service = Service()
    with pytest.raises(InputError) as caught:
        service.batch(FILES, pl.DataFrame({**RIGHT, **columns}, strict=False))
    assert said.replace(",", "") in str(caught.value).replace(",", "")
    assert service.query() == []


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(InputError) as caught:
        Service().batch([Resource("Q", "R\u20ac")], pl.DataFrame({"verb": ["X"], "resource": [1]}))
    keys = [wrong["key"] for wrong in caught.value.problems]
    assert keys == ["rname", "verb, row 0", "resource, row 0", "task"]


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="task: the column is missing"):
        Service().batch(FILES, pl.DataFrame(RIGHT).drop("task"))


def test_a_missing_column_is_the_same_as_its_value_in_every_row() -> None:
    requests = drawn(3).select("verb", "resource", "task")
    written = requests.with_columns(
        system=pl.lit(1), space=pl.lit(1), access=pl.lit("EXCLUSIVE"), ret=pl.lit("NONE"), volume=pl.lit(None)
    )
    short, long = (Service().batch(FILES, frame) for frame in (requests, written))
    assert short.answers.rows() == long.answers.rows()
    assert short.effects.equals(long.effects)


def test_columns_of_unequal_length_are_refused() -> None:
    one, two = b"\0", b"\0\0"
    columns = (two, b"\0" * 8, b"\0" * 6, b"\0" * 4, b"\0" * 8, one, one, b"\0" * 8)
    with pytest.raises(ValueError, match="not of one length"):
        Serialization(10, 10).batch([(b"Q", b"R", "SYSTEM")], ("SVC", False, False, False), columns)
