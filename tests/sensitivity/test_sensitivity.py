"""Are guesses varied within bands that are scenarios, simulated once, and is what they change what `advise` says?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright
from slicewright._core import starter
from slicewright.advise.questions import named
from slicewright.experiment.simulations import seeded
from slicewright.explore import guesses as points
from slicewright.explore.guesses import Choice, Ends, _Recommended, _recommended, ends, guesses
from slicewright.explore.sensitivity import Sensitivity, sensitivity
from slicewright.scenario.starters import read_starter

from tests.conftest import CommandLine
from tests.sensitivity.example import FIXED, QUICK

SERVICE = "volume.DISK.service.connect.exponential"
THINK = "guest.*.program.1.think"


def quick(out: Path, **more: Any) -> Sensitivity:
    """Two guesses of M/M/1, one of which moves nothing."""
    given: dict[str, Any] = {"set": QUICK, "fix": FIXED, "within": "20%", "trajectories": 2, "samples": 32}
    return sensitivity(starter("mm1"), out=out, **(given | more))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sensitivity]:
    """A sensitivity that was left alone, and its directory."""
    out = tmp_path_factory.mktemp("whole") / "out"
    return out, quick(out)


def test_the_ends_of_a_queue_are_those_of_its_formula(tmp_path: Path) -> None:
    longer = {"measure.interval": "60 s", "measure.warm_up": "1 s"}
    fix = [*FIXED, "guest.USERS.program.1.io.reads"]
    found = quick(tmp_path / "out", set=longer, fix=fix).effects.row(0, named=True)
    assert (found["key"], found["low"], found["high"]) == ("guest.USERS.arrivals", 400, 600)
    # M/M/1 with service of 1 ms: the response is 1 / (1 - rate).
    assert found["response_ms_low"] == pytest.approx(1 / 0.6, rel=0.05)
    assert found["response_ms_high"] == pytest.approx(1 / 0.4, rel=0.05)
    assert found["effect"] == pytest.approx(1 / 0.4 - 1 / 0.6, rel=0.2)


def test_a_guess_without_effect_has_none(whole: tuple[Path, Sensitivity]) -> None:
    row = whole[1].effects.row(1, named=True)
    assert (row["key"], row["effect"], row["noise"]) == ("guest.USERS.program.1.io.reads", 0, 0)
    assert not row["distinguishable"]


def test_points_are_never_simulated_again(whole: tuple[Path, Sensitivity], monkeypatch: pytest.MonkeyPatch) -> None:
    out, first = whole
    page = (out / "report.html").read_bytes()

    def never(*given: object) -> None:
        raise AssertionError("a point is simulated again")

    monkeypatch.setattr(sys.modules["slicewright.explore.places"], "measured", never)
    assert str(quick(out)) == str(first)
    assert (out / "report.html").read_bytes() == page


def test_what_is_cut_short_is_resumed(tmp_path: Path, whole: tuple[Path, Sensitivity]) -> None:
    def stop(share: float) -> None:
        if share > 0.05:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(tmp_path / "cut", progress=stop)
    some = pl.read_parquet(tmp_path / "cut" / "points" / "parts" / "*.parquet").height
    assert 0 < some < whole[1].answer.points
    assert str(quick(tmp_path / "cut")) == str(whole[1])


def test_bands_are_inside_the_bounds_and_their_ends_are_scenarios() -> None:
    scenario = read_starter("zvm")
    found = guesses(scenario, Choice())
    by_key = {guess.key: guess for guess in found.vary}
    assert by_key["partition.ZVM.logical_processors"].axis.high == 8
    assert by_key["partition.ZVM.logical_processors"].narrowed
    for guess in found.vary:
        assert guess.role in ("assumed", "borrowed", "default")
        for share in (0.0, 1.0):
            scenario.with_([guess.axis.changes(guess.at(share))])
    assert any(why.startswith("cec.machine zEC12: not a number") for why in found.left_out)
    assert not any(guess.key.startswith("measure.") for guess in found.vary)


def test_a_band_can_be_given_and_a_guess_be_fixed() -> None:
    choice = Choice(vary=(f"{THINK}=0.2..0.5 ms", "volume.*.service.pend=0.1..0.4 ms"), fix=("volume.*.gap",))
    by_key = {guess.key: guess for guess in guesses(read_starter("pool"), choice).vary}
    assert (by_key[THINK].axis.low, by_key[THINK].axis.high, by_key[THINK].now) == pytest.approx((0.2, 0.5, 1 / 3))
    assert by_key["volume.*.service.pend"].role == "input"  # varied because it was asked for
    assert "volume.*.gap" not in by_key


@pytest.mark.parametrize(
    ("choice", "what"),
    [
        (Choice(vary=("guest.*.program.1.thimk=1..2 ms",)), "no such number: guest.*.program.1.thimk"),
        (Choice(vary=(f"{THINK}=1..2 s",)), "has the unit s"),
        (Choice(vary=(f"{THINK}=1..2 ms",)), "does not contain the value"),
        (Choice(vary=(THINK,)), "is no band"),
        (Choice(vary=(f"{THINK}=0.1..2 ms", f"{THINK}=0.1..3 ms")), "is given twice"),
        (Choice(vary=(f"{THINK}=0.1..2 ms",), fix=(THINK,)), "is both varied and fixed"),
        (Choice(fix=("volume.*.gapp",)), "no such number: volume"),
    ],
)
def test_a_choice_that_is_none_is_refused(choice: Choice, what: str) -> None:
    with pytest.raises(slicewright.InputError) as refused:
        guesses(read_starter("pool"), choice)
    assert any(what in problem["what"] for problem in refused.value.problems)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--samples", "33"), "no power of two"),
        (("--samples", "16"), "samples"),
        (("--within", "50"), "not a share"),
        (("--question", "aliasses"), "no such question"),
        (("--question", "limits"), "cannot be asked of this scenario"),
        (("--of", "volumez.response_ms"), "no such table"),
        (("--of", "volumes.response"), "no such counter"),
        (("--of", "volumes.NONE.response_ms"), "no such row"),
    ],
)
def test_a_wrong_option_is_refused(slicewright: CommandLine, small: Path, words: tuple[str, ...], what: str) -> None:
    said = slicewright("sensitivity", small, *words)
    assert (said.status, said.out) == (2, "")
    assert what in said.err


def test_a_directory_with_something_else_is_refused(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    said = slicewright("sensitivity", small, "--out", tmp_path)
    assert said.status == 2
    assert "it holds letter.txt" in said.err


def test_a_load_that_cannot_be_served_is_refused() -> None:
    with pytest.raises(slicewright.InputError, match="no answer is steady"):
        sensitivity(starter("mm1"), set={"guest.USERS.arrivals": "1200/s"})


def test_without_the_extra_the_answer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib", None)
    with pytest.raises(slicewright.InputError, match="SALib is not installed") as refused:
        sensitivity(starter("mm1"))
    assert "slicewright[sensitivity]" in str(refused.value)


def test_a_recommendation_is_that_of_advise(small: Path) -> None:
    scenario = slicewright.scenario(small)
    choice = Choice(vary=("guest.GUEST.program.1.think=0.1..2 ms",))
    think = [guess for guess in guesses(scenario, choice).vary if guess.key == "guest.GUEST.program.1.think"]
    found = ends(named("aliases"), scenario, think, lambda share: None)
    (pair,) = found.of
    for share, end in zip((0.0, 1.0), pair, strict=True):
        changed = scenario.with_([think[0].axis.changes(think[0].at(share))])
        answer = slicewright.advise("aliases", [_written(changed.resolved)]).document
        assert end.number == answer["recommendation"]["aliases"]
    with seeded(3):
        assert found.now[2] == _recommended(named("aliases"), scenario)


def test_an_end_changes_the_recommendation_only_beyond_what_seeds_do() -> None:
    now = tuple(_Recommended(str(count), float(count)) for count in (14, 15, 14, 14))
    within, beyond = _Recommended("15", 15.0), _Recommended("17", 17.0)
    found = Ends("aliases", now, ((within, within), (within, beyond), (within, _Recommended("", why="refused"))))
    assert [found.changes(at) for at in range(3)] == [False, True, True]
    assert [found.moved(at) for at in range(3)] == [0, 2, 0]
    assert found.noise == "14 or 15"
    words = Ends("yields", (_Recommended("x9c"),) * 4, ((_Recommended("x9c"), _Recommended("never")),))
    assert words.changes(0)


def test_an_answer_is_chosen_by_its_table_and_row() -> None:
    scenario = read_starter("mm1").with_(["measure.interval=1 s", "measure.warm_up=0 s"])
    short, quantity = points.shortened(scenario, (), 4, "guests.USERS.cycles_per_s")
    assert (quantity.table, quantity.entity, quantity.counter) == ("guests", "USERS", "cycles_per_s")
    assert short.measure["replications"] == 1


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _written(text: str) -> Path:
    path = Path("scenario.toml")
    path.write_text(text)
    return path
