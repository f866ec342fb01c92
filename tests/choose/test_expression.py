"""Are expressions of cost and constraints read as they are written, and refused with a column and the nearest name?"""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
import slicewright
from hypothesis import given, settings
from hypothesis import strategies as st
from slicewright.explore.axes import axis
from slicewright.explore.expression import DEEPEST, LONGEST, Column, Knob, Names, constraint, expression, named, value

AXES = (axis("alias_pool.LSS-52.aliases", "0..8"), axis("volume.*.gap", "2 us,5 us"), axis("policy", "a,b"))
NAMES = Names(AXES)
ALIASES, GAP = Knob(AXES[0].key), Knob(AXES[1].key)
KNOWN: dict[Knob | Column, float] = {ALIASES: 4.0, GAP: 2.0, Column("system", "", "response_ms"): 3.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("8 - 2 - 1", 5.0),
        ("16 / 4 / 2", 2.0),
        ("-2 * -3", 6.0),
        ("2--1", 3.0),
        ("1.5e2 + 1", 151.0),
        ("aliases * 3 + gap", 14.0),
        ("alias_pool.LSS-52.aliases - 1", 3.0),
        ("`alias_pool.LSS-52.aliases`-1", 3.0),
        ("volume.*.gap*2", 4.0),
        ("max(aliases, response_ms, 3.5) - min(1, 2)", 3.0),
        ("system.response_ms", 3.0),
    ],
)
def test_an_expression_has_the_value_of_arithmetic(text: str, expected: float) -> None:
    assert value(expression("minimise", text, NAMES), KNOWN) == expected


def test_values_are_numbers_or_arrays() -> None:
    tree = expression("minimise", "1 / (response_ms - 3) + max(aliases, 2)", NAMES)
    found = value(tree, {ALIASES: np.array([1.0, 4.0]), Column("system", "", "response_ms"): np.array([3.0, 4.0])})
    assert math.isnan(found[0])  # a division by 0
    assert found[1] == 5.0


def test_a_row_of_a_table_and_all_its_rows_are_columns() -> None:
    tree = expression("minimise", "volumes.DISK.response_p95_ms + max(volumes.*.response_ms)", NAMES)
    assert list(named(tree)) == [
        Column("volumes", "DISK", "response_p95_ms"),
        Column("volumes", "*", "response_ms", "max"),
    ]


@pytest.mark.parametrize(
    ("text", "what", "column", "near"),
    [
        ("2 * alises", "no such name: `alises`", 5, "aliases"),
        ("respons_ms", "no such name: `respons_ms`", 1, "response_ms"),
        ("volumes.DISK.respons_ms", "no counter of volumes", 1, "volumes.DISK.response_ms"),
        ("policy + 1", "values are text", 1, ""),
        ("volumes.*.response_ms", "many values", 1, ""),
        ("2 +", "a value is missing at the end", 4, ""),
        ("(2 + 3", "a `)` is missing at the end", 7, ""),
        ("2 3", "unexpected `3`", 3, ""),
        ("2 ** 3", "a value is missing before `*`", 4, ""),
        ("", "a value is missing", 1, ""),
        ("__import__('os')", "no such name", 1, ""),
        ("aliases; 1", "unexpected `;`", 8, ""),
    ],
)
def test_what_is_no_expression_is_refused_with_its_column(text: str, what: str, column: int, near: str) -> None:
    with pytest.raises(slicewright.InputError) as refused:
        expression("minimise", text, NAMES)
    (found,) = refused.value.problems
    assert what in found["what"]
    assert f"column {column} " in found["why"]
    assert found["nearest"] == near


def test_a_percentile_that_the_system_has_not_is_shown_where_it_is() -> None:
    with pytest.raises(slicewright.InputError, match=r"max\(volumes\.\*\.response_p95_ms\)"):
        constraint("subject-to", "response_p95_ms <= 5", NAMES)


@pytest.mark.parametrize("text", ["response_ms < 2", "response_ms", "response_ms <= aliases", "response_ms = 2"])
def test_what_is_no_constraint_is_refused(text: str) -> None:
    with pytest.raises(slicewright.InputError, match="EXPR <= NUMBER"):
        constraint("subject-to", text, NAMES)


def test_a_constraint_knows_how_far_a_value_is_outside() -> None:
    assert constraint("subject-to", "response_ms <= 2", NAMES).excess(3.0) == 1.0
    assert constraint("subject-to", "io_per_s >= 100 * 2", NAMES).excess(150.0) == 50.0


@pytest.mark.parametrize("text", ["(" * (DEEPEST + 1) + "1", "1" * (LONGEST + 1), "max(" * 2000, 5, None, "\udce9"])
def test_hostile_expressions_are_refused(text: object) -> None:
    with pytest.raises(slicewright.InputError):
        expression("minimise", text, NAMES)


@settings(max_examples=50)
@given(st.text(alphabet="ab1.*+-/()<>=, `aliases\t\nü", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(slicewright.InputError):
        assert set(named(expression("minimise", text, NAMES))) <= {ALIASES, GAP}
