"""Which Rust modules of a crate import each other: circles have two files at most."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from tests.tidy.tree import Source, example, sources

Module = tuple[str, ...]

LARGEST = 2
"""Files that import each other and may: a type and what happens to it."""

_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{$.*?^\}$", re.MULTILINE | re.DOTALL)
_SKIPPED = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|\bpub\([^)]*\)')
_USE = re.compile(r"^[ ]*(?:pub +)?use ([^;]+);", re.MULTILINE)
_PATH = re.compile(r"(?<![\w:])\w+(?:::\w+)+")


def imports(files: list[Source]) -> dict[Module, set[Module]]:
    """By module of a crate, those that it names outside its tests; what is exported again is where it is defined."""
    texts = {_module(file.path): _SKIPPED.sub("", _TESTS.sub("", file.text)) for file in files}
    names: dict[Module, dict[str, str]] = {}
    paths: dict[Module, set[str]] = {}
    for module, text in texts.items():
        used = dict(leaf for tree in _USE.findall(text) for leaf in _leaves(tree.replace("\n", " ")))
        rest = re.sub(r"\bmod \w+;", "", _USE.sub("", text))
        names[module] = used
        paths[module] = {path for name, path in used.items() if re.search(rf"\b{re.escape(name)}\b", rest)}
        paths[module] |= set(_PATH.findall(rest))
    return {
        module: {found for path in imported if (found := _home(module, path, names)) is not None} - {module}
        for module, imported in paths.items()
    }


def circles(graph: dict[Module, set[Module]]) -> list[list[str]]:
    """The groups of modules that import themselves by way of each other, as names."""
    reach = {module: _reached(module, graph) for module in graph}
    groups = {frozenset(other for other in known if module in reach[other]) for module, known in reach.items()}
    return sorted(sorted("::".join(module) or "lib" for module in group) for group in groups if group)


def _module(path: PurePosixPath) -> Module:
    parts = path.with_suffix("").parts[3:]
    return parts[:-1] if parts[-1] in ("lib", "mod") else parts


def _leaves(tree: str) -> list[tuple[str, str]]:
    """The names that a `use` brings, each with its whole path."""
    head, brace, body = tree.strip().partition("{")
    if not brace:
        path, _, name = head.partition(" as ")
        return [((name or path.rpartition("::")[2]).strip(), path.strip())]
    parts = re.findall(r"(?:[^,{]|\{(?:[^{}]|\{[^{}]*\})*\})+", body.rpartition("}")[0])
    inside = [leaf for part in parts if part.strip() for leaf in _leaves(part)]
    whole = [(name, head.removesuffix("::") if path == "self" else head + path) for name, path in inside]
    return [(path.rpartition("::")[2] if name == "self" else name, path) for name, path in whole]


def _home(module: Module, path: str, names: dict[Module, dict[str, str]]) -> Module | None:
    """The module in which what a path of a module leads to is defined; none where that is another crate's."""
    first, *rest = path.split("::")
    base = {"crate": (), "self": module, "super": module[:-1]}.get(first)
    if base is None:
        base, rest = module, [first, *rest]
        if (*module, first) not in names:
            return None
    while rest and rest[0] == "super":
        base, rest = base[:-1], rest[1:]
    while rest and (*base, rest[0]) in names:
        base, rest = (*base, rest[0]), rest[1:]
    further = names[base].get(rest[0]) if rest else None
    return (further and (base, further) != (module, path) and _home(base, further, names)) or base


def _reached(module: Module, graph: dict[Module, set[Module]]) -> set[Module]:
    reached: set[Module] = set()
    ahead = list(graph[module])
    while ahead:
        step = ahead.pop()
        if step not in reached:
            reached.add(step)
            ahead.extend(graph[step])
    return reached


def _crates() -> dict[str, list[Source]]:
    crates: dict[str, list[Source]] = {}
    for file in sources(".rs", under="crates"):
        if file.path.parts[2] == "src":
            crates.setdefault(file.path.parts[1], []).append(file)
    return crates


@pytest.mark.parametrize("crate", sorted(_crates()))
def test_circles_of_modules_are_small(crate: str) -> None:
    large = [circle for circle in circles(imports(_crates()[crate])) if len(circle) > LARGEST]
    assert large == []


def test_a_circle_is_found_by_way_of_groups_parents_and_what_is_exported_again() -> None:
    files = {
        "lib": "mod a;\nmod b;\npub use b::B;\n",
        "a": "use crate::{\n    B,\n    c::{self, C as Other},\n};\nfn f(_: B, _: Other) {}\n",
        "b/mod": "mod inner;\npub use inner::Inner;\npub struct B(Inner);\n",
        "b/inner": "pub struct Inner(super::super::c::C);\n",
        "c": "// use crate::a::A;\npub struct C(crate::a::A);\n#[cfg(test)]\nmod tests {\n    use crate::d::D;\n}\n",
        "d": "use crate::c::C;\nuse std::fmt;\nstruct D(C);\n",
    }
    found = circles(imports([example(f"crates/x/src/{name}.rs", text) for name, text in files.items()]))
    assert found == [["a", "b", "b::inner", "c"]]
