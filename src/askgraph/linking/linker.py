"""Question to links: which words name which nodes and which parts of the schema, without a model.

Every span of the question is looked up among the names exactly; what no exact name covers is looked up by likeness.
Of overlapping spans those are kept that together explain most of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.evidence import Link, Mention
from ..core.schema import Schema
from ..indexes.names import NameIndex, NameMatch
from .language import Language
from .question import Question
from .schema_terms import SchemaTerms, Term

_LONGEST_NAME_WORDS = 12
_LONGEST_LIKENESS_WORDS = 6
_MOST_LIKENESS_QUERIES = 60
# A likeness below the first is never a link; a span in small letters, which may be any word, must be more alike.
_LIKENESS = 0.80
_LIKENESS_OF_COMMON_WORDS = 0.90
_MOST_HOMONYMS = 20
_SHORTEST_LIKENESS = 3


@dataclass(frozen=True)
class Unlinked:
    """Words that may name something and were not linked, and why."""

    mention: Mention
    reason: str
    nearest: tuple[NameMatch, ...] = ()


@dataclass(frozen=True)
class LinkedQuestion:
    """A question and what its words were resolved to.

    Attributes:
        question: the question, taken apart.
        nodes: links to nodes; several for one mention where the name is shared.
        terms: links to node types, edge types and properties.
        unlinked: what was not linked, and why.
        masked: the question with each node mention replaced by the name of its type.
        stems: stems of the content words that name no node.
        asked_types: node types that the question names.
    """

    question: Question
    nodes: tuple[Link, ...]
    terms: tuple[Link, ...]
    unlinked: tuple[Unlinked, ...]
    masked: str
    stems: tuple[str, ...]
    asked_types: tuple[str, ...]

    @property
    def links(self) -> tuple[Link, ...]:
        """All links in the order of the question."""
        return tuple(
            sorted((*self.nodes, *self.terms), key=lambda link: (link.mention.start, link.kind, link.id))
        )

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions of nodes, in order, without repeats."""
        return tuple(dict.fromkeys(link.mention for link in self.nodes))


@dataclass(frozen=True, slots=True)
class _Span:
    """Words ``first`` to before ``last``, with the nodes that they may name, all as good as the first."""

    first: int
    last: int
    matches: tuple[NameMatch, ...]
    total: int
    weight: float


class Linker:
    """Links questions to one graph."""

    def __init__(self, names: NameIndex, schema: Schema, rules: Language) -> None:
        self._names = names
        self._schema = schema
        self._rules = rules
        self._terms = SchemaTerms(schema, rules)

    def link(self, text: str) -> LinkedQuestion:
        """Link a question. Never raises for want of links: they are then empty."""
        question = Question.parse(text, self._rules)
        terms = self._term_spans(question)
        spans = _best_cover(self._exact_spans(question, terms), len(question.words))
        alike, unlinked = self._likeness_spans(question, spans, terms)
        spans = sorted([*spans, *alike], key=lambda span: span.first)
        covered = {word for span in spans for word in range(span.first, span.last)}
        nodes = tuple(link for span in spans for link in self._node_links(question, span))
        term_links = tuple(_term_links(question, terms, covered))
        return LinkedQuestion(
            question=question,
            nodes=nodes,
            terms=term_links,
            unlinked=tuple(unlinked),
            masked=question.masked(
                {mention: self._type_word(nodes, mention) for mention in _mentions(nodes)}
            ),
            stems=self._stems(question, covered),
            asked_types=tuple(dict.fromkeys(link.id for link in term_links if link.kind == "node type")),
        )

    # --- the schema

    def _term_spans(self, question: Question) -> dict[tuple[int, int], tuple[Term, ...]]:
        """For each span that names parts of the schema, which; a span within a longer one is left out."""
        found: dict[tuple[int, int], tuple[Term, ...]] = {}
        for first, last in _spans(len(question.words), _LONGEST_LIKENESS_WORDS):
            words = question.words[first:last]
            if all(word.is_stop for word in words):
                continue
            terms = self._terms.find(" ".join(word.normal for word in words))
            if terms and not any(a <= first and last <= b for a, b in found):
                found[first, last] = terms
        return found

    # --- exact names

    def _exact_spans(self, question: Question, terms: dict[tuple[int, int], tuple[Term, ...]]) -> list[_Span]:
        spans = [
            span
            for span in _spans(len(question.words), _LONGEST_NAME_WORDS)
            if not all(word.is_stop for word in question.words[span[0] : span[1]])
        ]
        names = self._names.exact([question.mention(*span).text for span in spans], limit=_MOST_HOMONYMS)
        return [
            _Span(first, last, tuple(matches), matches.total, _length(question, first, last))
            for (first, last), matches in zip(spans, names, strict=True)
            if matches and not self._is_rather_a_term(question, first, last, terms)
        ]

    def _is_rather_a_term(
        self, question: Question, first: int, last: int, terms: dict[tuple[int, int], tuple[Term, ...]]
    ) -> bool:
        """A word in small letters that is the name of a type or property is meant as such, node of that name or not."""
        inside = any(a <= first and last <= b for a, b in terms)
        return inside and not any(
            _stands_out(question.words[word].text) for word in range(max(first, 1), last)
        )

    # --- names that are alike

    def _likeness_spans(
        self, question: Question, exact: Sequence[_Span], terms: dict[tuple[int, int], tuple[Term, ...]]
    ) -> tuple[list[_Span], list[Unlinked]]:
        covered = {word for span in exact for word in range(span.first, span.last)}
        named = {word for first, last in terms for word in range(first, last)}
        queries = self._likeness_queries(question, covered, named)
        texts = [question.mention(*query).text for query in queries]
        results = self._names.search(texts, limit=_MOST_HOMONYMS)
        candidates, unlinked = [], []
        for (first, last), matches in zip(queries, results, strict=True):
            kept = self._alike_enough(question, first, last, matches)
            if kept:
                weight = kept[0].score * _length(question, first, last)
                total = max(len(kept), matches.total)
                candidates.append(_Span(first, last, kept, total, weight))
            elif _names_something(question, first, last):
                reason = (
                    "no name is like it"
                    if not matches
                    else f"the nearest name, {matches[0].name!r}, is not near enough"
                )
                unlinked.append(Unlinked(question.mention(first, last), reason, tuple(matches[:3])))
        chosen = _best_cover(candidates, len(question.words))
        explained = {word for span in chosen for word in range(span.first, span.last)}
        open_words = [item for item in unlinked if not _touches(question, item.mention, explained)]
        return chosen, _longest_only(open_words)

    def _likeness_queries(
        self, question: Question, covered: set[int], named: set[int]
    ) -> list[tuple[int, int]]:
        queries = []
        for first, last in _spans(len(question.words), _LONGEST_LIKENESS_WORDS):
            words = range(first, last)
            if (
                covered.intersection(words)
                or question.words[first].is_stop
                or question.words[last - 1].is_stop
            ):
                continue
            if all(word in named for word in words):
                continue
            if sum(len(question.words[word].normal) for word in words) >= _SHORTEST_LIKENESS:
                queries.append((first, last))
        return queries[:_MOST_LIKENESS_QUERIES]

    def _alike_enough(
        self, question: Question, first: int, last: int, matches: Sequence[NameMatch]
    ) -> tuple[NameMatch, ...]:
        if not matches:
            return ()
        special = any(_stands_out(question.words[word].text) for word in range(max(first, 1), last))
        least = _LIKENESS if special else _LIKENESS_OF_COMMON_WORDS
        best = matches[0].score
        return tuple(match for match in matches if match.score >= max(least, best - 1e-9))

    # --- what comes out

    def _node_links(self, question: Question, span: _Span) -> Iterable[Link]:
        mention = question.mention(span.first, span.last)
        others = span.total - 1
        for match in span.matches[:_MOST_HOMONYMS]:
            yield Link(mention, "node", match.id, match.name, match.score, match.kind, match.types, others)

    def _type_word(self, nodes: Sequence[Link], mention: Mention) -> str:
        for link in nodes:
            if link.mention == mention:
                known = [kind for kind in link.types if self._schema.has_node_type(kind)]
                return self._schema.label_of(known[0]) if known else "it"
        return "it"

    def _stems(self, question: Question, covered: set[int]) -> tuple[str, ...]:
        words = (word.normal for place, word in enumerate(question.words) if place not in covered)
        return self._rules.content_stems(" ".join(words))


