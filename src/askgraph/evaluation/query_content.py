"""What a query is made of, whatever its language: what it names, what relates it, and what it makes of the matches.

Two queries are compared by this to tell where one went wrong, and a question is given its kind by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueryContent:
    """What a query is made of. Each thing is named once, in the order of the query.

    Attributes:
        things: ids of nodes.
        texts: texts that values or names are compared with.
        relations: edge types and property keys.
        types: node types.
        edges: how many edges its pattern has.
        forms: what it makes of the matches: ``"yes/no"``, ``"count"``, ``"figure"`` (a sum, an average, an extreme),
            ``"group"``, ``"order"`` (the first of an order), ``"filter"`` (bounds), ``"negation"``.
    """

    things: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    edges: int = 0
    forms: frozenset[str] = frozenset()


def kind_of(content: QueryContent) -> str:
    """What kind of question asks for this, in a few words."""
    forms = content.forms
    for form, kind in (
        ("yes/no", "yes/no"),
        ("negation", "negation"),
        ("order", "superlative"),
        ("group", "for each"),
        ("count", "count"),
        ("figure", "figure"),
        ("filter", "filter"),
    ):
        if form in forms:
            return kind
    named = len(content.things) + len(content.texts)
    if named > 1:
        return "two conditions"
    if not named:
        return "of a class"
    return ("property", "one hop", "two hops")[content.edges] if content.edges < 3 else "three hops"


def once(items: Iterable[str]) -> tuple[str, ...]:
    """The items without repeats, in their order."""
    return tuple(dict.fromkeys(items))
