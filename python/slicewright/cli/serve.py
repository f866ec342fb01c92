"""`slicewright serve`: slicewright as a page on this machine."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DIR|FILE]...", help="Runs, reports, monitor data and scenarios to show first."),
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="Port [default: 8580, or the next free one].")] = None,
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; others than this machine's let others in.")
    ] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Host name of a proxy or tunnel; may be repeated."),
    ] = None,
    prefix: Annotated[str, typer.Option(metavar="/PATH", help="Path that a proxy puts before every address.")] = "",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> int:
    """Open slicewright as a page on this machine. No data leave it.

    \b
    Example:
      slicewright serve Y032180H.txt
    """
    from slicewright.serve.command import serve
    from slicewright.serve.place import Place

    return serve(paths or [], Place(address, port, allow_host or (), prefix), opens=browser)
