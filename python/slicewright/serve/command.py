"""The command: a server on this machine alone, its address with a token, and a browser that opens it."""

from __future__ import annotations

import contextlib
import secrets
import socket
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import Problem, problem, refusal

PORT = 8580
"""Where the server listens where no port is given; the next free one where another program has it."""
_TRIED = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server answers: address and port to listen on, host names, and the path before all of its own."""

    address: str = "127.0.0.1"
    port: int | None = None
    hosts: Sequence[str] = ()
    prefix: str = ""

    def check(self) -> list[Problem]:
        """Every problem of the place.

        >>> [one["key"] for one in Place(port=70000, prefix="lab").check()]
        ['port', 'prefix']
        """
        problems = []
        if self.port is not None and not 0 < self.port < 65536:
            problems.append(problem(f"not a port: {self.port}", key="port", allowed="1 to 65535"))
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/")):
            allowed = "a path such as /slicewright"
            problems.append(problem(f"not a prefix: {self.prefix}", key="prefix", allowed=allowed))
        return problems


def serve(paths: Sequence[str], place: Place, *, opens: bool) -> int:
    """Serve the page until it is interrupted; the exit status is 0.

    Raises InputError with every problem of paths and place.
    """
    problems = place.check()
    given = [Path(path) for path in paths]
    problems += [problem("there is no such file or directory", file=str(path)) for path in given if not path.exists()]
    if problems:
        raise refusal(*problems)
    import uvicorn

    from slicewright.serve.admission import LOOPBACK, Rules
    from slicewright.serve.application import application

    listening = _listening(place)
    port = listening.getsockname()[1]
    rules = Rules(secrets.token_urlsafe(24), (*LOOPBACK, *place.hosts))
    name = f"[{place.address}]" if ":" in place.address else place.address
    address = f"http://{name}:{port}{place.prefix}/?token={rules.token}"
    print(f"slicewright is at {address}", flush=True)
    print("Only this machine can open it. Ctrl-C ends it.", file=sys.stderr, flush=True)
    if opens:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
    app = application(rules, given, place.prefix)
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1, server_header=False)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def _listening(place: Place) -> socket.socket:
    """A socket that listens; raises InputError where the port is taken or the address is not of this machine."""
    tried = [place.port] if place.port is not None else [*range(PORT, PORT + _TRIED), 0]
    why = ""
    for port in tried:
        family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((place.address, port))
            listening.listen(64)
        except OSError as error:
            why = error.strerror or str(error)
            listening.close()
            continue
        return listening
    raise refusal(problem("cannot listen", key="port", file="", why=why, allowed="a free port of this machine"))
