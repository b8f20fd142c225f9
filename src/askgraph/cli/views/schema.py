"""What a graph is made of, on a page: its types as a tree, what its edges join, its properties with samples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from ...core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ...core.values import display
from ...core.words import local_name, normalize, quantity
from ..page import Page

MOST_TYPES, MOST_SECTIONS, MOST_PROPERTIES = 60, 20, 12
"""Node types and edge types, types whose properties are shown, and properties of each, in the overview."""

_KINDS = {"property": "property graph", "rdf": "RDF graph"}
_NO_TYPE = "(no type)"
_LONGEST_SAMPLE = 40


def show_schema(schema: Schema, page: Page, *, title: str) -> list[Text]:
    """The overview of a whole graph."""
    lines = page.paragraph(
        Text()
        .append_text(page.text(title, "bold"))
        .append_text(
            page.text(
                f": {_KINDS[schema.kind]}, {quantity(schema.node_count, 'node')}, "
                f"{quantity(schema.edge_count, 'edge')}"
            )
        ),
        hanging=2,
    )
    lines += _node_types(schema, page)
    lines += _edge_types(schema, schema.edge_types, page)
    lines += _first_properties(schema, page)
    return lines + _notes(schema, page)


def show_type(schema: Schema, id: str, page: Page) -> list[Text]:
    """Everything about one node type and its subtypes, or about one edge type."""
    if schema.has_node_type(id):
        return _one_node_type(schema, schema.node_type(id), page)
    return _one_edge_type(schema, schema.edge_type(id), page)


def find_type(schema: Schema, word: str) -> str | None:
    """The id of the node type or edge type with this id, label or last part of an id, whatever its case."""
    known: list[NodeType | EdgeType] = [*schema.node_types, *schema.edge_types]
    wanted = normalize(word)
    for matches in (
        [item for item in known if item.id == word],
        [item for item in known if normalize(item.label) == wanted],
        [item for item in known if normalize(local_name(item.id)) == wanted],
        [item for item in known if wanted in map(normalize, item.other_labels)],
    ):
        if matches:
            return matches[0].id
    return None


# --- node types


def _node_types(schema: Schema, page: Page) -> list[Text]:
    if not schema.node_types:
        return []
    rows = [[Text("Node types", "bold"), Text("nodes", "dim"), Text("with subtypes", "dim")]]
    has_totals = any(item.total != item.count for item in schema.node_types)
    tree = list(_tree(schema))
    for depth, item in tree[:MOST_TYPES]:
        total = f"{item.total:,}" if item.total != item.count else ""
        rows.append([page.text(_name(item)), Text(f"{item.count:,}"), Text(total)])
        rows[-1][0] = Text("  " * (depth + 1)).append_text(rows[-1][0])
    if not has_totals:
        rows = [row[:2] for row in rows]
    left_out = len(tree) - MOST_TYPES
    return [Text(), *page.columns(rows, right=(1, 2)), *_more(left_out, "node type", page)]


def _tree(schema: Schema) -> Iterable[tuple[int, NodeType]]:
    """Every node type once with its depth: each under its first parent, the biggest first."""
    children: dict[str, list[NodeType]] = {}
    roots: list[NodeType] = []
    for item in sorted(schema.node_types, key=lambda item: (-item.total, item.label, item.id)):
        parents = [parent for parent in item.parents if schema.has_node_type(parent) and parent != item.id]
        (children.setdefault(parents[0], []) if parents else roots).append(item)
    seen: set[str] = set()

    def walk(item: NodeType, depth: int) -> Iterable[tuple[int, NodeType]]:
        if item.id in seen:
            return
        seen.add(item.id)
        yield depth, item
        for child in children.get(item.id, ()):
            yield from walk(child, depth + 1)

    for root in roots:
        yield from walk(root, 0)
    for item in schema.node_types:  # what is left stands in a circle of subtypes
        yield from walk(item, 0)


def _one_node_type(schema: Schema, item: NodeType, page: Page) -> list[Text]:
    family = schema.subtypes(item.id)
    lines = _heading(item, quantity(item.count, "node"), page)
    if item.total != item.count:
        lines += page.labeled("with subtypes", f"{item.total:,}", indent=2, width=15)
    for label, ids in (
        ("subtype of", item.parents),
        ("subtypes", family[1:]),
        ("the same as", item.equivalents),
    ):
        if ids:
            lines += page.labeled(label, ", ".join(type_name(schema, id) for id in ids), indent=2, width=15)
    if item.other_labels:
        lines += page.labeled("also called", ", ".join(item.other_labels), indent=2, width=15)
    near = set(family)
    touching = [
        edge
        for edge in schema.edge_types
        if any(ends.source in near or ends.target in near for ends in edge.ends)
    ]
    lines += _edge_types(schema, touching, page, around=near)
    return lines + _properties(
        [_section(type_name(schema, id), schema.properties_of(id)) for id in family], page
    )


# --- edge types


def _edge_types(
    schema: Schema, edge_types: Sequence[EdgeType], page: Page, *, around: set[str] | None = None
) -> list[Text]:
    if not edge_types:
        return []
    rows = [[Text("Edge types", "bold"), Text("edges", "dim"), Text("from and to", "dim")]]
    for item in edge_types[:MOST_TYPES]:
        name = Text("  ").append_text(page.text(_name(item), "cyan"))
        rows.append([name, Text(f"{item.count:,}"), page.text(_ends(schema, item, page, around))])
    left_out = len(edge_types) - MOST_TYPES
    return [Text(), *page.columns(rows, right=(1,)), *_more(left_out, "edge type", page)]


def _ends(schema: Schema, item: EdgeType, page: Page, around: set[str] | None) -> str:
    pairs = [ends for ends in item.ends if around is None or ends.source in around or ends.target in around]
    texts = [
        f"{type_name(schema, ends.source)} {page.glyphs.right} {type_name(schema, ends.target)}"
        for ends in pairs[:2]
    ]
    more = f", {len(pairs) - 2} more" if len(pairs) > 2 else ""
    return ", ".join(texts) + more


def _one_edge_type(schema: Schema, item: EdgeType, page: Page) -> list[Text]:
    lines = _heading(item, quantity(item.count, "edge"), page)
    for ends in item.ends:
        pair = f"{type_name(schema, ends.source)} {page.glyphs.right} {type_name(schema, ends.target)}"
        lines += page.labeled("joins", f"{pair}  ({ends.count:,})", indent=2, width=15)
    if item.inverse:
        lines += page.labeled("inverse", type_name(schema, item.inverse), indent=2, width=15)
    if item.symmetric:
        lines += page.labeled("symmetric", "means the same in both directions", indent=2, width=15)
    if item.parents:
        parents = ", ".join(type_name(schema, id) for id in item.parents)
        lines += page.labeled("subtype of", parents, indent=2, width=15)
    if item.other_labels:
        lines += page.labeled("also called", ", ".join(item.other_labels), indent=2, width=15)
    return lines + _properties([_edge_section(schema, item)], page)


# --- properties


@dataclass(frozen=True, slots=True)
class _Section:
    """Properties under one heading: those of a type that no type above it has shown already."""

    title: str
    label: str
    properties: tuple[Property, ...]


def _sections(schema: Schema) -> list[_Section]:
    """The properties of every type, types in the order of the tree, then of every edge type."""
    sections = []
    shown: dict[str, set[str]] = {}
    for _, item in _tree(schema):
        above = {key for id in schema.supertypes([item.id]) if id != item.id for key in shown.get(id, ())}
        properties = schema.properties_of(item.id)
        shown[item.id] = {property.key for property in properties}
        sections.append(
            _section(_name(item), tuple(property for property in properties if property.key not in above))
        )
    sections += [_edge_section(schema, item) for item in schema.edge_types]
    return [section for section in sections if section.properties]


def _section(label: str, properties: tuple[Property, ...]) -> _Section:
    return _Section(f"Properties of {label}", label, properties)


def _edge_section(schema: Schema, item: EdgeType) -> _Section:
    label = _name(item)
    return _Section(f"Properties of the edge {label}", label, schema.properties_of(item.id, of_edges=True))


def _properties(sections: Sequence[_Section], page: Page) -> list[Text]:
    lines: list[Text] = []
    for section in sections:
        if section.properties:
            lines += [Text(), *page.paragraph(section.title, style="bold")]
            rows = [_property(item, page) for item in section.properties]
            lines += page.columns(rows, indent=2, right=(2,))
    return lines


def _first_properties(schema: Schema, page: Page) -> list[Text]:
    """As many as an overview bears."""
    sections = _sections(schema)
    lines: list[Text] = []
    for section in sections[:MOST_SECTIONS]:
        left_out = len(section.properties) - MOST_PROPERTIES
        lines += _properties([replace(section, properties=section.properties[:MOST_PROPERTIES])], page)
        lines += _more(left_out, "property", page, plural="properties", hint=f'--type "{section.label}"')
    left_out = len(sections) - MOST_SECTIONS
    return lines + _more(left_out, "type", page, plural="types with properties", hint="--type TYPE")


def _property(item: Property, page: Page) -> list[Text]:
    kinds = "/".join(kind.value for kind in item.value_types)
    samples = ", ".join(_sample(item, page))
    return [
        page.text(item.label or item.key, "green"),
        page.text(kinds, "dim"),
        Text(_percent(item.coverage)),
        page.text(samples),
    ]


def _sample(item: Property, page: Page) -> list[str]:
    texts = (display(value) for value in item.samples)
    return [page.fitted(page.text(text), _LONGEST_SAMPLE).plain for text in texts]


def _percent(share: float) -> str:
    # "100%" only where all have it, "0%" only where none has.
    percent = round(100 * share)
    if share < 1 and percent == 100:
        return "99%"
    return "<1%" if share > 0 and percent == 0 else f"{percent}%"


# --- small things


def _heading(item: NodeType | EdgeType, count: str, page: Page) -> list[Text]:
    lines = page.paragraph(Text().append_text(page.text(_name(item), "bold")).append(f": {count}"))
    if item.id != _name(item) and item.id:
        lines += page.paragraph(item.id, indent=2, style="dim")
    if item.description:
        lines += page.paragraph(item.description, indent=2)
    return lines


def _name(item: NodeType | EdgeType) -> str:
    if item.id == UNTYPED:
        return _NO_TYPE
    # An id that is no IRI was written by people for people: "Gene" is shown, not its label "gene".
    return item.label if item.label and _is_iri(item.id) else item.id


def _is_iri(id: str) -> bool:
    return ":" in id


def type_name(schema: Schema, id: str) -> str:
    """What the views call a node type or an edge type."""
    if schema.has_node_type(id):
        return _name(schema.node_type(id))
    return _name(schema.edge_type(id)) if schema.has_edge_type(id) else schema.label_of(id)


def _more(
    count: int, noun: str, page: Page, *, plural: str | None = None, hint: str = "--json"
) -> list[Text]:
    if count <= 0:
        return []
    words = quantity(count, f"more {noun}", f"more {plural}" if plural else None)
    return page.paragraph(f"{page.glyphs.ellipsis} {words}: {hint}", indent=2, style="dim")


def _notes(schema: Schema, page: Page) -> list[Text]:
    lines: list[Text] = [Text(), Text("Notes", "bold")] if schema.notes else []
    for note in schema.notes:
        lines += page.paragraph(f"{page.glyphs.bullet} {note}", indent=2, hanging=2)
    return lines
