"""Question to links: which words name which nodes and which parts of the schema, without a model.

Every span of the question is looked up among the names exactly; what no exact name covers is looked up by likeness.
Of overlapping spans those are kept that together explain most of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from ..core.evidence import Link, Mention
from ..core.schema import Schema
from ..core.words import normalize
from ..indexes.names import NameMatch, NameMatches
from .form import Form, read_form
from .graph_index import value_of
from .language import Language
from .names import Names
from .question import Question
from .schema_terms import SchemaTerms, Term

_LONGEST_NAME_WORDS = 12
_LONGEST_LIKENESS_WORDS = 6
_LONGEST_PHRASE_WORDS = 5
_MOST_LIKENESS_QUERIES = 60
# A likeness below the first is never a link; a span in small letters, which may be any word, must be more alike.
_LIKENESS = 0.80
_LIKENESS_OF_COMMON_WORDS = 0.90
_LIKENESS_OF_VALUES = 0.95
_SHARPNESS = 4
_MOST_HOMONYMS = 100
_SHORTEST_LIKENESS = 3


_TermSpans = dict[tuple[int, int], tuple[Term, ...]]


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
        things: links to nodes and to values of properties; several for one mention where the name is shared.
        terms: links to node types, edge types and properties.
        unlinked: what was not linked, and why.
        form: what the question wants.
        masked: the question with each mention replaced by the name of its type.
        asked: the links to node types that the question may be asking for: not "department" in "the department Sales".
        words: the content words that belong to no mention and not to the form, normalised, in order.
        places: the place of each of ``words`` in the question.
    """

    question: Question
    things: tuple[Link, ...]
    terms: tuple[Link, ...]
    unlinked: tuple[Unlinked, ...]
    form: Form
    masked: str
    asked: tuple[Link, ...]
    words: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def links(self) -> tuple[Link, ...]:
        """All links in the order of the question."""
        return tuple(
            sorted((*self.things, *self.terms), key=lambda link: (link.mention.start, link.kind, link.id))
        )

    def phrases(self) -> list[tuple[int, int]]:
        """Pairs of rows of :attr:`words` that stand side by side in the question."""
        return [(row, row + 1) for row, (one, other) in enumerate(pairwise(self.places)) if other == one + 1]

    def named_rows(self) -> dict[str, list[int]]:
        """For each node type that the question names, the rows of :attr:`words` that name it."""
        rows: dict[str, list[int]] = {}
        for link in self.terms:
            if link.kind == "node type":
                within = [
                    row for row, place in enumerate(self.places) if self._is_within(place, link.mention)
                ]
                rows.setdefault(link.id, []).extend(within)
        return rows

    def _is_within(self, place: int, mention: Mention) -> bool:
        word = self.question.words[place]
        return mention.start <= word.start and word.end <= mention.end

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions of nodes and values, in order, without repeats."""
        return tuple(dict.fromkeys(link.mention for link in self.things))


@dataclass(frozen=True, slots=True)
class _Span:
    """Words ``first`` to before ``last``, with the nodes or values that they may name, all as good as the first."""

    first: int
    last: int
    kind: Literal["node", "value"]
    matches: tuple[NameMatch, ...]
    total: int
    weight: float


class Linker:
    """Links questions to one graph."""

    def __init__(self, names: Names, values: Names, schema: Schema, rules: Language) -> None:
        self._indexes: tuple[tuple[Literal["node", "value"], Names], ...] = (
            ("node", names),
            ("value", values),
        )
        self._schema = schema
        self._rules = rules
        self._terms = SchemaTerms(schema, rules)

    def link(self, text: str) -> LinkedQuestion:
        """Link a question. Never raises for want of links: they are then empty."""
        question = Question.parse(text, self._rules)
        terms = self._term_spans(question)
        spans = _best_cover(self._exact_spans(question, terms), len(question.words))
        taken = _places(spans) | _places_of_terms(terms)
        form = read_form(question, self._rules, taken)
        alike, unlinked = self._likeness_spans(question, spans, terms, form)
        spans = sorted([*spans, *alike], key=lambda span: span.first)
        covered = _places(spans)
        things = self._joined(question, [link for span in spans for link in _thing_links(question, span)])
        contents = self._contents(question, covered, form)
        term_links = tuple(_term_links(question, terms, covered))
        return LinkedQuestion(
            question=question,
            things=things,
            terms=term_links,
            asked=self._asked(question, things, term_links),
            unlinked=tuple(unlinked),
            form=form,
            masked=question.masked(
                {mention: self._type_word(things, mention) for mention in _mentions(things)}
            ),
            words=tuple(contents.values()),
            places=tuple(contents),
        )

    def _contents(self, question: Question, covered: frozenset[int], form: Form) -> dict[int, str]:
        """The content words by their places; a phrase that says what one word says stands as that word."""
        contents = {
            place: word.normal
            for place, word in enumerate(question.words)
            if place not in covered and place not in form.used and not word.is_stop
        }
        for first, last in _spans(len(question.words), _LONGEST_PHRASE_WORDS):
            word = self._rules.phrases.get(" ".join(word.normal for word in question.words[first:last]))
            if word is not None and covered.isdisjoint(range(first, last)):
                for place in range(first, last):
                    contents.pop(place, None)
                if word:
                    contents[first] = word
        return dict(sorted(contents.items()))

    # --- the schema

    def _term_spans(self, question: Question) -> _TermSpans:
        """For each span that names parts of the schema, which; a span within a longer one is left out."""
        found: _TermSpans = {}
        for first, last in _spans(len(question.words), _LONGEST_LIKENESS_WORDS):
            words = question.words[first:last]
            if all(word.is_stop for word in words):
                continue
            terms = self._terms.find(" ".join(word.normal for word in words))
            if terms and not any(a <= first and last <= b for a, b in found):
                found[first, last] = terms
        return found

    # --- exact names

    def _exact_spans(self, question: Question, terms: _TermSpans) -> list[_Span]:
        spans = [
            (first, last)
            for first, last in _spans(len(question.words), _LONGEST_NAME_WORDS)
            if not all(word.is_stop for word in question.words[first:last])
            and not self._is_rather_a_term(question, first, last, terms)
        ]
        texts = [question.mention(*span).text for span in spans]
        found: dict[tuple[int, int], _Span] = {}
        for kind, index in self._indexes:
            for (first, last), matches in zip(spans, index.exact(texts, limit=_MOST_HOMONYMS), strict=True):
                # A text that is a node's name and some property's value too is meant as the node.
                if not matches or (first, last) in found:
                    continue
                kept, total = tuple(matches), matches.total
                if kind == "value" and _is_plain_number(question, first, last):
                    kept = tuple(match for match in kept if self._names_property(question, first, match))
                    total = len(kept)
                if kept:
                    found[first, last] = _Span(first, last, kind, kept, total, _length(question, first, last))
        for first, last in spans:
            if (first, last) not in found and not self._is_within_another(first, last, found):
                self._add_place(question, first, last, found)
        return list(found.values())

    def _is_within_another(self, first: int, last: int, found: dict[tuple[int, int], _Span]) -> bool:
        return any(start < last and first < end for start, end in found)

    def _add_place(
        self, question: Question, first: int, last: int, found: dict[tuple[int, int], _Span]
    ) -> None:
        """Note what "French" or "US" stand for, where nothing in the graph is called so itself."""
        country = self._rules.places.get(normalize(question.mention(first, last).text))
        if country is None:
            return
        for kind, index in self._indexes:
            matches = index.exact([country], limit=_MOST_HOMONYMS)[0]
            if matches:
                read = tuple(replace(match, kind="fuzzy") for match in matches)
                found[first, last] = _Span(
                    first, last, kind, read, matches.total, _length(question, first, last)
                )
                return

    def _names_property(self, question: Question, place: int, match: NameMatch) -> bool:
        """Whether the word before a number names the property that has it as a value: "chromosome 8"."""
        before = question.words[place - 1].normal if place else ""
        label = normalize(self._schema.label_of(value_of(match.id)[0]))
        return bool(label) and self._rules.singular(before) == self._rules.singular(label.split()[-1])

    def _is_rather_a_term(self, question: Question, first: int, last: int, terms: _TermSpans) -> bool:
        """A word in small letters that is the name of a type or property is meant as such, node of that name or not."""
        inside = any(a <= first and last <= b for a, b in terms)
        return inside and not any(
            _stands_out(question.words[word].text) for word in range(max(first, 1), last)
        )

    # --- names that are alike

    def _likeness_spans(
        self, question: Question, exact: Sequence[_Span], terms: _TermSpans, form: Form
    ) -> tuple[list[_Span], list[Unlinked]]:
        closed = _places(exact) | form.used
        queries = self._likeness_queries(question, closed, _places_of_terms(terms))
        texts = [question.mention(*query).text for query in queries]
        results = [index.search(texts, limit=_MOST_HOMONYMS) for _, index in self._indexes]
        candidates, unlinked = [], []
        for place, (first, last) in enumerate(queries):
            spans = [
                self._alike_span(question, first, last, kind, found[place])
                for (kind, _), found in zip(self._indexes, results, strict=True)
            ]
            kept = [span for span in spans if span is not None]
            if kept:
                # Of a node and a value that are equally alike the node is meant: it comes first.
                candidates.append(max(kept, key=lambda span: span.weight))
            elif _names_something(question, first, last):
                unlinked.append(_unlinked(question.mention(first, last), results[0][place]))
        chosen = _best_cover(candidates, len(question.words))
        explained = _places(chosen)
        open_words = [item for item in unlinked if not _touches(question, item.mention, explained)]
        return chosen, _longest_only(open_words)

    def _alike_span(
        self, question: Question, first: int, last: int, kind: Literal["node", "value"], matches: NameMatches
    ) -> _Span | None:
        kept = self._alike_enough(question, first, last, matches)
        if kind == "value" and (not kept or kept[0].score < _LIKENESS_OF_VALUES):
            return None
        if not kept:
            return None
        # A longer span must be a good deal more alike than it is longer: "deliver Compensators" is no name.
        weight = kept[0].score ** _SHARPNESS * _length(question, first, last)
        return _Span(first, last, kind, kept, max(len(kept), matches.total), weight)

    def _likeness_queries(
        self, question: Question, closed: frozenset[int], named: frozenset[int]
    ) -> list[tuple[int, int]]:
        queries = []
        for first, last in _spans(len(question.words), _LONGEST_LIKENESS_WORDS):
            words = range(first, last)
            if (
                closed.intersection(words)
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

    def _joined(self, question: Question, links: Sequence[Link]) -> tuple[Link, ...]:
        """The links, those of "French or German" under one mention: any of them will do."""
        mentions = _mentions(links)
        joined = {mention: mention for mention in mentions}
        for one, other in pairwise(mentions):
            between = normalize(question.text[one.end : other.start])
            if between in self._rules.alternatives:
                start = joined[one].start
                joined[other] = Mention(question.text[start : other.end], start, other.end)
                for mention in mentions:
                    if mention.start >= start and mention.end <= other.end:
                        joined[mention] = joined[other]
        return tuple(replace(link, mention=joined[link.mention]) for link in links)

    def _asked(self, question: Question, things: Sequence[Link], terms: Sequence[Link]) -> tuple[Link, ...]:
        types = [link for link in terms if link.kind == "node type"]
        return tuple(
            link for link in types if not any(self._is_apposed(question, link, thing) for thing in things)
        )

    def _is_apposed(self, question: Question, link: Link, thing: Link) -> bool:
        """Whether the type stands beside a node of that type, and says no more than what the node is."""
        first, last = sorted((link.mention, thing.mention), key=lambda mention: mention.start)
        if normalize(question.text[first.end : last.start]):
            return False
        return bool(set(self._schema.subtypes(link.id)).intersection(thing.types))

    def _type_word(self, nodes: Sequence[Link], mention: Mention) -> str:
        for link in nodes:
            if link.mention == mention:
                known = [kind for kind in link.types if self._schema.has_node_type(kind)]
                return self._schema.label_of(known[0]) if known else "it"
        return "it"


def _thing_links(question: Question, span: _Span) -> Iterable[Link]:
    mention = question.mention(span.first, span.last)
    for match in span.matches[:_MOST_HOMONYMS]:
        yield Link(
            mention, span.kind, match.id, match.name, match.score, match.kind, match.types, span.total - 1
        )


def _unlinked(mention: Mention, matches: NameMatches) -> Unlinked:
    if not matches:
        return Unlinked(mention, "no name is like it")
    reason = f"the nearest name, {matches[0].name!r}, is not near enough"
    return Unlinked(mention, reason, tuple(matches[:3]))


def _places(spans: Iterable[_Span]) -> frozenset[int]:
    return frozenset(place for span in spans for place in range(span.first, span.last))


def _places_of_terms(terms: _TermSpans) -> frozenset[int]:
    return frozenset(place for first, last in terms for place in range(first, last))


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


def _is_plain_number(question: Question, first: int, last: int) -> bool:
    """A short number is a quantity, unless the word before it says otherwise."""
    return (
        last - first == 1 and question.words[first].normal.isdigit() and len(question.words[first].normal) < 5
    )


def _stands_out(word: str) -> bool:
    """Whether a word looks like a name or a number within a sentence."""
    return any(character.isupper() or character.isdigit() for character in word)


def _names_something(question: Question, first: int, last: int) -> bool:
    return all(_stands_out(word.text) for word in question.words[max(first, 1) : last]) and last > max(
        first, 1
    )


def _touches(question: Question, mention: Mention, words: frozenset[int]) -> bool:
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


def _term_links(question: Question, spans: _TermSpans, covered: frozenset[int]) -> Iterable[Link]:
    for (first, last), terms in sorted(spans.items()):
        if covered.issuperset(range(first, last)):
            continue
        mention = question.mention(first, last)
        for term in terms:
            yield Link(mention, term.kind, term.id, term.name, 1.0, "exact", term.owners, len(terms) - 1)
