"""Floor 6: how well questions are answered. Questions with known answers in, measures and failures out.

>>> from askgraph import open_graph
>>> from askgraph.evaluation import evaluate, read_questions
>>> with open_graph("company.graph") as graph:  # doctest: +SKIP
...     print(evaluate(graph, read_questions("questions.jsonl")).summary().f1)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .asking import evaluate
    from .comparing_strategies import compare_strategies
    from .comparison import compare
    from .evaluated import Evaluation
    from .generation import generate_questions
    from .gold import GoldItem, GoldQuery, GoldQuestion, QuestionSet
    from .reading import read_questions
    from .strategy_comparison import StrategyComparison

_HOMES = {
    "Evaluation": ".evaluated",
    "GoldItem": ".gold",
    "GoldQuery": ".gold",
    "GoldQuestion": ".gold",
    "QuestionSet": ".gold",
    "StrategyComparison": ".strategy_comparison",
    "compare": ".comparison",
    "compare_strategies": ".comparing_strategies",
    "evaluate": ".asking",
    "generate_questions": ".generation",
    "read_questions": ".reading",
}

__all__ = [
    "Evaluation",
    "GoldItem",
    "GoldQuery",
    "GoldQuestion",
    "QuestionSet",
    "StrategyComparison",
    "compare",
    "compare_strategies",
    "evaluate",
    "generate_questions",
    "read_questions",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value
