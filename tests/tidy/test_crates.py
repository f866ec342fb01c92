"""Which crates may depend on which, and which names the kernel and the machine may never use?"""

import re
import tomllib
from typing import Any

import pytest

from tests.tidy.tree import Source, example, listing, sources

# {units, serialization} <- kernel, machine <- {monitor, scenario}; units <- measures <- {monitor, records, reports}
MAY_KNOW: dict[str, set[str]] = {
    "units": set(),
    "kernel": {"units"},
    "machine": {"kernel", "serialization", "units"},
    "scenario": {"kernel", "machine", "serialization", "units"},
    "measures": {"units"},
    "monitor": {"kernel", "machine", "measures", "units"},
    "records": {"measures", "units"},
    "reports": {"measures", "records", "units"},
    "serialization": {"units"},
    "live": {"kernel", "units"},
    "fuzz": set(),
    "bindings": {
        "kernel", "live", "machine", "measures", "monitor", "records", "reports", "scenario", "serialization", "units",
    },
}  # fmt: skip

# The harness that feeds readers, and the reader of shipped scenarios: any crate may test with them, none may ship them.
FOR_TESTS = {"fuzz", "scenario"}

# Whole words of names and prose; the kernel schedules, draws and counts, and has never heard of a machine.
MAINFRAME = {
    "alias", "aliases", "cec", "dasd", "device", "dispatcher", "domain", "exposure", "guest", "hyperpav", "hypervisor",
    "lpar", "mainframe", "minidisk", "partition", "pav", "subchannel", "vm", "volume", "zvm",
}  # fmt: skip

OUTSIDE = [r"std::(?:time|env|fs|net|io|process|thread)\b", r"\bHash(?:Map|Set)\b", r"\bprintln!", r"\bSystemTime\b"]


def strangers(manifest: Source) -> list[str]:
    """Crates of this workspace that a crate's Cargo.toml names, for building or testing, and that it may not know."""
    parsed = tomllib.loads(manifest.text)
    name = parsed["package"]["name"]
    if name not in MAY_KNOW:
        return [f"{manifest.path}: the crate '{name}' has no line in MAY_KNOW"]
    known = dict.fromkeys(("dependencies", "build-dependencies"), MAY_KNOW[name])
    known["dev-dependencies"] = MAY_KNOW[name] | FOR_TESTS
    return [
        f"{manifest.path}: [{table}]: '{name}' may not know '{other}', only {sorted(allowed) or 'nothing'}"
        for table, allowed in known.items()
        for other in _table(parsed, table)
        if other in MAY_KNOW and other not in allowed
    ]


def python_words(file: Source) -> list[str]:
    """Lines that mention the bridge to Python."""
    return _lines(file, [r"(?i)pyo3"], "only crates/bindings knows Python")


def mainframe_words(file: Source) -> list[str]:
    """Lines of the kernel with a word of the machine; names are split at underscores and capitals."""
    problems = []
    for number, line in enumerate(file.lines, 1):
        words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", line)}
        problems += [f"{file.path}:{number}: the kernel says '{word}'" for word in sorted(words & MAINFRAME)]
    return problems


# Folders of the machine that all its mechanisms may know, and that know none of them.
SHARED = {"plan", "signal", "vocabulary"}


def siblings(file: Source, mechanisms: set[str]) -> list[str]:
    """Lines that import another mechanism than that of their own folder; `vocabulary` imports nothing but itself."""
    own = file.path.relative_to("crates/machine/src").parts[0]
    others = "|".join(sorted(mechanisms - {own}))
    if not others:
        return []
    any_other = r"(?!vocabulary\b)\w+" if own == "vocabulary" else f"(?:{others})"
    return _lines(file, [rf"\bcrate::{any_other}\b", rf"\bsuper::super::{any_other}\b"], f"{own} imports a sibling")


