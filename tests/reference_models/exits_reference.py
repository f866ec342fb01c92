"""The way of a request through installation exits a second time, as plainly as the rules can be written.

Exits are tables whose names are qnames. Each request passes all its exits anew. Remembered names and failed exits are
kept in sets. Queues, prices, and speed are no concern here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from slicewright.serialization.enq import Resource
from slicewright.serialization.exits import POINTS, Exit, Wanted

FAST, NQXIT, PREBATCH, BATCH, CONDITIONAL, QUEUED1, QUEUED2, END = POINTS
UNLOCKED = (NQXIT, BATCH, CONDITIONAL, QUEUED1, QUEUED2)
MAY = {
    FAST: {"rename", "scope", "volume", "skip_lists"},
    NQXIT: {"rename", "scope", "volume", "skip_lists"},
    PREBATCH: {"want", "stop"},
    BATCH: {"code", "drop_reserve", "abend"},
    CONDITIONAL: {"code", "drop_reserve", "abend"},
    QUEUED1: set(),
    QUEUED2: set(),
    END: {"stop"},
}
"""The changes that an exit at a point may request; other requests are ignored (MVS Installation Exits)."""


@dataclass(frozen=True)
class Made:
    """A resource on its way: as asked for, and as it has become."""

    asked: Resource
    reserved: bool
    now: Resource
    volume: int | None
    skip_lists: bool = False
    code: int | None = None


@dataclass
class Way:
    """The count of calls at each point, and the outcome for the resources and the request."""

    resources: list[Made]
    calls: Counter[str] = field(default_factory=Counter)
    lists: Counter[str] = field(default_factory=Counter)
    spared: int = 0
    searches: int = 0
    abend: int | None = None
    seen: bool = False


@dataclass
class Walk:
    """The exits of a system, its lists as qnames by list, and what is remembered."""

    included: set[str]
    excluded: set[str]
    converted: set[str]
    exits: list[tuple[Exit, set[str]]] = field(default_factory=list)
    failed: set[tuple[str, str]] = field(default_factory=set)
    cache: set[tuple[object, ...]] = field(default_factory=set)
    refused: set[tuple[str, str, str]] = field(default_factory=set)

    def walk(self, wanted: list[Wanted], conditional: bool) -> Way:
        """A request until it is queued."""
        way = Way(
            [Made(request.resource, request.volume is not None, request.resource, request.volume) for request in wanted]
        )
        if all(resource.asked.scope == "STEP" for resource in way.resources):
            return way
        self._each(FAST, way, conditional)
        self._each(NQXIT, way, conditional)
        way.resources = [self._listed(resource, way) for resource in way.resources]
        wants = self._each(PREBATCH, way, conditional)
        self._batch(BATCH, way, conditional)
        if wants:
            self._batch(CONDITIONAL, way, conditional)
        return way

    def queued(self, way: Way, conditional: bool) -> None:
        """The rest of an ENQ's way."""
        if way.seen:
            for point in (QUEUED1, QUEUED2):
                self._ask(point, way, list(range(len(way.resources))), conditional)

    def ended(self, asked: Resource, now: Resource, volume: int | None = None) -> Way:
        """The end of a local resource."""
        way = Way([Made(asked, False, now, volume)])
        if now.scope != "STEP":
            self._each(END, way, False)
        return way

    def _active(self, point: str) -> list[tuple[Exit, set[str]]]:
        return [
            (exit_, of) for exit_, of in self.exits if exit_.point == point and (point, exit_.name) not in self.failed
        ]

    def _each(self, point: str, way: Way, conditional: bool) -> bool:
        wants = False
        for at, resource in enumerate(way.resources):
            if resource.asked.scope == "STEP" or not self._active(point):
                continue
            key = (
                point,
                resource.now.qname,
                resource.asked.scope,
                resource.now.scope,
                resource.reserved,
                resource.volume is not None,
            )
            if key in self.cache:
                way.spared += 1
                continue
            wish, stop = self._ask(point, way, [at], conditional)
            if stop and not wish:
                after = way.resources[at]
                assert after.now.qname == resource.now.qname, "exits that stop do not rename"
                self.cache.add(key)
            wants |= wish
        return wants

    def _batch(self, point: str, way: Way, conditional: bool) -> None:
        if way.abend is None and self._active(point):
            way.seen = True
            self._ask(point, way, list(range(len(way.resources))), conditional)

    def _ask(self, point: str, way: Way, which: list[int], conditional: bool) -> tuple[bool, bool]:
        """Whether an exit wants the conditional exit, and whether all say that they need not be asked again."""
        active = self._active(point)
        if not active:
            return False, False
        way.lists[point] += 1
        wants, stops, ended = False, True, None
        for exit_, qnames in active:
            way.calls[point] += 1
            before = list(way.resources)
            met = [at for at in which if before[at].asked.scope != "STEP" and before[at].now.qname in qnames]
            if met and exit_.fail:
                self.failed.add((point, exit_.name))
                stops = False
                continue
            for at in met:
                way.resources[at] = self._answered(exit_, way.resources[at], conditional)
            wishes = exit_.want and bool(met)
            wants |= self._may(exit_, "want", wishes)
            if met and self._may(exit_, "abend", exit_.abend is not None):
                ended = exit_.abend if ended is None else ended
            never = exit_.stops and not met and not any(before[at].now.qname in qnames for at in which)
            stops &= self._may(exit_, "stop", never)
        if ended is not None and way.abend is None:
            way.abend = ended
        return wants, stops

    def _may(self, one: Exit, change: str, wanted: bool) -> bool:
        if wanted and change not in MAY[one.point]:
            self.refused.add((one.point, one.name, change))
            return False
        return wanted

    def _answered(self, one: Exit, made: Made, conditional: bool) -> Made:
        if one.rename is not None and self._may(one, "rename", True):
            made = replace(made, now=replace(made.now, qname=one.rename[0], rname=one.rename[1]))
        if one.scope is not None and self._may(one, "scope", True):
            if one.scope == "STEP":
                self.refused.add((one.point, one.name, "scope"))
            else:
                made = replace(made, now=replace(made.now, scope=one.scope))
        if (one.volume is not None or one.no_volume) and self._may(one, "volume", True):
            made = replace(made, volume=None if one.no_volume else one.volume)
        if self._may(one, "skip_lists", one.skip_lists):
            made = replace(made, skip_lists=True)
        if one.code is not None and self._may(one, "code", True):
            if conditional and one.code:
                made = replace(made, code=one.code)
            else:
                self.refused.add((one.point, one.name, "code"))
        if self._may(one, "drop_reserve", one.drop_reserve):
            made = replace(made, volume=None)
        return made

    def _listed(self, made: Made, way: Way) -> Made:
        """SYSTEM: inclusion, then exclusion; SYSTEMS: exclusion; RESERVE: exclusion, conversion."""
        if made.asked.scope == "STEP" or made.skip_lists:
            return made
        qname, scope = made.now.qname, made.now.scope
        way.searches += 1
        if made.volume is None and scope == "SYSTEM":
            if qname not in self.included:
                return made
            way.searches += 1
        if qname in self.excluded:
            return replace(made, now=replace(made.now, scope="SYSTEM"))
        made = replace(made, now=replace(made.now, scope="SYSTEMS"))
        if made.volume is not None:
            way.searches += 1
            made = replace(made, volume=None) if qname in self.converted else made
        return made
