"""The manifest of a run directory: facts of the run, size and SHA-256 of every other file, and a SHA-256 of its own."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Any, Literal

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
    expected = _expected(facts.get("kind") == MEASURED)
    for name, (kind, what) in expected.items():
        if name not in facts:
            raise ValueError(f"{MANIFEST}: no {name}")
        if not _fits(facts[name], kind):
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
    return {path.relative_to(folder).as_posix(): _sum(path) for path in files}


def read_checked(folder: Path, name: str, written: Written) -> bytes:
    """A file of a run directory, if it is what was written.

    Raises FileNotFoundError for one that is missing, ValueError for any other that is not what was written.

    >>> read_checked(Path("no/such/run"), "numbers.json", {})
    Traceback (most recent call last):
    ValueError: numbers.json: is not among the files of manifest.json
    """
    _refuse_unknown(name, written)
    data = _read(folder / name, name, written[name]["bytes"])
    _refuse_other(name, hashlib.sha256(data).hexdigest(), written)
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


def check_file(folder: Path, name: str, written: Written) -> Path:
    """The path of a file of a run directory, if it is what was written; raises as `read_checked`, for any size."""
    _refuse_unknown(name, written)
    with _opened(folder / name, name, written[name]["bytes"]) as stream:
        _refuse_other(name, hashlib.file_digest(stream, "sha256").hexdigest(), written)
    return folder / name


def _sum(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(stream, "sha256").hexdigest()}


def _refuse_unknown(name: str, written: Written) -> None:
    if name not in written:
        raise ValueError(f"{name}: is not among the files of {MANIFEST}")


def _refuse_other(name: str, sha256: str, written: Written) -> None:
    if sha256 != written[name]["sha256"]:
        raise ValueError(f"{name}: is not what was written: its SHA-256 is not that in {MANIFEST}")


def _read(path: Path, name: str, size: int | None) -> bytes:
    with _opened(path, name, size) as stream:
        return stream.read()


@contextlib.contextmanager
def _opened(path: Path, name: str, size: int | None) -> Iterator[BufferedReader]:
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
            yield stream
    finally:
        os.close(handle)


@functools.cache
def _expected(measured: bool) -> dict[str, tuple[Any, str]]:
    """Of a manifest the type of each fact, and what that is in words."""
    from msgspec import Meta, defstruct

    sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    size = Annotated[int, Meta(ge=0, le=MOST_BYTES)]
    # A name in the directory or one folder of it.
    name = Annotated[str, Meta(pattern=r"\A((raw|pooled|replay)/)?[A-Za-z0-9_-]+\.[a-z]+\Z")]
    instant = Annotated[int, Meta(ge=-(2**62), le=2**62)]
    written = {"bytes": size, "sha256": sha256}
    recording = {**written, "guest": str, "file": str, "copy": str, "records": size}
    source = {**written, "bytes": Annotated[int, Meta(ge=0)], "file": str}
    file, replayed, measured_file = (
        defstruct("Part", list(parts.items()), forbid_unknown_fields=True) for parts in (written, recording, source)
    )
    text = (str, "a text")
    begin: dict[str, tuple[Any, str]] = {"format": (Literal[FORMAT], f"{FORMAT}")}
    end: dict[str, tuple[Any, str]] = {
        "notes": (list[str], "a list of texts"),
        "files": (dict[name, file], "bytes and SHA-256 of each file"),  # type: ignore[valid-type]
    }
    if measured:
        instants = (Annotated[list[instant], Meta(min_length=1)], "a list of instants")
        return {
            **begin, "kind": (str, MEASURED), "slicewright": text, "name": text, "starts_us": instants,
            "ends_us": instants, "clock": text,
            "sources": (list[measured_file], "a list of files"), **end,  # type: ignore[valid-type]
        }  # fmt: skip
    return {
        **begin, "slicewright": text, "name": text,
        "checksum": (sha256, "a SHA-256 in hexadecimal"),
        "seed": (Annotated[int, Meta(ge=0)], "a whole number of 64 bits"),
        "replications": (Annotated[int, Meta(ge=1, le=10_000)], "a whole number, 1 to 10,000"),
        "warm_up_s": (Annotated[float, Meta(ge=0, le=sys.float_info.max)], "a number of seconds"),
        "recordings": (list[replayed], "a list of recordings"), **end,  # type: ignore[valid-type]
    }  # fmt: skip


def _fits(value: object, kind: Any) -> bool:
    import msgspec

    try:
        found = msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError):
        return False
    return not isinstance(found, int) or found < 1 << 64
