"""Which question files ask: DEVICE pages of aliases, RMF pages of slices, rates of exits, cpu.stat of limits, a
scenario of what it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from slicewright._core import Scenario
from slicewright.advise.exits.rates import is_rates
from slicewright.advise.limits.cpu_stat import is_cpu_stat
from slicewright.errors import problem, refusal


class Kind(Enum):
    """A page of RMF that tells something of a partition.

    >>> Kind.CPU.value
    'CPU ACTIVITY'
    """

    DEVICES = "DIRECT ACCESS DEVICE ACTIVITY"
    CPU = "CPU ACTIVITY"
    PARTITIONS = "PARTITION DATA REPORT"


_EBCDIC = "cp037"
_HAS = {
    "slices": "partitions that share processors",
    "polarization": "a partition with a control program",
    "yields": "spin locks",
    "exits": "resources that are enqueued on",
    "aliases": "volumes with aliases",
}


def question_of(named: Sequence[tuple[str, bytes]]) -> str:
    """The question that files (name, content) ask: "aliases", "slices", "polarization", "yields", "exits" or "limits".

    Raises InputError where a scenario asks several, and nobody said which is meant.

    >>> from slicewright._core import starter
    >>> [question_of([(kind, starter(kind).encode())]) for kind in ("pool", "two-domains", "zvm")]
    ['aliases', 'slices', 'polarization']
    """
    for name, data in named:
        if not is_scenario(name, data):
            continue
        fits = _fits(data)
        if len(fits) > 1:
            why = f"it has {', and '.join(_HAS[one] for one in fits)}"
            allowed = ", or ".join(f"advise {one} {name}" for one in fits)
            what = f"{('two', 'three', 'four', 'five')[len(fits) - 2]} questions fit"
            raise refusal(problem(what, file=name, key="QUESTION", why=why, allowed=allowed))
        return fits[0] if fits else "aliases"
    if any(is_rates(data) for _, data in named):
        return "exits"
    if any(is_cpu_stat(data) for _, data in named):
        return "limits"
    return "slices" if any(kinds(data) for _, data in named) else "aliases"


def is_scenario(name: str, data: bytes) -> bool:
    """Whether a file is a scenario, by its name or by its tables.

    >>> is_scenario("-", b"[[volume]]"), is_scenario("a.txt", b"FCX108")
    (True, False)
    """
    if name.endswith(".toml"):
        return True
    return b"FCX108" not in data and re.search(rb"^\s*\[\[\s*(volume|guest)\s*\]\]", data, re.MULTILINE) is not None


def kinds(data: bytes) -> list[Kind]:
    """The RMF pages that a file has, by their titles, spaced out or not; EBCDIC is read too.

    >>> kinds(b"  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    [<Kind.DEVICES: 'DIRECT ACCESS DEVICE ACTIVITY'>]
    """
    texts = [data.decode("latin-1").upper()]
    if data.count(b"\x40") > data.count(b" "):
        texts.append(data.decode(_EBCDIC).upper())
    return [one for one in Kind if any(_title(one).search(text) for text in texts)]


def _title(kind: Kind) -> re.Pattern[str]:
    words = (r"[ \t]{0,2}".join(word) for word in kind.value.split())
    return re.compile(r"[ \t]+".join(words))


def _fits(data: bytes) -> list[str]:
    """What a scenario can be asked, as far as it can be understood; what is wrong with it is told by its reader."""
    view = Scenario.outline(data)
    controlled = bool(view.controlled)
    found = ["slices"] if view.cec is not None and len(view.controlled) < max(1, len(view.partitions)) else []
    found += ["polarization"] if controlled else []
    found += ["yields"] if controlled and view.spin_locks else []
    found += ["exits"] if view.enqueues else []
    aliased = view.alias_pools or any(volume.aliases is not None for volume in view.volumes)
    return [*found, "aliases"] if aliased else found
