"""How Sphinx builds these pages: Markdown by MyST, furo as the theme, nothing fetched from anywhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from slicewright import __version__

from docs.outside import included, rewritten

project = "slicewright"
author = "The slicewright authors"
project_copyright = author
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generate", "pictures/*.py"]
source_suffix = {".md": "markdown"}
root_doc = "index"
nitpicky = True
# Named and not linked: types of other packages, the report behind text and page, what results are made of, and kinds
# of records.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!slicewright).*"),
    (
        r"py:class",
        r"slicewright\.(report|measured\.form|run\.pooled|explore\.(axes|cheapest|choose|planned|sensitivity|store|sweep))\..*",
    ),
]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
highlight_language = "text"
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

smartquotes = False

html_theme = "furo"
html_title = f"slicewright {version}"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["pages.css"]
html_favicon = "_static/mark.svg"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
# Dates would make two equal builds differ.
html_last_updated_fmt = None
html_theme_options = {
    "sidebar_hide_name": False,
    "light_logo": "mark.svg",
    "dark_logo": "mark.svg",
    "top_of_page_buttons": [],
    "light_css_variables": {
        "color-brand-primary": "#0b5c7a",
        "color-brand-content": "#0b5c7a",
        "color-brand-visited": "#5b4a8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4de",
        "color-brand-content": "#7cc4de",
        "color-brand-visited": "#b9a7e8",
    },
}


def template(app: object, page: str, name: str, context: dict[str, Any], tree: object) -> str | None:
    """The template that a page names in its front matter; None for that of the theme."""
    named = (context.get("meta") or {}).get("template")
    return f"{named}.html" if named else None


def setup(app: object) -> None:
    """Rewrite links that leave this folder before a page is parsed, and give pages their templates."""
    connect = app.connect  # type: ignore[attr-defined]
    connect("source-read", rewritten)
    connect("include-read", included)
    connect("html-page-context", template)
