"""The adopted form of the HiperDispatch study: is it the declared one, with the declared roles, and counted apart?"""

from collections import Counter
from functools import partial

import pytest
from slicewright.report.html import render
from slicewright.results.judge import Cell
from slicewright.statistics import Estimate
from slicewright.study.calibrate import Constants
from slicewright.study.hiperdispatch import MODES, STUDY, Case, Mode
from slicewright.study.judge import Judge, Kept, Reproduction, Request
from slicewright.study.pages import run_title
from slicewright.study.points import Budget

from tests.tidy.tree import ROOT

BUDGET = Budget(replications=2, most=2, interval_s=1, warm_up_s=0.0)
FORMS = ("first", "adopted")
NOTHING = Estimate(0.0, 0.0, 2)


@pytest.fixture(scope="module")
def kept() -> Kept:
    """The simulations of the full reproduction, of both forms."""
    return Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8"))


@pytest.fixture(scope="module")
def result(kept: Kept) -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(kept)


def scored(form: str) -> list[Cell]:
    """The scored cells of a form, without anything simulated."""
    judge = Judge(STUDY, form=form)
    cells = [judge.cell(number, NOTHING) for number in judge.published]
    return [cell for cell in cells if cell.ruling.scored]


def test_every_cell_is_informed_and_ten_are_predicted_in_the_first_form() -> None:
    roles = Counter((cell.ruling.role, cell.place.table[:6]) for cell in scored("adopted"))
    assert roles == {("informed", "figure"): 15, ("informed", "table1"): 18}
    assert Counter(cell.ruling.role for cell in scored("first")) == {"predicted": 10, "informed": 23}


def test_bands_are_those_of_the_first_form() -> None:
    first, adopted = ([cell.ruling.band for cell in scored(form)] for form in FORMS)
    assert first == adopted


@pytest.mark.parametrize("mode", MODES)
def test_one_rule_differs_and_only_in_horizontal_mode(mode: Mode) -> None:
    own = STUDY.constants()
    case = partial(STUDY.scenario, Case("figure2", 24, mode), budget=BUDGET)
    first, adopted = (case(constants=Constants(form, own.of, own.scales)) for form in FORMS)
    assert (first == adopted) == (mode != "H")
    assert first.replace('horizontal_stealing = "global"', 'horizontal_stealing = "free"') == adopted or mode != "H"


def test_the_gain_of_light_tiles_grows_with_n(kept: Kept) -> None:
    assert kept.other["figure2", "gain_percent", "n=16"].mean < kept.other["figure2", "gain_percent", "n=24"].mean


def test_gains_of_saturated_processors_grow_with_n_as_in_the_first_form(kept: Kept) -> None:
    gains = [kept.other["figure4", "gain_percent", f"n={n}"].mean for n in (8, 16, 24, 32)]
    assert gains == sorted(gains)


def test_both_forms_are_listed_and_counted_apart(result: Reproduction) -> None:
    assert [cell.place for cell in result.cells] == [cell.place for cell in result.adopted]
    matches = [sum(cell.verdict == "matches" for cell in cells) for cells in (result.cells, result.adopted)]
    last = STUDY.summary(result).splitlines()[-4:-2]
    assert last[0].startswith(f"In all     first form: {matches[0]} of 33 match")
    assert last[1].startswith(f"           adopted form: {matches[1]} of 33 match")


def test_the_document_has_the_adopted_cells_beside_those_of_the_first_form(result: Reproduction) -> None:
    document = result.to_json()
    wanted = ("predicted", "informed")
    assert Counter(cell["role"] for cell in document["cells"] if cell["role"] in wanted) == {
        "predicted": 10,
        "informed": 23,
    }
    found = Counter(row["role"] for row in document["adopted"] if row["role"] in wanted)
    assert found == {"informed": 33}


def test_a_run_of_the_adopted_form_says_so() -> None:
    assert run_title(STUDY.spec(), "adopted figure2") == "Adopted form, figure 2: 16 light tiles, low T/V, on a zEC12"


def test_the_page_lists_the_cells_of_both_forms(result: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(STUDY), "lines", lambda study, progress: {})
    text = render(STUDY.page(result, Request(quick=True)))
    assert text.count(">informed<") == 23 + 33 + 33 + 31
    assert text.count(">predicted<") == 10
