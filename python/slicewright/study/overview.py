"""The studies in one table: what each is of, and how many of its judged cells match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.report.forms import words_right
from slicewright.report.model import Column, Report, Section, Table
from slicewright.results.judge import Cell, Tally
from slicewright.study.judge import Reproduction, Request
from slicewright.study.pages import Context

if TYPE_CHECKING:
    from slicewright.study.study import Study

NOT_RUN = "not run yet"
NOT_ADOPTED = "a variant that is shown and not adopted"


@dataclass(frozen=True, slots=True)
class Standing:
    """A study and its kept result; None where this installation has none."""

    study: Study
    result: Reproduction | None

    @property
    def label(self) -> str:
        """The short title of the study."""
        return self.study.spec().label

    @property
    def subject(self) -> str:
        """The subject of the study."""
        return self.study.spec().subject

    @property
    def predicted(self) -> str:
        """How many scored cells match, of how many."""
        return NOT_RUN if self.result is None else _counted(self.result.cells)

    @property
    def variants(self) -> str:
        """How many match in a form that was declared after seeing the results; empty where there is none."""
        if self.result is None:
            return ""
        if self.result.adopted:
            return "; ".join([str(Tally.of(self.result.adopted).matches), *self._listed(self.result)])
        return f"({Tally.of(self.result.variant).matches}: {NOT_ADOPTED})" if self.result.variant else ""

    def _listed(self, result: Reproduction) -> list[str]:
        """The same of a variant that its study lists besides."""
        named = [form.fact for form in self.study.spec().forms.values() if form.listed]
        return [f"{Tally.of(result.variant).matches} ({name})" for name in named]

    @property
    def remark(self) -> str:
        """The misses that were stated before any run; empty for most studies."""
        stated = self.study.words().get("stated")
        if stated is None or self.result is None:
            return ""
        return " ".join(stated(Context(self.study, self.result, Request(), self.study.spec().first)))

    def count(self, verdict: Callable[[Tally], int]) -> str:
        """How many scored cells have a verdict; empty where there is no result."""
        return "" if self.result is None else str(verdict(Tally.of(self.result.cells)))


def overview(studies: Sequence[Study]) -> Report:
    """A row per study, from the kept results: nothing is simulated.

    >>> from slicewright.study.studies import named
    >>> from slicewright.report.text import render
    >>> print(render(overview([named("hyperpav")])))
      study     subject                                        judged cells that match ...
      HyperPAV  six runs of a pool of volumes and its aliases              13 of 13 ...
    """
    columns: list[Column[Standing]] = [
        Column("study", "study", lambda row: row.label),
        Column("subject", "subject", lambda row: row.subject),
        Column("matches", "judged cells that match", lambda row: row.predicted, form=words_right),
        Column("trend", "trend only", lambda row: row.count(lambda tally: tally.trend), form=words_right),
        Column("misses", "misses", lambda row: row.count(lambda tally: tally.misses), form=words_right),
        Column("variants", "with variants chosen after seeing the results", lambda row: row.variants),
        Column("remark", "remark", lambda row: row.remark, optional=True),
    ]
    rows = [Standing(study, study.kept_result()) for study in studies]
    subtitle = "Every published number is a cell with a band and a role, both declared before the run that is judged."
    return Report("Studies: published and simulated", subtitle, sections=[Section("", [Table(columns, rows)])])


def _counted(cells: Sequence[Cell]) -> str:
    tally = Tally.of(cells)
    return f"{tally.matches} of {tally.scored}"
