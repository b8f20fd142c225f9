"""Functions of other languages and dialects, where the graph's own has a sure equivalent."""

from __future__ import annotations

from collections.abc import Callable

from ....querying.cypher.clause_tree import Statement
from ....querying.cypher.dialect import Dialect, dialect_named
from ....querying.cypher.expression_tree import FunctionCall
from ....querying.rewriting import Place, place_of
from ....querying.sparql.expression_tree import FunctionCall as SparqlCall
from ....querying.sparql.query_tree import Query
from ....querying.sparql.term_tree import XSD, Iri
from ....querying.tree import SyntaxNode, walk
from .draft import Draft

_SURE = 0.95
# What a function is called elsewhere, and what it is called here; the first that a dialect has is taken.
_EQUIVALENTS: dict[str, tuple[str, ...]] = {
    "lower": ("toLower",),
    "lcase": ("toLower", "lower"),
    "tolower": ("toLower", "lower"),
    "to_lower": ("toLower", "lower"),
    "upper": ("toUpper",),
    "ucase": ("toUpper", "upper"),
    "toupper": ("toUpper", "upper"),
    "to_upper": ("toUpper", "upper"),
    "len": ("size",),
    "strlen": ("size",),
    "char_length": ("size",),
    "character_length": ("size",),
    "array_length": ("size",),
    "str": ("toString",),
    "to_string": ("toString",),
    "int": ("toInteger",),
    "to_integer": ("toInteger",),
    "to_float": ("toFloat",),
    "double": ("toFloat",),
    "ifnull": ("coalesce",),
    "nvl": ("coalesce",),
    "substr": ("substring",),
    "average": ("avg",),
    "mean": ("avg",),
    "total": ("sum",),
    "ceiling": ("ceil",),
    "ln": ("log",),
    "pow": ("power",),
    "collect_list": ("collect",),
    "array_agg": ("collect",),
}
_WITHOUT_ARGUMENTS = {
    "now": ("datetime",),
    "today": ("date",),
    "current_date": ("date",),
    "getdate": ("date",),
}
# Casts that SPARQL 1.1 does not have, to integers that it has (section 17.5).
_INTEGERS = frozenset(
    XSD + name
    for name in (
        "int",
        "long",
        "short",
        "byte",
        "nonNegativeInteger",
        "positiveInteger",
        "unsignedInt",
        "unsignedLong",
    )
)


def correct_functions(draft: Draft[Statement], dialect_name: str | None) -> None:
    """Give the functions of a Cypher query the names that its dialect has for them."""
    dialect = dialect_named(dialect_name or "neo4j")
    replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
    for node in walk(draft.tree):
        if isinstance(node, FunctionCall):
            new = _equivalent(node, dialect)
            if new is not None:
                reason = f"{dialect.title} has no function {node.name}"
                draft.note("function", node.name, new, reason, _SURE, node.span)
                replacements[place_of(node)] = _named(new)
    draft.replace(replacements)


def _equivalent(node: FunctionCall, dialect: Dialect) -> str | None:
    name = node.name.lower()
    if name in dialect.functions:
        return None
    candidates = _EQUIVALENTS.get(name, ())
    if not node.arguments:
        candidates = _WITHOUT_ARGUMENTS.get(name, ())
    return next((other for other in candidates if other.lower() in dialect.functions), None)


def _named(name: str) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda node: node.changed(name=name)


def correct_casts(draft: Draft[Query]) -> None:
    """Cast to xsd:integer where a SPARQL query casts to one of the integers that the language has no cast for."""
    replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
    for node in walk(draft.tree):
        if isinstance(node, SparqlCall) and node.function.value in _INTEGERS:
            written = node.function.written
            prefix = written.partition(":")[0]
            new = Iri(f"{XSD}integer", f"{prefix}:integer" if ":" in written and "<" not in written else "")
            before = written or f"<{node.function.value}>"
            after = new.written or f"<{new.value}>"
            draft.note("function", before, after, "SPARQL has no such cast", _SURE, node.function.span)
            replacements[place_of(node.function)] = _always(new)
    draft.replace(replacements)


def _always(new: SyntaxNode) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda _: new
