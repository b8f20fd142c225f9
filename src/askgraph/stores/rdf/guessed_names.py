"""What names the nodes of a graph whose labels say nothing: the property whose values look like names.

A graph whose predicates are codes (``P23``) may have no property that is known to give names. One that most nodes have
once, each with a short text of words of its own, can only be that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .columns import RdfColumns

# A graph of whose nodes so many have a name by a known property has names.
_NAMED: Final = 0.5
# A property that fewer nodes have, or that says the same of most, does not name them.
_LEAST_NODES: Final = 0.2
_LEAST_DISTINCT: Final = 0.5
_LEAST_SINGLE: Final = 0.9
_LEAST_NAMELIKE: Final = 0.7
_SAMPLE: Final = 500
_LONGEST_NAME: Final = 80
# Words of letters, in which a name may have a number or an initial.
_NAME: Final = re.compile(r"(?=.*[^\W\d_]{2})[^\W\d_]?[\w'’.,&/()+ -]*")
_ADDRESS: Final = re.compile(r"\S+@\S+\.\S+|[a-z]+://\S*|www\.\S+", re.IGNORECASE)


def guess_naming_properties(columns: RdfColumns, known: Sequence[str]) -> tuple[str, ...]:
    """The properties that name the nodes of a graph, the commonest first; none where the ``known`` ones name most."""
    numbers = [place for place, iri in enumerate(columns.predicates) if iri in set(known)]
    nodes = len(columns.node_rows)
    if not nodes or sum(len(_subjects(columns, number)) for number in numbers) >= _NAMED * nodes:
        return ()
    named = np.zeros(columns.resource_count, dtype=bool)
    sizes = np.diff(columns.property_offsets)
    found: list[str] = []
    for number in np.argsort(-sizes, kind="stable").tolist():
        subjects = np.unique(_subjects(columns, number))
        if len(subjects) < _LEAST_NODES * nodes:
            break
        if named[subjects].mean() < _NAMED and _looks_like_names(columns, number, len(subjects)):
            named[subjects] = True
            found.append(columns.predicates[number])
    return tuple(found)


def _subjects(columns: RdfColumns, number: int) -> NDArray[np.int32]:
    return columns.property_subjects[columns.property_offsets[number] : columns.property_offsets[number + 1]]


def _looks_like_names(columns: RdfColumns, number: int, subjects: int) -> bool:
    values = columns.property_values[columns.property_offsets[number] : columns.property_offsets[number + 1]]
    distinct = np.unique(values)
    if subjects < _LEAST_SINGLE * len(values) or len(distinct) < _LEAST_DISTINCT * subjects:
        return False
    step = max(1, len(distinct) // _SAMPLE)
    sample = columns.terms.values_of(distinct[::step])
    return sum(_is_namelike(str(value)) for value in sample if value is not None) >= _LEAST_NAMELIKE * len(
        sample
    )


def _is_namelike(text: str) -> bool:
    if len(text) > _LONGEST_NAME or _ADDRESS.fullmatch(text) or not _NAME.fullmatch(text):
        return False
    letters = sum(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return letters > 2 * digits
