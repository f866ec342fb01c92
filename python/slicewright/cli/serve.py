"""`slicewright serve`: slicewright as a page on this machine."""

from __future__ import annotations

from slicewright.cli.command import Given, command


@command("serve")
def serve(given: Given) -> int:
    """Open slicewright as a page on this machine. No data leave it.

    \b
    Example:
      slicewright serve Y032180H.txt
    """
    from slicewright.serve.command import Place
    from slicewright.serve.command import serve as serve_page

    place = Place(given.address, given.port, given.allow_host or (), given.prefix)
    return serve_page(given.paths or [], place, opens=given.browser)
