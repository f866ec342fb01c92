"""Kept results of `live hooks` among files, by their first bytes."""

from __future__ import annotations

import os
import re
from pathlib import Path

HEAD = 200
"""Bytes in which a result says its kind."""
_HOOKS = re.compile(rb'\s*\{\s*(?:"format"\s*:\s*[0-9]+\s*,\s*)?"kind"\s*:\s*"live hooks"')


def is_kept_hooks(data: bytes) -> bool:
    """Whether a file is a kept result of `live hooks`.

    >>> is_kept_hooks(b'{ "format": 1, "kind": "live hooks",'), is_kept_hooks(b'{"kind": "live yields"}')
    (True, False)
    """
    return _HOOKS.match(data) is not None


def hooks_in(folder: str | os.PathLike[str]) -> Path | None:
    """The result in a directory of `live hooks --out`; None for any other.

    >>> hooks_in("no/such/folder")
    """
    file = Path(folder) / "live.json"
    try:
        with file.open("rb") as stream:
            return file if is_kept_hooks(stream.read(HEAD)) else None
    except (OSError, ValueError):  # none there, or a name that no file can have
        return None
