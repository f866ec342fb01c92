"""Every name of the public face that is written in Python has an example that runs as a test."""

import inspect

import slicewright


def without_example(value: object) -> bool:
    """Whether the docstring of a class or function has no example."""
    return ">>>" not in (inspect.getdoc(value) or "")


def test_every_name_of_the_public_face_has_an_example() -> None:
    problems = [
        name
        for name, value in ((name, getattr(slicewright, name)) for name in slicewright.__all__)
        if inspect.isfunction(value)
        or (
            inspect.isclass(value)
            and value.__module__.startswith("slicewright.")
            and not value.__module__.endswith("_core")
        )
        if without_example(value)
    ]
    assert not problems, f"no example in the docstring of: {', '.join(problems)}"


def test_the_rule_finds_what_it_is_for() -> None:
    def bare() -> None:
        """Do it."""

    def shown() -> None:
        """Do it.

        >>> shown()
        """

    assert without_example(bare)
    assert not without_example(shown)
