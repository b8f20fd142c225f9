"""SPARQL examples in Turtle: questions beside the queries that answer them, as SHACL has a word for
(``sh:SPARQLExecutable``; the layout in which the SIB publishes those of UniProt, Rhea and others).

An example has its question in ``rdfs:comment`` (or ``rdfs:label``), its query in ``sh:select`` or ``sh:ask``, and may
declare prefixes by ``sh:prefixes``, in a file of their own too: a blank node that two files call by one label is one
node, as when they are put together. Examples of CONSTRUCT and DESCRIBE have no rows to compare, and are left out. What
they have for keywords are topics; what kind of question one is, its query tells.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from ..core.errors import Location, QuestionsError
from ..core.words import local_name
from .gold import GoldQuery, GoldQuestion

_SH: Final = "http://www.w3.org/ns/shacl#"
_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_COMPARABLE: Final = (_SH + "select", _SH + "ask")
_OTHERS: Final = (
    _SH + "construct",
    _SH + "describe",
    "https://purl.expasy.org/sparql-examples/ontology#describe",
)
_QUESTIONS: Final = (_RDFS + "comment", _RDFS + "label")
_TAG: Final = re.compile(r"<[^<>]+>")
_DECLARED: Final = re.compile(r"(?im)^\s*prefix\s+([^\s:]*)\s*:")

_Node = NamedNode | BlankNode


@dataclass
class _Examples:
    """What some files say, by subject and predicate, in the order of the files."""

    values: dict[_Node, dict[str, list[_Node | Literal]]] = field(default_factory=dict)

    def add(self, quads: Iterable[Quad]) -> None:
        for quad in quads:
            if isinstance(quad.subject, NamedNode | BlankNode) and isinstance(
                quad.object, NamedNode | BlankNode | Literal
            ):
                own = self.values.setdefault(quad.subject, {})
                own.setdefault(quad.predicate.value, []).append(quad.object)

    def of(self, subject: _Node, *predicates: str) -> list[_Node | Literal]:
        own = self.values.get(subject, {})
        return [value for predicate in predicates for value in own.get(predicate, ())]

    def texts(self, subject: _Node, *predicates: str) -> list[Literal]:
        return [value for value in self.of(subject, *predicates) if isinstance(value, Literal)]


def turtle_questions(files: Sequence[tuple[str, Path]], language: str) -> tuple[str, list[GoldQuestion]]:
    """The questions of some files of examples, and the name of their layout, which says what was left out.

    Args:
        files: the text and the place of each.
        language: of the wording to take where a question has several.

    Raises:
        QuestionsError: a file is not Turtle, or an example has no question.
    """
    examples = _Examples()
    for text, path in files:
        try:
            examples.add(parse(text, RdfFormat.TURTLE, base_iri="http://example.org/"))
        except SyntaxError as error:
            place = Location(str(path), error.lineno, error.offset)
            raise QuestionsError(f"not Turtle: {error.msg}", location=place) from error
    subjects = [node for node in examples.values if examples.texts(node, *_COMPARABLE)]
    left_out = sum(bool(examples.texts(node, *_OTHERS)) for node in examples.values)
    layout = "SPARQL examples in Turtle"
    if left_out:
        layout += f" ({left_out:,} of CONSTRUCT or DESCRIBE left out)"
    times = Counter(local_name(node.value) for node in subjects)
    return layout, [
        _question(
            examples,
            node,
            local_name(node.value) if times[local_name(node.value)] == 1 else node.value,
            language,
            files[0][1],
        )
        for node in subjects
    ]


def _question(examples: _Examples, node: _Node, name: str, language: str, path: Path) -> GoldQuestion:
    wordings = examples.texts(node, *_QUESTIONS)
    if not wordings:
        raise QuestionsError(
            f"the example {name} has no question",
            location=Location(str(path)),
            advice="Give it an rdfs:comment.",
        )
    text = " ".join(html.unescape(_TAG.sub("", _in_language(wordings, language))).split())
    query = examples.texts(node, *_COMPARABLE)[0].value
    prefixes = _prefixes(examples, node, query)
    return GoldQuestion(name, text, None, GoldQuery("sparql", prefixes + query))


def _in_language(wordings: Sequence[Literal], language: str) -> str:
    """The wording in a language, else in a kind of it (``en-gb`` for ``en``), else without one, else the first."""

    def rank(wording: Literal) -> int:
        if wording.language is None:
            return 2
        if wording.language == language.lower():
            return 0
        return 1 if wording.language.split("-")[0] == language.lower().split("-")[0] else 3

    return min(wordings, key=rank).value


def _prefixes(examples: _Examples, node: _Node, query: str) -> str:
    """The prefixes that an example declares and its query does not."""
    known = {match.lower() for match in _DECLARED.findall(query)}
    lines = []
    for group in examples.of(node, _SH + "prefixes"):
        for declared in examples.of(group, _SH + "declare") if not isinstance(group, Literal) else ():
            if not isinstance(declared, Literal):
                prefix = next((item.value for item in examples.texts(declared, _SH + "prefix")), "")
                space = next((item.value for item in examples.texts(declared, _SH + "namespace")), "")
                if space and prefix.lower() not in known:
                    known.add(prefix.lower())
                    lines.append(f"PREFIX {prefix}: <{space}>\n")
    return "".join(lines)
