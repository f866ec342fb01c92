"""The manifest of a run directory: facts of the run, size and SHA-256 of every other file, and a SHA-256 of its own."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Facts = dict[str, Any]
Written = Mapping[str, Mapping[str, Any]]
"""Of each file that was written, by its name in the directory: `bytes` and `sha256`."""

FORMAT = 7
MANIFEST = "manifest.json"
MEASURED = "measured"
"""The `kind` of a directory with measured intervals; a simulated run has none."""
OWN = "sha256"
"""The field with the SHA-256 of the manifest as it would be without this field."""

MOST_BYTES = 1 << 32
"""Far above any file of a run directory."""


def text_of(facts: Mapping[str, Any]) -> str:
    """The text of a manifest: the facts, then the SHA-256 of the text without it.

    >>> facts_of(text_of({"format": FORMAT}).encode())
    {'format': 7}
    """
    own = hashlib.sha256(json_text(facts).encode()).hexdigest()
    return json_text({**facts, OWN: own})


def facts_of(data: bytes) -> Facts:
    """The facts of a manifest of this format, or of any other: `check_facts` looks at them.

    Raises ValueError for a text of this format in which any bit is not what was written.

    >>> facts_of(text_of({"format": FORMAT}).replace(" 7", " 7 ").encode())
    Traceback (most recent call last):
    ValueError: manifest.json: is not what was written: its own SHA-256 is not that of its text
    """
    facts = json.loads(data.decode("utf-8"))
    if not isinstance(facts, dict):
        raise ValueError(f"{MANIFEST}: is not an object")
    if facts.get("format") != FORMAT or isinstance(facts["format"], bool):
        return facts
    return checked(facts, data)


def checked(facts: Facts, data: bytes) -> Facts:
    """The facts without their sum, if `data` is their text with its sum (`text_of`); raises ValueError.

    >>> checked({"a": 1}, text_of({"a": 1}).encode())
    {'a': 1}
    """
    facts.pop(OWN, None)
    if text_of(facts).encode() != data:
        raise ValueError(f"{MANIFEST}: is not what was written: its own SHA-256 is not that of its text")
    return facts


def check_facts(facts: Mapping[str, Any]) -> None:
    """Raise ValueError unless every fact is there, none beside them, each of its type and within its range.

    >>> check_facts({"format": FORMAT, "seed": -1})
    Traceback (most recent call last):
    ValueError: manifest.json: no slicewright
    """
    expected = _OF_MEASURED if facts.get("kind") == MEASURED else _FACTS
    for name, (holds, what) in expected.items():
        if name not in facts:
            raise ValueError(f"{MANIFEST}: no {name}")
        if not holds(facts[name]):
            raise ValueError(f"{MANIFEST}: {name} is not {what}")
    unknown = sorted(facts.keys() - expected.keys())
    if unknown:
        raise ValueError(f"{MANIFEST}: unknown field {unknown[0][:40]!r}")
    beside = [row["copy"] for row in facts.get("recordings", ()) if row["copy"] not in facts["files"]]
    if beside:
        raise ValueError(f"{MANIFEST}: the recording {beside[0]!r} is not among its files")


def written_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Size and SHA-256 of every file in a folder, by its name there.

    >>> written_in(Path("no/such/run"))
    {}
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _sum(path.read_bytes()) for path in files}


def read_checked(folder: Path, name: str, written: Written) -> bytes:
    """A file of a run directory, if it is what was written.

    Raises FileNotFoundError for one that is missing, ValueError for any other that is not what was written.

    >>> read_checked(Path("no/such/run"), "numbers.json", {})
    Traceback (most recent call last):
    ValueError: numbers.json: is not among the files of manifest.json
    """
    if name not in written:
        raise ValueError(f"{name}: is not among the files of {MANIFEST}")
    data = _read(folder / name, name, written[name]["bytes"])
    if hashlib.sha256(data).hexdigest() != written[name]["sha256"]:
        raise ValueError(f"{name}: is not what was written: its SHA-256 is not that in {MANIFEST}")
    return data


def read_manifest(folder: Path) -> Facts:
    """The facts of the manifest in a folder; raises OSError, ValueError.

    >>> read_manifest(Path("no/such/run"))
    Traceback (most recent call last):
    FileNotFoundError: ...
    """
    return facts_of(_read(folder / MANIFEST, MANIFEST, None))


def json_text(value: object) -> str:
    """A value as the JSON files of a run directory have it.

    >>> json_text([1])
    '[\\n 1\\n]\\n'
    """
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _sum(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _read(path: Path, name: str, size: int | None) -> bytes:
    """A regular file, of this size where that is known; a pipe would be waited for, a device never end."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise ValueError(f"{name}: is not a regular file")
        if size is not None and state.st_size != size:
            raise ValueError(f"{name}: is not what was written: {state.st_size:,} bytes, {size:,} were written")
        if state.st_size > MOST_BYTES:
            raise ValueError(f"{name}: is larger than {MOST_BYTES >> 30} GiB")
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read()
    finally:
        os.close(handle)


