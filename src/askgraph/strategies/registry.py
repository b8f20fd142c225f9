"""The strategies that there are, by name. Another one is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..core.errors import PlanError
from .base import Parts, Strategy


def _reading(parts: Parts) -> Strategy:
    from .reading import ReadingStrategy

    return ReadingStrategy(parts)


def _paths(parts: Parts) -> Strategy:
    from .paths import PathsStrategy

    return PathsStrategy(parts)


_MAKERS: Mapping[str, Callable[[Parts], Strategy]] = {
    "auto": _reading,
    "reading": _reading,
    "paths": _paths,
}

STRATEGIES = tuple(_MAKERS)
"""Names of the strategies."""


def check_strategy(name: str) -> None:
    """Raise :class:`PlanError` if there is no such strategy."""
    if name not in _MAKERS:
        raise PlanError(f"there is no strategy {name!r}", advice=f"There are: {', '.join(STRATEGIES)}.")


def make_strategy(name: str, parts: Parts) -> Strategy:
    """The strategy of that name over an open graph. Raises :class:`PlanError` if there is none."""
    check_strategy(name)
    return _MAKERS[name](parts)
