"""A command: its arguments are made from the declared settings.

typer converts values with pydantic, which takes a tenth of a second to load.  A text, a flag, a listed
choice and a plain whole number need no conversion.  `spare_typer` leaves any other value to typer.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer
from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
from typer.core import TyperCommand, _TyperParameter

from slicewright.values.console import print_json

if TYPE_CHECKING:
    from slicewright.values.settings import Option

Given = SimpleNamespace
"""The options of a command line by name."""


def command(name: str) -> Callable[[Callable[[Given], int]], Callable[..., int]]:
    """Make a function of the options of one command line the command of that name, with its declared options."""

    from slicewright.values.settings import COMMANDS

    def made(work: Callable[[Given], int]) -> Callable[..., int]:
        @functools.wraps(work)
        def run(**given: Any) -> int:
            return work(Given(**given))

        sign(run, [parameter(option) for option in COMMANDS[name] if option.typed])
        return run

    return made


class Panelled(TyperCommand):
    """A command whose help lists its options under their headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options, and those with a heading of their own."""
        from slicewright.values.settings import RARE

        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if (row := parameter.get_help_record(ctx)) is not None:
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(row)
        rare = sections.pop(RARE, [])
        for heading, rows in (sections | {RARE: rare}).items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def sign(function: Any, made: list[inspect.Parameter]) -> None:
    """Give a function the parameters from which typer makes the command line."""
    function.__signature__ = inspect.Signature(made)
    function.__annotations__ = {each.name: each.annotation for each in made}


def parameter(option: Option, *, hidden: bool = False) -> inspect.Parameter:
    """An option as typer takes it; `hidden` where its help is not shown."""
    kind: Any = list[str] if option.several else option.takes.typed
    default = None if option.default == () else option.default
    if option.required:
        default = inspect.Parameter.empty
    elif default is None:
        kind |= None
    spelt = option.spelt or (f"--{option.name}",)
    about = (
        typer.Argument(metavar=option.metavar, help=option.help)
        if spelt == ("",)
        else typer.Option(
            *spelt, metavar=option.metavar, help=option.help, hidden=hidden, rich_help_panel=option.panel or None
        )
    )
    return inspect.Parameter(
        option.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, about]
    )


def show(given: Given, as_json: Callable[[], Any], text: Callable[[], object], end: str = "") -> None:
    """Print a result in the format that was asked for."""
    if given.format == "json":
        print_json(as_json())
    else:
        print(text(), end=end)


@contextlib.contextmanager
def stored(fresh: bool) -> Iterator[None]:
    """Use the store of simulations for the block; `fresh` has everything simulated anew."""
    from slicewright.experiment.store import location, using

    with using(location(), fresh=fresh):
        yield


_WHOLE = re.compile(r"-?[0-9]{1,18}")
_PLAIN = (str, bool, int, float)


@dataclass(frozen=True)
class _Converted(RuntimeParam):
    descriptor: TypeDescriptor

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        plain = None if _restricted(self.descriptor) else _converted(value, self.annotation)
        if plain is not None:
            return plain
        return build_runtime_param(self.descriptor)._coerce_value(value, param=param, ctx=ctx)


def _converted(value: Any, annotation: Any) -> Any:
    """A value as its type has it where that needs no conversion; None where typer has to convert or refuse it."""
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
        own = _Converted(descriptor.parameter_info, descriptor.annotation, descriptor)
        param._runtime_param = build_runtime_param(descriptor) if descriptor.is_file else own
    return param._runtime_param


def _restricted(descriptor: TypeDescriptor) -> bool:
    about = descriptor.parameter_info
    return about.parser is not None or about.min is not None or about.max is not None
