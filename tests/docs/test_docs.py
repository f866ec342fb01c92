"""Do the documents say what is so: paths that exist, names that the engine has, output that the commands print?"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from slicewright._core import counters
from slicewright.report.drawing import alone

from docs.pictures.__main__ import main as drawn
from docs.pictures.draw import PICTURES
from tests.conftest import CommandLine
from tests.study.reproductions import Reproductions
from tests.tidy.tree import ROOT, listing, tree

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted(ROOT.glob("docs/**/*.md"))]
# Pages that are followed from top to bottom, files written and all: tests/docs/console.py runs their commands.
FOLLOWED = {"change", "how-to", "teaching", "tutorial"}
EXAMPLES = [page for page in PAGES if page.parent.name not in FOLLOWED and "```console" in page.read_text("utf-8")]
CONCEPTS = ROOT / "docs" / "concepts"
PICTURE_FOLDER = ROOT / "docs" / "pictures"
TABLES = (
    "volumes|devices|pools|channels|control_units|minidisks|resources|front_ends|partitions|logical_processors|guests|processors|"
    "enqueues|serialization|cgroups|threads|"
    "control_programs|locks|control_processors|virtual_machines|spin_locks|system"
)
KEYED = (
    "alias_pool|alternative|cec|change|connect|control_unit|cpenable|distribution|front_end|guest|io|measure|minidisk|"
    "partition|resource|rmf|service|step|volume|cache_level|control_program|controller|costs|scheduler_lock|srm|topology|"
    "virtual_machine|spin_lock|network|serialization|cost|enqueue|cgroup"
)

# Names that commands read, write or print and that are not in the tree: placeholders, parts of a run, headings.
ELSEWHERE = {"SCENARIO.toml", "fails/try", "machine.toml", "monday.toml", "recommended.toml", "scenario.toml"}

# Pages that are about something else than a mechanism of the machine.
OTHER_PAGES = {
    "load",  # what arrivals ask of every mechanism
    "calendar", "device-activity", "enq", "exits", "live", "monitor", "name-lists", "processor-activity", "readings",
    "replay", "roles-and-verdicts", "timeline",
}  # fmt: skip


@dataclass(frozen=True)
class Example:
    """A command as a page shows it, and runs of its output's lines with gaps (`...`) between them."""

    page: Path
    command: str
    runs: list[list[str]]


