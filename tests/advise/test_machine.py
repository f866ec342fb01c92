"""Does advice on a pool of a scenario look at the whole machine: channels, paths, processors and other pools?"""

from __future__ import annotations

import re
from pathlib import Path

from slicewright import Scenario
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.report import document, reason_of
from slicewright.advise.aliases.request import AliasRequest
from slicewright.experiment import simulations
from slicewright.experiment.plan import Plan
from slicewright.results.busiest import COLUMNS, Change, machine_of

from tests.conftest import CommandLine

FULL = Path(__file__).with_name("full_channel.toml")
"""Two pools behind two channels that are 97 % busy."""

PAIR = Path(__file__).with_name("two_full_pools.toml")
"""Two pools behind two channels that are 96 % busy; each pool gains by more aliases alone."""

MEASURE = '[measure]\ninterval = "1 min"\n'


def advised(text: str) -> dict[str, Answer]:
    return {answer.pool: answer for answer in answer_scenario(text.encode(), "own.toml", AliasRequest())}


def pool(name: str, unit: str, aliases: int, guests: str, volumes: int = 2) -> str:
    """A pool with its volumes, and one group of guests that does I/O to them."""
    text = f'[[alias_pool]]\nname = "{name}"\naliases = {aliases}\n'
    for at in range(volumes):
        text += f'[[volume]]\nname = "{name}{at}"\ndevice = "{len(name)}{ord(name[0]) % 16:x}{at:02x}"\n'
        text += f'control_unit = "{unit}"\nalias_pool = "{name}"\n'
        text += 'service = { pend = "0.2 ms", disconnect = "0.1 ms", connect = { exponential = "0.6 ms" } }\n'
    listed = ", ".join(f'"{name}{at}"' for at in range(volumes))
    return text + f'[[guest]]\nname = "ON-{name}"\n{guests.replace("POOL", f"[{listed}]")}\n'


BUSY = 'count = 10\nprogram = [ { think = { exponential = "1 ms" } }, { io = { uniform = POOL } } ]'
STEADY = 'arrivals = "900/s"\nprogram = [ { io = { uniform = POOL } } ]'


def test_a_full_channel_is_named_and_nothing_is_recommended(slicewright: CommandLine) -> None:
    said = slicewright("advise", "aliases", FULL).out
    first = " ".join(said.split())
    refused = r"No recommendation for the pool of LSS60: \d+ aliases for LSS60 would move the queue to channel 4[01] "
    busy = r"\(9\d\.\d % busy now, 99\.\d % busy then\): BAT00\d 1\.\d\d -> 2\.\d\d ms"
    assert re.search(refused + busy, first), first


def test_two_pools_behind_full_channels_get_nothing_as_their_sum_slows_the_orders() -> None:
    text = PAIR.read_text()
    found = advised(text)
    for name in ("LSS60", "LSS61"):
        answer = found[name]
        assert answer.recommendation is None
        assert answer.knee is not None
        assert answer.knee.aliases > answer.now.aliases
        assert answer.now.response_ms > 1.2 * answer.point(answer.knee.aliases).estimates["response_ms"].mean  # type: ignore[union-attr]
        assert re.search(r"move the queue to channel 4[01] \(9\d\.\d % busy now, 9\d\.\d % busy then\)", answer.reason)
        made = document(answer)["machine"]
        assert {made["busiest"][when]["kind"] for when in ("now", "then")} == {"channel"}
        assert {part["name"] for part in made["parts"]} >= {"V600", "V615", "transaction of ORDERS"}
    # The sum of both is what makes the orders slower.
    scenario = Scenario.read(text.encode(), PAIR.name)
    both = {f"alias_pool.{name}.aliases": answer.knee.aliases for name, answer in found.items() if answer.knee}
    plan = Plan(10.0, 2.0, 4)
    ends = [scenario.with_({**changes, **plan.keys()}) for changes in ({}, both)]
    change = Change(*(machine_of(simulations.simulate(end, COLUMNS), end.view, plan.replications) for end in ends))
    orders = next(part for part in change.parts if part.name == "transaction of ORDERS")
    assert orders.ratio.low > 1.2


