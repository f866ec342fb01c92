"""Two measurements of one subject, before and after a setting was changed: did the predictions of the first hold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from slicewright.reading.second import Foretold, Outcome, Second
from slicewright.report.forms import Span
from slicewright.report.json import record
from slicewright.report.model import Block, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns
from slicewright.statistics import fixed, percent, plural


@dataclass(frozen=True, slots=True)
class Setting:
    """What was changed: its name, its value after it (None: there is no limit), and how people write that."""

    name: str
    value: float | None
    words: str


@dataclass(frozen=True)
class Checked:
    """The answer from the readings that both measurements leave, and the outcome of the predictions of the first."""

    answer: Any
    subject: str
    setting: Setting
    date: str
    """When the second was measured, as its data have it; "" where they do not."""
    came: Second | None = None
    """None where nothing was predicted."""
    left: bool = True
    """Whether any reading has both."""
    why: str = ""
    """Why nothing was predicted."""
    at_rate: Second | None = None
    """The outcome of the other numbers at the rate of the second, where the rate itself missed."""
    joint: bool = False
    """Whether the readings are of both measurements together, as none of the first has all numbers of the second."""

    @property
    def verdict(self) -> str:
        """held; missed, where a load has both measurements all the same; changed, where none has; "" is no verdict."""
        if self.came is None:
            return ""
        if not self.left:
            return "changed"
        return "held" if self.came.held else "missed"


def with_outcome(report: Report, answer: Checked) -> Report:
    """The report of an answer, with the outcome of the predictions above it."""
    first, *others = report.sections
    heading, *blocks = first.blocks
    return replace(report, sections=[replace(first, blocks=[heading, *_blocks(answer), *blocks]), *others])


def outcome(answer: Checked) -> dict[str, Any]:
    """The outcome of the predictions for programs: the verdict and each number."""
    came, table = answer.came, _table(answer)
    return {
        "verdict": answer.verdict or None, "setting": {answer.setting.name: answer.setting.value},
        "date": answer.date, **({"why": answer.why} if answer.why else {}),
        "numbers": [record(table, number) for number in came.outcomes] if came else [],
        **({"at_rate": [record(table, each) for each in answer.at_rate.outcomes]} if answer.at_rate else {}),
    }  # fmt: skip


_NAMES = {
    "io_per_s": "I/O per s", "service_ms": "service, ms", "queue_depth": "waiting", "response_ms": "response, ms",
    "fails_per_try": "fails/try", "fails_per_io": "fails/I/O", "used_percent": "processor time, %",
    "throttled_percent": "periods throttled, %", "throttled_of_time_percent": "periods of the time throttled, %",
    "stopped_percent": "processors stopped, %",
}  # fmt: skip
"""The header of a number, with its unit."""
_RATES = ("io_per_s", "used_percent")
"""How much is asked for."""


def changed(came: Second) -> str:
    """Why no reading is left, from the numbers that moved."""
    words = moved(came) or "no reading has all numbers together"
    return f"no load has both measurements, so the load changed: {words}"


def moved(came: Second) -> str:
    """The numbers that lie outside of what was predicted, and by how much; those of volumes alone as skew."""
    whole = [outcome for outcome in came.moved if not outcome.part]
    parts = [outcome for outcome in came.moved if outcome.part]
    words = list(map(missed_by, whole))
    if parts and not any(outcome.name in _RATES for outcome in whole):
        worst = max(parts, key=lambda outcome: outcome.excess)
        words.append(f"skew between volumes ({worst.part}: {missed_by(worst)})")
    return "; ".join(words)


def told_apart_by(numbers: Sequence[Foretold]) -> str:
    """The number that a reading misses most, beside what was measured."""
    worst = max(numbers, key=lambda number: abs(number.measured - number.simulated) / max(number.allowed, 1e-12))
    digits = _digits(worst.name)
    name = f"{worst.part} {_NAMES[worst.name]}".strip()
    return f"{name}: {fixed(worst.simulated, digits)} against {fixed(worst.measured, digits)}"


def missed_by(outcome: Outcome) -> str:
    """A number, and how far it lies outside of its range."""
    return f"{_called(outcome)} {_beyond(outcome)}"


def _called(outcome: Outcome) -> str:
    return "arrival rate" if outcome.name == "io_per_s" else _NAMES.get(outcome.name, outcome.name).partition(",")[0]


def _beyond(outcome: Outcome) -> str:
    """How far a number lies outside of its range: as a share of the nearer end, or beside it where that is little."""
    if outcome.beyond < 1:
        return f"{percent(outcome.beyond, 0)} {'more' if outcome.apart > 0 else 'less'} than predicted"
    digits, end = _digits(outcome.name), outcome.high if outcome.apart > 0 else outcome.low
    return f"{fixed(outcome.measured, digits)} where {fixed(end, digits)} was predicted"


def _blocks(answer: Checked) -> list[Block]:
    """The verdict in a line, and each number beside its prediction."""
    came, words = answer.came, answer.setting.words
    if came is None:
        return [Paragraph(f"Nothing was predicted for {words}: {answer.why}.")]
    held = sum(outcome.held for outcome in came.outcomes)
    count = f"{held} of {plural(len(came.outcomes), 'number')} in range"
    head = {
        "held": f"The prediction for {words} held", "missed": f"The prediction for {words} missed",
        "changed": "The load changed",
    }[answer.verdict]  # fmt: skip
    blocks: list[Block] = [Lead(head, count)]
    if answer.verdict != "held" and (why := moved(came)):
        blocks.append(Paragraph(f"{why[:1].upper()}{why[1:]}."))
    if answer.at_rate is not None:
        blocks.append(Paragraph(_at_rate(answer.at_rate)))
    if answer.joint:
        blocks.append(Paragraph("No reading of the first alone has all numbers: readings are of both together."))
    return [*blocks, _table(answer)]


def _at_rate(came: Second) -> str:
    """The outcome at the rate of the second, and the response as predicted then."""
    held = sum(outcome.held for outcome in came.outcomes)
    words = f"At the rate that came, {held} of {plural(len(came.outcomes), 'other number')} in range"
    response = next((outcome for outcome in came.outcomes if outcome.name == "response_ms"), None)
    if response is not None:
        measured = fixed(response.measured, _digits(response.name))
        words += f"; response {_printed_range(response)} ms predicted, {measured} measured"
    return f"{words}."


def _table(answer: Checked) -> Table[Outcome]:
    """A row per number: text has those of the whole, and those of volumes that missed."""
    values = {
        "number": lambda outcome: f"{outcome.part} {_NAMES[outcome.name]}".strip(),
        "predicted": _printed_range,
        "after": lambda outcome: fixed(outcome.measured, _digits(outcome.name)),
        "within": lambda outcome: fixed(outcome.allowed, _digits(outcome.name)),
        "verdict": lambda outcome: "held" if outcome.held else f"missed, {_beyond(outcome)}",
        "simulated..": lambda outcome: Span(outcome.low, outcome.high),
        "held": lambda outcome: outcome.held,
    }
    lines = """
        people number
        people predicted | right
        people after     | right | measured
        people within    | right | beyond
        people verdict   |       | -
        programs name
        programs part
        programs simulated..
        programs measured
        programs allowed
        programs held
    """
    legend = (
        "Predicted: range over all readings of the first measurement. Beyond: how far a number may lie outside of it,"
        " by the rounding and the samples of the second and the error of the model."
    )
    outcomes = answer.came.outcomes if answer.came else ()
    brief = [outcome for outcome in outcomes if not outcome.part or not outcome.held]
    hidden = len(outcomes) - len(brief)
    legend += f" {plural(hidden, 'more number')} of volumes held." if hidden else ""
    return Table(columns(lines, values=values), outcomes, legend=legend, brief=lambda outcome: outcome in brief)


def _digits(name: str) -> int:
    return 0 if name == "io_per_s" else 1 if name.endswith("percent") else 2


def _printed_range(outcome: Outcome) -> str:
    digits = _digits(outcome.name)
    low, high = fixed(outcome.low, digits), fixed(outcome.high, digits)
    return low if low == high else f"{low} - {high}"
