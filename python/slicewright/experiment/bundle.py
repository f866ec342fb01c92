"""A bundle: the parts of the store that one answer uses, in one file, as hundreds of files take longer to read."""

from __future__ import annotations

MOST_BYTES = 1 << 22
"""Bytes of a bundle. The parts of a longer one are read one by one, as most of the time goes into their text."""


class Bundle:
    """Parts by name as JSON, a line for each in the file.

    >>> first = Bundle()
    >>> first.add("ab12", b"[1.5]")
    >>> again = Bundle(first.data)
    >>> again.get("ab12"), again.get("ab13"), again.data
    (b'[1.5]', None, None)
    """

    def __init__(self, data: bytes = b"") -> None:
        """The parts of a file that was kept; those of a file that is no bundle are none."""
        pairs = [line.split(b" ", 1) for line in data.split(b"\n")]
        self._kept = {pair[0]: pair[1] for pair in pairs if len(pair) > 1}
        self._used: dict[bytes, bytes] = {}
        self._more = False

    def get(self, name: str) -> bytes | None:
        """A part; None where the bundle has none."""
        key = name.encode()
        found = self._kept.get(key)
        if found is not None:
            self._used[key] = found
        return found

    def add(self, name: str, data: bytes) -> None:
        """Keep a part that the file does not have."""
        self._used[name.encode()] = data
        self._more = True

    @property
    def data(self) -> bytes | None:
        """What the file is to be: the parts that were used; None where it has them, and where they are too many."""
        if not self._more or sum(map(len, self._used.values())) > MOST_BYTES:
            return None
        return b"\n".join(name + b" " + part for name, part in self._used.items())
