"""The notebook of the tutorial: its cells executed in order, with what they print and show."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "tutorial" / "notebook.ipynb"
"""The notebook; its sources are kept, its outputs are written anew."""


def page() -> str:
    """The text of the notebook (nbformat 4.5) with the outputs of this version; raises what a cell raises."""
    notebook: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    names: dict[str, Any] = {}
    with contextlib.chdir(FILE.parent):
        for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
            cell["execution_count"] = number
            cell["outputs"] = _executed("".join(cell["source"]), names, number)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _executed(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The outputs of one cell: what it prints, and the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)}
        )
    if value is not None:
        shown = {"text/plain": repr(value)}
        if hasattr(value, "_repr_html_"):
            shown["text/html"] = value._repr_html_()
        data = {kind: text.splitlines(keepends=True) for kind, text in shown.items()}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs
