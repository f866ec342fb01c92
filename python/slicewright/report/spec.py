"""A table as lines of data: from a line per column come text, HTML, JSON and the series of a figure.

    programs  now
    cpu_percent              | ±     | CPU
    lock_wait_us             | ± .1  | wait
    saved.. ?                | .1    | all readings
    programs  global_per_s base_us slow_us

A line has up to four cells: key, form, header, unit.  Cells that are omitted come from the engine, which has header,
unit and digits of a counter beside its formula and source.

- **key**: a column of the row, and the key in JSON, so its unit is its suffix.  `saved..` is the range of `saved` over
  readings.  JSON has it as `saved_low` and `saved_high`.
- A **face** before the key: `people` (text and page), `html` (the page), `page` (page and JSON), or `programs` (JSON).
  A line for programs may have many keys.  Without a face a column is on all of them.
- A **condition** behind the key: `?` omits the column where no row has a value, `?0` where each is nothing or 0.
  `?0 KEY` looks at another key.
- **form**: `±` prints half-widths, with the same decimals in all rows.  `±each` has those that each row needs, `±2`
  has two decimals, `.1` one, `3` has three significant digits.  `count` and `ms` are as in the table of counters.
  `share` is a share of one in percent, and `percent` has the sign, too.  `right` is for words, `verdict` for those that
  have a tone.  A form with a colon is Python's: `:,.2f`.  A second form is that of text, as a page has more room:
  `± .1`.
- **header** and **unit**: `-` is none.  The header of a key that is no counter is the key.  The unit `,` joins the
  header: `resp, ms`.

A row is a mapping (with `x_half_width` beside `x`), an object with `[]` such as a `Point`, or one with attributes.  A
dot leads into an attribute: `live.wait_us`.  A function computes any other key:
`columns(lines, tables, {"key": lambda row: ...})`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.report import forms
from slicewright.report.figure import Kind, Series
from slicewright.report.forms import Form
from slicewright.report.model import Cell, Column, Face, Tone
from slicewright.statistics import Estimate, fixed, percent, significant
from slicewright.values.numerals import finite

if TYPE_CHECKING:
    from slicewright._core import _Counter

_FACES = {"people": Face.PEOPLE, "html": Face.HTML, "page": Face.HTML | Face.JSON, "programs": Face.JSON}
_UNITLESS = ("1", "1/s")
"""Units of counters that no header names."""
_ABSENT = object()
_TONES: Mapping[str, Tone] = {
    "agrees": "good", "differs": "bad", "too noisy": "quiet", "met": "good", "broken": "bad",
    "within the tolerance of its bound": "fair",
}  # fmt: skip
"""Of verdicts; other words of such a column are quiet."""


def columns(
    lines: str, tables: Sequence[str] = (), values: Mapping[str, Callable[[Any], Any]] | None = None
) -> list[Column[Any]]:
    """The columns of a spec; counters are those of these tables of the engine.

    Lines end at `;` too.  A header that is data, such as a name of a scenario, is for a `Column` of its own.

    >>> [(column.header, column.unit) for column in columns("cpu_percent | ±; lock_wait_us || wait", ["serialization"])]
    [('CPU', '%'), ('wait', 'us')]
    """
    given = values or {}
    return [column for line in lines.replace(";", "\n").splitlines() for column in _columns(line, tables, given)]


def header(key: str, tables: Sequence[str]) -> str:
    """The header of a counter, the first of its name in some tables, or of what is none."""
    known = _counter(key, tables)
    return known["header"] if known is not None else key.removesuffix("..").replace("_", " ")


def series(x: Sequence[float], values: Sequence[Any], label: str = "simulated", kind: Kind = "line") -> Series:
    """Values over x as a figure shows them: estimates with their half-widths, numbers as they are.

    >>> series([0, 8], [Estimate(3.7, 0.1, 10), Estimate(2.2, 0.1, 10)]).half_width
    [0.1, 0.1]
    """
    noise = [finite(value.half_width) if isinstance(value, Estimate) else None for value in values]
    known = any(width is not None for width in noise)
    return Series(x, [forms.number(value) for value in values], noise if known else None, label, kind)


def _counter(key: str, tables: Sequence[str]) -> _Counter | None:
    known = _counters()
    return next((known[table, key] for table in tables if (table, key) in known), None)


@functools.cache
def _counters() -> Mapping[tuple[str, str], _Counter]:
    from slicewright._core import counters

    return {(each["table"], each["name"]): each for each in counters()}


def _columns(line: str, tables: Sequence[str], values: Mapping[str, Callable[[Any], Any]]) -> list[Column[Any]]:
    if not line.strip():
        return []
    named, form, head, unit = ([cell.strip() for cell in line.split("|")] + [""] * 3)[:4]
    keys, _, condition = named.partition("?")
    first, *others = keys.split()
    if first == "programs":
        return [Column(key.removesuffix(".."), "", _value(key, values), face=Face.JSON) for key in others]
    if len(others) != (first in _FACES):
        raise ValueError(f"no face and key of a column: {keys.strip()!r}")
    face, key = _FACES.get(first, Face.ALL), others[0] if others else first
    known = _counter(key, tables)
    head = head or header(key, tables)
    if known is not None:
        form = form or known["digits"]
        own = "%" if known["digits"] == "share" else "" if known["unit"] in _UNITLESS else known["unit"]
        head, unit = (f"{head}, {own}", "") if unit == "," else (head, unit or own)
    page, *brief = ([_form(each, key) for each in form.split()] or [forms.words])[:2]
    value = _value(key, values)
    return [
        Column(
            key.removesuffix("..").replace(".", "_"), "" if head == "-" else head,
            _toned(value) if form == "verdict" else value, "" if unit == "-" else unit, page,
            brief=brief[0] if brief else None, face=face, optional=condition == "" and "?" in named,
            only=_any(condition.removeprefix("0").strip() or key) if condition else lambda rows: True,
        )
    ]  # fmt: skip


def _value(key: str, values: Mapping[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    return values[key] if key in values else lambda row: _value_of(row, key)


def _toned(value: Callable[[Any], str]) -> Callable[[Any], Cell]:
    return lambda row: Cell(value(row), _TONES.get(value(row), "quiet"))


def _value_of(row: Any, key: str) -> Any:
    """The value of a row under a key; an estimate where its half-width is beside it."""
    if not isinstance(row, Mapping):
        return row[key] if hasattr(row, "__getitem__") else functools.reduce(_part, key.split("."), row)
    value, noise = row[key], row.get(f"{key}_half_width", _ABSENT)
    if noise is _ABSENT:
        return value
    mean, half_width = (math.nan if number is None else number for number in (value, noise))
    return Estimate(mean, half_width, 0)


def _part(value: Any, name: str) -> Any:
    return value[name] if isinstance(value, Mapping) else getattr(value, name)


def _any(key: str) -> Callable[[Sequence[Any]], bool]:
    """Whether a row has a value that is not 0."""
    return lambda rows: any(row.get(key) if isinstance(row, Mapping) else _value_of(row, key) for row in rows)


def _form(word: str, key: str) -> Form:
    if key.endswith(".."):
        return forms.spans(int(word.removeprefix(".")))
    if word.isdigit():
        return lambda values: ["" if value is None else significant(forms.number(value), int(word)) for value in values]
    if word.startswith("±") and word != "±each":
        return _both(int(word[1:])) if word[1:] else forms.estimates
    if word.startswith(":"):
        return lambda values: [format(value, word[1:]) for value in values]
    return forms.decimals(int(word[1:])) if word.startswith(".") else _FORMS[word]


def _both(places: int) -> Form:
    return lambda values: [f"{fixed(each.mean, places)} ± {fixed(each.half_width, places)}" for each in values]


_FORMS: Mapping[str, Form] = {
    "±each": forms.estimates_apart, "count": forms.counts, "ms": forms.times, "right": forms.words_right,
    "words": forms.words, "verdict": forms.words,
    "share": lambda values: [percent(forms.number(value)).removesuffix(" %") for value in values],
    "percent": lambda values: ["" if value is None else percent(value) for value in values],
}  # fmt: skip
