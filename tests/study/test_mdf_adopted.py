"""The adopted form of the 580/MDF study: is it the declared one, with the declared roles, and is it counted apart?"""

import re
import tomllib
from collections import Counter
from typing import Any

import pytest
from slicewright.report.html import render
from slicewright.report.text import WIDTH
from slicewright.results.judge import Cell
from slicewright.study.judge import NOTHING, Estimates, Judge, Kept, Reproduction, Request
from slicewright.study.mdf import IMS, PROGRAMS, STUDY, Case, Value, dealt, derived
from slicewright.study.pages import run_title
from slicewright.study.points import Budget

from tests.conftest import CommandLine
from tests.study.reproductions import Reproductions
from tests.tidy.tree import ROOT

STANDARD_ERRORS = 5
TABLE_1 = {"table1.ims", "table1.tso"}
BUSY_TSO = {"table2.TSO-CC1", "table2.TSO-CC2"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The scenario of the adopted form, read."""
    return tomllib.loads(STUDY.scenario(Case(3), STUDY.constants("adopted"), Budget()))


@pytest.fixture
def quick(reproductions: Reproductions) -> Reproduction:
    """Both forms, reproduced quickly."""
    return reproductions.of("mdf")


@pytest.fixture(scope="module")
def kept() -> Estimates:
    """The simulations of the full reproduction of the adopted form."""
    return Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")).other


def change(kept: Estimates, value: Value) -> tuple[float, float]:
    """The gain of a value from parameter 1 to 5, and its standard error."""
    first, last = (kept[*value, column] for column in ("sched1", "sched5"))
    return last.mean - first.mean, (first.half_width**2 + last.half_width**2) ** 0.5 / 2


def scored(form: str) -> list[Cell]:
    """The scored cells of a form, without anything simulated."""
    judge = Judge(STUDY, form=form)
    cells = [judge.cell(number, NOTHING) for number in judge.published]
    return [cell for cell in cells if cell.ruling.scored]


def choices(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Where a program of IMS goes."""
    terminals = next(guest for guest in document["guest"] if guest["name"] == "terminals")
    inside: list[dict[str, Any]] = terminals["program"][2]["steps"][0]["steps"][0]["steps"][1]["choose"]
    return inside


def test_thirty_three_cells_are_informed_and_twenty_predicted() -> None:
    assert Counter(cell.ruling.role for cell in scored("adopted")) == {"informed": 33, "predicted": 20}
    assert Counter(cell.ruling.role for cell in scored("first")) == {"predicted": 53}


def test_what_no_variant_was_meant_for_is_predicted() -> None:
    predicted = {cell.place.table for cell in scored("adopted") if cell.ruling.role == "predicted"}
    assert predicted == TABLE_1 | BUSY_TSO


def test_every_cell_of_the_growing_form_is_informed() -> None:
    assert Counter(cell.ruling.role for cell in scored("growing")) == {"informed": 53}


def test_bands_are_those_of_the_first_form() -> None:
    first, *others = ([(cell.ruling.band, cell.ruling.must) for cell in scored(form)] for form in STUDY.spec().forms)
    assert others == [first, first]


def test_surges_of_the_growing_form_are_what_arrives_while_the_domain_is_off() -> None:
    ordinary = STUDY.committed("ims_growing").constants["messages"]
    etr = STUDY.spec().document["table3"]["ims"]["external_transactions_per_s"]["sched1"]
    for parameter, off_s in ((1, 0.030), (3, 0.020), (5, 0.010)):
        (front_end,) = tomllib.loads(STUDY.scenario(Case(parameter), STUDY.constants("growing"), Budget()))["front_end"]
        assert front_end["messages"] == ordinary
        assert front_end["first_messages"] == pytest.approx(ordinary + etr * off_s, abs=1e-6)


def test_the_growing_form_differs_from_the_adopted_one_in_the_front_end_and_what_was_fitted() -> None:
    texts = [tomllib.loads(STUDY.scenario(Case(3), STUDY.constants(form), Budget())) for form in ("adopted", "growing")]
    assert texts[0]["partition"] == texts[1]["partition"]
    users = [next(guest for guest in text["guest"] if guest["name"] == "users") for text in texts]
    assert users[0] == users[1]


def test_every_volume_of_ims_is_offered_the_share_that_was_derived(document: dict[str, Any]) -> None:
    offered: Counter[str] = Counter()
    for choice in choices(document):
        io = choice["steps"][0]["io"]
        if "own" in io:
            members = sum(io["own"].values())
            assert members == PROGRAMS
            offered.update({name: choice["weight"] * programs / members for name, programs in io["own"].items()})
        else:
            listed = io.get("uniform") or [io["volume"]]
            offered.update({name: choice["weight"] / len(listed) for name in listed})
    hot = {name: disk.share for name, disk in derived().hot.items()}
    others = [name for name in offered if name not in hot]
    assert len(others) == STUDY.committed("ims_adopted").constants["volumes"]
    assert sum(offered.values()) == pytest.approx(1, abs=5e-6)
    assert {name: offered[name] for name in hot} == pytest.approx(hot, abs=1e-6)
    each = (1 - sum(hot.values())) / len(others)
    assert [offered[name] for name in others] == pytest.approx([each] * len(others), abs=1e-6)


def test_programs_keep_to_their_own_volumes_for_as_much_as_was_fitted(document: dict[str, Any]) -> None:
    own = [choice["weight"] for choice in choices(document) if "own" in choice["steps"][0]["io"]]
    assert own == pytest.approx([STUDY.committed("ims_adopted").constants["own"] / 100])


def test_the_variants_are_in_it_as_they_were_declared(document: dict[str, Any]) -> None:
    reload = {partition["name"]: partition.get("reload") for partition in document["partition"]}
    assert reload == {"PEMDFI": None, "PEMDFT": "0.3 ms"}
    assert [front_end["first_messages"] for front_end in document["front_end"]] == [2]
    assert [front_end["messages"] for front_end in document["front_end"]] == [
        STUDY.committed("ims_adopted").constants["messages"]
    ]


def test_nothing_of_them_is_in_the_first_form() -> None:
    text = STUDY.scenario(Case(3), STUDY.constants(), Budget())
    assert not re.search(r"reload|first_messages|own =", text)


def test_a_volume_gets_its_share_when_simulated() -> None:
    point = STUDY.simulate(Case(1, (IMS,)), STUDY.constants("adopted"), Budget(10, 10, 400, 300))
    rate, total = point.estimate(("table2.IMS-C23", "rate_per_s")), point.estimate(("figure8.ims", "io_per_s"))
    error = rate.half_width / 2
    assert abs(rate.mean - derived().hot["C23"].share * total.mean) <= STANDARD_ERRORS * error


def test_every_program_has_a_volume_and_a_hot_one_has_several() -> None:
    found = dealt([("C23", 0.0362), ("8C2", 0.0352), *((f"DB{number}", 0.9286 / 65) for number in range(65))], 0.6)
    assert sum(volume.programs for volume in found) == PROGRAMS
    assert [volume.programs for volume in found[:2]] == [4, 3]
    assert {volume.programs for volume in found[2:]} == {1, 2}


def test_where_own_programs_alone_give_too_much_nothing_else_goes_there() -> None:
    few, many = dealt([("A", 0.004), ("B", 0.996)], 0.9), dealt([("A", 0.006), ("B", 0.994)], 0.9)
    assert [volume.programs for volume in few] == [0, 100]
    assert [volume.programs for volume in many] == [1, 99]
    assert many[0].other == 0


@pytest.mark.parametrize(
    ("busy", "domain"), [("IMS-C23", "ims"), ("IMS-8C2", "ims"), ("TSO-CC1", "tso"), ("TSO-CC2", "tso")]
)
def test_iosq_falls_with_the_slices_and_most_on_busy_devices(kept: Estimates, busy: str, domain: str) -> None:
    own, error = change(kept, (f"table2.{busy}", "iosq_ms"))
    mean, mean_error = change(kept, (f"table1.{domain}", "iosq_ms"))
    assert mean < -STANDARD_ERRORS * mean_error
    assert own < mean - STANDARD_ERRORS * (error + mean_error) / 2


def test_tso_slows_down_a_little_with_shorter_slices(kept: Estimates) -> None:
    slower, error = change(kept, ("table4.tso", "response_s"))
    assert slower > STANDARD_ERRORS * error
    fewer, error = change(kept, ("table4.tso", "external_transactions_per_s"))
    assert fewer < -STANDARD_ERRORS * error


def test_both_forms_are_reproduced_and_counted_apart(quick: Reproduction) -> None:
    places = [number.place for number in STUDY.published(STUDY.spec()) if number.place.column in ("sched3", "sched5")]
    assert [cell.place for cell in quick.cells] == [cell.place for cell in quick.adopted] == places
    own = sum(cell.verdict == "matches" for cell in quick.cells)
    adopted = [cell for cell in quick.adopted if cell.verdict == "matches"]
    informed = sum(cell.ruling.role == "informed" for cell in adopted)
    last = STUDY.summary(quick).splitlines()[-2:]
    assert last[0] == f"In all     first form: {own} of 53 match, all predicted"
    assert last[1].startswith(
        f"           adopted form: {len(adopted)} of 53 match ({informed} of them informed, of 33;"
    )


def test_the_document_has_the_adopted_cells_beside_those_of_the_first_form(quick: Reproduction) -> None:
    document = quick.to_json()
    assert Counter(cell["role"] for cell in document["cells"]) == {"predicted": 53}
    assert Counter(cell["role"] for cell in document["adopted"]) == {"informed": 33, "predicted": 20}


def test_text_has_both_forms_the_first_one_first(reproduced: Reproductions, slicewright: CommandLine) -> None:
    done = slicewright("reproduce", "mdf", "--quick")
    titles = [run_title(STUDY.spec(), run) for run in ("sched3", "sched5", "adopted sched3", "adopted sched5")]
    assert [line for line in done.out.splitlines() if "cheduling parameter " in line] == titles
    assert max(map(len, done.out.splitlines())) <= WIDTH


def test_the_page_lists_the_cells_of_both_forms(quick: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(STUDY), "lines", lambda study, progress: {})
    text = render(STUDY.page(quick, Request(quick=True)))
    assert text.count(">informed<") == 33
    assert text.count(">predicted<") == 53 + 20
