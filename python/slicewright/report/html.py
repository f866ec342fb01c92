"""A report as one HTML file that needs no network and prints well."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from slicewright._core import __version__
from slicewright.report.figure import Figure
from slicewright.report.model import Block, Face, Notes, Report, Scenarios, Table
from slicewright.values.errors import visible_lines

if TYPE_CHECKING:
    import jinja2


def render(report: Report) -> str:
    """The report as one HTML document; the same report gives the same bytes.

    All text is escaped, and what would hide itself is visible.  Only a page with figures has the script that lets them
    be pointed at.

    >>> "&lt;b&gt;" in render(Report("<b>"))
    True
    """
    shows = any(isinstance(block, Scenarios) for section in report.sections for block in section.blocks)
    return _rendered("report.html", report, version=__version__, shows=shows)


def fragment(report: Report) -> str:
    """The report as a part of a page that is not ours, such as a notebook: still figures, and styles of its own.

    >>> fragment(Report("A run")).count('<div class="slicewright">')
    1
    """
    style = _environment().get_template("page.css").render().replace(":root", "&").replace("body {", "& {")
    return _rendered("fragment.html", report, "still", style=style)


def embedded(report: Report) -> str:
    """The report as a part of our own page, which has the styles and the script that makes figures live.

    >>> embedded(Report("A run")).splitlines()[1]
    '<h1>A run</h1>'
    """
    return _rendered("embedded.html", report)


def blocks(report: Report) -> str:
    """The sections of the report alone, without its title and facts, as a part of our own page.

    >>> blocks(Report("A run"))
    ''
    """
    return _rendered("blocks.html", report).strip()


def _rendered(template: str, report: Report, draw: str = "html", **given: Any) -> str:
    from markupsafe import Markup

    figures: Any = None
    if any(isinstance(block, Figure) for section in report.sections for block in section.blocks):
        from slicewright.report import drawing as figures  # takes a while to import
    given |= {"report": report, "figures": figures, "draw": getattr(figures, draw, None), "markup": Markup}
    return visible_lines(_environment().get_template(template).render(sections=_sections(report), **given))


def _sections(report: Report) -> list[dict[str, Any]]:
    """The sections that have blocks, and all notes under their own names; anchors differ, as answers share names."""
    titled: list[tuple[str, list[Block]]] = []
    for section in report.sections:
        blocks = list(section.shown(Face.HTML))
        titled.append((section.title, [block for block in blocks if not isinstance(block, Notes)]))
        titled += [(block.name, [block] * bool(block.lines)) for block in blocks if isinstance(block, Notes)]
    found = []
    seen: Counter[str] = Counter()
    for title, placed in titled:
        if placed:
            anchor = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            seen[anchor] += 1
            apart = f"{anchor}-{seen[anchor]}" if seen[anchor] > 1 else anchor
            found.append({"title": title, "anchor": apart, "blocks": list(map(_named, placed))})
    return found


def _named(block: Block) -> tuple[str, Any]:
    """A block as the template prints it, with the name of its kind."""
    if isinstance(block, Scenarios):
        names = [entry.name for entry in block.entries]
        return "scenarios", {"title": block.title, "names": names, "data": _differing(block)}
    if isinstance(block, Table):
        return "table", {"title": block.title, "legend": block.legend, "grid": block.grid(Face.HTML)}
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
