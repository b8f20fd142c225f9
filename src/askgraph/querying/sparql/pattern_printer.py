"""Triples and graph patterns printed back."""

from __future__ import annotations

from collections.abc import Sequence

from ..printing import listed, text_of, writes
from ..tree import SyntaxNode
from . import pattern_tree as tree
from .expression_tree import Exists
from .query_printer import clauses


def _spaced(nodes: Sequence[SyntaxNode]) -> str:
    return " ".join([text_of(node) for node in nodes])


@writes(tree.PropertyList)
def _property_list(node: tree.PropertyList) -> str:
    return f"{text_of(node.verb)} {listed(node.objects)}"


def _property_lists(nodes: Sequence[tree.PropertyList]) -> str:
    return " ; ".join([text_of(node) for node in nodes])


@writes(tree.Collection)
def _collection(node: tree.Collection) -> str:
    return f"({_spaced(node.items)})"


@writes(tree.BlankNodeProperties)
def _blank_node(node: tree.BlankNodeProperties) -> str:
    return f"[ {_property_lists(node.properties)} ]"


@writes(tree.Triples)
def _triples(node: tree.Triples) -> str:
    return f"{text_of(node.subject)} {_property_lists(node.properties)}".rstrip()


@writes(tree.TriplesBlock)
def _block(node: tree.TriplesBlock) -> str:
    return " . ".join([text_of(triples) for triples in node.triples])


@writes(tree.Filter)
def _filter(node: tree.Filter) -> str:
    condition = text_of(node.condition)
    return f"FILTER {condition}" if isinstance(node.condition, Exists) else f"FILTER({condition})"


@writes(tree.OptionalPattern)
def _optional(node: tree.OptionalPattern) -> str:
    return f"OPTIONAL {text_of(node.pattern)}"


@writes(tree.MinusPattern)
def _minus(node: tree.MinusPattern) -> str:
    return f"MINUS {text_of(node.pattern)}"


@writes(tree.UnionPattern)
def _union(node: tree.UnionPattern) -> str:
    return " UNION ".join([text_of(branch) for branch in node.branches])


@writes(tree.NamedGraphPattern)
def _named_graph(node: tree.NamedGraphPattern) -> str:
    return f"GRAPH {text_of(node.graph)} {text_of(node.pattern)}"


@writes(tree.ServicePattern)
def _service(node: tree.ServicePattern) -> str:
    return f"SERVICE {'SILENT ' if node.silent else ''}{text_of(node.endpoint)} {text_of(node.pattern)}"


@writes(tree.Bind)
def _bind(node: tree.Bind) -> str:
    return f"BIND({text_of(node.expression)} AS {text_of(node.variable)})"


@writes(tree.Undefined)
def _undefined(node: tree.Undefined) -> str:
    return "UNDEF"


@writes(tree.ValuesRow)
def _row(node: tree.ValuesRow) -> str:
    return f"({_spaced(node.values)})"


@writes(tree.InlineValues)
def _values(node: tree.InlineValues) -> str:
    if len(node.variables) == 1:
        rows = [text_of(row.values[0]) for row in node.rows]
        return " ".join([f"VALUES {text_of(node.variables[0])} {{", *rows, "}"])
    return " ".join([f"VALUES ({_spaced(node.variables)}) {{", *map(text_of, node.rows), "}"])


@writes(tree.GroupPattern)
def _group(node: tree.GroupPattern) -> str:
    last = len(node.elements) - 1
    parts = [
        text_of(element) + (" ." if isinstance(element, tree.TriplesBlock) and place < last else "")
        for place, element in enumerate(node.elements)
    ]
    return f"{{ {' '.join(parts)} }}" if parts else "{ }"


@writes(tree.SubSelect)
def _sub_select(node: tree.SubSelect) -> str:
    return f"{{ {clauses(node.projection, node.where, node.modifiers, node.values)} }}"
