"""The pages of the Python interface: every public name, as a directive for Sphinx."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import slicewright
from slicewright import _core, enq, exits, statistics
from slicewright.scenario import view

_BEFORE = """\
# Python

Made from the names that the package exports; not edited by hand.

```python
import slicewright

few = slicewright.run("pool.toml", set={"alias_pool.POOL.aliases": 4})
many = slicewright.run("pool.toml", set={"alias_pool.POOL.aliases": 8}, out="runs/8")
print(slicewright.compare(few, many))
```

A run uses all processors. To spread runs over processes of your own, start them with `spawn`:

```python
import multiprocessing

import slicewright


def response_ms(aliases: int) -> float:
    run = slicewright.run("pool.toml", set={"alias_pool.POOL.aliases": aliases}, threads=1)
    return run.system["response_ms"][0]


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(response_ms, [4, 8]))
```

A child made by `fork`, the default on Linux before Python 3.14, may wait for ever after the parent has run a
simulation: polars keeps threads and locks, and a fork copies the locks without the threads.

Results are polars frames whose columns have their units in their names. The pages of the [counters](counters.md) and
the [run directory](run-directory.md) explain them. The tests run every example below. A page of its own has
[serialization](python-serialization.md)."""

_BEFORE_SERIALIZATION = """\
# Python: serialization

Made from the names that `slicewright.enq` and `slicewright.exits` export; not edited by hand. The tests run every
example. The page of [Python](python.md) has everything else."""

_STATISTICS = """\
Estimates over replications, for values of your own: `Run.values` gives one number per replication."""

_ENQ = """\
ENQ, DEQ and RESERVE as a service to try; see [ENQ](../concepts/enq.md)."""

_EXITS = """\
Installation exits before it, and several systems; see [exits](../concepts/exits.md). `Task`, `Caller`, `Resource`,
`Effect`, `Queue`, `Filter` and `Wait` are those of `slicewright.enq`."""

_VIEW = """\
A scenario's values, as `Scenario.view` and `Run.view` have them. Spans are in seconds, shares in percent, sizes in
bytes; None is a key that is absent. The page of [scenario files](scenario-files.md) explains each key."""

_ENGINE = """\
The engine itself, for tools that use it without data frames. `Scenario`,
`DeviceReport`, `InputError` and `RunError` are those above."""


def page() -> str:
    """The page, in Markdown.

    >>> "autofunction:: slicewright.compare" in page()
    True
    """
    names = [name for name in slicewright.__all__ if not name.startswith("__")]
    functions = [name for name in names if inspect.isroutine(getattr(slicewright, name))]
    classes = [name for name in names if name not in functions]
    parts = [_BEFORE, "## slicewright"]
    parts += [_entry("slicewright", slicewright, name) for name in functions + classes]
    beside = dict.fromkeys(inspect.getmodule(base) for name in classes for base in getattr(slicewright, name).__mro__)
    ours = [
        module for module in beside if module and module.__name__.startswith("slicewright.") and module is not _core
    ]
    given = [(module, name) for module in ours for name in _types(module, names)]
    if given:
        parts += ["### Types of results", *(_entry(module.__name__, module, name) for module, name in given)]
    parts += ["## slicewright.statistics", _STATISTICS]
    parts += [_entry("slicewright.statistics", statistics, name) for name in own(statistics)]
    parts += ["## slicewright.scenario.view", _VIEW]
    parts += [f"```{{eval-rst}}\n.. automodule:: {view.__name__}\n   :members:\n   :inherited-members:\n```"]
    parts += ["## slicewright._core", _ENGINE]
    engine = [name for name in sorted(vars(_core)) if inspect.isroutine(getattr(_core, name)) and name[0] != "_"]
    parts += [_entry("slicewright._core", _core, name) for name in engine]
    return "\n\n".join(parts) + "\n"


def page_of_serialization() -> str:
    """The page of the service to try, and of its exits.

    >>> "autoclass:: slicewright.serialization.enq.Service" in page_of_serialization()
    True
    """
    parts = [_BEFORE_SERIALIZATION]
    for module, text in ((enq, _ENQ), (exits, _EXITS)):
        of_it = [name for name in module.__all__ if inspect.isclass(getattr(module, name))]
        parts += [f"## {module.__name__}", text, *(_entry(module.__name__, module, name) for name in of_it)]
    return "\n\n".join(parts) + "\n"


def own(module: ModuleType) -> list[str]:
    """The public functions and classes that a module defines, in the order of its text.

    >>> own(statistics)[:2]
    ['Estimate', 'estimate']
    """
    defined = (node for node in ast.parse(inspect.getsource(module)).body)
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node.name for node in defined if isinstance(node, kinds) and not node.name.startswith("_")]


def _types(module: ModuleType, described: list[str]) -> list[str]:
    """The public classes of a module that are not described yet."""
    return [name for name in own(module) if inspect.isclass(getattr(module, name)) and name not in described]


def _entry(place: str, module: ModuleType, name: str) -> str:
    kind = getattr(module, name)
    if inspect.isroutine(kind):
        directive = f".. autofunction:: {place}.{name}"
    elif issubclass(kind, BaseException):
        directive = f".. autoexception:: {place}.{name}"
    else:
        directive = f".. autoclass:: {place}.{name}\n   :members:"
    return f"```{{eval-rst}}\n{directive}\n```"
