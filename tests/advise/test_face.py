"""Is advice in Python what the command prints, and does it show itself in a notebook?"""

from __future__ import annotations

import pytest
import slicewright
from slicewright.advise.advice import Advice

from tests.advise.alias_example import FILE
from tests.conftest import CommandLine

KNOWN = ["population=3", "sharing=2%", "redispatch=none"]


@pytest.fixture(scope="module")
def advice() -> Advice:
    """Aliases for the example, all of it assumed."""
    return slicewright.advise("aliases", [FILE], assume=KNOWN)


def test_advice_is_what_the_command_prints(advice: Advice, slicewright: CommandLine) -> None:
    words = [word for known in KNOWN for word in ("--assume", known)]
    assert slicewright("advise", "aliases", str(FILE), *words).out == str(advice)


def test_advice_prints_five_lines(advice: Advice) -> None:
    assert len(repr(advice).splitlines()) == 5


def test_a_notebook_gets_the_figure_and_one_table(advice: Advice) -> None:
    shown = advice._repr_html_()
    assert shown.count("<table>") == 1
    assert "<svg" in shown
    assert "<script" not in shown


def test_a_question_is_inferred_from_files() -> None:
    assert slicewright.advise(None, [FILE], assume=KNOWN).question.name == "aliases"


def test_an_unknown_question_or_option_is_refused() -> None:
    with pytest.raises(slicewright.InputError, match="no such question"):
        slicewright.advise("alias", [FILE])
    with pytest.raises(slicewright.InputError):
        slicewright.advise("aliases", [FILE], threads="8")
    with pytest.raises(slicewright.InputError):
        slicewright.advise("aliases", [FILE], grwth="20%")


def test_the_functions_stay_when_their_packages_are_loaded() -> None:
    import slicewright.advise.command
    import slicewright.cli.study

    assert callable(slicewright.advise)
    assert callable(slicewright.study)
