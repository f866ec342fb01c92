"""The command: where a server listens and which machines reach it, its token and folder, and a browser."""

from __future__ import annotations

import contextlib
import html
import ipaddress
import os
import re
import secrets
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from slicewright.serve.admission import LOOPBACK, plain
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import shown

_PORT = 8580
"""Where the server listens where no port is given; the next free one where another program has it."""
_TRIED = 20
_PREFIX = re.compile(r"(/[A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?)+")
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?")
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of documents (RFC 5737, RFC 3849): on the way to them the system names its own; nothing is sent."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server answers: address and port to listen on, host names, and the path before all of its own."""

    address: str = "127.0.0.1"
    port: int | None = None
    hosts: Sequence[str] = ()
    prefix: str = ""

    def check(self) -> list[Problem]:
        """Every problem of the place.

        >>> [one["key"] for one in Place("", 70000, ["a:1"], "lab").check()]
        ['address', 'port', 'allow-host', 'prefix']
        """
        problems = []
        if not self.address.strip() or re.search(r"[^!-~]", self.address):
            problems.append(
                problem(f"not an address: {self.address!r}", key="address", allowed="127.0.0.1, ::, a name")
            )
        if self.port is not None and not 0 < self.port < 65536:
            problems.append(problem(f"not a port: {self.port}", key="port", allowed="1 to 65535"))
        for host in self.hosts:
            if not (_HOST.fullmatch(host) or _is_address(host)):
                allowed = "a name or an address without a port: tools.example.com"
                problems.append(problem(f"not a host name: {host!r}", key="allow-host", allowed=allowed))
        if self.prefix and not _PREFIX.fullmatch(self.prefix):
            allowed = "a path of letters, digits and ._~- that starts with / and ends without: /tools/slicewright"
            problems.append(problem(f"not a prefix: {self.prefix!r}", key="prefix", allowed=allowed))
        return problems

    def listen(self) -> socket.socket:
        """A socket that listens; raises InputError where the port is taken or the address is not of this machine."""
        tried = [self.port] if self.port is not None else [*range(_PORT, _PORT + _TRIED), 0]
        why = ""
        for port in tried:
            listening = None
            try:
                family, kind, protocol, _, where = _resolved(self.address, port)
                listening = socket.socket(family, kind, protocol)
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.bind(where)
                listening.listen(64)
            except (OSError, UnicodeError) as error:
                why = getattr(error, "strerror", None) or str(error)
                if listening is not None:
                    listening.close()
                continue
            return listening
        place = self.address if self.port is None else f"{self.address}, port {self.port}"
        allowed = "an address of this machine, and a free port"
        raise refusal(problem(f"cannot listen on {place}", key="address", why=why, allowed=allowed))


def _resolved(address: str, port: int) -> tuple[int, int, int, str, tuple[str, int]]:
    """An address as sockets take it; of a name with both families that of IPv4."""
    found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return sorted(found, key=lambda each: each[0] != socket.AF_INET)[0]  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class _Reach:
    """The machines that can reach a server, and the host names that they use."""

    bound: str
    """The address it listens on, as the system gives it."""
    named: str
    """The address as it was given."""

    @property
    def is_wide(self) -> bool:
        """Whether it listens on every address of this machine."""
        return ipaddress.ip_address(self.bound.partition("%")[0]).is_unspecified

    @property
    def is_here(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.bound.partition("%")[0]).is_loopback

    @property
    def hosts(self) -> list[str]:
        """The host names that need no permission: those of this machine for itself, and the address as it was given."""
        wide = [socket.gethostname().lower()] if self.is_wide else []
        return [*LOOPBACK, self.named.lower(), plain(self.bound), *wide]

    @property
    def host(self) -> str:
        """A host for the printed address, which other machines can open where they can reach this one."""
        if not self.is_wide:
            name = self.bound if _is_address(self.named) or self.named.isdecimal() else self.named
        else:
            name = next(_own(), "::1" if ":" in self.bound else "127.0.0.1")
        return f"[{name}]" if ":" in name else name

    @property
    def words(self) -> str:
        """The machines that can reach it, in words."""
        if self.is_here:
            return "Only this machine can reach it, and only with the token."
        where = "on any address of this machine" if self.is_wide else f"at {self.bound}"
        return (
            f"Every machine that can reach this one may try the token, {where}. The traffic is plain text (HTTP):\n"
            "whatever lies between can read the token and all files. Put a proxy with TLS before it, or use a tunnel."
        )


def _is_address(text: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(text.partition("%")[0]))
    return False


def _own() -> Iterator[str]:
    """The addresses of this machine on its ways to others, IPv4 first."""
    for family, other in _ELSEWHERE.items():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((other, 9))
            yield way.getsockname()[0]


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

    from slicewright.serve.admission import MOST_HEAD, Connection, Rules, plain
    from slicewright.serve.application import application

    listening = place.listen()
    bound, port = listening.getsockname()[:2]
    reach = _Reach(bound, place.address)
    allowed = (*reach.hosts, *map(plain, place.hosts))
    rules = Rules(secrets.token_urlsafe(24), allowed, place.prefix, is_here=reach.is_here)
    address = f"http://{reach.host}:{port}{place.prefix}/?token={rules.token}"
    with tempfile.TemporaryDirectory(prefix="slicewright-", ignore_cleanup_errors=True) as folder:
        print(f"slicewright is at {address}", flush=True)
        shows = " If no browser shows it, open that address." if opens else ""
        print(f"{reach.words}{shows} Ctrl-C ends it.", file=sys.stderr, flush=True)
        if opens:
            opening = _opening_file(Path(folder), address)
            threading.Thread(target=_open, args=[opening], daemon=True).start()
        app = application(rules, Path(folder), [Path(path) for path in paths], place.prefix)
        config = uvicorn.Config(
            app, http=Connection, ws="none", log_level="error", access_log=False, server_header=False,
            timeout_graceful_shutdown=1, h11_max_incomplete_event_size=MOST_HEAD,
        )  # fmt: skip
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
    return 0


def _opening_file(folder: Path, address: str) -> Path:
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
