"""A live result in a directory: all of it as JSON, and one page; written whole, read back and shown again."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from slicewright.errors import problem, refusal
from slicewright.io.files import Earlier, read_bytes, whole_directory
from slicewright.io.files import shown as named
from slicewright.live import result as of_slices
from slicewright.live import throttling as of_throttling
from slicewright.live.hooks import result as of_hooks
from slicewright.live.hooks.report import hooks_report
from slicewright.live.hooks.result import HooksResult
from slicewright.live.locks import result as of_locks
from slicewright.live.locks.report import locks_report
from slicewright.live.locks.result import LocksResult
from slicewright.live.reads import result as of_reads
from slicewright.live.reads.report import reads_report
from slicewright.live.reads.result import ReadsResult
from slicewright.live.report import live_report
from slicewright.live.result import SlicesResult
from slicewright.live.shape import misshapen
from slicewright.live.throttling import ThrottlingResult
from slicewright.report import html, text
from slicewright.report.model import Report

RESULT, REPORT = "live.json", "report.html"
EARLIER = Earlier(RESULT, frozenset({RESULT, REPORT}).__contains__)
"""An earlier result, which a new one of the same name replaces."""

FORMAT = 1

EARLIER_KEYS: dict[str, dict[str, Any]] = {of_throttling.KIND: {"overhead_ms": 0.0, "late_ms": 0.0}}
"""Keys that results of earlier versions do not have, with the values that they stand for."""

Result = SlicesResult | ThrottlingResult | LocksResult | ReadsResult | HooksResult
KINDS: dict[str, tuple[type[Result], Any]] = {
    of_slices.KIND: (SlicesResult, of_slices.KeptResult),
    of_throttling.KIND: (ThrottlingResult, of_throttling.KeptResult),
    of_locks.KIND: (LocksResult, of_locks.KeptResult),
    of_hooks.KIND: (HooksResult, of_hooks.KeptResult),
    of_reads.KIND: (ReadsResult, of_reads.KeptResult),
}


def save(result: Result, directory: str | os.PathLike[str]) -> None:
    """Write a result; an earlier one of the same name is replaced when the new one is complete.

    Raises InputError when the name belongs to anything else, OSError as the system gives it.

    >>> import tempfile
    >>> from slicewright.live.example import slices_result
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(slices_result(), f"{folder}/live")
    ...     load(f"{folder}/live") == slices_result()
    True
    """
    page = html.render(_report(result))
    kept = json.dumps(_plain({"format": FORMAT, **result.as_json()}), indent=1)
    with whole_directory(directory, EARLIER) as folder:
        (folder / RESULT).write_text(kept + "\n", encoding="utf-8")
        (folder / REPORT).write_text(page, encoding="utf-8")


def load(directory: str | os.PathLike[str]) -> Result:
    """Read a result back, from its directory or from the JSON alone (`-` is standard input).

    Raises InputError when it is none, was written by a version that cannot be read, or is damaged: with every place.

    >>> load("no/such/result")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/result: there is no such file
    """
    folder = Path(directory)
    path = folder / RESULT if folder.is_dir() else folder
    return parsed(read_bytes(path if folder.is_dir() else directory), named(path))


def parsed(data: bytes, file: str) -> Result:
    """A result from its JSON; raises InputError as `load` does, with places in `file`."""
    allowed = "a directory that slicewright live --out has written, or its live.json"
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise refusal(problem("is no live result: not JSON", file=file, why=why, allowed=allowed)) from None
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise refusal(problem("is no live result", file=file, allowed=allowed))
    if value.get("format", FORMAT) != FORMAT:
        what = f"is of format {value['format']!r}"[:40]
        raise refusal(problem(what, file=file, allowed=f"format {FORMAT}"))
    of_kind, kept = KINDS[kind]
    value = {"format": FORMAT, **EARLIER_KEYS.get(kind, {}), **value}  # what `--format json` prints has no format
    problems = misshapen(value, kept, file)
    if problems:
        raise refusal(*problems)
    return of_kind.of_json(value)


def shown(result: Result) -> str:
    """A result as text.

    >>> from slicewright.live.example import throttling_result
    >>> shown(throttling_result()).startswith("live throttling")
    True
    """
    return text.render(_report(result))


def _report(result: Result) -> Report:
    if isinstance(result, HooksResult):
        return hooks_report(result)
    if isinstance(result, LocksResult):
        return locks_report(result)
    return reads_report(result) if isinstance(result, ReadsResult) else live_report(result)


def _plain(value: Any) -> Any:
    """The same without numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
