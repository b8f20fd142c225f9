"""The tables that `graphrag` 3 takes for a graph brought along, with settings that make it take them.

Titles are unique, in capitals and without entities of HTML, since it joins by them in that form; parallel edges are
merged, since of those it keeps one; every node and edge has a text unit, since its searches need one; what a reader
must see of a node stands in its description, since its reports show few edges of each node. With reports of communities
it answers global questions without an index of its own.
"""

from __future__ import annotations

import hashlib
import html
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ....core.values import display
from ..communities import CommunityReport
from ..descriptions import definition_of, synonyms_of
from ..selection import SelectedEdge, SelectedNode, SubgraphSelection

OUTPUT_FOLDER: Final = "output"
DAY: Final = "1970-01-01"
"""Dates of documents and communities: one that never changes, so that the same subgraph gives the same tables."""

_MOST_SENTENCES: Final = 30
_CHARACTERS_PER_TOKEN: Final = 4
_NAMESPACE: Final = uuid.UUID("6f0f9a1e-6d0b-5c55-9a3c-5d0b4f0a7c11")

_TEXT, _WHOLE, _NUMBER, _TEXTS = "VARCHAR", "BIGINT", "DOUBLE", "VARCHAR[]"
_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "entities": {
        "id": _TEXT, "human_readable_id": _WHOLE, "title": _TEXT, "type": _TEXT, "description": _TEXT,
        "text_unit_ids": _TEXTS, "frequency": _WHOLE, "degree": _WHOLE,
    },
    "relationships": {
        "id": _TEXT, "human_readable_id": _WHOLE, "source": _TEXT, "target": _TEXT, "description": _TEXT,
        "weight": _NUMBER, "combined_degree": _WHOLE, "text_unit_ids": _TEXTS,
    },
    "text_units": {
        "id": _TEXT, "human_readable_id": _WHOLE, "text": _TEXT, "n_tokens": _WHOLE, "document_id": _TEXT,
        "entity_ids": _TEXTS, "relationship_ids": _TEXTS, "covariate_ids": _TEXTS,
    },
    "documents": {
        "id": _TEXT, "human_readable_id": _WHOLE, "title": _TEXT, "text": _TEXT, "text_unit_ids": _TEXTS,
        "creation_date": _TEXT, "raw_data": _TEXT,
    },
    "communities": {
        "id": _TEXT, "human_readable_id": _WHOLE, "community": _WHOLE, "level": _WHOLE, "parent": _WHOLE,
        "children": "BIGINT[]", "title": _TEXT, "entity_ids": _TEXTS, "relationship_ids": _TEXTS,
        "text_unit_ids": _TEXTS, "period": _TEXT, "size": _WHOLE,
    },
    "community_reports": {
        "id": _TEXT, "human_readable_id": _WHOLE, "community": _WHOLE, "level": _WHOLE, "parent": _WHOLE,
        "children": "BIGINT[]", "title": _TEXT, "summary": _TEXT, "full_content": _TEXT, "rank": _NUMBER,
        "rating_explanation": _TEXT, "findings": "STRUCT(summary VARCHAR, explanation VARCHAR)[]",
        "full_content_json": _TEXT, "period": _TEXT, "size": _WHOLE,
    },
}  # fmt: skip

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Merged:
    """All edges between two nodes."""

    id: str
    source: str
    target: str
    edges: tuple[SelectedEdge, ...]


def write_graphrag(
    selection: SubgraphSelection, folder: Path, reports: Sequence[CommunityReport] = ()
) -> None:
    """Write a GraphRAG project: ``output/*.parquet``, ``settings.yaml``, an empty ``input/``, ``.env.example``."""
    output = folder / OUTPUT_FOLDER
    output.mkdir()
    (folder / "input").mkdir()
    for name, rows in graphrag_tables(selection, reports).items():
        if rows or name in ("entities", "relationships", "text_units"):
            _write_parquet(rows, _COLUMNS[name], output / f"{name}.parquet")
    (folder / "settings.yaml").write_text(_settings(with_reports=bool(reports)), encoding="utf-8")
    (folder / ".env.example").write_text("GRAPHRAG_API_KEY=\n", encoding="utf-8")


