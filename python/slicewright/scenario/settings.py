"""The settings of a scenario: each value that `explain` lists, with bounds, unit and help from the schema."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from slicewright._core import Scenario, schema
from slicewright.scenario.numbers import listed

Node = Mapping[str, Any]

WIDER = 2.5
"""A slider reaches from 0 to this many times the value, within the limits of the schema.  The end is rounded up to 1, 2
or 5 times a power of ten."""
_OF_LARGEST = 0.1
"""ASSUME: the end of the band of a value of 0, as a share of the largest number of its kind."""
_FINENESS = 100
"""Steps of a slider, at least; whole numbers have steps of 1."""
_SIZES = ("KiB", "MiB", "GiB")
"""Units of sizes, which are whole numbers of bytes."""
_QUANTITY = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(\s*[A-Za-z%/]*)")
_PART = re.compile(r'"([^"]*)"|((?:\[[^\]]*\]|[^."\[])+)')


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of a scenario that can be changed, with the key that `--set` takes."""

    key: str
    value: str
    role: str
    why: str
    help: str
    kind: Literal["number", "quantity", "choice", "text"]
    """A bare number, a number with a unit, one of some words, or any text."""
    number: float | None = None
    suffix: str = ""
    """The unit as it is written behind the number."""
    least: float = 0.0
    most: float = 0.0
    step: float = 1.0
    whole: bool = False
    """Whether only whole numbers are values of it, or are sure to be."""
    choices: tuple[str, ...] = ()


def settings(scenario: Scenario) -> list[Setting]:
    """The settings of a scenario in the order of its keys; what all entities of a kind have alike is one setting.

    >>> from slicewright.scenario.starters import read_starter
    >>> by_key = {setting.key: setting for setting in settings(read_starter("pool"))}
    >>> aliases, think = by_key["alias_pool.LSS-52.aliases"], by_key["guest.*.program.1.think"]
    >>> aliases.number, aliases.least, aliases.most, aliases.step
    (8.0, 0, 20, 1)
    >>> think.number, think.suffix, think.most, think.step
    (0.3, ' ms', 1.0, 0.01)
    >>> by_key["alias_pool.LSS-52.redispatch"].choices
    ('none', 'same-volume', 'pool-fifo')
    """
    return [_setting(*row) for row in listed(scenario.explain())]


def bands(every: Sequence[Setting], within: float) -> dict[str, tuple[float, float]]:
    """By key the band of each number: its value times 1 - `within` and 1 + `within`, inside the limits of its slider.

    Whole numbers vary by 1 at least.  A value of 0 has no scale of its own: it reaches a tenth of the largest number
    of its kind with its unit (ASSUME), and has no band where there is none.

    >>> from slicewright.scenario.starters import read_starter
    >>> found = bands(settings(read_starter("pool")), 0.5)
    >>> found["guest.*.program.1.think"], found["volume.*.gap"], found["volume.*.service.connect.exponential"]
    ((0.15, 0.45), (0.0, 0.07), (0.35, 1.05))
    """
    found = {}
    for setting in every:
        number = setting.number
        if number is None:
            continue
        reach = abs(number) * within
        if number == 0:
            alike = (other.number for other in every if other.number and _kind(other) == _kind(setting))
            reach = _OF_LARGEST * max(map(abs, alike), default=0.0)
        if setting.whole:
            reach = max(1, round(reach))
        low, high = max(setting.least, number - reach), min(setting.most, number + reach)
        if low < high:
            found[setting.key] = (float(f"{low:.4g}"), float(f"{high:.4g}"))
    return found


def _kind(setting: Setting) -> tuple[str, str]:
    """The kind of entity that a setting belongs to, and its unit."""
    return setting.key.partition(".")[0], setting.suffix


def _setting(key: str, value: str, role: str, why: str) -> Setting:
    node = _node(key)
    help = str(node.get("description", "")).partition("; default ")[0]
    written = _QUANTITY.fullmatch(value)
    choices = tuple(str(choice) for choice in node.get("enum", ()))
    if choices:
        return Setting(key, value, role, why, help, "choice", choices=choices)
    if written is None:
        return Setting(key, value, role, why, help, "text")
    number, suffix = float(written[1]), written[2]
    least, most, step = _bounds(number, suffix, node)
    kind: Literal["number", "quantity"] = "quantity" if suffix else "number"
    whole = node.get("type") == "integer" or (suffix.strip() in _SIZES and number == round(number))
    return Setting(key, value, role, why, help, kind, number, suffix, least, most, step, whole)


def _bounds(number: float, suffix: str, node: Node) -> tuple[float, float, float]:
    """From, to and step of a slider; the value is always within."""
    least, limit = node.get("minimum", 0), node.get("maximum", math.inf)
    if suffix.strip() == "%" and number <= 100:
        return 0, 100, 1 if number == round(number) else 0.1
    most = min(_rounded_up(WIDER * number) if number > 0 else 1.0, limit)
    if node.get("type") == "integer":
        return least, max(int(min(max(most, least + 10), limit)), int(number)), 1
    step = 10.0 ** math.floor(math.log10(max(most - least, 1e-9) / _FINENESS))
    while step > 1e-9 and abs(number / step - round(number / step)) > 1e-6:
        step /= 10  # so that the value itself is a step
    return least, max(most, number), step


def _rounded_up(value: float) -> float:
    """The next of 1, 2 and 5 times a power of ten.

    >>> _rounded_up(0.75), _rounded_up(20), _rounded_up(21)
    (1.0, 20.0, 50.0)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(float(f"{nice * power:.6g}") for nice in (1, 2, 5, 10) if nice * power >= value * (1 - 1e-9))


def parts(key: str) -> list[str]:
    """The parts of a key as `--set` takes it; a part in quotes or brackets may have periods.

    >>> parts('guest."JOBS.A".program.1.think')
    ['guest', 'JOBS.A', 'program', '1', 'think']
    >>> parts("volume.PAGE[00..].count")
    ['volume', 'PAGE[00..]', 'count']
    """
    return [quoted or plain for quoted, plain in _PART.findall(key)]


@functools.cache
def _schema() -> Node:
    found: Node = json.loads(schema())
    return found


def _node(key: str) -> Node:
    """The part of the schema about a key; empty where there is none."""
    found = _within({"$ref": _schema()["$ref"]}, parts(key))
    return found or {}


def _within(node: Node, path: list[str]) -> Node | None:
    if not path:
        return node
    for form in _forms(node):
        # In a list the part is a name, a number, or a star.
        found = _within(form["items"], path[1:]) if form.get("type") == "array" else _property(form, path)
        if found is not None:
            return found
    return None


def _property(table: Node, path: list[str]) -> Node | None:
    """The schema behind a key of a table; a key may itself have a period (`cpu.weight`)."""
    known = table.get("properties", {})
    for length in (1, 2):
        name = ".".join(path[:length])
        if name in known:
            return _within(known[name], path[length:])
    others = table.get("additionalProperties")
    return _within(others, path[1:]) if isinstance(others, dict) else None


def _forms(node: Node) -> Iterator[Node]:
    """The node and what it refers to."""
    if "$ref" in node:
        yield from _forms(_schema()["$defs"][node["$ref"].rpartition("/")[2]])
        return
    yield node
    for inner in (*node.get("allOf", ()), *node.get("anyOf", ())):
        if "properties" in inner or "$ref" in inner or inner.get("type") == "array":
            yield from _forms(inner)
