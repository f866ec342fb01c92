"""The options of `advise` as typed, and what all questions read of them in the same way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from slicewright.values import settings
from slicewright.values.errors import Problem, problem

_CHECKED = ("at", "growth", "target", "assume", "interval", "format")


@dataclass(frozen=True, slots=True)
class AdviceOptions:
    """The options as typed: settings to show, growth, a condition, assumptions; `own` are those of one question.

    `interval` are the intervals of monitor data to look at.  With `check` the last file is from after a change,
    and `then` is its setting where it has none.  `predictions` is a file that keeps predictions and outcomes.

    >>> AdviceOptions.of(at=["8"], limit="500m").own
    {'limit': '500m'}
    """

    at: Sequence[str | int] = ()
    growth: str | None = None
    target: str | None = None
    assume: Sequence[str] = ()
    interval: str | None = None
    check: bool = False
    then: str | None = None
    predictions: Path | None = None
    out: Path | None = None
    html: Path | None = None
    format: str = "text"
    quiet: bool = False
    own: Mapping[str, Any] = field(default_factory=dict)
    """By name, of those that were given."""

    @classmethod
    def of(cls, **given: Any) -> AdviceOptions:
        """The options by name, whichever question they belong to; None and () are not given.

        Raises InputError for a value of a wrong type; a text alone is one setting to show, or one assumption.
        """
        given |= {name: (given[name],) for name in ("at", "assume") if isinstance(given.get(name), str | int)}
        shared = {each.name for each in fields(cls)}
        checked = {name: given[name] for name in given if name in _CHECKED and given[name] is not None}
        settings.check("advise", **checked)
        known = {name: value for name, value in given.items() if value not in (None, (), [])}
        if isinstance(known.get("predictions"), str):
            known["predictions"] = Path(known["predictions"])
        own = {name: value for name, value in known.items() if name not in shared}
        return cls(**{name: value for name, value in known.items() if name in shared}, own=own)


def growth_factor(text: str | None, problems: list[Problem]) -> float:
    """Demand as a factor of today's: 20% more, or 1.2x (x1.2) of it; a bare number could be either and is refused.

    >>> growth_factor("20%", []), growth_factor("1.5x", []), growth_factor("x2", [])
    (1.2, 1.5, 2.0)
    """
    if text is None:
        return 1.0
    number = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    times = re.fullmatch(rf"\s*(?:{number}\s*x|x\s*{number})\s*", text, re.IGNORECASE)
    percent = _percent_of(text)
    bare = percent is not None and not text.strip().endswith("%")
    factor = float(times[1] or times[2]) if times else 1 + (percent or 0) / 100
    if (times or percent is not None) and not bare and 0.1 - 1e-9 <= factor <= 10 + 1e-9:
        return factor
    why = "a number alone could be percent or a factor" if bare else ""
    allowed = "percent, -90% to 900%, as in 20%; or a factor, .1x to 10x, as in 1.2x"
    problems.append(problem(f"not a growth: {text}", key="growth", why=why, allowed=allowed))
    return 1.0


def _percent_of(text: str) -> float | None:
    """A number of percent, with or without the sign; None where the text has no number.

    >>> _percent_of("20 %"), _percent_of("-5"), _percent_of("some")
    (20.0, -5.0, None)
    """
    found = re.fullmatch(r"([+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+)\s*%?", text.strip())
    return float(found[1]) if found else None


def share_of(text: str) -> float | None:
    """A share in percent, which has its sign, from 0 % to 100 %; None is none.

    >>> share_of("2.1 %"), share_of("2.1"), share_of("120 %")
    (2.1, None, None)
    """
    found = _percent_of(text) if text.endswith("%") else None
    return found if found is not None and 0 <= found <= 100 else None
