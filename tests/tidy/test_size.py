"""Nothing is longer than a reader can hold: files, functions, lists of arguments.

Rust's functions are left to clippy.
"""

from pathlib import PurePosixPath

from tests.tidy.outline import outline
from tests.tidy.tree import Source, example, listing, source, sources

FILE_LINES = 950
FUNCTION_LINES = 60
ARGUMENTS = 5

# Transcribed data is as long as what was published, and so is a page with a row for each of its numbers in each form.
# Golden runs are written by their test, a section for each shipped scenario.
DATA = (
    PurePosixPath("published"),
    PurePosixPath("docs/validation"),
    PurePosixPath("tests/golden/runs.toml"),
    PurePosixPath("python/slicewright/scenario/view.pyi"),  # generated from the language of scenarios
)

# Functions that may take more than five arguments, each with its reason.
MANY_ARGUMENTS: dict[str, str] = {
    "python/slicewright/run/run.py:run": "the documented names and defaults of the API, all but one keyword-only",
    "python/slicewright/explore/plan.py:plan": "the documented names and defaults of the API, most keyword-only",
    "python/slicewright/explore/choose.py:choose": "the documented names and defaults of the API, most keyword-only",
    "python/slicewright/advise/limits/fleet/series/documents.py:redirect_request": "urllib calls it with these",
    "python/slicewright/explore/sweep.py:sweep": "the documented names and defaults of the API, most keyword-only",
    "python/slicewright/explore/sensitivity.py:sensitivity": "the documented names and defaults of the API, all "
    "but one keyword-only",
    "python/slicewright/_core.pyi:timeline": "the stretch and its origin, and two functions that hear of it meanwhile",
    "python/slicewright/timeline/stretch.py:trace": "the documented names and defaults of the API, all keyword-only",
}


def long_files(files: list[Source]) -> list[str]:
    """Files of more lines than a reader holds."""
    return [
        f"{file.path}: {len(file.lines)} lines; the most is {FILE_LINES}: split it by what it is about"
        for file in files
        if len(file.lines) > FILE_LINES and not any(map(file.path.is_relative_to, DATA))
    ]


def long_functions(file: Source) -> list[str]:
    """Python functions of more than 60 lines, decorators and docstring included."""
    return [
        f"{file.path}:{function.line}: {function.name} has {function.lines} lines; the most is {FUNCTION_LINES}"
        for function in outline(file).functions
        if function.lines > FUNCTION_LINES
    ]


def many_arguments(file: Source, exempt: dict[str, str]) -> list[str]:
    """Python functions of more than five arguments, keyword-only ones included, `self` and `cls` not."""
    return [
        f"{file.path}:{function.line}: {function.name} takes {function.arguments} arguments; the most is {ARGUMENTS}: "
        "gather them in a dataclass, or give a reason in MANY_ARGUMENTS"
        for function in outline(file).functions
        if function.arguments > ARGUMENTS and f"{file.path}:{function.name}" not in exempt
    ]


def switched_off(file: Source) -> list[str]:
    """Rust functions let off a lint of length: only what Python calls may be, whose keywords are a contract."""
    bound = file.path.is_relative_to("crates/bindings")
    return [
        f"{file.path}:{number}: a lint of length is off; in crates/bindings `expect` it with a reason, elsewhere split"
        for number, line in enumerate(file.lines, 1)
        if "clippy::too_many" in line and not (bound and "expect(" in line and "reason = " in line)
    ]


def test_no_file_is_longer_than_950_lines() -> None:
    problems = long_files(sources(".rs", ".py", ".pyi", ".toml", ".md", ".html", ".css", ".js"))
    assert not problems, listing(problems)


def test_no_python_function_is_longer_than_60_lines() -> None:
    problems = [problem for file in sources(".py") for problem in long_functions(file)]
    assert not problems, listing(problems)


def test_no_python_function_takes_more_than_five_arguments() -> None:
    problems = [problem for file in sources(".py", ".pyi") for problem in many_arguments(file, MANY_ARGUMENTS)]
    assert not problems, listing(problems)


def test_every_exemption_is_still_needed_and_has_a_reason() -> None:
    found = {
        f"{file.path}:{function.name}"
        for file in sources(".py", ".pyi")
        for function in outline(file).functions
        if function.arguments > ARGUMENTS
    }
    stale = [f"{name}: no longer needs its line in MANY_ARGUMENTS" for name in MANY_ARGUMENTS if name not in found]
    bare = [f"{name}: has no reason in MANY_ARGUMENTS" for name, why in MANY_ARGUMENTS.items() if len(why.split()) < 4]
    assert not stale + bare, listing(stale + bare)


def test_clippy_holds_rust_to_the_same_lengths() -> None:
    settings = source("clippy.toml").lines
    assert f"too-many-lines-threshold = {FUNCTION_LINES}" in settings
    assert f"too-many-arguments-threshold = {ARGUMENTS}" in settings
    problems = [p for file in sources(".rs", under="crates") for p in switched_off(file)]
    assert not problems, listing(problems)


def test_the_rules_find_what_they_are_for() -> None:
    assert long_files([example("a.rs", "x\n" * 951)])
    assert not long_files([example("a.rs", "x\n" * 950)])
    assert long_functions(example("a.py", "def f():\n" + "    x = 1\n" * 60))
    assert not long_functions(example("a.py", "def f():\n" + "    x = 1\n" * 59))
    lint = "clippy::too_many_arguments"
    assert switched_off(example("crates/units/src/a.rs", f'#[expect({lint}, reason = "it is long")]'))
    assert switched_off(example("crates/bindings/src/a.rs", f"#[allow({lint})]"))
    assert not switched_off(example("crates/bindings/src/a.rs", f'#[expect({lint}, reason = "Python\'s names")]'))
    wide = example("a.py", "class C:\n    def f(self, a, b, c, d, *, e, f): pass\n")
    assert many_arguments(wide, {})
    assert not many_arguments(wide, {"a.py:f": "it is an example of a reason"})
    assert not many_arguments(example("a.py", "def f(a, b, c, d, *, e): pass"), {})
