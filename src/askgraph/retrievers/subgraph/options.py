"""What can be set of a selection, and what holds otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args

from ...core.errors import SettingsError

Nested = Literal["neighbours", "diamond", "c3", "full"]
NESTED: Final[tuple[Nested, ...]] = get_args(Nested)
"""The four subgraphs, each within the next."""


@dataclass(frozen=True, slots=True)
class SubgraphOptions:
    """How a subgraph is grown.

    Attributes:
        most_neighbours: of one linked node, for each type of neighbour; of more, those are kept that a walk from the
            linked nodes reaches most.
        diamond_steps: nodes that DIAMOnD adds to each layer at most.
        diamond_steps_by_types: the same by (type of the linked node, type of the layer): what a calibration found. For
            nodes of several types the largest holds.
        measured_steps: the pairs of types whose steps were measured on this graph, rather than set.
        diamond_alpha: the weight of a layer's seeds.
        diamond_significance: DIAMOnD ends in a layer where the next p-value is not below this; ``None``: it never does.
        c3_significance: above this p-value a connector is chance.
        c3_most_nodes: connectors added to each layer at most.
        walk_nodes: nodes that the random walk adds at the end, of all types together.
        restart: of the walk: the probability of going back at each step.
        type_jumps: of the walk: the probability of going on from a type to another, by (from, to); equal ones
            otherwise.
        layer_edge_types: for a node type the edge types that its layer is made of; all between its nodes otherwise.
        edge_weights: by edge type, how much an edge counts in the walk; 1 otherwise.
        most_edges: edges of a selection; of more, those between the nodes added first are kept.
    """

    most_neighbours: int = 200
    diamond_steps: int = 50
    diamond_steps_by_types: Mapping[tuple[str, str], int] = field(default_factory=dict)
    measured_steps: frozenset[tuple[str, str]] = frozenset()
    diamond_alpha: int = 1
    diamond_significance: float | None = 0.05
    c3_significance: float = 0.05
    c3_most_nodes: int = 50
    walk_nodes: int = 20
    restart: float = 0.7
    type_jumps: Mapping[tuple[str, str], float] = field(default_factory=dict)
    layer_edge_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    edge_weights: Mapping[str, float] = field(default_factory=dict)
    most_edges: int = 5_000

    def __post_init__(self) -> None:
        """Raises :class:`SettingsError` for a value that cannot be used."""
        for name in ("most_neighbours", "diamond_steps", "c3_most_nodes", "walk_nodes", "most_edges"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} is 0 or more, not {getattr(self, name)}")
        if any(steps < 0 for steps in self.diamond_steps_by_types.values()):
            raise SettingsError("diamond_steps_by_types holds numbers from 0")
        if self.diamond_alpha < 1:
            raise SettingsError(f"diamond_alpha is 1 or more, not {self.diamond_alpha}")
        for name in ("diamond_significance", "c3_significance", "restart"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise SettingsError(f"{name} is above 0 and at most 1, not {value}")
        if any(not 0 < weight < float("inf") for weight in self.edge_weights.values()):
            raise SettingsError("edge_weights are positive numbers")

    def steps_for(self, seed_types: frozenset[str], layer: str) -> tuple[int, str | None]:
        """How many nodes DIAMOnD adds to a layer, for linked nodes of these types, and for which of the types that is
        known: ``None`` where it is the same for all."""
        known = [
            (self.diamond_steps_by_types[kind, layer], kind)
            for kind in sorted(seed_types)
            if (kind, layer) in self.diamond_steps_by_types
        ]
        return max(known, key=lambda item: item[0], default=(self.diamond_steps, None))

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data; pairs of types are joined by `` > ``."""
        data: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Mapping):
                value = {_key_text(key): _plain(entry) for key, entry in sorted(value.items())}
            elif isinstance(value, frozenset):
                value = sorted(map(_key_text, value))
            data[item.name] = value
        return data


def _key_text(key: Any) -> str:
    return " > ".join(key) if isinstance(key, tuple) else str(key)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
