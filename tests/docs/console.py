"""A page followed to the letter: the files it says to write are written, its commands run, what they print compared.

A `toml` or `text` block after a paragraph that ends in "Save as `NAME`:" is a file. After "Append to `NAME`:" it is the
end of a file. A `diff` block after "in `NAME`:" changes a file. In a `console` block the output of a line `$ command`
follows it, as a terminal shows it; `...` replaces omitted lines.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from slicewright.cli import main

_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)

_SHIPPED: dict[str, tuple[int, list[str]]] = {}
"""Commands that only read what is shipped: they print the same on every page, and some take seconds."""


_PROGRESS = re.compile(r"slicewright: [a-z ]+: \d+ % after ")
"""Lines that only a slow machine prints."""


@dataclass
class Reader:
    """A reader that follows a page in one folder; `problems` lists the mistakes of the page."""

    folder: Path
    problems: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    status: int = 0

    def follow(self, page: Path) -> Reader:
        """From the top of a page to its end."""
        text = page.read_text("utf-8")
        for block in _BLOCK.finditer(text):
            if block["kind"] in ("toml", "text", "diff"):
                self.write(text[: block.start()].rstrip().rpartition("\n\n")[2].replace("\n", " "), block["body"])
            elif block["kind"] == "console":
                for command, shown in examples(block["body"]):
                    self.compare(command, shown)
        return self

    def write(self, said: str, body: str) -> None:
        """A file that the paragraph before the block names."""
        match = re.search(r"(Save as|Append to|[Ii]n) `([\w./-]+)`:$", said)
        if match is None:
            return
        file = self.folder / match[2]
        before = file.read_text("utf-8") if file.exists() else ""
        written = {"Save as": lambda: body, "Append to": lambda: f"{before}\n{body}"}
        file.write_text(written.get(match[1], lambda: applied(before, hunks(body)))(), encoding="utf-8")

    def compare(self, command: str, shown: list[str]) -> None:
        """One command, and what the page says that it prints."""
        self.commands.append(command)
        printed = self.run(command)
        missing = first_missing(shown, printed)
        if missing is not None:
            self.problems.append(f"$ {command}\ndoes not print\n{missing}\nbut\n" + "\n".join(printed))

    def run(self, command: str) -> list[str]:
        """The output of a command on the terminal, line by line."""
        if command == "echo $?":
            return [str(self.status)]
        before, _, target = command.partition(" > ")
        program, *words = shlex.split(before)
        if program != "slicewright":
            self.problems.append(f"$ {command}\nexamples are commands of slicewright")
            return []
        if (again := _SHIPPED.get(command)) is not None:
            self.status, lines = again
            return lines
        terminal = io.StringIO()
        out = io.StringIO() if target else terminal
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(terminal):
            self.status = main(words)
        if target:
            (self.folder / target).write_text(out.getvalue(), encoding="utf-8")
        lines = [line.rstrip() for line in terminal.getvalue().splitlines() if not _PROGRESS.match(line)]
        if not target and "--out" not in words and re.search(r"\b(published|scenarios)/", command):
            _SHIPPED[command] = (self.status, lines)
        return lines


def hunks(body: str) -> Iterator[tuple[str, str]]:
    """The old and the new text of a `diff` block, between lines of `@@`.

    >>> list(hunks(" a\\n-b\\n+c\\n@@\\n+d\\n"))
    [('a\\nb\\n', 'a\\nc\\n'), ('', 'd\\n')]
    """
    for hunk in re.split(r"^@@.*\n", body, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if not line.startswith("+"))
        yield before, "".join(line[1:] for line in lines if not line.startswith("-"))


def applied(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """A file's text after changes, each of whose places must be there once; that of a new file is empty.

    >>> applied("a\\nb\\n", [("b\\n", "c\\n")])
    'a\\nc\\n'
    """
    for before, after in changes:
        assert not before or text.count(before) == 1, f"this is to be changed and is not there (once):\n{before}"
        text = text.replace(before, after) if before else after
    return text


def examples(body: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown below it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown.rstrip("\n").split("\n") if shown.strip() else []


def first_missing(shown: list[str], printed: list[str]) -> str | None:
    """The first run of lines between gaps that is not printed where it is shown; None when all are.

    >>> first_missing(["a", "...", "c"], ["a", "b", "c"])
    >>> first_missing(["b", "..."], ["a", "b", "c"])
    'b'
    """
    runs = [run.split("\n") for run in re.split(r"^\.\.\.$\n?", "\n".join(shown), flags=re.MULTILINE)]
    start = 0
    for number, run in enumerate(runs):
        lines = run if number == len(runs) - 1 or run[-1:] != [""] else run[:-1]
        if lines in ([], [""]):
            continue
        places = range(start, start + 1) if number == 0 else range(start, len(printed))
        at = next((at for at in places if printed[at : at + len(lines)] == lines), None)
        if at is None or (number == len(runs) - 1 and at + len(lines) != len(printed)):
            return "\n".join(lines)
        start = at + len(lines)
    return None
