"""Does the page say what dropped files are, and answer the questions that can be asked of them?"""

from __future__ import annotations

from pathlib import Path

from slicewright.measured.export import monwrite
from slicewright.run.run import run

from tests.serve.conftest import Served, Visit

FILE = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"


def _drop(visit: Visit, file: Path) -> str:
    visit.page.set_input_files("#choose", file)
    visit.page.wait_for_selector(".asked, .problems")
    return visit.page.inner_text("main")


def test_a_device_page_shows_its_volumes_and_its_question(visit: Visit) -> None:
    shown = _drop(visit, FILE)
    assert "Y032180H.txt is a DEVICE report" in shown
    assert "How many aliases does a pool of volumes need?" in shown
    visit.page.wait_for_selector("figure.started svg")


def test_the_question_of_a_device_page_is_answered_in_one_click(visit: Visit) -> None:
    _drop(visit, FILE)
    visit.page.click("text=Options")
    visit.page.fill('input[name="assume"]', "population=3, sharing=2%, redispatch=none")
    visit.page.click("button.primary")
    visit.page.wait_for_selector(".tools")
    assert "15 aliases for the pool of 522A-5231" in visit.page.inner_text("main")


def test_monitor_data_are_recognised(visit: Visit, tmp_path: Path, small: Path) -> None:
    file = tmp_path / "day.monwrite"
    file.write_bytes(monwrite(run(str(small))))
    assert "day.monwrite is monitor data" in _drop(visit, file)


def test_a_scenario_is_recognised(visit: Visit, small: Path) -> None:
    assert f"{small.name} is a scenario" in _drop(visit, small)


def test_a_scenario_with_problems_can_be_opened_and_mended(visit: Visit, tmp_path: Path, small: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(f"{small.read_text()}\nflavour = 1\n")
    assert "unknown key `flavour`" in _drop(visit, file)
    visit.page.click("text=Open as an experiment")
    visit.page.wait_for_selector("#tab-text:has-text('a problem')")


def test_a_file_of_no_known_kind_is_refused_with_what_is_missing(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear analyst\n")
    assert "no page that advise aliases reads" in _drop(visit, file)


def test_a_hostile_report_shows_as_text(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "<img src=x onerror=alert(1)>.txt"
    text = FILE.read_text().replace("BWPVS0", "<b>x</b>"[:6])
    file.write_text(f"{text}\n<script>alert(1)</script>\x1b[2J\n")
    _drop(visit, file)
    assert visit.page.locator("main img, main article script:not([type='application/json'])").count() == 0
    assert "<img src=x onerror=alert(1)>" in visit.page.inner_text("main")


def test_no_request_goes_elsewhere(visit: Visit, served: Served) -> None:
    _drop(visit, FILE)
    visit.page.wait_for_selector("figure.started svg")
    foreign = [address for address in visit.requests if not address.startswith((served.root, "blob:", "data:"))]
    assert len(visit.requests) > 5
    assert foreign == []


def test_a_newcomer_without_a_file_gets_a_published_report(visit: Visit) -> None:
    visit.page.click("text=Look at a published report")
    visit.page.wait_for_selector("figure.started svg")
    assert "Y032180H.txt is a DEVICE report" in visit.page.inner_text("main")


def test_monitor_data_offer_the_questions_that_their_records_answer(visit: Visit, tmp_path: Path, small: Path) -> None:
    file = tmp_path / "day.monwrite"
    file.write_bytes(monwrite(run(str(small))))
    assert "How many aliases does a pool of volumes need?" in _drop(visit, file)
    assert visit.page.locator(".question").count() == 1
    visit.page.click("text=Options")
    assert visit.page.locator('input[name="interval"]').count() == 1
