"""What an owner does not want seen: types and properties that then appear nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hidden:
    """Deny-lists of a graph: not in its schema, an index, a prompt, a run or an answer.

    Attributes:
        types: types of nodes and of edges, by id. A node that has one of them is not there at all, whatever else it is.
        properties: keys, of every owner (``"email"``) or of one type (``"Person.email"``).
    """

    types: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return bool(self.types or self.properties)

    def __add__(self, other: Hidden) -> Hidden:
        """What either hides."""
        return Hidden(
            tuple(dict.fromkeys((*self.types, *other.types))),
            tuple(dict.fromkeys((*self.properties, *other.properties))),
        )

    def hides_type(self, type: str) -> bool:
        """Whether nodes or edges of this type are not to be seen."""
        return type in self.types

    def hides_property(self, key: str, owners: Iterable[str] = ()) -> bool:
        """Whether a property of a node or edge with these types is not to be seen."""
        return key in self.properties or any(f"{owner}.{key}" in self.properties for owner in owners)

    def hides_property_somewhere(self, key: str) -> bool:
        """Whether there is an owner of which this property is not to be seen."""
        return any(entry == key or entry.endswith(f".{key}") for entry in self.properties)


NOTHING_HIDDEN = Hidden()
