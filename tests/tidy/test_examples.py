"""Every public Python name shows how it is used: an example that runs, or the command line of a command.

It leaves out whether the examples are right: the doctests run them.
"""

import ast

from tests.tidy.tree import Source, example, listing, sources


def without_example(file: Source) -> list[str]:
    """Public classes and functions of a module whose docstring has no example."""
    problems = []
    for node in ast.parse(file.text).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        said = ast.get_docstring(node) or ""
        if ">>>" not in said and "\nExample:\n" not in said:
            problems.append(f"{file.path}:{node.lineno}: {node.name} has no example in its docstring")
    return problems


def test_every_public_name_has_an_example() -> None:
    problems = [problem for file in sources(".py", under="python") for problem in without_example(file)]
    assert not problems, listing(problems)


def test_the_rule_finds_what_it_is_for() -> None:
    assert without_example(example("a.py", 'def f():\n    """Does it."""\n'))
    assert not without_example(example("a.py", 'def f():\n    """Does it.\n\n    >>> f()\n    """\n'))
    assert not without_example(example("a.py", 'def f():\n    """Does it.\n\n    Example:\n      f\n    """\n'))
    assert not without_example(example("a.py", "def _f(): pass\n"))
