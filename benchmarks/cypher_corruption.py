"""Cypher queries spoilt as language models spoil them, each in a known way, by a seed.

Every way changes the tree of a right query at one place: the arrow of a relationship, the name of a property, the
letters of a value. What was spoilt is told with the text, so that a correction can be judged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from askgraph.querying.cypher.clause_tree import Statement
from askgraph.querying.cypher.expression_tree import MapEntry, PropertyAccess, Text, Variable
from askgraph.querying.cypher.parser import parse
from askgraph.querying.cypher.pattern_tree import LabelName, NodePattern, RelationshipPattern
from askgraph.querying.cypher.printer import text_of
from askgraph.querying.rewriting import place_of, replaced
from askgraph.querying.tree import SyntaxNode, walk


class Corrupted(NamedTuple):
    """A spoilt query.

    Attributes:
        text: the query.
        kinds: how it was spoilt.
        wrong: what stands in it now that is wrong, in the words that a report of it would use.
    """

    text: str
    kinds: tuple[str, ...]
    wrong: tuple[str, ...]


class _Change(NamedTuple):
    node: SyntaxNode
    new: SyntaxNode
    wrong: str


_OTHER_KEYS = {
    "name": ("title", "label", "fullName", "Name"),
    "title": ("name", "movieTitle", "Title", "label"),
    "born": ("birthYear", "year_born", "bornIn", "Born"),
    "released": ("releaseYear", "year_released", "release_date", "Released"),
    "runtime": ("duration", "run_time", "runtimeMinutes", "runTime"),
    "country": ("countryName", "Country", "nation", "contry"),
    "year": ("Year", "won_year", "yearWon"),
    "role": ("roles", "Role", "character"),
    "founded": ("foundedIn", "year_founded", "Founded"),
    "short_name": ("shortName", "abbreviation", "shortname"),
    "catalogue_number": ("catalogueNumber", "catalog_number", "number"),
    "chromosome": ("chromosomes", "Chromosome", "chrom", "chromosom"),
    "description": ("descriptions", "Description", "fullName"),
    "identifier": ("id_number", "Identifier", "identifiers", "geneId"),
    "source": ("sources", "Source", "data_source"),
    "license": ("licence", "License", "licenses"),
    "url": ("URL", "link", "urls"),
}
_OTHER_TYPES = {
    "ACTED_IN": ("ACTS_IN", "actedIn", "STARRED_IN", "ACTED"),
    "DIRECTED": ("DIRECTS", "directed", "DIRECTED_BY", "DIRECTOR_OF"),
    "WROTE": ("WRITES", "WRITTEN", "wrote", "WRITER_OF"),
    "PRODUCED_BY": ("PRODUCED", "producedBy", "PRODUCTED_BY", "MADE_BY"),
    "HAS_GENRE": ("GENRE", "IN_GENRE", "hasGenre", "OF_GENRE"),
    "LIVES_IN": ("LIVED_IN", "livesIn", "RESIDES_IN", "LIVES"),
    "WON": ("WINS", "won", "HAS_WON", "RECEIVED"),
    "LOCATED_IN": ("IN_CITY", "locatedIn", "LOCATION", "IS_LOCATED_IN"),
    "associates": ("ASSOCIATED_WITH", "ASSOCIATES", "associated", "associatesWith"),
    "participates": ("PARTICIPATES_IN", "participatesIn", "participate", "TAKES_PART_IN"),
    "interacts": ("INTERACTS_WITH", "interactsWith", "interaction", "INTERACTS"),
}
# Properties that nodes of several labels have.
_SHARED = ("name", "identifier", "source", "license", "url")
_OTHER_LABELS = {
    "Person": ("person", "People", "Persons", "Actor"),
    "Movie": ("movie", "Movies", "Film", "MOVIE"),
    "Studio": ("Studios", "studio", "Company"),
    "Genre": ("genre", "Genres", "Gendre"),
    "City": ("Cities", "city", "CITY", "Town"),
    "Award": ("Awards", "award", "Prize"),
    "Gene": ("gene", "Genes", "GENE"),
    "Disease": ("Diseases", "disease", "Desease", "Illness"),
    "Pathway": ("Pathways", "pathway", "PathWay", "Path_way"),
}


def corrupted(
    text: str, kind: str, draw: random.Random, aliases: dict[str, tuple[str, ...]]
) -> Corrupted | None:
    """The query spoilt in one way; ``None`` where it has no place for that.

    Args:
        text: the right query.
        kind: one of :data:`KINDS`, or ``"several"`` for two or three of them at once.
        draw: decides which place, and what becomes of it.
        aliases: what else values are called.
    """
    if kind == "several":
        return _several(text, draw, aliases)
    statement = parse(text).statement
    changes = list(KINDS[kind](statement, draw, aliases))
    if not changes:
        return None
    change = draw.choice(changes)
    tree = replaced(statement, {place_of(change.node): lambda _: change.new})
    return Corrupted(text_of(tree), (kind,), (change.wrong,))


def _several(text: str, draw: random.Random, aliases: dict[str, tuple[str, ...]]) -> Corrupted | None:
    kinds: list[str] = []
    wrong: list[str] = []
    for kind in draw.sample(sorted(KINDS), len(KINDS)):
        found = corrupted(text, kind, draw, aliases)
        if found is not None and len(kinds) < 3:
            text = found.text
            kinds.append(kind)
            wrong += found.wrong
    return Corrupted(text, tuple(kinds), tuple(wrong)) if len(kinds) > 1 else None


_Finds = Callable[[Statement, random.Random, dict[str, tuple[str, ...]]], Iterator[_Change]]


def _arrow(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in walk(statement):
        if isinstance(node, RelationshipPattern) and node.to_left != node.to_right:
            new = node.changed(to_left=node.to_right, to_right=node.to_left)
            yield _Change(node, new, node.types.name if isinstance(node.types, LabelName) else "")


def _edge_type(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in walk(statement):
        if isinstance(node, RelationshipPattern) and isinstance(node.types, LabelName):
            other = draw.choice(_OTHER_TYPES[node.types.name])
            yield _Change(node.types, node.types.changed(name=other), other)


def _label(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in walk(statement):
        if isinstance(node, NodePattern) and isinstance(node.labels, LabelName):
            other = draw.choice(_OTHER_LABELS[node.labels.name])
            yield _Change(node.labels, node.labels.changed(name=other), other)


def _no_label(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in walk(statement):
        if isinstance(node, NodePattern) and node.labels is not None:
            yield _Change(node, node.changed(labels=None), node.variable or "")


def _key(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in walk(statement):
        if isinstance(node, PropertyAccess | MapEntry) and node.key in _OTHER_KEYS:
            other = draw.choice(_OTHER_KEYS[node.key])
            yield _Change(node, node.changed(key=other), other)


def _owner(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    """A property asked of another variable of the pattern, as if a person had been released.

    Nodes that have that property too are not taken: such a query asks for something else, and nothing is wrong with it.
    """
    labels = {
        node.variable: node.labels.name
        for node in walk(statement)
        if isinstance(node, NodePattern) and node.variable and isinstance(node.labels, LabelName)
    }
    for node in walk(statement):
        if (
            isinstance(node, PropertyAccess)
            and isinstance(node.subject, Variable)
            and node.key not in _SHARED
        ):
            for other, label in sorted(labels.items()):
                if label != labels.get(node.subject.name, label):
                    new = node.changed(subject=node.subject.changed(name=other))
                    yield _Change(node, new, node.key)


def _slip(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    """Two letters swapped, one left out, one doubled; codes are left alone."""
    for node in _values(statement):
        letters = [
            place
            for place in range(1, len(node.value) - 1)
            if node.value[place].isalpha() and node.value[place + 1].isalpha()
        ]
        if len(letters) < 5 or re.search(r"\d", node.value):
            continue
        place = draw.choice(letters)
        text = node.value
        ways = (
            text[:place] + text[place + 1] + text[place] + text[place + 2 :],
            text[:place] + text[place + 1 :],
            text[:place] + text[place] + text[place:],
        )
        new = draw.choice([way for way in ways if way != text])
        yield _Change(node, node.changed(value=new), new)


def _case(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    for node in _values(statement):
        ways = [
            way for way in (node.value.lower(), node.value.upper(), node.value.title()) if way != node.value
        ]
        if ways:
            new = draw.choice(ways)
            yield _Change(node, node.changed(value=new), new)


def _alias(
    statement: Statement, draw: random.Random, aliases: dict[str, tuple[str, ...]]
) -> Iterator[_Change]:
    for node in _values(statement):
        for other in aliases.get(node.value, ()):
            yield _Change(node, node.changed(value=other), other)


def _part(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    """A word of a name left out, or put in another order, or an article before it."""
    for node in _values(statement):
        words = node.value.split()
        if len(words) < 2 or len(words) > 8:
            continue
        ways = [" ".join([words[-1] + ",", *words[:-1]])] if len(words) == 2 else []
        ways += [" ".join(words[1:])] if words[0] == "The" or len(words) > 3 else []
        ways += [f"the {node.value}"] if words[0] != "The" else []
        if ways:
            new = draw.choice(ways)
            yield _Change(node, node.changed(value=new), new)


def _kind_of_value(statement: Statement, draw: random.Random, aliases: object) -> Iterator[_Change]:
    """A number as a text, a text as a number."""
    from askgraph.querying.cypher.expression_tree import Number

    for node in walk(statement):
        if isinstance(node, Number) and node.integer is not None and node.integer > 50:
            yield _Change(node, Text(node.text), node.text)
        elif isinstance(node, Text) and node.value.isdigit():
            yield _Change(node, Number(node.value), node.value)


def _values(statement: Statement) -> Iterator[Text]:
    for node in walk(statement):
        if isinstance(node, Text) and len(node.value) > 1:
            yield node


KINDS: dict[str, _Finds] = {
    "arrow": _arrow,
    "relationship type": _edge_type,
    "label": _label,
    "no label": _no_label,
    "property": _key,
    "property of another node": _owner,
    "slip in a value": _slip,
    "letters of a value": _case,
    "alias of a value": _alias,
    "part of a value": _part,
    "kind of a value": _kind_of_value,
}
"""The ways to spoil a query."""
