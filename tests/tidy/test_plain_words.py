"""Every text in the clean parts of the tree is in plain words: none of the patterns of `plain_words` occurs there."""

from pathlib import PurePosixPath

import pytest

from tests.tidy.plain_words import LONG, OPENING, PATTERNS, READERS, VARIABLE, places
from tests.tidy.tree import ROOT, example, listing, tree

# Parts that were rewritten; the list grows until it is the whole tree.
CLEAN = (
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "README.md",
    "STYLE.md",
    "benches",
    "crates",
    "docs",
    "packaging",
    "python",
    "tests",
)

# Files that hold the patterns themselves.
QUOTING = ("tests/tidy/plain_words.py", "tests/tidy/test_plain_words.py")

EXAMPLES = {
    "he": "The task takes his turn.",
    "who": "A processor who is free looks.",
    "nobody": "The lock is free when nobody has it.",
    "so many": "A calendar of so many slots.",
    "is looked for": "The load is looked for.",
    "comes of": "The outcome is all that comes of it.",
    "makes of": "The reader makes of it a table.",
    "says of": "The page says of a device how busy it is.",
    "left out": "The cache is left out.",
    "told": "The monitor tells of two queues.",
    "stands": "The number stands beside the name.",
    "comes to": "The sum comes to 4.",
    "metaphor": "Every wish waits at the desk.",
    "no number": "-1 is no number for it.",
    OPENING: "What misses, and why it probably does, is on each page.",
    LONG: "Of each of the many pages " + "and of each of the tables on them " * 3 + "there is one.",
}


@pytest.mark.parametrize("part", CLEAN)
def test_a_clean_part_stays_in_plain_words(part: str) -> None:
    files = [file for file in tree() if file.path.is_relative_to(part) and file.path.suffix in READERS]
    assert files, f"{part}: no text to look at"
    problems = [str(place) for file in files if str(file.path) not in QUOTING for place in places(file)]
    assert not problems, listing(problems)


def test_every_clean_part_exists() -> None:
    assert all((ROOT / part).exists() for part in (*CLEAN, *QUOTING))
    nested = [part for part in CLEAN for other in CLEAN if part != other and PurePosixPath(part).is_relative_to(other)]
    assert not nested


@pytest.mark.parametrize("pattern", EXAMPLES)
@pytest.mark.parametrize(
    ("path", "form"),
    [("a.md", "{}\n"), ("a.md", "| a | {} |\n"), ("a.rs", "/// {}\nfn f() {{}}\n"), ("a.py", '"""{}"""\n')],
)
def test_a_pattern_is_found_in_every_kind_of_text(pattern: str, path: str, form: str) -> None:
    assert pattern in {place.pattern for place in places(example(path, form.format(EXAMPLES[pattern])))}


def test_every_pattern_has_an_example() -> None:
    assert set(EXAMPLES) == {*PATTERNS, OPENING, LONG}


def test_text_in_strings_is_found() -> None:
    assert list(places(example("a.rs", 'panic!("who has the lock came for it");\n')))
    assert list(places(example("a.py", 'raise ValueError("nobody has the lock any more")\n')))


def test_columns_of_printed_output_are_no_text() -> None:
    assert not list(places(example("a.py", 'DRAWN = """\\\nms   length  who   where\n 0   1.5 ms  #1    A\n"""\n')))


def test_a_loop_variable_says_what_it_holds() -> None:
    found = list(places(example("a.py", "x = [one for one in y]\nfor wish in z: pass\n")))
    assert [place.pattern for place in found] == [VARIABLE, VARIABLE]
    assert not list(places(example("a.py", "x = [volume for volume in y]\n")))


@pytest.mark.parametrize(
    "text",
    [
        "People who read reports, and readers who write them.\n",
        "A quotation stays: “a customer stands in line”.\n",
        "```text\nnobody has it\n```\n",
        "    diagram   who has it   nobody\n",
        "The names `nobody`, `who` and `told` are code.\n",
        "## What a page is\n",
        "What does a freed alias do?\n",
        "Its place, which stands for a volume.\n",
    ],
)
def test_plain_text_passes(text: str) -> None:
    assert not list(places(example("a.md", text)))
