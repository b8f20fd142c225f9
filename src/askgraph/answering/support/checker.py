"""Whether facts say what a sentence says. The one judge: no sentence of an answer goes by it.

A sentence is supported by facts if all of this holds:

* every name, number, date and word in it that claims something is one of the facts, or of what follows from them;
* what it joins is joined by a statement of a fact whose label says the same, in the same direction;
* what it denies a fact denies, and nothing else;
* what it counts, adds up or compares comes out so from the values of the facts;
* it does not claim the whole of something: facts that were found never say that there are no others.

Nothing is asked of a model. What the rules do not understand counts as unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .basis import Basis
from .clauses import Clauses, Sides
from .contents import Contents, Statement
from .joining import Joined, Joiner
from .measures import Measures
from .mentions import Names
from .naming import naming_fault
from .parsing import Occurrence, Parser, Part, speaks_of_itself
from .relations import Relations
from .rules import Rules
from .texts import TextSupport
from .wording import makes_a_claim, negated_places, unaccounted, whole_fault

Kind = Literal["supported", "unsupported", "no claim"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checker found.

    Attributes:
        kind: whether facts support the sentence, or it claims nothing.
        facts: the numbers of the facts that it rests on, in order.
        reason: what no fact supports, for an unsupported sentence.
        keys: what the sentence names: keys of ends, for pronouns of the sentences after it.
        statements: the statements that it rests on.
    """

    kind: Kind
    facts: tuple[int, ...] = ()
    reason: str = ""
    keys: frozenset[str] = frozenset()
    statements: frozenset[Statement] = frozenset()


class Checker:
    """Checks sentences against some facts.

    Args:
        contents: what the facts say.
        relations: matches words with labels; shared, so that no label is looked at twice.
        rules: of the language of the sentences.
    """

    def __init__(self, contents: Contents, relations: Relations, rules: Rules) -> None:
        self._contents = contents
        self._relations = relations
        self._rules = rules
        self._parser = Parser(contents, Names(contents, rules), relations, rules)
        self._joiner = Joiner(contents, relations, rules)
        self._texts = TextSupport(relations, rules)
        self._topics: dict[str, frozenset[str]] = {}

    def topic_of(self, text: str) -> frozenset[str]:
        """Keys of what a question or sentence names."""
        if text not in self._topics:
            self._topics[text] = frozenset(
                key for part in self._parser.parse(text).parts for key in part.keys
            )
        return self._topics[text]

    def check(self, text: str, *, question: str, topic: frozenset[str] = frozenset()) -> Verdict:
        """Judge one sentence, without citations.

        Args:
            text: the sentence.
            question: what was asked: an answer in a word says of its topic what the question asks.
            topic: keys of what the sentences before it named; see :meth:`topic_of`.
        """
        if speaks_of_itself(text, self._rules):
            return Verdict("no claim")
        basis = Basis(
            self._parser.parse(text),
            self._contents,
            self._joiner,
            self._relations,
            self._rules,
            topic | self.topic_of(question),
        )
        if not makes_a_claim(basis):
            return Verdict("no claim", keys=basis.keys)
        reason = _Check(basis, self._parser, question).fault()
        facts = tuple(sorted({number for statement in basis.statements for number in statement.facts}))
        if not reason and facts:
            return Verdict("supported", facts, keys=basis.keys, statements=frozenset(basis.statements))
        return self._by_texts(basis, reason or "no fact says so")

    def _by_texts(self, basis: Basis, reason: str) -> Verdict:
        """Facts that are texts may say what no statement does."""
        faults = []
        for content in self._contents.texts:
            fault = self._texts.fault(basis.parsed.text, content)
            if not fault:
                return Verdict("supported", (content.number,), keys=basis.keys)
            faults.append(fault)
        has_only_texts = bool(faults) and not self._contents.statements
        return Verdict("unsupported", reason=faults[0] if has_only_texts else reason, keys=basis.keys)


