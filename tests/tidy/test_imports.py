"""Do imports point one way, those inside functions too?"""

from __future__ import annotations

from collections.abc import Collection

from tests.tidy.outline import outline
from tests.tidy.tree import Source, sources

ATTRIBUTES = {"slicewright.run", "slicewright.compare", "slicewright.scenario"}
"""Functions of the public face that have the name of a package: importing one is importing the face."""


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


def test_no_module_imports_itself_by_way_of_others() -> None:
    modules = _modules()
    graph = {name: _imported(file, modules) - {name} for name, file in modules.items()}
    assert circles(graph) == []
