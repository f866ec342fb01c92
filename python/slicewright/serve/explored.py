"""Tasks of other commands than `advise`: sweep, choose, sensitivity, fit and compare, with forms of their options."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from slicewright.report.model import Report
from slicewright.serve.counters import bounded, worded
from slicewright.serve.glance import glance, in_page_words, label, page_words
from slicewright.serve.look import first_look
from slicewright.serve.tasks import Reporter, Task
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.settings import COMMANDS, Option, parameters

_ASKS = {
    "sweep": "How do the results change over many values?",
    "choose": "Which setting costs least and keeps its bounds?",
    "sensitivity": "Which guess of the scenario matters most?",
}
"""Commands about many settings of a scenario, each as the question that the page asks."""
_OF_COMMANDS = ("", "scenario", "set", "out", "on", "fresh", "progress", "question", "day", "system")
"""Parameters that the page gives itself, or that lead to another place."""

_REPEATED = re.compile(r"; (may be repeated|repeatable)\.|, as in `run`\.")
"""Ends of a help text that are true on the command line alone: a field says how to type several values."""


def field(option: Option, name: str = "") -> dict[str, Any]:
    """An option as a field of a form: its words, bounds and default are those of its declaration."""
    default = option.default if isinstance(option.default, str | int | float) else ""
    bounds = f" Allowed: {option.takes.words}." if option.takes.words and option.takes.typed in (int, float) else ""
    words = get_args(option.takes.typed) if get_origin(option.takes.typed) is Literal else ()
    return {
        "name": option.key, "label": label(name or option.key), "metavar": option.metavar or "",
        "help": f"{_REPEATED.sub('.', page_words(option.help))}{bounds}",
        "choices": list(words), "several": option.several or option.takes.typed == list[str],
        "default": str(default), "required": option.required,
    }  # fmt: skip


def _offered(command: str) -> list[Option]:
    return [
        option
        for option in COMMANDS[command]
        if option.typed and option.parameter not in _OF_COMMANDS and option.key not in ("quiet", "format", "strict")
    ]


def form(command: str, asks: str) -> dict[str, Any]:
    """A command as a question with its fields."""
    fields = [field(each, each.parameter) for each in _offered(command)]
    return {"name": command, "asks": asks, "shared": [], "options": fields}


def _forms(reporter: Reporter, **about: Any) -> list[dict[str, Any]]:
    """The questions about many settings, each with its fields."""
    return [form(name, asks) for name, asks in _ASKS.items()]


def _counters(
    reporter: Reporter, text: str, folder: str = ".", changes: Sequence[str] = (), **about: Any
) -> list[dict[str, Any]]:
    """The counters for a cost and for bounds; raises InputError, and RunError when the scenario cannot be simulated."""
    scenario, run = first_look(text, folder, changes)
    return bounded(run, scenario.view)


def _given(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as parameters of the function; raises InputError for those that the page does not have."""
    known = {option.key: option for option in _offered(command)}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise refusal(*(problem("no option of the page", key=name, nearest=nearest(name, known)) for name in unknown))
    return parameters(command, {name: _typed(known[name], value) for name, value in options.items()})


def _typed(option: Option, value: Any) -> Any:
    """A text as the option takes it; the check of the option refuses one that stays a text."""
    if option.takes.typed not in (int, float) or not isinstance(value, str):
        return value
    try:
        return option.takes.typed(value)
    except ValueError:
        return value


def _functions() -> Mapping[str, Callable[..., Any]]:
    from slicewright.explore.choose import choose
    from slicewright.explore.sensitivity import sensitivity
    from slicewright.explore.sweep import sweep

    return {"sweep": sweep, "choose": choose, "sensitivity": sensitivity}


def _explore(reporter: Reporter, command: str, text: str, folder: str = ".", **asked: Any) -> dict[str, Any]:
    """The result of an exploration, in the form of an answer; raises InputError, RunError and OSError.

    `asked` has `changes` of the text, as `--set` takes them, and `options` as they are typed.
    """
    from slicewright.report.json import document

    if command not in _ASKS:
        raise refusal(problem("no such question", key="command", allowed=", ".join(_ASKS)))
    own = _given(command, asked.get("options", {}))
    with tempfile.TemporaryDirectory() as store:
        os.chdir(folder)
        with in_page_words():
            found = _functions()[command](
                text.encode(),
                **own,
                set=list(asked.get("changes", ())),
                out=f"{store}/{command}",
                progress=reporter.progress,
            )
        report: Report = found.report()
        written = found.document() if hasattr(found, "document") else document(report)
    glanced = glance(report, {})
    glanced |= worded({name: glanced[name] for name in ("of", "lead", "aside", "gains", "settles")})
    return _answer(command, report, glanced, written)


def _answer(question: str, report: Report, glanced: dict[str, Any], document: Any, *, text: str = "") -> dict[str, Any]:
    """A report in the form of an answer, with the scenario that it found."""
    from slicewright.report.html import render

    scenarios = [{"name": "scenario.toml", "text": text}] if text else []
    return {
        "question": question, "title": report.title, "answers": [glanced], "page": render(report),
        "documents": [document], "scenarios": scenarios,
    }  # fmt: skip


_LOADS = ("The load does not predict every interval that it was not fitted to: take its numbers with care.",
          "The load predicts the intervals that it was not fitted to.")  # fmt: skip


def _fit(
    reporter: Reporter, folder: str, names: Sequence[str], options: Mapping[str, Any], **about: Any
) -> dict[str, Any]:
    """The load of measured intervals; raises InputError and RunError."""
    from slicewright.fitting.evidence import sizes_of
    from slicewright.fitting.fit import fit
    from slicewright.report.json import document

    os.chdir(folder)
    own = _given("fit", options)
    own |= {"aliases": sizes_of(own["aliases"])} if "aliases" in own else {}
    with in_page_words():
        found = fit(_tabulated(names), **own, progress=reporter.progress)
    report = found.report()
    glanced = glance(report, {}) | {"lead": _LOADS[found.predicts], "gains": [report.subtitle], "of": ""}
    return _answer("fit", report, glanced, document(report), text=found.text)


def _compare(
    reporter: Reporter, folder: str, names: Sequence[str], other: Mapping[str, Any] | None = None, **about: Any
) -> dict[str, Any]:
    """What changed from a run or a day to another one: of another drop to these, or of two; raises InputError."""
    from slicewright.report.json import document
    from slicewright.results.compare import compare

    first = other or {"folder": folder, "names": names[:1]}
    os.chdir(first["folder"])
    before = _tabulated(first["names"])
    os.chdir(folder)
    report = compare(before, _tabulated(names if other else names[1:])).report()
    glanced = glance(report, {}) | {"lead": f"{report.subtitle}.", "of": ""}
    return _answer("compare", report, glanced, document(report))


def _tabulated(names: Sequence[str]) -> Any:
    """The tables of a run directory, or of files of one system."""
    from slicewright.measured.loading import load
    from slicewright.measured.read import read

    return load(names[0]) if Path(names[0]).is_dir() else read(names).of()


TASKS: dict[str, Task] = {
    "forms": Task(_forms),
    "counters": Task(_counters, reads="text"),
    "explore": Task(_explore, "long", "text"),
    "fit": Task(_fit, "long", "drop"),
    "compare": Task(_compare, reads="drop"),
}
