"""Links between the pages of this folder and files beside it, translated for the site.

In the checkout a page links to `../ARCHITECTURE.md`; on the site that is a page of its own.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

SITE = {
    "README.md": "docs/overview.md",
    "ARCHITECTURE.md": "docs/change/architecture.md",
    "STYLE.md": "docs/change/style.md",
    "CHANGELOG.md": "docs/change/changelog.md",
    "docs/decisions": "docs/decisions/index.md",
}
"""The place on the site of a path of the checkout; other paths are the same on both."""

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def sited(text: str, folder: str) -> str:
    """A page's text with the links that leave `docs/` replaced; `folder` is its place from the root.

    A link to a file that is no page of the site keeps its words and loses its target.

    >>> sited("[ARCHITECTURE](../../ARCHITECTURE.md)", "docs/concepts")
    '[ARCHITECTURE](/change/architecture.md)'
    >>> sited("[volume](docs/concepts/volume.md#the-gap), [law](LICENSE)", "")
    '[volume](/concepts/volume.md#the-gap), law'
    """
    return _LINK.sub(lambda found: _link(found, folder), text)


def _link(found: re.Match[str], folder: str) -> str:
    words, target, anchor = found[1], found[2], found[3] or ""
    if target.startswith("/"):
        return found[0]
    path = posixpath.normpath(posixpath.join(folder, target))
    path = SITE.get(path, path)
    if not path.startswith("docs/"):
        return words
    return f"[{words}](/{path.removeprefix('docs/')}{anchor})"


def rewritten(app: object, docname: str, source: list[str]) -> None:
    """Translate the links of a page before Sphinx parses it (`source-read`)."""
    source[0] = sited(source[0], posixpath.join("docs", posixpath.dirname(docname)))


def included(app: object, path: Path, docname: str, source: list[str]) -> None:
    """Translate the links of a file that a page includes (`include-read`)."""
    whole = (ROOT / "docs" / path).resolve().relative_to(ROOT)
    source[0] = sited(source[0], "" if whole.parent == Path() else whole.parent.as_posix())
