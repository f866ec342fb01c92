"""Is a result kept when its picture cannot be drawn, and is a picture drawn of the oddest values?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import vl_convert
from slicewright.report import drawing as figures
from slicewright.report.figure import Figure, Kind, Layout, Panel, Series

from tests.conftest import CommandLine

NAN, INF = math.nan, math.inf
X: dict[str, Sequence[float]] = {
    "none": [], "one": [3.0], "two at one place": [2.0, 2.0], "not a number": [NAN, 1.0], "infinite": [1.0, -INF],
}  # fmt: skip
Y: dict[str, float | None] = {
    "constant": 5.0,
    "zero": 0.0,
    "gap": None,
    "not a number": NAN,
    "infinite": INF,
    "tiny": 1e-320,
}
NOT_DRAWN = "This figure is not drawn: "


class PanicException(BaseException):
    """An error of a library in Rust that contradicts itself, which is no Exception."""


@pytest.mark.parametrize("kind", ["line", "steps", "points", "bars"])
@pytest.mark.parametrize("x", X)
def test_odd_values_are_drawn(kind: Kind, x: str) -> None:
    for name, y in Y.items():
        series = Series(X[x], [y] * len(X[x]), [y] * len(X[x]), kind=kind)
        assert NOT_DRAWN not in figures.html(Figure([Panel("Response, ms", [series])])), name


@pytest.mark.parametrize("layout", ["beside", "below", "rows"])
@pytest.mark.parametrize("titled", [False, True])
def test_panels_without_series_are_drawn(layout: Layout, titled: bool) -> None:
    for names in ((), ("DISK",)):
        empty = Panel("", [], title="Requests" if titled else "", names=names)
        full = Panel("ms", [Series([0], [1.0])], names=names)
        for panels in ([empty], [empty, empty], [empty, full], [full, empty]):
            assert NOT_DRAWN not in figures.html(Figure(panels, layout=layout))
            assert figures.svg(Figure(panels, layout=layout)).startswith("<svg")


@pytest.mark.parametrize("arrivals", ["0.00001/s", "0.0001/s", "0.001/s", "0.01/s"])
def test_a_run_with_almost_no_arrivals_is_kept(slicewright: CommandLine, tmp_path: Path, arrivals: str) -> None:
    (tmp_path / "mm1.toml").write_text(slicewright("new", "mm1").out)
    words = ["--set", f'guest.USERS.arrivals="{arrivals}"', "--replications", "2"]
    done = slicewright("run", tmp_path / "mm1.toml", *words, "--out", tmp_path / "out")
    assert done.status == 0, done.err
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert NOT_DRAWN not in page
    assert slicewright("report", tmp_path / "out", "--verify").status == 0


@pytest.fixture(
    params=[ValueError("Vega-Lite to SVG conversion failed:\nError: no such signal\n at x"), PanicException("gone")]
)
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A plotting library that draws nothing; the note on the page."""

    def fail(*given: object, **more: object) -> str:
        raise request.param

    for name in ("vegalite_to_svg", "vegalite_to_vega"):
        monkeypatch.setattr(vl_convert, name, fail)
    lines = str(request.param).splitlines()[:2]
    return NOT_DRAWN + ": ".join([type(request.param).__name__, *(line.rstrip(":") for line in lines)])


SETS = ["--set", "measure.interval=200 ms", "--set", "measure.warm_up=0 s", "--set", "measure.replications=2"]
COMMANDS = {
    "run": ["run", "{}", "--out", "{}.out"],
    "sweep": ["sweep", "{}", "--set", "alias_pool.POOL.aliases=0,1", "--out", "{}.out"],
    "choose": ["choose", "{}", "--knob", "alias_pool.POOL.aliases=0,1", "--minimise", "response_ms", "--out", "{}.out"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_results_are_written_without_their_picture(
    slicewright: CommandLine, small: Path, broken: str, command: str
) -> None:
    done = slicewright(*(word.format(small) for word in COMMANDS[command]), *SETS)
    assert done.status == 0, done.err
    out = small.with_name(f"{small.name}.out")
    assert broken in (out / "report.html").read_text("utf-8")
    assert sorted(out.rglob("*.parquet"))


def test_a_page_of_advice_is_written_without_its_picture(slicewright: CommandLine, small: Path, broken: str) -> None:
    page = small.with_name("advice.html")
    done = slicewright("advise", "aliases", small, "--html", page)
    assert done.status == 0, done.err
    assert broken in page.read_text("utf-8")


def test_a_picture_that_was_asked_for_by_itself_is_named(slicewright: CommandLine, small: Path, broken: str) -> None:
    done = slicewright("trace", small, "--for", "1 ms", "--out", small.with_name("a.svg"))
    assert done.status == 1
    assert done.err.startswith("error: the run failed: the picture is not drawn: ")


def test_a_notebook_has_the_note_too(broken: str) -> None:
    figure = Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])], caption="It falls.")
    for part in (figures.html(figure), figures.still(figure)):
        assert broken in part
        assert "<figcaption>It falls.</figcaption>" in part
    assert "<td>2</td>" in figures.html(figure)


def test_an_interrupt_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object, **more: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", interrupted)
    with pytest.raises(KeyboardInterrupt):
        figures.still(Figure([Panel("ms", [Series([0], [2.0])])]))
