"""Is the bundled text editor of the page the one that its sources make?"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "python" / "slicewright" / "serve" / "page" / "codemirror.js"
SOURCES = ROOT / "packaging" / "editor"
MOST_BYTES = 450_000


def test_the_bundle_belongs_to_its_sources() -> None:
    sources = b"".join((SOURCES / name).read_bytes() for name in ("package-lock.json", "editor.js", "bundle.mjs"))
    first = BUNDLE.read_text("utf-8").splitlines()[0]
    assert first == f"/* Made from SHA-256 {hashlib.sha256(sources).hexdigest()}", "run make editor"


def test_the_bundle_has_its_licence_and_is_small() -> None:
    text = BUNDLE.read_text("utf-8")
    assert "MIT License" in text[:2000]
    assert "Permission is hereby granted, free of charge" in text[:2000]
    assert BUNDLE.stat().st_size <= MOST_BYTES


def test_the_lock_names_no_registry_and_pins_every_package() -> None:
    text = (SOURCES / "package-lock.json").read_text("utf-8")
    assert "http" not in text
    packages = json.loads(text)["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
