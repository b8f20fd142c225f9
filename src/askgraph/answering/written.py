"""From evidence to an answer that a model writes: the one way, which no part goes round.

The model is shown numbered facts and writes; every sentence of it is then judged by the facts
(:mod:`askgraph.answering.support`), with no further call. So:

* a sentence that the facts say has their numbers behind it, whichever the model put there;
* a sentence that they do not say is marked, with what they lack;
* an answer of which they say nothing, or for which there are no facts, is an abstention;
* a model that fails, breaks off or talks of something else costs what it would have written, and nothing more: what
  stands is judged, and where nothing stands, the facts are given as they are.

The confidence of a written answer is a rule, not a measurement: the share of its claims that facts support, times 0.9;
times 0.9 again for each of these: a citation had to be put right, some facts were not shown to the model, the reply
broke off. An answer from the facts alone, without the model, has at most 0.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..core.errors import BudgetError, ModelAuthenticationError, ModelError
from ..core.evidence import Answer, Evidence, Fact, Sentence, ShortAnswer
from ..core.graph import Path
from ..core.settings import Settings
from ..linking.linked_question import LinkedQuestion
from ..models.base import Embedder
from ..models.calls import ModelCalls
from .compose import abstain
from .context import Context, build_context
from .judged_reply import JudgedReply
from .short_answers import short_answers
from .support.judge import Judge
from .written_notes import in_a_sentence, notes_on_support, notes_on_unsupported, shortened

PROMPT, PROMPT_WITH_OWN_KNOWLEDGE = "answer", "answer_with_own_knowledge"
_CERTAIN, _LESS = 0.9, 0.9
_PLAIN_CONFIDENCE = 0.5
_PLAIN_SENTENCES = 5
_NEAREST = 5
_REPLY_TOKENS = 1_000


def write_answer(
    question: LinkedQuestion,
    evidence: Evidence,
    calls: ModelCalls,
    *,
    settings: Settings,
    embedder: Embedder | None = None,
    on_text: Callable[[str], None] | None = None,
    interpretation: str = "",
    otherwise: Callable[[], Answer] | None = None,
) -> Answer:
    """Let a model write the answer that evidence gives, and judge what it wrote.

    Args:
        question: what was asked.
        evidence: what was found; its ``types`` let "the gene TP53" be checked.
        calls: of the run.
        settings: ``own_knowledge``, ``max_facts``.
        embedder: ranks the facts, and knows words that mean the same.
        on_text: called with the answer's text as it is written; a mark follows each sentence that needs one.
        interpretation: how the question was read, for the answer.
        otherwise: the answer to the same question without a model, for when the model says nothing; by default the
            facts themselves are given.

    Raises:
        ModelAuthenticationError: the model does not let us in: that is for the user to put right.
        SettingsError: the prompt cannot be used.
    """
    if not evidence.facts and not settings.own_knowledge:
        reason = "Nothing was found in the graph that answers this."
        return abstain(question, reason, interpretation=interpretation, notes=evidence.notes)
    writing = _Writing(question, evidence, calls, settings, embedder, on_text, interpretation)
    return writing.answer(otherwise)


@dataclass
class _Ending:
    """How a reply ended: ``fault`` says what went wrong, in a sentence."""

    was_cut: bool = False
    fault: str = ""


class _Writing:
    """The writing of one answer."""

    def __init__(
        self,
        question: LinkedQuestion,
        evidence: Evidence,
        calls: ModelCalls,
        settings: Settings,
        embedder: Embedder | None,
        on_text: Callable[[str], None] | None,
        interpretation: str,
    ) -> None:
        self._question = question
        self._text = question.question.text
        self._evidence = evidence
        self._calls = calls
        self._settings = settings
        self._interpretation = interpretation
        self._purpose = PROMPT_WITH_OWN_KNOWLEDGE if settings.own_knowledge else PROMPT
        room = calls.tokens_left(
            self._purpose, {"facts": "", "question": self._text}, max_tokens=_REPLY_TOKENS
        )
        self._context: Context = build_context(
            self._text, evidence, room=room, tokens=calls.tokens, embedder=embedder, most=settings.max_facts
        )
        self._judge = Judge(
            self._context.facts,
            self._text,
            types=evidence.types,
            embedder=embedder,
            language=question.language,
        )
        self._reply = JudgedReply(self._judge, len(self._context.facts), settings.own_knowledge, on_text)

    def answer(self, otherwise: Callable[[], Answer] | None) -> Answer:
        ending = self._ask()
        self._reply.finish(was_cut=ending.was_cut)
        claims = [item for item in self._reply.sentences if item.verdict.kind != "no claim"]
        supported = [item for item in claims if item.verdict.kind == "supported"]
        own = [item for item in claims if item.sentence.own_knowledge]
        if supported or own:
            return self._written(ending, len(claims), len(supported))
        if claims:
            return self._unsupported(ending)
        if self._reply.sentences and not ending.fault:
            return self._declined(ending)
        return self._without_model(ending, otherwise)

    def _ask(self) -> _Ending:
        data = {"facts": self._context.text, "question": self._text}
        try:
            reply = self._calls.text(self._purpose, data, max_tokens=_REPLY_TOKENS, on_text=self._reply.feed)
        except ModelAuthenticationError:
            raise
        except (ModelError, BudgetError) as error:
            return _Ending(
                True, f"The model's answer did not come to its end: {in_a_sentence(error.message)}"
            )
        self._reply.replace(reply.text)
        if reply.finish == "length":
            return _Ending(True, "The model's answer was cut off at its greatest length.")
        return _Ending()

    # --- what comes of it

    def _written(self, ending: _Ending, claims: int, supported: int) -> Answer:
        reply = self._reply
        order = sorted(reply.numbers, key=lambda number: reply.numbers[number])
        facts = tuple(self._context.facts[number - 1] for number in order)
        checker_topic = self._judge.topic_of(self._text)
        return Answer(
            question=self._text,
            sentences=tuple(item.sentence for item in reply.sentences),
            answers=short_answers(
                self._question, reply.sentences, reply.short, self._judge.contents, checker_topic
            ),
            facts=facts,
            confidence=self._confidence(ending, claims, supported),
            links=self._question.links,
            interpretation=self._interpretation,
            notes=(*self._notes(ending), *notes_on_support(reply.sentences, claims, supported)),
        )

    def _unsupported(self, ending: _Ending) -> Answer:
        """Not one claim is supported: no answer. What the model wrote is told, each sentence with what it lacks."""
        wrote = notes_on_unsupported(self._reply.sentences, most=_NEAREST)
        reason = "The model wrote an answer that the facts found in the graph do not support."
        return self._abstention(reason, (*wrote, *self._notes(ending)))

    def _declined(self, ending: _Ending) -> Answer:
        """The model itself says that the facts do not answer, or says nothing at all of the graph."""
        said = " ".join(item.sentence.text for item in self._reply.sentences)
        speaks_of_facts = any(
            self._judge.speaks_of_itself(item.sentence.text) for item in self._reply.sentences
        )
        reason = shortened(said) if speaks_of_facts else "The model gave no answer."
        return self._abstention(reason, self._notes(ending))

    def _abstention(self, reason: str, notes: Sequence[str]) -> Answer:
        return abstain(
            self._question,
            reason,
            nearest=[shortened(fact.text) for fact in self._context.facts[:_NEAREST]],
            interpretation=self._interpretation,
            notes=notes,
        )

    def _without_model(self, ending: _Ending, otherwise: Callable[[], Answer] | None) -> Answer:
        fault = ending.fault or "The model said nothing."
        note = f"{fault} These are the facts, without it."
        if otherwise is not None:
            answer = otherwise()
            return replace(answer, notes=(*answer.notes, f"{fault} This is the answer without it."))
        facts = self._context.facts[:_PLAIN_SENTENCES]
        if not facts:
            return self._abstention("Nothing was found in the graph that answers this.", (fault,))
        return Answer(
            question=self._text,
            sentences=tuple(
                Sentence(_as_sentence(fact.text), (number,), begins_line=True)
                for number, fact in enumerate(facts, start=1)
            ),
            answers=_ends_of(facts, self._judge.topic_of(self._text)),
            facts=facts,
            confidence=min(_PLAIN_CONFIDENCE, max(0.0, max(fact.score for fact in facts))),
            links=self._question.links,
            interpretation=self._interpretation,
            notes=(note, *self._evidence.notes, *self._context.notes),
        )

    # --- what is said beside it

    def _confidence(self, ending: _Ending, claims: int, supported: int) -> float:
        confidence = _CERTAIN * supported / claims
        moved = any(item.citing == "cited anew" and item.cited for item in self._reply.sentences)
        for speaks_against in (moved, self._context.left_out > 0, ending.was_cut):
            confidence *= _LESS if speaks_against else 1.0
        return confidence

    def _notes(self, ending: _Ending) -> tuple[str, ...]:
        notes = [*self._evidence.notes, *self._context.notes]
        if ending.fault:
            notes.append(ending.fault)
        if self._reply.strange:
            numbers = ", ".join(map(str, sorted(self._reply.strange)[:5]))
            notes.append(
                f"The model cited facts that there are none of ({numbers}); these citations were dropped."
            )
        if not self._judge.checks_everything and self._reply.sentences:
            notes.append("Of an answer in this language only names, numbers and dates are checked.")
        return tuple(notes)


def _ends_of(facts: Sequence[Fact], topic: frozenset[str]) -> tuple[ShortAnswer, ...]:
    """Where the paths of some facts lead, or what their rows are about."""
    found: dict[str, ShortAnswer] = {}
    for fact in facts:
        if fact.path is not None and (end := _far_end(fact.path, topic)) is not None:
            found.setdefault(end.node or end.text, end)
        elif fact.row is not None and fact.kind == "count":
            value = next(iter(fact.row.values()), None)
            found.setdefault("count", ShortAnswer(str(value), value=value))
    return tuple(found.values())


def _far_end(path: Path, topic: frozenset[str]) -> ShortAnswer | None:
    last = path.hops[-1] if path.hops else None
    if last is None or last.target is None:
        return None
    if last.target in topic:
        return ShortAnswer(path.start_name, path.start)
    return ShortAnswer(last.target_name, last.target)


def _as_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
