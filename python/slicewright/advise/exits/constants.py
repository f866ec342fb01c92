"""Prices that a scenario assumes or borrows, and what else they may be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slicewright._core import Scenario
from slicewright.advise.constants import OPEN, Constant, Variation
from slicewright.io.numerals import in_scenario

LEFT = "default"
"""The role of prices that a scenario leaves as they are: worked out of a document, on machines of its time."""


def constants(scenario: Scenario) -> tuple[Constant, ...]:
    """The prices of serialization, the manager's answer among them, that nobody measured on this system.

    Prices that the scenario leaves at their defaults are among them, those of nothing are not.

    >>> from slicewright.advise.exits.example import source
    >>> found = constants(source().scenario)
    >>> "serialization.cost.state" in [one.key for one in found]
    True
    """
    prices = re.compile(r"serialization\.cost\.\w+")
    waits = re.compile(r"serialization\.(?:answer|residency|structure_service)")
    return tuple(
        Constant(one["key"], one["value"], one["role"], one["why"])
        for one in scenario.explain()
        if (prices.fullmatch(one["key"]) and one["role"] in (*OPEN, LEFT) and _number(one["value"]) > 0)
        or (waits.fullmatch(one["key"]) and one["role"] in OPEN)
    )


def variations(found: Sequence[Constant], relock_s: float) -> tuple[Variation, ...]:
    """What they may be as well: slow calls and messages half and twice as dear, slow calls outside of the lock.

    `relock_s` is what a slow call costs outside of the lock now.

    >>> state = Constant("serialization.cost.state", "100 us", "borrowed", "")
    >>> made = variations([state], 0.0)
    >>> [(one.name, one.changes) for one in made][-1]
    ('unlocked', ('serialization.cost.state="0 us"', 'serialization.cost.relock="100 us"'))
    """
    made = []
    for name, what, parts, factor in (
        ("slow-halved", "a slow call costs half as much", ("state", "relock", "recovery"), 0.5),
        ("slow-doubled", "a slow call costs twice as much", ("state", "relock", "recovery"), 2.0),
        ("message-halved", "the manager's message costs half as much", ("message",), 0.5),
        ("message-doubled", "the manager's message costs twice as much", ("message",), 2.0),
        ("pool-halved", "storage from the pool costs half as much", ("pooled",), 0.5),
    ):
        own = [one for one in found if one.key.removeprefix("serialization.cost.") in parts]
        changes = tuple(f'{one.key}="{_times(one.value, factor)}"' for one in own if _number(one.value) > 0)
        if changes:
            made.append(Variation(name, what, changes))
    state = next((one.value for one in found if one.key == "serialization.cost.state"), None)
    if state is not None and relock_s == 0:
        moved = ('serialization.cost.state="0 us"', f'serialization.cost.relock="{state}"')
        made.append(Variation("unlocked", "what a slow call costs is outside of the lock", moved))
    return tuple(made)


def _number(text: str) -> float:
    found = re.match(r"[0-9.]+", text)
    return float(found[0]) if found else 0.0


def _times(text: str, factor: float) -> str:
    number = re.match(r"[0-9.]+", text)
    assert number is not None, f"{text} is a number with a unit"
    return f"{in_scenario(float(number[0]) * factor)} {text[number.end() :].strip()}"
