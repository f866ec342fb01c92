"""A report as one HTML file that needs no network and prints well."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright._core import __version__
from slicewright.report.figure import Figure
from slicewright.report.model import Block, Face, Grid, Notes, Report, Scenarios, Table
from slicewright.values.errors import visible_lines

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as the template prints it."""

    title: str
    legend: str
    grid: Grid


@dataclass(frozen=True, slots=True)
class _Scenarios:
    """Scenarios as the template prints them: their names, and JSON for the script that shows one."""

    title: str
    names: Sequence[str]
    data: str


@dataclass(frozen=True, slots=True)
class _Part:
    """A section as the template prints it: blocks with the name of their kind."""

    title: str
    anchor: str
    blocks: Sequence[tuple[str, Block | _Table | _Scenarios]]


def render(report: Report) -> str:
    """The report as one HTML document; the same report gives the same bytes.

    All text is escaped, and what would hide itself is visible.  Only a page with figures has the script that lets them
    be pointed at.

    >>> "&lt;b&gt;" in render(Report("<b>"))
    True
    """
    from markupsafe import Markup

    figures = _drawing(report)
    draw = figures.html if figures else None
    shows = any(isinstance(block, Scenarios) for section in report.sections for block in section.blocks)
    given = {
        "report": report, "version": __version__, "figures": figures, "draw": draw, "markup": Markup, "shows": shows,
    }  # fmt: skip
    return visible_lines(_template("report.html").render(sections=_apart(_parts(report)), **given))


def fragment(report: Report) -> str:
    """The report as a part of a page that is not ours, such as a notebook: still figures, and styles of its own.

    >>> fragment(Report("A run")).count('<div class="slicewright">')
    1
    """
    from markupsafe import Markup

    environment = _environment()
    style = environment.get_template("page.css").render().replace(":root", "&").replace("body {", "& {")
    figures = _drawing(report)
    draw = figures.still if figures else None
    given = {"report": report, "style": style, "draw": draw, "markup": Markup}
    return visible_lines(_template("fragment.html").render(sections=list(_parts(report)), **given))


def embedded(report: Report) -> str:
    """The report as a part of our own page, which has the styles and the script that makes figures live.

    >>> embedded(Report("A run")).splitlines()[1]
    '<h1>A run</h1>'
    """
    from markupsafe import Markup

    figures = _drawing(report)
    given = {"report": report, "draw": figures.html if figures else None, "markup": Markup}
    return visible_lines(_template("embedded.html").render(sections=_apart(_parts(report)), **given))


def blocks(report: Report) -> str:
    """The sections of the report alone, without its title and facts, as a part of our own page.

    >>> blocks(Report("A run"))
    ''
    """
    from markupsafe import Markup

    figures = _drawing(report)
    given = {"sections": _apart(_parts(report)), "draw": figures.html if figures else None, "markup": Markup}
    return visible_lines(_template("blocks.html").render(given)).strip()


def _drawing(report: Report) -> Any:
    """The module that draws figures, which takes a while to import, where the report has one."""
    if not any(isinstance(block, Figure) for section in report.sections for block in section.blocks):
        return None
    from slicewright.report import drawing as figures

    return figures


def _parts(report: Report) -> Iterator[_Part]:
    """The sections that have blocks, and all notes as sections under their own names."""
    for section in report.sections:
        blocks = list(section.shown(Face.HTML))
        own = [block for block in blocks if not isinstance(block, Notes)]
        if own:
            yield _part(section.title, own)
        for block in blocks:
            if isinstance(block, Notes) and block.lines:
                yield _part(block.name, [block])


def _apart(parts: Iterator[_Part]) -> list[_Part]:
    """The sections with anchors that differ: several answers on a page each have their caveats."""
    found: list[_Part] = []
    seen: Counter[str] = Counter()
    for part in parts:
        seen[part.anchor] += 1
        found.append(replace(part, anchor=f"{part.anchor}-{seen[part.anchor]}") if seen[part.anchor] > 1 else part)
    return found


def _part(title: str, blocks: Sequence[Block]) -> _Part:
    anchor = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return _Part(title, anchor, [_named(block) for block in blocks])


def _named(block: Block) -> tuple[str, Block | _Table | _Scenarios]:
    if isinstance(block, Scenarios):
        return "scenarios", _Scenarios(block.title, [entry.name for entry in block.entries], _differing(block))
    if isinstance(block, Table):
        return "table", _Table(block.title, block.legend, block.grid(Face.HTML))
    return type(block).__name__.lower(), block


def _differing(block: Scenarios) -> str:
    """The lines of the base, and of each entry its command and the lines that differ, or all where there are more."""
    base = block.base.splitlines()
    entries = []
    for entry in block.entries:
        lines = entry.text.splitlines()
        changed = {at: line for at, (line, was) in enumerate(zip(lines, base, strict=False)) if line != was}
        entries.append([entry.command, changed if len(lines) == len(base) else lines])
    data = json.dumps({"base": base, "entries": entries}, separators=(",", ":"))
    return data.replace("<", "\\u003c")


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment: Any = jinja2.Environment(
        loader=jinja2.PackageLoader("slicewright"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made: jinja2.Environment = environment
    return made


def _template(name: str) -> jinja2.Template:
    return _environment().get_template(name)
