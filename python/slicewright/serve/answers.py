"""Answers of the server: JSON that holds any text, and what the system refused, in words."""

from __future__ import annotations

import errno
import json
import re
from typing import Any

from starlette import responses

from slicewright.values import codec
from slicewright.values.errors import Problem, problem

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of the system for a file that can grow no more."""


class JSONResponse(responses.JSONResponse):
    r"""JSON in ASCII: a file's name that is no text has surrogates, which UTF-8 cannot hold.

    >>> JSONResponse({"name": "caf\udce9"}).body
    b'{"name":"caf\\udce9"}'
    """

    def render(self, content: Any) -> bytes:
        """The bytes of the answer."""
        return json.dumps(codec.plain(content), allow_nan=False, separators=(",", ":")).encode("ascii")


def well_formed(value: Any) -> Any:
    r"""JSON from elsewhere, with each half of a surrogate pair replaced: no text of a scenario has one.

    >>> well_formed({"a": ["x\ud800y", "\U0001f600"]})
    {'a': ['x\ufffdy', '\U0001f600']}
    """
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [well_formed(each) for each in value]
    if isinstance(value, dict):
        return {well_formed(name): well_formed(each) for name, each in value.items()}
    return value


def of_system(error: OSError) -> Problem:
    """The problem of what the system refused.

    >>> of_system(OSError(errno.ENOSPC, "No space left on device"))["what"]
    'the disk is full'
    """
    short = error.errno is None and re.search(r"\d requested and \d+ written", str(error))  # as numpy puts it
    if error.errno in FULL or short:
        remedy = "free some space where temporary files are, or name another place in TMPDIR, and start the server anew"
        return problem("the disk is full", why=error.strerror or "", remedy=remedy)
    return problem("the system refused", why=error.strerror or str(error))
