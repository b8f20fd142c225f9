"""The strategies that there are, by name. Another one is a module and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple, cast

from ..core.errors import PlanError
from ..retrievers.subgraph.options import NESTED
from .base import Parts, Strategy, no_model


class _Entry(NamedTuple):
    """Where a strategy lives; loaded when it is first used."""

    module: str
    name: str
    needs_model: bool = False


_STRATEGIES: Mapping[str, _Entry] = {
    "auto": _Entry("auto", "AutoStrategy"),
    "reading": _Entry("reading", "ReadingStrategy"),
    "query": _Entry("query", "QueryStrategy", needs_model=True),
    "paths": _Entry("paths", "PathsStrategy"),
    "subgraph": _Entry("subgraph", "SubgraphStrategy"),
    "global": _Entry("global_search", "GlobalSearchStrategy"),
    "agent": _Entry("agent.strategy", "AgentStrategy", needs_model=True),
}

STRATEGIES = tuple(_STRATEGIES)
"""Names of the strategies."""


def check_strategy(name: str, *, has_model: bool) -> None:
    """Raise :class:`PlanError` if there is no such strategy, or it needs a model and there is none."""
    if name not in _STRATEGIES:
        raise PlanError(f"there is no strategy {name!r}", advice=f"There are: {', '.join(STRATEGIES)}.")
    if _STRATEGIES[name].needs_model and not has_model:
        raise no_model(f"the strategy {name!r} asks a language model")


def check_nested(strategy: str, nested: str | None) -> None:
    """Raise :class:`PlanError` if a nested subgraph is asked for that there is not, or of a strategy that has none."""
    if nested is None:
        return
    if nested not in NESTED:
        raise PlanError(
            f"there is no nested subgraph {nested!r}",
            advice=f"There are: {', '.join(NESTED)}; all of them side by side: --nested all, or Graph.ask_nested(…).",
        )
    if strategy != "subgraph":
        raise PlanError(
            f"the strategy {strategy!r} has no nested subgraphs",
            advice="Only subgraph has: --strategy subgraph.",
        )


def make_strategy(name: str, parts: Parts) -> Strategy:
    """The strategy of that name over an open graph. Raises :class:`PlanError` as :func:`check_strategy`."""
    check_strategy(name, has_model=parts.model is not None)
    entry = _STRATEGIES["reading" if name == "auto" and parts.model is None else name]
    module = import_module(f".{entry.module}", __package__)
    return cast("Strategy", getattr(module, entry.name)(parts))
