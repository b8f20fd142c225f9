"""In which direction a question follows a relation, where what it begins at could stand at either end.

The words say it (:mod:`askgraph.linking.voice`). Where nodes of a type can stand at one end of a relation only, the
types have said it already, and a symmetric relation has no direction.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.evidence import Mention
from ..core.schema import Schema
from ..linking.voice import Voice
from .hop_table import HopTable


class SaidDirection:
    """Tells the directions that one question says.

    Args:
        schema: of the graph.
        table: where nodes of which types can stand.
        voice: reads the words of the question.
    """

    def __init__(self, schema: Schema, table: HopTable, voice: Voice) -> None:
        self._schema = schema
        self._table = table
        self._voice = voice

    def by_words(self, edge_type: str, mention: Mention, use: int = 0) -> bool | None:
        """Whether the words follow a relation forward from a mention; ``None`` where they do not say, or where it is
        symmetric. ``use`` is how often the path has followed it before."""
        if self._is_symmetric(edge_type):
            return None
        return self._voice.is_forward(self._schema.label_of(edge_type), mention, use)

    def leads_either_way(self, edge_type: str, types: Sequence[str]) -> bool:
        """Whether nodes of these types can stand at both ends of a relation."""
        return all(self._table.ends_of(edge_type, forward, types) for forward in (True, False))

    def is_against(
        self, edge_type: str, forward: bool, mention: Mention, types: Sequence[str], use: int = 0
    ) -> bool:
        """Whether a relation could be followed either way from nodes of these types, and the words say the other
        one."""
        said = self.by_words(edge_type, mention, use)
        return said is not None and said != forward and self.leads_either_way(edge_type, types)

    def _is_symmetric(self, edge_type: str) -> bool:
        return self._schema.has_edge_type(edge_type) and self._schema.edge_type(edge_type).symmetric
