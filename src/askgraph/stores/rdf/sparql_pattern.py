"""Nodes and edges of a plan as the triple patterns of a SPARQL query, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ...core.plan import EdgePattern, NodePattern, Pattern
from ...core.schema import UNTYPED, Schema
from .sparql_context import SparqlContext
from .sparql_dialect import SparqlDialect
from .sparql_words import Names, is_iri

Lines = list[str]

_INDENT: Final = "  "


def indented(lines: Iterable[str]) -> Lines:
    """The lines one step further in."""
    return [f"{_INDENT}{line}" for line in lines]


def block(opening: str, lines: Sequence[str], closing: str = "}") -> Lines:
    """Lines between braces: on one line if there is only one."""
    if len(lines) == 1:
        return [f"{opening} {lines[0]} {closing}"]
    return [opening, *indented(lines), closing]


class PatternWriter:
    """Writes patterns, and remembers what variables are called.

    Attributes:
        variables: the SPARQL variable of each node variable, with its question mark.
        comments: what the reader of the query should know.
    """

    def __init__(self, schema: Schema, context: SparqlContext, names: Names, *, counts_matches: bool) -> None:
        """``counts_matches``: whether it makes a difference how often something matches."""
        self.variables: dict[str, str] = {}
        self.comments: dict[str, None] = {}
        self._schema = schema
        self._context = context
        self._names = names
        self._counts_matches = counts_matches
        self._properties = {item.key for item in schema.properties if not item.of_edges}

    def required(self, pattern: Pattern, bound: set[str]) -> Lines:
        """What must match. ``bound``: variables that something else binds."""
        optional = set(pattern.optional_variables) - bound
        touched = {end for edge in pattern.required_edges for end in (edge.source, edge.target)}
        lines: Lines = []
        for node in pattern.nodes:
            if node.variable not in optional:
                lines += self._node(node, is_bound=node.variable in bound or node.variable in touched)
        for edge in pattern.required_edges:
            lines += self._edge(edge)
        return lines

    def optional(self, pattern: Pattern, values_of: Callable[[str], Lines]) -> Lines:
        """The optional edges. ``values_of``: the lines that read the values of a node that an edge may bind."""
        nodes = {node.variable: node for node in pattern.nodes if node.variable in pattern.optional_variables}
        waiting = list(pattern.optional_edges)
        lines: Lines = []
        while waiting:
            lines += self._optional_edge(waiting.pop(0), nodes, waiting, values_of)
        return lines

    def variable(self, name: str) -> str:
        """The SPARQL variable of a node variable, made when first asked for."""
        if name not in self.variables:
            self.variables[name] = self._names.variable(name)
        return self.variables[name]

    # --- nodes

    def _node(self, node: NodePattern, *, is_bound: bool) -> Lines:
        variable = self.variable(node.variable)
        lines = self._ids(variable, node.ids) if node.ids else []
        return [*self._node_lines(node, variable, lines, is_bound=is_bound), *self.no_hidden(variable)]

    def _node_lines(self, node: NodePattern, variable: str, lines: Lines, *, is_bound: bool) -> Lines:
        if node.types:
            return [*lines, *self._types(variable, node.types, is_bound=is_bound or bool(node.ids))]
        if is_bound:
            return lines
        return [*lines, *(self._is_node(variable) if node.ids else self._any_node(variable))]

    def _ids(self, variable: str, asked: Sequence[str]) -> Lines:
        # What cannot be an IRI is in no graph.
        ids = [id for id in dict.fromkeys(asked) if id.startswith("_:") or is_iri(id)]
        dialect = self._context.dialect
        if not dialect.has_our_functions:
            ids = [written for id in ids if (written := _as_iri(id, dialect)) is not None]
        if not any(id.startswith("_:") for id in ids):
            return [f"VALUES {variable} {{ {' '.join(map(self._names.iri, ids))} }}"]
        id_variable = self._names.variable(f"{variable[1:]}_id")
        self.comments["askgraph:node gives the node with an id: SPARQL itself cannot name a blank node."] = (
            None
        )
        return [
            f"VALUES {id_variable} {{ {' '.join(map(self._names.text, ids))} }}",
            f"BIND({self._names.ours('node')}({id_variable}) AS {variable})",
        ]

    def _types(self, variable: str, types: Sequence[str], *, is_bound: bool) -> Lines:
        asked = [type for type in types if type != UNTYPED]
        meant = self._with_members(asked)
        if UNTYPED in types:
            return self._with_untyped(variable, meant, is_bound=is_bound)
        if len(meant) == 1:
            return [f"{variable} a {self._names.iri(meant[0])} ."]
        type_variable = self._names.variable(f"{variable[1:]}_type")
        lines = [
            f"VALUES {type_variable} {{ {' '.join(map(self._names.iri, meant))} }}",
            f"{variable} a {type_variable} .",
        ]
        if not self._counts_matches:
            return lines
        # A node of several of these types is one match.
        if is_bound:
            return [f"FILTER EXISTS {{ {' '.join(lines)} }}"]
        return [f"{{ SELECT DISTINCT {variable} WHERE {{ {' '.join(lines)} }} }}"]

    def _with_members(self, asked: Sequence[str]) -> Sequence[str]:
        """The types that have members themselves, of those asked for and all below them."""
        present = []
        for type in asked:
            below = [
                name
                for name in self._schema.subtypes(type)
                if self._schema.node_type(name).count or not self._context.counts_are_exact
            ]
            present += below
            if set(below) - {type}:
                listed = ", ".join(self._schema.label_of(name) for name in below)
                self.comments[f"{self._schema.label_of(type)} means: {listed}."] = None
        return list(dict.fromkeys(present)) or list(asked)

    def _with_untyped(self, variable: str, types: Sequence[str], *, is_bound: bool) -> Lines:
        inner = f"{variable} a ?anyType"
        if self._context.empty_types:
            inner += (
                f" . FILTER(?anyType NOT IN ({', '.join(map(self._names.iri, self._context.empty_types))}))"
            )
        test = f"NOT EXISTS {{ {inner} }}"
        if types:
            listed = " ".join(map(self._names.iri, types))
            test = f"({test} || EXISTS {{ VALUES ?ofType {{ {listed} }} {variable} a ?ofType }})"
        return [*([] if is_bound else self._any_node(variable)), f"FILTER({test})"]

    def _any_node(self, variable: str) -> Lines:
        """Everything that is a subject or the end of an edge."""
        as_subject = [f"{variable} ?anyKey ?anyValue .", *self.no_declaration(variable)]
        as_end = [
            f"?anySource ?anyEdge {variable} .",
            f"FILTER({self._names.declare('?anyEdge != rdf:type')} && !isLiteral({variable}))",
            *self.no_declaration("?anySource"),
        ]
        inner = ["{", *indented(as_subject), "} UNION {", *indented(as_end), "}"]
        return [f"{{ SELECT DISTINCT {variable} WHERE {{", *indented(inner), "} }"]

    def _is_node(self, variable: str) -> Lines:
        return [
            f"FILTER(EXISTS {{ {variable} ?anyKey ?anyValue }} || EXISTS {{ ?anySource ?anyEdge {variable} }})"
        ]

    def no_hidden(self, variable: str) -> Lines:
        """Leaves out nodes that are not to be seen."""
        return self._not_of(variable, self._context.hidden_types)

    def visible_value(self, variable: str, key: str) -> Lines:
        """Leaves out the values of a property of those nodes of which it is not to be seen."""
        owners = dict(self._context.hidden_keys).get(key, ())
        return self._not_of(variable, owners)

    def _not_of(self, variable: str, types: Sequence[str]) -> Lines:
        if not types:
            return []
        listed = ", ".join(map(self._names.iri, types))
        return [f"FILTER NOT EXISTS {{ {variable} a ?hidden . FILTER(?hidden IN ({listed})) }}"]

    def no_declaration(self, variable: str) -> Lines:
        """Leaves out classes, properties and ontologies."""
        types, declaring = self._context.declaration_types, self._context.declaring
        lines = []
        if types:
            listed = ", ".join(map(self._names.iri, types))
            lines.append(f"FILTER NOT EXISTS {{ {variable} a ?declared . FILTER(?declared IN ({listed})) }}")
        if declaring:
            path = "|".join(f"{name}|^{name}" for name in map(self._names.iri, declaring))
            lines.append(f"FILTER NOT EXISTS {{ {variable} {path} ?declared }}")
        return lines

    # --- edges

    def _edge(self, edge: EdgePattern) -> Lines:
        source, target = self.variable(edge.source), self.variable(edge.target)
        predicate, before = self._predicate(edge)
        outward = [f"{source} {predicate} {target} .", *self._edge_filters(edge, predicate, source, target)]
        inward = [f"{target} {predicate} {source} .", *self._edge_filters(edge, predicate, target, source)]
        if edge.source == edge.target and not self._context.dialect.joins_loops:
            shown = " ".join(part for part in (source, predicate) if part.startswith("?"))
            return [f"{{ SELECT {shown} WHERE {{", *indented([*before, *outward]), "} }"]
        if edge.direction == "out" or edge.source == edge.target:
            return [*before, *outward]
        if edge.direction == "in":
            return [*before, *inward]
        # A self-loop was found in the first part.
        inward.append(f"FILTER({source} != {target})")
        return [*before, "{", *indented(outward), "} UNION {", *indented(inward), "}"]

    def _predicate(self, edge: EdgePattern) -> tuple[str, Lines]:
        """What stands in the middle of the triple, and a line that must come before it."""
        if len(edge.types) == 1:
            return self._names.iri(edge.types[0]), []
        ends = (self.variable(edge.source)[1:], self.variable(edge.target)[1:])
        variable = self._names.variable("_to_".join(ends))
        if not edge.types:
            return variable, []
        listed = " ".join(self._names.iri(type) for type in dict.fromkeys(edge.types))
        return variable, [f"VALUES {variable} {{ {listed} }}"]

    def _edge_filters(self, edge: EdgePattern, predicate: str, subject: str, object: str) -> Lines:
        """Only triples between nodes, where others might fit too."""
        tests = []
        if not edge.types:
            tests.append(self._names.declare(f"{predicate} != rdf:type"))
            tests += [
                f"{predicate} != {self._names.iri(hidden)}" for hidden in self._context.hidden_edge_types
            ]
        if not edge.types or any(type in self._properties for type in edge.types):
            tests.append(f"!isLiteral({object})")
        lines = [f"FILTER({' && '.join(tests)})"] if tests else []
        if not edge.types or any(type in self._context.of_declarations for type in edge.types):
            lines += self.no_declaration(subject)
        return lines

    def _optional_edge(
        self,
        edge: EdgePattern,
        nodes: dict[str, NodePattern],
        waiting: list[EdgePattern],
        values_of: Callable[[str], Lines],
    ) -> Lines:
        """An optional block, with everything in it that hangs on the node that it may bind."""
        target = nodes.pop(edge.target, None)
        if target is None:
            # Between nodes that are there: of one type and direction there is one such edge or none, and a match
            # either way.
            single = len(edge.types) == 1 and edge.direction != "both"
            return [] if single else block("OPTIONAL {", self._edge(edge))
        inner = self._ids(self.variable(target.variable), target.ids) if target.ids else []
        inner += self._edge(edge)
        inner += self.no_hidden(self.variable(target.variable))
        if target.types:
            inner += self._types(self.variable(target.variable), target.types, is_bound=True)
        inner += values_of(target.variable)
        for further in [item for item in waiting if item.source == target.variable]:
            if further.target in nodes or further.target == target.variable:
                waiting.remove(further)
                inner += self._optional_edge(further, nodes, waiting, values_of)
        return block("OPTIONAL {", inner)


def _as_iri(id: str, dialect: SparqlDialect) -> str | None:
    """How an engine is asked for the node with an id; ``None`` if it cannot be."""
    if not id.startswith("_:"):
        return id
    return None if dialect.blank_node_start is None else f"{dialect.blank_node_start}{id[2:]}"
