"""Every source file opens by saying what it is, and then what it leaves out.

Whether that is true is left to reviewers.
"""

import ast
import re

from tests.tidy.tree import Source, example, listing, sources

SENTENCES = 2


def opening(file: Source) -> str:
    """What a Rust or Python file says of itself before anything else; empty when it says nothing."""
    if file.path.suffix == ".py":
        return ast.get_docstring(ast.parse(file.text)) or ""
    said = []
    for line in file.lines:
        if not line.startswith("//!"):
            break
        said.append(line.removeprefix("//!").strip())
    return "\n".join(said)


def silent(file: Source) -> list[str]:
    """A problem when the opening has fewer than two sentences."""
    count = len(re.findall(r"[.!?][)\"'`]*(?=\s|$)", opening(file)))
    if count >= SENTENCES:
        return []
    return [f"{file.path}:1: opens with {count} of {SENTENCES} sentences: what it is, and what it leaves out"]


def test_every_source_file_says_what_it_is_and_what_it_leaves_out() -> None:
    problems = [p for file in sources(".rs", ".py") for p in silent(file)]
    assert not problems, listing(problems)


def test_the_rule_finds_what_it_is_for() -> None:
    assert silent(example("a.rs", "use x;\n//! One. Two.\n"))
    assert silent(example("a.rs", "//! One sentence, 3.5 long.\n"))
    assert silent(example("a.py", "'''One.'''\n"))
    assert silent(example("a.py", "x = 1\n"))
    assert not silent(example("a.rs", "//! One.\n//!\n//! Two.\n\nuse x;\n"))
    assert not silent(example("a.py", '"""One. Two."""\n'))
