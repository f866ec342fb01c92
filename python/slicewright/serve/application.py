"""The application: the routes of the page, of dropped files and of jobs, behind the rules of admission."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from slicewright._core import InputError, __version__, schema
from slicewright.serve.admission import Admission, Patience, Rules, late
from slicewright.serve.answers import FULL, JSONResponse, of_system, well_formed
from slicewright.serve.drops import LARGEST, Drops, beside, offered, remove, text_drop, text_of
from slicewright.serve.jobs import Jobs
from slicewright.serve.timelines import ROUTES, Timelines, prepared
from slicewright.serve.working import LANES, TASKS
from slicewright.values import codec
from slicewright.values.errors import problem, refusal

_PAGE = Path(__file__).parent / "page"
_EXAMPLE = "Y032180H.txt"
"""A published DEVICE report: eight volumes that wait, and no aliases."""
_LARGEST_JSON = 4 << 20
"""Bytes of a request that is no file; a scenario has at most one mebibyte."""


@dataclass
class _Session:
    """The state of one server: what was dropped, and what was asked."""

    drops: Drops
    timelines: Timelines
    jobs: Jobs


def application(rules: Rules, folder: Path, given: Sequence[Path] = (), prefix: str = "") -> Starlette:
    """The server's application; all that it writes is in `folder`, and `given` is what the page shows first."""

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        jobs = Jobs(LANES, folder)
        app.state.session = _Session(Drops(folder), Timelines(folder / "timelines"), jobs)
        for path in given:
            app.state.session.drops.given(path)
        async with app.state.session.jobs.open():
            yield

    routes = [
        Route("/", _page),
        Route("/state", _state),
        Route("/events", _events),
        Route("/drops", _new_drop, methods=["POST"]),
        Route("/example", _example, methods=["POST"]),
        Route("/drops/{drop}", _remove, methods=["DELETE"]),
        Route("/drops/{drop}/{name:path}", _upload, methods=["PUT"]),
        Route("/drops/{drop}/{name:path}", _remove, methods=["DELETE"]),
        Route("/jobs", _submit, methods=["POST"]),
        Route("/jobs/{job:int}", _result),
        Route("/jobs/{job:int}/cancel", _cancel, methods=["POST"]),
        *ROUTES,
        Route("/scenarios", _scenarios),
        Route("/scenarios/{name:path}", _scenario),
        Route("/schema.json", _schema),
        Route("/figures.js", _figures),
        Route("/style.css", _style),
        Mount("/page", StaticFiles(directory=_PAGE)),
    ]
    mounted = [Mount(prefix, routes=routes)] if prefix else routes
    app = Starlette(
        routes=mounted,
        middleware=[Middleware(Admission, rules=rules), Middleware(Patience), Middleware(_Squeezed)],
        exception_handlers={
            InputError: _refuse,
            ClientDisconnect: _gone,
            TimeoutError: late,
            OSError: _refused_by_system,
        },
        lifespan=life,
    )
    app.router.redirect_slashes = bool(prefix)
    return app


