"""`askgraph schema`: what a graph is made of."""

from __future__ import annotations

import argparse
from typing import Any

from ...core.errors import PlanError
from ...core.schema import Schema
from ...core.suggestions import nearest_names
from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..suggestions import did_you_mean
from ..terminal import Terminal
from ..views.schema import find_type, show_schema, show_type, type_name


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "--type", metavar="T", help="only this node type with its subtypes, or this edge type"
    )
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph:
        schema = graph.schema()
        title = schema.name or graph.location
    chosen = None if arguments.type is None else _find(schema, arguments.type)
    if arguments.json:
        terminal.json(schema.to_dict() if chosen is None else _only(schema, chosen))
    elif chosen is None:
        terminal.show(show_schema(schema, terminal.page, title=title))
    else:
        terminal.show(show_type(schema, chosen, terminal.page))
    return 0


def _find(schema: Schema, word: str) -> str:
    found = find_type(schema, word)
    if found is not None:
        return found
    labels = {item.id: item.label for item in schema.node_types}
    labels |= {item.id: item.label for item in schema.edge_types}
    nearest = [type_name(schema, id) for id in nearest_names(word, labels, labels=labels)]
    raise PlanError(
        f"this graph has no type {word}. {did_you_mean(nearest)}".rstrip(),
        advice="`askgraph schema GRAPH` lists the types.",
    )


def _only(schema: Schema, id: str) -> dict[str, Any]:
    """The schema's JSON data with what concerns one type (and its subtypes) alone."""
    family = set(schema.subtypes(id)) if schema.has_node_type(id) else set()
    data = schema.to_dict()
    data["node_types"] = [item for item in data["node_types"] if item["id"] in family]
    data["edge_types"] = [
        item
        for item in data["edge_types"]
        if item["id"] == id or any({ends["source"], ends["target"]} & family for ends in item["ends"])
    ]
    data["properties"] = [
        item
        for item in data["properties"]
        if (item["owner"] == id if item["of_edges"] else item["owner"] in family)
    ]
    return data


COMMAND = Command(
    name="schema",
    usage="GRAPH [options]",
    summary="what a graph is made of",
    description="""\
Show what a graph is made of: its node types (with their subtypes), its edge
types and what they join, and the properties of each with samples.""",
    examples=(
        "askgraph schema examples/ck25/graph/prod-inst.ttl",
        "askgraph schema hetionet.graph --type Gene",
        "askgraph schema hetionet.graph --type interacts",
        "askgraph schema company.graph --json | jq '.node_types[].label'",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
