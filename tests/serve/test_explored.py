"""Are a sweep, a choice and the guesses of a scenario asked for with forms of their declared options?"""

from __future__ import annotations

from typing import Any

import pytest
from slicewright._core import starter

from tests.serve.conftest import Served, Visit

QUICK = ["measure.interval=1 s", "measure.warm_up=0 s", "measure.replications=2"]
ASKED: dict[str, dict[str, Any]] = {
    "sweep": {"set": ["alias_pool.*.aliases=0,8"]},
    "choose": {"knob": ["alias_pool.*.aliases=0,8"], "minimise": "aliases", "subject_to": ["response_ms <= 3"]},
    "sensitivity": {"vary": ["guest.*.program.1.think=0.2..0.4 ms"], "trajectories": "2", "samples": "32"},
}


@pytest.mark.parametrize("command", ASKED)
def test_each_is_answered_at_a_glance(served: Served, command: str) -> None:
    asked = {"command": command, "text": starter("pool"), "changes": QUICK, "options": ASKED[command]}
    found = served.done("explore", **asked)
    assert found["problems"] == []
    (answer,) = found["result"]["answers"]
    assert answer["lead"]
    assert answer["rest"]


def test_fields_have_the_words_bounds_and_defaults_of_the_declaration(served: Served) -> None:
    forms = {form["name"]: {each["name"]: each for each in form["options"]} for form in served.done("forms")["result"]}
    assert set(forms) == set(ASKED)
    assert forms["choose"]["confidence"]["default"] == "95%"
    assert forms["choose"]["minimise"]["required"]
    assert "Allowed: 2 to 1,000,000." in forms["sweep"]["points"]["help"]
    assert forms["sweep"]["design"]["choices"] == ["grid", "sobol", "latin"]
    assert "repeated" not in str(forms)
    assert not {"out", "on", "quiet", "format", "scenario"} & {name for each in forms.values() for name in each}


@pytest.mark.parametrize(
    "options", [{"out": "/tmp/elsewhere"}, {"set": ["alias_pool.*.aliases=0,8"], "points": "many"}]
)
def test_what_the_page_does_not_offer_or_the_option_does_not_take_is_refused(
    served: Served, options: dict[str, Any]
) -> None:
    found = served.done("explore", command="sweep", text=starter("pool"), changes=QUICK, options=options)
    assert found["state"] == "refused"


def test_a_sweep_is_asked_from_the_experiment_and_back_keeps_it(visit: Visit) -> None:
    visit.page.goto(f"{visit.page.url.partition('#')[0]}#/experiment/from/mm1")
    visit.page.click("text=Ask about many settings")
    form = visit.page.locator(".more form").first
    form.locator("summary").click()
    form.locator(".picker").select_option(label="Guest USERS: arrivals")
    proposed = form.locator('input[name="set"]').input_value()
    assert proposed.startswith("guest.USERS.arrivals=")
    form.locator("button.primary").click()
    visit.page.wait_for_selector(".glance")
    visit.page.click("text=Back to the question")
    visit.page.click("text=Ask about many settings")
    assert visit.page.locator('.more form input[name="set"]').first.input_value() == proposed


def test_the_cheapest_setting_is_asked_for_in_words_and_back_keeps_them(visit: Visit) -> None:
    visit.page.goto(f"{visit.page.url.partition('#')[0]}#/experiment/from/mm1")
    visit.page.click("text=Ask about many settings")
    form = visit.page.locator(".more form").nth(1)
    form.locator('input[name="knob"]').fill("guest.USERS.arrivals=400..490:45/s")
    least = form.locator('select[aria-label="Make least"]')
    least.select_option("a setting that is tried")
    form.locator("text=Add a bound").click()
    form.locator('select[aria-label="Must hold"]').select_option("volume DISK")
    form.locator('input[aria-label="Must hold: number"]').fill("9")
    form.locator("button.primary").click()
    visit.page.wait_for_selector(".glance")
    lead = visit.page.inner_text(".verdict")
    assert "volume DISK mean response at most 9 ms" in lead
    visit.page.click("text=Back to the question")
    visit.page.click("text=Ask about many settings")
    assert least.input_value() == "a setting that is tried"
    assert form.locator('input[aria-label="Must hold: number"]').input_value() == "9"
