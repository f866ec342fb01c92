"""The command line: one module per command, one guard around all of them."""

from slicewright.cli.main import main

__all__ = ["main"]
