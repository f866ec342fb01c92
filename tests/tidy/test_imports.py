"""Do imports point one way, those inside functions too?"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.tidy.tree import ROOT

PACKAGE = ROOT / "python"
ATTRIBUTES = {"slicewright.run", "slicewright.compare", "slicewright.scenario"}
"""Functions of the public face that have the name of a package: importing one is importing the face."""


def _modules() -> dict[str, Path]:
    paths = {path: ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for path, name in paths.items()}


def _imported(path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules of ours that a file imports when it runs, wherever in it."""
    tree = ast.parse(path.read_text())
    for_types = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for statement in branch.body
        for node in ast.walk(statement)
    }
    names: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                names.add(full if full in modules and full not in ATTRIBUTES else node.module)
    return names & modules.keys()


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
    graph = {name: _imported(path, modules) - {name} for name, path in modules.items()}
    assert circles(graph) == []
