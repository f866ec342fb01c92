"""The files of this checkout as the tidy rules see them: path and text."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]

# Files of make and of an engineer's tools; none of them is part of slicewright.
_BUILT = {".git", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".venv", "__pycache__", "out", "target"}
_BINARY = {".so", ".png", ".parquet", ".gz", ".pdf", ".smf", ".monwrite"}


@dataclass(frozen=True)
class Source:
    """A text file: its path from the root, and what is in it."""

    path: PurePosixPath
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return self.text.splitlines()


@cache
def tree() -> tuple[Source, ...]:
    """Every text file of the checkout, by path; raises UnicodeDecodeError for one that is not UTF-8."""
    return tuple(Source(path, (ROOT / path).read_text(encoding="utf-8")) for path in sorted(_paths(ROOT)))


def sources(*suffixes: str, under: str = "") -> list[Source]:
    """The files with one of these suffixes below the folder `under`; the tests rely on there being some."""
    found = [s for s in tree() if s.path.suffix in suffixes and s.path.is_relative_to(under)]
    assert found, f"no {' or '.join(suffixes)} file below {under or 'the root'}: the rule has nothing to look at"
    return found


def source(path: str) -> Source:
    """The one file at `path`; raises StopIteration when it is not in the tree."""
    return next(s for s in tree() if s.path == PurePosixPath(path))


def example(path: str, text: str) -> Source:
    """A file that exists in a test only, to show that a rule finds what it is for."""
    return Source(PurePosixPath(path), text)


def listing(problems: list[str]) -> str:
    """All problems, one a line, as a failing rule prints them."""
    return "\n".join(["", *problems])


def _paths(root: Path) -> list[PurePosixPath]:
    paths = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _BUILT]
        inside = PurePosixPath(Path(folder).relative_to(root).as_posix())
        files = [name for name in files if name not in _BUILT and PurePosixPath(name).suffix not in _BINARY]
        paths += [inside / name for name in files]
    return paths
