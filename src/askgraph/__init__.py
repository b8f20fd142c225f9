"""askgraph: answers from a knowledge graph, with the facts that each sentence rests on.

    >>> import askgraph
    >>> answer = askgraph.ask("company.graph", "Who manages Karen Brant?")  # doctest: +SKIP
    >>> print(answer)  # doctest: +SKIP

Everything is loaded when it is first used, so that importing askgraph costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .core.version import __version__

if TYPE_CHECKING:
    from .core.budget import Budget
    from .core.errors import AskgraphError
    from .core.evidence import Answer, Evidence, Fact, Link, Sentence, ShortAnswer
    from .core.graph import Edge, Name, Node, Path
    from .core.plan import Plan, Table
    from .core.run import Run
    from .core.schema import Schema
    from .core.settings import Settings
    from .engine import Graph, ask, ask_async, load_graph, open_graph

_HOMES = {
    "Budget": ".core.budget",
    "AskgraphError": ".core.errors",
    "Answer": ".core.evidence",
    "Evidence": ".core.evidence",
    "Fact": ".core.evidence",
    "Link": ".core.evidence",
    "Sentence": ".core.evidence",
    "ShortAnswer": ".core.evidence",
    "Edge": ".core.graph",
    "Name": ".core.graph",
    "Node": ".core.graph",
    "Path": ".core.graph",
    "Plan": ".core.plan",
    "Table": ".core.plan",
    "Run": ".core.run",
    "Schema": ".core.schema",
    "Settings": ".core.settings",
    "Graph": ".engine",
    "ask": ".engine",
    "ask_async": ".engine",
    "load_graph": ".engine",
    "open_graph": ".engine",
}

__all__ = [
    "Answer",
    "AskgraphError",
    "Budget",
    "Edge",
    "Evidence",
    "Fact",
    "Graph",
    "Link",
    "Name",
    "Node",
    "Path",
    "Plan",
    "Run",
    "Schema",
    "Sentence",
    "Settings",
    "ShortAnswer",
    "Table",
    "__version__",
    "ask",
    "ask_async",
    "load_graph",
    "open_graph",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
