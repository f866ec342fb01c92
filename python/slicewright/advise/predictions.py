"""A file of predictions of advice and of their outcomes, a line of JSON each, which later answers count."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from slicewright._core import __version__
from slicewright.advise.second import Checked, Setting, missed_by
from slicewright.reading.second import Outcome
from slicewright.report.model import Notes, Section
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import read_bytes, write_whole

_NAME = "Earlier"


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that was predicted, over all readings; `part` is a volume, "" is the whole."""

    name: str
    low: float
    high: float
    part: str = ""


class Came(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that was measured, beside what was predicted, and how far it may lie outside."""

    name: str
    low: float
    high: float
    measured: float
    allowed: float
    part: str = ""

    @property
    def outcome(self) -> Outcome:
        """The same as it is judged."""
        return Outcome(self.name, self.part, self.measured, self.low, self.high, self.allowed)


class _About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """The subject of a line and its setting; `date` is that of the data, a `value` of None is no limit."""

    question: str
    subject: str
    setting: str
    value: float | None
    date: str
    version: str


class Predicted(_About, frozen=True, forbid_unknown_fields=True, tag="prediction"):
    """A prediction."""

    numbers: tuple[Range, ...]


class Happened(_About, frozen=True, forbid_unknown_fields=True, tag="outcome"):
    """The outcome of a prediction; `held` follows from its numbers, and is written for readers."""

    held: bool
    numbers: tuple[Came, ...]

    @property
    def worst(self) -> Outcome:
        """The number that is farthest outside of what was predicted."""
        return max((number.outcome for number in self.numbers), key=lambda outcome: outcome.excess)


Line = Predicted | Happened


def prediction(question: str, about: tuple[str, str], setting: Setting, numbers: Iterable[Range]) -> Predicted:
    """A prediction of this version; `about`: the subject, and the date of its data."""
    subject, date = about
    kept = tuple(Range(each.name, _kept(each.low), _kept(each.high), each.part) for each in numbers)
    return Predicted(question, subject, setting.name, setting.value, date, __version__, kept)


def outcome_of(question: str, answer: Checked) -> Happened:
    """The outcome of a prediction."""
    assert answer.came is not None
    numbers = tuple(
        Came(each.name, _kept(each.low), _kept(each.high), _kept(each.measured), _kept(each.allowed), each.part)
        for each in answer.came.outcomes
    )
    setting, held = answer.setting, all(number.outcome.held for number in numbers)
    return Happened(question, answer.subject, setting.name, setting.value, answer.date, __version__, held, numbers)


def _kept(value: float) -> float:
    """Six digits, as people read them; what held follows from these."""
    return float(f"{value:.6g}")


def read(data: bytes, file: str) -> list[Line]:
    """The lines of a file; raises InputError with the place of every line that is no prediction and no outcome.

    >>> read(b"", "advice.jsonl")
    []
    """
    decoder = msgspec.json.Decoder(Line)
    lines: list[Line] = []
    problems: list[Problem] = []
    text = data.removesuffix(b"\n")
    for number, raw in enumerate(text.split(b"\n") if text else [], 1):
        try:
            line = decoder.decode(raw)
            why = _wrong(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            why = str(error)
        if why:
            allowed = "a file that advise --predictions wrote, unchanged; or another name"
            problems.append(problem("no prediction and no outcome", file=file, line=number, why=why, allowed=allowed))
        else:
            lines.append(line)
    if data and not data.endswith(b"\n"):
        problems.append(problem("the last line has no end", file=file, why="a part of it may be missing"))
    if problems:
        raise refusal(*problems)
    return lines


def _wrong(line: Line) -> str:
    """The contradiction in a line; "" where there is none."""
    for number in line.numbers:
        values = (number.low, number.high, *((number.measured, number.allowed) if isinstance(number, Came) else ()))
        if not all(map(math.isfinite, values)) or number.low > number.high:
            return f"{number.name} is no range: {number.low:g} to {number.high:g}"
    if isinstance(line, Happened):
        if not line.numbers:
            return "it has no number"
        if line.held != all(number.outcome.held for number in line.numbers):
            return "held does not follow from its numbers"
    return ""


def earlier(file: Path | None) -> list[Line]:
    """The lines that are there; none where there is no file yet."""
    return read(read_bytes(file), str(file)) if file is not None and file.exists() else []


def keep(file: Path, lines: Sequence[Line], more: Iterable[Line]) -> None:
    """Write the file with more lines at its end, whole or not at all; a line that is there is not written again."""
    every = list(dict.fromkeys(map(_text, [*lines, *more])))
    write_whole(file, b"".join(every))


def _text(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _outcomes(lines: Sequence[Line], question: str) -> list[Happened]:
    return [line for line in lines if isinstance(line, Happened) and line.question == question]


def told(lines: Sequence[Line], question: str) -> dict[str, Any]:
    """How many earlier predictions of a question held, and the widest miss, for programs."""
    outcomes = _outcomes(lines, question)
    missed = [line for line in outcomes if not line.held]
    found: dict[str, Any] = {"outcomes": len(outcomes), "held": len(outcomes) - len(missed)}
    if missed:
        line = max(missed, key=lambda each: each.worst.excess)
        worst = line.worst
        found["widest_miss"] = {
            "subject": line.subject, line.setting: line.value, "date": line.date, "name": worst.name,
            "part": worst.part, "simulated_low": worst.low, "simulated_high": worst.high, "measured": worst.measured,
        }  # fmt: skip
    return found


def section(lines: Sequence[Line], question: str) -> Section:
    """The same for people."""
    found = told(lines, question)
    words = f"of {plural(found['outcomes'], 'earlier prediction')} here {found['held']} held"
    if not found["outcomes"]:
        words = "no outcome of an earlier prediction is kept here"
    if missed := [line for line in _outcomes(lines, question) if not line.held]:
        line = max(missed, key=lambda each: each.worst.excess)
        where = ", ".join(filter(None, (line.subject, line.date)))
        words += f"; the widest miss: {missed_by(line.worst)} ({where})"
    return Section("", [Notes(_NAME, [f"{words}; no range is narrower for that"])])
