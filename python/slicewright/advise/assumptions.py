"""Assumptions (`--assume`): values by name, shares that decide, and keys of a scenario to set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from slicewright.advise.options import share_of
from slicewright.values.errors import Problem, nearest, problem

Assumptions = Mapping[str, tuple[str, Callable[[str], Any], str]]
"""By what is typed: the name of the value, how it is read (None is none), and what is allowed."""


def assumed_of(texts: Sequence[str], known: Assumptions, problems: list[Problem]) -> dict[str, Any]:
    """Values by their names, and a problem for each text that is none of them.

    >>> known = {"sharing": ("sharing_percent", share_of, "a share: 2 %")}
    >>> problems = []
    >>> assumed_of(["sharing=3%", "gap=1 ms"], known, problems), problems[0]["what"]
    ({'sharing_percent': 3.0}, 'nothing to assume: gap=1 ms')
    """
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if key not in known or not equals:
            near, allowed = nearest(key, known), ", ".join(f"{name}=..." for name in known)
            problems.append(problem(f"nothing to assume: {text}", key="assume", allowed=allowed, nearest=near))
            continue
        name, read, allowed = known[key]
        made = read(value.strip('"'))
        if name in found:
            problems.append(without_effect(key, f"it is given again as {text}"))
        elif made is None:
            near = nearest(value, allowed.split(", "))
            problems.append(problem(f"not a value of {key}: {value}", key="assume", allowed=allowed, nearest=near))
        else:
            found[name] = made
    return found


def without_effect(key: str, why: str, file: str = "") -> Problem:
    """The problem of an assumption that changes nothing for the input at hand.

    >>> without_effect("population", "no volume waits")["what"]
    'the assumption changes nothing: population'
    """
    what, allowed = f"the assumption changes nothing: {key}", "the same question without it"
    return problem(what, file=file, key="assume", why=why, allowed=allowed)


def settings_of(
    texts: Sequence[str], knobs: dict[str, float], example: str, problems: list[Problem]
) -> tuple[str, ...]:
    """Keys of a scenario to set, as for `--set`; knobs (shares in percent) that texts name are changed in place.

    >>> knobs = {"least": 1.0}
    >>> settings_of(["least=2%", 'cec.machine="z10"'], knobs, "cec.processors=8", []), knobs
    (('cec.machine="z10"',), {'least': 2.0})
    """
    changes: list[str] = []
    given: set[str] = set()
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if key in given:
            problems.append(without_effect(key, f"it is given again as {text}"))
            continue
        given.add(key)
        if key in knobs:
            found = share_of(value.strip('"'))
            if found is None:
                allowed = f"a share, 0 % to 100 %: {knobs[key]:g} %"
                problems.append(problem(f"not a value of {key}: {value}", key="assume", allowed=allowed))
            else:
                knobs[key] = found
        elif not equals or "." not in key:
            shares = ", ".join(f"{name}={usual:g}%" for name, usual in knobs.items())
            allowed = f"{shares}, or a key of the scenario: {example}"
            near = nearest(key, knobs)
            problems.append(problem(f"nothing to assume: {text}", key="assume", allowed=allowed, nearest=near))
        else:
            changes.append(text)
    return tuple(changes)


def milliseconds(text: str) -> float | None:
    """A time with its unit in ms; None is none.

    >>> milliseconds("50 us"), milliseconds("50")
    (0.05, None)
    """
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+)\s*(us|ms|s)", text)
    return float(found[1]) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[found[2]] if found else None


def word(*words: str) -> Callable[[str], str | None]:
    """One of these words.

    >>> word("closed", "open")("open"), word("closed", "open")("ajar")
    ('open', None)
    """
    return lambda text: text if text in words else None


def count(least: int, most: int) -> Callable[[str], int | None]:
    """A whole number in a range, ends included.

    >>> count(2, 99)("7"), count(2, 99)("1")
    (7, None)
    """
    return lambda text: int(text) if re.fullmatch(r"[0-9]{1,3}", text) and least <= int(text) <= most else None