def _spans(words: int, longest: int) -> list[tuple[int, int]]:
    """Every span of up to ``longest`` words, the longest first, then from left to right."""
    return [
        (first, first + length)
        for length in range(min(longest, words), 0, -1)
        for first in range(words - length + 1)
    ]


def _best_cover(spans: Iterable[_Span], words: int) -> list[_Span]:
    """The spans that do not overlap and together weigh most (weighted interval scheduling)."""
    ending: dict[int, list[_Span]] = {}
    for span in spans:
        ending.setdefault(span.last, []).append(span)
    best: list[tuple[float, int, tuple[_Span, ...]]] = [(0.0, 0, ())]
    for last in range(1, words + 1):
        choice = best[last - 1]
        for span in ending.get(last, ()):
            weight, pieces, before = best[span.first]
            # Of equal weights the cover of fewer, longer names is the likelier one.
            candidate = (weight + span.weight, pieces - 1, (*before, span))
            if candidate[:2] > choice[:2]:
                choice = candidate
        best.append(choice)
    return list(best[words][2])


def _length(question: Question, first: int, last: int) -> float:
    return float(sum(len(word.normal) for word in question.words[first:last]))


def _stands_out(word: str) -> bool:
    """Whether a word looks like a name or a number within a sentence."""
    return any(character.isupper() or character.isdigit() for character in word)


def _names_something(question: Question, first: int, last: int) -> bool:
    return all(_stands_out(word.text) for word in question.words[max(first, 1) : last]) and last > max(
        first, 1
    )


def _touches(question: Question, mention: Mention, words: set[int]) -> bool:
    return any(
        question.words[word].start < mention.end and mention.start < question.words[word].end
        for word in words
    )


def _longest_only(items: Sequence[Unlinked]) -> list[Unlinked]:
    """Without what lies within a longer one (the longest come first)."""
    kept: list[Unlinked] = []
    for item in items:
        if not any(item.mention.overlaps(other.mention) for other in kept):
            kept.append(item)
    return sorted(kept, key=lambda item: item.mention.start)


def _mentions(links: Iterable[Link]) -> list[Mention]:
    return list(dict.fromkeys(link.mention for link in links))


def _term_links(
    question: Question, spans: dict[tuple[int, int], tuple[Term, ...]], covered: set[int]
) -> Iterable[Link]:
    for (first, last), terms in sorted(spans.items()):
        if covered.issuperset(range(first, last)):
            continue
        mention = question.mention(first, last)
        for term in terms:
            yield Link(mention, term.kind, term.id, term.name, 1.0, "exact", term.owners, len(terms) - 1)
