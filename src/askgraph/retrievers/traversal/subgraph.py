"""What the traversal gives: triples that belong together, with the probability of the path that they make up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from ...core.graph import Hop, Path
from ...core.values import Value, to_json_value
from ...linking.schema_terms import HopKind


@dataclass(frozen=True, slots=True)
class Triple:
    """An edge, or a property of a node with its value.

    ``target`` is the id of a node, or ``None`` for a property. Names are for people.
    """

    source: str
    relation: str
    target: str | None
    source_name: str = ""
    relation_name: str = ""
    target_name: str = ""
    value: Value = None
    edge: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two triples the same. Stores write one number differently (4 and 4.0)."""
        return (self.source, self.relation, _key(self.value) if self.target is None else f"<{self.target}>")

    def in_words(self) -> str:
        """As a sentence without its full stop."""
        return f"{self.source_name} {self.relation_name} {self.target_name}"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "source": self.source,
            "relation": self.relation,
            "target": self.target,
            "value": to_json_value(self.value),
            "text": self.in_words(),
        }


def _key(value: Value) -> str:
    return repr(value.normalize()) if isinstance(value, Decimal) else repr(value)


@dataclass(frozen=True)
class Instance:
    """One way from a seed to an end: the triples that it follows, in their order."""

    start: str
    triples: tuple[Triple, ...]

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The nodes on the way, the start among them."""
        found = [self.start]
        for triple in self.triples:
            found.append((triple.target or "") if triple.source == found[-1] else triple.source)
        return tuple(found)

    @property
    def end(self) -> str:
        """The node at which it ends."""
        return self.nodes[-1]

    def path(self, values: Sequence[Triple] = ()) -> Path:
        """As a path; with the first of some values of its end as the last hop."""
        hops = []
        for here, there, triple in zip(self.nodes, self.nodes[1:], self.triples, strict=False):
            forward = triple.source == here
            name = triple.target_name if forward else triple.source_name
            hops.append(Hop(triple.relation, triple.relation_name, forward, triple.edge, there, name))
        hops += [Hop(item.relation, item.relation_name, value=item.value) for item in values[:1]]
        first = self.triples[0]
        name = first.source_name if first.source == self.start else first.target_name
        return Path(self.start, name, tuple(hops))


@dataclass(frozen=True, slots=True)
class Subgraph:
    """All instances of one kind of path from one seed.

    Attributes:
        probability: ``exp(cos)`` of the path against the template, 0.37 to 2.72.
        path: the path in words: the seed, then each relation with an arrow for its direction.
        kinds: its kinds of hops.
        depth: its steps; passing through a node that stands for a statement is none.
        triples: its edges in the order of the path, then properties of its nodes.
        instances: for each end one way there; none where it is a seed with its properties.
        seed: the seed's nodes.
        ends: the nodes at its end.
        met: those of the ends that are other seeds.
        statements: nodes on its paths that stand for statements: what its triples say of them are qualifiers.
        end_properties: keys of the properties of its ends that fit the template, the best first.
        cut: nodes of which not all hops were followed, with the number that they have.
    """

    probability: float
    path: str
    kinds: tuple[HopKind, ...]
    depth: int
    triples: tuple[Triple, ...]
    instances: tuple[Instance, ...]
    seed: tuple[str, ...]
    ends: tuple[str, ...]
    met: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    end_properties: tuple[str, ...] = ()
    cut: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "probability": round(self.probability, 4),
            "path": self.path,
            "depth": self.depth,
            "seed": list(self.seed),
            "ends": list(self.ends),
            "triples": [triple.to_dict() for triple in self.triples],
        }
