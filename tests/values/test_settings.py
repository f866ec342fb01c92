"""One declaration of each option: the command line and the Python interface have the same names and defaults."""

import inspect

import pytest
import slicewright
import typer
from slicewright.cli.main import command_of
from slicewright.values.settings import COMMANDS, Option

IN_PYTHON = ("run", "trace", "sweep", "choose", "sensitivity")


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_function_takes_the_options_that_are_declared_with_their_defaults(name: str) -> None:
    function = dict(inspect.signature(getattr(slicewright, name)).parameters)
    declared = {option.parameter: option for option in COMMANDS[name] if option.parameter}
    if name == "sweep":  # `set` has the axes on the command line; in Python it has the changes of all points
        function = {key: value for key, value in function.items() if key != "set"}
    assert set(function) == set(declared)
    for key, parameter in function.items():
        if parameter.default is not inspect.Parameter.empty:
            assert parameter.default == declared[key].default, key


@pytest.mark.parametrize("name", [name for name in COMMANDS if " " not in name])
def test_a_command_takes_the_options_that_are_declared_in_their_order(name: str) -> None:
    command = command_of(name)
    found = [each.name for each in command.get_params(typer.Context(command)) if each.name not in ("help", "files")]
    declared = [option.key for option in COMMANDS[name] if option.typed and option.key != "files"]
    assert [key for key in found if key in declared] == declared


def test_every_problem_of_several_options_is_found_at_once() -> None:
    with pytest.raises(slicewright.InputError) as refused:
        slicewright.run(slicewright.starter("mm1"), seed=-1, replications=0, threads=2000)
    assert [wrong["key"] for wrong in refused.value.problems] == ["seed", "replications", "threads"]


def test_the_docstring_of_a_function_has_the_help_of_its_options() -> None:
    for name in IN_PYTHON:
        words = inspect.getdoc(getattr(slicewright, name)) or ""
        assert all(option.help in words for option in COMMANDS[name] if option.parameter and option.help)


def test_an_option_that_is_nothing_is_refused_only_where_it_has_a_default() -> None:
    seed, replications = (
        next(each for each in COMMANDS["run"] if each.name == name) for name in ("seed", "replications")
    )
    assert isinstance(seed, Option)
    assert seed.problem(None) is not None
    assert replications.problem(None) is None
