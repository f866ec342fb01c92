"""A scenario, typed and read-only: a class for each table of the scenario language, made from what the engine says.

Fields are named as the keys of the language, with the units of their numbers: spans are in seconds, shares in percent,
rates per second.  None is a key that is absent.  `python -m docs.generate view` writes `view.pyi`, which has the same
for editors and type checkers.

`Scenario.view` gives a `View`; `Scenario.with_`, `without_changes` and `grown` give scenarios with other values.

>>> from slicewright.scenario.starters import read_starter
>>> view = read_starter("two-domains").view
>>> view.cec.processors, [partition.target_percent for partition in view.partitions], view.measure.warm_up_s
(2, [50.0, 50.0], None)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import make_dataclass

from slicewright._core import scenario_classes
from slicewright.scenario import derived

_members: Mapping[str, type] = vars(derived)

for _name, _base, _doc, _fields in scenario_classes():
    _bases = (globals().get(_base or ""), _members.get(_name))
    globals()[_name] = make_dataclass(
        _name,
        [(field, hint) for field, hint, _ in _fields],
        bases=tuple(base for base in _bases if base),
        namespace={"__doc__": f"{_doc[0].upper()}{_doc[1:]}.", "__module__": __name__},
        frozen=True,
        slots=True,
        kw_only=True,
    )
