"""The scale of a timeline: the unit of its instants, and the ticks of its ruler."""

from __future__ import annotations

import math
from dataclasses import dataclass

_UNITS = (("us", 1.0, 1), ("ms", 1e3, 3), ("s", 1e6, 6))


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit with its length in us, and how many decimal places show whole us (tenths where the unit is us).

    >>> scale(0.0, 20_000.0)
    Scale(unit='ms', us=1000.0, places=3)
    """

    unit: str
    us: float
    places: int

    def exact(self, at_us: float) -> str:
        """An instant or a span to the us.

        >>> scale(0.0, 20_000.0).exact(1250.4)
        '1.250'
        """
        return f"{at_us / self.us:,.{self.places}f}"

    def ticks(self, from_us: float, to_us: float, most: int) -> list[tuple[float, str]]:
        """At most this many round instants from one to another, with their text; the distance is 1, 2 or 5 and zeros.

        >>> scale(0.0, 2_000.0).ticks(0.0, 2_000.0, 5)
        [(0.0, '0'), (500.0, '0.5'), (1000.0, '1'), (1500.0, '1.5'), (2000.0, '2')]
        """
        step, places = self._step((to_us - from_us) / self.us, max(1, most - 1))
        first = math.ceil(from_us / self.us / step - 1e-9)
        last = math.floor(to_us / self.us / step + 1e-9)
        return [(number * step * self.us, _short(number * step, places)) for number in range(first, last + 1)]

    @staticmethod
    def _step(length: float, most: int) -> tuple[float, int]:
        """The smallest round distance that divides a length into no more parts, and its decimal places."""
        exponent = math.floor(math.log10(length / most)) if length > 0 else 0
        while True:
            for digit in (1, 2, 5):
                step = digit * 10.0**exponent
                if length / step <= most * (1 + 1e-9):
                    return step, max(0, -exponent)
            exponent += 1


def scale(from_us: float, to_us: float) -> Scale:
    """The unit of a stretch: ms, unless it is very short or very long.

    >>> [scale(0.0, length).unit for length in (50.0, 40_000.0, 20e6)]
    ['us', 'ms', 's']
    """
    length = to_us - from_us
    return Scale(*_UNITS[0 if length < 100 else 1 if length < 10e6 else 2])


def _short(value: float, places: int) -> str:
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text
