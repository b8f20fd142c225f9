"""Which resources of an RDF graph are nodes, and which only describe what the graph is made of.

An RDF file mixes the two: ``:Product a owl:Class`` stands beside ``:p1 a :Product``. The rule:

* A resource is *declared* if it is typed as a class, a property, an ontology or the like, or is used as a class or a
  property, and has no other type.
* Every subject that is not declared is a node, but for blank nodes that only hang on declared resources (the lists and
  restrictions of OWL).
* What a node points to (other than by ``rdf:type``) is a node too, even if it is declared: a class that the data
  speaks about, and in turn what that class points to.
* A graph with ten times more classes than nodes is about its classes (a gene ontology, a thesaurus made of classes):
  then every subject, and what it points to, is a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .arrays import Integers
from .vocabulary import (
    CLASS_TYPES,
    DOMAIN,
    EMPTY_TYPES,
    EQUIVALENT_CLASS,
    EQUIVALENT_PROPERTY,
    INVERSE_OF,
    RANGE,
    RDF_TYPE,
    SCHEMA_TYPES,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
)

DECLARING: Final = (
    SUB_CLASS_OF, SUB_PROPERTY_OF, DOMAIN, RANGE, EQUIVALENT_CLASS, EQUIVALENT_PROPERTY, INVERSE_OF,
)  # fmt: skip
"""Properties between classes, or between properties and classes."""

_OBJECT_IS_DECLARED: Final = (*DECLARING, RDF_TYPE)
_FEW_NODES: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class ResourceLinks:
    """The statements whose object is a resource, and what is known of the resources.

    Attributes:
        subjects: a row for each statement.
        predicates: predicate numbers.
        objects: rows.
        subject_rows: the rows of everything that is a subject, of literals too.
        ids: ids by row.
        predicate_names: IRIs by predicate number.
        rows: the row of an id.
    """

    subjects: Integers
    predicates: Integers
    objects: Integers
    subject_rows: Integers
    ids: Sequence[str]
    predicate_names: Sequence[str]
    rows: dict[str, int]


def find_nodes(links: ResourceLinks) -> NDArray[np.bool_]:
    """For each row whether it is a node."""
    count = len(links.ids)
    is_subject = np.zeros(count, dtype=np.bool_)
    is_subject[links.subject_rows] = True
    has_own_type, is_class = _typed(links)
    is_declared = (_declared(links) | is_class) & ~has_own_type
    is_blank = np.fromiter((id.startswith("_:") for id in links.ids), dtype=np.bool_, count=count)

    without_type = links.predicates != _number(links, RDF_TYPE)
    subjects, objects = links.subjects[without_type], links.objects[without_type]
    hangs = _reached(is_declared, subjects, objects, within=is_blank) & is_blank & ~has_own_type
    roots = is_subject & ~is_declared & ~hangs
    if np.count_nonzero(is_class & is_subject) > _FEW_NODES * np.count_nonzero(roots):
        roots = is_subject
    return _reached(roots, subjects, objects, within=None)


def _typed(links: ResourceLinks) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each row has a type that is not of the schema's own; whether it is typed or used as a class."""
    schema_types = _mask(links, SCHEMA_TYPES | EMPTY_TYPES)
    typing = links.predicates == _number(links, RDF_TYPE)
    own = np.zeros(len(links.ids), dtype=np.bool_)
    own[links.subjects[typing & ~schema_types[links.objects]]] = True
    is_class = np.zeros(len(links.ids), dtype=np.bool_)
    class_types = _mask(links, CLASS_TYPES)
    is_class[links.subjects[typing & class_types[links.objects]]] = True
    below = links.predicates == _number(links, SUB_CLASS_OF)
    is_class[links.subjects[below]] = True
    return own, is_class


def _declared(links: ResourceLinks) -> NDArray[np.bool_]:
    declared = np.zeros(len(links.ids), dtype=np.bool_)
    schema_types = _mask(links, SCHEMA_TYPES)
    typing = links.predicates == _number(links, RDF_TYPE)
    declared[links.subjects[typing & schema_types[links.objects]]] = True
    for name in DECLARING:
        declared[links.subjects[links.predicates == _number(links, name)]] = True
    for name in _OBJECT_IS_DECLARED:
        declared[links.objects[links.predicates == _number(links, name)]] = True
    used = [links.rows[name] for name in links.predicate_names if name in links.rows]
    declared[np.array(used, dtype=np.int64)] = True
    return declared


def _reached(
    start: NDArray[np.bool_], subjects: Integers, objects: Integers, *, within: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    """The rows of ``start`` and all that links lead to from them; through rows of ``within`` only, if it is given."""
    reached = start.copy()
    if within is not None:
        keep = within[objects]
        subjects, objects = subjects[keep], objects[keep]
    while True:
        fresh = objects[reached[subjects] & ~reached[objects]]
        if not len(fresh):
            return reached
        reached[fresh] = True


def _number(links: ResourceLinks, predicate: str) -> int:
    try:
        return links.predicate_names.index(predicate)
    except ValueError:
        return -1


def _mask(links: ResourceLinks, names: Iterable[str]) -> NDArray[np.bool_]:
    mask = np.zeros(len(links.ids), dtype=np.bool_)
    mask[np.array([links.rows[name] for name in names if name in links.rows], dtype=np.int64)] = True
    return mask
