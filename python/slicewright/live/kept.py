"""The experiments, and a result of one in a directory: all of it as JSON, and one page; read back and shown again."""

from __future__ import annotations

import functools
import json
import os
import re
from pathlib import Path
from typing import Any

from slicewright.live.experiment import Experiment, Result
from slicewright.values import codec
from slicewright.values.errors import problem, refusal
from slicewright.values.files import Earlier, read_bytes, whole_directory
from slicewright.values.files import shown as named

RESULT, REPORT = "live.json", "report.html"
EARLIER = Earlier(RESULT, frozenset({RESULT, REPORT}).__contains__)
"""An earlier result, which a new one of the same name replaces."""

_FORMAT = 1
_HEAD = 200
"""Bytes in which a result says its kind."""
_HOOKS = re.compile(rb'\s*\{\s*(?:"format"\s*:\s*[0-9]+\s*,\s*)?"kind"\s*:\s*"live hooks"')


@functools.cache
def experiments() -> dict[str, Experiment[Any, Any]]:
    """Every experiment by the kind of its results, in the order of their commands."""
    from slicewright.live.hooks import Hooks
    from slicewright.live.locks import Locks
    from slicewright.live.reads import Reads
    from slicewright.live.slices import Slices
    from slicewright.live.throttling import Throttling

    every: tuple[Experiment[Any, Any], ...] = (Reads(), Slices(), Throttling(), Locks(), Hooks())
    return {each.result.KIND: each for each in every}


def save(result: Result, directory: str | os.PathLike[str]) -> None:
    """Write a result; an earlier one of the same name is replaced when the new one is complete.

    Raises InputError when the name belongs to anything else, OSError as the system gives it.
    """
    from slicewright.report import html

    page = html.render(_report(result))
    kept = json.dumps({"format": _FORMAT, **plain(result)}, indent=1)
    with whole_directory(directory, EARLIER) as folder:
        (folder / RESULT).write_text(kept + "\n", encoding="utf-8")
        (folder / REPORT).write_text(page, encoding="utf-8")


def load(directory: str | os.PathLike[str]) -> Any:
    """Read a result back, from its directory or from the JSON alone (`-` is standard input).

    Raises InputError when it is none, was written by a version that cannot be read, or is damaged: with every place.
    """
    folder = Path(directory)
    path = folder / RESULT if folder.is_dir() else folder
    return parsed(read_bytes(path if folder.is_dir() else directory), named(path))


def plain(result: Result) -> dict[str, Any]:
    """A result as JSON has it."""
    return {"kind": result.KIND, **codec.plain(result)}


def parsed(data: bytes, file: str) -> Any:
    """A result from its JSON; raises InputError as `load` does, with places in `file`."""
    allowed = "a directory that slicewright live --out has written, or its live.json"
    value = codec.parsed(data, file, "is no live result: not JSON", allowed)
    kind = value.pop("kind", None) if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in experiments():
        raise refusal(problem("is no live result", file=file, allowed=allowed))
    written = value.pop("format", _FORMAT)  # what `--format json` prints has none
    if written != _FORMAT:
        raise refusal(problem(f"is of format {written!r}"[:40], file=file, allowed=f"format {_FORMAT}"))
    return codec.convert(experiments()[kind].result, value, file)


def shown(result: Result) -> str:
    """A result as text."""
    from slicewright.report import text

    return text.render(_report(result))


def _report(result: Result) -> Any:
    from slicewright.live.tables import report

    return report(result, experiments()[result.KIND].words(result))


def is_kept_hooks(data: bytes) -> bool:
    """Whether a file is a kept result of `live hooks`.

    >>> is_kept_hooks(b'{ "format": 1, "kind": "live hooks",'), is_kept_hooks(b'{"kind": "live yields"}')
    (True, False)
    """
    return _HOOKS.match(data) is not None


def hooks_in(folder: str | os.PathLike[str]) -> Path | None:
    """The result in a directory of `live hooks --out`; None for any other."""
    file = Path(folder) / "live.json"
    try:
        with file.open("rb") as stream:
            return file if is_kept_hooks(stream.read(_HEAD)) else None
    except (OSError, ValueError):  # none there, or a name that no file can have
        return None
