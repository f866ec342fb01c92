"""Does an answer show first what is recommended, how sure that is, what it gains and what would settle it?"""

from __future__ import annotations

from pathlib import Path

from tests.serve.conftest import Served, Visit

ROOT = Path(__file__).parents[2]
FILE = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
POOLS = ROOT / "tests" / "advise" / "two_full_pools.toml"


def _asked(visit: Visit, known: str) -> None:
    visit.page.set_input_files("#choose", FILE)
    visit.page.click("text=Options")
    visit.page.fill('input[name="assume"]', known)
    visit.page.click("button.primary")
    visit.page.wait_for_selector(".glance figure.started svg")


def test_the_number_is_the_largest_thing_of_an_answer(visit: Visit) -> None:
    _asked(visit, "population=3, sharing=2%, redispatch=none")
    number = visit.page.locator(".verdict .number b")
    assert number.inner_text() == "15"
    assert visit.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.number b')).fontSize)") > 40
    shown = visit.page.inner_text(".verdict")
    assert "14 to 15 over all loads that fit these data" in shown
    assert "3.73 -> 1.48 ms" in shown
    assert "What would settle it: a DEVICE report of the same load" in shown
    bottom = "(() => document.querySelector('.glance figure svg').getBoundingClientRect().bottom <= innerHeight)()"
    assert visit.page.evaluate(bottom), "the figure is not on the first screen"


def test_the_rest_is_folded_and_complete(visit: Visit) -> None:
    _asked(visit, "population=3, sharing=2%, redispatch=none")
    assert visit.page.locator("table:visible").count() == 0
    visit.page.click("text=Tables, readings, evidence and caveats")
    visit.page.wait_for_selector("h2:has-text('Caveats')")
    assert visit.page.locator("table:visible").count() >= 2


def test_nothing_recommended_is_a_sentence_and_no_number(served: Served) -> None:
    drop = served.drop({"pools.toml": POOLS.read_bytes()})
    found = served.done("ask", drop=drop, question="aliases", options={"at": ["2"]})["result"]
    for answer in found["answers"]:
        assert (answer["value"], answer["range"]) == ("", None)
        assert answer["lead"].startswith("No recommendation for the pool of")
        assert "--" not in answer["settles"] + answer["lead"]
