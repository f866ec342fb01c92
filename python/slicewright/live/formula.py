"""How late a wait is seen to be over on average, exactly: slices that begin on time, starts uniform over its slices."""

from __future__ import annotations


def late_ms(wait_ms: float, slice_ms: float, period_ms: float) -> float:
    """The mean delay in ms of a constant wait, with `slice_ms` of processor time from the beginning of each period.

    A wait begun at u is over at x = u + (wait mod period). From the end of the slice on, it is seen at the next
    period: the mean is over period - x for those u, and 0 for the others. With a slice T of a period 2T and m = wait
    mod 2T it is m - m²/2T for m up to T, else (2T - m)²/2T.

    >>> [round(late_ms(18, slice_ms, 2 * slice_ms), 1) for slice_ms in (30, 20, 10)]
    [12.6, 9.9, 0.2]
    """
    over = wait_ms % period_ms
    first, last = max(over, slice_ms), min(over + slice_ms, period_ms)
    if last <= first:
        return 0.0
    return ((period_ms - first) ** 2 - (period_ms - last) ** 2) / (2 * slice_ms)