def text(page: Path) -> str:
    """A page without its console examples, whose words are the commands' own."""
    return re.sub(r"^```console\n.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def examples(page: Path) -> Iterator[Example]:
    """The console examples of a page: a line `$ command`, then what it prints."""
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            runs = [run.strip("\n").split("\n") for run in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
            yield Example(page, command, [run for run in runs if run != [""]])


def missing_paths(page: Path) -> list[str]:
    """Paths in back quotes and targets of links that do not exist, and files that are nowhere in the tree."""
    said = text(page)
    links = [page.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", said)]
    quoted = re.findall(r"`(?!runs/|target/)((?:[\w-]+/)+[\w.-]*)`", said)
    missing = [
        str(path) for path in (*links, *(ROOT / path for path in quoted if path not in ELSEWHERE)) if not path.exists()
    ]
    files = {source.path.name for source in tree()} | ELSEWHERE
    missing += [name for name in re.findall(r"`(\w[\w-]*\.(?:md|toml|rs|py|pyi))`", said) if name not in files]
    return [f"{page.relative_to(ROOT)}: {path} does not exist" for path in missing]


def unknown_names(page: Path) -> list[str]:
    """Counters (`pools.tries`) and scenario keys (`alias_pool.aliases`) that do not exist."""
    said = set(re.findall(rf"`((?:{TABLES}|{KEYED})\.[a-z0-9_]+)`", text(page)))
    known = {f"{row['table']}.{row['name']}" for row in counters()} | scenario_keys()
    return [f"{page.relative_to(ROOT)}: there is no {name}" for name in sorted(said - known)]


@cache
def scenario_keys() -> set[str]:
    """Every key of the language, as the reference pages list them."""
    pages = ("scenario-files", "scenario-tables")
    reference = "".join((ROOT / f"docs/reference/{page}.md").read_text("utf-8") for page in pages)
    found = set()
    for section in re.split(r"^## ", reference, flags=re.MULTILINE)[1:]:
        name = section.split("\n", 1)[0]
        found |= {f"{name}.{key}" for key in re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)}
    return found


def places(svg: str) -> tuple[str, list[float]]:
    """A picture as its text without names and numbers, and its numbers: fonts may move a label by a hair."""
    unnamed = re.sub(r'(id="|"#|url\(#)[\w-]+', r"\1", svg)
    number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    return re.sub(number, "", unnamed), [float(digits) for digits in re.findall(number, unnamed)]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place to run examples in that has what they read and keeps what they write."""
    for folder in ("published", "scenarios"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_path_that_a_page_names_exists() -> None:
    problems = [problem for page in PAGES for problem in missing_paths(page)]
    assert not problems, listing(problems)


def test_the_code_map_has_every_crate_and_folder() -> None:
    said = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    folders = {path.parent for path in ROOT.glob("crates/*/Cargo.toml")}
    folders |= {path.parent for path in ROOT.glob("crates/*/src/**/*.rs") if path.parent.name != "src"}
    folders |= {path.parent for path in ROOT.glob("python/slicewright/**/*") if path.suffix in (".py", ".html")}
    names = sorted(f"{folder.relative_to(ROOT).as_posix()}/" for folder in folders)
    missing = [f"ARCHITECTURE.md does not mention {name}" for name in names if f"`{name}`" not in said]
    assert not missing, listing(missing)


def test_a_page_about_a_mechanism_is_named_like_it() -> None:
    machine = ROOT / "crates/machine/src"
    mechanisms = {path.stem.replace("_", "-") for path in machine.glob("*/*") if path.stem != "mod"}
    mechanisms.add("serialization")  # crates/machine/src/serialization: the whole, whose parts have no pages
    mechanisms.add("slices")  # crates/machine/src/cec: the name of the whole machine says less than that of its rule
    mechanisms.add("sampling")  # crates/machine/src/guest/sampler.rs: the page is about what it does
    mechanisms.add("control-program")  # crates/machine/src/control_program: the whole, whose parts have pages
    mechanisms.add("spin-locks")  # crates/machine/src/guest/spin_lock.rs: there are as many as virtual machines have
    mechanisms.add("thread-locks")  # crates/machine/src/guest/thread_lock.rs: there are as many as threads share
    mechanisms.add("yields")  # crates/machine/src/control_program/spinning.rs: the page is about what ends a round
    mechanisms.add("dispatch-vectors")  # its vectors.rs and stealing from them: "vectors" alone is ambiguous
    pages = {path.stem for path in CONCEPTS.glob("*.md")}
    assert pages - OTHER_PAGES <= mechanisms
    assert {"alias-pool", "paths", "program", "redispatch", "volume"} <= pages


@pytest.mark.parametrize("name", sorted({page.stem for page in CONCEPTS.glob("*.md")} - OTHER_PAGES))
def test_a_page_about_a_mechanism_has_its_parts(name: str) -> None:
    said = (CONCEPTS / f"{name}.md").read_text("utf-8")
    assert re.search(r"^!\[.+\]\(.+\.svg\)$|^    +\S", said, re.MULTILINE), "no picture"
    for part in ("Rules", "Counters", "Scenario keys"):
        assert re.search(rf"^## {part}$", said, re.MULTILINE), f"no {part}"


def test_every_counter_and_key_that_a_page_names_exists() -> None:
    problems = [problem for page in PAGES for problem in unknown_names(page)]
    assert not problems, listing(problems)


def test_every_page_and_picture_is_reached_from_another() -> None:
    linked = {(page.parent / link).resolve() for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", text(page))}
    lost = [path for path in (*CONCEPTS.glob("*.md"), *PICTURE_FOLDER.glob("*.svg")) if path.resolve() not in linked]
    assert not lost
    assert {path.stem for path in PICTURE_FOLDER.glob("*.svg")} == set(PICTURES)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_engine_draws_now(name: str) -> None:
    words, numbers = places((PICTURE_FOLDER / f"{name}.svg").read_text("utf-8"))
    fresh_words, fresh = places(alone(PICTURES[name]()))
    again = f"draw it again: .venv/bin/python -m docs.pictures {name}"
    assert words == fresh_words, again
    assert numbers == pytest.approx(fresh, abs=0.05), again


@pytest.mark.usefixtures("simulated_once")
@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.stem)
def test_an_example_prints_what_the_page_shows(
    page: Path, checkout: Path, reproduced: Reproductions, slicewright: CommandLine
) -> None:
    printed: dict[str, list[str]] = {}
    for example in examples(page):
        if example.command not in printed:
            printed[example.command] = _run(example.command, checkout, slicewright)
        lines, start = printed[example.command], 0
        for run in example.runs:
            at = next((at for at in range(start, len(lines)) if lines[at : at + len(run)] == run), None)
            shown = "\n".join(run)
            assert at is not None, f"{page.name}: $ {example.command}\ndoes not print\n{shown}\nbut\n" + "\n".join(
                lines
            )
            start = at + len(run)


def _run(command: str, folder: Path, slicewright: CommandLine) -> list[str]:
    before, _, target = command.partition(" > ")
    program, *words = shlex.split(before)
    assert program == "slicewright", f"{command}: examples are commands of slicewright"
    outcome = slicewright(*words)
    assert outcome.status == 0, outcome.err
    if target:
        (folder / target).write_text(outcome.out, encoding="utf-8")
        return []
    return [line.rstrip() for line in outcome.out.splitlines()]


def test_the_rules_find_what_they_are_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ slicewright x\n...\na\nb\n...\nc\n```\n[there](nowhere.md)", "utf-8")
    assert [(example.command, example.runs) for example in examples(page)] == [("slicewright x", [["a", "b"], ["c"]])]
    assert "console" not in text(page)
    assert drawn(["no-such-picture"]) == 2
    assert places('<g id="a1"><path d="M 1.5 2"/></g>') == ('<g id=""><path d="M  "/></g>', [1.5, 2.0])
    assert "alias_pool.aliases" in scenario_keys()
    assert "alias_pool.size" not in scenario_keys()
