"""A selection as GraphML, JSON, CSV, and the JSON of Cytoscape and Cytoscape.js."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from ....core.values import display, to_json_value
from ..selection import SelectedEdge, SelectedNode, SubgraphSelection

NODE_COLUMNS: Final = ("id", "name", "types", "step", "rank", "layer", "p_value", "score", "ties")
EDGE_COLUMNS: Final = ("id", "source", "target", "type", "label")

# What XML 1.0 cannot hold, however it is written.
_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML_TYPES: Final = {"rank": "int", "ties": "int", "p_value": "double", "score": "double"}


def node_cells(item: SelectedNode) -> dict[str, Any]:
    """What every format says of a node, before its properties."""
    return {
        "id": item.id,
        "name": item.node.name,
        "types": list(item.node.types),
        "step": item.step,
        "rank": item.rank,
        "layer": item.layer,
        "p_value": item.p_value,
        "score": item.score,
        "ties": item.ties,
    }


def edge_cells(item: SelectedEdge) -> dict[str, Any]:
    """What every format says of an edge, before its properties."""
    edge = item.edge
    return {
        "id": edge.id,
        "source": edge.source,
        "target": edge.target,
        "type": edge.type,
        "label": item.label,
    }


def write_json(selection: SubgraphSelection, file: Path) -> None:
    """Everything, as strict JSON."""
    file.write_text(selection.to_json(indent=1) + "\n", encoding="utf-8")


def write_csv(selection: SubgraphSelection, folder: Path) -> None:
    """``nodes.csv`` and ``edges.csv``; properties are columns behind the own ones, lists are joined by ``;``."""
    nodes = [(node_cells(item), item.node.properties) for item in selection.nodes]
    _write_table(folder / "nodes.csv", NODE_COLUMNS, nodes)
    edges = [(edge_cells(item), item.edge.properties) for item in selection.edges]
    _write_table(folder / "edges.csv", EDGE_COLUMNS, edges)


def _write_table(
    file: Path, columns: Sequence[str], rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> None:
    names = _property_columns(columns, (properties for _, properties in rows))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*columns, *names.values()])
        for cells, properties in rows:
            writer.writerow(
                [
                    *(_cell(cells[column]) for column in columns),
                    *(_cell(properties.get(key)) for key in names),
                ]
            )


def _property_columns(taken: Sequence[str], owners: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The keys of all properties, in the order in which they come, and the columns they have."""
    names: dict[str, str] = {}
    used = set(taken)
    for properties in owners:
        for key in properties:
            if key not in names:
                name = key if key not in used else f"property_{key}"
                while name in used:
                    name += "_"
                used.add(name)
                names[key] = name
    return names


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return ";".join(_cell(item) for item in value)
    return display(value)


def write_cytoscape(selection: SubgraphSelection, file: Path) -> None:
    """The elements JSON that Cytoscape and Cytoscape.js read (``.cyjs``)."""
    data = {
        "format_version": "1.0",
        "generated_by": "askgraph",
        "data": {"name": selection.question or "subgraph", "nested": selection.nested},
        "elements": {
            "nodes": [
                {"data": _with_properties(node_cells(item), item.node.properties)} for item in selection.nodes
            ],
            "edges": [
                {
                    "data": _with_properties(
                        edge_cells(item) | {"interaction": item.label}, item.edge.properties
                    )
                }
                for item in selection.edges
            ],
        },
    }
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
    file.write_text(text + "\n", encoding="utf-8")


def _with_properties(cells: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    names = _property_columns(tuple(cells), [properties])
    return cells | {names[key]: to_json_value(value) for key, value in properties.items()}


def write_graphml(selection: SubgraphSelection, file: Path) -> None:
    """GraphML for networkx, Gephi, Cytoscape and the like: a directed graph whose attributes are texts or numbers."""
    nodes = [(node_cells(item), item.node.properties) for item in selection.nodes]
    edges = [(edge_cells(item), item.edge.properties) for item in selection.edges]
    node_names = _property_columns(NODE_COLUMNS, (properties for _, properties in nodes))
    edge_names = _property_columns(EDGE_COLUMNS, (properties for _, properties in edges))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_keys("node", [*NODE_COLUMNS[1:], *node_names.values()]),
        *_keys("edge", [*EDGE_COLUMNS[3:], *edge_names.values()]),
        f'<graph id={_attribute(selection.nested)} edgedefault="directed">',
    ]
    for cells, properties in nodes:
        values = [cells[column] for column in NODE_COLUMNS[1:]] + [properties.get(key) for key in node_names]
        lines += [f"<node id={_attribute(cells['id'])}>", *_data("node", values), "</node>"]
    for cells, properties in edges:
        values = [cells[column] for column in EDGE_COLUMNS[3:]] + [properties.get(key) for key in edge_names]
        ends = f"source={_attribute(cells['source'])} target={_attribute(cells['target'])}"
        lines += [f"<edge id={_attribute(cells['id'])} {ends}>", *_data("edge", values), "</edge>"]
    file.write_text("\n".join([*lines, "</graph>", "</graphml>", ""]), encoding="utf-8")


def _keys(owner: str, columns: Sequence[str]) -> list[str]:
    return [
        f'<key id="{owner}{place}" for="{owner}" attr.name={_attribute(column)} '
        f'attr.type="{_XML_TYPES.get(column, "string")}"/>'
        for place, column in enumerate(columns)
    ]


def _data(owner: str, values: Sequence[Any]) -> list[str]:
    return [
        f'<data key="{owner}{place}">{escape(_xml_text(_cell(value)))}</data>'
        for place, value in enumerate(values)
        if value is not None
    ]


def _attribute(text: str) -> str:
    return quoteattr(_xml_text(text))


def _xml_text(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
