"""A process that fills small file systems of its own, one command after the other, and reports how each ended."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from unittest.mock import patch

from slicewright.cli import main
from slicewright.report.model import Paragraph, Report, Section
from slicewright.study.judge import Reproduction
from slicewright.study.studies import named

from tests.advise.alias_example import FILE

PAGE = 4096
ADVISE = ["advise", "aliases", str(FILE), "--assume", "population=3", "--assume", "sharing=2%"]
ADVISE += ["--assume", "redispatch=none", "--target", "response_ms <= 1.5"]


@dataclass(frozen=True)
class Ending:
    """How one command ended that wrote to a small file system."""

    what: str
    status: int
    out: str
    err: str
    before: dict[str, str]
    """The files that were there, each with its content."""
    after: dict[str, str]


def endings(scenario: str) -> Iterator[Ending]:
    """Run every command that writes files, on a file system with more room each time until it fits."""
    with tempfile.TemporaryDirectory() as name:
        place, earlier = Path(name, "disk"), Path(name, "earlier")
        place.mkdir()
        _call(["run", scenario, "--seed", "1", "--out", str(earlier / "out")])
        run = ["run", scenario, "--seed", "2", "--out", str(place / "out")]
        for pages in (0, 1, 4, 12, 24, 36, 400):
            with _mounted(place, earlier, f"nr_blocks={_pages(earlier) + pages}"):
                yield _ended(f"run with {pages} pages", run, place)
        for files in (0, 2, 16):
            with _mounted(place, earlier, f"nr_inodes={2 + len(list(earlier.rglob('*'))) + files}"):
                yield _ended(f"run with {files} files", run, place)
        with _mounted(place, earlier, "size=1g"):
            subprocess.run(["mount", "-o", "remount,ro", place], check=True)
            yield _ended("run on what is only read", run, place)
            subprocess.run(["mount", "-o", "remount,rw", place], check=True)
        shutil.rmtree(earlier)
        _call([*ADVISE, "--out", str(earlier / "out")])
        (earlier / "out" / "advice.json").write_text("an earlier one")
        with _mounted(place, earlier, f"nr_blocks={_pages(earlier) + 3}"):
            yield _ended("advise with 3 pages", [*ADVISE, "--out", str(place / "out")], place)
        shutil.rmtree(earlier)
        earlier.mkdir()
        (earlier / "out").write_text("an earlier page")
        for pages in (0, 2, 400):
            with _mounted(place, earlier, f"nr_blocks={_pages(earlier) + pages}"), _quick_study():
                yield _ended(
                    f"reproduce with {pages} pages", ["reproduce", "hyperpav", "--html", str(place / "out")], place
                )


@contextlib.contextmanager
def _mounted(place: Path, content: Path, options: str) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place], check=True)
    try:
        shutil.copytree(content, place, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def _pages(folder: Path) -> int:
    """Pages that a memory file system needs for the files of a folder."""
    return sum(-(-path.stat().st_size // PAGE) for path in folder.rglob("*") if path.is_file()) or 1


@contextlib.contextmanager
def _quick_study() -> Iterator[None]:
    """A study that simulates nothing: what is tried is where its page goes."""
    section = Section("A study", [Paragraph("a new page")] * 1000)
    quick = copy(named("hyperpav"))
    vars(quick).update(
        reproduce=lambda request: Reproduction("hyperpav", 1),
        page=lambda result, request, progress: Report("A study", sections=[section]),
    )
    with patch("slicewright.cli.study.named", lambda name: quick):
        yield


def _ended(what: str, words: list[str], place: Path) -> Ending:
    before = _content(place)
    status, out, err = _call(words)
    return Ending(what, status, out, err, before, _content(place))


def _call(words: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    return status, out.getvalue(), err.getvalue()


def _content(place: Path) -> dict[str, str]:
    found = [path for path in place.rglob("*") if path.is_file() or not any(path.iterdir())]
    return {str(path.relative_to(place)): path.read_bytes().hex() if path.is_file() else "" for path in found}


if __name__ == "__main__":
    print(json.dumps([asdict(ending) for ending in endings(sys.argv[1])]))
