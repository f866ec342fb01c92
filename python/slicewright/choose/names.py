"""The names that an expression may use: knobs, counters of the whole system, and counters of a row of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import slicewright._core as _core
from slicewright.errors import nearest
from slicewright.parameters import brief
from slicewright.run.tables import ENTITY
from slicewright.sweep.axes import Axis
from slicewright.sweep.row import HEADLINE

ALLOWED = "a knob, a counter of the system such as response_ms, or TABLE.ROW.COUNTER such as volumes.DISK.response_ms"

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\.(?:\*|[A-Za-z_0-9]+))*")
_QUOTED = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True)
class Knob:
    """The value of a knob, a number in the unit of its axis."""

    key: str


@dataclass(frozen=True, slots=True)
class Column:
    """A counter of a table's row; of the row `*`, the least or the largest (`of_all`) over all rows."""

    table: str
    entity: str
    counter: str
    of_all: str = ""

    @property
    def unit(self) -> str:
        """The unit that its counter has.

        >>> Column("system", "", "response_ms").unit
        'ms'
        """
        return _UNITS[self.table, self.counter]


_UNITS: dict[tuple[str, str], str] = {(each["table"], each["name"]): each["unit"] for each in _core.counters()}
_COUNTERS: dict[str, list[str]] = {}
for _table, _counter in _UNITS:
    _COUNTERS.setdefault(_table, []).append(_counter)


@dataclass(frozen=True)
class Names:
    """The names by text: whole ones, and the last part of a knob's key where no other has it.

    >>> from slicewright.sweep.axes import axis
    >>> names = Names((axis("alias_pool.LSS-52.aliases", "0..8"),))
    >>> names.find("aliases")
    Knob(key='alias_pool.LSS-52.aliases')
    >>> names.find("volumes.DISK.response_ms")
    Column(table='volumes', entity='DISK', counter='response_ms', of_all='')
    """

    axes: Sequence[Axis]
    knobs: dict[str, Axis] = field(init=False)

    def __post_init__(self) -> None:
        short = Counter(axis.key.rpartition(".")[2] for axis in self.axes)
        made = {axis.key.rpartition(".")[2]: axis for axis in self.axes if short[axis.key.rpartition(".")[2]] == 1}
        object.__setattr__(self, "knobs", made | {axis.key: axis for axis in self.axes})

    def at(self, text: str, start: int) -> tuple[str, int]:
        """The name that begins here, and where it ends; a key may have any character, and `...` quotes a name."""
        if match := _QUOTED.match(text, start):
            return match[1].strip(), match.end()
        match = _NAME.match(text, start)
        end = match.end() if match else start
        for key in sorted(self.knobs, key=len, reverse=True):
            after = text[start + len(key) : start + len(key) + 1]
            if text.startswith(key, start) and not (after.isalnum() or after in ("_", ".") if after else False):
                end = max(end, start + len(key))
                break
        return text[start:end], end

    def find(self, name: str) -> Knob | Column | tuple[str, str, str]:
        """The knob or column of a name, or what is wrong, what is allowed, and the nearest valid name."""
        if name in self.knobs:
            axis = self.knobs[name]
            if axis.kind == "text":
                return f"`{brief(name)}` is a knob whose values are text", "a knob with numbers", ""
            return Knob(axis.key)
        if name in _COUNTERS[HEADLINE]:
            return Column(HEADLINE, "", name)
        table, _, rest = name.partition(".")
        if table == HEADLINE and rest in _COUNTERS[HEADLINE]:
            return Column(HEADLINE, "", rest)
        entity, _, counter = rest.rpartition(".")
        if table in ENTITY and table != HEADLINE and entity:
            if counter in _COUNTERS[table]:
                return Column(table, entity, counter)
            close = nearest(counter, _COUNTERS[table])
            full = f"{table}.{entity}.{close}" if close else ""
            return f"`{brief(counter)}` is no counter of {table}", ", ".join(_COUNTERS[table]), full
        return self._unknown(name, table)

    def _unknown(self, name: str, table: str) -> tuple[str, str, str]:
        holders = [each for each in ENTITY if each != HEADLINE and name in _COUNTERS.get(each, ())]
        what = f"no such name: `{brief(name)}`"
        if holders:
            rows = " or ".join(f"max({each}.*.{name})" for each in holders[:3])
            return what, f"{rows}, or the name of a row in the place of *", ""
        valid = [*self.knobs, *_COUNTERS[HEADLINE], *(f"{HEADLINE}.{each}" for each in _COUNTERS[HEADLINE])]
        close = nearest(name, valid) or ("" if table == name else nearest(table, list(ENTITY)))
        return what, ALLOWED, close
