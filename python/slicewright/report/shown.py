"""What Python returns to a user prints itself: whole as text and as a page, in five lines, and in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from slicewright.report import html, text
from slicewright.report.model import Report


class Shown(ABC):
    """A result that is printed whole, in brief and in a notebook."""

    @abstractmethod
    def __str__(self) -> str:
        """The whole result as text."""

    @abstractmethod
    def html(self) -> str:
        """The whole result as a page."""

    @abstractmethod
    def glances(self) -> Sequence[Report]:
        """The parts that a notebook shows: a figure and a table each."""

    def __repr__(self) -> str:
        """The first five lines of the text."""
        return "\n".join([line for line in str(self).splitlines() if line][:5])

    def _repr_html_(self) -> str:
        """The glances as HTML, for a notebook."""
        return "\n".join(html.fragment(report) for report in self.glances())


class Reported(Shown):
    """A result that is one report."""

    @abstractmethod
    def report(self) -> Report:
        """The result as a report."""

    def html(self) -> str:
        """The report as a page."""
        return html.render(self.report())

    def __str__(self) -> str:
        """The report as text, as the command prints it."""
        return text.render(self.report())

    def glances(self) -> Sequence[Report]:
        """The report itself, or its parts that a notebook shows."""
        return [self.report()]
