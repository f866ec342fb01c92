"""The text of a scenario with changes written into it, so that comments and order stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from slicewright.scenario.files import read_with_files
from slicewright.scenario.settings import parts


def rewritten(text: str, changes: Sequence[str], folder: str | Path = ".") -> str:
    """The text that means the scenario with these changes of `--set`; raises InputError where that is none.

    A change that has no place in the text gives the resolved scenario instead, every default written out.

    >>> from slicewright._core import starter
    >>> new = rewritten(starter("pool"), ["alias_pool.LSS-52.aliases=16", 'volume.*.service.pend="0.4 ms"'])
    >>> "aliases = 16" in new.splitlines(), new.count('pend = "0.4 ms"'), new.startswith("# A HyperPAV pool")
    (True, 8, True)
    """
    wanted = read_with_files(text.encode(), "scenario.toml", changes, folder)
    if not changes:
        return text
    import tomlkit

    try:
        document = tomlkit.parse(text)
        for change in changes:
            key, _, value = change.partition("=")
            for put in _places(document, parts(key.strip())):
                put(tomlkit.value(value.strip()))
        written = tomlkit.dumps(document)
        if read_with_files(written.encode(), "scenario.toml", (), folder).view == wanted.view:
            return written
    except (ValueError, LookupError, TypeError, AttributeError):
        pass  # the form of the text has no place for the key
    return wanted.resolved


def _places(node: Any, path: Sequence[str]) -> Iterator[Callable[[Any], None]]:
    """Functions that put a value at each place of a path; raises TypeError where the text has another form there."""
    first, *rest = path
    if isinstance(node, list):
        for index, inner in enumerate(node):
            named = inner.get("name") if isinstance(inner, dict) else None
            if first in ("*", str(index + 1) if named is None else named):
                yield from _places(inner, rest)
    elif not isinstance(node, dict):
        raise TypeError
    elif not rest or ".".join(path) in node:
        yield lambda value: node.__setitem__(".".join(path), value)
    else:
        yield from _places(node.setdefault(first, {}), rest)
