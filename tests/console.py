"""A page followed to the letter: the files it says to write are written, its commands run, what they print compared.

It leaves out what is done once and takes long (`sh` blocks: installing), and whether the words around are true.

A `toml` block after a line that ends in "Save as `NAME`:" is a file, after "Append to `NAME`:" the end of one.  In a
`console` block a line `$ command` is followed by what it prints, standard output first, `...` for lines left out.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from slicewright.cli import main

_BLOCK = re.compile(r"(?:^(?P<before>[^\n]+)\n\n?)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Reader:
    """Somebody who does what a page says, in one folder; `problems` is where the page was not right."""

    folder: Path
    problems: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    status: int = 0

    def follow(self, page: Path) -> Reader:
        """From the top of a page to its end."""
        for block in _BLOCK.finditer(page.read_text("utf-8")):
            if block["kind"] == "toml":
                self.write(block["before"] or "", block["body"])
            elif block["kind"] == "console":
                for command, shown in examples(block["body"]):
                    self.compare(command, shown)
        return self

    def write(self, said: str, body: str) -> None:
        """A file that the line before the block names."""
        match = re.search(r"(Save|Append)\b[^`]*`([\w./-]+)`:$", said)
        if match is None:
            return
        file = self.folder / match[2]
        before = file.read_text("utf-8") + "\n" if match[1] == "Append" else ""
        file.write_text(before + body, encoding="utf-8")

    def compare(self, command: str, shown: list[str]) -> None:
        """One command, and what the page says that it prints."""
        self.commands.append(command)
        printed = self.run(command)
        missing = first_missing(shown, printed)
        if missing is not None:
            self.problems.append(f"$ {command}\ndoes not print\n{missing}\nbut\n" + "\n".join(printed))

    def run(self, command: str) -> list[str]:
        """What a command prints, line by line: standard output, then standard error."""
        if command == "echo $?":
            return [str(self.status)]
        before, _, target = command.partition(" > ")
        program, *words = shlex.split(before)
        if program != "slicewright":
            self.problems.append(f"$ {command}\nexamples are commands of slicewright")
            return []
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.status = main(words)
        if target:
            (self.folder / target).write_text(out.getvalue(), encoding="utf-8")
            out = io.StringIO()
        return [line.rstrip() for line in (out.getvalue() + err.getvalue()).splitlines()]


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
