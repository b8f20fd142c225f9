"""Question to links: which words name which nodes and which parts of the schema, without a model.

Every span of the question is looked up among the names exactly; what no exact name covers is looked up by likeness.
Of overlapping spans those are kept that together explain most of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from ..core.evidence import Link, Mention
from ..core.schema import Schema
from ..core.words import normalize
from ..indexes.names import NameMatch, NameMatches
from .asked_types import asked_types
from .edge_values import EdgeValue, EdgeValueWords, NamedEdgeValue
from .form import Form, read_form
from .kinds import KindWords
from .language import Language
from .linked_question import LinkedQuestion, Unlinked
from .meaning_spans import MeaningSpans
from .name_meanings import NamesByMeaning
from .names import Names
from .numbers import NumberedThings, is_number
from .question import Question, Word
from .schema_terms import SchemaTerms
from .spans import (
    Span,
    TermSpans,
    ThingKind,
    all_spans,
    any_stands_out,
    best_cover,
    is_filler,
    letters_of,
    places_of,
    places_of_terms,
    stands_out,
)
from .translation import Translator

__all__ = ["LinkedQuestion", "Linker", "Unlinked"]

_LONGEST_NAME_WORDS = 12
_LONGEST_LIKENESS_WORDS = 6
_LONGEST_TYPE_WORDS = 3
_LONGEST_PHRASE_WORDS = 5
_MOST_LIKENESS_QUERIES = 60
# A likeness below the first is never a link; a span in small letters, which may be any word, must be more alike.
_LIKENESS = 0.80
_LIKENESS_OF_COMMON_WORDS = 0.90
_LIKENESS_OF_VALUES = 0.95
# So many letters are hardly ever another word by chance, two slips in them or not.
_LIKENESS_OF_LONG_WORDS = 0.84
_LONG = 12
_SHARPNESS = 4
_MOST_HOMONYMS = 100
_SHORTEST_LIKENESS = 3


class Linker:
    """Links questions to one graph."""

    def __init__(
        self,
        names: Names,
        values: Names,
        schema: Schema,
        rules: Language,
        translate: Translator | None = None,
        edge_values: Sequence[EdgeValue] = (),
        by_meaning: NamesByMeaning | None = None,
    ) -> None:
        """``translate`` puts the words of a question into those of the graph, where it is in another language;
        ``edge_values`` are the texts that its edges have; ``by_meaning`` finds what is called otherwise, where names
        have vectors."""
        self._indexes: tuple[tuple[ThingKind, Names], ...] = (
            ("node", names),
            ("value", values),
        )
        self._schema = schema
        self._rules = rules
        self._translate = translate
        self._terms = SchemaTerms(schema, rules)
        self._numbers = NumberedThings(schema, rules)
        self._kinds = KindWords(schema, rules)
        self._edge_values = EdgeValueWords(edge_values, schema, rules)
        self._of_schema = _stems_of_labels(schema, rules)
        type_labels = [item.label for item in schema.node_types]
        self._meanings = None if by_meaning is None else MeaningSpans(by_meaning, type_labels)
        # Weak words of which a label of this graph is made, and that so name something here.
        self._spoken = self._of_schema & frozenset(map(rules.stem, rules.weak_words))

    def link(self, text: str) -> LinkedQuestion:
        """Link a question. Never raises for want of links: they are then empty."""
        question = Question.parse(text, self._rules, self._translate)
        terms = self._term_spans(question)
        named = places_of_terms(terms)
        exact = self._without_quantities(question, self._exact_spans(question, terms), named)
        spans = best_cover(exact, len(question.words))
        terms |= self._near_terms(question, places_of(spans) | named)
        of_edges = self._edge_values.find(question, places_of(spans))
        told = _places_of_values(of_edges)
        form = read_form(question, self._rules, places_of(spans) | places_of_terms(terms) | told)
        spans = self._extended(question, spans, places_of_terms(terms) | form.used | told)
        alike, unlinked = self._likeness_spans(question, spans, terms, form.used | told)
        if self._meanings is not None:
            closed = places_of([*spans, *alike]) | form.used | told
            near = self._meanings.find(
                question, closed, places_of_terms(terms) | self._places_of_relations(question)
            )
            unlinked = [item for item in unlinked if not _touches(question, item.mention, places_of(near))]
            alike += near
        spans = sorted([*spans, *alike], key=lambda span: span.first)
        covered = places_of(spans) | told
        things = self._joined(
            question, [link for span in spans for link in self._thing_links(question, span)]
        )
        contents = self._contents(question, covered, places_of_terms(terms), form)
        contents = self._kinds.without(contents, question, covered)
        term_links = tuple(_term_links(question, terms, covered))
        return LinkedQuestion(
            question=question,
            things=things,
            terms=term_links,
            asked=asked_types(question, things, term_links, self._schema, self._rules),
            unlinked=tuple(unlinked),
            form=form,
            masked=question.masked(
                {mention: self._type_word(things, mention) for mention in _mentions(things)}
            ),
            words=tuple(contents.values()),
            places=tuple(contents),
            language=self._rules.code,
            choosing=self._rules.choosing_words,
            doing=self._rules.do_words,
            edge_values=tuple(link for item in of_edges for link in item.links),
        )

    def _places_of_relations(self, question: Question) -> frozenset[int]:
        """The words of which labels of relations, types or properties are made, in whichever form."""
        return frozenset(
            place
            for place, word in enumerate(question.words)
            if self._rules.stem(word.normal) in self._of_schema
        )

    def _says_nothing(self, word: Word, is_in_term: bool) -> bool:
        """Whether a word names nothing. An adverb does within a term: "premium amount monthly"."""
        is_weak = word.normal in self._rules.stop_words if is_in_term else word.is_stop
        return is_weak and self._rules.stem(word.normal) not in self._spoken

    def _contents(
        self, question: Question, covered: frozenset[int], named: frozenset[int], form: Form
    ) -> dict[int, str]:
        """The content words by their places; a phrase that says what one word says stands as that word."""
        contents = {
            place: self._rules.without_sharing(word.normal)
            for place, word in enumerate(question.words)
            if place not in covered
            and place not in form.used
            and not self._says_nothing(word, place in named)
        }
        for first, last in all_spans(len(question.words), _LONGEST_PHRASE_WORDS):
            word = self._rules.phrases.get(" ".join(word.said for word in question.words[first:last]))
            if word is not None and covered.isdisjoint(range(first, last)):
                for place in range(first, last):
                    contents.pop(place, None)
                if word:
                    contents[first] = word
        return self._without_preamble(dict(sorted(contents.items())), question)

    def _without_preamble(self, contents: dict[int, str], question: Question) -> dict[int, str]:
        """Without what says only what an answer is for: "I need to update my records, list all suppliers"."""
        said = " ".join(word.said for word in question.words)
        comma = question.text.find(",")
        if comma < 0 or not said.startswith(self._rules.preambles):
            return contents
        kept = {place: word for place, word in contents.items() if question.words[place].start > comma}
        return kept or contents

    # --- the schema

    def _term_spans(self, question: Question) -> TermSpans:
        """For each span that names parts of the schema, which; a span within a longer one is left out."""
        found: TermSpans = {}
        for first, last in all_spans(len(question.words), _LONGEST_LIKENESS_WORDS):
            words = question.words[first:last]
            terms = self._terms.find(" ".join(word.normal for word in words))
            if is_filler(question, first, last):
                may_be = self._may_be_type(question, first, last)
                terms = tuple(term for term in terms if may_be and term.kind == "node type")
            if terms and not any(a <= first and last <= b for a, b in found):
                found[first, last] = terms
        return found

    def _near_terms(self, question: Question, taken: frozenset[int]) -> TermSpans:
        """The types that words nearly name which name nothing."""
        found: TermSpans = {}
        for first, last in all_spans(len(question.words), _LONGEST_TYPE_WORDS):
            places = range(first, last)
            if taken.intersection(places) or question.words[first].is_stop:
                continue
            terms = self._terms.nearly(" ".join(question.words[place].normal for place in places))
            if terms and not any(a <= first and last <= b for a, b in found):
                found[first, last] = terms
        return found

    def _may_be_type(self, question: Question, first: int, last: int) -> bool:
        """Whether a word that mostly says nothing stands where a noun does: "which order", not "in order to"."""
        before = question.words[first - 1].said if first else ""
        after = question.words[last].said if last < len(question.words) else ""
        return before in self._rules.noun_markers or after.isdigit()

    # --- exact names

    def _exact_spans(self, question: Question, terms: TermSpans) -> list[Span]:
        spans = [
            (first, last)
            for first, last in all_spans(len(question.words), _LONGEST_NAME_WORDS)
            if (not is_filler(question, first, last) or self._may_be_name(question, first, last))
            and not self._is_rather_a_term(question, first, last, terms)
        ]
        texts = [question.mention(*span).text for span in spans]
        found: dict[tuple[int, int], Span] = {}
        for kind, index in self._indexes:
            for (first, last), matches in zip(spans, index.exact(texts, limit=_MOST_HOMONYMS), strict=True):
                if is_filler(question, first, last) and not (kind == "node" and _is_as_written(matches)):
                    continue
                # A text that is a node's name and some property's value too is meant as the node. "ID" is rather the
                # property than the code of Indonesia.
                is_code = last - first == 1 and len(question.words[first].normal) < _SHORTEST_LIKENESS
                is_alike = bool(matches) and matches[0].kind == "variant"
                is_term = kind == "value" and (is_code or is_alike) and (first, last) in terms
                if not matches or is_term or (first, last) in found:
                    continue
                kept, total = tuple(matches), matches.total
                if kind == "value" and is_number(question, first, last):
                    kept = self._numbers.meant(question, first, kept)
                    total = len(kept)
                if kept:
                    found[first, last] = Span(
                        first, last, kind, kept, total, letters_of(question, first, last)
                    )
        for first, last in spans:
            is_open = (first, last) not in found and not is_filler(question, first, last)
            if is_open and not self._is_within_another(first, last, found):
                self._add_other_reading(question, first, last, found)
        return list(found.values())

    def _may_be_name(self, question: Question, first: int, last: int) -> bool:
        """Whether words that mostly say nothing may be a name: "Who manages May?", "Who directed As You Like It?"."""
        words = question.words[first:last]
        behind = question.words[last].text if last < len(question.words) else ""
        return (
            first > 0
            and all(len(word.text) > 1 and word.text[0].isupper() for word in (words[0], words[-1]))
            and not (len(words) == 1 and words[0].normal in self._rules.titles)
            and not behind.isdigit()  # "before May 2019"
        )

    def _without_quantities(
        self, question: Question, spans: Sequence[Span], named: frozenset[int]
    ) -> list[Span]:
        """Without the numbers that are part of the question's form: "more than 5", "the top 3"."""
        spans = [span for span in spans if not self._is_unit(question, span)]
        numbers = [span for span in spans if is_number(question, span.first, span.last)]
        if not numbers:
            return list(spans)
        others = [span for span in spans if span not in numbers]
        used = read_form(
            question, self._rules, places_of(best_cover(others, len(question.words))) | named
        ).used
        return [span for span in spans if span not in numbers or span.first not in used]

    def _is_unit(self, question: Question, span: Span) -> bool:
        """Whether a span is the unit of a number: "500 GB"."""
        is_one = span.last - span.first == 1 and span.first > 0
        return (
            is_one
            and question.words[span.first].normal in self._rules.units
            and question.words[span.first - 1].text.replace(",", "").replace(".", "").isdigit()
        )

    def _is_within_another(self, first: int, last: int, found: dict[tuple[int, int], Span]) -> bool:
        return any(start < last and first < end for start, end in found)

    def _add_other_reading(
        self, question: Question, first: int, last: int, found: dict[tuple[int, int], Span]
    ) -> None:
        """Note what words stand for of which nothing in the graph is called so itself."""
        for reading in self._other_readings(question, first, last):
            for kind, index in self._indexes:
                matches = index.exact([reading], limit=_MOST_HOMONYMS)[0]
                if matches:
                    read = tuple(replace(match, kind="fuzzy") for match in matches)
                    weight = letters_of(question, first, last)
                    found[first, last] = Span(first, last, kind, read, matches.total, weight)
                    return

    def _other_readings(self, question: Question, first: int, last: int) -> Iterable[str]:
        """The country of "French" or "US"; "Sales" for the German "Vertrieb"; "Müller" for "Mueller"."""
        normal = normalize(question.mention(first, last).text)
        if normal in self._rules.places:
            yield self._rules.places[normal]
        words = question.words[first:last]
        if all(word.is_translated for word in words):
            yield " ".join(word.normal for word in words if not word.is_stop)
        respelled = self._rules.respelled(normal)
        if respelled != normal:
            yield respelled

    def _is_rather_a_term(self, question: Question, first: int, last: int, terms: TermSpans) -> bool:
        """A word in small letters that is the name of a type or property is meant as such, node of that name or not;
        and so is a number that is a part of one ("type 4")."""
        around = [(a, b) for a, b in terms if a <= first and last <= b]
        is_part = any(b - a > last - first for a, b in around) and is_number(question, first, last)
        return is_part or (bool(around) and not any_stands_out(question, range(first, last)))

    # --- names that are alike

    def _extended(self, question: Question, spans: Sequence[Span], closed: frozenset[int]) -> list[Span]:
        """The spans, each with the words beside it that look like a name, where a longer name has them all: "U990
        LCD Inductor" is one of the many LCD inductors."""
        closed |= places_of(spans)
        return [self._longer(question, span, closed) or span for span in spans]

    def _longer(self, question: Question, span: Span, closed: frozenset[int]) -> Span | None:
        first, last = span.first, span.last
        while first - 1 > 0 and first - 1 not in closed and stands_out(question.words[first - 1]):
            first -= 1
        while last < len(question.words) and last not in closed and stands_out(question.words[last]):
            last += 1
        for start, end in dict.fromkeys([(first, last), (first, span.last), (span.first, last)]):
            mention = question.mention(start, end)
            if (start, end) == (span.first, span.last):
                continue
            found = self._indexes[0][1].search([mention.text], limit=_MOST_HOMONYMS)[0]
            wanted = set(normalize(mention.text).split())
            kept = tuple(match for match in found if match.score >= max(_LIKENESS, found[0].score))
            if kept and wanted.issubset(normalize(kept[0].name).split()):
                return Span(start, end, "node", kept, found.total, letters_of(question, start, end))
        return None

    def _likeness_spans(
        self, question: Question, exact: Sequence[Span], terms: TermSpans, used: frozenset[int]
    ) -> tuple[list[Span], list[Unlinked]]:
        closed = places_of(exact) | used
        named = places_of_terms(terms)
        queries = self._likeness_queries(question, closed, named)
        texts = [question.mention(*query).text for query in queries]
        results = [index.search(texts, limit=_MOST_HOMONYMS) for _, index in self._indexes]
        candidates, unlinked = [], []
        for place, (first, last) in enumerate(queries):
            spans = [
                self._alike_span(question, first, last, kind, found[place])
                for (kind, _), found in zip(self._indexes, results, strict=True)
            ]
            kept = [span for span in spans if span is not None and not _is_chance(span, named)]
            if kept:
                # Of a node and a value that are equally alike the node is meant: it comes first.
                candidates.append(max(kept, key=lambda span: span.weight))
            elif self._names_something(question, first, last):
                unlinked.append(_unlinked(question.mention(first, last), results[0][place]))
        chosen = best_cover(candidates, len(question.words))
        explained = places_of(chosen)
        open_words = [item for item in unlinked if not _touches(question, item.mention, explained)]
        return chosen, _longest_only(open_words)

    def _names_something(self, question: Question, first: int, last: int) -> bool:
        """Whether words look like a name: each has a capital or a digit, and not for being a noun alone."""
        words = question.words[max(first, 1) : last]
        if self._rules.nouns_have_capitals and len(words) == 1 and words[0].text.istitle():
            return False
        return bool(words) and all(map(stands_out, words))

    def _alike_span(
        self, question: Question, first: int, last: int, kind: ThingKind, matches: NameMatches
    ) -> Span | None:
        kept = self._alike_enough(question, first, last, matches) or self._only_one_with(
            question, first, last, matches
        )
        if (
            kind == "value"
            and not self._only_one_with(question, first, last, matches)
            and (not kept or kept[0].score < _LIKENESS_OF_VALUES)
        ):
            return None
        if not kept:
            return None
        # A longer span must be a good deal more alike than it is longer: "deliver Compensators" is no name.
        weight = kept[0].score ** _SHARPNESS * letters_of(question, first, last)
        return Span(first, last, kind, kept, max(len(kept), matches.total), weight)

    def _only_one_with(
        self, question: Question, first: int, last: int, matches: Sequence[NameMatch]
    ) -> tuple[NameMatch, ...]:
        """The one name that has all these words, which look like a name: "Dell" for Dell Technologies."""
        words = question.words[first:last]
        if not all(word.text[:1].isupper() and word.normal not in self._rules.vocabulary for word in words):
            return ()
        wanted = [word.normal for word in words]
        whole = [match for match in matches if normalize(match.name).split()[: len(wanted)] == wanted]
        return tuple(whole) if len({match.id for match in whole}) == 1 else ()

    def _likeness_queries(
        self, question: Question, closed: frozenset[int], named: frozenset[int]
    ) -> list[tuple[int, int]]:
        queries = []
        for first, last in all_spans(len(question.words), _LONGEST_LIKENESS_WORDS):
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
        best = matches[0]
        least = _LIKENESS_OF_COMMON_WORDS
        if any_stands_out(question, range(first, last)) or _is_all_names(question):
            least = _LIKENESS
        elif _has_only_slips(question.mention(first, last).text, best.name):
            least = _LIKENESS_OF_LONG_WORDS
        return tuple(match for match in matches if match.score >= max(least, best.score - 1e-9))

    # --- what comes out

    def _thing_links(self, question: Question, span: Span) -> Iterable[Link]:
        mention = question.mention(span.first, span.last)
        for match in span.matches[:_MOST_HOMONYMS]:
            yield Link(
                mention,
                span.kind,
                match.id,
                match.name,
                match.score,
                match.kind,
                match.types,
                span.total - 1,
            )

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

    def _type_word(self, nodes: Sequence[Link], mention: Mention) -> str:
        for link in nodes:
            if link.mention == mention:
                known = [kind for kind in link.types if self._schema.has_node_type(kind)]
                return self._schema.label_of(known[0]) if known else "it"
        return "it"


