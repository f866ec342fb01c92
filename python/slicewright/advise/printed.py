"""Answers as they are printed: all of them as text or as JSON, and names for the files beside them.

It leaves out what one of them says: its page and its document do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

A = TypeVar("A")


def printed(found: Sequence[A], form: str, document: Callable[[A], dict[str, Any]], page: Callable[[A], str]) -> str:
    """Answers as pages of text, or as JSON: one by itself, several as a list.

    >>> print(printed([2, 3], "text", lambda one: {"aliases": one}, lambda one: f"{one} aliases"))
    2 aliases
    <BLANKLINE>
    3 aliases
    >>> print(printed([2], "json", lambda one: {"aliases": one}, str), end="")
    {
     "aliases": 2
    }
    """
    if form != "json":
        return "\n\n".join(page(one) for one in found)
    made = [document(one) for one in found]
    return json.dumps(made[0] if len(made) == 1 else made, indent=1) + "\n"


def slug(text: str) -> str:
    """A name for files: what is no letter or digit becomes one dash.

    >>> slug("Vertical reshuffle, CPUPAD 300 %")
    'vertical-reshuffle-cpupad-300'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()
