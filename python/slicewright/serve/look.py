"""A look at one setting of a scenario: few short replications at first, then longer ones, within a second or two."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slicewright._core import Scenario, __version__
from slicewright.errors import sentence
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import SEED, processors
from slicewright.replay.replay import Recording, replayed
from slicewright.run.pooled import Simulated, together
from slicewright.scenario.files import read_with_files

if TYPE_CHECKING:
    from slicewright.run.run import Run

FIRST_S = 0.003
"""Seconds of a processor that the measured part of a replication of the first step takes, about."""
_PROBED_S = 0.003
"""Processor time after which a probe says how long an interval takes."""
STEPS = ((1.0, 4), (4.0, 8), (16.0, 10))
"""Of each step the length of its interval in intervals of the first step, and its replications."""
SHORTEST_S = 0.01
"""Simulated seconds of the first probe: the engine samples every millisecond at most, ten times in an interval."""
BATCH = 4
"""Replications between two moments at which a look can be stopped."""


@dataclass
class Look:
    """One setting: the scenario with its changes, and the lengths of the steps.

    Half of an interval is cut as warm-up, as pilots that would find it take longer than the look.  A scenario that
    changes while it runs, or that replays recordings, keeps its own interval and warm-up: its times mean something.
    """

    scenario: Scenario
    recordings: tuple[Recording, ...] = ()
    timed: bool = False
    """Whether times of the scenario itself mean something: it changes while it runs, or replays recordings."""
    done: dict[Plan, Run] = field(default_factory=dict)
    """Runs by plan: a pinned setting is simulated once."""

    @classmethod
    def of(cls, text: str, changes: Sequence[str], folder: str) -> Look:
        """The look at a text with changes; raises InputError with every problem."""
        ready = replayed(read_with_files(text.encode(), "scenario.toml", changes, folder), folder)
        timed = bool(ready.scenario.replays or ready.scenario.view.changes)
        return cls(ready.scenario, ready.recordings, timed)

    def pace(self) -> float:
        """Simulated seconds of the first interval: by the processor time that probes take, in one digit to be stable.

        The first probe is as short as can be: it says what a replication takes that does not grow with its length.
        """
        own = float(self.scenario.measure["interval_s"])
        length = min(own, SHORTEST_S)
        least = self._probe(length)
        while (took := self._probe(length) - least) < max(_PROBED_S, least) and length < own:
            length = min(own, 4 * length)
        return min(own, max(SHORTEST_S, float(f"{length * FIRST_S / max(took, _PROBED_S / 4):.0e}")))

    def _probe(self, length_s: float) -> float:
        """Seconds of processor time that a replication of this length takes."""
        scenario = self._of(Plan(length_s, 0.0, 1))
        began = time.process_time()
        scenario.simulate(SEED, (0, 1), 1, 0.0)
        return time.process_time() - began

    def plans(self, pace_s: float) -> Iterator[Plan]:
        """The steps, up to the scenario's own interval and replications."""
        measure = self.scenario.measure
        own, most = float(measure["interval_s"]), int(measure["replications"])
        warm_up = measure["warm_up_s"]
        if self.timed:
            settled = float(warm_up) if warm_up is not None else 0.0
            yield from (Plan(own, settled, count) for count in dict.fromkeys((min(2, most), min(4, most), most)))
            return
        for longer, replications in STEPS:
            interval = min(own, pace_s * longer)
            cut = interval / 2 if warm_up is None else min(float(warm_up), interval / 2)
            yield Plan(interval, cut, replications)
            if interval >= own:
                return

    def batches(self, plan: Plan) -> Iterator[tuple[int, Run | None]]:
        """Replications done of a plan, batch by batch, and with the last the run."""
        known = self.done.get(plan)
        if known is not None:
            yield plan.replications, known
            return
        found: list[Simulated] = []
        for start in range(0, plan.replications, BATCH):
            end = min(start + BATCH, plan.replications)
            found.append(self._tables(plan, (start, end)))
            if end < plan.replications:
                yield end, None
        self.done[plan] = self._run(plan, together(found))
        yield plan.replications, self.done[plan]

    def _of(self, plan: Plan) -> Scenario:
        if self.timed:
            return self.scenario.with_([f"measure.replications={plan.replications}"])
        return self.scenario.with_(plan.changes())

    def _tables(self, plan: Plan, which: tuple[int, int]) -> Simulated:
        return Simulated.of(self._of(plan).simulate(SEED, which, processors(), plan.warm_up_s))

    def _run(self, plan: Plan, made: Simulated) -> Run:
        from slicewright.run.run import Run

        world = self._of(plan)
        return Run(
            name=world.name, scenario=world.resolved, checksum=world.checksum, version=__version__, seed=SEED,
            replications=plan.replications, warm_up_s=plan.warm_up_s, raw=made.raw, counted=made.counted,
            numbers=tuple(world.explain()),
            notes=tuple(sentence(warning) for warning in world.warnings), recordings=self.recordings,
        )  # fmt: skip
