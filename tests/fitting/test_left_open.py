"""Does a fit say what it could not identify, and does advice on its scenario hold the truth of known systems?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import slicewright as sw
from slicewright._core import Scenario, starter
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.report import document, reason_of
from slicewright.advise.aliases.request import AliasRequest
from slicewright.explore.guesses import Choice, guesses
from slicewright.fitting.fit import Fit
from slicewright.measured.export import monwrite
from slicewright.scenario.left_open import GIVEN, LeftOpen, doubts
from slicewright.statistics import significant

from tests.conftest import CommandLine

pytestmark = pytest.mark.usefixtures("simulated_once")

IO = '{ io = { volume = "VOLUME" } }'
MEASURED = {
    "measure.interval": "60 s", "measure.intervals": 8, "measure.sample": "0.2 s", "measure.replications": 1,
    "measure.warm_up": "1 s",
}  # fmt: skip
TRUTH = {"measure.interval": "20 s", "measure.intervals": 1, "measure.replications": 3, "measure.warm_up": "1 s"}


def closed(guests: int, think: str) -> str:
    return f'count = {guests}\nprogram = [ {{ think = {{ exponential = "{think}" }} }}, {IO} ]'


def arriving(rate: float, batch: int = 1) -> str:
    return f'arrivals = "{rate / batch}/s"\nbatch = {batch}\nprogram = [ {IO} ]'


def known(aliases: int, guests: Callable[[int], str], head: str = 'paths = 4\nsharing = "0 %"', own: str = "") -> str:
    """A pool of four volumes of which everything is known."""
    channels = [f'[[channel]]\nname = "4{at}"\nper_io = "0.35 ms"' for at in (0, 1) if "channels" in head]
    lines = ['name = "known"', 'assume = "a test"', *channels, "[[control_unit]]", 'name = "CU"', head]
    lines += ["[[alias_pool]]", 'name = "P"', f"aliases = {aliases}", own]
    connect = "0.4 ms" if channels else "0.8 ms"
    for at in range(4):
        lines += ["[[volume]]", f'name = "VOL00{at}"', f'device = "100{at}"', 'control_unit = "CU"']
        service = f'{{ pend = "0.2 ms", disconnect = "0.1 ms", connect = {{ exponential = "{connect}" }} }}'
        lines += ['alias_pool = "P"', f"service = {service}", "[[guest]]", f'name = "G{at}"']
        lines += [guests(at).replace("VOLUME", f"VOL00{at}")]
    return "\n".join(lines) + "\n"


SYSTEMS = {
    "new pool": (starter("pool"), "alias_pool.LSS-52.aliases"),
    "paths that slow": (
        known(3, lambda at: closed(4, "1 ms"), 'paths = 4\nsharing = "6 %"'), "alias_pool.P.aliases"
    ),
    "channels": (known(2, lambda at: closed(4, "1 ms"), 'channels = ["40", "41"]'), "alias_pool.P.aliases"),
    "open": (known(1, lambda at: arriving(550)), "alias_pool.P.aliases"),
    "batches": (known(2, lambda at: arriving(500, 4)), "alias_pool.P.aliases"),
    "other use of freed aliases": (
        known(3, lambda at: closed(5, "2 ms"), own='redispatch = "same-volume"'), "alias_pool.P.aliases"
    ),
    "uneven": (known(2, lambda at: closed((7, 4, 2, 1)[at], "2 ms")), "alias_pool.P.aliases"),
    "no aliases": (known(0, lambda at: closed(3, "1 ms"), 'paths = 4\nsharing = "4 %"'), "alias_pool.P.aliases"),
}  # fmt: skip
"""Systems by name: the scenario, and the key of its aliases."""


def pair(
    aliases: int, guests: Callable[[int], str], head: str = 'paths = 4\nsharing = "0 %"', own: str = "", **service: str
) -> str:
    """A pool of two volumes, which is quick to fit; `service` has other times than those of the other pools."""
    text = known(aliases, guests, head, own)
    whole, (first, second, *_) = text.partition("[[volume]]")[0], text.split("[[volume]]")[1:]
    text = "".join([whole, *(f"[[volume]]{part}" for part in (first, second))])
    for part, value in service.items():
        before = {
            "pend": 'pend = "0.2 ms"',
            "disconnect": 'disconnect = "0.1 ms"',
            "connect": '{ exponential = "0.8 ms" }',
        }
        text = text.replace(before[part], value if part == "connect" else f'{part} = "{value}"')
    return text


SMALL = {
    "two guests each": pair(1, lambda at: closed(2, "1 ms")),
    "many guests that think long": pair(2, lambda at: closed(12, "6 ms")),
    "no think time": pair(1, lambda at: f"count = 3\nprogram = [ {IO} ]"),
    "growth of 12 %": pair(1, lambda at: closed(4, "1 ms"), 'paths = 2\nsharing = "12 %"'),
    "growth of 3 % over eight paths": pair(2, lambda at: closed(4, "1 ms"), 'paths = 8\nsharing = "3 %"'),
    "first in, first out": pair(1, lambda at: closed(5, "2 ms"), own='redispatch = "pool-fifo"'),
    "long disconnect": pair(1, lambda at: closed(3, "1 ms"), disconnect="0.9 ms"),
    "constant connect": pair(1, lambda at: closed(4, "1 ms"), connect='"0.8 ms"'),
    "one open, one closed": pair(1, lambda at: (closed(4, "1 ms"), arriving(500))[at % 2]),
    "pairs from outside": pair(1, lambda at: arriving(500, 2)),
}
"""Ten more, smaller ones, whose truth is looked up at the recommendation alone."""


def fitted(text: str, folder: Path) -> Fit:
    file = folder / "day.monwrite"
    file.write_bytes(monwrite(sw.run(Scenario.read(text.encode(), "known").with_(MEASURED), seed=5), system="LAB1"))
    return sw.fit(file)


def advised(text: str) -> list[Answer]:
    return answer_scenario(text.encode(), "fit.toml", AliasRequest(at=(0, 6, 14)))


SLOW = ("paths that slow", "batches", "uneven", "no aliases")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in SYSTEMS])
def test_the_range_of_advice_on_a_fit_has_the_truth(name: str, tmp_path: Path) -> None:
    text, key = SYSTEMS[name]
    for answer in advised(fitted(text, tmp_path).text):
        assert answer.recommendation is not None
        # Far below the aliases that were measured (8 of the new pool) growth larger than any that is tried would show.
        holds(answer, Scenario.read(text.encode(), "known"), key, {answer.recommendation.aliases, 6, 14})


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_range_has_the_truth_of_ten_more(name: str, tmp_path: Path) -> None:
    (answer,) = advised(fitted(SMALL[name], tmp_path).text)
    assert answer.recommendation is not None, reason_of(answer)
    holds(
        answer, Scenario.read(SMALL[name].encode(), "known"), "alias_pool.P.aliases", {answer.recommendation.aliases, 6}
    )


def holds(answer: Answer, truth: Scenario, key: str, counts: set[int]) -> None:
    """The truth with these numbers of aliases lies in the range of the answer."""
    for aliases in sorted(counts):
        point = answer.point(aliases)
        assert point is not None
        system = sw.run(truth.with_({key: aliases, **TRUTH})).system
        for column in ("io_per_s", "response_ms"):
            assert point.low[column] <= system[column][0] <= point.high[column], (aliases, column)


def test_the_first_line_of_a_fit_names_what_it_could_not_identify(slicewright: CommandLine, tmp_path: Path) -> None:
    fitted(starter("pool"), tmp_path)
    said = slicewright("fit", tmp_path / "day.monwrite", "--out", tmp_path / "fit.toml")
    first = said.out.lstrip().splitlines()[0]
    assert first.startswith("The fit predicts ")
    assert "not identified: guests of 8 volumes; growth of service (pool-1); channels." in first
    assert slicewright("explain", tmp_path / "fit.toml").status == 0
    advice = slicewright("advise", "aliases", tmp_path / "fit.toml").out
    assert "one reading" not in advice
    first = " ".join(advice.split("aliases    I/O per s")[0].split())
    assert "Not identified by the fit: guests of 8 volumes; growth of service (pool-1); channels." in first
    made = json.loads(slicewright("advise", "aliases", tmp_path / "fit.toml", "--format", "json").out)
    made = made[0] if isinstance(made, list) else made
    caveats = json.dumps(made)
    assert "growth is not identified: 9.6" in caveats


def test_the_values_of_a_fit_are_not_the_quiet_end(tmp_path: Path) -> None:
    found = fitted(starter("pool"), tmp_path)
    left = LeftOpen.of(found.scenario)
    (growth,) = (value for value in left.open if value.value.startswith("growth"))
    (band,) = growth.ranges
    low, high = (float(end) for end in band.partition("=")[2].removesuffix(" %").split(".."))
    loads = left.loads(found.scenario)
    more = {"alias_pool.*.aliases": 14, **TRUTH}
    responses = {name: sw.run(load.with_(more)).system["response_ms"][0] for name, load in loads.items()}
    below = sum(response < responses[GIVEN] for response in responses.values())
    assert low < high
    # A reading with channels is none that is written, so that the one in the middle may be a neighbour.
    assert len(responses) / 4 < below < 3 * len(responses) / 4, responses


def test_every_reading_has_the_load_that_was_measured(tmp_path: Path) -> None:
    found = fitted(SYSTEMS["channels"][0], tmp_path)
    loads = LeftOpen.of(found.scenario).loads(found.scenario)
    assert any(len(load.view.channels) != len(found.scenario.view.channels) for load in loads.values())
    measured = found.evidence.groups[0].rate.sum(axis=1).mean()
    for name, load in loads.items():
        assert sw.run(load.with_(TRUTH)).system["io_per_s"][0] == pytest.approx(measured, rel=0.08), name


def test_commands_that_take_a_fitted_scenario_range_over_its_readings(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "fit.toml"
    fitted(SYSTEMS["open"][0], tmp_path).save(file)
    short = ("--set", "measure.interval=2 s", "--set", "measure.replications=2")
    alone = slicewright("run", file, *short)
    assert "other readings reproduce the measured intervals as well: see run --readings" in " ".join(alone.out.split())
    several = slicewright("run", file, *short, "--readings", "--format", "json")
    rows = json.loads(several.out)["readings"]
    left = LeftOpen.of(Scenario.read(file.read_bytes(), "fit.toml"))
    assert [row["reading"] for row in rows] == ["the scenario", *(reading.name for reading in left.readings)]
    means = [row["response_ms"] for row in rows]
    said = " ".join(slicewright("run", file, *short, "--readings").out.split())
    assert f"Over {len(rows)} readings: response_ms {significant(min(means))} to {significant(max(means))}" in said
    knob = ("--knob", "alias_pool.*.aliases=1,3", "--minimise", "aliases", "--subject-to", "response_ms <= 100")
    chosen = " ".join(slicewright("choose", file, *knob, *short).out.split())
    assert f"Over the {len(rows)} readings of the fit: cost 1.00 to 1.00; response_ms" in chosen


OPEN = """
[[open]]
value = "growth of service (CU)"
why = "a test"
range = "control_unit.CU.sharing=0..8 %"

