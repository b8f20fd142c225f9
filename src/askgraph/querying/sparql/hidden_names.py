"""Deny-lists as a SPARQL query meets them: which IRIs may not be named, and what cannot be kept from showing them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.hidden import Hidden
from ..source import SourceText
from ..tree import SyntaxNode
from .iris import is_absolute
from .pattern_tree import NamedGraphPattern, ServicePattern
from .query_tree import Dataset
from .term_tree import Iri

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
# In "http://example.org/Person.http://example.org/email" the property begins after a dot that a scheme follows.
_OWNER = re.compile(r"\.(?=[A-Za-z][A-Za-z0-9+.-]*:)")


@dataclass(frozen=True, slots=True)
class HiddenIris:
    """The IRIs of deny-lists.

    Attributes:
        names: what may not be named, and stands in no result: types, and properties hidden of every owner.
        types: what nodes may not be, and edges may not be called.
        owners: for each property that is hidden of some owners only, their classes.
    """

    names: tuple[Iri, ...]
    types: tuple[Iri, ...]
    owners: dict[str, tuple[Iri, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, hidden: Hidden) -> HiddenIris:
        """Those of a graph's deny-lists. Entries that are no IRIs name nothing in an RDF graph."""
        types = tuple(Iri(name) for name in dict.fromkeys(hidden.types) if _IRI.fullmatch(name))
        names = list(types)
        owners: dict[str, tuple[Iri, ...]] = {}
        for entry in hidden.properties:
            owned = [(entry[: dot.start()], entry[dot.end() :]) for dot in _OWNER.finditer(entry)]
            for owner, key in owned:
                if _IRI.fullmatch(owner) and _IRI.fullmatch(key):
                    owners[key] = (*owners.get(key, ()), Iri(owner))
            # A property may itself have a dot and a colon in its name: then it is hidden in either sense.
            if _IRI.fullmatch(entry) and not any("://" in key for _, key in owned):
                names.append(Iri(entry))
        return cls(tuple(dict.fromkeys(names)), types, owners)


def refuse_hidden(nodes: Sequence[SyntaxNode], source: SourceText, hidden: HiddenIris) -> None:
    """Raise :class:`QueryRefusedError` (code ``"hidden"``) for a query that names what is hidden, or where it cannot
    be told what is named."""
    names = {iri.value for iri in hidden.names}
    for node in nodes:
        if isinstance(node, Iri):
            if node.value in names:
                _refuse(source, node, f"{node.written or node.value} is not to be seen here")
            if not is_absolute(node.value):
                _refuse(
                    source, node, "what this IRI stands for is known to the engine alone", "Write it in full."
                )
        elif isinstance(node, Dataset | ServicePattern):
            _refuse(source, node, "another graph might show what is hidden in this one", "Leave it out.")
        elif isinstance(node, NamedGraphPattern) and hidden.types:
            # What a node is may be said in another graph than the one that is asked.
            _refuse(
                source, node, "a part of the graph might show what is hidden in the whole", "Leave GRAPH out."
            )


def _refuse(source: SourceText, node: SyntaxNode, message: str, advice: str | None = None) -> None:
    raise source.refusal(node.span, message, code="hidden", advice=advice)
