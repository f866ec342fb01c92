"""Is a path one path everywhere on the Python face, and is the standard input left alone?"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import slicewright

from tests.advise.alias_example import FILE

PATHS = ("no-such-file.txt", "x-y", "a-", "--", "day 1.monwrite", "/no/such/-")
FACE: dict[str, Callable[[Any], object]] = {
    "advise": lambda path: slicewright.advise("aliases", path),
    "advise without a question": lambda path: slicewright.advise(None, path),
    "advise limits": lambda path: slicewright.advise("limits", path),
    "read": slicewright.read,
    "fit": slicewright.fit,
    "load": slicewright.load,
    "compare": lambda path: slicewright.compare(path, path),
    "run": slicewright.run,
    "scenario": slicewright.scenario,
    "sweep": lambda path: slicewright.sweep(path, {"a.b": [1, 2]}, out="out"),
    "choose": lambda path: slicewright.choose(path, {"a.b": [1, 2]}, "response_ms"),
    "sensitivity": lambda path: slicewright.sensitivity(path),
    "trace": slicewright.trace,
    "Sweep.read": slicewright.Sweep.read,
    "study": slicewright.study,
}
SEVERAL = ("advise", "advise without a question", "advise limits", "read")
"""The functions that take several files."""


class _Closed:
    """A standard input that must not be read."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the standard input was asked for {name}")


@pytest.fixture(autouse=True)
def _no_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", _Closed())
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FACE)
@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_not_its_letters(name: str, path: str) -> None:
    ways = [path, Path(path), *([[path], (path,), (each for each in [path])] if name in SEVERAL else [])]
    for given in ways:
        with pytest.raises(slicewright.InputError) as refused:
            FACE[name](given)
        assert 1 <= len(refused.value.problems) <= 2
        assert path in str(refused.value)


@pytest.mark.parametrize("name", FACE)
@pytest.mark.parametrize("wrong", [b"x-y\xff", 5, None, [5], [None], {"-": 1}, [b"-"], print, "", [""]], ids=repr)
def test_what_is_no_path_is_refused(name: str, wrong: Any) -> None:
    if name in ("run", "scenario", "sweep", "choose", "sensitivity", "trace") and isinstance(wrong, bytes):
        pytest.skip("bytes are the text of a scenario")
    with pytest.raises(slicewright.InputError) as refused:
        FACE[name](wrong)
    assert len(refused.value.problems) <= 2


@pytest.mark.parametrize("given", [FILE, Path(FILE), [FILE], (Path(FILE),), {FILE}])
def test_one_page_in_every_form_has_the_same_answer(given: Any) -> None:
    assumed: dict[str, Any] = {"assume": ["population=3", "sharing=2%", "redispatch=none"]}
    said = slicewright.advise("aliases", given, **assumed).document["recommendation"]
    assert said["aliases"] == 2


def test_a_text_alone_is_one_of_several() -> None:
    assumed = ["population=3", "sharing=2%", "redispatch=none"]
    whole = slicewright.advise("aliases", FILE, assume=assumed, at="8").document
    assert slicewright.advise("aliases", FILE, assume=assumed, at=["8"]).document == whole
    with pytest.raises(slicewright.InputError, match="nothing to assume: no such thing") as refused:
        slicewright.advise("aliases", FILE, assume="no such thing")
    assert len(refused.value.problems) == 1
    with pytest.raises(slicewright.InputError) as refused:
        slicewright.advise("aliases", FILE, pool="no such pool")
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    "wrong",
    [{"at": 1.5}, {"at": [None]}, {"assume": [5]}, {"growth": 5}, {"target": 2}, {"interval": 5}, {"format": 5}],
)
def test_options_of_a_wrong_type_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(slicewright.InputError) as refused:
        slicewright.advise("aliases", FILE, **wrong)
    assert [each["key"] for each in refused.value.problems] == list(wrong)