def graphrag_tables(
    selection: SubgraphSelection, reports: Sequence[CommunityReport] = ()
) -> dict[str, list[Row]]:
    """The rows of every table, by its name."""
    titles = unique_titles(selection.nodes)
    merged = _merge(selection)
    degrees: dict[str, int] = {item.id: 0 for item in selection.nodes}
    for pair in merged:
        degrees[pair.source] += 1
        degrees[pair.target] += pair.target != pair.source
    entities: list[Row] = []
    relationships: list[Row] = []
    units: list[Row] = []
    sentences = _sentences_of_nodes(selection, merged)
    document = _key("document", selection.question, selection.graph_version)
    for number, item in enumerate(selection.nodes):
        text = _node_text(item, sentences[item.id])
        unit = _unit(_key("unit", "node", item.id), len(units), text, document, [item.id], [])
        units.append(unit)
        entities.append(_entity(item, number, titles[item.id], text, unit["id"], degrees[item.id]))
    for number, pair in enumerate(merged):
        text = " ".join(_edge_text(edge, selection.by_id) for edge in pair.edges)
        unit = _unit(
            _key("unit", "edge", pair.id), len(units), text, document, [pair.source, pair.target], [pair.id]
        )
        units.append(unit)
        combined = degrees[pair.source] + degrees[pair.target]
        relationships.append(_relationship(pair, number, titles, text, unit["id"], combined))
    return {
        "entities": entities,
        "relationships": relationships,
        "text_units": units,
        "documents": [_document(document, selection, units)],
        "communities": _communities(reports, merged, units),
        "community_reports": _reports(reports, selection, merged),
    }


def unique_titles(nodes: Sequence[SelectedNode]) -> dict[str, str]:
    """A title for each node id: its name as GraphRAG would clean it; where two share it, with their types, or ids."""
    names = {item.id: clean_title(item.node.name) or clean_title(item.id) for item in nodes}
    typed = {
        item.id: f"{names[item.id]} ({clean_title(', '.join(item.node.types) or item.id)})" for item in nodes
    }
    titles: dict[str, str] = {}
    taken: set[str] = set()
    shared = {name for name in names.values() if list(names.values()).count(name) > 1}
    for item in nodes:
        choices = [typed[item.id]] if names[item.id] in shared else [names[item.id], typed[item.id]]
        choices.append(f"{names[item.id]} [{clean_title(item.id)}]")
        title = next((choice for choice in choices if choice not in taken), "")
        number = 2
        while not title or title in taken:
            title, number = f"{choices[-1]} {number}", number + 1
        taken.add(title)
        titles[item.id] = title
    return titles


def clean_title(text: str) -> str:
    """A name as GraphRAG's clustering writes it: without entities of HTML, in capitals, without space around it."""
    cleaned = " ".join(html.unescape(text).upper().split())
    return html.unescape(cleaned).upper().strip()


# --- rows


def _entity(item: SelectedNode, number: int, title: str, text: str, unit: str, degree: int) -> Row:
    return {
        "id": item.id,
        "human_readable_id": number,
        "title": title,
        "type": ", ".join(item.node.types),
        "description": text,
        "text_unit_ids": [unit],
        "frequency": 1,
        "degree": degree,
    }


def _relationship(
    pair: _Merged, number: int, titles: Mapping[str, str], text: str, unit: str, combined: int
) -> Row:
    return {
        "id": pair.id,
        "human_readable_id": number,
        "source": titles[pair.source],
        "target": titles[pair.target],
        "description": text,
        "weight": float(len(pair.edges)),
        "combined_degree": combined,
        "text_unit_ids": [unit],
    }


