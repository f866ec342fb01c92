"""The ways through installation exits that are compared: what each is called and what it does."""

from __future__ import annotations

import re

NONE, FRONT_END, BATCH, SINGLE = "none", "svc-front-end", "batch", "prebatch-single-area"
POOLED = "prebatch-pooled-1.4"

STRUCTURES = {
    NONE: "no exits: no name is shared with other systems",
    FRONT_END: "a front end of the SVC: requests by PC linkage bypass it",
    BATCH: "slow exits on every ENQ and DEQ",
    POOLED: "fast exits select the requests for slow exits; storage from a pool",
    SINGLE: "the same with one area for parameters",
}
"""The effect of each structure, in a few words."""

SHORT = {NONE: "none", FRONT_END: "front end", BATCH: "batch", POOLED: "pooled", SINGLE: "single area"}
"""Names of the structures in tables and pictures."""

FILTERED = (POOLED, SINGLE)
"""Those that ask a filter before they call a slow exit."""

COMPLETE = (BATCH, POOLED, SINGLE)
"""Those that see every request, whatever its linkage: one of them is recommended."""

_ALIASES = {
    "none": NONE, "noexits": NONE, "frontend": FRONT_END, "svcfrontend": FRONT_END, "batch": BATCH, "unfiltered": BATCH,
    "pooled": POOLED, "prebatchpooled": POOLED, "prebatchpooled12": POOLED, "prebatchpooled14": POOLED,
    "single": SINGLE, "singlearea": SINGLE, "prebatchsinglearea": SINGLE,
}  # fmt: skip


def parse(text: str) -> str | None:
    """The structure of this name; None where no structure has it.

    >>> parse("Single area"), parse("prebatch-pooled-1.2"), parse("diagonal")
    ('prebatch-single-area', 'prebatch-pooled-1.4', None)
    """
    return _ALIASES.get(re.sub(r"[^a-z0-9]", "", text.lower()))
