"""What somebody assumes (`--assume`): values by name, shares that decide, and keys of a scenario to set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from slicewright.advise.options import share_of
from slicewright.errors import Problem, nearest, problem

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
        if made is None:
            problems.append(problem(f"not a value of {key}: {value}", key="assume", allowed=allowed))
        else:
            found[name] = made
    return found


def settings_of(
    texts: Sequence[str], knobs: dict[str, float], example: str, problems: list[Problem]
) -> tuple[str, ...]:
    """Keys of a scenario to set, as for `--set`; knobs (shares in percent) that texts name are changed in place.

    >>> knobs = {"least": 1.0}
    >>> settings_of(["least=2%", 'cec.machine="z10"'], knobs, "cec.processors=8", []), knobs
    (('cec.machine="z10"',), {'least': 2.0})
    """
    changes = []
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
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
