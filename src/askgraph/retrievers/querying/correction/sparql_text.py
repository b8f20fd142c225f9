"""SPARQL texts that cannot be read as they are: prefixes that are not declared, slips of the pen of whoever wrote them.

Each repair is tried alone and kept only if the text can be read further with it; what comes out has to pass the gate
like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ....core.errors import QuerySyntaxError
from ....core.schema import Schema
from ....core.words import normalize, split_identifier
from ....querying.sparql.examination import read_query
from ....querying.sparql.parser import Parsed, parse
from ....querying.sparql.variable_classes import namespace_of
from ....querying.sparql.well_known import WELL_KNOWN_PREFIXES

_MOST_REPAIRS = 12
COMMON_NAMESPACES = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/ns/shacl#",
)
"""Vocabularies that a graph may have in it without counting them among what it is about."""
# A longer text is no slip of the pen; looking for one would take long.
_LONGEST = 8_192
_SURE = ("rdf", "rdfs", "owl", "xsd", "skos")
_LOCAL = re.compile(r"(?<![\w:])([A-Za-z][\w.-]*)?:([A-Za-z_][\w-]*)")
_BARE_IRI = re.compile(r"(?<![<\w\"'])https?://[^\s<>\"'{}|^`\\,;()]*[^\s<>\"'{}|^`\\,;().]")
_GLUED = re.compile(r"(?<=[\w}])(WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|OFFSET|FILTER|OPTIONAL)(?=[\s({?])")
_ALIAS = re.compile(r"(SELECT\s(?:(?!WHERE|\{).)*?)(?<![(\w])(\?\w+\s+AS\s+\?\w+)(?![)\w])", re.DOTALL | re.I)
_BARE_CONDITION = re.compile(
    r"(?<=[.{}\s])(\?\w+\s*(?:!=|<=|>=|=|<|>)\s*(?:<[^<>\s]*>|\"[^\"]*\"|[\w:.-]+))\s*(?=[.}])"
)


class TextRepair(NamedTuple):
    """What was done to a text before it could be read."""

    before: str
    after: str
    reason: str
    kind: str


class Readable(NamedTuple):
    """A text that can be read, its tree, and what was done to it."""

    text: str
    parsed: Parsed
    repairs: tuple[TextRepair, ...]


def readable(text: str, schema: Schema, prefixes: Mapping[str, str]) -> Readable:
    """The text with what keeps it from being read put right. Raises :class:`QueryError` if that cannot be done."""
    repairs: list[TextRepair] = []
    for _ in range(_MOST_REPAIRS):
        try:
            return Readable(text, read_query(text, prefixes), tuple(repairs))
        except QuerySyntaxError as error:
            found = _repaired(text, error, schema, prefixes)
            if found is None:
                raise
            text, repair = found
            repairs.append(repair)
    return Readable(text, read_query(text, prefixes), tuple(repairs))


def _repaired(
    text: str, error: QuerySyntaxError, schema: Schema, prefixes: Mapping[str, str]
) -> tuple[str, TextRepair] | None:
    if error.code == "prefix":
        return _declared(text, error, schema) or _first_better(text, error, prefixes, (_in_brackets,))
    if error.code != "syntax" or len(text) > _LONGEST:
        return None
    return _first_better(text, error, prefixes, (_set_apart, _in_brackets, _closed, _aliased, _as_filter))


# Prefixes


def _declared(text: str, error: QuerySyntaxError, schema: Schema) -> tuple[str, TextRepair] | None:
    offset = error.offset or 0
    found = re.match(r"([\w.-]*):", text[offset:])
    prefix = found[1] if found else ""
    if prefix in ("http", "https", "urn", "mailto"):
        return None
    namespace = _namespace(prefix, text, schema)
    if namespace is None:
        return None
    line = f"PREFIX {prefix}: <{namespace}>"
    reason = f"{prefix}: was not declared; {_why(prefix, namespace)}"
    return f"{line}\n{text}", TextRepair(f"{prefix}:", line, reason, "prefix")


def _why(prefix: str, namespace: str) -> str:
    known = WELL_KNOWN_PREFIXES.get(prefix) == namespace
    return "everybody means this by it" if known else "the graph's own names lie there"


def _namespace(prefix: str, text: str, schema: Schema) -> str | None:
    """What everybody means by a prefix if the graph uses that, else the namespace in which the graph has its names."""
    well_known = WELL_KNOWN_PREFIXES.get(prefix)
    used = namespaces_of(schema)
    if well_known is not None and (prefix in _SURE or well_known in used):
        return well_known
    locals_ = [normalize(split_identifier(local)) for own, local in _LOCAL.findall(text) if own == prefix]
    scored = []
    for namespace, names in used.items():
        said = sum(local in names for local in locals_)
        alike = normalize(prefix) and normalize(prefix) in normalize(split_identifier(namespace))
        scored.append((said, bool(alike), sum(map(len, names)), namespace))
    own = [item for item in scored if not item[3].startswith(COMMON_NAMESPACES)] or scored
    # Where nothing tells, the prefix is taken for that of most names: each name is then looked at by itself.
    return max(own)[3] if own else None


def namespaces_of(schema: Schema) -> dict[str, frozenset[str]]:
    """The namespaces of a schema's own names, with those names as words."""
    found: dict[str, set[str]] = {}
    ids = (
        *(item.id for item in schema.node_types),
        *(item.id for item in schema.edge_types),
        *(item.key for item in schema.properties if not item.of_edges),
    )
    for id in dict.fromkeys(ids):
        namespace = namespace_of(id)
        if namespace:
            local = normalize(split_identifier(id[len(namespace) :]))
            found.setdefault(namespace, set()).add(local)
    return {namespace: frozenset(names) for namespace, names in found.items()}


