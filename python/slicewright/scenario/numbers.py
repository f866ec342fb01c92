"""The numbers of a scenario as they are listed for people: what all entities of a kind have in common is said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter

from slicewright.report.model import Column

Row = tuple[str, str, str, str]

KEYS = ("key", "value", "role", "why")
COLUMNS: tuple[Column[Row], ...] = tuple(Column(key, key, itemgetter(at)) for at, key in enumerate(KEYS))


def listed(numbers: Sequence[Mapping[str, str]]) -> list[Row]:
    """Rows of key, value, role, why; a number that every entity of a kind has alike becomes one row, `volume.*.gap`.

    The key is then the one that `--set` takes to change them all.

    >>> same = {"value": "0 ms", "role": "default", "why": "at once"}
    >>> listed([{"key": "volume.A.gap", **same}, {"key": "volume.B.gap", **same}])
    [('volume.*.gap', '0 ms', 'default', 'at once')]
    """
    rows = [tuple(number.get(column, "") for column in KEYS) for number in numbers]
    entities = Counter(kind for kind, _ in {_entity(row[0]) for row in rows})
    alike = Counter(_pattern(row) for row in rows)
    kept: dict[Row, None] = {}
    for row in rows:
        pattern = _pattern(row)
        kind, _ = _entity(row[0])
        every = alike[pattern] == entities[kind] > 1
        kept.setdefault(pattern if every else (row[0], row[1], row[2], row[3]))
    return list(kept)


def _entity(key: str) -> tuple[str, str]:
    kind, _, rest = key.partition(".")
    return kind, rest.partition(".")[0]


def _pattern(row: Sequence[str]) -> Row:
    kind, name = _entity(row[0])
    return f"{kind}.*{row[0][len(kind) + 1 + len(name) :]}", row[1], row[2], row[3]
