"""Does each question answer that `read` and the page promise of a file, and is each promised that answers?"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import slicewright
from slicewright._core import starters
from slicewright.advise.contents import contents_report
from slicewright.advise.questions import QUESTIONS
from slicewright.measured.export import monwrite, smf
from slicewright.report import text
from slicewright.run.run import Run
from slicewright.serve.questions import _describe
from slicewright.serve.tasks import Reporter

FORMS: dict[str, Callable[[Run], bytes]] = {"monwrite": monwrite, "smf": smf}
SHORT = {"measure.interval": "2 s", "measure.intervals": 2, "measure.replications": 1, "measure.warm_up": "0 s"}
KINDS = [kind for kind, *_ in starters()]
QUICK = ("pav", "mm1", "mmc", "zvm")
"""Starters whose questions answer in seconds, or refuse."""
LONG = ("two-domains", "ims-call-profile", "site-zos", "site-zvm", "full-channel")
"""Starters whose questions take ten seconds and more; each is asked of another starter too."""
CASES = [
    *((kind, form) for kind in QUICK for form in FORMS),
    *(
        pytest.param(kind, form, marks=pytest.mark.long if kind in LONG else pytest.mark.slow)
        for kind, form in zip((kind for kind in KINDS if kind not in QUICK), itertools.cycle(FORMS))
    ),
]
"""Starters in both forms; each of those that take longer in one of them."""
TOOLS = Path(__file__).parents[1] / "measured" / "linux_tools"


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    """A short run of every starter."""
    made = {}
    for kind in KINDS:
        source = slicewright.starter(kind)
        for changes in (SHORT, {**SHORT, "measure.interval": "200 ms"}):
            try:
                made[kind] = slicewright.run(source, set=changes)
                break
            except slicewright.InputError:
                continue
    return made


def _promised(file: Path) -> set[str]:
    """The questions that `slicewright read` names."""
    printed = text.render(contents_report(slicewright.read(file)))
    return set(re.findall(r"advise (\w+): ", printed))


def _on_the_page(file: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.chdir(file.parent)
    found = _describe(Reporter(0, lambda *report: None), folder=str(file.parent), names=[file.name])
    return {question["name"] for question in found["questions"]}


def _answers(file: Path, question: str) -> str:
    """Why a question does not answer; nothing where it does, with what its promise says that the user gives."""
    options: dict[str, Any] = {}
    for _ in range(2):
        try:
            assert str(slicewright.advise(question, file, **options))
        except slicewright.InputError as error:
            why = str(error)
        else:
            return ""
        if question == "aliases" and "the number of aliases is missing" in why:
            options = {"aliases": ["4"]}
        elif question == "slices" and (names := re.findall(r"--weight (\w+)=N", why)):
            options = {"weight": [f"{name}=100" for name in names], "assume": ["processors=4"]}
            options |= {"partition": names[0]} if "partition of the system is missing" in why else {}
    return why


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_what_is_promised_of_a_starter_answers_and_nothing_else(
    runs: dict[str, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, form: str
) -> None:
    if kind not in runs:
        pytest.skip("no short run of it")
    file = tmp_path / f"{kind}.{form}"
    try:
        file.write_bytes(FORMS[form](runs[kind]))
    except slicewright.InputError:
        pytest.skip("it has nothing that records hold")
    promised = _promised(file)
    assert promised == _on_the_page(file, monkeypatch)
    refused = {question: why for question in QUESTIONS if (why := _answers(file, question))}
    assert promised == QUESTIONS.keys() - refused.keys(), refused
    for question in QUESTIONS.keys() - promised:
        assert re.search(r"cannot answer|do not answer|is no ", refused[question]), refused[question]


@pytest.mark.parametrize("name", ["btt.txt", "dasdstat-columns.txt", "fio-plus.json", "iostat.txt", "iostat.json"])
def test_what_is_promised_of_a_tool_of_linux_answers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    file.write_bytes((TOOLS / name).read_bytes())
    assert _promised(file) == _on_the_page(file, monkeypatch) == {"aliases"}
    assert _answers(file, "aliases") == ""


def test_data_that_answer_nothing_promise_nothing(runs: dict[str, Run], tmp_path: Path) -> None:
    file = tmp_path / "zvm.monwrite"
    file.write_bytes(monwrite(runs["zvm"]))
    printed = text.render(contents_report(slicewright.read(file)))
    assert "advise yields:" not in printed
    assert "no question of advise" in printed
    with pytest.raises(slicewright.InputError, match="these have none above 0"):
        slicewright.advise("yields", file)
