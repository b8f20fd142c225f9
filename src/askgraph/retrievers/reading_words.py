"""A reading in words, so that a reader sees how their question was understood."""

from __future__ import annotations

from ..core.schema import Schema
from ..core.words import quantity
from ..linking.schema_terms import HopKind
from .hop_table import AttributeRoute
from .reading import Reading
from .routes import Route


def describe(reading: Reading, schema: Schema) -> str:
    """For example ``"Supplier where Supplier -[country]-> Germany, the most by price"``."""
    subject = schema.label_of(reading.target) if reading.target is not None else "what"
    conditions = [_route(route, schema) for route in reading.routes]
    conditions += [
        f"{_attribute(bound.route, schema)} {bound.comparator} {bound.number}" for bound in reading.bounds
    ]
    conditions += [f"no {_attribute(attribute, schema)}" for attribute in reading.absent]
    text = subject + (f" where {' and '.join(conditions)}" if conditions else "")
    if reading.scale is not None:
        extreme = "most" if reading.scale.descending else "least"
        first = "the one" if reading.scale.limit == 1 else f"the {reading.scale.limit}"
        text = f"{first} with the {extreme} {_attribute(reading.scale.route, schema)}: {text}"
    if reading.columns:
        text = f"{', '.join(_attribute(item, schema) for item in reading.columns)} of {text}"
    if reading.aggregate is not None:
        text = f"the {reading.aggregate[0]} of {_attribute(reading.aggregate[1], schema)} of {text}"
    if reading.counts:
        text = f"the number of {text}"
    if reading.is_yes_no:
        text = f"whether there is {text}"
    return text


def _route(route: Route, schema: Schema) -> str:
    seed = route.seed
    start = seed.name
    if seed.value is not None:
        start = f"{schema.label_of(seed.value[0])} = {seed.name}"
    elif len(seed.nodes) > 1:
        start = f"{seed.name} ({quantity(len(seed.nodes), 'node')})"
    if not route.hops:
        return f"it is {start}" if seed.value is None else start
    return start + "".join(_hop(hop, schema) for hop in route.hops)


def _hop(hop: HopKind, schema: Schema) -> str:
    label = schema.label_of(hop.type)
    end = schema.label_of(hop.end) if hop.end else "?"
    return f" -[{label}]-> {end}" if hop.forward else f" <-[{label}]- {end}"


def _attribute(attribute: AttributeRoute, schema: Schema) -> str:
    labels = [schema.label_of(hop.type) for hop in attribute.hops]
    return " ".join(dict.fromkeys(labels))
