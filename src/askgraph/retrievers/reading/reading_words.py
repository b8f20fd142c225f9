"""A reading in words, so that a reader sees how their question was understood."""

from __future__ import annotations

import datetime

from ...core.schema import Schema
from ...core.values import display
from ...core.words import quantity
from ...linking.comparisons import Period
from ...linking.schema_terms import HopKind
from ..hop_table import AttributeRoute
from .reading import Bound, Figure, Reading
from .routes import Route


def describe(reading: Reading, schema: Schema) -> str:
    """For example ``"the 5 Supplier with the most price, where Germany <-[country]- Supplier"``."""
    text = _nodes(reading, schema)
    if reading.columns:
        text = f"{', '.join(_attribute(item, schema) for item in reading.columns)} of {text}"
    if reading.figure is not None:
        text = f"{_figure(reading.figure, schema)} of {'each ' if reading.figure.is_each else ''}{text}"
    if reading.grouped_by is not None:
        text += f" by {_attribute(reading.grouped_by, schema)}"
    if reading.counts:
        text = f"how many {text}"
    if reading.is_yes_no:
        text = f"whether there is {text}"
    return text


def _nodes(reading: Reading, schema: Schema) -> str:
    """The nodes asked for: by name where the question names them, else by type and conditions."""
    named = [_start(route, schema) for route in reading.routes if not route.hops and route.seed.value is None]
    if reading.target is not None or not named:
        conditions = named
        subject = schema.label_of(reading.target) if reading.target is not None else _end(reading, schema)
    else:
        subject, conditions = named[0], named[1:]
    conditions = [
        *conditions,
        *(_route(route, schema) for route in reading.routes if route.hops or route.seed.value),
    ]
    conditions += [_bound(bound, schema) for bound in reading.bounds]
    conditions += [
        f"{_attribute(bound.route, schema)} {bound.comparator} that of {bound.seed.name}"
        for bound in reading.name_bounds
    ]
    if reading.own_bound is not None:
        own = reading.own_bound
        conditions.append(f"{_attribute(own.route, schema)} {own.comparator} {_attribute(own.than, schema)}")
    conditions += [
        f"some {_attribute(item, schema)}" for item in reading.present if item not in reading.columns
    ]
    conditions += [f"no {_attribute(attribute, schema)}" for attribute in reading.absent]
    conditions += [f"not {_route(route, schema)}" for route in reading.excluded]
    if reading.scale is not None:
        extreme = "most" if reading.scale.descending else "least"
        first = "the" if reading.scale.limit == 1 else f"the {reading.scale.limit}"
        if reading.scale.skip:
            first += f" number {reading.scale.skip + 1}"
        measured = f" {_attribute(reading.scale.route, schema)}" if reading.scale.route is not None else ""
        subject = f"{first} {subject} with the {extreme}{measured}"
    return subject + (f" where {' and '.join(conditions)}" if conditions else "")


def _figure(figure: Figure, schema: Schema) -> str:
    if figure.route is None:
        return "the number"
    what = _attribute(figure.route, schema)
    if figure.of_counts:
        return f"the {figure.function} number of {what}"
    return f"the number of {what}" if figure.function == "count" else f"the {figure.function} of {what}"


def _end(reading: Reading, schema: Schema) -> str:
    """What the routes lead to, where the question does not say."""
    ends = next((route.end_types for route in reading.routes if route.end_types), ())
    return schema.label_of(ends[0]) if ends else "what"


def _bound(bound: Bound, schema: Schema) -> str:
    what = _attribute(bound.route, schema)
    counted = what if bound.route.is_property else f"number of {what}"
    return f"{counted} {bound.comparator} {_number(bound)}"


def _number(bound: Bound) -> str:
    if not isinstance(bound.number, Period):
        return display(bound.number)
    years = bound.number.years
    if years is not None:
        return str(years[0]) if years[0] == years[1] else f"{years[0]} to {years[1]}"
    last = bound.number.beyond - datetime.timedelta(days=1)
    return str(last) if last == bound.number.first else f"{bound.number.first} to {last}"


def _start(route: Route, schema: Schema) -> str:
    seed = route.seed
    if seed.value is not None:
        return f"{schema.label_of(seed.value[0])} = {seed.name}"
    return f"{seed.name} ({quantity(len(seed.nodes), 'node')})" if len(seed.nodes) > 1 else seed.name


def _route(route: Route, schema: Schema) -> str:
    return _start(route, schema) + "".join(_hop(hop, schema) for hop in route.hops)


def _hop(hop: HopKind, schema: Schema) -> str:
    label = schema.label_of(hop.type) if hop.type else "any edge"
    end = schema.label_of(hop.end) if hop.end else "?"
    if hop.either:
        return f" -[{label}]- {end}"
    return f" -[{label}]-> {end}" if hop.forward else f" <-[{label}]- {end}"


def _attribute(attribute: AttributeRoute, schema: Schema) -> str:
    labels = [schema.label_of(hop.type) for hop in attribute.hops]
    return " ".join(dict.fromkeys(labels))
