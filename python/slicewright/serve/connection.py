"""Connections that do not keep the server waiting: a request whose head or body does not go on is ended."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

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
