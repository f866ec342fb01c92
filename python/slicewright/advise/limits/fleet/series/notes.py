"""Accidents in measured series: each kind is counted, and the first few are named."""

from __future__ import annotations

from collections.abc import Iterable

MOST_NAMED = 3
"""Names of series, pods or files that a note lists."""


class Notes:
    """Notes in the order in which their kinds appear first; a kind is a sentence with a place for its count.

    >>> notes = Notes()
    >>> notes.count("counter reset{s}", ["shop/web-1/app"], "excluded", 2)
    >>> notes.say("no series of pressure")
    >>> notes.sentences
    ('2 counter resets (shop/web-1/app): excluded', 'no series of pressure')
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._counted: dict[tuple[str, str], tuple[int, dict[str, None]]] = {}

    def say(self, sentence: str) -> None:
        """Add a sentence; the same one is kept once."""
        self._counted.setdefault((sentence, ""), (0, {}))

    def count(self, what: str, names: Iterable[str], then: str, count: int | None = None) -> None:
        """Count accidents of a kind (a noun, {s} its plural): where they were, and what became of them."""
        listed = list(names)
        before, known = self._counted.get((what, then), (0, {}))
        after = before + (len(listed) if count is None else count)
        if after:
            self._counted[what, then] = after, dict.fromkeys([*known, *listed])

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each kind."""
        return tuple(
            _sentence(what, count, list(names), then) if count else what
            for (what, then), (count, names) in self._counted.items()
        )


def _sentence(what: str, count: int, names: list[str], then: str) -> str:
    more = len(names) - MOST_NAMED
    where = ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    noun = what.replace("{s}", "s" if count != 1 else "")
    return f"{count:,} {noun}{f' ({where})' if where else ''}: {then}"
