"""Timelines of a session: their recording, windows of them, the longest waits, and holders by name."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from slicewright._core import Scenario, span_s, starter, starters, timeline
from slicewright.serve.answers import JSONResponse
from slicewright.serve.drops import Drops
from slicewright.serve.tasks import Reporter, Task
from slicewright.values.errors import problem, refusal

if TYPE_CHECKING:
    from slicewright.scenario.replay import Recording
    from slicewright.timeline.kept import Asked, Kept, Tables


_MOST_KEPT = 4
"""Timelines of a session; one of a busy interval has some hundreds of megabytes."""
_MOST_PIXELS = 4096
_MOST_LANES = 256
"""Lanes of one window."""
_MOST_WAITS = 100
"""Waits of one list, and names of another."""


class Timelines:
    """The recorded timelines, each in a folder that the worker process has written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._used: list[str] = []
        self._open: dict[str, Kept] = {}
        self._reach: dict[str, list[str]] = {}
        self._held = threading.Lock()

    def place(self, source: Mapping[str, Any], reach: list[str], start: str, length: str) -> Path:
        """The folder of a timeline that is to be recorded from a source, which may read these files."""
        name = hashlib.sha256(json.dumps([source, start, length]).encode()).hexdigest()[:16]
        with self._held:
            self._used = [*(each for each in self._used if each != name), name]
            for old in self._used[:-_MOST_KEPT]:
                self._open.pop(old, None)
                shutil.rmtree(self._folder / old, ignore_errors=True)
            self._used = self._used[-_MOST_KEPT:]
            self._reach = {each: self._reach[each] for each in self._used if each in self._reach} | {name: reach}
        return self._folder / name

    def reach(self, name: str) -> list[str]:
        """The files that the source of a recorded timeline may read."""
        return self._reach.get(name, [])

    def of(self, name: str) -> Kept:
        """A recorded timeline; raises InputError where there is none of that name."""
        from slicewright.timeline.kept import Kept

        with self._held:
            if name not in self._used or not (self._folder / name).is_dir():
                raise refusal(problem("there is no such timeline", key="timeline", remedy="record it again"))
            if name not in self._open:
                self._open[name] = Kept(self._folder / name)
            return self._open[name]