class _Squeezed(GZipMiddleware):
    """Compresses all but events, which have to arrive one by one, and windows of timelines, which have to be quick."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        squeezed = scope["type"] == "http" and not re.search(r"/events$|/timelines/", scope["path"])
        await (super().__call__ if squeezed else self.app)(scope, receive, send)


def _of(request: Request) -> _Session:
    found: _Session = request.app.state.session
    return found


async def _page(request: Request) -> Response:
    text = (_PAGE / "index.html").read_text("utf-8").replace("{{ version }}", __version__)
    where = " on this machine. No data leave it." if request.scope["rules"].is_here else ", reached over a network."
    text = text.replace("{{ where }}", where).replace("{{ key }}", request.scope.get("key", ""))
    return Response(text, media_type="text/html")


async def _figures(request: Request) -> Response:
    return Response(_figures_script(), media_type="text/javascript", headers={"Cache-Control": "max-age=3600"})


async def _style(request: Request) -> Response:
    return Response(_style_sheet(), media_type="text/css")


@cache
def _figures_script() -> str:
    from slicewright.report.drawing.page import script

    return script()


@cache
def _style_sheet() -> str:
    """The style of reports, of figures, and of the page around them with its screens."""
    from slicewright.report.drawing.page import style

    templates = Path(__file__).parent.parent / "templates" / "page.css"
    sheets = [_PAGE / "page.css", *sorted(path for path in _PAGE.glob("*.css") if path.name != "page.css")]
    return "\n".join([templates.read_text("utf-8"), style(), *(sheet.read_text("utf-8") for sheet in sheets)])


async def _scenarios(request: Request) -> Response:
    return JSONResponse(offered())


async def _scenario(request: Request) -> Response:
    return JSONResponse({"text": text_of(request.path_params["name"])})


async def _schema(request: Request) -> Response:
    return Response(schema(), media_type="application/json", headers={"Cache-Control": "max-age=3600"})


async def _state(request: Request) -> Response:
    session = _of(request)
    return JSONResponse(
        {
            "version": __version__,
            "drops": list(session.drops),
            "jobs": list(session.jobs),
        }
    )


async def _events(request: Request) -> Response:
    async def lines() -> AsyncIterator[str]:
        async for event in _of(request).jobs.events():
            yield f"data: {json.dumps(event)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _new_drop(request: Request) -> Response:
    return JSONResponse(_of(request).drops.new(), 201)


async def _example(request: Request) -> Response:
    """A drop of the published report with which the tutorial begins."""
    from slicewright.values.carried import study_folder

    return JSONResponse(_of(request).drops.given(study_folder("hyperpav") / "device-reports" / _EXAMPLE), 201)


async def _remove(request: Request) -> Response:
    """Remove a drop, or one of its files."""
    drops = _of(request).drops
    remove(drops, drops.of(request.path_params["drop"]), request.path_params.get("name", ""))
    return Response(status_code=204)


async def _upload(request: Request) -> Response:
    """One file of a drop, written under a temporary name until it is whole."""
    drops = _of(request).drops
    drop, name = drops.of(request.path_params["drop"]), request.path_params["name"]
    drops.place(drop, name)
    if drop.bytes + int(request.headers.get("content-length", 0)) > LARGEST:
        raise _too_large(name)
    with tempfile.NamedTemporaryFile(dir=drop.folder, prefix=".upload-", delete=False) as file:
        written = Path(file.name)
        try:
            size = 0
            async for chunk in request.stream():
                size += len(chunk)
                if drop.bytes + size > LARGEST:
                    raise _too_large(name)
                file.write(chunk)
            file.close()
            drops.keep(drop, name, written)
        finally:
            written.unlink(missing_ok=True)
    return JSONResponse(drop, 201)


def _too_large(name: str) -> InputError:
    return refusal(problem("too large", file=name, allowed=f"up to {LARGEST >> 30} GiB in one drop"))


async def _submit(request: Request) -> Response:
    """A task: its name, arguments, and a slot; `drop` or `text` stand for the files that it reads."""
    asked = await _json(request)
    name = asked.get("task")
    if not isinstance(name, str) or name not in TASKS:
        raise refusal(problem(f"there is no task {name!r}", key="task", allowed=", ".join(TASKS)))
    arguments = asked.get("arguments", {})
    if not isinstance(arguments, dict) or not isinstance(asked.get("slot", ""), str):
        raise refusal(problem("not a task", key="arguments", allowed="an object, and a slot that is text"))
    session, task = _of(request), TASKS[name]
    if task.reads == "drop":
        arguments = _with_files(session.drops, arguments)
    elif task.reads == "timeline":
        arguments = prepared(session.timelines, session.drops, arguments)
    elif task.reads == "text":
        arguments = arguments | beside(session.drops, arguments)
    job = session.jobs.submit(name, arguments, task.lane, asked.get("slot", ""))
    return JSONResponse(job, 202)


def _with_files(drops: Drops, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with the folder and the names of a drop, or of a text that becomes one; `only` are some of them."""
    rest = {name: value for name, value in arguments.items() if name not in ("drop", "text", "only")}
    only = arguments.get("only", [])
    if not isinstance(only, list) or not all(isinstance(name, str) for name in only):
        raise refusal(problem("not names of files", key="only", allowed="a list of files of the drop"))
    if isinstance(arguments.get("text"), str):
        drop = text_drop(drops, "scenario.toml", arguments["text"])
    else:
        drop = drops.of(str(arguments.get("drop", "")))
    if not drop.names:
        raise refusal(problem("the drop has no file", key="drop"))
    found = rest | {"folder": str(drop.folder), "names": drop.paths(only), "reach": drops.reach(drop)}
    if "other" in rest:  # files that these are compared with
        if not isinstance(rest["other"], dict):
            raise refusal(problem("not a drop", key="other", allowed="an object with drop and only"))
        other = _with_files(drops, rest["other"])
        found |= {"other": other, "reach": [*found["reach"], *other["reach"]]}
    return found


async def _result(request: Request) -> Response:
    job = _of(request).jobs.of(request.path_params["job"])
    if job is None:
        raise refusal(problem("there is no such job", key="job", why="it is no longer kept; ask again"))
    return JSONResponse(codec.plain(job) | {"result": job.result, "part": job.part})


async def _cancel(request: Request) -> Response:
    _of(request).jobs.cancel(request.path_params["job"])
    return Response(status_code=204)


async def _json(request: Request) -> dict[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_JSON:
            raise refusal(problem("too large", allowed=f"up to {_LARGEST_JSON >> 20} MiB"))
    try:
        found = well_formed(json.loads(body, parse_constant=_no_number))
    except (ValueError, RecursionError) as error:
        raise refusal(problem("not JSON", why=str(error))) from error
    if not isinstance(found, dict):
        raise refusal(problem("not a JSON object"))
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


async def _refuse(request: Request, error: Exception) -> Response:
    return JSONResponse({"problems": getattr(error, "problems", None) or [problem(str(error))]}, 422)


async def _refused_by_system(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    return JSONResponse({"problems": [of_system(error)]}, 507 if error.errno in FULL else 500)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)
