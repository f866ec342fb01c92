"""Admission of requests: token, Host and Origin come before anything else; and connections that do not go on."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself; no other page can have them as its own."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page loads nothing from elsewhere, and runs no text as a script.  Figures set styles of their own."""

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_OPEN_IT = "Open the address that slicewright serve has printed; it has a token.\n"
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")
_ENTERED = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={home}">
<link rel="icon" href="data:,"><title>slicewright</title></head>
<body><a href="{home}">slicewright</a></body></html>
"""
"""Goes on to the page by itself: a redirect of a visit that a file has begun would come without the cookie."""
_HERE = ("none", "same-origin")
"""The values of Sec-Fetch-Site for a request that the user began, or a page of this server."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The token of the server, the host names under which it answers, and the path that a proxy puts before its own.

    Browsers send a cookie to every port of a host, where other accounts may listen.  The cookie is therefore one of a
    path that no other server is asked for: the key is a part of it.
    """

    token: str
    hosts: tuple[str, ...] = LOOPBACK
    prefix: str = ""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    is_here: bool = True
    """Whether only this machine reaches the server."""

    @property
    def home(self) -> str:
        """The path of the page, and of its cookie."""
        return f"{self.prefix}/{self.key}/"

    def refusal(self, headers: Headers, local: str = "") -> str:
        """The reason to refuse a request by its headers; empty where there is none.

        `local` is the address of this machine at which it arrived: no name that changes its meaning can stand for it.

        >>> rules = Rules("secret")
        >>> rules.refusal(Headers({"host": "localhost:8580", "origin": "http://localhost:8580"}))
        ''
        >>> rules.refusal(Headers({"host": "evil.example"}))
        'the host evil.example is not allowed; slicewright serve --allow-host evil.example allows it'
        >>> rules.refusal(Headers({"host": "localhost:8580", "origin": "https://evil.example"}))
        'a page of https://evil.example may not ask this server'
        """
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        name = _name(host)
        if name not in self.hosts and (not name or name != plain(local)):
            return (
                f"the host {name or '(none)'} is not allowed; slicewright serve --allow-host {name or 'NAME'} allows it"
            )
        for origin in headers.getlist("origin"):
            if not re.fullmatch(f"https?://{re.escape(host)}", origin, re.IGNORECASE):
                return f"a page of {origin} may not ask this server"
        site = headers.get("sec-fetch-site", "none")
        visits = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if site not in _HERE and not visits:
            return "another page may not ask this server"
        return ""

    def knows(self, token: str) -> bool:
        """Whether this is the token; takes as long for every wrong one."""
        return hmac.compare_digest(token.encode(errors="replace"), self.token.encode())


class Admission:
    """The application behind the rules; with a valid token in the address it sets a cookie and drops the token."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            home = self._rules.home
            path = scope["path"]
            if path.startswith(home):
                path = f"{self._rules.prefix}/{path.removeprefix(home)}"
            scope = {**scope, "path": path, "raw_path": path.encode(), "rules": self._rules}
            answer = self._answer(scope)
            await (answer or self._app)(scope, receive, _at_home(send))

    def _answer(self, scope: Scope) -> Response | None:
        """The answer to a request that the application does not get; None for one that it gets."""
        headers = Headers(scope=scope)
        why = self._rules.refusal(headers, (scope.get("server") or ("",))[0])
        if why:
            return PlainTextResponse(f"refused: {why}\n", 403)
        cookie = f"slicewright-{_port(headers.get('host', ''))}"
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if asked and self._rules.knows(asked):
            return self._entered(headers, cookie) if scope["method"] == "GET" else None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        kept = _cookies(headers.getlist("cookie"), cookie)
        if any(self._rules.knows(token) for token in (bearer, *kept)):
            scope["key"] = self._rules.key  # the page leads the browser back to it
            return None
        return None if self._is_open(scope, headers) else PlainTextResponse(_OPEN_IT, 401)

    def _entered(self, headers: Headers, cookie: str) -> Response:
        home = self._rules.home
        elsewhere = headers.get("sec-fetch-site", "none") not in _HERE
        entered = HTMLResponse(_ENTERED.format(home=home)) if elsewhere else RedirectResponse(home, 303)
        entered.set_cookie(cookie, self._rules.token, path=home, httponly=True, samesite="strict")
        return entered

    def _is_open(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request needs no token: the empty page and its door, by which a browser finds its way in again."""
        path = scope["path"].removeprefix(self._rules.prefix)
        visits = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return scope["method"] == "GET" and (path == "/page/door.js" or (path == "/" and visits))


def _cookies(headers: Iterable[str], name: str) -> list[str]:
    """Every value that the headers have for a cookie, whatever other applications of this host have beside it.

    Pairs end at semicolons and nothing else counts: what a value means is the matter of the application that set it.

    >>> _cookies(['a="x; y=1; {"b": 2, me=3', "me=4; =5; me"], "me")
    ['4']
    >>> _cookies(['a={"b": "c"}; me="5" ;me=6'], "me")
    ['5', '6']
    """
    pairs = (pair.partition("=") for header in headers for pair in header.split(";"))
    return [value.strip().strip('"') for cookie, equals, value in pairs if equals and cookie.strip() == name]


def _at_home(send: Send) -> Send:
    """Send each answer with the headers that keep the page to this server."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers


def plain(address: str) -> str:
    """An address as a Host header has it: that of IPv4 where it came through IPv6; any other text as it is.

    >>> plain("::ffff:192.0.2.1"), plain("2001:DB8::1"), plain("tools.example")
    ('192.0.2.1', '2001:db8::1', 'tools.example')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address.lower()
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def _name(host: str) -> str:
    """The name in a Host header, without its port; empty where it is none."""
    found = _HOST.fullmatch(host)
    return plain(found["name"].strip("[]")) if found else ""


def _port(host: str) -> str:
    """The port in a Host header: browsers send cookies of one port to all ports of a host."""
    found = _HOST.fullmatch(host)
    return (found and found["port"]) or "80"


HEAD_S = 10.0
"""Seconds in which the head of a request is there; a browser opens connections ahead of need, and opens them again."""
BODY_S = 30.0
"""Seconds between two parts of a body, which come from this machine or through a tunnel."""
MOST_HEAD = 1 << 20
"""Bytes of a head: other applications on this host may have set some two hundred cookies of 4 KiB."""
_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Connection(H11Protocol):
    """A connection that is closed when it has no whole head of a request for a time, whatever arrives in it."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; the time goes on until it is a whole head."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._spare()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._spare()
        elif self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(HEAD_S, self._end)

    def _end(self) -> None:
        self._late = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_LATE)
            self.transport.close()

    def _spare(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Patience:
    """The application with an end to the wait for a body: TimeoutError where it does not go on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        whole = False

        async def going_on() -> Message:
            nonlocal whole
            message = await (receive() if whole else asyncio.wait_for(receive(), BODY_S))
            whole = whole or not message.get("more_body", False)
            return message

        await self._app(scope, going_on, send)


async def late(request: Request, error: Exception) -> Response:
    """The answer to a request whose body did not go on."""
    return PlainTextResponse("the request did not go on\n", 408, {"Connection": "close"})