def outside(file: Source) -> list[str]:
    """Lines that reach for a clock, the environment, files, threads, or an order that differs between runs."""
    return _lines(file, OUTSIDE, "a model has no outside and no unordered sets")


def _table(parsed: dict[str, Any], name: str) -> list[str]:
    return list(parsed.get(name, {}))


def _lines(file: Source, words: list[str], why: str) -> list[str]:
    sought = re.compile("|".join(words))
    return [
        f"{file.path}:{number}: '{match.group()}': {why}"
        for number, line in enumerate(file.lines, 1)
        if (match := sought.search(line))
    ]


def _manifests() -> list[Source]:
    return [file for file in sources(".toml", under="crates") if file.path.name == "Cargo.toml"]


def _mechanisms() -> set[str]:
    inside = [file.path.relative_to("crates/machine/src").parts for file in sources(".rs", under="crates/machine/src")]
    return {parts[0] for parts in inside if len(parts) > 1} - SHARED


def test_crates_know_only_those_on_their_left() -> None:
    problems = [p for manifest in _manifests() for p in strangers(manifest)]
    assert not problems, listing(problems)


def test_only_the_bindings_know_python() -> None:
    files = [f for f in sources(".rs", ".toml", under="crates") if not f.path.is_relative_to("crates/bindings")]
    problems = [p for file in files for p in python_words(file)]
    assert not problems, listing(problems)


def test_the_kernel_has_never_heard_of_mainframes() -> None:
    problems = [p for file in sources(".rs", under="crates/kernel/src") for p in mainframe_words(file)]
    assert not problems, listing(problems)


def test_a_mechanism_imports_no_sibling() -> None:
    mechanisms = _mechanisms()
    assert len(mechanisms) > 1, "no mechanism folders to look at"
    files = [f for f in sources(".rs", under="crates/machine/src") if f.path.parent.name != "src"]
    problems = [p for file in files for p in siblings(file, mechanisms)]
    assert not problems, listing(problems)


@pytest.mark.parametrize("crate", ["kernel", "machine"])
def test_the_model_reads_no_clock_and_no_environment(crate: str) -> None:
    problems = [p for file in sources(".rs", under=f"crates/{crate}/src") for p in outside(file)]
    assert not problems, listing(problems)


def test_the_rules_find_what_they_are_for() -> None:
    def manifest(name: str, depends: str) -> Source:
        return example(f"crates/{name}/Cargo.toml", f'[package]\nname = "{name}"\n[dependencies]\n{depends}\n')

    assert strangers(manifest("records", "machine.workspace = true"))
    assert strangers(manifest("machine", 'monitor = { path = "../monitor" }'))
    assert strangers(manifest("newcomer", ""))
    assert strangers(manifest("records", "fuzz.workspace = true"))
    assert not strangers(manifest("records", "[dev-dependencies]\nfuzz.workspace = true"))
    assert strangers(manifest("monitor", "scenario.workspace = true"))
    assert not strangers(manifest("monitor", "machine.workspace = true\nlibm.workspace = true"))
    assert python_words(example("crates/units/src/lib.rs", "use pyo3::prelude::*;"))
    assert mainframe_words(example("a.rs", "struct AliasPool;"))
    assert mainframe_words(example("a.rs", "let first_volume = 0;"))
    assert not mainframe_words(example("a.rs", "let evaluated = volumetric;"))
    paths = "crates/machine/src/channel/paths.rs"
    assert siblings(example(paths, "use crate::guest::Requester;"), {"channel", "guest"})
    assert not siblings(example(paths, "use crate::channel::Volume;"), {"channel", "guest"})
    words = "crates/machine/src/vocabulary/io.rs"
    assert siblings(example(words, "use crate::plan::Plan;"), {"channel", "guest"})
    assert not siblings(example(words, "use crate::vocabulary::ids::Volume;"), {"channel", "guest"})
    assert outside(example("a.rs", "let now = std::time::Instant::now();"))
    assert outside(example("a.rs", "use std::collections::HashMap;"))
