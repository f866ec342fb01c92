"""The ends of what a fitted scenario leaves open: other models that reproduce the shown intervals as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from slicewright._core import RunError, redispatch_policies
from slicewright.advise.aliases.evidence import Borrowed, borrow
from slicewright.advise.aliases.readings import FULL, LEAST, SHARES_OF_SEVERAL
from slicewright.experiment.outcome import Array
from slicewright.fitting.estimate import MET, SHORTEST_MS, Range, Service
from slicewright.fitting.evidence import Copy, Evidence, Group, Period, Targets
from slicewright.fitting.model import Model, PoolLoad, Simulated, VolumeLoad, channels, plan_for
from slicewright.reading.accept import LEAST_WAITING, VALIDATED, chance_of_samples, fails_miss, queue_allowance
from slicewright.scenario.changes import changes_of
from slicewright.statistics import fixed, plural
from slicewright.values.numerals import in_scenario

_IOS, _REPLICATIONS = 10_000, 2
"""I/Os of a volume in one simulation of an end, and replications."""

_STEPS = 10
"""How often an end is corrected, at most."""

_SETTLED = 0.01
"""The share by which connect times may be off where populations are corrected: first the times, then the guests."""

_NEAR = 0.5
"""The share of its allowances by which an end may miss before it is corrected again."""

_GROWTH, _GUESTS = "growth of service", "guests of"
"""The beginnings of the names of values that have a key of their own."""

_ESTIMATED = "as estimated volume by volume"
"""The name of the reading that the estimates of the intervals give, where the scenario has another."""

_YES = {True: "yes", False: "no"}

_FREED = "use of freed aliases"
"""The value that is open where several rules for a freed alias fit."""

_MORE_GUESTS = (8, 4, 2, 1)
"""Guests tried above those of the fit, for all volumes together."""

_BATCHES = (2, 3, 4, 6, 8, 12, 20, 32)
"""Requests that arrive together, as tried where requests wait longer than arrivals at random would."""


@dataclass(frozen=True, slots=True)
class _End:
    """A model that reproduces the shown intervals, and the value that it has in place of the fitted one."""

    name: str
    model: Model


@dataclass(frozen=True, slots=True)
class _Open:
    """A value that the shown intervals do not identify, in words, with the reason and the ends of what they allow."""

    value: str
    why: str
    ends: tuple[_End, ...]


@dataclass(frozen=True, slots=True)
class Remaining:
    """The readings that remain of a fit: the one in its scenario, the others, and the values that are open.

    `fits`: whether any model that was tried reproduces the shown intervals; without one the scenario has the estimate.
    """

    model: Model
    others: tuple[_End, ...]
    values: tuple[_Open, ...]
    fits: bool
    chance: float
    """The share by which the requests present may be off by chance: of intervals, or of samples."""

    @property
    def words(self) -> str:
        """The values in a line; "" where everything is identified."""
        return "; ".join(dict.fromkeys(value.value for value in self.values))

    def tables(self, predicts: bool) -> tuple[str, ...]:
        """The lines of the scenario with the verdict, what is open, and the other readings."""
        lines = ["[fit]", f'predicts = "{_YES[predicts]}"', f'reproduces = "{_YES[self.fits]}"']
        lines += [f'chance = "{in_scenario(round(100 * self.chance, 2))} %"', ""]
        for value in self.values:
            lines += ["[[open]]", f"value = {_text(value.value)}", f"why = {_text(value.why)}"]
            lines += [*_several("range", self._ranges(value.value)), ""]
        for other in self.others:
            made = changes_of(_changes(self.model, other.model))
            lines += ["[[reading]]", f"name = {_text(other.name)}", *_several("set", made), ""]
        return tuple(lines)

    def widened(self, ranges: Sequence[Range]) -> tuple[Range, ...]:
        """Ranges of guests and think times that hold those of every reading too."""
        models = [self.model, *(other.model for other in self.others)] if self.fits else []
        found = []
        for at, left in enumerate(ranges):
            closed = [volume for model in models if (volume := model.volumes[at]).population]
            guests, think = [volume.population for volume in closed], [volume.think_ms for volume in closed]
            most = None if left.most is None or len(closed) < len(models) else max([left.most, *guests])
            high = max([left.think_high_ms, *think]) if most is not None else np.inf
            least, low = min([left.least, *guests]), min([left.think_low_ms, *think])
            found.append(replace(left, least=least, most=most, think_low_ms=low, think_high_ms=high))
        return tuple(found)

    def _ranges(self, value: str) -> list[str]:
        """The keys of an open value with the least and the largest number of all readings."""
        models = [self.model, *(other.model for other in self.others)]
        lines = []
        for at, pool in enumerate(self.model.pools if value.startswith(_GROWTH) else ()):
            shares = [100 * model.pools[at].sharing for model in models]
            if min(shares) < max(shares):
                band = f"{in_scenario(min(shares))}..{in_scenario(max(shares))} %"
                lines.append(f"control_unit.{_in_path(pool.name)}.sharing={band}")
        for at, volume in enumerate(self.model.volumes if value.startswith(_GUESTS) else ()):
            guests = [count for model in models if (count := model.volumes[at].population)]
            if volume.population and min(guests) < max(guests):
                lines.append(f"guest.{_in_path('on-' + volume.name)}.count={min(guests)}..{max(guests)}")
        return lines


@dataclass(frozen=True, slots=True)
class Ends:
    """The search for ends: the fitted model with its evidence."""

    evidence: Evidence
    periods: Sequence[Period]
    model: Model
    services: Sequence[Service]
    ranges: Sequence[Range]
    targets: Targets
    prefix: str = ""
    """The beginning of the names of ends, where the model itself is an end."""

    def run(self) -> Remaining:
        """What remains: searched from the fitted model, or the first other that fits, under every rule that fits."""
        given = self._simulated(self.model)
        fits = given is not None and self._miss(self.model, given) <= 1
        own = (self._bursts,) if fits else (self._together, self._guests, self._bursts)
        found = [value for part in own for value in part()]
        first = next((end.model for value in found for end in value.ends), None)
        found += self._freed() if fits or first is None else replace(self, model=first)._freed()
        bases = [("", self.model)] if fits else []
        bases += [("", first)] if first is not None and not fits else []
        bases += [(f"{end.name}, ", end.model) for value in found if value.value == _FREED for end in value.ends]
        for name, base in bases or [("", self.model)]:
            other = replace(self, model=base, prefix=name)
            found += [value for part in (other._growth, other._guests, other._channels) for value in part()]
        values = _merged(found)
        readings = [_End(_ESTIMATED, self.model)] if fits else []
        readings += [end for value in values for end in value.ends]
        middle = self._middle(readings) if readings else _End(_ESTIMATED, self.model)
        others = tuple(end for end in readings if end is not middle)
        return Remaining(middle.model, others, values, bool(readings), self._chance())

    def _middle(self, readings: Sequence[_End]) -> _End:
        """The reading in the middle of an answer: of the responses with the aliases of the rule of thumb.

        A growth that is open is not written as an end of its range where a reading between reproduces the evidence.
        """
        waiting, more = iter(self.targets.queue_depth.tolist()), []
        for pool in self.model.pools:
            more.append(int(np.ceil(sum(next(waiting) for _ in pool.volumes))))

        def response(end: _End) -> float:
            pools = tuple(
                replace(pool, aliases=pool.aliases + added) for pool, added in zip(end.model.pools, more, strict=True)
            )
            sample = self._simulated(replace(end.model, pools=pools))
            if sample is None:
                return float("inf")
            rates = sample.mean("io_per_s")
            return float(rates @ sample.mean("response_ms") / rates.sum())

        answers = [response(end) for end in readings]
        growths = [[end.model.pools[at].sharing for end in readings] for at in range(len(self.model.pools))]
        inside = [
            all(min(every) < every[number] < max(every) for every in growths if min(every) < max(every))
            for number in range(len(readings))
        ]
        middle = sorted(answers)[(len(answers) - 1) // 2]
        chosen = [number for number, between in enumerate(inside) if between or not any(inside)]
        return readings[min(chosen, key=lambda number: abs(answers[number] - middle))]

    def _chance(self) -> float:
        """How far the requests present in all may be off: volumes wait independently of each other."""
        aimed = self.targets
        present = aimed.queue_depth + aimed.io_per_s * _service_ms(self.model, aimed) / 1000
        return float(np.sqrt((self._queue_noise() ** 2).sum()) / present.sum())

    def _together(self) -> Iterator[_Open]:
        """Populations of volumes that share aliases: each was fitted while the others kept theirs."""
        nearest = self._end("guests corrected together", self.model)
        why = "volumes that were fitted one by one miss the shown intervals together"
        names = [volume.name for volume in self.model.volumes]
        yield _Open(f"{_GUESTS} {_volumes(names)}", why, (nearest,) if nearest else ())

    def _growth(self) -> Iterator[_Open]:
        """Growth of service: between none and twice what published reports show, or within its half-width."""
        found = borrow()
        for number, service in enumerate(self.services):
            name, ends = self.evidence.groups[number].name, []
            if service.others[1] < MET:
                continue
            for share in _growths(service, found):
                if end := self._end(f"growth {_percent(share)} per I/O", self._with_growth(number, share)):
                    ends.append(end)
            if service.sharing > 0:
                low = max(0.0, service.sharing - service.sharing_half_width)
                if end := self._end(f"growth {_percent(low)} per I/O", self._with_growth(number, low)):
                    ends.append(end)
            known = service.sharing > 0 or service.shows_none
            tried = f"up to {_percent(_growths(service, found)[0])} tried"
            if ends or not known:
                yield _Open(f"{_GROWTH} ({name})", f"{service.growth}; {tried}", tuple(ends))

    def _guests(self) -> Iterator[_Open]:
        """Populations: all volumes with more guests, or the fewest; and open arrivals where these fit as well."""
        volumes = self.model.volumes
        closed = [at for at, volume in enumerate(volumes) if volume.population]
        ends = []
        same = np.zeros(len(volumes))
        for more in _MORE_GUESTS if closed else ():
            added = {at: volumes[at].population + more for at in closed}
            if end := self._end(f"{plural(more, 'guest')} more per volume", self._with_guests(added), same):
                ends.append(end)
        fewest = {at: left.least for at, left in enumerate(self.ranges) if left.least != volumes[at].population}
        if fewest:
            ends += [end for end in [self._end("fewest guests", self._with_guests(fewest), same)] if end]
        ends += self._never_thinking()
        opened = dict.fromkeys((at for at in closed if self.ranges[at].most is None), 0)
        if opened:
            ends += [end for end in [self._end("open arrivals", self._with_guests(opened))] if end]
        wide = [volumes[at].name for at, left in enumerate(self.ranges) if left.most is None or left.least < left.most]
        wide = [volume.name for volume in volumes] if ends else wide
        unknown = not all(left.known for left in self.ranges)
        if wide or unknown:
            why = "one interval gives no noise to judge by" if unknown else "other populations fit as well"
            yield _Open(f"{_GUESTS} {_volumes(wide or [volume.name for volume in volumes])}", why, tuple(ends))

    def _never_thinking(self) -> list[_End]:
        """Guests that ask again at once, where the requests present are a whole number in every volume.

        No other think time is near this: who asks in the instant in which an alias is freed does not find it.
        """
        present = self.targets.queue_depth + self.targets.io_per_s * _service_ms(self.model, self.targets) / 1000
        guests = np.rint(present)
        if (np.abs(present - guests) > VALIDATED * present).any() or guests.min() < 1:
            return []
        model = _changed(
            self.model, lambda at, volume: replace(volume, population=int(guests[at]), think_ms=0.0, batch=1)
        )
        end = self._end("guests that never think", model, np.zeros(len(guests)))
        return [end] if end else []

    def _bursts(self) -> Iterator[_Open]:
        """Batches, where requests wait longer than arrivals at random would have them wait."""
        burst = [at for at, left in enumerate(self.ranges) if left.bursts]
        if not burst:
            return
        waits: dict[int, Array] = {}
        for batch in _BATCHES:
            sample = self._simulated(self._with_batches(dict.fromkeys(burst, batch)))
            if sample is None:
                break
            waits[batch] = sample.wait_ms
            if (waits[batch][burst] > self.targets.wait_ms[burst]).all():
                break
        nearest = {at: min(waits, key=lambda batch: abs(waits[batch][at] - self.targets.wait_ms[at])) for at in burst}
        ends = []
        if waits and (end := self._end("arrivals in batches", self._with_batches(nearest))):
            ends.append(end)
        names = [self.model.volumes[at].name for at in burst]
        yield _Open(f"arrivals of {_volumes(names)}", "requests wait longer than arrivals at random would", tuple(ends))

    def _freed(self) -> Iterator[_Open]:
        """The use of a freed alias: every rule that the fails per try of the pool do not exclude."""
        if not any(pool.pooled or pool.aliases for pool in self.model.pools):
            return
        ends = []
        for rule in redispatch_policies():
            if rule == "none":
                continue
            pools = tuple(replace(pool, redispatch=rule) for pool in self.model.pools)
            if end := self._end(f"redispatch {rule}", replace(self.model, pools=pools)):
                ends.append(end)
        if ends:
            names = ", ".join(end.name.split()[1] for end in ends)
            yield _Open(_FREED, f"undocumented; {names} fit as well as none", tuple(ends))

    def _channels(self) -> Iterator[_Open]:
        """Channels: as busy as rate x connect time over the paths allows, or less."""
        ends, most = [], 0.0
        for share in SHARES_OF_SEVERAL:
            pools = []
            for number, pool in enumerate(self.model.pools):
                rate, busy = self._most_busy(number)
                most = max(most, busy)
                serial = 1000 * share * busy * pool.paths / rate if busy >= LEAST else 0.0
                volumes = tuple(
                    replace(volume, connect_ms=max(SHORTEST_MS, volume.connect_ms - serial)) for volume in pool.volumes
                )
                pools.append(replace(pool, serial_ms=serial, volumes=volumes) if serial else pool)
            if most < LEAST:
                return
            if end := self._end(f"channels {_percent(share * most)} busy", replace(self.model, pools=tuple(pools))):
                ends.append(end)
        why = f"not in the records; they are at most {_percent(most)} busy with this I/O"
        yield _Open("channels", why, tuple(ends))

    def _most_busy(self, number: int) -> tuple[float, float]:
        """The rate of a pool, and the most that its channels are busy with it, as a share."""
        start = sum(len(pool.volumes) for pool in self.model.pools[:number])
        pool = self.model.pools[number]
        own = slice(start, start + len(pool.volumes))
        rates = self.targets.io_per_s[own]
        connected = float(rates @ self.targets.conn_ms[own]) / 1000
        return float(rates.sum()), min(FULL, connected / pool.paths)

    def _with_growth(self, number: int, share: float) -> Model:
        """The model with another growth of a group, in all periods, and connect times that start from there."""
        met = self.services[number].others[1]
        groups = [self.targets.copies[at].group for at in self._first_copies()]
        pools = []
        for pool, group in zip(self.model.pools, groups, strict=True):
            shorter = (1 + pool.sharing * met) / (1 + share * met)
            volumes = tuple(replace(volume, connect_ms=volume.connect_ms * shorter) for volume in pool.volumes)
            pools.append(replace(pool, sharing=share, volumes=volumes) if group == number else pool)
        return replace(self.model, pools=tuple(pools))

    def _first_copies(self) -> list[int]:
        """The first copy of each pool of the model."""
        starts, at = [], 0
        for pool in self.model.pools:
            starts.append(at)
            at += len(pool.volumes)
        return starts

    def _with_guests(self, counts: Mapping[int, int]) -> Model:
        def changed(at: int, volume: VolumeLoad) -> VolumeLoad:
            guests = counts.get(at, volume.population)
            if guests == volume.population:
                return volume
            cycle = 1000 * guests / self.targets.io_per_s[at]
            service = volume.pend_ms + volume.disc_ms + self.targets.conn_ms[at]
            think = max(0.0, cycle - service - self.targets.wait_ms[at])
            return replace(volume, population=guests, think_ms=float(think))

        return _changed(self.model, changed)

    def _with_batches(self, batches: Mapping[int, int]) -> Model:
        def changed(at: int, volume: VolumeLoad) -> VolumeLoad:
            return replace(volume, population=0, batch=batches[at]) if at in batches else volume

        return _changed(self.model, changed)

    def _end(self, name: str, model: Model, guests: Array | None = None) -> _End | None:
        """The model corrected until it reproduces the shown intervals; None where no step of that does.

        `guests`: guests added at each step; by default one more where too few wait, one fewer where too many do.
        """
        best, least, fits = model, np.inf, False
        for _ in range(_STEPS):
            sample = self._simulated(model)
            if sample is None:
                break
            # Without chance, so that fewer intervals do not end the search any earlier.
            miss = self._miss(model, sample, 0.0)
            if miss < least:
                best, least, fits = model, miss, self._miss(model, sample) <= 1
            if miss <= _NEAR:
                break
            model = self._corrected(model, sample, self._guests_more(model, sample) if guests is None else guests)
        return _End(f"{self.prefix}{name}", best) if fits else None

    def _simulated(self, model: Model) -> Simulated | None:
        """A simulation of the model; None where a queue grows without bound."""
        population = np.array([volume.population for volume in model.volumes])
        try:
            return model.simulated(plan_for(self.targets.io_per_s, population, _IOS, _REPLICATIONS))
        except RunError:
            return None

    def _guests_more(self, model: Model, sample: Simulated) -> Array:
        """One guest to add or to take away, where the queue misses its allowance most and the times have settled."""
        off = (self.targets.queue_depth - sample.mean("queue_depth")) / self._queue_allowance(model)
        guests = np.array([volume.population for volume in model.volumes])
        least = self.targets.queue_depth + self.targets.io_per_s * _service_ms(model, self.targets) / 1000
        settled = np.abs(sample.mean("conn_ms") / self.targets.conn_ms - 1) <= _SETTLED
        think = np.array([volume.think_ms for volume in model.volumes])
        # A guest that never thinks takes every alias that it frees: no step leads from there to the evidence.
        few = (guests + np.sign(off) < np.floor(least)) | ((off < 0) & (think < 1200 / self.targets.io_per_s))
        wrong = (guests > 0) & settled & (np.abs(off) > 1) & ~few
        worst = np.arange(len(off)) == int(np.argmax(np.where(wrong, np.abs(off), 0)))
        return np.where(wrong & worst, np.sign(off), 0)

    def _corrected(self, model: Model, sample: Simulated, guests: Array) -> Model:
        """Connect times by what they miss, and think times by what a turn of the guests is too short or too long."""
        connect, rate = sample.mean("conn_ms"), np.maximum(sample.mean("io_per_s"), 1e-9)
        serial = [pool.serial_ms > 0 for pool in model.pools for _ in pool.volumes]

        def changed(at: int, volume: VolumeLoad) -> VolumeLoad:
            aimed, io_per_s, more = self.targets.conn_ms[at], self.targets.io_per_s[at], int(guests[at])
            by = volume.connect_ms * aimed / max(connect[at], SHORTEST_MS)
            own = volume.connect_ms + aimed - connect[at] if serial[at] else by
            longer = 1000 * (volume.population * (1 / io_per_s - 1 / rate[at]) + more / io_per_s)
            think = max(0.0, float(volume.think_ms + longer)) if volume.population else 0.0
            return replace(
                volume, connect_ms=max(SHORTEST_MS, float(own)), think_ms=think, population=volume.population + more
            )

        return _changed(model, changed)

    def _miss(self, model: Model, sample: Simulated, chance: float = 1.0) -> float:
        """The worst miss of rates, queues, connect times and fails per try, in allowances: above 1 it does not fit.

        An allowance is the largest published miss of the engine (of a queue: of the requests present), and `chance`
        times what intervals and samples may be off.
        """
        aimed = self.targets
        rate = np.abs(sample.mean("io_per_s") - aimed.io_per_s)
        queue = np.abs(sample.mean("queue_depth") - aimed.queue_depth)
        connect = np.abs(sample.mean("conn_ms") - aimed.conn_ms)
        misses = [
            rate / (VALIDATED * aimed.io_per_s + chance * np.nan_to_num(aimed.io_half_width)),
            queue / self._queue_allowance(model, chance),
            connect / (VALIDATED * aimed.conn_ms),
        ]
        fails = [self._fails(pool, at, sample) for pool, at in zip(model.pools, self._first_copies(), strict=True)]
        return max(*fails, *(float(miss.max()) for miss in misses))

    def _queue_allowance(self, model: Model, chance: float = 1.0) -> Array:
        """How far queues may be off: a share of the requests present, and chance."""
        aimed = self.targets
        present = aimed.queue_depth + aimed.io_per_s * _service_ms(model, aimed) / 1000
        return queue_allowance(present, chance * self._queue_noise(), LEAST_WAITING)

    def _queue_noise(self) -> Array:
        """How far queues may be off by chance: their half-widths; of one interval that of its samples."""
        aimed = self.targets
        known = aimed.io_per_s * aimed.wait_half_width / 1000
        spread = chance_of_samples(aimed.queue_depth, float(self.evidence.lengths_s.sum()))
        return np.where(np.isfinite(known), np.maximum(known, 0.0), spread)

    def _fails(self, pool: PoolLoad, at: int, sample: Simulated) -> float:
        """By how many allowances the fails per try of a pool are off; 0 where they are not known."""
        copy: Copy = self.targets.copies[at]
        group: Group = self.evidence.groups[copy.group]
        measured = group.fails_per_try[list(self.periods[copy.period].shown)]
        found = np.array(sample.fails_per_try.get(pool.name, []), dtype=float)
        if not np.isfinite(measured).any() or not found.size or not np.isfinite(found).all():
            return 0.0
        return fails_miss(float(found.mean()), float(np.nanmean(measured)))


def _changes(given: Model, other: Model) -> dict[str, Any]:
    """The changes, by key of the scenario, that make one model of another with the same volumes."""
    made: dict[str, Any] = {}
    if any(was.serial_ms != now.serial_ms for was, now in zip(given.pools, other.pools, strict=True)):
        made["channel"] = [channel for pool in other.pools for channel in channels(pool)]
    for was, now in zip(given.pools, other.pools, strict=True):
        if now.sharing != was.sharing:
            made[f"control_unit.{_in_path(now.name)}.sharing"] = f"{in_scenario(100 * now.sharing)} %"
        if now.serial_ms != was.serial_ms:
            made[f"control_unit.{_in_path(now.name)}.channels"] = now.channels
        if now.redispatch != was.redispatch:
            kind, names = ("alias_pool", [now.name]) if now.pooled else ("volume", [each.name for each in now.volumes])
            rule = now.redispatch or redispatch_policies()[0]
            made |= {f"{kind}.{_in_path(name)}.redispatch": rule for name in names}
        for before, after in zip(was.volumes, now.volumes, strict=True):
            made |= _volume_changes(before, after)
    return made


def _volume_changes(was: VolumeLoad, now: VolumeLoad) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if now.connect_ms != was.connect_ms:
        made[f"volume.{_in_path(now.name)}.service.connect.exponential"] = f"{in_scenario(now.connect_ms)} ms"
    if (now.population, now.think_ms, now.batch) == (was.population, was.think_ms, was.batch):
        return made
    guest, io = f"guest.{_in_path('on-' + now.name)}", {"io": {"volume": now.name}}
    # How guests arrive takes away what it excludes: a count the rate, a rate the count.
    if now.population:
        think = [{"think": {"exponential": f"{in_scenario(now.think_ms)} ms"}}] if now.think_ms > 0 else []
        return made | {f"{guest}.count": now.population, f"{guest}.program": [*think, io]}
    made |= {f"{guest}.arrivals": f"{in_scenario(now.io_per_s / now.batch)}/s", f"{guest}.program": [io]}
    return made | ({f"{guest}.batch": now.batch} if now.batch != was.batch else {})


def _in_path(name: str) -> str:
    """A name as a part of a key: in quotes where it has points of its own."""
    return f'"{name}"' if "." in name else name


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _several(key: str, lines: Sequence[str]) -> list[str]:
    """A key with lines of text, which have quotes of their own."""
    return [f"{key} = '''", *lines, "'''"] if lines else []


def _changed(model: Model, changed: Callable[[int, VolumeLoad], VolumeLoad]) -> Model:
    """The model with every volume changed; volumes are numbered over all pools."""
    at, pools = 0, []
    for pool in model.pools:
        volumes = tuple(changed(at + place, volume) for place, volume in enumerate(pool.volumes))
        pools.append(replace(pool, volumes=volumes))
        at += len(volumes)
    return replace(model, pools=tuple(pools))


def _merged(values: Sequence[_Open]) -> tuple[_Open, ...]:
    """The values in their order, each once, with all its ends."""
    merged: dict[str, _Open] = {}
    for value in values:
        first = merged.setdefault(value.value, value)
        more = [end for end in value.ends if end.name not in {known.name for known in first.ends}]
        merged[value.value] = replace(first, ends=(*first.ends, *more))
    return tuple(merged.values())


def _service_ms(model: Model, targets: Targets) -> Array:
    """The measured service of each volume: its fitted pend and disconnect times, and the connect time of its period."""
    return np.asarray(targets.conn_ms + np.array([volume.pend_ms + volume.disc_ms for volume in model.volumes]))


def _growths(service: Service, found: Borrowed) -> list[float]:
    """Growths that are tried, the largest first: the upper end of what is known, or what published reports show."""
    if service.sharing > 0 or service.shows_none:
        return [service.sharing + service.sharing_half_width]
    derived, constant = found.printed_percent / 100, found.sharing_percent / 100
    return sorted({2 * derived, derived, constant}, reverse=True)


def _percent(share: float) -> str:
    return f"{fixed(100 * share, 1)} %"


def _volumes(names: Sequence[str]) -> str:
    return plural(len(names), "volume") if len(names) > 1 else names[0]
