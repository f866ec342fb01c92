"""Links between the pages of this folder and what stands beside it, made good for the site.

In the checkout a page links to `../ARCHITECTURE.md`, which a reader of the checkout can follow; on the site that is a
page of its own. It leaves out links within the folder, which are the same in both.
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
"""Where the site has what stands at a path of the checkout; other paths are the same on both."""

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def sited(text: str, folder: str) -> str:
    """A page's text with the links that leave `docs/` replaced; `folder` is where it stands, from the root.

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
    """What Sphinx calls with the text of each page before it is parsed (`source-read`)."""
    source[0] = sited(source[0], posixpath.join("docs", posixpath.dirname(docname)))


def included(app: object, path: Path, docname: str, source: list[str]) -> None:
    """What Sphinx calls with the text of a file that a page includes (`include-read`)."""
    whole = (ROOT / "docs" / path).resolve().relative_to(ROOT)
    source[0] = sited(source[0], "" if whole.parent == Path() else whole.parent.as_posix())
