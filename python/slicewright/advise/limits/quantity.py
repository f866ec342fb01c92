"""Quantities as their owners write them: limits of Kubernetes, spans, rates; and how they are printed again."""

from __future__ import annotations

import math
import re

from slicewright.statistics import fixed

_SUFFIX = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_SPANS_MS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "min": 6e4, "h": 3.6e6, "d": 8.64e7}
_RATES_S = {"s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0}
_NUMBER = r"([0-9]{1,12}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"


def processors(text: str) -> float | None:
    """Processors' worth of a quantity of Kubernetes; None where it is none.

    Kubernetes, Resource Management for Pods and Containers: 0.5 and 500m are the same.

    >>> processors("500m"), processors("0.5"), processors("2"), processors("2Gi")
    (0.5, 0.5, 2.0, None)
    """
    found = re.fullmatch(rf"\s*{_NUMBER}([munk]?)\s*", text)
    # 350 x .001 is not .35: rounded, the limit of now is one limit and not two.
    return round(float(found[1]) * _SUFFIX[found[2]], 9) if found and found[2] in _SUFFIX else None


def pair(text: str) -> tuple[float, float] | None:
    """Quota and period, ms, of what cpu.max says, "50000 100000" (us); None where it is not that.

    >>> pair("50000 100000")
    (50.0, 100.0)
    """
    found = re.fullmatch(r"\s*([0-9]{1,12})\s+([0-9]{1,12})\s*", text)
    return (int(found[1]) / 1000, int(found[2]) / 1000) if found else None


def span_ms(text: str) -> float | None:
    """Milliseconds of a span; None where it is none.

    >>> span_ms("100ms"), span_ms("1 min"), span_ms("5")
    (100.0, 60000.0, None)
    """
    found = re.fullmatch(rf"\s*{_NUMBER}\s*(us|ms|s|min|h|d)\s*", text)
    return float(found[1]) * _SPANS_MS[found[2]] if found else None


def _per_second(text: str) -> float | None:
    """A rate, per second; None where it is none.

    >>> _per_second("40/s"), _per_second("2400/min"), _per_second("40")
    (40.0, 40.0, None)
    """
    found = re.fullmatch(rf"\s*{_NUMBER}\s*/\s*(s|sec|min|h)\s*", text)
    return float(found[1]) / _RATES_S[found[2]] if found else None


def rates(text: str) -> tuple[float, float] | None:
    """A rate that is known, or between two, per second, the lower first; None where it is none.

    >>> rates("40/s"), rates("30-50/s"), rates("1800/min-50/s")
    ((40.0, 40.0), (30.0, 50.0), (30.0, 50.0))
    """
    low, between, high = text.partition("-")
    if between and "/" not in low:
        low = f"{low.strip()}/{high.partition('/')[2]}"
    found = [_per_second(text) for text in ((low, high) if between else (low, low))]
    known = [rate for rate in found if rate is not None]
    return (known[0], known[1]) if len(known) == 2 and known[0] <= known[1] else None


def limit(value: float | None) -> str:
    """A limit in thousandths of a processor, as Kubernetes takes them, whole processors too; inf and None are none.

    >>> limit(0.5), limit(2.0), limit(1.25), limit(math.inf)
    ('500m', '2000m', '1250m', 'none')
    """
    return "none" if value is None or math.isinf(value) else f"{value * 1000:.6g}m"


def span(value_ms: float) -> str:
    """A span as people write it.

    >>> span(100.0), span(0.5), span(60000.0)
    ('100 ms', '500 us', '60 s')
    """
    if value_ms >= 1000 and value_ms % 1000 == 0:
        return f"{value_ms / 1000:g} s"
    return f"{value_ms:g} ms" if value_ms >= 1 else f"{value_ms * 1000:g} us"


def rate(value_per_s: float) -> str:
    """A rate, per second, to three digits.

    >>> rate(40.0), rate(0.25)
    ('40/s', '.25/s')
    """
    text = f"{value_per_s:.3g}" if value_per_s < 1000 else fixed(value_per_s, 0)
    return f"{text.removeprefix('0') or '0'}/s"
