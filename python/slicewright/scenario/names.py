"""Names as the scenario language allows them."""

from __future__ import annotations

import re

IN_NAMES = "A-Za-z0-9._$#@-"
"""The characters of a name, as a class of a regular expression; volume serials have $, # and @ too."""

LONGEST_NAME, LONGEST_TYPE = 32, 8
"""The most characters of a table's name and of a device type."""


def is_name(text: str, most: int = LONGEST_NAME) -> bool:
    """Whether a scenario can have this name.

    >>> is_name("A$B#1"), is_name("A*B"), is_name("")
    (True, False, False)
    """
    return re.fullmatch(f"[{IN_NAMES}]{{1,{most}}}", text) is not None
