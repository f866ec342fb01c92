"""Values that a fitted scenario leaves open, from the comments that `slicewright fit` writes for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slicewright._core import InputError, Scenario
from slicewright.errors import Problem, problem, refusal

FITTED = b"# Fitted by slicewright "
"""The first bytes of a scenario that was fitted."""

MARK = "#| "
"""Begins a comment of a fitted scenario that programs read: what follows is JSON."""

OLDER = "the file does not say what its fit left open: an earlier version wrote it, or its lines after #| are gone"
AGAIN = "slicewright fit of the same data writes it again, with these lines"


@dataclass(frozen=True, slots=True)
class End:
    """Another load that reproduces the intervals of the fit: changes of the scenario, and tables to add to it."""

    name: str
    changes: Mapping[str, Any]
    added: str


@dataclass(frozen=True, slots=True)
class Fitted:
    """Whether a scenario was fitted, whether it says what is open (`told`), and what that is.

    `open` has values with the reason of each; `fits`: whether the scenario itself reproduces the intervals; `chance`:
    the share by which the requests present may be off by chance.
    """

    fitted: bool = False
    told: bool = False
    predicts: bool = True
    fits: bool = True
    chance: float = 0.0
    open: tuple[tuple[str, str], ...] = ()
    ends: tuple[End, ...] = ()

    @property
    def warning(self) -> str:
        """The values not identified, in a sentence for the first lines of an answer; "" where there are none."""
        if not self.fitted:
            return ""
        said = [] if self.predicts else ["The fit does not predict the intervals that it was not shown."]
        if values := "; ".join(dict.fromkeys(value for value, _ in self.open)):
            said.append(f"Not identified by the fit: {values}. Ranges cover the ends of what fits.")
        return " ".join(said)

    @property
    def refused(self) -> str:
        """Why nothing is recommended; "" where something may be."""
        if self.fitted and not self.told:
            return OLDER
        if self.fits or self.ends:
            return ""
        return "no load that the fit tried reproduces the intervals that it was shown"


def fitted_of(text: bytes, file: str) -> Fitted:
    """The open values in the comments of a scenario; raises InputError where they cannot be read.

    >>> told = b'# Fitted by slicewright 1\\n#| {"fits": true}\\n#| {"open": "channels", "why": "a"}\\n'
    >>> fitted_of(told, "a.toml").warning
    'Not identified by the fit: channels. Ranges cover the ends of what fits.'
    >>> fitted_of(b'name = "own"', "a.toml").warning
    ''
    """
    lines = text.decode("utf-8", "replace").splitlines()
    rows, problems = [], []
    for number, line in enumerate(lines, 1):
        if line.startswith(MARK.rstrip()):
            row = _row(line[len(MARK) :])
            rows.append(row or {})
            if row is None:
                problems.append(_unreadable(file, number))
    if problems:
        raise refusal(*problems)
    head: Mapping[str, Any] = next((row for row in rows if "fits" in row), {})
    return Fitted(
        fitted=text.startswith(FITTED), told=bool(head),
        predicts=bool(head.get("predicts", True)), fits=bool(head.get("fits", True)),
        chance=float(head.get("chance", 0.0)),
        open=tuple((row["open"], row.get("why", "")) for row in rows if "open" in row),
        ends=tuple(End(row["end"], row.get("set", {}), row.get("add", "")) for row in rows if "end" in row),
    )  # fmt: skip


def with_end(text: bytes, file: str, end: End) -> Scenario:
    """The scenario with an end of its fit in place of the fitted values; raises InputError where it does not apply."""
    try:
        return Scenario.read(text + f"\n{end.added}\n".encode(), file).with_(end.changes)
    except InputError as error:
        why = f"{error.problems[0]['key']}: {error.problems[0]['what']}"
        raise refusal(
            problem("an end of the fit does not apply", file=file, key=end.name, why=why, remedy=AGAIN)
        ) from None


def _row(text: str) -> dict[str, Any] | None:
    """The object of a line; None where there is none, or one of another form."""
    try:
        row = json.loads(text)
    except ValueError:
        return None
    if not isinstance(row, dict) or not row.keys() & {"fits", "open", "end"}:
        return None
    texts = all(isinstance(row.get(key, ""), str) for key in ("open", "why", "end", "add"))
    number = isinstance(row.get("chance", 0.0), int | float)
    return row if texts and number and isinstance(row.get("set", {}), dict) else None


def _unreadable(file: str, number: int) -> Problem:
    why = "a line after #| is JSON with one of the keys fits, open, end"
    return problem("what the fit left open cannot be read", file=file, key=f"line {number}", why=why, remedy=AGAIN)