def _unit(
    id: str, number: int, text: str, document: str, entities: Sequence[str], relationships: Sequence[str]
) -> Row:
    return {
        "id": id,
        "human_readable_id": number,
        "text": text,
        "n_tokens": max(1, len(text) // _CHARACTERS_PER_TOKEN),
        "document_id": document,
        "entity_ids": list(dict.fromkeys(entities)),
        "relationship_ids": list(relationships),
        "covariate_ids": [],
    }


def _document(id: str, selection: SubgraphSelection, units: Sequence[Row]) -> Row:
    return {
        "id": id,
        "human_readable_id": 0,
        "title": selection.question or "subgraph",
        "text": "\n".join(unit["text"] for unit in units),
        "text_unit_ids": [unit["id"] for unit in units],
        "creation_date": DAY,
        "raw_data": "",
    }


def _communities(
    reports: Sequence[CommunityReport], merged: Sequence[_Merged], units: Sequence[Row]
) -> list[Row]:
    unit_of = {tuple(unit["relationship_ids"]) or tuple(unit["entity_ids"]): unit["id"] for unit in units}
    rows = []
    for report in reports:
        members = set(report.nodes)
        inside = [pair for pair in merged if pair.source in members and pair.target in members]
        own_units = [unit_of[(node,)] for node in report.nodes] + [unit_of[(pair.id,)] for pair in inside]
        rows.append(
            {
                "id": str(uuid.uuid5(_NAMESPACE, "\0".join(report.nodes) + f"\0{report.level}")),
                "human_readable_id": report.community,
                "community": report.community,
                "level": report.level,
                "parent": report.parent,
                "children": list(report.children),
                "title": f"Community {report.community}",
                "entity_ids": list(report.nodes),
                "relationship_ids": [pair.id for pair in inside],
                "text_unit_ids": own_units,
                "period": DAY,
                "size": len(report.nodes),
            }
        )
    return rows


def _reports(
    reports: Sequence[CommunityReport], selection: SubgraphSelection, merged: Sequence[_Merged]
) -> list[Row]:
    entity_numbers = {item.id: number for number, item in enumerate(selection.nodes)}
    edge_numbers = {edge.edge.id: number for number, pair in enumerate(merged) for edge in pair.edges}
    rows = []
    for report in reports:
        findings = [
            {
                "summary": finding.summary,
                "explanation": finding.explanation
                + _citation(
                    [entity_numbers[node] for node in finding.nodes if node in entity_numbers],
                    [edge_numbers[edge] for edge in finding.edges if edge in edge_numbers],
                ),
            }
            for finding in report.findings
        ]
        parts = [f"# {report.title}", report.summary]
        parts += [f"## {finding['summary']}\n\n{finding['explanation']}" for finding in findings]
        content = "\n\n".join(parts)
        as_json = {
            "title": report.title,
            "summary": report.summary,
            "rating": report.rating,
            "rating_explanation": report.rating_explanation,
            "findings": findings,
        }
        rows.append(
            {
                "id": hashlib.sha512(content.encode()).hexdigest(),
                "human_readable_id": report.community,
                "community": report.community,
                "level": report.level,
                "parent": report.parent,
                "children": list(report.children),
                "title": report.title,
                "summary": report.summary,
                "full_content": content,
                "rank": report.rating,
                "rating_explanation": report.rating_explanation,
                "findings": findings,
                "full_content_json": json.dumps(as_json, ensure_ascii=False, indent=4),
                "period": DAY,
                "size": len(report.nodes),
            }
        )
    return rows


def _citation(entities: Sequence[int], relationships: Sequence[int]) -> str:
    """As its own reports cite: at most five numbers of a kind, then ``+more``."""
    parts = []
    for kind, numbers in (("Entities", entities), ("Relationships", relationships)):
        shown = list(map(str, dict.fromkeys(numbers)))
        if shown:
            listed = ", ".join([*shown[:5], *(["+more"] if len(shown) > 5 else [])])
            parts.append(f"{kind} ({listed})")
    return f" [Data: {'; '.join(parts)}]" if parts else ""


# --- words


def _merge(selection: SubgraphSelection) -> list[_Merged]:
    pairs: dict[tuple[str, str], list[SelectedEdge]] = {}
    for item in selection.edges:
        source, target = item.edge.source, item.edge.target
        key = (target, source) if (target, source) in pairs else (source, target)
        pairs.setdefault(key, []).append(item)
    return [
        _Merged(_key("edge", source, target), source, target, tuple(edges))
        for (source, target), edges in pairs.items()
    ]


def _sentences_of_nodes(selection: SubgraphSelection, merged: Sequence[_Merged]) -> dict[str, list[str]]:
    """For each node what its edges say, those to nodes added first before others."""
    order = {item.id: place for place, item in enumerate(selection.nodes)}
    found: dict[str, list[tuple[int, str]]] = {item.id: [] for item in selection.nodes}
    for pair in merged:
        for edge in pair.edges:
            text = _edge_text(edge, selection.by_id)
            found[pair.source].append((order[pair.target], text))
            if pair.target != pair.source:
                found[pair.target].append((order[pair.source], text))
    return {
        node: [text for _, text in sorted(texts, key=lambda item: item[0])[:_MOST_SENTENCES]]
        for node, texts in found.items()
    }


def _node_text(item: SelectedNode, sentences: Sequence[str]) -> str:
    kinds = ", ".join(item.node.types) or "node"
    parts = [f"{item.node.name} ({kinds}). {definition_of(item.node)}".strip()]
    synonyms = synonyms_of(item.node)
    if synonyms:
        parts.append(f"Also called {', '.join(synonyms)}.")
    return " ".join([*parts, *sentences])


def _edge_text(item: SelectedEdge, nodes: Mapping[str, SelectedNode]) -> str:
    source, target = nodes[item.edge.source].node.name, nodes[item.edge.target].node.name
    said = "; ".join(f"{key}: {display(value)}" for key, value in item.provenance.items())
    return f"{source} {item.label} {target}" + (f" ({said})." if said else ".")


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


# --- files


def _write_parquet(rows: Sequence[Row], columns: Mapping[str, str], file: Path) -> None:
    import duckdb

    lines = file.with_suffix(".jsonl")
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    layout = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    longest = max((len(line) for line in lines.read_text(encoding="utf-8").splitlines()), default=0)
    source = f"read_json(?, format = 'newline_delimited', columns = {{{layout}}}, maximum_object_size = {longest + 64})"
    with duckdb.connect() as connection:
        # Rows keep their order: that is DuckDB's default.
        relation = connection.execute(f"CREATE TABLE rows AS SELECT * FROM {source}", [str(lines)])
        relation.execute("COPY rows TO '" + str(file).replace("'", "''") + "' (FORMAT parquet)")
    lines.unlink()


def _settings(*, with_reports: bool) -> str:
    workflows = ["generate_text_embeddings"]
    if not with_reports:
        workflows = ["create_communities", "create_community_reports", *workflows]
    return f"""\
# Written by askgraph: a graph brought along. Put a key into .env (see .env.example) and name your models.
#   graphrag index --root .     {"embeddings, for local and basic search" if with_reports else "reports and embeddings"}
#   graphrag query --root . --method global "your question"
completion_models:
  default_completion_model:
    model_provider: openai
    model: gpt-4.1
    auth_method: api_key
    api_key: ${{GRAPHRAG_API_KEY}}

embedding_models:
  default_embedding_model:
    model_provider: openai
    model: text-embedding-3-large
    auth_method: api_key
    api_key: ${{GRAPHRAG_API_KEY}}

workflows: [{", ".join(workflows)}]

input:
  type: text

cluster_graph:
  max_cluster_size: 10
  use_lcc: false # keep the small components too
"""
