"""The scenario of a run: the one text that `reproduce`, `calibrate` and the shipped files share.

Every choice made here was declared before any run: docs/decisions/0020-grs-exits-study.md.
"""

from __future__ import annotations

from slicewright.io.numerals import in_scenario
from slicewright.study.grs_exits.cases import STRUCTURES, Case
from slicewright.study.grs_exits.constants import Prices

MESSAGE_US = 100.0
ANSWER_MS = 5.0
"""ASSUME: what a message of the manager costs, of which a global pair has two (asking, releasing), and how long the
answer to the first takes; in no published row is there one."""

WORDS = dict(zip(STRUCTURES, ("svc-front-end", "batch", "prebatch-pooled-1.4", "prebatch-single-area"), strict=True))
"""What a scenario calls each structure; row 3's is prebatch-pooled-1.2, which is the same."""

FROM = "published/grs-exits/calibrated.toml"


def scenario(case: Case, prices: Prices, row: str = "") -> str:
    """The run as a complete scenario file (TOML); `row` names the published row that it is, if it is one.

    >>> from slicewright.study.grs_exits.cases import BATCH
    >>> text = scenario(Case(BATCH, share=20), Prices(19.0, 1.0, 13.0, 335.0))
    >>> [line for line in text.splitlines() if line.startswith(("exits", "state"))]
    ['exits = "batch"', 'state = "111.4 us"']
    """
    word = "prebatch-pooled-1.2" if row == "3" else WORDS[case.structure]
    parts = [_head(case, row), _machine(case), _serialization(case, word), _cost(case, prices)]
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


def _head(case: Case, row: str) -> str:
    what = STRUCTURES[case.structure]
    title = f"Row {row}: {what}" if row else f"{case.name}: {what}"
    return f"""\
# {title}.
# It leaves out what the document does not name: the machine, other work on it, and what the manager does besides.

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
