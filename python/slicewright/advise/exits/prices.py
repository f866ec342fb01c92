"""Prices that a scenario assumes or borrows, and what else they may be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from slicewright._core import Scenario
from slicewright.advise.constants import OPEN, Constant, Variation, constants_where, variations_of

LEFT = "default"
"""The role of prices that a scenario leaves as they are: worked out of a document, on machines of its time."""


def constants(scenario: Scenario) -> tuple[Constant, ...]:
    """The prices of serialization, the manager's answer among them, that were not measured on this system.

    Prices that the scenario leaves at their defaults are among them, those of nothing are not.

    >>> from slicewright.advise.exits.example import scenario
    >>> "serialization.cost.state" in [constant.key for constant in constants(scenario())]
    True
    """
    price = re.compile(r"serialization\.cost\.\w+")
    wait = re.compile(r"serialization\.(?:answer|residency|structure_service)")
    return constants_where(
        scenario,
        lambda one: (
            (price.fullmatch(one.key) is not None and one.role in (*OPEN, LEFT) and one.number > 0)
            or (wait.fullmatch(one.key) is not None and one.role in OPEN)
        ),
    )


def variations(found: Sequence[Constant], relock_s: float) -> list[Variation]:
    """What they may be as well: slow calls and messages half and twice as dear, slow calls outside of the lock.

    `relock_s` is what a slow call costs outside of the lock now.

    >>> state = Constant("serialization.cost.state", "100 us", "borrowed", "")
    >>> made = variations([state], 0.0)
    >>> [(one.name, one.changes) for one in made][-1]
    ('unlocked', ('serialization.cost.state="0 us"', 'serialization.cost.relock="100 us"'))
    """
    prices = {constant.key.removeprefix("serialization.cost."): constant for constant in found if constant.number > 0}
    slow = [prices[name] for name in prices if name in ("state", "relock", "recovery")]
    message = [prices[name] for name in prices if name == "message"]
    pooled = [prices[name] for name in prices if name == "pooled"]
    kinds = (
        ("slow-halved", "a slow call costs half as much", slow, 0.5),
        ("slow-doubled", "a slow call costs twice as much", slow, 2.0),
        ("message-halved", "the manager's message costs half as much", message, 0.5),
        ("message-doubled", "the manager's message costs twice as much", message, 2.0),
        ("pool-halved", "storage from the pool costs half as much", pooled, 0.5),
    )
    made = variations_of(kinds)
    state = next((constant for constant in found if constant.key == "serialization.cost.state"), None)
    if state is not None and relock_s == 0:
        moved = ('serialization.cost.state="0 us"', f'serialization.cost.relock="{state.value}"')
        made.append(Variation("unlocked", "a slow call runs outside the lock", moved))
    return made
