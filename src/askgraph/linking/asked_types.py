"""Which of the types that a question names it may be asking for.

Not "department" in "the department Sales", which says no more of Sales than what it is. And none of "what does the
manager of Ada work on": the question goes beyond everything that it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..core.evidence import Link
from ..core.schema import Schema
from ..core.words import normalize
from .language import Language
from .question import Question


def asked_types(
    question: Question, things: Sequence[Link], terms: Sequence[Link], schema: Schema, rules: Language
) -> tuple[Link, ...]:
    """Of the links to parts of the schema those to types that the question may be asking for."""
    if things and goes_beyond_its_phrase(question, rules):
        return ()
    types = [link for link in terms if link.kind == "node type"]
    return tuple(
        link for link in types if not any(_is_apposed(question, link, thing, schema) for thing in things)
    )


def _is_apposed(question: Question, link: Link, thing: Link, schema: Schema) -> bool:
    """Whether the type stands beside a node of that type, and says no more than what the node is."""
    first, last = sorted((link.mention, thing.mention), key=lambda mention: mention.start)
    if normalize(question.text[first.end : last.start]):
        return False
    return bool(set(schema.subtypes(link.id)).intersection(thing.types))


def goes_beyond_its_phrase(question: Question, rules: Language) -> bool:
    """Whether what is asked for stands at the end of a verb, and nothing that the question names.

    "What does the manager of Ada work on" does, and so does "what is a company that Ada works for known for": its last
    "for" has nothing to go with. In "what is the company that Ada works for" the company goes with it.
    """
    words = [word.normal for word in question.words]
    if len(words) < 3 or words[0] not in rules.asked_pronouns:
        return False
    if words[1] in rules.do_words:
        return True
    return words[1] in rules.be_words and _left_alone(words, rules) > _fronted(words, rules)


def _left_alone(words: Sequence[str], rules: Language) -> int:
    """How many prepositions have nothing behind them that they could go with."""
    following = [*words[1:], ""]
    return sum(
        word in rules.prepositions and (not after or after in rules.be_words or after in rules.prepositions)
        for word, after in zip(words, following, strict=True)
    ) + _before_participle(words, rules)


def _before_participle(words: Sequence[str], rules: Language) -> int:
    """Those before the verb of the sentence: "published by located in"."""
    return sum(
        word in rules.prepositions and (after.endswith(rules.participle_endings) or after in rules.irregular)
        for word, after in pairwise(words[1:])
    )


def _fronted(words: Sequence[str], rules: Language) -> int:
    """How many relative clauses say what somebody else does: "that Ada works for", and not "that works"."""
    return sum(
        word in rules.relative_words
        and after not in (rules.be_words | rules.do_words | rules.have_words)
        and not after.endswith((*rules.participle_endings, *rules.verb_endings))
        for word, after in pairwise(words[1:])
    )
