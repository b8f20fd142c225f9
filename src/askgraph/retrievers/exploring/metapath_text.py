"""Metapaths as models write them: relations joined by arrows, resolved to what the schema has.

Read are ``HAS_MANAGER -> MEMBER_OF``, ``Ada -> HAS_MANAGER -> Person <- EMPLOYS``, the same with ``→`` and ``←``, and
patterns of Cypher. A relation behind ``<-`` is followed against its direction; any other one in its direction where it
leads anywhere, else against it. The last step may be a property.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from rapidfuzz import fuzz, process

from ...core.schema import Schema
from ...core.words import local_name, normalize
from ...linking.language import language
from ...linking.schema_terms import SchemaTerms, Term

_ARROW: Final = re.compile(
    r"\s*(?P<forward>-+>|[→⟶➝])\s*|\s*(?P<backward><-+|[←⟵])\s*|\s+(?P<joint>[>|/])\s+"
)
_CYPHER_HOP: Final = re.compile(
    r"(?P<left><)?-\s*\[\s*\w*\s*:?\s*`?(?P<type>[^\]`*{]+)`?[^\]]*\]\s*-(?P<right>>)?"
)
_CYPHER_NODE: Final = re.compile(r"^\(\s*(?:\w*\s*:\s*)?`?(?P<text>[^(){}`]*)`?\s*(?:\{.*\})?\s*\)$")
_INVERSE: Final = re.compile(
    r"^(?:\^|~|(?:inverse|reverse)(?:\s+of)?[\s:(]+)(?P<name>.+?)\)?$", re.IGNORECASE
)
_WRAPPED: Final = re.compile(r"^[\[<(\"'`](?P<text>.+)[\])>\"'`]$")
_PREFIX: Final = re.compile(r"^[A-Za-z][\w-]*:(?=[^/])")
_NEAR: Final = 50.0
_MOST_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class MetapathStep:
    """One step: over any of some edge types, or to any of some properties.

    Attributes:
        text: as the model wrote it.
        edge_types: ids; several of one name.
        properties: keys; the walk ends here where no edge type of that name leads on.
        backward: whether the model said that it is followed against its direction.
        end_types: types of nodes to which it leads, where the model names them.
    """

    text: str
    edge_types: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    backward: bool = False
    end_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metapath:
    """A metapath in the words of the schema.

    Attributes:
        text: as the model wrote it.
        starts: names from which it begins; empty: from whatever was linked.
        steps: its steps.
        problem: why it cannot be followed, in words for the model; empty where it can.
    """

    text: str
    starts: tuple[str, ...] = ()
    steps: tuple[MetapathStep, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    backward: bool = False


class MetapathReader:
    """Reads the metapaths of one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._terms = SchemaTerms(schema, language("en"))

    def read(self, text: str) -> Metapath:
        """A metapath; one that names what the schema does not have says so in ``problem``."""
        starts: list[str] = []
        steps: list[MetapathStep] = []
        for place, token in enumerate(_tokens(text)):
            terms = self._named(token.text)
            step = self._step(token, terms)
            types = tuple(term.id for term in terms if term.kind == "node type")
            if step is not None:
                steps.append(step)
            elif types and steps:
                steps[-1] = replace(steps[-1], end_types=types)
            elif not types and place == 0:
                starts.append(token.text)
            elif not types and not _is_variable(token.text):
                return Metapath(text, problem=self.unknown(token.text))
        if not steps:
            return Metapath(
                text, problem=self.unknown(starts[0]) if starts else f"{text!r} names no relation"
            )
        if len(steps) > _MOST_STEPS:
            return Metapath(
                text, problem=f"{text!r} has {len(steps)} steps; at most {_MOST_STEPS} are followed"
            )
        inner = next((step for step in steps[:-1] if not step.edge_types), None)
        if inner is not None:
            return Metapath(text, problem=f"{inner.text!r} is a property: a path can only end there")
        return Metapath(text, tuple(starts), tuple(steps))

    def _step(self, token: _Token, terms: Sequence[Term]) -> MetapathStep | None:
        inverse = _INVERSE.match(token.text)
        edges = tuple(dict.fromkeys(term.id for term in terms if term.kind == "edge type"))
        properties = tuple(dict.fromkeys(term.id for term in terms if term.kind == "property"))
        if not edges and not properties:
            return None
        return MetapathStep(token.text, edges, properties, token.backward or inverse is not None)

    def _named(self, text: str) -> tuple[Term, ...]:
        """What a name means: by its id, else by its label, without a prefix or a mark of inversion."""
        inverse = _INVERSE.match(text)
        name = inverse["name"] if inverse else text
        if self._schema.has_edge_type(name):
            return (Term("edge type", name, name),)
        if self._schema.has_node_type(name):
            return (Term("node type", name, name),)
        for form in dict.fromkeys((name, _PREFIX.sub("", name), local_name(name))):
            # What a relation is called wins: a node type of that name would say nothing of where the path leads.
            found = self._terms.find(normalize(form))
            if found:
                relations = tuple(term for term in found if term.kind != "node type")
                return relations or found
        return ()

    def unknown(self, name: str) -> str:
        """What is said of a name that is no relation, with the nearest that are.

        A path's first name may be that of a node: whether it is one is known to whoever knows the names.
        """
        near = process.extract(normalize(name), self._labels, scorer=fuzz.ratio, limit=3, score_cutoff=_NEAR)
        advice = f"; like it: {', '.join(self._shown[place] for _, _, place in near)}" if near else ""
        return f"the graph has no relation {name!r}{advice}"

    @cached_property
    def _shown(self) -> list[str]:
        edge_types = [item.id for item in self._schema.edge_types]
        keys = [item.key for item in self._schema.properties if not item.of_edges]
        return [short_name(id) for id in dict.fromkeys([*edge_types, *keys])]

    @cached_property
    def _labels(self) -> list[str]:
        return [normalize(name) for name in self._shown]


def short_name(id: str) -> str:
    """What a relation or type is called in prompts: its own id, or the last part of an IRI."""
    return local_name(id) if "://" in id else id


def _is_variable(text: str) -> bool:
    return not text or text.startswith("?") or (len(text) == 1 and text.islower())


def _tokens(text: str) -> Iterator[_Token]:
    """The parts between the arrows; what stands behind ``<-`` is marked so."""
    plain = _CYPHER_HOP.sub(_hop_in_words, text.strip())
    position, backward = 0, False
    for arrow in _ARROW.finditer(plain):
        yield from _token(plain[position : arrow.start()], backward)
        position, backward = arrow.end(), arrow["backward"] is not None
    yield from _token(plain[position:], backward)


def _hop_in_words(match: re.Match[str]) -> str:
    arrow = "<-" if match["left"] and not match["right"] else "->"
    return f" {arrow} {match['type'].strip()} {arrow} "


def _token(text: str, backward: bool) -> Iterator[_Token]:
    text = text.strip()
    node = _CYPHER_NODE.match(text)
    text = node["text"].strip() if node else text
    if (wrapped := _WRAPPED.match(text)) is not None:
        text = wrapped["text"].strip()
    if text:
        yield _Token(text.strip(":").strip(), backward)
