"""Looks at the deny-lists: what they hide, and which of their entries hide nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..core.hidden import Hidden
from ..core.words import quantity
from .finding import Finding
from .protection import protection

IsThere = Callable[[str], bool]


def deny_lists(hidden: Hidden, has_type: IsThere, has_property: IsThere) -> Iterator[Finding]:
    """What is hidden.

    Args:
        hidden: the lists in force.
        has_type: whether the graph has a type of nodes or edges, past the lists.
        has_property: the same for the key of a property.
    """
    if not hidden:
        yield Finding("ok", "deny-lists", "none: askgraph shows all that the user may see")
        return
    types = [entry for entry in hidden.types if has_type(entry)]
    properties = [entry for entry in hidden.properties if any(map(has_property, _keys(entry)))]
    listed = "; ".join(
        f"{quantity(len(entries), singular, plural)} ({', '.join(entries)})"
        for entries, singular, plural in ((types, "type", "types"), (properties, "property", "properties"))
        if entries
    )
    if listed:
        yield protection("deny-lists", "askgraph", f"{listed} appear nowhere", known="told")
    idle = [
        entry
        for entry in (*hidden.types, *hidden.properties)
        if entry not in types and entry not in properties
    ]
    if idle:
        yield Finding(
            "warning",
            "deny-lists",
            f"nothing here is called {' or '.join(idle)}, so nothing is hidden by that",
            "See whether it is spelled as in the graph (hidden_types, hidden_properties), case included.",
        )


def _keys(entry: str) -> list[str]:
    """The keys that an entry may mean: itself, and what follows each of its dots."""
    return [entry, *(entry[place + 1 :] for place, character in enumerate(entry) if character == ".")]
