"""The stub `_core.pyi` says what the built module has: the same names, the same parameters."""

import ast
import importlib
import inspect
from typing import Any

from tests.tidy.tree import listing, source

STUB = "python/slicewright/_core.pyi"

Parameters = list[tuple[str, bool]]
"""Each parameter's name, and whether it is optional."""


def stub_names(body: list[ast.stmt]) -> set[str]:
    """The public names that a stub's module or class defines: functions, classes, `ClassVar`s, and `__version__`."""
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    annotated = {
        node.target.id: ast.unparse(node.annotation)
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    of_class = {name for name, kind in annotated.items() if name == "__version__" or kind.startswith("ClassVar[")}
    return {name for name in defined if not name.startswith("_")} | of_class


def built_names(thing: object) -> set[str]:
    """The public names that a built module or class has of its own, and `__version__`."""
    return {name for name in vars(thing) if not name.startswith("_") or name == "__version__"}


def stub_parameters(function: ast.FunctionDef) -> Parameters:
    """The parameters of a function in a stub, without `self`."""
    given = function.args
    placed = [*given.posonlyargs, *given.args]
    without = len(placed) - len(given.defaults)
    listed = [(argument.arg, place >= without) for place, argument in enumerate(placed)]
    listed += [(a.arg, d is not None) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return [(name, optional) for name, optional in listed if name not in ("self", "cls")]


def built_parameters(function: Any) -> Parameters:
    """The parameters of a built function, without `self`; raises ValueError when it carries no signature."""
    listed = inspect.signature(function).parameters.values()
    return [
        (p.name, p.default is not inspect.Parameter.empty) for p in listed if p.name not in ("self", "cls", "$self")
    ]


def differences(where: str, body: list[ast.stmt], built: object) -> list[str]:
    """How a stub's module or class differs from the built one, its classes included."""
    stub, real = stub_names(body), built_names(built)
    problems = [f"{where}.{name}: in the stub and not in the module" for name in sorted(stub - real)]
    problems += [f"{where}.{name}: in the module and not in the stub" for name in sorted(real - stub)]
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name in real:
            problems += differences(f"{where}.{node.name}", node.body, getattr(built, node.name))
        elif isinstance(node, ast.FunctionDef) and node.name in real and not _is_property(node):
            problems += _signature(f"{where}.{node.name}", node, getattr(built, node.name))
    return problems


def _is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def _signature(where: str, node: ast.FunctionDef, built: object) -> list[str]:
    stub, real = stub_parameters(node), built_parameters(built)
    return [] if stub == real else [f"{where}: the stub takes {stub}, the module takes {real}"]


def test_the_stub_says_what_the_module_has() -> None:
    built = importlib.import_module("slicewright._core")
    problems = differences("_core", ast.parse(source(STUB).text).body, built)
    assert not problems, listing(problems)


def test_the_rule_finds_what_it_is_for() -> None:
    class Built:
        @staticmethod
        def read(text: bytes, set: tuple[str, ...] = ()) -> None: ...
        def explain(self) -> None: ...

    def against(stub: str) -> list[str]:
        return differences("Built", ast.parse(stub).body, Built)

    right = "@staticmethod\ndef read(text, set=()): ...\ndef explain(self): ...\n"
    assert not against(right)
    assert against(right + "def more(self): ...\n")
    assert against(right.replace("set=()", "set"))
    assert against(right.replace("text", "data"))
    assert against("def explain(self): ...\n")
