"""The command line: one module per command, one guard around all of them.

It leaves out what the commands do: each calls the package that anybody else could call.
"""

from slicewright.cli.main import main

__all__ = ["main"]
