"""Is every test of a crate part of the crate's one program of tests?

Each program is linked by itself, with the engine in it: a program for each file made a build from nothing longer.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePosixPath

import pytest

from tests.tidy.tree import Source, example, listing, sources

MAIN = "tests/main.rs"
"""The program; it lists all other files and folders beside it as modules."""


def problems(files: list[Source]) -> list[str]:
    """The lines that say why the tests of a crate are more than one program, from all files of that crate."""
    crate = PurePosixPath(*files[0].path.parts[:2])
    folder = crate / "tests"
    tests = {file.path.relative_to(folder): file for file in files if file.path.is_relative_to(folder)}
    rust = [path for path in tests if path.suffix == ".rs"]
    single = [path for path in rust if len(path.parts) == 1]
    folders = sorted({path.parts[0] for path in rust if len(path.parts) > 1})
    if len(single) + len(folders) < 2:
        return []
    main = tests.get(PurePosixPath("main.rs"))
    if main is None:
        return [f"{crate} has {len(single)} files and {len(folders)} folders of tests: list them in {crate / MAIN}"]
    found = []
    manifest = next(file for file in files if file.path == crate / "Cargo.toml")
    parsed = tomllib.loads(manifest.text)
    if parsed["package"].get("autotests") is not False or [test["path"] for test in parsed.get("test", [])] != [MAIN]:
        found.append(f'{manifest.path}: needs `autotests = false` and one [[test]] with `path = "{MAIN}"`')
    listed = set(re.findall(r"^mod (\w+);$", main.text, re.MULTILINE))
    for name in sorted({path.stem for path in single} - {"main"} | set(folders)):
        if name not in listed:
            found.append(f"{folder / name}: never runs; add `mod {name};` to {main.path}")
    return found


def _crates() -> dict[str, list[Source]]:
    crates: dict[str, list[Source]] = {}
    for file in sources(".rs", ".toml", under="crates"):
        crates.setdefault(file.path.parts[1], []).append(file)
    return crates


@pytest.mark.parametrize("crate", sorted(_crates()))
def test_a_crate_has_one_program_of_tests(crate: str) -> None:
    found = problems(_crates()[crate])
    assert not found, listing(found)


def test_the_rule_finds_what_it_is_for() -> None:
    cargo = example("crates/x/Cargo.toml", f'[package]\nautotests = false\n[[test]]\nname = "all"\npath = "{MAIN}"\n')
    main = example("crates/x/tests/main.rs", "mod a;\nmod laws;\n")
    a, b = (example(f"crates/x/tests/{name}.rs", "") for name in "ab")
    laws = example("crates/x/tests/laws/mod.rs", "")
    assert not problems([cargo, a])
    assert not problems([cargo, main, a, laws])
    assert "list them in" in problems([cargo, a, b])[0]
    assert "add `mod b;`" in problems([cargo, main, a, b, laws])[0]
    assert "autotests" in problems([example("crates/x/Cargo.toml", "[package]\n"), main, a])[0]
