"""The ways through installation exits that are compared: what each is called and what it does."""

from __future__ import annotations

import re
from dataclasses import dataclass

NONE, FRONT_END, BATCH, SINGLE = "none", "svc-front-end", "batch", "prebatch-single-area"
POOLED = "prebatch-pooled-1.4"

SHORT = {NONE: "none", FRONT_END: "front end", BATCH: "batch", POOLED: "pooled", SINGLE: "single area"}
"""Names of the structures in tables and pictures."""

COMPLETE = (BATCH, POOLED, SINGLE)
"""Those that see every request, whatever its linkage: one of them is recommended."""

STEPS = ("base_us", "front_end_us", "fast_us", "slow_us", "storage_us", "message_us")
"""The parts of the processor time of a pair."""

LEFT = "default"
"""The role of prices that a scenario leaves as they are: worked out of a document, on machines of its time."""

_ALIASES = {
    "none": NONE, "noexits": NONE, "frontend": FRONT_END, "svcfrontend": FRONT_END, "batch": BATCH, "unfiltered": BATCH,
    "pooled": POOLED, "prebatchpooled": POOLED, "prebatchpooled12": POOLED, "prebatchpooled14": POOLED,
    "single": SINGLE, "singlearea": SINGLE, "prebatchsinglearea": SINGLE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Enqueuing:
    """A partition whose guests enqueue: processors, its structure of exits, names, and those for all systems."""

    name: str
    processors: int
    now: str
    names: int
    wide: int
    by_pc: bool
    """Whether its guests ask by PC linkage."""
    relock_s: float
    """The cost of a slow call outside of the lock."""


def parse(text: str) -> str | None:
    """The structure of this name; None where no structure has it.

    >>> parse("Single area"), parse("prebatch-pooled-1.2"), parse("diagonal")
    ('prebatch-single-area', 'prebatch-pooled-1.4', None)
    """
    return _ALIASES.get(re.sub(r"[^a-z0-9]", "", text.lower()))
