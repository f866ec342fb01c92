"""Does the page say what dropped files are, and answer the questions that can be asked of them?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from slicewright.measured.export import monwrite
from slicewright.run.run import run

from tests.serve.conftest import Served, Visit, until

Starting = Callable[..., Served]
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
    visit.page.wait_for_selector("#tab-text:has-text('1 problem')")


def test_a_file_of_no_known_kind_is_refused_with_what_is_missing(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear analyst\n")
    assert "no page of devices" in _drop(visit, file)


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


def test_a_click_on_an_interval_asks_about_it_alone(visit: Visit, tmp_path: Path, small: Path) -> None:
    file = tmp_path / "day.monwrite"
    changes = {"measure.interval": "2 s", "measure.intervals": 3, "measure.replications": 1}
    file.write_bytes(monwrite(run(str(small), set=changes)))
    _drop(visit, file)
    visit.page.wait_for_selector("figure.started svg")
    visit.page.evaluate("document.dispatchEvent(new CustomEvent('point', {detail: '2'}))")
    assert visit.page.input_value('input[name="interval"]') == "2"
    assert visit.page.locator('input[name="interval"]').is_visible()


def test_back_keeps_what_was_typed(visit: Visit) -> None:
    _drop(visit, FILE)
    visit.page.click("text=Options")
    visit.page.fill('input[name="growth"]', "20 apples")
    visit.page.click("button.primary")
    visit.page.click("main >> text=Back")
    visit.page.wait_for_selector(".question")
    assert visit.page.input_value('input[name="growth"]') == "20 apples"
    assert visit.page.locator('input[name="growth"]').is_visible()


def test_a_drop_and_one_of_its_files_can_be_removed(visit: Visit, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear analyst\n")
    visit.page.set_input_files("#choose", [FILE, letter])
    visit.page.wait_for_selector(".asked")
    assert "Files that cannot be read" in visit.page.inner_text("main")
    visit.page.click("text=Look at one of its 2 files alone")
    visit.page.click('button[aria-label="Remove letter.txt"]')
    until(visit.page, "!document.querySelector('.problems') && document.querySelector('.asked')")
    visit.page.click("text=Files")
    cards = visit.page.locator(".cards li")
    cards.first.wait_for()
    before = cards.count()
    visit.page.locator(".cards li:has-text('Y032180H.txt') button").first.click()
    until(visit.page, f"document.querySelectorAll('.cards li').length === {before - 1}")


def test_a_removed_drop_is_gone_from_the_disk_and_a_named_file_stays(tmp_path: Path, starting: Starting) -> None:
    named = tmp_path / "mine.txt"
    named.write_bytes(FILE.read_bytes())
    served = starting(named)
    (given,) = served.ask("GET", "/state").json["drops"]
    assert served.ask("DELETE", f"/drops/{given['id']}").status == 204
    assert named.read_bytes() == FILE.read_bytes()
    own = served.drop({"a.txt": b"a", "b.txt": b"b"})
    assert served.ask("DELETE", f"/drops/{own}/..%2f..").status == 422
    assert served.ask("DELETE", f"/drops/{own}/a.txt").status == 204
    assert [each["names"] for each in served.ask("GET", "/state").json["drops"]] == [["b.txt"]]
    assert served.ask("DELETE", f"/drops/{own}").status == 204
    assert served.ask("DELETE", f"/drops/{own}").status == 422
    assert served.ask("GET", "/state").json["drops"] == []
