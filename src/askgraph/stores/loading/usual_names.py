"""The names that people give to the columns that hold ids, types and the ends of edges."""

from __future__ import annotations

from typing import Final

from ...core.words import split_identifier

NODE_IDS: Final = (
    "id", "node_index", "node_id", "nodeid", "entity_id", "vertex_id", "identifier", "iri", "uri", "curie", "uid",
    "uuid",
)  # fmt: skip
NODE_TYPES: Final = (
    "type", "types", "node_type", "node_types", "entity_type", "labels", "label", "category", "categories", "class",
    "kind",
)  # fmt: skip
EDGE_TYPES: Final = (
    "relation", "predicate", "relationship", "relation_type", "relationship_type", "rel_type", "edge_type", "rel",
    "type", "label", "edge_label",
)  # fmt: skip
EDGE_IDS: Final = ("id", "edge_id", "relationship_id", "relation_id", "rel_id")

# Pairs of names for the two ends. A name counts only beside its partner: "source" alone is where a fact comes from.
ENDS: Final = (
    ("source", "target"), ("source_id", "target_id"), ("source_node", "target_node"), ("src", "dst"), ("src", "dest"),
    ("subject", "object"), ("subject_id", "object_id"), ("subj", "obj"),
    ("x_id", "y_id"), ("x_index", "y_index"),
    ("from_id", "to_id"), ("from_node", "to_node"), ("start_id", "end_id"), ("start_node", "end_node"),
    ("head", "tail"), ("head_id", "tail_id"), ("head_entity", "tail_entity"),
)  # fmt: skip
# These are ends too, but a table with an id may as well mean a span of time or a place by them.
DOUBTFUL_ENDS: Final = (("from", "to"), ("start", "end"), ("source", "destination"))
# And these only where nothing is an id: x and y are coordinates.
ENDS_WITHOUT_ID: Final = (("x", "y"), ("s", "o"), ("h", "t"))
EDGE_WORDS: Final = frozenset(EDGE_TYPES) - {"type", "label"}
"""Names that only a table of edges has."""


def plain(header: str) -> str:
    """A header in the form of the names above: ``sourceId``, ``Source ID`` and ``_source_id`` are one."""
    return split_identifier(header.strip()).lower().replace(" ", "_").strip("_")
