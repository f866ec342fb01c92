"""What Python returns to a user prints itself: whole as text and as a page, in five lines, and in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from slicewright.report.html import fragment
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
        return "\n".join(fragment(report) for report in self.glances())
