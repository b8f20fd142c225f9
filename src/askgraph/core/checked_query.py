"""Query text that has passed the gate: the only thing that a store's ``query`` takes.

The gate (:mod:`askgraph.querying.gate`) makes one and the stores send it; neither room knows the other, so what they
share lives here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

SEAL = object()
"""What proves that the gate made a query. For :mod:`askgraph.querying.gate` alone."""


class CheckedQuery:
    """A query that has passed the gate. Only :func:`askgraph.querying.check` makes one.

    Attributes:
        text: what to send. Its LIMIT is one above ``row_cap``, so that a store can tell that there was more.
        shown: what to show to people and models, and to keep in a run: ``text`` without what was added to keep out what
            is hidden, which names it. Equal to ``text`` where nothing is.
        language: ``"cypher"`` or ``"sparql"``.
        dialect: the engine's dialect, such as ``"neo4j"``; empty where the language has none.
        parameters: names of the parameters that ``text`` needs.
        columns: names of the columns, or ``None`` where the text does not tell them.
        row_cap: rows that the policy allows; ``None`` for no cap.
        capped_in_text: whether ``text`` itself holds the cap; else the store must stop reading by itself.
        explain: whether it only asks for a plan.
        notes: what the gate changed, in plain sentences, to be shown with the answer.
    """

    __slots__ = (
        "capped_in_text",
        "columns",
        "dialect",
        "explain",
        "language",
        "notes",
        "parameters",
        "row_cap",
        "shown",
        "text",
    )

    capped_in_text: bool
    columns: tuple[str, ...] | None
    dialect: str
    explain: bool
    language: str
    notes: tuple[str, ...]
    parameters: tuple[str, ...]
    row_cap: int | None
    shown: str
    text: str

    def __init__(self, seal: object, **values: Any) -> None:
        if seal is not SEAL:
            raise TypeError("only askgraph.querying.check makes a CheckedQuery")
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def missing_parameters(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the parameters that the query needs and that are not given."""
        return tuple(name for name in self.parameters if name not in given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a CheckedQuery cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a CheckedQuery cannot be changed")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a CheckedQuery cannot be copied or pickled; send its text")

    def __repr__(self) -> str:
        return f"CheckedQuery({self.shown!r})"
