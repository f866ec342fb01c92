"""Are the options of `advise` understood, and are all mistakes in them reported at once?"""

from __future__ import annotations

import subprocess
import sys

import pytest
from slicewright import InputError
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.request import AliasRequest, check
from slicewright.advise.command import read
from slicewright.advise.options import AdviceOptions, growth_factor
from slicewright.advise.questions import QUESTIONS, named, request_of
from slicewright.advise.target import Target, fewest, parse_target
from slicewright.values.errors import Problem


def test_options_are_understood() -> None:
    options = AdviceOptions.of(
        at=["8"],
        growth="20%",
        pool=["522A-5231,5249", "6000-6010"],
        target="response_ms <= 2",
        assume=["gap=50 us", "knee = 10 %"],
    )
    question = check(options)
    assert (question.at, question.growth, question.assumed.knee_percent) == ((8,), 1.2, 10)
    assert question.target == Target("response_ms", "<=", 2)
    assert question.assumed.gap_ms == pytest.approx(0.05)
    assert "5249" in question.pools[0][1]
    assert "6005" in question.pools[1][0]
    assert "6011" not in question.pools[1][0]


def test_every_mistake_is_reported_at_once() -> None:
    wrong = AdviceOptions.of(
        at=["many"], growth="twice", target="resp < 2", pool=["52-53"], assume=["gpa=1 ms", "sharing=2"], format="xml"
    )
    with pytest.raises(InputError) as caught:
        request_of(QUESTIONS["aliases"], [], wrong)
    keys = [problem["key"] for problem in caught.value.problems]
    assert keys == ["at", "growth", "target", "pool", "assume", "assume", "format"]
    nearest = {problem["nearest"] for problem in caught.value.problems}
    assert "gap" in nearest


@pytest.mark.parametrize(
    ("text", "factor"), [("20%", 1.2), ("+20 %", 1.2), ("-10%", 0.9), ("1.2x", 1.2), ("x1.2", 1.2), ("2 X", 2)]
)
def test_growth_is_percent_or_a_factor(text: str, factor: float) -> None:
    problems: list[Problem] = []
    assert growth_factor(text, problems) == pytest.approx(factor)
    assert not problems


@pytest.mark.parametrize("name", list(QUESTIONS))
@pytest.mark.parametrize("text", ["2", "1.2", ".2", "20", "-10", "11x", "1000%", "x", "%", "nan"])
def test_growth_without_its_unit_is_refused(name: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        request_of(QUESTIONS[name], [], AdviceOptions(growth=text))
    (problem,) = [each for each in caught.value.problems if each["key"] == "growth"]
    assert "20%" in problem["allowed"]
    assert "1.2x" in problem["allowed"]


@pytest.mark.parametrize("text", ["response_ms = 2", "<= 2", "response_ms <=", "response_ms <= 2 ms", ""])
def test_what_is_no_condition_is_refused(text: str) -> None:
    problems: list[Problem] = []
    assert parse_target(text, problems) is None
    assert "response_ms" in problems[0]["allowed"]


def test_a_question_that_there_is_not_is_refused() -> None:
    for name in QUESTIONS:
        assert named(name).name == name
    with pytest.raises(InputError, match="no such question"):
        named("alias")


def test_a_target_has_to_stay_met() -> None:
    points = {0: {"response_ms": 1.0}, 1: {"response_ms": 3.0}, 2: {"response_ms": 1.5}, 3: {"response_ms": 1.0}}
    assert fewest(Target("response_ms", "<", 2), points) == 2
    assert fewest(Target("response_ms", "<", 1), points) is None


def test_without_a_file_it_says_what_it_reads() -> None:
    with pytest.raises(InputError, match="no file"):
        answer(read([]), AliasRequest())


def test_the_declarations_of_questions_load_nothing_that_simulates_or_computes() -> None:
    heavy = ("numpy", "polars", "slicewright.study.study", "slicewright.scenario.view", "slicewright.report.model")
    code = f"import sys, slicewright.advise.questions; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout == "[]\n"


def test_advice_on_a_page_loads_no_other_question_and_no_study() -> None:
    code = (
        "import sys; from slicewright.advise.questions import QUESTIONS;"
        "from slicewright.advise.aliases import from_reports;"
        "answers = [name for name in sys.modules if name.startswith('slicewright.advise.') and name.count('.') > 2"
        " and name.endswith(('.answer', '.answering', '.comparison', '.report'))];"
        "print(answers, 'slicewright.study.study' in sys.modules, 'polars' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout == "['slicewright.advise.aliases.answer'] False False\n"
