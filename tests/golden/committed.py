"""Texts that are kept in this folder; SLICEWRIGHT_BLESS=1 writes what is printed now."""

import os
from pathlib import Path


def committed(file: Path, text: str) -> str:
    """The kept text of a file, where `text` is what is printed now."""
    if os.environ.get("SLICEWRIGHT_BLESS"):
        file.write_text(text, encoding="utf-8")
    return file.read_text(encoding="utf-8")
