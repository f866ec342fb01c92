"""A panel: a scenario, the fields of its screens, and the counters that answer a change of them.

A run is deterministic: with one more change at an instant, everything before that instant is the same to the byte.  So
a change simulates the whole run again, and the panel shows it from that instant on.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.study.data import data_folder

if TYPE_CHECKING:
    from slicewright._core import Scenario
    from slicewright.scenario.view import View

MOST_CHANGES = 200
"""Changes of one run; an operator makes some dozens in five simulated minutes."""
_LONGEST_VALUE = 40
_NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)

Tables = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field that can be changed: its label on the screen, and the setting of `[[change]]` that it is."""

    key: str
    label: str
    hint: str
    setting: str
    """The name of the setting in the table of its change; empty where the change is the value itself."""
    change: str
    """The kind of change: `partition`, `srm`, `scheduling_parameter`."""
    of: str
    """The partition that is changed; empty where the change is of all."""
    value: str
    """The value at the start."""
    unit: str = ""
    words: tuple[str, ...] = ()
    """The words that it takes; empty for a number."""

    def written(self, value: str) -> str:
        """The value as TOML: the language checks it.

        >>> Field("t", "TARGET", "", "target", "partition", "A", "50", "%").written("70")
        '"70 %"'
        """
        if self.unit:
            return json.dumps(f"{value} {self.unit}")
        return value if value.isascii() and value.isdigit() else json.dumps(value)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a screen: a label and a field, or a value that the run does not change."""

    label: str
    hint: str = ""
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen as the document prints it: its title, what it is of, its lines, and below them a table of fields."""

    title: str
    of: str
    lines: Sequence[Line]
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[Line]] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """A counter over the intervals: its label, and how a row of the run gives it."""

    label: str
    values: Sequence[float | None]
    field: str = ""
    """The field whose setting this is: it is drawn as a thin line of steps."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves with one unit."""

    title: str
    unit: str
    curves: Sequence[Curve]


@dataclass(frozen=True, slots=True)
class Panel:
    """A screen of a document: where its scenario is, its fields and screens, and its charts."""

    name: str
    title: str
    document: str
    fields: Callable[[View], list[Field]]
    screens: Callable[[Scenario, Sequence[Field]], list[Screen]]
    charts: Callable[[Tables, View], list[Chart]]
    processors: Callable[[Tables, View], list[dict[str, Any]]] = lambda tables, view: []
    """The logical processors of a control program: number, and lists over the intervals."""

    @property
    def text(self) -> str:
        """The scenario, before any change."""
        return (data_folder("scenarios") / "panels" / f"{self.name}.toml").read_text("utf-8")


def with_changes(panel: Panel, fields: Sequence[Field], changes: Sequence[Any]) -> str:
    """The scenario with the changes of an operator as `[[change]]` tables, each at its simulated instant.

    `changes` has an object per Enter: `at_s`, and `values` by field.  Raises InputError for anything else.
    """
    known = {field.key: field for field in fields}
    if len(changes) > MOST_CHANGES:
        raise refusal(problem("too many changes", key="changes", allowed=f"up to {MOST_CHANGES} in one run"))
    parts = [panel.text]
    for change in changes:
        at_s, values = _checked(change, known)
        tables: dict[tuple[str, str], list[str]] = {}
        for key, value in values.items():
            field = known[key]
            tables.setdefault((field.change, field.of), []).append(_setting(field, value))
        for (kind, of), settings in tables.items():
            parts.append(f'\n[[change]]\nat = "{at_s:g} s"\n{kind} = {_table(kind, of, settings)}\n')
    return "".join(parts)


def on_screen(fields: Sequence[Field], problems: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Problems of a scenario as an operator meets them: at fields of the screen, without places in a file.

    >>> target = Field("A.target", "TARGET CPU PERCENTAGE", "1-100", "target", "partition", "A", "50", "%")
    >>> on_screen([target], [problem("too much", key="change[1].partition.target", line=9)])[0]["key"]
    'TARGET CPU PERCENTAGE'
    """
    labels = {field.setting or field.key: field.label for field in fields}
    kept = ("what", "why", "allowed", "nearest", "remedy")
    return [
        problem(**{name: each[name] for name in kept}, key=labels.get(str(each["key"]).rpartition(".")[2], ""))
        for each in problems
    ]


def _setting(field: Field, value: str) -> str:
    return f"{field.setting} = {field.written(value)}" if field.setting else field.written(value)


def _table(kind: str, of: str, settings: Sequence[str]) -> str:
    """The value of a change: the setting itself, or an inline table that begins with its partition."""
    if not of:
        return settings[-1]
    owner = "name" if kind == "partition" else "partition"
    return f"{{ {owner} = {json.dumps(of)}, {', '.join(settings)} }}"


def _checked(change: Any, known: Mapping[str, Field]) -> tuple[float, dict[str, str]]:
    at_s = change.get("at_s") if isinstance(change, dict) else None
    values = change.get("values") if isinstance(change, dict) else None
    if not isinstance(at_s, int | float) or isinstance(at_s, bool) or not math.isfinite(at_s) or at_s < 0:
        raise refusal(problem("not an instant", key="at_s", allowed="seconds from 0 on"))
    if not isinstance(values, dict) or not values:
        raise refusal(problem("nothing is changed", key="values", allowed=", ".join(known)))
    for key, value in values.items():
        if key not in known:
            raise refusal(problem("no such field", key=key, allowed=", ".join(known), nearest=nearest(key, known)))
        field = known[key]
        if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST_VALUE:
            raise refusal(problem("not a value", key=field.label, allowed=field.hint))
        if not field.words and not _NUMBER.fullmatch(value.strip()):
            raise refusal(problem(f"not a number: {value.strip()}", key=field.label, allowed=field.hint))
    return float(at_s), {key: value.strip() for key, value in values.items()}


def column(tables: Tables, table: str, name: str, **rows: Any) -> list[float | None]:
    """A column of the rows with these values, interval by interval.

    >>> column({"t": {"interval": [0, 0], "of": ["a", "b"], "x": [1.0, 2.0]}}, "t", "x", of="b")
    [2.0]
    """
    own = tables[table]
    wanted = [at for at in range(len(own["interval"])) if all(own[key][at] == value for key, value in rows.items())]
    return [own[name][at] for at in wanted]
