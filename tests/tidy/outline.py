"""The parts of a Python file that the tidy rules look at, from one pass over its syntax."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache

from tests.tidy.tree import Source


@dataclass(frozen=True)
class Function:
    """A function: its first line, how many lines it has and how many arguments it takes, without `self` and `cls`."""

    name: str
    line: int
    lines: int
    arguments: int


@dataclass(frozen=True)
class Import:
    """A module that is imported, anywhere in the file, and which of its names; no names where all of it is.

    `level` counts the dots before it, and `for_types` says that it is imported for annotations alone.
    """

    module: str
    names: tuple[str, ...]
    level: int
    for_types: bool


@dataclass(frozen=True)
class Words:
    """A string, and whether it is a statement of its own, as a docstring is."""

    line: int
    text: str
    alone: bool


@dataclass(frozen=True)
class Outline:
    """The parts of a file."""

    opening: str
    functions: tuple[Function, ...]
    imports: tuple[Import, ...]
    words: tuple[Words, ...]
    variables: tuple[tuple[str, int], ...]
    """Names that a loop gives to what it goes through, each with its line."""


@cache
def outline(file: Source) -> Outline:
    """The outline of a file; raises SyntaxError."""
    module = ast.parse(file.text)
    functions: list[Function] = []
    imports: list[Import] = []
    constants: list[ast.Constant] = []
    variables: list[tuple[str, int]] = []
    alone: set[ast.expr] = set()
    for_types: set[ast.AST] = set()
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant()):
                alone.add(node.value)
            case ast.Constant(value=str()):
                constants.append(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                functions.append(Function(node.name, node.lineno, lines, _arguments(node.args)))
            case ast.If() if ast.unparse(node.test) == "TYPE_CHECKING":
                for_types.update(below for statement in node.body for below in ast.walk(statement))
            case ast.Import():
                imports += [Import(alias.name, (), 0, node in for_types) for alias in node.names]
            case ast.ImportFrom():
                names = tuple(alias.name for alias in node.names)
                imports.append(Import(node.module or "", names, node.level, node in for_types))
            case ast.For() | ast.comprehension():
                named = [each for each in ast.walk(node.target) if isinstance(each, ast.Name)]
                variables += [(name.id, name.lineno) for name in named]
    words = tuple(Words(each.lineno, str(each.value), each in alone) for each in constants)
    return Outline(ast.get_docstring(module) or "", tuple(functions), tuple(imports), words, tuple(variables))


def _arguments(given: ast.arguments) -> int:
    names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])
