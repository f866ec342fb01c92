"""A process that runs command lines one after the other: words come in as JSON, outcomes go out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys

from slicewright.cli import main


def serve() -> None:
    """Answer each line of standard input, a list of words, with a line: status, output, errors."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            try:
                status: object = main(json.loads(line))
            except BaseException as error:
                status = f"{type(error).__name__}: {error}"
        said = [text.getvalue() for text in (out, errors)]
        answers.write(json.dumps([status, *said]) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
