"""The options of `advise` as typed, and what all questions check of them in the same way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import Problem, nearest, problem, refusal

QUESTIONS = ("aliases", "slices", "polarization", "yields", "exits", "limits")
"""All questions of the command."""
FORMATS = ("text", "json")
"""How an answer is printed."""

_OF_ONE = {
    "aliases": (("pool", "pool_listing"), "it says who shares aliases", "advise aliases FILE"),
    "slices": (("slices", "share"), "it says how partitions share processors", "advise slices FILE"),
    "limits": (
        ("limit", "requests", "threads", "period", "burst", "processors", "every"),
        "it is about a group that Linux limits",
        "advise limits cpu.stat",
    ),
}
"""Options that only say something about one question, why, and what they may stand beside."""


@dataclass(frozen=True, slots=True)
class AdviceOptions:
    """The options as typed: counts, percentages, a condition, pools, assumptions; `format` is text or json.

    >>> AdviceOptions(at=["8"]).format
    'text'
    """

    at: Sequence[str | int] = ()
    growth: str | None = None
    target: str | None = None
    pool: Sequence[str] = ()
    pool_listing: str | None = None
    assume: Sequence[str] = ()
    out: Path | None = None
    format: str = "text"
    slices: str | None = None
    share: Sequence[str] = ()
    limit: str | None = None
    requests: str | None = None
    threads: str | None = None
    period: str | None = None
    burst: str | None = None
    processors: str | None = None
    every: str | None = None
    quiet: bool = False


def check_format(name: str, problems: list[Problem]) -> None:
    """Whether an answer can be printed like that; a problem more where it cannot.

    >>> check_format("json", [])
    """
    if name not in FORMATS:
        near, allowed = nearest(name, FORMATS), ", ".join(FORMATS)
        problems.append(problem(f"no such format: {name}", key="format", allowed=allowed, nearest=near))


def check_name(name: str | None) -> None:
    """Raise InputError unless there is such a question; None is inferred from the files.

    >>> check_name("aliases")
    >>> check_name(None)
    """
    if name is None or name in QUESTIONS:
        return
    near = nearest(name, QUESTIONS)
    raise refusal(problem(f"no such question: {name}", key="QUESTION", allowed=", ".join(QUESTIONS), nearest=near))


def refuse_others(options: AdviceOptions, question: str, problems: list[Problem]) -> None:
    """A problem for each option that only says something about another question.

    >>> problems = []
    >>> refuse_others(AdviceOptions(limit="500m"), "yields", problems)
    >>> problems[0]["what"]
    'says nothing about yields'
    """
    for other, (names, why, allowed) in _OF_ONE.items():
        for name in names if other != question else ():
            if getattr(options, name) not in (None, ()) and getattr(options, name) != []:
                what, key = f"says nothing about {question}", name.replace("_", "-")
                problems.append(problem(what, key=key, why=why, allowed=allowed))


def growth_factor(text: str | None, problems: list[Problem]) -> float:
    """Demand as a factor of today's: 20 or 20% more, or 1.5 times (a factor has a decimal point, or an x).

    >>> growth_factor("20%", []), growth_factor("1.5", []), growth_factor("2x", [])
    (1.2, 1.5, 2.0)
    """
    if text is None:
        return 1.0
    times = re.fullmatch(r"\s*([0-9]{1,2}\.[0-9]{1,6}|[0-9]{1,2}(?:\.[0-9]{1,6})?(?=\s*x))\s*x?\s*", text)
    if times and 0.1 <= float(times[1]) <= 10:
        return float(times[1])
    found = None if times else percent_of(text)
    if found is None or not -90 <= found <= 900:
        problems.append(problem(f"not a growth: {text}", key="growth", allowed="-90 % to 900 %, as in 20%; or 1.5x"))
        return 1.0
    return 1 + found / 100


def percent_of(text: str) -> float | None:
    """A number of percent, with or without the sign; None is no number.

    >>> percent_of("20 %"), percent_of("-5"), percent_of("some")
    (20.0, -5.0, None)
    """
    found = re.fullmatch(r"([+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+)\s*%?", text.strip())
    return float(found[1]) if found else None


def share_of(text: str) -> float | None:
    """A share in percent, which has its sign, from 0 % to 100 %; None is none.

    >>> share_of("2.1 %"), share_of("2.1"), share_of("120 %")
    (2.1, None, None)
    """
    found = percent_of(text) if text.endswith("%") else None
    return found if found is not None and 0 <= found <= 100 else None
