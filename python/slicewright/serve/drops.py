"""Drops: the files that the user gave, the files that scenarios name, and the scenarios that the page offers."""

from __future__ import annotations

import functools
import os
import secrets
import shutil
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from slicewright._core import InputError, scenario_files, starter, starters
from slicewright.scenario.files import read_with_files
from slicewright.values.carried import data_folder
from slicewright.values.errors import problem, refusal
from slicewright.values.files import read_bytes


def _named_files(scenario: Path) -> list[Path]:
    """The name lists and recordings that a scenario names; none for anything that is no scenario.

    >>> _named_files(Path("no/such/file.toml")), _named_files(Path("README.md"))
    ([], [])
    """
    if scenario.suffix != ".toml" or not scenario.is_file():
        return []
    try:
        data = read_bytes(scenario)
        named = [each["file"] for each in scenario_files(data, scenario.name, [])]
        replays = read_with_files(data, scenario.name, (), scenario.parent).replays
    except InputError:  # the task on it lists the problems
        return []
    return [scenario.parent / name for name in (*named, *(each["file"] for each in replays))]


LARGEST = 2 << 30
"""Bytes of one file, and of one drop; a day of monitor data has less."""
_MOST_FILES = 400
"""Files of one drop; a run directory has about thirty."""
_LONGEST_PATH = 200
_NO_NAME = ("Cc", "Cs", "Zl", "Zp")
"""Kinds of characters that no name of an upload has: controls, surrogates, and what ends a line."""
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that turn the direction of what follows: `gpj.exe` would be shown as `exe.jpg`."""


@dataclass
class _Drop:
    """Files in a folder: one of the server's own, or that of a file on the command line, which is only read."""

    id: str
    folder: Path
    own: bool
    """Whether the folder is the server's own; nothing is ever written to another."""
    files: list[str] = field(default_factory=list)
    bytes: int = 0
    SHOWN: ClassVar = ("id", "names", "bytes")

    @property
    def names(self) -> list[str]:
        """The files and folders at the top."""
        return list(dict.fromkeys(name.partition("/")[0] for name in self.files))

    def paths(self, only: Sequence[str] = ()) -> list[str]:
        """The files and folders at the top, or some of them, as tasks take them: `-` alone would be standard input.

        Raises InputError for a name that is not of this drop.

        >>> _Drop("1", Path("/tmp"), True, ["-", "a/b", "a/c"]).paths()
        ['./-', 'a']
        """
        unknown = [name for name in only if name not in self.names]
        if unknown:
            raise refusal(problem("there is no such file in the drop", key="only", allowed=", ".join(self.names)))
        return [f"./{name}" if name == "-" else name for name in only or self.names]


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
        self._drops: dict[str, _Drop] = {}

    def __iter__(self) -> Iterator[_Drop]:
        return iter(self._drops.values())

    def new(self) -> _Drop:
        """An empty drop with a folder of its own."""
        name = secrets.token_hex(8)
        drop = _Drop(name, self.folder / name, own=True)
        drop.folder.mkdir(parents=True, mode=0o700)
        self._drops[name] = drop
        return drop

    def given(self, path: Path) -> _Drop:
        """A drop of a file or directory of the command line, where it is; nothing is written there."""
        kept = path.name not in ("", "..")  # a link keeps its name, and the folder that it is in
        whole = Path(os.path.realpath(path.parent), path.name) if kept else Path(os.path.realpath(path))
        drop = _Drop(secrets.token_hex(8), whole.parent, own=False, files=[whole.name or "."])
        drop.bytes = whole.stat().st_size
        self._drops[drop.id] = drop
        return drop

    def of(self, name: str) -> _Drop:
        """The drop of that name; raises InputError where there is none."""
        if name not in self._drops:
            raise refusal(problem("there is no such drop", key="drop", why="the server was started anew"))
        return self._drops[name]

    def forget(self, drop: _Drop) -> None:
        """Leave a drop out of the session, with its folder where that is the server's own."""
        del self._drops[drop.id]
        if drop.own:
            shutil.rmtree(drop.folder, ignore_errors=True)

    def reach(self, drop: _Drop) -> list[str]:
        """The files and folders that a task on a drop may read.

        Of a drop of the command line these are what was named there, and the files that its scenario names.
        """
        if drop.own:
            return [str(drop.folder)]
        given = [each.folder / name for each in self if not each.own for name in each.files]
        return [str(path) for path in (*given, *_named_files(drop.folder / drop.files[0]))]

    def place(self, drop: _Drop, name: str) -> Path:
        """Where a file of a drop is written; raises InputError for a name that leaves the folder, and for too many."""
        if not drop.own:
            why = "it is of a file on the command line, which is only read"
            raise refusal(
                problem("nothing can be added to this drop", key="drop", why=why, remedy="drop all files anew")
            )
        parts = name.split("/")
        wrong = [part for part in parts if part in ("", ".", "..") or not _is_plain(part)]
        if wrong or len(name.encode(errors="replace")) > _LONGEST_PATH or len(parts) > 4:
            allowed = f"a name of up to {_LONGEST_PATH} bytes without control characters, in up to three folders"
            raise refusal(problem("not a name of a file", key="name", allowed=allowed))
        if len(drop.files) >= _MOST_FILES and name not in drop.files:
            raise refusal(problem("too many files", key="name", allowed=f"{_MOST_FILES} at once"))
        place = drop.folder.joinpath(*parts)
        if not Path(os.path.realpath(place.parent)).is_relative_to(os.path.realpath(drop.folder)) or place.is_symlink():
            raise refusal(problem("not a name of a file", key="name", why="it is a link, or below one"))
        return place

    def keep(self, drop: _Drop, name: str, written: Path) -> None:
        """Add a file that was written whole under a temporary name."""
        place = self.place(drop, name)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            before = place.stat().st_size if place.is_file() else 0
            written.replace(place)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise refusal(problem("a file and a folder have the same name", key="name")) from error
        drop.bytes += place.stat().st_size - before
        drop.files = list(dict.fromkeys([*drop.files, name]))


