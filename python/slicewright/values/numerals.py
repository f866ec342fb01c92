"""Numbers as files have them: in the JSON of an answer, in the points of a picture, in the text of a scenario."""

from __future__ import annotations

import math


def finite(value: float | None) -> float | None:
    """The number itself, or None where there is none.

    >>> finite(1.5), finite(float("nan")), finite(None)
    (1.5, None, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def in_json(value: float | None) -> float | None:
    """Seven significant digits, or null.

    >>> in_json(1 / 3), in_json(float("nan")), in_json(None)
    (0.3333333, None, None)
    """
    return float(f"{value:.7g}") if value is not None and math.isfinite(value) else None


def in_scenario(value: float) -> str:
    """Six decimal places at most, never an exponent.

    >>> in_scenario(12.5), in_scenario(10.0)
    ('12.5', '10')
    """
    return f"{value:.6f}".rstrip("0").rstrip(".")
