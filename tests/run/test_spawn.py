"""Can runs be spread over processes as the page of the Python interface says, after a run in the parent too?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from slicewright._core import starter

from tests.tidy.tree import ROOT

PAGE = ROOT / "docs/reference/python.md"


def test_processes_started_as_documented_run_after_a_run(tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    example = next(example for example in examples if "multiprocessing" in example)
    text = starter("pool").replace("LSS-52", "POOL")
    (tmp_path / "pool.toml").write_text(text)
    before = 'if __name__ == "__main__":\n    print(response_ms(2))\n'
    script = tmp_path / "spread.py"
    script.write_text(
        example.replace('if __name__ == "__main__":\n', before).replace(
            '"pool.toml", set={', '"pool.toml", set={"measure.interval": "5 s", '
        )
    )
    said = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
    )
    alone, together = said.stdout.splitlines()
    first, second = map(float, together.strip("[]").split(","))
    assert float(alone) > first > second > 0
