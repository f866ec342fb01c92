"""Drops: the files that the user gave, each set of them in a folder from which tasks read by name."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slicewright.errors import problem, refusal

LARGEST = 2 << 30
"""Bytes of one file, and of one drop; a day of monitor data has less."""
MOST_FILES = 400
"""Files of one drop; a run directory has about thirty."""
_LONGEST_PATH = 200


@dataclass
class Drop:
    """Files in a folder; what is on the command line stays where it is."""

    id: str
    folder: Path
    names: list[str] = field(default_factory=list)
    bytes: int = 0

    @property
    def subjects(self) -> list[str]:
        """The files and folders at the top, which tasks take as they are on a command line."""
        return list(dict.fromkeys(name.partition("/")[0] for name in self.names))

    def as_json(self) -> dict[str, Any]:
        """The drop for the page."""
        return {"id": self.id, "names": self.subjects, "bytes": self.bytes}


class Drops:
    """All drops of a session, kept below one folder.

    >>> import tempfile
    >>> drops = Drops(Path(tempfile.mkdtemp()))
    >>> drop = drops.new()
    >>> drops.place(drop, "a/../b")
    Traceback (most recent call last):
    _core.InputError: ...
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._drops: dict[str, Drop] = {}

    def __iter__(self) -> Any:
        return iter(self._drops.values())

    def new(self) -> Drop:
        """An empty drop with a folder of its own."""
        name = secrets.token_hex(8)
        drop = Drop(name, self.folder / name)
        drop.folder.mkdir(parents=True)
        self._drops[name] = drop
        return drop

    def given(self, path: Path) -> Drop:
        """A drop of a file or directory of the command line, where it is."""
        whole = path.resolve()
        drop = Drop(secrets.token_hex(8), whole.parent, [whole.name], whole.stat().st_size)
        self._drops[drop.id] = drop
        return drop

    def of(self, name: str) -> Drop:
        """The drop of that name; raises InputError where there is none."""
        if name not in self._drops:
            raise refusal(problem("there is no such drop", key="drop", why="the server was started anew"))
        return self._drops[name]

    def place(self, drop: Drop, name: str) -> Path:
        """Where a file of a drop is written; raises InputError for a name that leaves the folder, and for too many."""
        parts = name.split("/")
        wrong = [part for part in parts if part in ("", ".", "..") or re.search(r"[\x00-\x1f\\]", part)]
        if wrong or len(name.encode()) > _LONGEST_PATH or len(parts) > 4:
            allowed = f"a name of up to {_LONGEST_PATH} bytes, in up to three folders"
            raise refusal(problem("not a name of a file", key="name", allowed=allowed))
        if len(drop.names) >= MOST_FILES:
            raise refusal(problem("too many files", key="name", allowed=f"{MOST_FILES} at once"))
        return drop.folder.joinpath(*parts)

    def keep(self, drop: Drop, name: str, written: Path) -> None:
        """Add a file that was written whole under a temporary name."""
        place = self.place(drop, name)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            written.replace(place)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise refusal(problem("a file and a folder have the same name", key="name")) from error
        drop.bytes += place.stat().st_size
        drop.names = list(dict.fromkeys([*drop.names, name]))


def text_drop(drops: Drops, name: str, text: str) -> Drop:
    """A drop of one text, such as a scenario that was edited on the page."""
    drop = drops.new()
    written = drop.folder / ".text"
    written.write_text(text, "utf-8")
    drops.keep(drop, name, written)
    return drop
