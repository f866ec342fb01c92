"""Do imports point one way, those inside functions too?"""

from __future__ import annotations

from collections.abc import Collection

from tests.tidy.outline import outline
from tests.tidy.tree import Source, sources

ATTRIBUTES = {"slicewright.run", "slicewright.compare", "slicewright.scenario"}
"""Functions of the public face that have the name of a package: importing one is importing the face."""

ROOMS = (
    "values", "report", "scenario", "serialization", "timeline", "run", "experiment", "measured", "results", "reading",
    "live", "study", "advise", "fitting", "explore", "serve", "cli",
)  # fmt: skip
"""The packages, each above all that it may import."""


def _modules() -> dict[str, Source]:
    files = {
        ".".join(file.path.relative_to("python").with_suffix("").parts): file for file in sources(".py", under="python")
    }
    return {name.removesuffix(".__init__"): file for name, file in files.items()}


def _imported(file: Source, modules: Collection[str]) -> set[str]:
    """The modules of ours that a file imports when it runs, wherever in it."""
    names: set[str] = set()
    for each in outline(file).imports:
        if not each.for_types:
            full = {name: f"{each.module}.{name}" for name in each.names}
            names |= {path if path in modules and path not in ATTRIBUTES else each.module for path in full.values()}
            names |= {each.module} if not each.names else set()
    return names & set(modules)


def circles(graph: dict[str, set[str]]) -> list[str]:
    """The modules that import themselves by way of others.

    >>> circles({"a": {"b"}, "b": {"a"}, "c": {"a"}})
    ['a', 'b']
    """
    reach = {module: set(imported) for module, imported in graph.items()}
    grown = True
    while grown:
        grown = False
        for module, known in reach.items():
            more = set().union(known, *(reach[other] for other in known))
            if more != known:
                reach[module], grown = more, True
    return sorted(module for module, known in reach.items() if module in known)


def _graph() -> dict[str, set[str]]:
    modules = _modules()
    return {name: _imported(file, modules) - {name} for name, file in modules.items()}


def upward(graph: dict[str, set[str]]) -> dict[str, list[str]]:
    """The packages that each package imports, of those that are not below it.

    >>> upward({"slicewright.values.errors": {"slicewright.run.run"}, "slicewright.run.run": {"slicewright.asking"}})
    {'values': ['run']}
    """
    found: dict[str, set[str]] = {}
    for module, imported in graph.items():
        here = _room(module)
        for there in {_room(other) for other in imported} - {here}:
            if here in ROOMS and there in ROOMS and ROOMS.index(there) > ROOMS.index(here):
                found.setdefault(here, set()).add(there)
    return {room: sorted(above) for room, above in sorted(found.items())}


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(_graph()) == []


def test_every_package_imports_those_below_it_alone() -> None:
    graph = _graph()
    arrows = sorted({(_room(module), _room(other)) for module, imported in graph.items() for other in imported})
    for room in ROOMS:
        below = [other for here, other in arrows if here == room and other in ROOMS and other != room]
        print(f"{room:14} {', '.join(sorted(below, key=ROOMS.index))}")
    assert {_room(module) for module in graph} >= set(ROOMS)
    assert not upward(graph)


def test_every_package_has_its_place() -> None:
    packages = {
        name.split(".")[1] for name, file in _modules().items() if name.count(".") == 1 and file.path.stem == "__init__"
    }
    assert packages == set(ROOMS)
