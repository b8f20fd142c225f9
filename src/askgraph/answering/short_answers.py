"""The short answers in sentences that facts support: nodes and values, yes or no, a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.evidence import ShortAnswer
from ..core.words import normalize
from ..linking.linked_question import LinkedQuestion
from .judged_reply import JudgedSentence
from .support.contents import Contents, End, Statement
from .support.tokens import tokens_of

_YES, _NO = "yes", "no"


def short_answers(
    question: LinkedQuestion,
    sentences: Sequence[JudgedSentence],
    said: Sequence[str],
    contents: Contents,
    asked_about: frozenset[str],
) -> tuple[ShortAnswer, ...]:
    """What the answer comes to.

    Args:
        question: what was asked.
        sentences: the sentences of the answer; only supported ones count.
        said: what the model itself gives as the short answer; it counts where a supported sentence has it too.
        contents: what all facts say.
        asked_about: keys of what the question names: that is no news.
    """
    supported = [item for item in sentences if item.verdict.kind == "supported"]
    if not supported:
        return ()
    if question.form.is_yes_no:
        return _yes_or_no(supported, said)
    statements = [item for judged in supported for item in _in_order(judged.verdict.statements)]
    if question.form.counts:
        return _number(supported, statements)
    ends = _named_ends(supported, statements, contents, asked_about)
    chosen = _chosen(ends, said) or _of_asked_type(question, ends) or ends
    nodes = [end for end in chosen if not end.is_value]
    return tuple(map(_answer, nodes or chosen))


def _in_order(statements: Iterable[Statement]) -> list[Statement]:
    return sorted(statements, key=lambda item: (item.fact, item.label, item.subject.key, item.object.key))


def _yes_or_no(supported: Sequence[JudgedSentence], said: Sequence[str]) -> tuple[ShortAnswer, ...]:
    texts = [*said, supported[0].sentence.text]
    for text in texts:
        first = next((token.normal for token in tokens_of(text)), "")
        if first in (_YES, _NO):
            return (ShortAnswer("Yes" if first == _YES else "No", value=first == _YES),)
    # A supported sentence of what was asked says that it is so, unless it denies it.
    is_denied = any(statement.is_false for statement in supported[0].verdict.statements)
    return (ShortAnswer("No" if is_denied else "Yes", value=not is_denied),)


def _number(supported: Sequence[JudgedSentence], statements: Sequence[Statement]) -> tuple[ShortAnswer, ...]:
    text = " ".join(item.sentence.text for item in supported).replace(",", "")
    words = {token.text for token in tokens_of(text)}
    for statement in statements:
        for end in statement.ends:
            held = end.held
            if held is not None and held.number is not None and f"{held.number:.12g}" in words:
                value = int(held.number) if held.number == int(held.number) else held.number
                return (ShortAnswer(f"{value:,}", value=value),)
    counted = {statement.object.key for statement in statements if not statement.object.is_open}
    return (ShortAnswer(f"{len(counted):,}", value=len(counted)),) if str(len(counted)) in words else ()


def _named_ends(
    supported: Sequence[JudgedSentence],
    statements: Sequence[Statement],
    contents: Contents,
    asked_about: frozenset[str],
) -> list[End]:
    """What the sentences name and rest on, and the question does not name, in the order of the sentences."""
    behind = {end.key: end for statement in statements for end in statement.ends if not end.is_open}
    found: dict[str, End] = {}
    for judged in supported:
        text = normalize(judged.sentence.text)
        own = [
            (text.find(normalize(end.name)), end)
            for key, end in behind.items()
            if key not in asked_about
            and end.flag is None
            and (key in judged.verdict.keys or _is_said(end, judged))
        ]
        for _, end in sorted(own, key=lambda item: (item[0] < 0, item[0], item[1].key)):
            found.setdefault(end.key, contents.ends.get(end.key, end))
    return list(found.values())


def _is_said(end: End, judged: JudgedSentence) -> bool:
    """Whether a figure of a fact is one that the sentence gives: its statement is there for that."""
    return (
        end.held is not None and end.is_value and any(end in item.ends for item in judged.verdict.statements)
    )


def _chosen(ends: Sequence[End], said: Sequence[str]) -> list[End]:
    """Those that the model gives as the short answer."""
    wanted = {normalize(item) for item in said}
    return [end for end in ends if normalize(end.name) in wanted]


def _of_asked_type(question: LinkedQuestion, ends: Sequence[End]) -> list[End]:
    """Those of the type that the question asks for, where any is."""
    wanted = {normalize(link.name) for link in question.asked}
    return [end for end in ends if wanted & end.types]


def _answer(end: End) -> ShortAnswer:
    if end.node is not None:
        return ShortAnswer(end.name, node=end.node)
    return ShortAnswer(end.name, value=end.value if end.is_value else end.name)
