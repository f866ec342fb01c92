"""The parts that the document of every question has, and a document as the command leaves it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conftest import CommandLine

PARTS = {"question", "recommendation", "estimate", "curve", "readings", "evidence", "caveats", "needed"}


def kept_document(slicewright: CommandLine, words: list[str | Path], out: Path) -> dict[str, Any]:
    """The document that `advise` prints, which is also the one that it leaves beside a page with a picture."""
    outcome = slicewright("advise", *words, "--format", "json", "--out", out, "-q")
    assert (outcome.status, outcome.err) == (0, "")
    made: dict[str, Any] = json.loads(outcome.out)
    assert json.loads((out / "advice.json").read_text()) == made
    assert "<svg" in (out / "report.html").read_text()
    assert made.keys() >= PARTS
    return made