def _stems_of_labels(schema: Schema, rules: Language) -> frozenset[str]:
    """The stems of the content words of which the labels of a schema are made."""
    labels = [node_type.label for node_type in schema.node_types]
    labels += [edge_type.label for edge_type in schema.edge_types]
    labels += [item.label for item in schema.properties]
    words = (word for label in labels for word in rules.content_words(normalize(label)))
    return frozenset(map(rules.stem, words))


def _places_of_values(values: Iterable[NamedEdgeValue]) -> frozenset[int]:
    return frozenset(place for value in values for place in range(value.first, value.last))


def _unlinked(mention: Mention, matches: NameMatches) -> Unlinked:
    if not matches:
        return Unlinked(mention, "no name is like it")
    reason = f"the nearest name, {matches[0].name!r}, is not near enough"
    return Unlinked(mention, reason, tuple(matches[:3]))


def _is_all_names(question: Question) -> bool:
    """Whether every word looks like a name, the first one too: "Beethoven" alone is no sentence."""
    return all(stands_out(word) and not word.is_stop for word in question.words)


def _is_as_written(matches: NameMatches) -> bool:
    return bool(matches) and matches[0].score == 1.0


def _is_chance(span: Span, named: frozenset[int]) -> bool:
    """Whether words of which some name parts of the schema just happen to have the initials of something."""
    is_spelt_out = span.matches[0].kind == "acronym" and span.last - span.first > 1
    return is_spelt_out and not named.isdisjoint(range(span.first, span.last))


def _has_only_slips(written: str, name: str) -> bool:
    """Whether a long name has as many words as were written for it, so that they differ in letters only."""
    words, meant = normalize(written).split(), normalize(name).split()
    return len(words) == len(meant) and sum(map(len, meant)) >= _LONG


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


def _term_links(question: Question, spans: TermSpans, covered: frozenset[int]) -> Iterable[Link]:
    for (first, last), terms in sorted(spans.items()):
        if covered.issuperset(range(first, last)):
            continue
        mention = question.mention(first, last)
        for term in terms:
            method = "exact" if term.alike == 1.0 else "fuzzy"
            yield Link(
                mention, term.kind, term.id, term.name, term.alike, method, term.owners, len(terms) - 1
            )