def prepared(timelines: Timelines, drops: Drops, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a task of timelines with the folders that it needs; raises InputError."""
    rest = {name: value for name, value in arguments.items() if name in ("about", "name")}
    if "timeline" in arguments:
        name = str(arguments["timeline"])
        kept = timelines.of(name)
        ends = {name: _finite(arguments.get(name), name) for name in ("from_us", "to_us")}
        return rest | ends | {"folder": str(kept.folder), "reach": timelines.reach(name)}
    if isinstance(arguments.get("text"), str):
        source: dict[str, Any] = {"text": arguments["text"]}
        reach: list[str] = []
    else:
        drop = drops.of(str(arguments.get("drop", "")))
        if not drop.names:
            raise refusal(problem("the drop has no file", key="drop"))
        reach = drops.reach(drop)
        source = {"folder": str(drop.folder), "names": drop.paths(), "states": [_state(path) for path in reach]}
    start, length = (str(arguments.get(name) or "").strip() for name in ("start", "length"))
    into = timelines.place(source, reach, start, length)
    return rest | {"reach": reach, "source": source, "start": start, "length": length, "into": str(into)}


def _state(path: str) -> list[int]:
    """Length and time of a file: one that was changed since is another source."""
    try:
        state = os.stat(path)  # noqa: PTH116  a name as it came
    except OSError:
        return []
    return [state.st_size, state.st_mtime_ns]


def _of(request: Request) -> Kept:
    found: Timelines = request.app.state.session.timelines
    return found.of(request.path_params["timeline"])


def _starters(request: Request) -> Response:
    rows = [{"name": name, "what": what, "text": starter(name)} for name, what in starters()]
    return JSONResponse({"starters": rows})


def _window(request: Request) -> Response:
    """The facts of a timeline; with `from`, a window of it."""
    kept = _of(request)
    if "from" in request.query_params:
        asked = _asked(request, kept)
        found = kept.window(asked)
        return Response(_packed(kept, asked, found), media_type="application/octet-stream")
    return JSONResponse({**kept.facts, "lanes": kept.lane_facts()})


def _waits(request: Request) -> Response:
    """The longest waits; with `from`, those in a window."""
    kept = _of(request)
    asked = _asked(request, kept) if "from" in request.query_params else None
    first = _whole(request, "first", 0, 1 << 40, 0)
    return JSONResponse(kept.longest(asked, first, _whole(request, "count", 0, _MOST_WAITS, 10)))


def _near(request: Request) -> Response:
    """The next span of a lane or of a holder, or the one before."""
    kept, query = _of(request), request.query_params
    lane = _whole(request, "lane", 0, len(kept.lanes) - 1) if "lane" in query else None
    holder = _whole(request, "holder", 0, 1 << 31) if "holder" in query else None
    found = kept.near(_number(request, "at"), lane=lane, holder=holder, back=query.get("side") == "before")
    return JSONResponse({"span": found})


def _holders(request: Request) -> Response:
    """Holders by a part of their name."""
    kept = _of(request)
    found = kept.numbers("holder", request.query_params.get("name", ""), 20)
    return JSONResponse({"holders": [{"number": number, "name": kept.text("holder", number)} for number in found]})


def _perfetto_file(request: Request) -> Response:
    """The window that was last written for Perfetto."""
    file = _of(request).folder / "perfetto.json"
    if not file.is_file():
        raise refusal(problem("no window was written", key="timeline"))
    return FileResponse(file, media_type="application/json")


ROUTES = [
    Route("/timelines", _starters),
    Route("/timelines/{timeline}", _window),
    Route("/timelines/{timeline}/waits", _waits),
    Route("/timelines/{timeline}/near", _near),
    Route("/timelines/{timeline}/holders", _holders),
    Route("/timelines/{timeline}/perfetto.json", _perfetto_file),
]


def _packed(kept: Kept, asked: Asked, tables: Tables) -> bytes:
    """A window as bytes: the length of a head in JSON, the head, and the columns, each from a multiple of 8 on."""
    import numpy as np

    head: dict[str, Any] = {"bin_us": asked.width_us, "columns": []}
    first = math.floor(max(0.0, asked.from_us - kept.from_us) / asked.width_us)
    head["first_us"] = kept.from_us + first * asked.width_us
    parts, at = [], 0
    for table, columns in tables.items():
        for name, column in columns.items():
            own = column.astype(np.float64) if column.dtype == np.int64 else column
            data = own.tobytes()
            head["columns"].append([table, name, own.dtype.name, at, len(own)])
            parts.append(data + bytes(-len(data) % 8))
            at += len(parts[-1])
    holders = [tables[table]["holder"] for table in ("spans", "waits", "bins")]
    for name, used in (("holder", np.concatenate(holders)), ("why", tables["waits"]["why"])):
        numbers = [int(number) for number in np.unique(used) if number >= 0]
        head[name] = {number: kept.text(name, number) for number in numbers}
    text = json.dumps(head).encode()
    text += b" " * (-(len(text) + 8) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def _asked(request: Request, kept: Kept) -> Asked:
    from slicewright.timeline.kept import Asked

    from_us, to_us = _number(request, "from"), _number(request, "to")
    if not from_us < to_us:
        raise refusal(problem("the window has no length", key="to", allowed="an instant after `from`"))
    first, _, last = request.query_params.get("lanes", f"0-{min(len(kept.lanes), _MOST_LANES) - 1}").partition("-")
    if (
        not (first.isdecimal() and last.isdecimal() and int(first) <= int(last))
        or int(last) - int(first) >= _MOST_LANES
    ):
        raise refusal(problem("not lanes", key="lanes", allowed=f"first-last, up to {_MOST_LANES} of them"))
    lanes = range(int(first), min(int(last) + 1, len(kept.lanes)))
    pixels = _whole(request, "pixels", 1, _MOST_PIXELS, 1024)
    holder = _whole(request, "holder", 0, 1 << 31) if "holder" in request.query_params else None
    return Asked(from_us, to_us, pixels, lanes, holder)


def _number(request: Request, key: str) -> float:
    try:
        return _finite(float(request.query_params.get(key, "")), key)
    except ValueError as error:
        raise refusal(problem("not a number", key=key, allowed="microseconds")) from error


def _finite(value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise refusal(problem("not a number", key=key, allowed="microseconds"))
    return float(value)


def _whole(request: Request, key: str, least: int, most: int, default: int | None = None) -> int:
    text = request.query_params.get(key, "" if default is None else str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise refusal(problem(f"out of range: {text or '(none)'}", key=key, allowed=f"{least:,} to {most:,}"))
    return int(text)


_WARMED_UP, _SIMULATED, _SORTED = 0.1, 0.6, 0.75
"""Shares of the work that are done after each step."""


def _record(
    reporter: Reporter, into: str, source: dict[str, Any], start: str = "", length: str = "", **about: Any
) -> dict[str, Any]:
    """Record a timeline of replication 0 into a folder; without a length it is a whole interval.

    Raises InputError and RunError.
    """
    from slicewright.timeline.kept import Gathering, keep
    from slicewright.timeline.stretch import check_stretch

    place, unfinished = Path(into), Path(f"{into}.part")
    made = {"timeline": place.name}
    if place.is_dir():
        return made
    world, seed, warm_up_s = _world(source)
    from_s = span_s(start, "from") if start else 0.0
    interval_s = float(world.measure["interval_s"])
    check_stretch(world, from_s, span_s(length, "for") if length else None)
    left_s = interval_s * int(world.measure["intervals"]) - from_s
    for_s = span_s(length, "for") if length else min(interval_s, left_s)
    if warm_up_s is None:
        warm_up_s, _ = world.warm_up(seed, lambda share: reporter.progress(share * _WARMED_UP))
    gathering = Gathering()
    rest = timeline(
        world, (seed, 0), warm_up_s, (from_s, for_s),
        lambda share: reporter.progress(_WARMED_UP + share * (_SIMULATED - _WARMED_UP)), gathering.take,
    )  # fmt: skip
    gathered = gathering.whole(rest)
    reporter.progress(_SORTED)
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    facts = {
        "name": world.name, "seed": seed, "replication": 0, "warm_up_s": warm_up_s,
        "asked_to_us": (from_s + for_s) * 1e6,
    }  # fmt: skip
    keep(gathered, unfinished, facts, lambda share: reporter.progress(_SORTED + share * (1 - _SORTED)))
    (unfinished / "source.json").write_text(json.dumps(source), "utf-8")
    unfinished.rename(place)
    return made


def _perfetto(reporter: Reporter, folder: str, from_us: float, to_us: float, **about: Any) -> dict[str, Any]:
    """Write a window of a recorded timeline as `slicewright trace --out` writes it; raises InputError and RunError."""
    from slicewright.timeline.events import trace_text
    from slicewright.timeline.stretch import check_stretch, stretch
    from slicewright.values.files import write_whole

    place = Path(folder)
    facts = json.loads((place / "facts.json").read_text("utf-8"))
    world, seed, _ = _world(json.loads((place / "source.json").read_text("utf-8")))
    from_s, for_s = from_us / 1e6, (to_us - from_us) / 1e6
    check_stretch(world, from_s, for_s)
    made = stretch(world, (seed, 0), facts["warm_up_s"], (from_s, for_s), reporter.progress)
    write_whole(place / "perfetto.json", trace_text(made).encode())
    return {"timeline": place.name}


def _world(source: dict[str, Any]) -> tuple[Scenario, int, float | None]:
    """The scenario of a text, of a file or of a simulated run, with its seed; of a run the warm-up is known."""
    from slicewright.measured.loading import load
    from slicewright.run.run import Run
    from slicewright.scenario.replay import ready_to_run, resupplied

    if "text" in source:
        # One line would be taken as the name of a file.
        return ready_to_run(str(source["text"]).encode()).scenario, 1, None
    os.chdir(source["folder"])
    name = _only(source["names"])
    if not Path(name).is_dir():
        return ready_to_run(Path(name)).scenario, 1, None  # a name of two lines, as text, would be a scenario
    run = load(name)
    if not isinstance(run, Run):
        raise refusal(problem("a measured run has no timeline", file=name, allowed="a scenario or a simulated run"))
    recordings: Sequence[Recording] = run.recordings
    return resupplied(Scenario.read(run.scenario.encode(), name), recordings), run.seed, run.warm_up_s


def _only(names: Sequence[str]) -> str:
    """The scenario among dropped files: files that it names may lie beside it."""
    scenarios = [name for name in names if name.endswith(".toml")]
    return scenarios[0] if len(scenarios) == 1 else names[0]


TASKS: dict[str, Task] = {
    "record": Task(_record, "long", "timeline"),
    "perfetto": Task(_perfetto, reads="timeline"),
}
