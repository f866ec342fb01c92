"""Words that this tree does without: names that say nothing, work put off, places that only some machines have.

The meaning of a permitted word is a question for the review.
"""

import re

import pytest

from tests.tidy.tree import Source, example, listing, sources, tree

# Pieces, put together below, so that this file does not hold what it forbids.
_LATER = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "to" + "do!", "unimple" + "mented!"]
_HOSTS = [
    "pypi" + r"\.org",
    "python" + r"hosted\.org",
    "crates" + r"\.io",
    "npmjs" + r"\.",
    "maven" + r"\.org",
    "debian" + r"\.org",
]
_PLACES = [r"\.\./" + "shared", "/wo" + "rk/", "/ro" + "ot/", "/tmp/" + "target"]

SAYS_NOTHING = {"base", "common", "helper", "helpers", "lib2", "manager", "misc", "shared", "stuff", "util", "utils"}

# A lock file names each package's registry in a form that cargo fixes.
MACHINE_WRITTEN = {"Cargo.lock", "benches/peers/Cargo.lock"}


def found(file: Source, words: list[str], why: str) -> list[str]:
    """Every line of `file` that matches one of the expressions `words`."""
    if not any(re.search(word, file.text) for word in words):  # far faster than what follows, and nearly always so
        return []
    sought = re.compile("|".join(rf"(?<![A-Za-z]){word}" for word in words))
    return [
        f"{file.path}:{number}: '{match.group()}': {why}"
        for number, line in enumerate(file.lines, 1)
        if (match := sought.search(line)) and str(file.path) not in MACHINE_WRITTEN
    ]


def empty_names(file: Source) -> list[str]:
    """Folders and files whose names do not say what is in them."""
    return [
        f"{file.path}: '{part}' says nothing: name it after the one noun it holds"
        for part in (*file.path.parent.parts, file.path.stem)
        if part in SAYS_NOTHING
    ]


def test_nothing_is_put_off() -> None:
    problems = [p for file in tree() for p in found(file, _LATER, "do it, or leave the feature out")]
    assert not problems, listing(problems)


def test_no_package_registry_is_named() -> None:
    problems = [p for file in tree() for p in found(file, _HOSTS, "pins carry no address; clients know theirs")]
    assert not problems, listing(problems)


def test_nothing_outside_the_checkout_is_named() -> None:
    problems = [p for file in tree() for p in found(file, _PLACES, "a clone has nothing beside it")]
    assert not problems, listing(problems)


def test_every_module_has_a_telling_name() -> None:
    problems = [p for file in sources(".rs", ".py", ".pyi") for p in empty_names(file)]
    assert not problems, listing(problems)


def test_no_rust_is_unsafe_or_single_precision() -> None:
    words = [r"unsafe\b", r"f32\b"]
    problems = [p for file in sources(".rs") for p in found(file, words, "forbidden in this tree")]
    assert not problems, listing(problems)


@pytest.mark.parametrize(
    "word", ["// " + _LATER[0], "# " + _LATER[1] + ": x", _LATER[4] + "()", "x = " + _LATER[3] + "()"]
)
def test_the_rule_finds_what_is_put_off(word: str) -> None:
    assert found(example("a.rs", f"fn f() {{}}\n{word}\n"), _LATER, "")


def test_the_rules_find_what_they_are_for() -> None:
    assert found(example("a.lock", "x @ https://files.python" + "hosted.org/x"), _HOSTS, "")
    assert not found(example("Cargo.lock", "registry+index/crates" + ".io-index"), _HOSTS, "")
    assert found(example("a.md", "see ../" + "shared/x"), _PLACES, "")
    assert found(example("a.rs", "unsafe {"), [r"unsafe\b"], "")
    assert not found(example("a.rs", "unsafe_code"), [r"unsafe\b"], "")
    assert empty_names(example("crates/utils/src/lib.rs", ""))
    assert empty_names(example("python/slicewright/helpers.py", ""))
    assert not empty_names(example("crates/units/src/lib.rs", ""))
