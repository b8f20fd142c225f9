"""Deny-lists as conditions of queries: what is hidden is left out on the server, before it is counted or cut."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ...core.hidden import Hidden
from ...core.schema import Schema
from ...core.values import Value
from .wording import listed


@dataclass(frozen=True, slots=True)
class Hiding:
    """What is not to be seen of one graph, once its hierarchy is known.

    Attributes:
        types: types whose nodes are hidden, with every type below them.
        predicates: edge types and properties that are hidden of every node.
        keys: properties that are hidden of nodes with some types: for each key these types, with those below them.
    """

    types: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, hidden: Hidden, schema: Schema | None = None) -> Hiding:
        """The deny-lists of a graph. ``schema``: for its hierarchy of types."""
        by_owner: dict[str, dict[str, None]] = {}
        everywhere = dict.fromkeys(hidden.types)
        for entry in hidden.properties:
            everywhere[entry] = None
            # Type and key are both IRIs, with dots of their own: every dot may be the one between them.
            for place in (place for place, character in enumerate(entry) if character == "."):
                owner, key = entry[:place], entry[place + 1 :]
                if owner and key and ":" in key:
                    by_owner.setdefault(key, {})[owner] = None
        return cls(
            types=_with_subtypes(hidden.types, schema),
            predicates=tuple(everywhere),
            keys={key: _with_subtypes(owners, schema) for key, owners in by_owner.items()},
        )

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return bool(self.types or self.predicates or self.keys)

    # --- in queries

    def no_hidden_node(self, variable: str) -> str:
        """A filter that leaves out hidden nodes; empty if there are none."""
        if not self.types:
            return ""
        return f"FILTER NOT EXISTS {{ {variable} a ?hidden . FILTER(?hidden IN ({listed(self.types)})) }}"

    def no_hidden_predicate(self, variable: str) -> str:
        """A filter that leaves out hidden edge types and properties; empty if there are none."""
        return f"FILTER({variable} NOT IN ({listed(self.predicates)}))" if self.predicates else ""

    def no_hidden_value(self, node: str, predicate: str) -> str:
        """A filter that leaves out properties that are hidden of some nodes; empty if there are none."""
        return " ".join(
            f"FILTER(!({predicate} = <{key}> && EXISTS {{ {node} a ?owner . FILTER(?owner IN ({listed(owners)})) }}))"
            for key, owners in self.keys.items()
        )

    # --- in what came

    def hides_node(self, types: Iterable[str]) -> bool:
        """Whether a node with these types is hidden."""
        return not set(self.types).isdisjoint(types)

    def visible(self, properties: Mapping[str, Value], types: Collection[str]) -> dict[str, Value]:
        """The properties of a node with these types that may be seen."""
        return {
            key: value
            for key, value in properties.items()
            if key not in self.predicates and set(self.keys.get(key, ())).isdisjoint(types)
        }

    def hides_property(self, key: str, owners: Iterable[str]) -> bool:
        """Whether a property is hidden of nodes with these types."""
        return key in self.predicates or not set(self.keys.get(key, ())).isdisjoint(owners)


NOTHING_HIDDEN: Final = Hiding()


def _with_subtypes(types: Iterable[str], schema: Schema | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(types)) if schema is None else schema.with_subtypes(types)
