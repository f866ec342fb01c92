"""The types of a scenario's values, `slicewright.scenario.view`, as a stub for editors and type checkers."""

from __future__ import annotations

import textwrap
from pathlib import Path

from slicewright._core import scenario_classes
from slicewright.scenario import derived

FILE = Path(__file__).parents[2] / "python" / "slicewright" / "scenario" / "view.pyi"

_HEAD = '''"""A scenario, typed and read-only.  Written by `python -m docs.generate view` from the engine's keys."""

from collections.abc import Mapping
from dataclasses import dataclass

from slicewright.scenario import derived
'''


def stub() -> str:
    """The text of the stub: a class for each table of the language, a field for each key."""
    return "\n\n".join([_HEAD.rstrip("\n"), *map(_of_class, scenario_classes())]) + "\n"


def _of_class(described: tuple[str, str | None, str, list[tuple[str, str, str]]]) -> str:
    name, base, about, fields = described
    bases = base or (f"derived.{name}" if hasattr(derived, name) else "")
    lines = [
        "@dataclass(frozen=True, slots=True, kw_only=True)",
        f"class {name}({bases}):" if bases else f"class {name}:",
    ]
    lines += [*_said(about), ""]
    for field, hint, meaning in fields:
        lines += [f"    {field}: {hint}", *_said(meaning)]
    return "\n".join(lines)


def _said(text: str) -> list[str]:
    """A docstring in a class, in lines of the usual width."""
    said = f'"""{text[0].upper()}{text[1:]}."""'
    return textwrap.wrap(said, 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
