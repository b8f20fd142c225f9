"""Why a query found nothing: asked of the graph itself, by queries that ask for a little less.

A query that runs and finds nothing is an answer, or a query that asks for what there is not. Which of its parts matches
nothing is learnt by leaving out one at a time: each such query goes through the gate like any other, asks only whether
there is anything at all, and there are few of them, within the budget. That is said, and so is where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...core.budget import Budget
from ...core.errors import AskgraphError, OpenError
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.query_result import QueryResult
from ...core.words import quantity
from ...graph_queries import GraphQueries
from .correction.relaxing import Relaxation
from .query_diagnostic import bounded, quoted

MOST_TRIED = 16
_SECONDS = 4.0
_SECONDS_EACH = 1.0
_LONGEST_PART = 120

_SAYINGS: dict[str, str] = {
    "part": "{} alone matches nothing.",
    "direction": "With the direction of {} turned it finds something.",
    "condition": "Without the condition {} it finds something.",
    "property": "Without {} it finds something.",
    "type": "Without the type {} it finds something.",
    "relation": "Without {} it finds something.",
}


@dataclass(frozen=True, slots=True)
class EmptyPart:
    """A part of a query that keeps it from finding anything.

    Attributes:
        kind: see :class:`~askgraph.retrievers.querying.correction.relaxing.Relaxation`.
        what: the part, as the query has it.
        proposal: a query to ask instead, which finds something; empty where there is none to propose.
    """

    kind: str
    what: str
    proposal: str = ""

    @property
    def sentence(self) -> str:
        """What was learnt, for a model: the part in quotes that it cannot leave."""
        return _SAYINGS[self.kind].format(quoted(self.what, _LONGEST_PART))

    @property
    def note(self) -> str:
        """The same for a person, to whom the part is shown as the query has it."""
        what = " ".join(self.what.split())
        return _SAYINGS[self.kind].format(
            what if len(what) <= _LONGEST_PART else f"{what[: _LONGEST_PART - 1]}…"
        )


@dataclass(frozen=True, slots=True)
class WhyEmpty:
    """What was learnt about a query that found nothing.

    Attributes:
        parts: those that alone explain it, the most telling first; none where it takes several together, or where the
            query is of a shape that is not looked into.
        tried: how many queries were asked for that.
        stopped: why not all of them were; empty where they were.
    """

    parts: tuple[EmptyPart, ...] = ()
    tried: int = 0
    stopped: str = ""

    @property
    def proposals(self) -> tuple[str, ...]:
        """Queries to ask instead, which find something."""
        return tuple(part.proposal for part in self.parts if part.proposal)

    def diagnostic(self, longest: int = 800) -> str:
        """What to tell the model that wrote the query, at most so many characters."""
        lines = ["It ran and found nothing."]
        lines += [part.sentence for part in self.parts]
        if not self.parts and self.tried:
            lines.append("No single part of it explains that.")
        return bounded(lines, longest)

    @property
    def note(self) -> str:
        """What to tell a user, in a sentence or two."""
        found = " ".join(part.note for part in self.parts[:2]) or "No single part of the query explains that."
        asked = f"{quantity(self.tried, 'query', 'queries')} asked for less"
        return f"It found nothing. {found} ({asked}{f'; {self.stopped}' if self.stopped else ''}.)"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "parts": [
                {"kind": part.kind, "what": part.what, "proposal": part.proposal} for part in self.parts
            ],
            "tried": self.tried,
            "stopped": self.stopped,
        }


def why_empty(
    text: str,
    queries: GraphQueries,
    *,
    language: str,
    parameters: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    hidden: Hidden = NOTHING_HIDDEN,
    most: int = MOST_TRIED,
) -> WhyEmpty:
    """Which part of a query keeps it from finding anything.

    Args:
        text: a query that passed the gate, ran and gave no rows.
        queries: the gate of its graph, and what runs behind it.
        language: ``"cypher"`` or ``"sparql"``.
        parameters: the values of its parameters.
        budget: what may be spent; at most four seconds of it are.
        hidden: what no query may see, beside what the operator hides.
        most: how many queries are asked at most.

    Raises:
        QuerySyntaxError, QueryRefusedError: the text is no query that may run.
        OpenError: the graph cannot be reached.
    """
    whole = budget or Budget()
    left = whole.within(min(_SECONDS, whole.remaining))
    relaxations = _RELAXERS[language](text)
    parts: list[EmptyPart] = []
    stopped, tried = "", 0
    for relaxation in relaxations:
        if tried >= most or left.remaining <= 0:
            stopped = f"{len(relaxations) - tried} more were not asked"
            break
        if _is_explained(relaxation, parts):
            continue
        tried += 1
        found = _finds(relaxation, queries, language, parameters, left, hidden)
        # A node that is not there by itself explains why; so does a part without which there is something.
        if found is not None and found != (relaxation.kind == "part"):
            parts.append(EmptyPart(relaxation.kind, relaxation.what, relaxation.proposal))
    return WhyEmpty(tuple(parts), tried, stopped)


def _is_explained(relaxation: Relaxation, parts: list[EmptyPart]) -> bool:
    """Whether it would say again what is known: a property of a node that is not there."""
    return relaxation.kind == "property" and any(
        part.kind == "part" and relaxation.what in part.what for part in parts
    )


def _finds(
    relaxation: Relaxation,
    queries: GraphQueries,
    language: str,
    parameters: Mapping[str, Any] | None,
    budget: Budget,
    hidden: Hidden,
) -> bool | None:
    """Whether it finds anything; ``None`` if it could not be asked."""
    try:
        checked = queries.check(relaxation.text, parameters, language=language, rows=1, hidden=hidden)
        seconds = max(0.05, min(_SECONDS_EACH, budget.remaining))
        result = queries.run(checked, parameters, timeout=seconds)
    except OpenError:
        raise
    except AskgraphError:
        return None
    return _is_something(result)


def _is_something(result: QueryResult) -> bool:
    if result.shape == "boolean":
        return bool(result.rows and result.rows[0][0])
    return len(result) > 0


def _cypher(text: str) -> list[Relaxation]:
    from .correction.relaxed_cypher import relaxed_cypher

    return relaxed_cypher(text)


def _sparql(text: str) -> list[Relaxation]:
    from .correction.relaxed_sparql import relaxed_sparql

    return relaxed_sparql(text)


_RELAXERS: dict[str, Callable[[str], list[Relaxation]]] = {"cypher": _cypher, "sparql": _sparql}
