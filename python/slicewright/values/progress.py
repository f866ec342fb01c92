"""The progress of an answer: the callback that reports it, and how it is counted."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""


def silent(share: float) -> None:
    """A progress callback that does nothing.

    >>> silent(0.5)
    """


def waiting(progress: Progress) -> Progress:
    """Progress of work whose share of all is not known: it only shows that something is done.

    >>> waiting(print)(0.5)
    0.0
    """
    return lambda share: progress(0.0)


def counting(progress: Progress, expected: int) -> Callable[[int], None]:
    """Progress by replications simulated; `expected` is about how many there will be, and may be exceeded.

    >>> done = counting(print, 10)
    >>> done(4), done(8)
    0.4
    0.99
    (None, None)
    """
    done = 0

    def more(replications: int) -> None:
        nonlocal done
        done += replications
        progress(min(done / expected, 0.99))

    return more


def piece(progress: Progress, at: int, of: int) -> Progress:
    """Progress of one piece of so many that are done one after the other; the first is number 0.

    >>> piece(print, 1, 4)(0.5)
    0.375
    """
    return lambda share: progress((at + share) / of)
