"""Is every resource of a machine as busy as theory says, and does a change name where it moves a queue?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from slicewright import Scenario
from slicewright.experiment import simulations
from slicewright.experiment.plan import Plan
from slicewright.results.busiest import COLUMNS, Change, Machine, Resource, busiest, machine_of

HEAD = 'name = "a test"\nassume = "a test"\n'
PLAN = Plan(40.0, 5.0, 4)


def machine(text: str, plan: Plan = PLAN) -> Machine:
    return of(Scenario.read((HEAD + text).encode(), "own.toml"), plan)


def of(scenario: Scenario, plan: Plan = PLAN) -> Machine:
    planned = scenario.with_(plan.keys())
    return machine_of(simulations.simulate(planned, COLUMNS), planned.view, plan.replications)


def named(found: Machine, name: str) -> Resource:
    return next(resource for resource in found.resources if resource.name == name)


VOLUME = """[[volume]]
name = "V"
device = "1000"
service = { pend = "0.1 ms", disconnect = "0.4 ms", connect = { exponential = "0.5 ms" } }
[[guest]]
name = "G"
"""
PARTITION = """[cec]
processors = 2
slice = "10 ms"
[[partition]]
name = "LP1"
logical_processors = 2
mode = "UP"
"""
MEASURE = '[measure]\ninterval = "1 min"\n'


def test_a_volume_is_as_busy_as_the_utilization_law_says() -> None:
    found = machine(VOLUME + 'arrivals = "600/s"\nprogram = [ { io = { volume = "V" } } ]\n' + MEASURE)
    own = named(found, "volume V")
    assert own.level == pytest.approx(60, rel=0.03)
    assert found.busiest == own
    # Pollaczek and Khinchin: the mean queue of M/G/1 with the squared coefficient of variation of the service.
    scv = 0.25
    assert own.waiting == pytest.approx(0.6**2 * (1 + scv) / (2 * 0.4), rel=0.1)


def test_bound_aliases_share_the_work_of_their_volume() -> None:
    text = VOLUME.replace('device = "1000"', 'device = "1000"\naliases = 2\nfirst_alias = "1100"')
    found = machine(text + 'arrivals = "1200/s"\nprogram = [ { io = { volume = "V" } } ]\n' + MEASURE)
    assert named(found, "volume V").level == pytest.approx(40, rel=0.03)


def test_processors_of_a_partition_and_of_the_machine_do_their_work() -> None:
    text = PARTITION.replace("processors = 2\nslice", "processors = 4\nslice")
    guest = '[[guest]]\nname = "G"\npartition = "LP1"\narrivals = "300/s"\n'
    found = machine(text + guest + 'program = [ { compute = { exponential = "4 ms" } } ]\n' + MEASURE)
    assert named(found, "the processors of LP1").level == pytest.approx(60, rel=0.05)
    assert named(found, "the processors of the machine").level == pytest.approx(30, rel=0.05)


def test_a_resource_and_an_enqueue_are_held_for_rate_times_hold() -> None:
    tables = (
        '[[resource]]\nname = "R"\ncount = 2\n[[enqueue]]\nname = "E"\nqname = "Q"\nrname = "R"\nscope = "system"\n'
    )
    hold = '{ hold = "R", steps = [ { think = "4 ms" } ] }, { enq = "E", do = [ { think = "2 ms" } ] }'
    guest = f'[[guest]]\nname = "G"\npartition = "LP1"\narrivals = "200/s"\nprogram = [ {hold} ]\n'
    found = machine(PARTITION + "[serialization]\n" + tables + guest + MEASURE)
    assert named(found, "resource R").level == pytest.approx(40, rel=0.05)
    assert named(found, "ENQ E").level == pytest.approx(40, rel=0.05)
    assert named(found, "ENQ E").waiting > 0


def test_a_cpu_limit_is_used_by_work_over_quota() -> None:
    text = '[cec]\nprocessors = 2\ndispatcher = "cfs"\n[[cgroup]]\nname = "web"\n"cpu.max" = "50 ms 100 ms"\n'
    guest = '[[guest]]\nname = "G"\ncgroup = "web"\narrivals = "50/s"\nprogram = [ { compute = "4 ms" } ]\n'
    found = machine(text + guest + MEASURE)
    assert named(found, "the CPU limit of web").level == pytest.approx(40, rel=0.05)
    assert named(found, "the processors of the machine").level == pytest.approx(10, rel=0.05)


def test_locks_and_virtual_processors_of_a_control_program_are_there() -> None:
    text = Path("scenarios/apache-spin.toml").read_bytes()
    found = of(Scenario.read(text, "apache-spin.toml"), Plan(1.0, 0.5, 2))
    kinds = {resource.kind for resource in found.resources}
    assert {"processor", "lock", "virtual processor"} <= kinds
    assert named(found, "lock FILES of CLIENT").unit == "% held"
    assert found.busiest is not None
    assert found.busiest.name == "the processors of ZVM"


def test_slices_of_a_partition_are_full_while_it_has_no_idle_turn() -> None:
    scenario = Scenario.read(Path("scenarios/two-domains.toml").read_bytes(), "two-domains.toml")
    found = of(scenario, Plan(20.0, 5.0, 2))
    assert named(found, "the slices of PEMDFT").level > 95
    assert named(found, "the slices of PEMDFI").level < 20
    assert named(found, "the slices of PEMDFI").waiting > 0.3


def test_the_cap_of_a_group_is_full_while_the_machine_is_not() -> None:
    scenario = Scenario.read(Path("scenarios/lpar-group.toml").read_bytes(), "lpar-group.toml")
    found = of(scenario, Plan(5.0, 1.0, 2))
    assert str(found.busiest) == "the cap of group LICENSED 100.0 % busy"


def test_the_innermost_of_full_resources_is_the_busiest() -> None:
    pool = Resource("pool", "pool A", 99.0, "% of its aliases in use")
    channel, volume = Resource("channel", "channel 40", 95.0), Resource("volume", "volume V", 100.0, queues=False)
    path = Resource("path", "the paths of CU", 6.0, "I/Os connected on 4 paths")
    assert busiest([pool, channel, volume, path]) == channel
    assert busiest([pool, replace(channel, level=80.0), path]) == pool
    assert busiest([path]) == path
    assert busiest([]) is None


def test_a_pool_without_aliases_is_as_full_as_its_busiest_base() -> None:
    scenario = Scenario.read(Path("scenarios/full-channel.toml").read_bytes(), "full-channel.toml")
    found = of(scenario.with_({"alias_pool.LSS-10.aliases": 0}), Plan(1.0, 0.5, 2))
    pool = named(found, "pool LSS-10")
    bases = [each.level for each in found.resources if each.kind == "volume"]
    assert pool.level == max(bases) > 90
    assert pool.waiting > 1
    assert pool.unit == "% busy at its busiest base, without aliases"


def test_more_aliases_move_the_queue_of_a_full_channel_to_the_channel() -> None:
    scenario = Scenario.read(Path("scenarios/full-channel.toml").read_bytes(), "full-channel.toml")
    plan = Plan(10.0, 2.0, 4)
    change = Change(*(of(scenario.with_({"alias_pool.LSS-10.aliases": count}), plan) for count in (1, 12)))
    pair = change.moved
    assert pair is not None
    assert pair[1].name == "channel 50"
    assert pair[0].level < pair[1].level
    assert {part.kind for part in change.parts} == {"volume", "guest"}
    assert change.touched == set(change.before.times)
    assert not change.slower(3)
    assert len(change.changed(3)) == len(change.parts)


def test_what_gets_slower_is_named_the_worst_first() -> None:
    noise = np.array([0.99, 1.0, 1.01, 1.0])
    before = Machine({"A": noise, "B": 2 * noise, "C": noise}, {"A": 100 * noise, "B": 100 * noise})
    after = Machine({"A": 1.5 * noise, "B": 6 * noise, "C": 0.5 * noise}, {"A": 100 * noise, "B": 1 * noise})
    change = Change(before, after)
    assert [str(part) for part in change.slower(3)] == [
        "B 2.00 -> 6.00 ms",
        "all I/O 1.50 -> 3.75 ms",
        "A 1.00 -> 1.50 ms",
    ]
    assert [part.name for part in change.slower(3, leave_out=["A"])] == ["B", "all I/O"]
    assert [part.name for part in change.changed(3)] == ["B", "A", "C"], "most first"
