"""Does a plan find the cheapest set that holds, name what limits the machine, and refuse what it cannot use?"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import pytest
import slicewright as package
from slicewright._core import InputError, Scenario
from slicewright.experiment import store
from slicewright.explore import places
from slicewright.explore.plan import Plan, plan
from slicewright.explore.purchases import purchases_of
from slicewright.explore.requirements import factors, growth_of, requirements_of
from slicewright.explore.sweep import sweep

from tests.conftest import CommandLine
from tests.plan.example import two_channels

ALIASES = ["alias_pool.LSS60.aliases=+1..4 at 5 each", "alias_pool.LSS61.aliases=+1..4 at 5 each"]
CHANNELS = "channel.*.type=FICON Express8S at 100"
ORDERS = "orders transaction_ms <= 4.5"
QUICK = {"measure.interval": "1 s", "measure.warm_up": "100 ms"}
POOL = "alias_pool.*.aliases"


@functools.cache
def channels() -> Plan:
    """The plan for orders that grow by a tenth behind channels that are nearly full."""
    return plan(two_channels(), [*ALIASES, CHANNELS], ORDERS, growth="*=20%")


@functools.cache
def pool(price: int = 5, growth: int = 40, least: str = "2.6") -> Plan:
    """The plan for a pool whose guests grow."""
    buy = [f"{POOL}=+1..8 at {price} each"]
    return plan(package.starter("pool"), buy, f"system response_ms <= {least}", growth=f"*={growth}%", set=QUICK)


def cost(found: Plan) -> float:
    return math.inf if found.answer.chosen is None else found.answer.chosen.cost


def problems(*, buy: Any = (CHANNELS,), require: Any = (ORDERS,), growth: Any = ()) -> list[dict[str, Any]]:
    with pytest.raises(InputError) as raised:
        plan(two_channels(), buy, require, growth=growth)
    return raised.value.problems


def test_the_plan_buys_channels_where_aliases_make_the_transaction_slower() -> None:
    document = channels().document()
    assert [each["key"] for each in document["recommended"]["purchases"]] == ["channel.*.type"]
    assert document["recommended"]["cost"] == 100
    assert document["recommended"]["probability"] >= 0.95
    assert document["busiest"]["today"]["kind"] == document["busiest"]["grown"]["kind"] == "channel"
    (need,) = document["requirements"]
    assert need["holds"]
    assert need["after"]["mean"] < min(need["today"]["mean"], need["grown"]["mean"]) / 2
    helps = {each["key"]: each["helps"] for each in document["alone"]}
    assert helps["channel.*.type"] == "yes"
    assert helps["alias_pool.LSS60.aliases"] != "yes"


def test_every_guest_and_volume_is_shown_before_and_after() -> None:
    parts = {each["name"]: each for each in channels().document()["parts"]}
    assert len(parts) == 12 + 10 + 1
    assert parts["ORDERS"]["kind"] == "guest"
    assert all(each["after"]["mean"] < each["grown"]["mean"] for each in parts.values())


def test_the_front_falls_from_nothing_to_the_largest_set() -> None:
    front = channels().document()["front"]
    assert (front[0]["cost"], front[0]["purchases"]) == (0, [])
    assert [each["cost"] for each in front] == sorted(each["cost"] for each in front)
    responses = [each["response_ms"]["mean"] for each in front]
    assert responses == sorted(responses, reverse=True)


def test_the_numbers_are_those_of_runs() -> None:
    found = channels()
    assert found.answer.chosen is not None
    again = package.run(found.answer.machines.scenario(found.answer.chosen.setting), seed=1, replications=10)
    mean = again["guests"].filter(again["guests"]["guest"] == "ORDERS")["transaction_ms"][0]
    assert found.document()["requirements"][0]["after"]["mean"] == pytest.approx(mean, rel=1e-6)


def test_a_cheaper_price_never_makes_the_set_dearer() -> None:
    assert cost(pool(price=3)) <= cost(pool(price=5)) < math.inf


def test_more_growth_is_never_cheaper() -> None:
    costs = [cost(pool(growth=growth)) for growth in (0, 20, 40, 80)]
    assert costs == sorted(costs)
    assert costs[0] < costs[2]


def test_the_order_of_purchases_changes_no_byte() -> None:
    buy = [*ALIASES, CHANNELS]
    one, other = (plan(two_channels(), order, ORDERS, growth="*=20%") for order in (buy, buy[::-1]))
    assert json.dumps(one.document()) == json.dumps(other.document())
    assert str(one) == str(other)


def test_no_cheaper_set_holds() -> None:
    found = pool()
    chosen = found.answer.chosen
    assert chosen is not None
    assert chosen.cost > 0
    (level,) = chosen.setting
    fewer = package.run(found.answer.machines.scenario((level - 1,)), seed=1, replications=10)
    assert fewer["system"]["response_ms"][0] > 2.6


def test_growth_is_of_rates_and_of_counts() -> None:
    from slicewright.scenario.starters import read_starter

    grown = plan(read_starter("two-pools").resolved, ["alias_pool.BATCH.aliases=+1 at 1"], "jobs cycle_ms <= 90",
                 growth=["users=10%", "JOBS=40%"], set=QUICK)  # fmt: skip
    guests = {guest.name: guest for guest in grown.answer.machines.scenario((0,)).view.guests}
    assert guests["USERS"].arrivals_per_s == 440
    assert guests["JOBS"].count == 11


def test_a_word_can_be_priced_and_the_next_limit_is_named() -> None:
    found = channels().document()
    assert found["purchases"][-1]["values"] == ["FICON Express8S"]
    assert found["purchases"][-1]["from"] == "FICON"
    assert found["next"] is None  # a pool of one alias delays the jobs, and never the orders
    following = pool().document()["next"]
    assert following["growth_percent"] >= 40
    assert following["resource"] or following["requirement"]


def test_what_no_set_holds_says_what_forbids_it_and_what_would_hold() -> None:
    found = plan(two_channels(), ALIASES, "orders transaction_ms <= 4.9", growth="*=60%").document()
    assert found["recommended"] is None
    assert "Channel 4" in found["why_not"]
    assert "against 4.90" in found["why_not"]
    assert "% growth, not 60 %" in found["why_not"]


def test_a_machine_that_cannot_serve_its_arrivals_says_so() -> None:
    scenario = package.starter("mm1").replace('arrivals = "500/s"', 'arrivals = "1100/s"')
    found = plan(scenario, ["volume.DISK.aliases=1..2 at 5 each"], "system response_ms <= 3", set=QUICK)
    assert "arrivals ask for 110 %" in str(found)
    assert found.document()["recommended"]["cost"] == 5


def test_a_class_grows_with_its_machines_and_its_paging() -> None:
    scenario = site()
    (growth,) = growth_of(["@office=50%"], scenario)
    assert growth.guests == ("USERS", "PAGING")
    grown = scenario.grown_by(factors([growth])).view
    assert {each.name: each.count for each in grown.virtual_machines} == {"WEB": 4, "DB": 1, "CMS": 60}
    assert {each.name: each.reads_per_s for each in grown.pagings} == {"PAGING": 1350, "SPOOLING": 20}


def test_a_class_that_is_not_there_is_refused_with_those_that_are() -> None:
    scenario = site()
    with pytest.raises(InputError, match="no guest is of the class `@offices`") as raised:
        growth_of(["@offices=50%"], scenario)
    assert raised.value.problems[0]["nearest"] == "@office"


def test_a_requirement_on_a_class_is_one_on_each_of_its_guests() -> None:
    scenario = site()
    found = requirements_of(["@orders transaction_ms <= 40"], scenario)
    assert [each.text for each in found] == ["ORDERS transaction_ms <= 40", "QUERIES transaction_ms <= 40"]
    with pytest.raises(InputError, match="no guest is of the class `@order`") as raised:
        requirements_of(["@order transaction_ms <= 40"], scenario)
    assert raised.value.problems[0]["nearest"] == "@orders"


def site() -> Scenario:
    """A whole z/VM machine, with classes, paging and volumes that count up."""
    return Scenario.read(package.starter("site-zvm").encode(), "site-zvm")


def test_a_count_of_numbered_volumes_is_priced_from_what_is_there() -> None:
    (found,) = purchases_of(["volume.PAGE[00..].count=5..6 at 50 each"], site())
    assert (found.words, found.now) == ("count of volume PAGE[00..]", "4")
    assert [level.cost for level in found.levels] == [0, 50, 100]


def test_a_pattern_is_priced_by_what_it_names_and_contradicts_its_parts() -> None:
    (found,) = purchases_of(["alias_pool.LSS-7*.aliases=+1 at 5 each"], site())
    assert [level.cost for level in found.levels] == [0, 10]
    with pytest.raises(InputError, match=r"both change alias_pool.LSS-70.aliases"):
        purchases_of(["alias_pool.LSS-7*.aliases=+1 at 5 each", "alias_pool.LSS-70.aliases=4 at 5"], site())


def test_a_limit_of_a_container_has_its_present_value_and_its_name() -> None:
    scenario = Scenario.read(package.starter("container-limits").encode(), "limits")
    (found,) = purchases_of(["cgroup.web.cpu.max=150 ms 100 ms,200 ms 100 ms at 10"], scenario)
    assert (found.words, found.now) == ("cpu.max of group web", "100 ms 100 ms")


def test_a_load_that_reproduces_nothing_measured_gets_no_recommendation() -> None:
    fitted = (
        '\n[fit]\npredicts = "yes"\nreproduces = "no"\n\n[[open]]\nvalue = "channels"\nwhy = "not in the records"\n'
    )
    found = plan(package.starter("pool") + fitted, [f"{POOL}=+1..2 at 5 each"], "system response_ms <= 9", set=QUICK)
    document = found.document()
    assert document["recommended"] is None
    assert "no load that the fit tried reproduces" in document["why_not"]
    assert {"kind": "open", "text": "channels: not in the records"} in document["findings"]
    assert found.scenario is None
    assert "No recommendation" in str(found)


def test_a_requirement_on_what_the_machine_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="has no value in any run"):
        plan(package.starter("apache-spin"), ["cec.processors=10 at 5"], "max(volumes.*.response_ms) <= 50", set=QUICK)


def test_a_plan_tells_of_paging_that_grows() -> None:
    quick = {"measure.interval": "200 ms", "measure.warm_up": "50 ms"}
    buy = ["volume.PAGE[00..].count=6 at 50 each"]
    found = plan(package.starter("site-zvm"), buy, "PAGE00 response_ms <= 9", growth="@office=50%", set=quick)
    assert "PAGE00 response_ms <= 9" in str(found)


def test_a_first_list_comes_before_the_plan_and_costs_fall() -> None:
    told: list[dict[str, Any]] = []
    buy = [f"{POOL}=+1..8 at 5 each"]
    found = plan(
        package.starter("pool"), buy, "system response_ms <= 2.6", growth="*=40%", set=QUICK, first=told.append
    )
    assert [each["cost"] for each in told] == sorted((each["cost"] for each in told), reverse=True)
    assert (told[0]["cost"], told[-1]["cost"]) == (40, cost(found))
    assert told[0]["words"] == "aliases of every pool 8 -> 16"
    assert told[0]["purchases"][0]["key"] == POOL


def test_a_plan_takes_the_replications_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brief = {"measure.interval": "100 ms", "measure.warm_up": "50 ms"}
    simulated: list[str] = []
    own = store.simulated_tables

    def counted(scenario: Scenario, part: store.Part, progress: Any = None) -> Any:
        simulated.append(scenario.checksum)
        return own(scenario, part, progress)

    with store.using(tmp_path):
        aliases = {"alias_pool.LSS-52.aliases": [8, 9]}
        swept = sweep(package.starter("pool"), aliases, out=tmp_path / "swept", set=brief)
        monkeypatch.setattr(places, "simulated_tables", counted)
        found = plan(package.starter("pool"), [f"{POOL}=9 at 5"], "system response_ms <= 2.1", set=brief)
    machines = found.answer.machines
    assert machines.scenario((0,)).checksum not in simulated
    assert machines.scenario((1,)).checksum not in simulated
    assert simulated  # other values of guesses
    assert found.answer.today.left[0].mean() == pytest.approx(swept.points["system.response_ms"][0])


@pytest.mark.slow
def test_workers_of_dask_change_nothing_but_the_time() -> None:
    pytest.importorskip("distributed")
    buy = [f"{POOL}=+1..8 at 5 each"]
    there = plan(package.starter("pool"), buy, "system response_ms <= 2.6", growth="*=40%", set=QUICK, on="local:1")
    assert json.dumps(there.document()) == json.dumps(pool().document())


def test_a_directory_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match=r"holds letters\.txt, which is none of ours"):
        plan(two_channels(), [CHANNELS], ORDERS, out=tmp_path)
    assert (tmp_path / "letters.txt").read_text("utf-8") == "mine"


def test_all_problems_are_listed_at_once() -> None:
    buy = ["channel.*.type=FICON Express8S", "channel.99.type=FICON at 5", "alias_pool.LSS60.aliases=1 at 5",
           "alias_pool.*.aliases=+2 at 5 each", "alias_pool.LSS61.aliases=9 at 5"]  # fmt: skip
    found = problems(buy=buy, require=["orders transactoin_ms <= 1", "noone response_ms <= 1"], growth=["NOONE=3%"])
    said = "; ".join(f"{each['key']}: {each['what']}" for each in found)
    assert "`channel.*.type=FICON Express8S` has no price" in said
    assert "no channel is called `99`" in said
    assert "alias_pool.LSS60.aliases: changes nothing: the scenario has 1" in said
    assert "contradicts `alias_pool.*.aliases`: both change alias_pool.LSS61.aliases" in said
    assert "no guest is called `NOONE`" in said
    assert {each["nearest"] for each in found} >= {"transaction_ms"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"buy": ()}, "nothing can be bought"),
        ({"buy": ("channel.*.type=FICON Express8S at -1",)}, "`-1` is no price"),
        ({"buy": ("channel.*.type=FICON Express8S at 5 per",)}, "`per` after the price"),
        ({"buy": ("channel.*.type=+1 at 5",)}, "`+1` of `FICON`"),
        ({"buy": (CHANNELS, "channel.*.type=FICON Express8S at 9")}, "has two prices: 9 and 100"),
        ({"require": ()}, "nothing is required"),
        ({"require": ("orders transaction_ms < 5",)}, "`orders transaction_ms < 5`"),
        ({"growth": ("orders",)}, "`orders` is no growth"),
        ({"growth": ("ORDERS=-100%",)}, "leaves nothing"),
        ({"growth": ("JOBS*=10%", "*=20%")}, "grows by"),
    ],
)
def test_wrong_input_is_refused(given: dict[str, Any], said: str) -> None:
    assert any(said in f"{each['what']} {each['why']}" for each in problems(**given))


def test_purchases_of_the_file_are_those_of_the_command_line() -> None:
    tables = "".join(
        f'\n[[purchase]]\nkey = "{key}"\nvalues = "{values}"\nprice = {price}\nper = "{per}"\n'
        for key, values, price, per in (
            ("alias_pool.LSS60.aliases", "+1..4", 5, "each"), ("alias_pool.LSS61.aliases", "+1..4", 5, "each"),
            ("channel.*.type", "FICON Express8S", 100, "flat"),
        )
    )  # fmt: skip
    found = plan(two_channels() + tables, (), ORDERS, growth="*=20%")
    assert json.dumps(found.document()) == json.dumps(channels().document())
    with_tables, without = (Scenario.read(text.encode(), "a") for text in (two_channels() + tables, two_channels()))
    assert with_tables.checksum == without.checksum


def test_a_set_has_to_hold_under_every_reading() -> None:
    reading = (
        '\n[fit]\npredicts = "yes"\nreproduces = "yes"\n\n[[reading]]\nname = "more guests"\nset = "guest.*.count=5"\n'
    )
    alone, both = (
        plan(package.starter("pool") + more, [f"{POOL}=+1..16 at 5 each"], "system response_ms <= 1.9", set=QUICK)
        for more in ("", reading)
    )
    assert cost(alone) < cost(both)
    (need,) = both.document()["requirements"]
    assert need["after"]["low"] < need["after"]["high"]
    assert len(both.document()["readings"]) == 2


def test_many_combinations_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    found = plan(two_channels(), [*ALIASES, CHANNELS], ORDERS, growth="*=20%", trials=24)
    assert found.answer.searched
    assert cost(found) == 100
    assert "Optuna" in str(found)


def test_the_command_prints_json_and_writes_what_it_found(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "machine.toml"
    file.write_text(two_channels(), encoding="utf-8")
    out = tmp_path / "plan"
    words = ["plan", str(file), "--buy", CHANNELS, "--require", ORDERS, "--growth", "*=20%", "--format", "json"]
    done = slicewright(*words, "--out", str(out), "--quiet")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert found["recommended"]["cost"] == 100
    assert json.loads((out / "plan.json").read_text()) == found
    again = Scenario.read((out / "recommended.toml").read_bytes(), "recommended.toml")
    assert again.view.channels[0].type == "FICON Express8S"
    assert "<html" in (out / "report.html").read_text()
    assert slicewright("plan", str(file), "--buy", "a=1 at 1", "--require", ORDERS).status == 2


def test_a_day_is_fitted_and_planned(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "pool.toml").write_text(package.starter("pool"), encoding="utf-8")
    day = tmp_path / "day.monwrite"
    short = ("--set", "measure.interval=20 s", "--set", "measure.intervals=4", "--set", "measure.sample=0.2 s")
    run = slicewright("run", tmp_path / "pool.toml", *short, "--replications", "1", "--out", tmp_path / "run")
    assert run.status == 0
    assert slicewright("report", tmp_path / "run", "--format", "monwrite", "--out", day).status == 0
    found = plan(day, ["alias_pool.*.aliases=+2 at 5 each"], "max(volumes.*.response_ms) <= 4").document()
    assert found["recommended"]["cost"] == 0
    assert len(found["readings"]) > 1
