"""`python -m docs.teaching`: simulate the tables of the teaching pages again and write them into the pages."""

from __future__ import annotations

import sys

from docs.teaching.tables import TABLES, pages, written


def main() -> int:
    """Write every page whose tables changed, one line per page."""
    fresh = {name: table().markdown() for name, table in TABLES.items()}
    for page in pages():
        before = page.read_text("utf-8")
        after = written(before, fresh)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(page.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
