"""Small graphs of several domains, made by lot from the descriptions in ``benchmarks/graphs``.

    python benchmarks/made_graphs.py library 1 library.ttl

A description says which types there are, how many nodes each has, how these are named, which properties and which edges
they have, and how the labels are written: as those of property graphs in capitals or in small letters, or as the
identifiers of an RDF graph, with labels or without. The same description and seed give the same graph. A property graph
is written as two CSV files into a folder, an RDF graph as one Turtle file.
"""

from __future__ import annotations

import csv
import datetime
import random
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "graphs"
TUNING = ("library", "films", "university", "shipping")
HELD_OUT = ("hospital", "recipes", "football", "museum")
FITTING = ("airline", "software", "zoo", "court", "orchestra", "geology")

_NAMESPACE = "http://made.example.org/"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_ATTEMPTS = 200


@dataclass(frozen=True, slots=True)
class MadeNode:
    """A node of a made graph."""

    id: str
    type: str
    name: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MadeEdge:
    """An edge of a made graph."""

    source: str
    target: str
    type: str


def make_graph(domain: str, seed: int, folder: Path) -> list[Path]:
    """Make a graph and write it into a folder; the files, ready to be loaded."""
    description = tomllib.loads((FOLDER / f"{domain}.toml").read_text(encoding="utf-8"))
    draw = random.Random(f"{domain} {seed}")
    nodes = list(_nodes(description, draw))
    edges = list(_edges(description, nodes, draw))
    folder.mkdir(parents=True, exist_ok=True)
    if description["form"] == "rdf":
        file = folder / f"{domain}.ttl"
        file.write_text("\n".join(_turtle(description, nodes, edges)) + "\n", encoding="utf-8")
        return [file]
    return _write_tables(description, nodes, edges, folder)


# --- nodes and edges


def _nodes(description: Mapping[str, Any], draw: random.Random) -> Iterator[MadeNode]:
    words = {
        kind: text.split() for kind, text in tomllib.loads((FOLDER / "words.toml").read_text("utf-8")).items()
    }
    taken: set[str] = set()
    for type, said in description["types"].items():
        for number in range(said["count"]):
            name = _fresh_name(said["name"], words, taken, draw)
            properties = {key: _value(kind, name, draw) for key, kind in said.get("properties", {}).items()}
            yield MadeNode(f"{type.replace(' ', '')}{number + 1}", type, name, properties)


def _fresh_name(pattern: str, words: Mapping[str, list[str]], taken: set[str], draw: random.Random) -> str:
    for attempt in range(_ATTEMPTS):
        name = pattern
        while "{" in name:
            start, end = name.index("{"), name.index("}")
            name = name[:start] + draw.choice(words[name[start + 1 : end]]) + name[end + 1 :]
        if attempt == _ATTEMPTS - 1:
            name += f" {len(taken)}"  # all are taken
        if name not in taken:
            break
    taken.add(name)
    return name


def _value(kind: str, name: str, draw: random.Random) -> Any:
    first, _, rest = kind.partition(" ")
    match first:
        case "integer":
            low, high = map(int, rest.split())
            return draw.randint(low, high)
        case "float":
            low_end, high_end = map(float, rest.split())
            return round(draw.uniform(low_end, high_end), 2)
        case "date":
            low, high = map(int, rest.split())
            return datetime.date(draw.randint(low, high), draw.randint(1, 12), draw.randint(1, 28))
        case "email":
            return f"{name.lower().replace(' ', '.')}@example.org"
    return draw.choice(rest.removeprefix("of ").split("|"))


def _edges(description: Mapping[str, Any], nodes: list[MadeNode], draw: random.Random) -> Iterator[MadeEdge]:
    by_type: dict[str, list[MadeNode]] = {}
    for node in nodes:
        by_type.setdefault(node.type, []).append(node)
    for said in description["edges"]:
        targets = by_type[said["to"]]
        # Some targets are met far more often than others, as they are everywhere.
        weights = [1 / (1 + place) ** 0.7 for place in range(len(targets))]
        for source in by_type[said["from"]]:
            low, high = said["each"]
            wanted = draw.randint(low, high)
            chosen = dict.fromkeys(node.id for node in draw.choices(targets, weights, k=wanted))
            for target in chosen:
                if target != source.id:
                    yield MadeEdge(source.id, target, said["type"])


# --- files


def _write_tables(
    description: Mapping[str, Any], nodes: list[MadeNode], edges: list[MadeEdge], folder: Path
) -> list[Path]:
    def edge_label(type: str) -> str:
        return type.upper().replace(" ", "_") if description["case"] == "shout" else type

    keys = list(dict.fromkeys(key for node in nodes for key in node.properties))
    node_file, edge_file = folder / "nodes.csv", folder / "edges.csv"
    with node_file.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "type", "name", *keys])
        for node in nodes:
            writer.writerow([node.id, node.type, node.name, *(node.properties.get(key, "") for key in keys)])
    with edge_file.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "type", "target"])
        writer.writerows([edge.source, edge_label(edge.type), edge.target] for edge in edges)
    return [node_file, edge_file]


def _turtle(description: Mapping[str, Any], nodes: list[MadeNode], edges: list[MadeEdge]) -> Iterator[str]:
    yield f"@prefix v: <{_NAMESPACE}vocabulary/> .\n@prefix i: <{_NAMESPACE}item/> .\n@prefix xsd: <{_XSD}> ."
    yield "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix schema: <https://schema.org/> ."
    if description["labels"]:
        named = [*description["types"], *(item["type"] for item in description["edges"])]
        named += [key for said in description["types"].values() for key in said.get("properties", {})]
        for name in dict.fromkeys(named):
            yield f'v:{name} rdfs:label "{_spaced(name)}"@en .'
    name_key = "rdfs:label" if description["labels"] else "schema:name"
    for node in nodes:
        yield f'i:{node.id} a v:{node.type} ; {name_key} "{node.name}" .'
        for key, value in node.properties.items():
            yield f"i:{node.id} v:{key} {_literal(value)} ."
    for edge in edges:
        yield f"i:{edge.source} v:{edge.type} i:{edge.target} ."


def _literal(value: Any) -> str:
    if isinstance(value, datetime.date):
        return f'"{value}"^^xsd:date'
    return str(value) if isinstance(value, int | float) else f'"{value}"'


def _spaced(name: str) -> str:
    return "".join(
        f" {letter.lower()}" if letter.isupper() and place else letter for place, letter in enumerate(name)
    ).strip()


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in (*TUNING, *FITTING, *HELD_OUT):
        sys.exit(
            f"usage: made_graphs.py DOMAIN SEED FOLDER; domains: {', '.join((*TUNING, *FITTING, *HELD_OUT))}"
        )
    print(*make_graph(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])), sep="\n")
