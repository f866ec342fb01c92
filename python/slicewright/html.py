"""Self-contained pages: facts, sections, tables and figures as one HTML file that needs no network."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from slicewright._core import __version__
from slicewright.errors import visible_lines
from slicewright.report.figure import Figure

if TYPE_CHECKING:
    import jinja2

Tone = Literal["", "good", "bad", "fair", "quiet"]
"""How a cell or row is marked: matches, misses, trend, of no account; always beside a word, never alone."""

_NUMBER = re.compile(r"^[-+−]?[\d.,]+k?( ?[±%]( ?[\d.,]+)?)?( ?%)?( [●○])?$|^-?$")
"""As columns of numbers hold them; the dots are those of a picture of differences."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table with a tone, or with a note shown on hovering and in print nowhere else.

    >>> Cell("matches", "good").text
    'matches'
    """

    text: str
    tone: Tone = ""
    note: str = ""

    def __str__(self) -> str:
        """The text of the cell."""
        return self.text


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text that is already as it should be printed; columns of numbers are set to the right.

    >>> Table(("volume", "resp, ms"), [("BWPVS0", "1.84")]).right
    (False, True)
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    caption: str = ""

    @property
    def right(self) -> tuple[bool, ...]:
        """Of each column, whether it holds numbers."""
        columns = range(len(self.columns))
        return tuple(bool(self.rows) and all(_NUMBER.match(str(row[at])) for row in self.rows) for at in columns)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, paragraphs, figures, tables, and text to be kept as it is (a scenario, a report page), folded away.

    >>> Section("Volumes", ["One row each."]).folded
    ()
    """

    title: str
    text: Sequence[str] = ()
    pictures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    folded: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page: title, one line under it, facts (name, value) in a strip, sections.

    >>> Page("A run", "8 volumes", [("seed", "1")], []).facts
    [('seed', '1')]
    """

    title: str
    subtitle: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    repeats: bool = True
    """Whether it would be the same page again; that of a measurement is not."""


def render(page: Page) -> str:
    """The page as one HTML document; the same page gives the same bytes.

    All text is escaped, and what would hide itself is visible.  Only a page with figures has the script that lets them
    be pointed at.

    >>> "&lt;b&gt;" in render(Page("<b>", "", [], []))
    True
    """
    from markupsafe import Markup

    drawn: Any = None
    if any(section.pictures for section in page.sections):
        from slicewright import figures

        drawn = figures
    return visible_lines(
        _template().render(page=page, version=__version__, figures=drawn, markup=Markup, anchor=_anchor)
    )


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    environment: Any = jinja2.Environment(
        loader=jinja2.PackageLoader("slicewright"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    template: jinja2.Template = environment.get_template("page.html")
    return template


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
