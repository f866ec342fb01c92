"""Names for the files that are written beside an answer."""

from __future__ import annotations

import re


def slug(name: str) -> str:
    """A name for files: what is no letter or digit becomes one dash.

    >>> slug("Vertical reshuffle, CPUPAD 300 %")
    'vertical-reshuffle-cpupad-300'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()
