"""The graph patterns of SPARQL: triples, and what stands in braces.

A group is a :class:`GroupPattern` (elements in braces) or a :class:`SubSelect` (a query in braces); both are printed
with their braces, and both can stand wherever a group can, as an element of another group too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tree import SyntaxNode
from .path_tree import Verb
from .term_tree import Expression, Iri, Term, Variable

if TYPE_CHECKING:
    from .query_tree import Projection, SolutionModifiers


class PropertyList(SyntaxNode):
    """``verb object, object``: a part of what is said of a subject; ``;`` stands between two of them."""

    verb: Verb
    objects: tuple[GraphNode, ...]


class Collection(SyntaxNode):
    """``(a b c)``: an RDF list; ``()`` is ``rdf:nil``."""

    items: tuple[GraphNode, ...]


class BlankNodeProperties(SyntaxNode):
    """``[ verb object; … ]``: a blank node of which this is said. There is one property list at least."""

    properties: tuple[PropertyList, ...]


GraphNode = Term | Collection | BlankNodeProperties
"""What can be the subject or an object of triples."""


class Triples(SyntaxNode):
    """A subject and what is said of it; nothing but for a collection or a blank node that says it all already."""

    subject: GraphNode
    properties: tuple[PropertyList, ...]


class PatternElement(SyntaxNode):
    """What can stand in a group."""


class TriplesBlock(PatternElement):
    """Triples with dots between them; also the template of a CONSTRUCT."""

    triples: tuple[Triples, ...]


class Filter(PatternElement):
    """``FILTER condition``."""

    condition: Expression


class OptionalPattern(PatternElement):
    """``OPTIONAL { … }``."""

    pattern: Group


class MinusPattern(PatternElement):
    """``MINUS { … }``."""

    pattern: Group


class UnionPattern(PatternElement):
    """``{ … } UNION { … }``: two branches or more."""

    branches: tuple[Group, ...]


class NamedGraphPattern(PatternElement):
    """``GRAPH graph { … }``."""

    graph: Iri | Variable
    pattern: Group


class ServicePattern(PatternElement):
    """``SERVICE SILENT endpoint { … }``."""

    endpoint: Iri | Variable
    pattern: Group
    silent: bool = False


class Bind(PatternElement):
    """``BIND(expression AS ?variable)``."""

    expression: Expression
    variable: Variable


class Undefined(SyntaxNode):
    """``UNDEF`` in a row of VALUES."""


class ValuesRow(SyntaxNode):
    """A row of VALUES: for each variable an IRI, a literal or ``UNDEF``."""

    values: tuple[Term | Undefined, ...]


class InlineValues(PatternElement):
    """``VALUES (?x ?y) { (1 UNDEF) (2 3) }``; at the end of a query it is ``values`` of its form."""

    variables: tuple[Variable, ...]
    rows: tuple[ValuesRow, ...]


class Group(PatternElement):
    """What stands in braces: a pattern, or a query."""


class GroupPattern(Group):
    """``{ … }``: patterns, the results of which are joined."""

    elements: tuple[PatternElement, ...]


class SubSelect(Group):
    """``{ SELECT … }``."""

    projection: Projection
    where: Group
    modifiers: SolutionModifiers
    values: InlineValues | None = None