class _Check:
    """The judging of one sentence by statements."""

    def __init__(self, basis: Basis, parser: Parser, question: str) -> None:
        self._basis = basis
        self._parser = parser
        self._question = question
        self._negated = negated_places(basis)

    def fault(self) -> str:
        """The first thing that no fact supports; empty where there is none. Fills the basis on its way."""
        reason = whole_fault(self._basis) or self._measures_fault()
        if reason:
            return reason
        for find in (self._relations_fault, self._naming_fault):
            reason = find()
            if reason:
                # An unknown name or word says more than that nothing joins it.
                return unaccounted(self._basis, self._negated, by_any_fact=True) or reason
        return unaccounted(self._basis, self._negated) or self._implied_fault()

    def _naming_fault(self) -> str:
        return naming_fault(self._basis)

    def _measures_fault(self) -> str:
        basis = self._basis
        measures = Measures(basis.parsed, basis.contents, basis.joiner, basis.relations, basis.rules)
        for worked in measures.all(basis.topic, self._question):
            if worked.fault:
                return worked.fault
            basis.rest_on(worked.statements, worked.parts)
            basis.says_by_itself = True
            for first, last in worked.spans:
                basis.parsed.cover(first, last)
                basis.settled.update(range(first, last))
        return ""

    # --- relations

    def _relations_fault(self) -> str:
        basis = self._basis
        for occurrence, sides in Clauses(basis.parsed, basis.rules).sides():
            if occurrence.first in basis.settled:
                continue
            joined = self._join(occurrence, sides)
            if joined.fault:
                return self._why(occurrence, joined, sides)
            basis.rest_on(joined.statements, joined.parts)
        return ""

    def _join(self, occurrence: Occurrence, sides: Sides) -> Joined:
        topic = self._basis.topic
        is_negated = any(place in self._negated for place in range(occurrence.first, occurrence.last))
        doers, others = self._not_worked_out(sides.doers), self._not_worked_out(sides.others)
        if topic and not others and any(part.counts for part in doers):
            others = (Part(-1, -1, keys=topic),)
        literal = self._literal(occurrence, sides)
        if literal is not None:
            occurrence, doers, others = literal
        joined = [
            self._basis.joiner.join(
                occurrence.statements,
                one,
                other,
                is_clear=sides.is_clear or literal is not None,
                is_negated=is_negated,
                is_noun=sides.is_noun,
                is_literal=literal is not None,
            )
            for one, other in self._respectively(doers, others)
        ]
        fault = next((item.fault for item in joined if item.fault), "")
        statements = frozenset(statement for item in joined for statement in item.statements)
        if not fault and not (sides.doers and sides.others):
            statements = self._about_topic(statements)
            fault = "" if statements else "joined"
        if fault:
            return Joined(fault=fault)
        return Joined(statements, frozenset(part for item in joined for part in item.parts))

    def _literal(
        self, occurrence: Occurrence, sides: Sides
    ) -> tuple[Occurrence, tuple[Part, ...], tuple[Part, ...]] | None:
        """Where a label stands word for word between two names, as in the words of the fact itself: "Ada area of
        expertise Engines". Its ends then stand as in the fact, whatever kind of word the label is."""
        parsed = self._basis.parsed
        before, behind = parsed.group_before(occurrence.first), parsed.group_after(occurrence.last)
        if not before or not behind or before[-1] not in (*sides.doers, *sides.others):
            return None
        words = tuple(parsed.normal(place) for place in range(before[-1].last, behind[0].first))
        said = tuple(word for word in words if word)
        same = {
            statement: match
            for statement, match in occurrence.statements.items()
            if self._basis.relations.words_of(statement.label) == said
        }
        if not same:
            return None
        return Occurrence(occurrence.first, occurrence.last, same), (before[-1],), tuple(behind)

    def _not_worked_out(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        """What was worked out need not be joined once more."""
        return tuple(part for part in parts if part.quantity is None or part not in self._basis.parts)

    def _respectively(
        self, doers: tuple[Part, ...], others: tuple[Part, ...]
    ) -> list[tuple[tuple[Part, ...], tuple[Part, ...]]]:
        says_so = any(token.normal == "respectively" for token in self._basis.parsed.tokens)
        if says_so and len(doers) == len(others) and len(doers) > 1:
            return [((one,), (other,)) for one, other in zip(doers, others, strict=True)]
        return [(doers, others)]

    def _about_topic(self, statements: frozenset[Statement]) -> frozenset[Statement]:
        """Where a side is not said, the statements that speak of what the answer, or the rest of the sentence, does."""
        known = self._basis.topic | self._basis.keys
        if not known:
            return statements
        about = frozenset(item for item in statements if any(end.key in known for end in item.ends))
        return about or frozenset(item for item in statements if any(end.is_open for end in item.ends))

    def _why(self, occurrence: Occurrence, joined: Joined, sides: Sides) -> str:
        """What is wrong with a relation that nothing joins, in words."""
        basis = self._basis
        tokens = basis.parsed.tokens[occurrence.first : occurrence.last]
        said = " ".join(token.text for token in tokens)
        if joined.fault == "not":
            return f"no fact says 'not' of {said!r}"
        if joined.fault == "so":
            return f"a fact says 'not' of {said!r}"
        parts = (*sides.doers, *sides.others)
        for part in parts:
            if basis.joiner.wrong_unit(part, list(occurrence.statements)):
                return f"the facts have another unit than {basis.text_of(part)!r}"
        turned = basis.joiner.join(
            occurrence.statements, sides.others, sides.doers, is_clear=sides.is_clear, is_negated=False
        )
        if not turned.fault and sides.doers and sides.others:
            return f"the facts say {said!r} the other way round"
        for part in parts:
            if part.quantity is not None:
                return f"no fact gives {basis.text_of(part)!r} for {said!r}"
        names = [basis.text_of(part) for part in parts][:3]
        return (
            f"no fact joins {' and '.join(map(repr, names))} by {said!r}"
            if names
            else f"no fact says {said!r}"
        )

    # --- what an answer in a word says

    def _implied_fault(self) -> str:
        """ "Charles." answers "Who manages Ada?": it says what the question asks, so the facts must say that."""
        basis = self._basis
        if self._negated and not any(item.is_false for item in basis.statements):
            return "no fact says 'not'"
        if basis.parsed.occurrences or not basis.statements or self._has_own_words():
            return ""
        asked = self._parser.parse(self._question)
        for place, token in enumerate(asked.tokens):
            is_named = asked.part_at(place) is not None
            if is_named or basis.is_little(token) or token.normal in basis.rules.several:
                continue
            if not basis.is_said(token.normal):
                return f"no fact says {token.text!r} of it"
        return ""

    def _has_own_words(self) -> bool:
        """Whether the sentence says by itself what it says of what it names: "X is in Y", "X is a gene"."""
        basis = self._basis
        if basis.says_by_itself or any(part.kinds for part in basis.parsed.parts):
            return True
        words = {basis.parsed.normal(part.first - 1) for part in basis.parsed.parts}
        return bool(words & basis.rules.grammar["prepositions"])
