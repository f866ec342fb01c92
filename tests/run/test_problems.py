"""Does the text of a problem show how to fix it?"""

from __future__ import annotations

import pytest
from slicewright import InputError
from slicewright.values.errors import listing, nearest, problem, refusal


def test_a_problem_says_where_what_why_what_is_allowed_and_what_is_near() -> None:
    one = problem("unknown key", file="a.toml", line=3, column=5, key="gp", why="w", allowed="gap, name", nearest="gap")
    assert listing([one]) == "a.toml:3:5: gp: unknown key\n  why: w\n  allowed: gap, name\n  nearest: gap"


def test_a_refusal_lists_every_problem() -> None:
    error = refusal(problem("one"), problem("two"))
    assert isinstance(error, InputError)
    assert [problem["what"] for problem in error.problems] == ["one", "two"]
    assert str(error) == "one\ntwo"


def test_a_misspelt_field_of_a_problem_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="flie"):
        problem("one", flie="a.toml")


@pytest.mark.parametrize(("typed", "meant"), [("ALIASES", "aliases"), ("sed", "seed"), ("qqq", "")])
def test_the_nearest_name_is_found(typed: str, meant: str) -> None:
    assert nearest(typed, ["aliases", "seed", "gap"]) == meant


def test_nothing_that_was_fed_reaches_the_terminal_as_it_is() -> None:
    assert "\x1b" not in listing([problem("what\x1b[2J", file="a\nb")])
