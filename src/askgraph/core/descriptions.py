"""What the owner of a graph says about its types, edge types and properties: a small file, laid over the schema.

The file is TOML or JSON::

    [node_types.Person]
    label = "employee"
    synonyms = ["staff", "worker"]
    description = "Somebody who is paid by us."

    [edge_types.WORKS_FOR]
    label = "works for"
    synonyms = ["is employed by"]

    [properties.dob]
    label = "date of birth"

    [node_types.Person.properties.name]
    description = "As in the passport."

    [names]
    "myocardial infarction" = ["heart attack", "MI"]

``label``, ``synonyms`` and ``description`` are what can be said; each may be left out. ``properties`` at the top speaks
of a key wherever it stands, ``properties`` below a type of that type's alone. ``names`` gives further names to nodes,
each by a name that the graph has for it (all nodes of that name get them) or by its id.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from .errors import SettingsError
from .schema import EdgeType, NodeType, Property, Schema
from .suggestions import did_you_mean

_Thing = TypeVar("_Thing", NodeType, EdgeType, Property)
_SAID: Final = ("label", "synonyms", "description")
_SECTIONS: Final = ("node_types", "edge_types", "properties", "names")


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of one thing. ``None`` or empty: nothing."""

    label: str | None = None
    synonyms: tuple[str, ...] = ()
    description: str | None = None
    properties: Mapping[str, Description] = field(default_factory=dict)


_NOTHING: Final = Description()


@dataclass(frozen=True, slots=True)
class Descriptions:
    """What is said of a graph, by id or key; further names of nodes by name or id. ``source`` is the file's name, for
    messages."""

    node_types: Mapping[str, Description] = field(default_factory=dict)
    edge_types: Mapping[str, Description] = field(default_factory=dict)
    properties: Mapping[str, Description] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: str = "the descriptions"


def read_descriptions(path: Path | str) -> Descriptions:
    """Read a file of descriptions; one that ends in ``.json`` is JSON, any other is TOML.

    Raises:
        SettingsError: the file cannot be read, is malformed, or says what cannot be said.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8, from byte {error.start} on") from error
    try:
        data = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except ValueError as error:
        raise SettingsError(f"{path}: {error}", advice="See the example in the documentation.") from error
    return parse_descriptions(data, source=str(path))


def parse_descriptions(data: Any, *, source: str = "the descriptions") -> Descriptions:
    """Descriptions from the data of a file. Raises :class:`SettingsError` for what cannot be said."""
    sections = _table(data, source, _SECTIONS)
    return Descriptions(
        _section(sections.get("node_types", {}), f"{source}: node_types", with_properties=True),
        _section(sections.get("edge_types", {}), f"{source}: edge_types", with_properties=True),
        _section(sections.get("properties", {}), f"{source}: properties", with_properties=False),
        _names(sections.get("names", {}), f"{source}: names"),
        source,
    )


def describe(schema: Schema, descriptions: Descriptions) -> Schema:
    """The schema with these labels, synonyms and descriptions in place of its own.

    A label that is replaced stays as one of the other names. Synonyms come before those that the graph has.

    Raises:
        SettingsError: a name that the schema does not have; the nearest right one is named.
    """
    _check_names(schema, descriptions)
    return replace(
        schema,
        node_types=tuple(
            _said_of(item, descriptions.node_types.get(item.id, _NOTHING)) for item in schema.node_types
        ),
        edge_types=tuple(
            _said_of(item, descriptions.edge_types.get(item.id, _NOTHING)) for item in schema.edge_types
        ),
        properties=tuple(_said_of_property(item, descriptions) for item in schema.properties),
    )


# --- reading


def fingerprint(descriptions: Descriptions) -> str:
    """A digest of what is said, whatever file it stands in."""
    said = descriptions
    content = repr((said.node_types, said.edge_types, said.properties, said.names))
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _table(data: Any, place: str, known: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise SettingsError(f"{place}: a table was expected, not {data!r}")
    for key in data:
        if key not in known:
            hint = did_you_mean(key, known) or f"Known are {', '.join(known)}."
            raise SettingsError(f"{place}: unknown entry {key!r}", advice=hint)
    return data


def _section(data: Any, place: str, *, with_properties: bool) -> dict[str, Description]:
    if not isinstance(data, dict):
        raise SettingsError(f"{place}: a table of names was expected, not {data!r}")
    return {
        name: _description(said, f"{place}.{name}", with_properties=with_properties)
        for name, said in data.items()
    }


def _description(data: Any, place: str, *, with_properties: bool) -> Description:
    said = _table(data, place, (*_SAID, "properties") if with_properties else _SAID)
    for key in ("label", "description"):
        if key in said and not (isinstance(said[key], str) and said[key].strip()):
            raise SettingsError(f"{place}.{key}: a text was expected, not {said[key]!r}")
    synonyms = _texts(said.get("synonyms", []), f"{place}.synonyms")
    properties = _section(said.get("properties", {}), f"{place}.properties", with_properties=False)
    return Description(said.get("label"), synonyms, said.get("description"), properties)


def _names(data: Any, place: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(data, dict):
        raise SettingsError(f"{place}: a table of names was expected, not {data!r}")
    return {name: _texts(further, f"{place}.{name}") for name, further in data.items()}


def _texts(data: Any, place: str) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(item, str) and item.strip() for item in data):
        raise SettingsError(f"{place}: a list of texts was expected, not {data!r}")
    return tuple(data)


# --- laying over


def _said_of(thing: _Thing, said: Description) -> _Thing:
    label = said.label or thing.label
    others = dict.fromkeys([*said.synonyms, thing.label, *thing.other_labels])
    others.pop(label, None)
    description = said.description or thing.description
    return replace(thing, label=label, other_labels=tuple(others), description=description)


def _said_of_property(item: Property, descriptions: Descriptions) -> Property:
    types = descriptions.edge_types if item.of_edges else descriptions.node_types
    item = _said_of(item, descriptions.properties.get(item.key, _NOTHING))
    return _said_of(item, types.get(item.owner, _NOTHING).properties.get(item.key, _NOTHING))


def _check_names(schema: Schema, descriptions: Descriptions) -> None:
    graph = f"{descriptions.source}: the graph has no"
    node_types = {item.id: item.label for item in schema.node_types}
    edge_types = {item.id: item.label for item in schema.edge_types}
    for kind, said, labels in (
        ("node type", descriptions.node_types, node_types),
        ("edge type", descriptions.edge_types, edge_types),
    ):
        for name, description in said.items():
            _check(name, labels, f"{graph} {kind}")
            own = schema.properties_of(name, of_edges=kind == "edge type")
            for key in description.properties:
                keys = {item.key: item.label for item in own}
                _check(key, keys, f"{descriptions.source}: {kind} {name!r} has no property")
    for key in descriptions.properties:
        _check(key, {item.key: item.label for item in schema.properties}, f"{graph} property")


def _check(name: str, labels: Mapping[str, str], missing: str) -> None:
    if name not in labels:
        hint = did_you_mean(name, labels, labels=labels)
        raise SettingsError(
            f"{missing} {name!r}", advice=hint or "`askgraph schema` lists what the graph has."
        )
