"""`slicewright schema`: the JSON Schema of scenario files, for editors."""

from __future__ import annotations


def schema() -> int:
    """Print the JSON Schema of scenario files.

    \b
    Example:
      slicewright schema > scenario.schema.json
    """
    from slicewright._core import schema as scenario_schema

    print(scenario_schema().rstrip("\n"))
    return 0
