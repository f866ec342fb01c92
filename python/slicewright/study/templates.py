"""Texts of studies from `templates/studies/`: scenarios, files of constants, and sentences with several numbers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from slicewright.statistics import fixed
from slicewright.values.numerals import in_scenario

if TYPE_CHECKING:
    import jinja2


def rendered(name: str, **values: Any) -> str:
    """A template with its values; a name without a value is an error."""
    return _environment().get_template(f"{name}.toml.jinja").render(values)


def sentence(name: str, *values: Any) -> str:
    """A sentence of `sentences.jinja`."""
    made: str = getattr(_sentences(), name)(*values)
    return made


@cache
def _sentences() -> Any:
    return _environment().get_template("sentences.jinja").module


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("slicewright", "templates/studies"), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"number": in_scenario, "toml": _toml, "fixed": fixed}
    return made


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.7g}" if isinstance(value, float) else str(value)