[[reading]]
name = "growth"
set = 'control_unit.CU.sharing="8 %"'
"""


def test_sensitivity_starts_from_the_range_and_has_the_answer_of_each_reading() -> None:
    text = known(1, lambda at: closed(3, "1 ms")) + OPEN
    found = guesses(Scenario.read(text.encode(), "known"), Choice()).vary
    (sharing,) = (guess for guess in found if guess.key == "control_unit.CU.sharing")
    assert (sharing.axis.low, sharing.axis.high, sharing.number) == (0, 8, 0)
    others = [guess.key for guess in found if guess is not sharing]
    short = {"measure.interval": "1 s", "measure.warm_up": "100 ms", "measure.replications": 2}
    answer = sw.sensitivity(text, fix=others, trajectories=2, samples=32, set=short)
    assert list(answer.answer.readings) == [GIVEN, "growth"]
    assert answer.answer.readings["growth"].mean > answer.answer.readings[GIVEN].mean
    assert "response_ms over 2 readings of the fit: " in str(answer)


def test_a_load_that_no_model_reproduces_gets_no_recommendation(tmp_path: Path) -> None:
    text = known(2, lambda at: arriving(400, (1, 6, 12, 1)[at]))
    for answer in advised(fitted(text, tmp_path).text):
        assert "no load that the fit tried reproduces the intervals" in reason_of(answer)
        assert document(answer)["recommendation"] is None
        assert "does not predict" in answer.warning


def test_a_fit_that_does_not_say_what_is_open_gets_no_recommendation(tmp_path: Path) -> None:
    found = fitted(SYSTEMS["no aliases"][0], tmp_path).text
    (answer,) = advised(found.partition("[fit]")[0])
    assert "an earlier version wrote it" in reason_of(answer)
    assert answer.needed == ("slicewright fit of the same data writes it again, with its readings",)


def test_a_reading_of_a_volume_that_is_gone_is_refused() -> None:
    reading = '\n[[reading]]\nname = "one guest more"\nset = "guest.GONE.count=4"\n'
    with pytest.raises(sw.InputError, match="the reading `one guest more` does not apply") as caught:
        advised(known(1, lambda at: arriving(100)) + reading)
    (problem,) = caught.value.problems
    assert problem["key"] == "reading.1.set"
    assert "GONE" in problem["why"]


def test_a_scenario_that_was_not_fitted_has_one_reading() -> None:
    (answer,) = advised(known(1, lambda at: closed(3, "1 ms")) + '[measure]\ninterval = "1 min"\n')
    assert answer.facts[0] == "the scenario gives the load: one reading"
    assert not answer.warning
    assert not answer.ranged


TWO = """

[[open]]
value = "channels"
why = "not in the records"

[[reading]]
name = "quick"
set = 'volume.VOL001.service.connect.exponential="1 ms"'

[[reading]]
name = "NAME"
set = 'volume.VOL001.service.connect.exponential="2 ms"'
"""


@pytest.mark.parametrize("name", ["quick", "given"])
def test_no_reading_takes_the_place_of_another_one(name: str) -> None:
    scenario = Scenario.read((starter("mm1") + TWO.replace("NAME", name)).encode(), "two.toml")
    with pytest.raises(sw.InputError) as refused:
        LeftOpen.of(scenario).loads(scenario)
    assert refused.value.problems[0]["key"] == "reading.2.name"


def test_what_simulates_the_scenario_alone_names_the_readings_that_it_does_not_have(tmp_path: Path) -> None:
    text = starter("mm1") + TWO.replace("NAME", "slow")
    quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    made = sw.sweep(text, ["guest.USERS.arrivals=400/s,500/s"], out=tmp_path / "store", set=quick)
    assert "2 other readings" in str(made)
    assert "2 other readings" in "".join(doubts(Scenario.read(text.encode(), "two.toml")))


def test_readings_of_a_scenario_that_nobody_fitted_claim_nothing(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "mm1.toml").write_text(starter("mm1"))
    done = slicewright("run", str(tmp_path / "mm1.toml"), "--readings", "-q", "--set", 'measure.interval="1 s"')
    assert "The scenario names no value that is open." in done.out
    assert "Not identified" not in done.out
