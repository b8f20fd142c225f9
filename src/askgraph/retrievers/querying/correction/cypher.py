"""A Cypher query put right, step by step: functions, types and arrows, properties, labels, values."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.values import Value
from ....querying.cypher.clause_tree import Statement
from ....querying.cypher.parser import parse
from .cypher_properties import add_labels, correct_properties
from .cypher_types import correct_types
from .cypher_values import correct_values
from .draft import Draft
from .functions import correct_functions
from .schema_words import SchemaWords
from .value_lookup import ValueLookup


def corrected_cypher(
    text: str,
    words: SchemaWords,
    lookup: ValueLookup,
    parameters: Mapping[str, Value],
    dialect: str | None,
) -> tuple[Draft[Statement], dict[str, Value]]:
    """The draft of a query, and its parameters linked. Raises :class:`QueryError` for a text that is none."""
    parsed = parse(text)
    draft = Draft(parsed.statement, parsed.source)
    correct_functions(draft, dialect)
    correct_types(draft, words, lookup.types_of_name)
    correct_properties(draft, words, lookup)
    add_labels(draft, words)
    return draft, correct_values(draft, words, lookup, parameters)