def remove(drops: Drops, drop: _Drop, name: str = "") -> None:
    """Remove a drop, or what it has at the top under a name; of the command line only the page forgets it."""
    names = drop.paths([name] if name else ())
    for each in names if drop.own else ():
        place = drop.folder / each
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    drop.files = [file for file in drop.files if name and file.partition("/")[0] != name]
    drop.bytes = sum((drop.folder / file).stat().st_size for file in drop.files)
    if not drop.files:
        drops.forget(drop)


def _is_plain(part: str) -> bool:
    r"""Whether every character can be in the name of an upload.

    >>> _is_plain("Büro 1\u202f2.txt"), _is_plain("a\x9bb"), _is_plain("a\\b"), _is_plain("\udce9")
    (True, False, False, False)
    """
    return not any(char == "\\" or char in _TURNS or unicodedata.category(char) in _NO_NAME for char in part)


def text_drop(drops: Drops, name: str, text: str) -> _Drop:
    """A drop of one text, such as a scenario that was edited on the page."""
    drop = drops.new()
    written = drop.folder / ".text"
    written.write_text(text, "utf-8")
    drops.keep(drop, name, written)
    return drop


def offered() -> dict[str, Any]:
    """The starters with one line on what each is, and the names of the other scenarios that ship.

    >>> found = offered()
    >>> found["starters"][0]["name"], "teaching/mdf-two-domains" in found["shipped"]
    ('pool', False)
    """
    kinds = [{"name": name, "what": what} for name, what in starters()]
    return {"starters": kinds, "shipped": [name for name in _shipped() if name not in {kind["name"] for kind in kinds}]}


def text_of(name: str) -> str:
    """The text of a starter or of a scenario that ships; raises InputError for another name."""
    known = _shipped()
    if name in dict(starters()):
        return starter(name)
    if name not in known:
        raise refusal(problem(f"there is no scenario {name!r}", key="name", allowed="those that #/experiment lists"))
    return known[name].read_text("utf-8")


def beside(drops: Drops, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The folder of the files that a text names, and those that it may read: of its drop, or of what ships.

    A text of neither reads no file.  Raises InputError for a drop that there is not.
    """
    shipped = _shipped().get(str(arguments.get("shipped")))
    if shipped is not None:
        return {
            "folder": str(shipped.parent),
            "reach": [str(path) for path in (shipped.parent, *_named_files(shipped))],
        }
    if not arguments.get("drop"):
        return {"folder": str(drops.folder), "reach": []}
    drop = drops.of(str(arguments["drop"]))
    if not drop.names:
        raise refusal(problem("the drop has no file", key="drop"))
    run = drop.folder / drop.names[0]
    return {"folder": str(run if run.is_dir() else drop.folder), "reach": drops.reach(drop)}


@functools.cache
def _shipped() -> Mapping[str, Path]:
    folder = data_folder("scenarios")
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.toml"))}
