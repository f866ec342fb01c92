"""Python reads and edits scenarios through the engine: it neither parses nor cuts their text."""

import re
from fnmatch import fnmatch

from tests.tidy.tree import Source, example, listing, sources

NO_SCENARIOS = (
    "python/slicewright/values/codec.py",
    "python/slicewright/study/calibrate.py",
    "python/slicewright/study/spec.py",
    "python/slicewright/cli/study.py",
    "python/slicewright/advise/aliases/evidence.py",
)
"""Files that read published data, calibrated constants and bands, which are TOML and no scenarios."""

_TEXT = r"(?:\bresolved|\.scenario)\b"
IN_PIECES = {
    rf"{_TEXT}\.(?:splitlines|replace|split|partition|find|startswith)\(": "Scenario.with_ changes a scenario",
    rf"\bre\.\w+\([^#]*{_TEXT}": "Scenario.view has its values",
    r"Scenario\.read\([^)]*\.resolved": "Scenario.with_ changes a scenario that was read",
    r"[\"']\s*# (?:default|set)": "Scenario.given says what decided a value",
}
"""Patterns of code that parses a scenario's text, and the function to use instead."""


def parsers(file: Source) -> list[str]:
    """Every import of a TOML parser in a file that may read scenarios."""
    if any(fnmatch(str(file.path), allowed) for allowed in NO_SCENARIOS):
        return []
    lines = [number for number, line in enumerate(file.lines, 1) if re.match(r"\s*(import|from) tomllib\b", line)]
    return [f"{file.path}:{number}: tomllib: Scenario.view has the values of a scenario" for number in lines]


def in_pieces(file: Source) -> list[str]:
    """Every line that takes the text of a scenario to pieces."""
    return [
        f"{file.path}:{number}: {why}"
        for number, line in enumerate(file.lines, 1)
        for pattern, why in IN_PIECES.items()
        if re.search(pattern, line)
    ]


def test_python_parses_no_scenario() -> None:
    problems = [p for file in sources(".py", under="python/slicewright") for p in parsers(file)]
    assert not problems, listing(problems)


def test_python_takes_no_scenario_to_pieces() -> None:
    problems = [p for file in sources(".py", under="python/slicewright") for p in in_pieces(file)]
    assert not problems, listing(problems)


def test_the_rule_finds_what_it_is_for() -> None:
    assert parsers(example("python/slicewright/run/run.py", "import tomllib\n"))
    assert not parsers(example("python/slicewright/study/spec.py", "import tomllib\n"))
    for line in (
        "for line in resolved.splitlines():",
        'text = run.scenario.replace("a", "b")',
        'found = re.findall(r"count", scenario.resolved)',
        "again = Scenario.read(scenario.resolved.encode(), file)",
        'marked = "# default" in line',
    ):
        assert in_pieces(example("python/slicewright/a.py", line)), line
    assert not in_pieces(example("python/slicewright/a.py", 'path.write_text(run.scenario, encoding="utf-8")'))
