"""What of a reading is only known by a look at the nodes: the year that is to be the same, the amount at a node without
a name."""

from __future__ import annotations

import re
from dataclasses import replace

from ...core.schema import Schema
from ...core.words import normalize, split_identifier
from ...linking.comparisons import Period
from ...linking.language import language
from ...stores.base import GraphStore
from ..hop_table import AttributeRoute
from ..relevance import Relevance
from .attributes import AttributeFinder
from .reading import Bound, Figure, Reading

# Of so many nodes the values are looked at, and of so many whether they have names.
_MOST_VALUES = 500
_LOOKED_AT = 5
_IS_CALLED_SO = 0.9
_YEAR = re.compile(r"\d{4}-")


class ValueReader:
    """Puts into readings of questions to one graph what nodes hold."""

    def __init__(self, store: GraphStore, schema: Schema, attributes: AttributeFinder) -> None:
        self._store = store
        self._schema = schema
        self._attributes = attributes

    def looked_up(self, reading: Reading, relevance: Relevance) -> Reading:
        """The reading with what its nodes hold; the same reading where nothing must be looked up."""
        return self._with_amounts(self._with_years(reading), relevance)

    def _with_amounts(self, reading: Reading, relevance: Relevance) -> Reading:
        """The reading; where what it finds has no name and one number that the question speaks of, this number: "the
        loss payment of claim 7" is an amount, and not the node that the graph keeps it at."""
        is_listed = not (reading.columns or reading.is_yes_no or reading.figure or reading.scale)
        walked = any(route.hops for route in reading.routes)
        if not is_listed or not walked or not reading.ends or len(reading.ends) > _MOST_VALUES:
            return reading
        form = reading.question.form
        if reading.counts and not form.asks_how_much:
            return reading
        everything = list(range(len(relevance.matcher.words)))
        found = self._attributes.find(reading.types, relevance.matcher, everything, "number", deepest=0)
        if (
            found is None
            or len(found[0].hops) > 1
            or found[1] < _IS_CALLED_SO
            or self._is_identifier(reading, found[0])
        ):
            return reading
        looked_at = self._store.nodes(list(reading.ends[:_LOOKED_AT]))
        if any(name.source for node in looked_at for name in node.names):
            return reading
        explaining = reading.explaining(relevance, found[0])
        if reading.counts:
            return replace(explaining, figure=Figure("sum", found[0]), counts=False)
        return replace(explaining, columns=(found[0],))

    def _is_identifier(self, reading: Reading, route: AttributeRoute) -> bool:
        words = normalize(split_identifier(self._schema.label_of(route.hops[-1].type))).split()
        return bool(words) and words[-1] in language(reading.question.language).identifier_words

    def _with_years(self, reading: Reading) -> Reading:
        """The reading; where the year of something named is to be the same, with this year as a bound."""
        kept, bounds = [], list(reading.bounds)
        for bound in reading.name_bounds:
            key = bound.route.hops[-1].type
            years = {
                int(str(value)[:4])
                for node in self._store.nodes(list(bound.seed.nodes))
                if (value := node.properties.get(key)) is not None and _YEAR.match(str(value))
            }
            if bound.is_of_year and len(years) == 1:
                bounds.append(
                    Bound(bound.route, bound.comparator, Period.of_year(years.pop()), is_named=True)
                )
            else:
                kept.append(bound)
        return replace(reading, name_bounds=tuple(kept), bounds=tuple(bounds))