# Slips of the pen

_Edit = Callable[[str], Iterable[tuple[str, TextRepair]]]


def _first_better(
    text: str, error: QuerySyntaxError, prefixes: Mapping[str, str], edits: Iterable[_Edit]
) -> tuple[str, TextRepair] | None:
    """The first edit with which the text can be read, or at least further than before."""
    for edit in edits:
        for changed, repair in edit(text):
            reached = _reaches(changed, prefixes)
            before = error.offset or 0
            if reached is None or reached > before + max(0, len(changed) - len(text)):
                return changed, repair
    return None


def _reaches(text: str, prefixes: Mapping[str, str]) -> int | None:
    """How far a text can be read; ``None`` for to its end."""
    try:
        parse(text, prefixes=prefixes)
    except QuerySyntaxError as error:
        return error.offset or 0
    return None


def _set_apart(text: str) -> Iterator[tuple[str, TextRepair]]:
    """Line ends that were lost: ``?xORDER BY``."""
    changed = _GLUED.sub(r"\n\1", text)
    if changed != text:
        yield changed, TextRepair("?xORDER BY", "?x ORDER BY", "words ran into each other", "syntax")


def _in_brackets(text: str) -> Iterator[tuple[str, TextRepair]]:
    """IRIs in full without angle brackets."""
    changed = _BARE_IRI.sub(lambda found: f"<{found[0]}>", text)
    if changed != text:
        first = _BARE_IRI.search(text)
        before = first[0] if first else "http://…"
        yield changed, TextRepair(before, f"<{before}>", "an IRI stands in angle brackets", "syntax")


def _closed(text: str) -> Iterator[tuple[str, TextRepair]]:
    """Braces that were never closed."""
    missing = text.count("{") - text.count("}")
    if 0 < missing <= 3:
        yield text.rstrip() + " }" * missing, TextRepair("{", "{ }", "a brace was not closed", "syntax")


def _aliased(text: str) -> Iterator[tuple[str, TextRepair]]:
    """``SELECT ?x AS ?y``."""
    changed = _ALIAS.sub(r"\1(\2)", text)
    if changed != text:
        yield changed, TextRepair("?x AS ?y", "(?x AS ?y)", "an alias stands in parentheses", "syntax")


def _as_filter(text: str) -> Iterator[tuple[str, TextRepair]]:
    """``?x = <…> .`` as if it were a triple."""
    changed = _BARE_CONDITION.sub(r"FILTER(\1)", text)
    if changed != text:
        yield changed, TextRepair("?x = …", "FILTER(?x = …)", "a condition stands in FILTER", "syntax")