def test_the_document_has_no_recommendation_and_the_reason() -> None:
    answer = advised(FULL.read_text())["LSS60"]
    made = document(answer)
    assert made["recommendation"] is None
    assert "channel 4" in made["reason"]
    assert made["needed"]
    assert any(fact.startswith("busiest resource: channel 4") for fact in made["evidence"]["facts"])


def test_recommendations_that_are_harmless_alone_are_refused_where_they_harm_together() -> None:
    think, io = '{ think = { exponential = "1.2 ms" } }', '{ io = { uniform = POOL, bytes = "12 KiB" } }'
    waits = f"count = 4\nprogram = [ {think}, {io} ]"
    text = 'name = "together"\nassume = "a test"\n[[channel]]\nname = "40"\ntype = "FICON"\n'
    text += "".join(f'[[control_unit]]\nname = "{unit}"\nchannels = ["40"]\n' for unit in ("A", "BB", "CCC"))
    text += pool("A", "A", 1, waits) + pool("BB", "BB", 1, waits) + pool("CCC", "CCC", 4, STEADY.replace("900", "300"))
    found = advised(text + MEASURE)
    for name in ("A", "BB"):
        reason = reason_of(found[name])
        assert reason.startswith("2 aliases for A and 2 aliases for BB together would move the queue to channel 40 (")
        before, after = re.search(r"CCC0 ([0-9.]+) -> ([0-9.]+) ms", reason).groups()  # type: ignore[union-attr]
        assert float(after) > 1.03 * float(before), reason


def test_pools_that_share_nothing_keep_their_answers() -> None:
    units = "".join(f'[[control_unit]]\nname = "{unit}"\nsharing = "4 %"\n' for unit in ("A", "BB"))
    head = 'name = "apart"\nassume = "a test"\n' + units
    both = advised(head + pool("A", "A", 1, BUSY) + pool("BB", "BB", 1, BUSY) + MEASURE)
    alone = advised(head + pool("A", "A", 1, BUSY) + MEASURE)
    assert both["A"].recommendation == alone["A"].recommendation
    assert both["A"].recommendation is not None
    assert both["A"].recommendation.aliases > 1
    assert not reason_of(both["A"])
    assert not reason_of(both["BB"])


def test_paths_that_slow_another_pool_are_named() -> None:
    head = 'name = "paths"\nassume = "a test"\n[[control_unit]]\nname = "CU"\npaths = 2\nsharing = "15 %"\n'
    found = advised(head + pool("A", "CU", 1, BUSY) + pool("BB", "CU", 8, STEADY) + MEASURE)
    assert "would move the queue to the paths of CU (" in reason_of(found["A"])
    assert "I/Os connected on 2 paths now" in reason_of(found["A"])


def test_processors_that_fill_up_are_named() -> None:
    head = """name = "processors"
assume = "a test"
[cec]
processors = 1
slice = "5 ms"
[[partition]]
name = "LP1"
logical_processors = 1
mode = "UP"
[[control_unit]]
name = "CU"
"""
    steps = (
        '{ think = { exponential = "2 ms" } }, { compute = { exponential = "0.25 ms" } }, { io = { uniform = POOL } }'
    )
    jobs = f'partition = "LP1"\ncount = 14\nprogram = [ {steps} ]'
    users = """[[guest]]
name = "USERS"
partition = "LP1"
arrivals = "150/s"
program = [ { compute = { exponential = "0.4 ms" } } ]
"""
    own = pool("A", "CU", 0, jobs).replace("[[volume]]\n", '[[volume]]\npartition = "LP1"\n')
    found = advised(head + own + users + MEASURE)
    reason = reason_of(found["A"])
    assert "would move the queue to the processors of " in reason, reason
    assert "transaction of USERS" in reason


def test_a_scenario_without_channels_says_that_they_are_unknown() -> None:
    head = 'name = "none"\nassume = "a test"\n[[control_unit]]\nname = "CU"\n'
    (answer,) = advised(head + pool("A", "CU", 1, BUSY) + MEASURE).values()
    assert any(caveat.startswith("the scenario has no channels") for caveat in answer.caveats)


def test_the_engine_accepts_the_scenario() -> None:
    assert Scenario.read(FULL.read_bytes(), FULL.name).view.channels[0].type == "FICON"
