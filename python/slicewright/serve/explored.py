"""Tasks that explore a scenario: a sweep, a choice and its guesses, with forms made from the declared options."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from slicewright.report.model import Report
from slicewright.serve.glance import glance, label, page_words
from slicewright.serve.tasks import Reporter, Task
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.settings import COMMANDS, Option, parameters

_ASKS = {
    "sweep": "How do the results change over many values?",
    "choose": "Which setting costs least and keeps its bounds?",
    "sensitivity": "Which guess of the scenario matters most?",
}
"""Commands about many settings of a scenario, each as the question that the page asks."""
_OF_COMMANDS = ("", "scenario", "set", "out", "on", "fresh", "progress", "question")
"""Parameters that the page gives itself, or that lead to another place."""


def field(option: Option, name: str = "") -> dict[str, Any]:
    """An option as a field of a form: its words, bounds and default are those of its declaration."""
    default = option.default if isinstance(option.default, str | int | float) else ""
    bounds = f" Allowed: {option.takes.words}." if option.takes.words and option.takes.typed in (int, float) else ""
    return {
        "name": option.key, "label": label(name or option.key), "metavar": option.metavar or "",
        "help": f"{page_words(option.help)}{bounds}", "several": option.several or option.takes.typed == list[str],
        "default": str(default), "required": option.required,
    }  # fmt: skip


def _offered(command: str) -> list[Option]:
    return [
        option
        for option in COMMANDS[command]
        if option.typed and option.parameter not in _OF_COMMANDS and option.key not in ("quiet", "format")
    ]


def _forms(reporter: Reporter, **about: Any) -> list[dict[str, Any]]:
    """The questions about many settings, each with its fields."""
    return [
        {"name": name, "asks": asks, "shared": [], "options": [field(each, each.parameter) for each in _offered(name)]}
        for name, asks in _ASKS.items()
    ]


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
    from slicewright.report.html import render
    from slicewright.report.json import document

    if command not in _ASKS:
        raise refusal(problem("no such question", key="command", allowed=", ".join(_ASKS)))
    own = _given(command, asked.get("options", {}))
    with tempfile.TemporaryDirectory() as store:
        os.chdir(folder)
        found = _functions()[command](
            text.encode(),
            **own,
            set=list(asked.get("changes", ())),
            out=f"{store}/{command}",
            progress=reporter.progress,
        )
        report: Report = found.report()
        written = found.document() if hasattr(found, "document") else document(report)
    return {
        "question": command, "title": report.title, "answers": [glance(report, {})], "page": render(report),
        "documents": [written], "scenarios": [],
    }  # fmt: skip


TASKS: dict[str, Task] = {
    "forms": Task(_forms),
    "explore": Task(_explore, "long", "text"),
}
