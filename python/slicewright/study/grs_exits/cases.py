"""What is simulated for the study: a structure of exits, how many pairs are global, and on how many processors."""

from __future__ import annotations

from dataclasses import dataclass

FRONT_END, BATCH, POOLED, SINGLE = "svc-front-end", "batch", "prebatch-pooled", "prebatch-single-area"
UNLOCKED = "batch-unlocked"
"""The batch structure with the free parameter outside of the lock: the other extreme, over processors alone."""

STRUCTURES = {
    FRONT_END: "front end of the SVC and DEQ latch: no exit called",
    BATCH: "BATCH on every ENQ and DEQ, QUEUED1 on every ENQ, storage obtained each time",
    POOLED: "fast exits on every ENQ and DEQ, slow ones where PREBATCH wants them, storage from a pool",
    SINGLE: "the same with one area for parameters in place of a pool",
}
"""The ways through exits that a row of the document has, and what each is."""

SHORT = {FRONT_END: "front end", BATCH: "batch", POOLED: "pooled", SINGLE: "single area", UNLOCKED: "batch, unlocked"}
"""What they are called in tables and pictures."""

SHARES = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""Percent of pairs that are global, swept."""

PROCESSORS = (1, 2, 4, 8, 16)
"""Processors swept, with as many guests."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run: a structure, percent of pairs that are global, processors with a guest each.

    >>> Case(BATCH, share=20).name, Case(SINGLE, processors=4).name, Case(UNLOCKED).structure
    ('batch-g20', 'prebatch-single-area-n4', 'batch')
    """

    form: str
    share: int = 0
    processors: int = 1

    @property
    def structure(self) -> str:
        """The exits of it: one of `STRUCTURES`."""
        return BATCH if self.form == UNLOCKED else self.form

    @property
    def unlocked(self) -> bool:
        """Whether the free parameter is outside of the lock."""
        return self.form == UNLOCKED

    @property
    def drawn(self) -> bool:
        """Whether anything is drawn: which pairs are global."""
        return 0 < self.share < 100

    @property
    def name(self) -> str:
        """What the run is called: its form, `-g` percent of global pairs, `-n` processors."""
        share = f"-g{self.share}" if self.share else ""
        return f"{self.form}{share}{f'-n{self.processors}' if self.processors > 1 else ''}"


def over_shares() -> list[Case]:
    """The sweep of global pairs.

    >>> len(over_shares())
    48
    """
    return [Case(form, share=share) for form in STRUCTURES for share in SHARES]


def over_processors() -> list[Case]:
    """The sweep of processors, with the other extreme of the batch structure.

    >>> len(over_processors())
    25
    """
    return [Case(form, processors=count) for form in (*STRUCTURES, UNLOCKED) for count in PROCESSORS]
