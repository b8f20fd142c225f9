"""How sure an answer is that was read off a path: what speaks against it, weighed as ``benchmarks/fit_confidence.py
--strategy paths`` found it to weigh (``path_confidence.toml``)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.evidence import ShortAnswer
from ..core.graph import Node
from ..linking.linked_question import LinkedQuestion
from ..retrievers.traversal.subgraph import Subgraph
from .confidence import fitted_model
from .path_answers import likeness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FILE = "path_confidence.toml"
# A cosine so far behind the best is no rival.
_RIVAL = 0.1


def confidence_of(features: Mapping[str, float]) -> float:
    """The chance that an answer with these features is right."""
    return fitted_model(_FILE).confidence(features)


def path_features(
    question: LinkedQuestion,
    subgraphs: Sequence[Subgraph],
    answers: Sequence[ShortAnswer],
    explained: NDArray[np.float64],
    nodes: Mapping[str, Node],
    asked: frozenset[str],
    *,
    is_undecided: bool = False,
) -> dict[str, float]:
    """What speaks against the answer that the best subgraph gives; each number is at least 0.

    Args:
        question: as linked.
        subgraphs: the best first.
        answers: what was read off the best.
        explained: how much of each content word the best path explains.
        nodes: the nodes on the path, by their ids.
        asked: the types that were asked for, with those below them.
        is_undecided: whether the same path in another direction would do as well, and leads elsewhere.
    """
    best = subgraphs[0]
    form = question.form
    return {
        "unlike": 1.0 - likeness(best),
        "unexplained": float(1.0 - explained.mean()),
        "weakest word": float(1.0 - explained.min()),
        "open words": float((explained < 0.5).sum()),
        "rival": _rival(subgraphs),
        "many answers": math.log10(max(1, len(answers))),
        "further hops": float(max(0, best.depth - 1)),
        "says yes": float(form.is_yes_no),
        "counts": float(form.counts),
        "weak link": 1.0 - min((link.score for link in question.things), default=1.0),
        "homonyms": math.log10(max(1, len(best.seed))),
        "edges left out": float(bool(best.cut)),
        # A yes-or-no question asks for no type either; that speaks against nothing.
        "asked for a value": float(not (asked or best.end_properties or form.is_yes_no)),
        "direction undecided": float(is_undecided),
        "answer of another type": _of_another_type(answers, nodes, asked),
    }


def _rival(subgraphs: Sequence[Subgraph]) -> float:
    """How near the next path comes that leads to other ends: 1 for as good."""
    best = subgraphs[0]
    others = [item for item in subgraphs[1:] if set(item.ends) != set(best.ends)]
    if not others:
        return 0.0
    behind = likeness(best) - max(map(likeness, others))
    return max(0.0, 1.0 - behind / _RIVAL)


def _of_another_type(
    answers: Sequence[ShortAnswer], nodes: Mapping[str, Node], asked: frozenset[str]
) -> float:
    """Whether none of the answers has a type that was asked for."""
    if not asked:
        return 0.0
    types = {type for item in answers if item.node in nodes for type in nodes[item.node or ""].types}
    return float(asked.isdisjoint(types))
