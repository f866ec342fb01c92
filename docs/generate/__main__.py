"""`python -m docs.generate [PAGE]...`: write the generated pages of the reference anew, all of them or those named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from docs.generate import (
    command_line,
    counters,
    dds_reports,
    monitor_records,
    notebook,
    published,
    python_interface,
    report_pages,
    run_directory,
    scenario_view,
    smf_records,
)

FOLDER = Path(__file__).parents[1] / "reference"

PAGES: dict[str, Callable[[], str]] = {
    "command-line": command_line.page,
    "command-line-advise": command_line.page_of_advice,
    "counters": counters.page,
    "dds-reports": dds_reports.page,
    "monitor-records": monitor_records.page,
    "notebook": notebook.page,
    "pages": report_pages.page,
    "published": published.page,
    "python": python_interface.page,
    "python-serialization": python_interface.page_of_serialization,
    "run-directory": run_directory.page,
    "smf-records": smf_records.page,
    "view": scenario_view.stub,
}
"""Each generated page: its name, and what makes its text."""


def file_of(name: str) -> Path:
    """The file of a page: in `docs/reference/` under its name, but for the notebook of the tutorial and a stub."""
    return {"notebook": notebook.FILE, "view": scenario_view.FILE}.get(name, FOLDER / f"{name}.md")


def main(names: list[str]) -> int:
    """Write the pages that changed, one line each; 2 when a name is not that of a page."""
    unknown = [name for name in names if name not in PAGES]
    if unknown:
        print(f"no page {', '.join(unknown)}; there are {', '.join(PAGES)}", file=sys.stderr)
        return 2
    for name in names or PAGES:
        path, text = file_of(name), PAGES[name]()
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(FOLDER.parents[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