def _whole(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_span(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _is_sum(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_file(name: object, row: object) -> bool:
    """A name in the directory or one folder of it, and what was written there."""
    named = isinstance(name, str) and re.fullmatch(r"((raw|pooled|replay)/)?[A-Za-z0-9_-]+\.[a-z]+", name) is not None
    if not named or not isinstance(row, dict) or row.keys() != {"bytes", "sha256"}:
        return False
    return _whole(0, MOST_BYTES)(row["bytes"]) and _is_sum(row["sha256"])


def _are_files(value: object) -> bool:
    return isinstance(value, dict) and all(_is_file(name, row) for name, row in value.items())


def _is_recording(row: object) -> bool:
    if not isinstance(row, dict) or row.keys() != {"guest", "file", "copy", "sha256", "bytes", "records"}:
        return False
    texts = all(isinstance(row[name], str) for name in ("guest", "file", "copy"))
    return texts and _is_sum(row["sha256"]) and all(_whole(0, MOST_BYTES)(row[name]) for name in ("bytes", "records"))


def _are_recordings(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_recording, value))


def _is_source(row: object) -> bool:
    if not isinstance(row, dict) or row.keys() != {"file", "bytes", "sha256"}:
        return False
    return isinstance(row["file"], str) and _whole(0, 2**63)(row["bytes"]) and _is_sum(row["sha256"])


def _are_sources(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_source, value))


def _are_instants(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_whole(-(2**62), 2**62), value))


_FACTS: dict[str, tuple[Callable[[object], bool], str]] = {
    "format": (_whole(FORMAT, FORMAT), f"{FORMAT}"),
    "slicewright": (_is_text, "a text"),
    "name": (_is_text, "a text"),
    "checksum": (_is_sum, "a SHA-256 in hexadecimal"),
    "seed": (_whole(0, 2**64 - 1), "a whole number of 64 bits"),
    "replications": (_whole(1, 10_000), "a whole number, 1 to 10,000"),
    "warm_up_s": (_is_span, "a number of seconds"),
    "notes": (_are_texts, "a list of texts"),
    "recordings": (_are_recordings, "a list of recordings"),
    "files": (_are_files, "bytes and SHA-256 of each file"),
}
"""The test that each fact has to pass, and its form in words."""

_OF_MEASURED: dict[str, tuple[Callable[[object], bool], str]] = {
    "format": _FACTS["format"],
    "kind": (_is_text, MEASURED),
    "slicewright": _FACTS["slicewright"],
    "name": _FACTS["name"],
    "starts_us": (_are_instants, "a list of instants"),
    "ends_us": (_are_instants, "a list of instants"),
    "clock": (_is_text, "a text"),
    "sources": (_are_sources, "a list of files"),
    "notes": _FACTS["notes"],
    "files": _FACTS["files"],
}
"""The same of a directory with measured intervals."""
