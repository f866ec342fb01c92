"""What is simulated: a structure of exits, how many pairs are global, on how many processors, at which prices.

Every choice made here was declared before any run: docs/decisions/0020-grs-exits-study.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from slicewright.study.calibrate import Constants
from slicewright.study.spec import Spec
from slicewright.values.numerals import in_scenario

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

SHARES = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""Percent of pairs that are global, swept."""

PROCESSORS = (1, 2, 4, 8, 16)
"""Processors swept, with as many guests."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run: a structure, percent of pairs that are global, processors with a guest each, and the published row.

    >>> Case(BATCH, share=20).name, Case(SINGLE, processors=4).name, Case(UNLOCKED).structure
    ('batch-g20', 'prebatch-single-area-n4', 'batch')
    """

    form: str
    share: int = 0
    processors: int = 1
    row: str = ""
    """The row of the document that its scenario is shipped as, if it is one."""

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
    def amount(self) -> str:
        """More is simulated where something is drawn."""
        return "drawn" if self.drawn else "still"

    @property
    def name(self) -> str:
        """What the run is called: its form, `-g` percent of global pairs, `-n` processors; or its row."""
        if self.row:
            return f"row-{self.row}"
        share = f"-g{self.share}" if self.share else ""
        return f"{self.form}{share}{f'-n{self.processors}' if self.processors > 1 else ''}"


FAST_CALLS = 5
"""Fast calls of a local pair: NQXITFAST and PREBATCH on ENQ and DEQ, ENDOFLQCB at the end of the queue."""

SLOW_CALLS = 3
"""Slow calls of a pair without a filter: BATCH on ENQ and DEQ, QUEUED1 on ENQ."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The cost of a pair of ENQ and DEQ, us: base, fast calls, pool for these, and everything else of row 2.

    >>> prices = Prices(19.0, 1.0, 13.0, 335.0)
    >>> round(prices.slow_call, 9), round(prices.status, 9), prices.fast_call, prices.pool_call
    (111.6, 111.4, 0.2, 2.6)
    """

    base: float
    fast: float
    pool: float
    rest: float

    @staticmethod
    def of_fit(found: Constants) -> Prices:
        """The four prices of the study's constants."""
        return Prices(*(found[name] for name in ("base", "fast", "pool", "rest")))

    @property
    def fast_call(self) -> float:
        """Of one fast call, us."""
        return self.fast / FAST_CALLS

    @property
    def pool_call(self) -> float:
        """Of storage from a pool for one fast call, us."""
        return self.pool / FAST_CALLS

    @property
    def slow_call(self) -> float:
        """Of one slow call, us: a third of the free parameter, less the one fast call that row 2 has."""
        return (self.rest - self.fast_call) / SLOW_CALLS

    @property
    def status(self) -> float:
        """Of one slow call beyond what a call costs by itself, us: storage, copy, faults, recovery, locks."""
        return self.slow_call - self.fast_call


@cache
def document() -> Mapping[str, Any]:
    """The published numbers, as they are written.

    >>> document()["setup"]["pairs"]
    999999
    """
    return Spec.read("grs-exits").document


def pairs() -> int:
    """How many pairs of ENQ and DEQ were timed."""
    return int(document()["setup"]["pairs"])


def rows() -> list[dict[str, Any]]:
    """The published rows, each with its levels, its time and what a request goes through.

    >>> [row["structure"] for row in rows()][:2]
    ['svc-front-end', 'batch']
    """
    return list(document()["elapsed"])


MESSAGE_US = 100.0
ANSWER_MS = 5.0
"""ASSUME: the cost of a message of the manager, and how long the answer to the first takes. A global pair has two
messages (asking, releasing); no published row has any."""

WORDS = dict(zip(STRUCTURES, ("svc-front-end", "batch", "prebatch-pooled-1.4", "prebatch-single-area"), strict=True))
"""The name of each structure in a scenario; row 3's is prebatch-pooled-1.2, which is the same."""

FROM = "published/grs-exits/calibrated.toml"


