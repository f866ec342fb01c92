"""The command: a server with a token, a folder of its own for all that it writes, and a browser that opens it."""

from __future__ import annotations

import contextlib
import html
import os
import secrets
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from slicewright.errors import Problem, problem, refusal
from slicewright.io.files import shown
from slicewright.serve.place import Place, Reach

_OPENING = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}"><title>slicewright</title></head>
<body><a href="{address}">slicewright</a></body></html>
"""


def serve(paths: Sequence[str], place: Place, *, opens: bool) -> int:
    """Serve the page until it is interrupted; the exit status is 0.

    Raises InputError with every problem of paths and place.
    """
    problems = [*place.check(), *(each for each in map(_problem_of, paths) if each is not None)]
    if problems:
        raise refusal(*problems)
    import uvicorn

    from slicewright.serve.admission import Rules, plain
    from slicewright.serve.application import application
    from slicewright.serve.connection import MOST_HEAD, Connection

    listening = place.listen()
    bound, port = listening.getsockname()[:2]
    reach = Reach(bound, place.address)
    allowed = (*reach.hosts, *map(plain, place.hosts))
    rules = Rules(secrets.token_urlsafe(24), allowed, place.prefix, is_here=reach.is_here)
    address = f"http://{reach.host}:{port}{place.prefix}/?token={rules.token}"
    with tempfile.TemporaryDirectory(prefix="slicewright-", ignore_cleanup_errors=True) as folder:
        print(f"slicewright is at {address}", flush=True)
        shows = " If no browser shows it, open that address." if opens else ""
        print(f"{reach.words}{shows} Ctrl-C ends it.", file=sys.stderr, flush=True)
        if opens:
            opening = opening_file(Path(folder), address)
            threading.Thread(target=_open, args=[opening], daemon=True).start()
        app = application(rules, Path(folder), [Path(path) for path in paths], place.prefix)
        config = uvicorn.Config(
            app, http=Connection, ws="none", log_level="error", access_log=False, server_header=False,
            timeout_graceful_shutdown=1, h11_max_incomplete_event_size=MOST_HEAD,
        )  # fmt: skip
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
    return 0


def opening_file(folder: Path, address: str) -> Path:
    """A file that only this account can read, and that leads a browser to the address.

    The browser's command line, which every account can read, has the name of the file in place of the token.
    """
    file = folder / "open.html"
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(_OPENING.format(address=html.escape(address)))
    return file


def _open(file: Path) -> None:
    """Open the file in a browser, beside the server: a browser in a terminal waits for its answer."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(file.as_uri())


def _problem_of(path: str) -> Problem | None:
    """The problem with a path of the command line; None where the page can show it."""
    allowed = "a file or a directory; ./- is a file of that name"
    try:
        place = Path(path)
        if place.is_dir() or place.is_file():
            return None
        if path == "-":
            return problem("standard input cannot be shown", file=path, allowed=allowed)
        what = "is neither a file nor a directory" if place.exists() else "there is no such file or directory"
    except (OSError, ValueError) as error:
        return problem("cannot be read", file=shown(path).replace("\0", "\\0"), why=str(error), allowed=allowed)
    return problem(what, file=shown(path), allowed=allowed)
