"""Values of the command line that are what they should be already; any other goes to typer's own conversion.

typer converts with pydantic, which takes a tenth of a second to load. A text, a flag, a choice that is spelt as it is
listed and a plain whole number need no conversion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
from typer.core import _TyperParameter

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_PLAIN = (str, bool, int, float)


@dataclass(frozen=True)
class Converted(RuntimeParam):
    """The conversion of one parameter."""

    descriptor: TypeDescriptor

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        plain = None if _restricted(self.descriptor) else converted(value, self.annotation)
        if plain is not None:
            return plain
        return build_runtime_param(self.descriptor)._coerce_value(value, param=param, ctx=ctx)


def converted(value: Any, annotation: Any) -> Any:
    """A value as its type has it where that needs no conversion; None where typer has to convert it or refuse it.

    >>> converted("pool.toml", str), converted("7", int), converted("text", Literal["text", "json"])
    ('pool.toml', 7, 'text')
    >>> converted("seven", int) is None, converted("xml", Literal["text", "json"]) is None
    (True, True)
    """
    if annotation in _PLAIN and type(value) is annotation:
        return value
    if annotation is int and isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if get_origin(annotation) is Literal and isinstance(value, str) and value in get_args(annotation):
        return value
    if get_origin(annotation) is list and get_args(annotation) == (str,) and isinstance(value, (list, tuple)):
        return list(value) if all(type(item) is str for item in value) else None
    return None


def spare_typer() -> None:
    """Have every parameter of every command converted by this module first.

    typer has no place to say so: the conversion of a parameter is made in one method, which is replaced.
    """
    _TyperParameter.get_runtime_param = _conversion  # type: ignore[method-assign, assignment]


def _conversion(param: _TyperParameter) -> RuntimeParam:
    if param._runtime_param is None:
        descriptor = param.type_descriptor
        own = Converted(descriptor.parameter_info, descriptor.annotation, descriptor)
        param._runtime_param = build_runtime_param(descriptor) if descriptor.is_file else own
    return param._runtime_param


def _restricted(descriptor: TypeDescriptor) -> bool:
    """Whether a parameter has a conversion or bounds of its own."""
    about = descriptor.parameter_info
    return about.parser is not None or about.min is not None or about.max is not None
