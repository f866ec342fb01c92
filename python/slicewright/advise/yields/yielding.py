"""A yielding: how the guests of each kind of virtual machine yield when they spin, as asked for, in words, as keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.printed import slug

ALLOWED = "one scenario with [[spin_lock]] and control_program in a [[partition]]"
"""Which files are asked."""
NEVER, X44, X9C, SENSE = YIELDS = ("never", "x44", "x9c", "sense-running")
"""As scenarios have them, in the order in which tables show them."""
NAMES = {NEVER: "never", X44: "X'44'", X9C: "X'9C'", SENSE: "sense-running"}
"""As people write them; the last is X'9C' only where SIGP Sense Running Status says that its target does not run."""
MOST_PROCESSORS = 256

_READ = (
    (NEVER, r"never|none"),
    (X44, r"(?:diag(?:nose)?\s*)?x?'?44'?"),
    (X9C, r"(?:diag(?:nose)?\s*)?x?'?9c'?"),
    (SENSE, r"sense(?:[- ]running)?|sigp"),
)


@dataclass(frozen=True, slots=True)
class Yielding:
    """What each kind of virtual machine does: pairs of kind and yield, in the order of the scenario.

    >>> Yielding((("CLIENT", "x9c"), ("SERVER", "x44"))).words()
    "CLIENT X'9C', SERVER X'44'"
    """

    pairs: tuple[tuple[str, str], ...]

    def words(self) -> str:
        """In words: one yield, or that of each kind.

        >>> Yielding((("CLIENT", "x9c"), ("SERVER", "x9c"))).words()
        "X'9C'"
        """
        alike = self.alike
        if alike is not None:
            return NAMES[alike]
        return ", ".join(f"{kind} {NAMES[name]}" for kind, name in self.pairs)

    @property
    def alike(self) -> str | None:
        """The yield of all kinds; None where they differ."""
        found = {name for _, name in self.pairs}
        return found.pop() if len(found) == 1 else None

    @property
    def slug(self) -> str:
        """A name for files."""
        alike = self.alike
        text = alike if alike is not None else "-".join(f"{kind}-{name}" for kind, name in self.pairs)
        return slug(text)

    def changes(self) -> list[str]:
        """The `--set` changes that give these yields to a scenario.

        >>> Yielding((("CLIENT", "x9c"),)).changes()
        ['virtual_machine.CLIENT.yields="x9c"']
        """
        return [f'virtual_machine.{kind}.yields="{name}"' for kind, name in self.pairs]

    def distance(self, other: Yielding) -> int:
        """For how many kinds another differs."""
        return sum(pair != its for pair, its in zip(self.pairs, other.pairs, strict=True))


@dataclass(frozen=True, slots=True)
class On:
    """Some yields on a number of logical processors."""

    yielding: Yielding
    processors: int

    def words(self) -> str:
        """The yields in words."""
        return self.yielding.words()


@dataclass(frozen=True, slots=True)
class Asked:
    """What `--at` asks for: a number of processors, or yields by kind ("" is every kind)."""

    processors: int | None = None
    yields: tuple[tuple[str, str], ...] = ()


def everywhere(kinds: Sequence[str], one: str) -> Yielding:
    """The same yield for every kind.

    >>> everywhere(["CLIENT", "SERVER"], "x44").alike
    'x44'
    """
    return Yielding(tuple((kind, one) for kind in kinds))


def parse(text: str) -> Asked | None:
    """What is asked for: "6", "6 processors", "X'9C'", or "CLIENT x9c, SERVER x44"; None where it cannot be read.

    >>> parse("CLIENT X'9C', SERVER = x44")
    Asked(processors=None, yields=(('CLIENT', 'x9c'), ('SERVER', 'x44')))
    >>> parse("diagonal") is None
    True
    """
    count = re.fullmatch(r"\s*(\d{1,3})(?:\s+processors?)?\s*", text)
    if count and str(int(count[1])) != "44":
        return Asked(int(count[1])) if 1 <= int(count[1]) <= MOST_PROCESSORS else None
    if count and "processor" in text:
        return Asked(44)
    found: dict[str, str] = {}
    for part in text.split(","):
        one = _pair(part.strip())
        if one is None or one[0] in found:
            return None
        found[one[0]] = one[1]
    return None if "" in found and len(found) > 1 else Asked(None, tuple(found.items()))


def wanted(now: Yielding, asked: Asked) -> Yielding:
    """A yielding with what is asked for; raises KeyError for a kind that has no spin locks.

    >>> wanted(everywhere(["CLIENT", "SERVER"], "x44"), Asked(None, (("CLIENT", "x9c"),))).words()
    "CLIENT X'9C', SERVER X'44'"
    """
    made = dict(now.pairs)
    for kind, name in asked.yields:
        if kind and kind not in made:
            raise KeyError(kind)
        made |= {kind: name} if kind else dict.fromkeys(made, name)
    return Yielding(tuple(made.items()))


def _pair(text: str) -> tuple[str, str] | None:
    for name, words in _READ:
        match = re.fullmatch(rf"(?i)(?:(?P<kind>\S.*?)(?:\s*=\s*|\s+))??(?:{words})", text)
        if match:
            return match["kind"] or "", name
    return None
