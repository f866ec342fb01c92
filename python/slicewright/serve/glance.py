"""An answer at a glance: what is recommended with its range, what it gains, what would settle it; the rest after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from slicewright._core import InputError
from slicewright.report.figure import Figure
from slicewright.report.html import blocks
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Section
from slicewright.values.errors import problem, refusal
from slicewright.values.numerals import finite

LABELS = {
    "at": "Also show",
    "assume": "Known facts",
    "target": "Condition",
    "axes": "Values to try",
    "knobs": "Values to try",
    "minimise": "Make least",
    "subject_to": "Must hold",
    "of": "Answer to look at",
    "within": "Guesses are right within",
    "vary": "Bands of single guesses",
    "fix": "Guesses that stay",
    "shown": "Intervals to fit",
    "every": "Time between copies",
    "slices": "Slice",
    "share": "Share of the processors",
    "requests": "Rate of requests",
    "processors": "Processors of the node",
    "design": "Which points",
    "points": "Number of points",
    "seed": "Random seed",
    "most": "Most batches",
    "trials": "Most settings to try",
}
"""Options whose name is of the command line, as the page calls them."""
_TEXTS = ("what", "why", "allowed", "nearest", "remedy")
_COMMAND = re.compile(r": advise [a-z]+ [A-Z]+\b")
_OPTION = re.compile(r"(: )?--([a-z][a-z-]*)( [\w.]+=[^\s,;:)]+| [A-Z]+\b)?")


def label(name: str) -> str:
    """An option as the page calls it.

    >>> label("assume"), label("pool"), label("pool_listing")
    ('Known facts', 'Pool', 'Pool listing')
    """
    return LABELS.get(name, name.replace("_", " ").capitalize())


def page_words(text: str) -> str:
    """A sentence with the options of the command line as the page calls them.

    >>> page_words("the utilisation of the channels: --assume channel_busy=40%")
    'the utilisation of the channels (“Known facts”: channel_busy=40%)'
    >>> page_words("check with QUERY PAV, or --pool")
    'check with QUERY PAV, or “Pool”'
    >>> page_words("a scenario with the locks of the guests: advise yields SCENARIO")
    'a scenario with the locks of the guests; drop it here'
    """
    return _OPTION.sub(_worded, _COMMAND.sub("; drop it here", text))


@contextmanager
def in_page_words() -> Iterator[None]:
    """Refusals of what is done inside name options as the page calls them."""
    try:
        yield
    except InputError as error:
        found = [{**each, **{name: page_words(str(each[name])) for name in _TEXTS}} for each in error.problems]
        raise refusal(*(problem(**each) for each in found)) from error


def _worded(found: re.Match[str]) -> str:
    colon, name, value = found.groups()
    words = f"“{label(name.replace('-', '_'))}”" + (f": {value.strip()}" if value else "")
    return f" ({words})" if colon else words


def glance(report: Report, document: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an answer in the order in which people look at them.

    `value` is what is recommended and `name` what that is; both are empty where nothing is.  `rest` is the report
    without its answer and its first figure.
    """
    from slicewright.report.drawing import html

    shown = [block for section in report.sections for block in section.shown(Face.HTML)]
    said = list(_first(shown))
    figure = next((block for block in shown if isinstance(block, Figure)), None)
    lead = next((block for block in said if isinstance(block, Lead)), None)
    texts = [page_words(block.text) for block in said if isinstance(block, Paragraph)]
    facts = dict(report.facts)
    chosen = document.get("recommendation") if lead is not None else None
    name, value = report.facts[0] if chosen else ("", "")
    needed = [
        line for block in shown if isinstance(block, Notes) and block.name == "Settles it" for line in block.lines
    ]
    taken = {*map(id, said), id(figure)}
    rest = [
        replace(each, blocks=[block for block in each.blocks if id(block) not in taken]) for each in report.sections
    ]
    return {
        "title": report.title, "of": report.subtitle, "name": name, "value": value, "range": _range(chosen, facts),
        "lead": page_words(lead.text) if lead else "".join(texts[:1]), "aside": page_words(lead.aside) if lead else "",
        "gains": texts if lead else texts[1:], "settles": page_words("".join(needed[:1])),
        "figure": html(figure) if figure is not None else "", "rest": _rendered(rest),
    }  # fmt: skip


def _rendered(sections: Sequence[Section]) -> str:
    """Sections as a part of the page, whose notes have the words of the page."""

    def worded(block: Block) -> Block:
        return replace(block, lines=[*map(page_words, block.lines)]) if isinstance(block, Notes) else block

    return blocks(Report("", sections=[replace(each, blocks=[*map(worded, each.blocks)]) for each in sections]))


def _first(shown: Sequence[Block]) -> Iterator[Lead | Paragraph]:
    """The sentences before the first table or figure."""
    for block in shown:
        if not isinstance(block, Lead | Paragraph):
            return
        yield block


def _range(chosen: Any, facts: Mapping[str, str]) -> dict[str, Any] | None:
    """The ends of a recommendation over all readings, and the recommendation itself, as numbers; None without."""
    if not isinstance(chosen, dict):
        return None
    value = next((each for each in chosen.values() if isinstance(each, int | float)), None)
    numbers = [None if each is None else finite(each) for each in (chosen.get("low"), value, chosen.get("high"))]
    if None in numbers:
        return None
    words = next((text for name, text in facts.items() if "all readings" in name or name == "range"), "")
    low, number, high = numbers
    return {"low": low, "value": number, "high": high, "words": words}
