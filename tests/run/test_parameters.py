"""Is every argument to the public face accepted, or refused with an InputError that names the parameter?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import slicewright
from slicewright import InputError
from slicewright._core import starter
from slicewright.serialization import name_lists
from slicewright.serialization.enq import Caller, Filter, Resource, Service, Task
from slicewright.serialization.exits import Complex, Costs, Exit, Wanted
from slicewright.values.errors import listing

CYCLE: list[Any] = []
CYCLE.append(CYCLE)

JUNK: list[Any] = [
    5, -1, 1.5, float("nan"), float("inf"), 10**5000, True, b"x", b"\xff", bytearray(b"x"), "\udcff", "a\0b",
    "x" * 1000, ("a", "b"), [5], [None], ["\udcff"], {"a": None}, {5: 5}, {"\udcff": 1}, {"a": object()}, CYCLE,
    {"a": CYCLE}, object(), print, int, Path("a\0b"), Task(1), Resource("Q", "R"), Filter(), Task("1"),  # type: ignore[arg-type]
]  # fmt: skip

Call = Callable[..., object]


def _made(**changed: Any) -> Complex:
    systems = Complex(**changed)
    systems.join(1, "batch")
    return systems


def _out(out: Any) -> None:
    with contextlib.suppress(OSError):  # the system's error for a name that it does not accept
        slicewright.run("[[volume]]\n", out=out)


def _resource(**changed: Any) -> Resource:
    return Resource(**{"qname": "Q", "rname": "R", **changed})


def _caller(**changed: Any) -> Caller:
    return Caller(**{"task": Task(1), **changed})


def _task(**changed: Any) -> Task:
    return Task(**{"task": 1, **changed})


LISTS = name_lists.NameLists.read(b"RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)", "GRSRNL00")

CALLS: dict[str, tuple[Call, dict[str, Any]]] = {
    "run": (
        lambda **given: slicewright.run(given.pop("scenario"), **given),
        {"scenario": starter("mm1"), "replications": 1, "seed": 1, "set": {"measure.interval": "1 s"}, "threads": 1,
         "precision": None, "progress": None},
    ),
    "out": (_out, {"out": "no/such/run"}),
    "trace": (
        lambda **given: slicewright.trace(given.pop("scenario"), **given),
        {"scenario": starter("mm1"), "from_s": 0.0, "for_s": 0.001, "seed": 1, "replication": 0, "set": [],
         "progress": None},
    ),
    "compare": (slicewright.compare, {"a": "no/such/run", "b": "no/such/run"}),
    "load": (slicewright.load, {"directory": "no/such/run"}),
    "entitlement": (slicewright.entitlement, {"cores": 4, "partitions": ["A:1:1"]}),
    "name_lists": (name_lists.name_lists, {"file": "no/such/file"}),
    "read_systems": (name_lists.read_systems, {"files": ["no/such/file"]}),
    "explained": (name_lists.explained, {"lists": LISTS, "request": name_lists.Request("SYSTEM", "Q", "R")}),
    "explained request": (
        lambda **given: name_lists.explained(LISTS, name_lists.Request(**given)),
        {"asked": "SYSTEM", "qname": "Q", "rname": "R"},
    ),
    "Service": (Service, {"unauthorized": 1, "authorized": 1}),
    "Service.enq": (
        Service().enq,
        {"by": Task(1), "resource": _resource(), "access": "SHARE", "ret": "NONE", "volume": 1},
    ),
    "Service.reserve": (Service().reserve, {"by": Task(1), "resource": _resource(), "volume": 1, "ret": "NONE"}),
    "Service.deq": (Service().deq, {"by": Task(1), "resource": _resource(), "ret": "HAVE"}),
    "Service.end_task": (Service().end_task, {"by": Task(1)}),
    "Service.end_space": (Service().end_space, {"space": 1, "system": 1}),
    "Service.end_system": (Service().end_system, {"system": 1}),
    "Service.raise_limits": (Service().raise_limits, {"space": 1, "unauthorized": 1, "authorized": 1, "system": 1}),
    "Service.requests_of_space": (Service().requests_of_space, {"space": 1, "system": 1}),
    "Service.reserves": (Service().reserves, {"system": 1, "volume": 1}),
    "Service.query": (Service().query, {"wanted": Filter()}),
    "Filter": (
        lambda **given: Service().query(Filter(**given)), {field.name: field.default for field in fields(Filter)}
    ),
    "Resource": (
        lambda **given: Service().enq(Task(1), _resource(**given)), {"qname": "Q", "rname": "R", "scope": "STEP"}
    ),
    "Caller": (
        lambda **given: Service().enq(_caller(**given), _resource()),
        {"task": Task(1), "linkage": "SVC", "cross_memory": False, "locked": False, "authorized": False},
    ),
    "Task": (
        lambda **given: Service().enq(_task(**given), _resource()), {"task": 1, "space": 1, "system": 1}
    ),
    "Complex": (_made, {"mode": "ring", "residency_ms": 1.0, "service_us": 1.0, "limits": (1, 1)}),
    "Complex.join": (
        lambda **given: Complex().join(**given),
        {"system": 1, "structure": "none", "lists": "", "managed": "", "cache": False},
    ),
    "Complex.leave": (lambda system: _made().leave(system), {"system": 1}),
    "Complex.add": (
        lambda **given: _made().add(**given), {"system": 1, "exit": Exit("ISGNQXITFAST", "A")}
    ),
    "Exit": (
        lambda **given: _made().add(1, Exit(**given)),
        {"point": "ISGNQXITFAST", "name": "A"} | {field.name: field.default for field in fields(Exit)[2:]},
    ),
    "Complex.delete": (lambda **given: _made().delete(**given), {"system": 1, "point": "ISGNQXITBATCH", "name": "A"}),
    "Complex.exits": (lambda system: _made().exits(system), {"system": 1}),
    "Complex.cached": (lambda system: _made().cached(system), {"system": 1}),
    "Complex.clear_cache": (lambda system: _made().clear_cache(system), {"system": 1}),
    "Complex.enq": (
        lambda **given: _made().enq(given["by"], given["wanted"], ret=given["ret"]),
        {"by": Task(1), "wanted": _resource(), "ret": "NONE"},
    ),
    "Wanted": (
        lambda **given: _made().enq(Task(1), Wanted(**given)),
        {"resource": _resource(), "access": "SHARE", "volume": None},
    ),
    "Complex.deq": (
        lambda **given: _made().deq(given["by"], given["resource"], ret=given["ret"]),
        {"by": Task(1), "resource": _resource(), "ret": "HAVE"},
    ),
    "Complex.end_task": (lambda by: _made().end_task(by), {"by": Task(1)}),
    "Complex.end_space": (lambda **given: _made().end_space(**given), {"space": 1, "system": 1}),
    "Complex.delay": (lambda **given: _made(mode="ring").delay(**given), {"system": 1, "at_ms": 0.0}),
    "Complex.query": (lambda wanted: _made().query(wanted), {"wanted": Filter()}),
    "Account.us": (
        lambda costs: _made().enq(Task(1), _resource()).account.us(costs), {"costs": Costs()}
    ),
}  # fmt: skip
PARAMETERS = [(name, parameter) for name, (_, good) in CALLS.items() for parameter in good]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_anything_is_taken_or_refused(name: str, parameter: str) -> None:
    call, good = CALLS[name]
    refused: list[InputError] = []
    for junk in JUNK:
        try:
            call(**{**good, parameter: junk})
        except InputError as error:
            refused.append(error)
    assert refused
    for refusal in refused:
        assert len(listing(refusal.problems)) < 3000
        assert all(problem["what"] for problem in refusal.problems)


@pytest.mark.parametrize(
    ("name", "parameter", "wrong", "said"),
    [
        ("run", "set", "a=b", ["set: `a=b` has the type str", "allowed: a mapping, {"]),
        ("run", "set", {"seed": None}, ["set['seed']: `None` has the type NoneType", "allowed: text, a number"]),
        ("run", "seed", "1", ["seed: `1` has the type str", "allowed: a whole number, 0 to 18,446,"]),
        ("run", "seed", True, ["seed: `True` has the type bool"]),
        ("run", "seed", 10**5000, ["seed: out of range: int"]),
        ("run", "scenario", 5, ["scenario: `5` has the type int", "allowed: a path, TOML text, bytes, or a Scenario"]),
        ("run", "precision", 0.01, ["precision: not a precision: '0.01'", "allowed: a percentage with its sign"]),
        ("run", "progress", 5, ["progress: `5` has the type int", "allowed: a function of one number"]),
        ("out", "out", b"a", ["out: `b'a'` has the type bytes", "allowed: a path"]),
        ("trace", "for_s", "1 s", ["for_s: `1 s` has the type str", "allowed: seconds"]),
        ("compare", "b", None, ["b: `None` has the type NoneType", "allowed: a Run, or the name"]),
        ("load", "directory", 5, ["directory: `5` has the type int"]),
        ("entitlement", "partitions", "A:1:1", ["partitions: `A:1:1` has the type str", "allowed: a list of texts"]),
        ("name_lists", "file", b"a", ["file: `b'a'` has the type bytes"]),
        ("Service.enq", "by", 1, ["by: `1` has the type int", "allowed: a Task"]),
        ("Service.enq", "resource", "Q", ["resource: `Q` has the type str", "allowed: a Resource"]),
        ("Service.enq", "access", None, ["access: `None` has the type NoneType"]),
        ("Resource", "qname", 5, ["qname: `5` is not a text", "allowed: characters of Latin-1"]),
        ("Resource", "rname", b"R", ["rname: `b'R'` is not a text"]),
        ("Resource", "scope", 7, ["scope: `7` has the type int"]),
        ("Caller", "linkage", 7, ["linkage: `7` has the type int"]),
        ("Caller", "locked", 1, ["locked: `1` has the type int", "allowed: True, False"]),
        ("Complex", "limits", 5, ["limits: `5` is not a pair", "allowed: two numbers"]),
        ("Exit", "rename", "Q", ["rename: `Q` is not a pair", "allowed: two texts"]),
        ("Exit", "point", 5, ["point: `5` has the type int"]),
        ("Account.us", "costs", 5, ["costs: `5` has the type int", "allowed: Costs"]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, int) else None,
)  # fmt: skip
def test_a_wrong_type_is_refused_with_its_name(name: str, parameter: str, wrong: Any, said: list[str]) -> None:
    call, good = CALLS[name]
    with pytest.raises(InputError) as refused:
        call(**{**good, parameter: wrong})
    assert [part for part in said if part not in str(refused.value)] == []


def test_a_scenario_that_was_read_is_not_changed() -> None:
    world = slicewright.Scenario.read(starter("mm1").encode(), "mm1.toml")
    with pytest.raises(InputError, match="set: a scenario that was already read cannot be changed"):
        slicewright.run(world, set={"measure.interval": "1 s"})
