"""Every source file opens with one sentence that says what the file is."""

import re

from tests.tidy.outline import outline
from tests.tidy.tree import Source, example, listing, sources


def opening(file: Source) -> str:
    """The opening documentation of a Rust or Python file; empty where there is none."""
    if file.path.suffix == ".py":
        return outline(file).opening
    said = []
    for line in file.lines:
        if not line.startswith("//!"):
            break
        said.append(line.removeprefix("//!").strip())
    return "\n".join(said)


def silent(file: Source) -> list[str]:
    """A problem when the opening has no whole sentence."""
    if re.search(r"[.!?][)\"'`]*(?=\s|$)", opening(file)):
        return []
    return [f"{file.path}:1: the file opens without a sentence that says what it is"]


def test_every_source_file_says_what_it_is() -> None:
    problems = [p for file in sources(".rs", ".py") for p in silent(file)]
    assert not problems, listing(problems)


def test_the_rule_finds_what_it_is_for() -> None:
    assert silent(example("a.rs", "use x;\n//! One.\n"))
    assert silent(example("a.rs", "//! No sentence, 3.5 long\n"))
    assert silent(example("a.py", "'''No sentence'''\n"))
    assert silent(example("a.py", "x = 1\n"))
    assert not silent(example("a.rs", "//! One.\n\nuse x;\n"))
    assert not silent(example("a.py", '"""One."""\n'))
