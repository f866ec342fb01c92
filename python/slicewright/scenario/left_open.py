"""The values of a scenario that its fit did not identify, and the readings that remain.

A scenario has its own values, `[fit]`, `[[open]]` and `[[reading]]`; decision 0077 has the form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import InputError, Scenario
from slicewright.statistics import plural
from slicewright.values.errors import problem, refusal, sentence

GIVEN = "given"
"""The name of the scenario as it is, among its readings."""

FITTED = b"# Fitted by slicewright "
"""The first bytes of a scenario that was fitted."""

OLDER = "the file does not say what its fit left open: an earlier version wrote it, or its tables are gone"
AGAIN = "slicewright fit of the same data writes it again, with its readings"


@dataclass(frozen=True, slots=True)
class _Open:
    """A value that the evidence does not identify, with the reason, and the ranges of its keys as `--vary` has them."""

    value: str
    why: str
    ranges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """Another load that reproduces the evidence: its changes of the scenario, as `--set` has them."""

    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """The values and readings that a scenario leaves open.

    `fitted`: whether a fit wrote it; `reproduces`: whether the scenario itself is a reading; `chance`: the share by
    which the requests present may be off by chance.
    """

    fitted: bool = False
    predicts: bool = True
    reproduces: bool = True
    chance: float = 0.0
    open: tuple[_Open, ...] = ()
    readings: tuple[_Reading, ...] = ()

    @staticmethod
    def of(scenario: Scenario) -> LeftOpen:
        """The values and readings that a scenario leaves open.

        >>> from slicewright.scenario.starters import read_starter
        >>> LeftOpen.of(read_starter("pool")).words
        ''
        """
        found = scenario.left_open
        fit = found["fit"] or {"predicts": True, "reproduces": True, "chance_percent": 0.0}
        return LeftOpen(
            fitted=found["fit"] is not None, predicts=fit["predicts"], reproduces=fit["reproduces"],
            chance=fit["chance_percent"] / 100,
            open=tuple(_Open(row["value"], row["why"], _lines(row["range"])) for row in found["opens"]),
            readings=tuple(_Reading(row["name"], _lines(row["set"])) for row in found["readings"]),
        )  # fmt: skip

    @property
    def words(self) -> str:
        """The values in a line; "" where everything is identified."""
        return "; ".join(dict.fromkeys(each.value for each in self.open))

    @property
    def warning(self) -> str:
        """Doubts that a reader of advice needs before anything else, as sentences; "" where there are none."""
        said = [] if self.predicts else ["The fit does not predict the intervals that it was not shown."]
        if self.open:
            said.append(f"Not identified by the fit: {self.words}. Ranges cover the readings that remain.")
        return " ".join(said)

    @property
    def refused(self) -> str:
        """Why nothing is recommended; "" where something may be."""
        if self.reproduces or self.readings:
            return ""
        return "no load that the fit tried reproduces the intervals that it was shown"

    @property
    def notice(self) -> str:
        """A note for a result of the scenario's own values alone; "" where they are all that is known to fit."""
        if self.refused:
            return f"{self.refused}; the values of the scenario come nearest"
        if not self.readings:
            return f"not identified by the fit: {self.words}" if self.open else ""
        other = plural(len(self.readings), "other reading")
        said = "" if self.reproduces else "; the values of the scenario themselves miss them"
        return (
            f"not identified: {self.words}; {other} reproduce the measured intervals as well{said}: see run --readings"
        )

    def loads(self, scenario: Scenario, changes: Sequence[str] = ()) -> dict[str, Scenario]:
        """The loads that the scenario may have, by name: first itself, unless only others reproduce the evidence.

        `changes` are made in each, after those of the reading.  Raises InputError where one does not apply.
        """
        self._check_names()
        found = {GIVEN: scenario.with_(list(changes))} if self.reproduces or not self.readings else {}
        for number, reading in enumerate(self.readings, 1):
            try:
                found[reading.name] = scenario.with_([*reading.changes, *changes])
            except InputError as error:
                why = f"{error.problems[0]['key']}: {error.problems[0]['what']}"
                what, key = f"the reading `{reading.name}` does not apply", f"reading.{number}.set"
                raise refusal(problem(what, key=key, why=why, remedy=AGAIN)) from None
        return found

    def _check_names(self) -> None:
        """Raise InputError for each reading whose name another one has, so that none replaces another."""
        names = [GIVEN, *(reading.name for reading in self.readings)]
        wrong = [
            problem(f"a second reading is called `{name}`", key=f"reading.{at}.name", allowed="a name of its own")
            for at, name in enumerate(names)
            if name in names[:at]
        ]
        if wrong:
            raise refusal(*wrong)


def _lines(text: str | None) -> tuple[str, ...]:
    """The lines of a text that hold something."""
    return tuple(line.strip() for line in (text or "").splitlines() if line.strip())


def doubts(scenario: Scenario) -> tuple[str, ...]:
    """Notes for a result of a scenario alone: its warnings, and the readings that the result does not have."""
    notice = LeftOpen.of(scenario).notice
    return (*(sentence(warning) for warning in scenario.warnings), *([notice] if notice else []))
