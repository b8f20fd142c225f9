"""A SPARQL query put right, step by step: its text, its classes and predicates, its nodes, its literals."""

from __future__ import annotations

from collections.abc import Mapping

from ....querying.source import Span
from ....querying.sparql.query_tree import Query
from .changes import ChangeKind
from .draft import Draft
from .functions import correct_casts
from .schema_words import SchemaWords
from .sparql_names import correct_names
from .sparql_nodes import correct_nodes
from .sparql_text import readable
from .sparql_values import correct_values
from .value_lookup import ValueLookup

_SURE_REPAIR = 0.95


def corrected_sparql(
    text: str, words: SchemaWords, lookup: ValueLookup, prefixes: Mapping[str, str]
) -> Draft[Query]:
    """The draft of a query. Raises :class:`QueryError` for a text that is none."""
    found = readable(text, words.schema, prefixes)
    draft = Draft(found.parsed.query, found.parsed.source)
    for repair in found.repairs:
        kind: ChangeKind = "prefix" if repair.kind == "prefix" else "syntax"
        draft.note(kind, repair.before, repair.after, repair.reason, _SURE_REPAIR, Span(0, 0))
    correct_casts(draft)
    correct_names(draft, words, lookup)
    correct_nodes(draft, words, lookup)
    correct_values(draft, words, lookup)
    return draft
