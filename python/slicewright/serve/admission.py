"""Admission of requests: token, Host and Origin are checked before anything else, and every answer is kept at home."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


@dataclass(frozen=True, slots=True)
class Rules:
    """The token of the server, and the host names under which it answers."""

    token: str
    hosts: tuple[str, ...] = LOOPBACK

    def refusal(self, headers: Mapping[str, str]) -> str:
        """The reason to refuse a request by its Host and Origin; empty where there is none.

        >>> rules = Rules("secret")
        >>> rules.refusal({"host": "localhost:8580", "origin": "http://localhost:8580"})
        ''
        >>> rules.refusal({"host": "evil.example"})
        'the host evil.example is not allowed; slicewright serve --allow-host evil.example allows it'
        >>> rules.refusal({"host": "localhost:8580", "origin": "https://evil.example"})
        'a page of https://evil.example may not ask this server'
        """
        host = headers.get("host", "")
        name = _name(host)
        if name not in self.hosts:
            return f"the host {name or '(none)'} is not allowed; slicewright serve --allow-host {name} allows it"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return f"a page of {origin} may not ask this server"
        return ""

    def knows(self, token: str) -> bool:
        """Whether this is the token; takes as long for every wrong one."""
        return hmac.compare_digest(token.encode(), self.token.encode())


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
            answer = self._refused(scope)
            await (answer or self._app)(scope, receive, _at_home(send))

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        why = self._rules.refusal(headers)
        if why:
            return PlainTextResponse(f"refused: {why}\n", 403)
        cookie = f"slicewright-{_port(headers.get('host', ''))}"
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if asked and self._rules.knows(asked):
            to_page = RedirectResponse("./", 303)
            to_page.set_cookie(cookie, self._rules.token, httponly=True, samesite="strict")
            return to_page if scope["method"] == "GET" else None
        kept = SimpleCookie(headers.get("cookie", "")).get(cookie)
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._rules.knows(kept.value if kept else "") or self._rules.knows(bearer):
            return None
        return PlainTextResponse(_OPEN_IT, 401)


def _at_home(send: Send) -> Send:
    """Send each answer with the headers that keep the page to this server."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _port(host: str) -> str:
    """The port in a Host header: browsers send cookies of one port to all ports of a host."""
    return host.rpartition(":")[2] if host.rpartition(":")[2].isdigit() else "80"
