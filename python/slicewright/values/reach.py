"""Which files a task may read: every file on a command line, few where a text came over the network."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path

from slicewright.values.errors import problem, refusal

_ROOTS: ContextVar[tuple[Path, ...] | None] = ContextVar("reach", default=None)


@contextlib.contextmanager
def reading_only(roots: Sequence[str | Path]) -> Iterator[None]:
    """Refuse every file in the block that is none of these files, nor inside of these folders, links followed.

    >>> with reading_only([]):
    ...     refuse_beyond("/etc/hostname")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: /etc/hostname: may not be read here
    """
    before = _ROOTS.set(tuple(Path(os.path.realpath(root)) for root in roots))
    try:
        yield
    finally:
        _ROOTS.reset(before)


def refuse_beyond(file: str | os.PathLike[str]) -> None:
    """Raise InputError for a file out of reach, before anything is known of it: not even whether it is there.

    >>> refuse_beyond("/etc/hostname")
    """
    roots = _ROOTS.get()
    if roots is None:
        return
    name = os.fsdecode(os.fspath(file))
    place = Path(os.path.realpath(name)) if "\0" not in name else None
    if place is None or not any(place == root or place.is_relative_to(root) for root in roots):
        why = "a scenario on the page may name only files that were dropped with it"
        remedy = "drop the scenario together with the files that it names"
        raise refusal(problem("may not be read here", file=name.replace("\0", "\\0"), why=why, remedy=remedy))
