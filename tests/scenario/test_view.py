"""The typed view of a scenario has every key of the language, of the type that its class says."""

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from slicewright._core import InputError, Scenario, starter, starters
from slicewright.scenario import view
from slicewright.scenario.files import read_with_files
from slicewright.scenario.starters import read_starter

from tests.tidy.tree import ROOT

SHIPPED = sorted([*ROOT.glob("scenarios/**/*.toml"), *ROOT.glob("tests/golden/*.toml")])


def read(path: Path) -> Scenario | None:
    """A shipped scenario; None for a file that is none by itself."""
    try:
        return read_with_files(path.read_bytes(), path.name, [], path.parent)
    except InputError:
        return None


def tables(value: Any) -> Iterator[Any]:
    """A dataclass and all that are in it."""
    if dataclasses.is_dataclass(value):
        yield value
        for field in dataclasses.fields(value):
            yield from tables(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from tables(item)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; a whole number is no float."""
    inner = typing.get_args(hint)
    if isinstance(hint, types.UnionType):
        return any(fits(value, member) for member in inner)
    if typing.get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(fits(item, inner[0]) for item in value)
    if typing.get_origin(hint) is Mapping:
        return isinstance(value, dict) and all(fits(item, float) for item in value.values())
    return type(value) is hint


@cache
def all_tables() -> tuple[Any, ...]:
    """Every table of every shipped scenario and starter, and a SET SRM and a pause loop, which none of them has."""
    srm = '[[change]]\nat = "1 s"\nsrm = { partition = "ZVM", cpupad = "50 %", slice = "2 ms" }\n'
    scenarios = [*filter(None, map(read, SHIPPED)), *(read_starter(kind) for kind, _ in starters())]
    scenarios.append(Scenario.read((starter("zvm") + srm).encode(), "zvm.toml"))
    loop = ["virtual_machine.*.yields=pause-loop", "partition.ZVM.control_program.pause_loop.window=2 us"]
    scenarios.append(Scenario.read(starter("apache-spin").encode(), "apache-spin.toml", loop))
    return tuple(table for scenario in scenarios for table in tables(scenario.view))


def test_every_value_is_of_the_type_that_its_class_says() -> None:
    hints = {kind: typing.get_type_hints(kind) for kind in {type(table) for table in all_tables()}}
    wrong = {
        f"{type(table).__name__}.{name}: {hint} has {getattr(table, name)!r}"
        for table in all_tables()
        for name, hint in hints[type(table)].items()
        if not fits(getattr(table, name), hint)
    }
    assert not wrong, sorted(wrong)


def test_every_class_is_met() -> None:
    classes = {value for value in vars(view).values() if isinstance(value, type) and dataclasses.is_dataclass(value)}
    assert {kind.__name__ for kind in classes - {type(table) for table in all_tables()}} == set()