def scenario(case: Case, prices: Prices) -> str:
    """The run as a complete scenario file (TOML).

    >>> text = scenario(Case(BATCH, share=20), Prices(19.0, 1.0, 13.0, 335.0))
    >>> [line for line in text.splitlines() if line.startswith(("exits", "state"))]
    ['exits = "batch"', 'state = "111.4 us"']
    """
    word = "prebatch-pooled-1.2" if case.row == "3" else WORDS[case.structure]
    parts = [_head(case), _machine(case), _serialization(case, word), _cost(case, prices)]
    parts += [_resource(number + 1, case) for number in range(case.processors)]
    parts += [_SHARED] if case.share else []
    parts += [_guest(number + 1, case) for number in range(case.processors)]
    return "\n".join([*parts, _MEASURE])


def costs(prices: Prices, *, unlocked: bool = False) -> dict[str, str]:
    """Prices as `[serialization.cost]` has them; `unlocked`: the free parameter outside of the lock.

    A fast call costs half of its price as its parameter list and half as its entry, and its storage.

    >>> found = costs(Prices(19.0, 1.0, 13.0, 335.0))
    >>> found["enq"], found["list"], found["pooled"]
    ('9.5 us', '0.1 us', '2.6 us')
    """
    half = prices.fast_call / 2
    found = {
        "enq": prices.base / 2, "deq": prices.base / 2, "front_end": 0.0, "list": half, "entry": half,
        "obtained": 0.0, "pooled": prices.pool_call, "single": 0.0,
        "state": 0.0 if unlocked else prices.status, "copy_per_kib": 0.0, "fault": 0.0, "recovery": 0.0,
        "relock": prices.status if unlocked else 0.0, "message": MESSAGE_US,
    }  # fmt: skip
    return {key: f"{in_scenario(value)} us" for key, value in found.items()}


def _head(case: Case) -> str:
    what = STRUCTURES[case.structure]
    title = f"Row {case.row}: {what}" if case.row else f"{case.name}: {what}"
    return f"""\
# {title}.
# Not modelled, because the document does not describe them: the machine, other work on it, other work of the manager.

name = "{title}"

[source]
document = "GRS/MIM Installation Exit Performance"
"""


def _machine(case: Case) -> str:
    return f"""\
[cec]
processors = {case.processors}
slice = "10 ms"

[[partition]]
name = "MVS"
logical_processors = {case.processors}
mode = "UP"
"""


def _serialization(case: Case, word: str) -> str:
    lines = ["[serialization]", f'exits = "{word}"']
    if case.share:
        lines += [f'answer = "{in_scenario(ANSWER_MS)} ms"', 'assume = "about two I/Os to a control file of the time"']
    return "\n".join(lines) + "\n"


def _cost(case: Case, prices: Prices) -> str:
    lines = [f'{key} = "{value}"' for key, value in costs(prices, unlocked=case.unlocked).items()]
    free = "relock" if case.unlocked else "state"
    said = f"{FROM}; {free} is the free parameter, a third of it a slow call; message is assumed"
    return "\n".join(["[serialization.cost]", *lines, f'calibrated = "{said}"']) + "\n"


def _resource(number: int, case: Case) -> str:
    return f"""\
[[enqueue]]
name = "OWN{number}"
qname = "GRSTEST"
rname = "RESOURCE.{number}"
scope = "system"
source = "{"the same resource" if case.processors == 1 else "a resource each"}, not global"
"""


def _guest(number: int, case: Case) -> str:
    own = f'{{ enq = "OWN{number}", do = [{{ think = "0 ms" }}] }}'
    if case.share == 100:
        steps = _SHARED_STEP
    elif case.share:
        local = f"{{ weight = {100 - case.share}, steps = [{own}] }}"
        steps = f"{{ choose = [\n    {local},\n    {{ weight = {case.share}, steps = [{_SHARED_STEP}] }},\n  ] }}"
    else:
        steps = own
    return f"""\
[[guest]]
name = "PAIRS{number}"
partition = "MVS"
count = 1
source = "pairs of ENQ and DEQ one after the other"
program = [
  {steps},
]
"""


_SHARED_STEP = '{ enq = "SHARED", do = [{ think = "0 ms" }] }'
_SHARED = """\
[[enqueue]]
name = "SHARED"
qname = "GRSTEST"
rname = "SHARED"
scope = "systems"
assume = "what the manager shares"
"""

_MEASURE = """\
[measure]
interval = "10 s"
warm_up = "0 s"
replications = 2
source = "how this study measures"
"""
