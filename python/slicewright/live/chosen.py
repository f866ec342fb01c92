"""Words that an option takes as a list, of a few that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from slicewright.errors import nearest, problem, refusal

Word = TypeVar("Word", bound=str)


def chosen(text: str, key: str, what: str, known: Sequence[Word]) -> tuple[Word, ...]:
    """The known words that a list names, each once; `what` is one of them in an error.

    Raises InputError with every word that is none.

    >>> chosen("spin, futex", "methods", "method", ("futex", "spin"))
    ('spin', 'futex')
    """
    words = [word.strip() for word in text.split(",")]
    wrong = [
        problem(f"no such {what}: {word!r}", key=key, allowed=", ".join(known), nearest=nearest(word, known))
        for word in words
        if word not in known
    ]
    if wrong:
        raise refusal(*wrong)
    return tuple(dict.fromkeys(each for word in words for each in known if each == word))
