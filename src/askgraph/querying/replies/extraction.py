"""The query in a model's reply, however it is wrapped: in Cypher and in SPARQL, by one routine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...core.printable import printable, shortened
from ..source import Span
from .cleaning import CleanedText, cleaned_texts
from .extracted import CandidateQuery, ExtractedReply, Setting
from .finding import Found, find_queries
from .meaning import fixed_words, meant_one, outcome_without_query
from .parts import Part, later_questions, parts_of
from .probing import Work
from .wrapped import WrappedText, documents_in

_WORK_PER_CHARACTER = 4
_LEAST_WORK = 100_000
_LONGEST_SAID = 500
_PREFIX = re.compile(r"(?i)\bPREFIX\s+([\w.-]*):\s*(<[^<>\s]*>)")
_EXPLAIN = re.compile(r"(?:\s++|//[^\n]*\n)*+(?:(?:EXPLAIN|PROFILE)\b\s*)+", re.IGNORECASE)
# In a comment at the end, a token would be taken for a part of it.
_CHAT_TOKEN = re.compile(r"<[|｜/][^<>\s]{1,40}>$")
_SQL = re.compile(r"(?i)\s*(?:SELECT|MATCH|PREFIX|WITH|g\.V\()")
_MOST_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A candidate, what stands before it, and whether it is the beginning of a query only."""

    query: CandidateQuery
    label: str
    undeclared: tuple[str, ...] = ()
    is_fragment: bool = False
    turn: int = 0


def queries_in(reply: str, language: str) -> ExtractedReply:
    """Take a model's reply apart.

    Args:
        reply: what the model said, as it came.
        language: the language that the query should be in: ``"cypher"`` or ``"sparql"``.

    Returns:
        The query that is meant, with every other that was found; or why there is none. A query that would do more than
        read is given like any other (``state`` is ``"unsafe"``), for the gate to refuse; one with a fault too
        (``"faulty"``), for what is said of it to help. Which of several is meant is told in
        :mod:`askgraph.querying.replies.meaning`.

    The work is linear in the length of the reply, whatever it holds.
    """
    extraction = _Extraction(reply, language)
    return extraction.result()


class _Extraction:
    def __init__(self, reply: str, language: str) -> None:
        self.reply = reply
        self.language = language
        self.work = Work(_LEAST_WORK + _WORK_PER_CHARACTER * len(reply))
        self.lacks_query = False

    def result(self) -> ExtractedReply:
        whole = self._as_a_whole()
        if whole is not None:
            return ExtractedReply("query", whole, (whole,))
        parts = parts_of(self.reply, self._is_query)
        found = self._of_first_turn(self._candidates(parts) or list(self._foreign(parts)))
        answered = self._said(parts)
        candidates = [self._with_prefixes(item) for item in found]
        reason = fixed_words(answered, bool(candidates))
        if reason is not None:
            return ExtractedReply("unanswerable", None, tuple(candidates), _shown(reason or answered))
        fragments = {place for place, item in enumerate(found) if item.is_fragment}
        meant = meant_one(candidates, [item.label for item in found], fragments)
        if meant is None or (candidates[meant].in_reasoning and re.search(r"\w", answered)):
            outcome = outcome_without_query(answered, lacks_query=self.lacks_query)
            return ExtractedReply(outcome, None, tuple(candidates), _shown(answered))
        return ExtractedReply("query", candidates[meant], tuple(candidates))

    def _as_a_whole(self) -> CandidateQuery | None:
        """The reply itself, where it is a query and nothing else."""
        explain = _EXPLAIN.match(self.reply) if self.language == "cypher" else None
        start = explain.end() if explain else len(self.reply) - len(self.reply.lstrip())
        text = self.reply[start:].rstrip()
        probe = self.work.probe(text, self.language)
        if _CHAT_TOKEN.search(text):
            return None
        if not text or probe.finding != "whole" or not probe.touches_graph:
            return None
        changes = _WITHOUT_EXPLAIN if explain else ()
        return CandidateQuery(text, Span(start, start + len(text)), "whole", "alone", changes=changes)

    def _is_query(self, text: str) -> bool:
        return self.work.probe(text.strip(), self.language).finding == "whole"

    # Candidates

    def _candidates(self, parts: Sequence[Part]) -> list[_Candidate]:
        found: list[_Candidate] = []
        for place, part in enumerate(parts):
            # What introduces a block stands at the end of the text before it.
            before = parts[place - 1] if place else None
            has_words = before is not None and not before.is_code
            label = self.reply[before.start : before.end] if before is not None and has_words else ""
            for candidate in self._in_part(part, label):
                found.append(candidate)
                if len(found) == _MOST_CANDIDATES:
                    return found
        return found

    def _in_part(self, part: Part, label: str) -> Iterator[_Candidate]:
        text = self.reply[part.start : part.end]
        documents = documents_in(text) if "{" in text or "[" in text else None
        if documents is None or not documents.spans:
            yield from self._in_text(part, label)
            return
        if not part.in_reasoning:
            self.lacks_query = self.lacks_query or documents.has_no_query
        unwrapped = (self._unwrapped(item, part, label) for item in documents.strings)
        wrapped = [candidate for candidate in unwrapped if candidate is not None]
        if not wrapped:
            yield from self._in_text(part, label)
            return
        yield from wrapped

    def _unwrapped(self, item: WrappedText, part: Part, label: str) -> _Candidate | None:
        """The query in a string of a document."""
        text, changes, found = self._find(item.text, is_code=True)
        if not found:
            return None
        best = next((one for one in reversed(found) if one.state != "faulty"), found[-1])
        query = CandidateQuery(
            text.text[best.start : best.end],
            Span(part.start + item.start, part.start + item.end),
            best.state,
            "json",
            part.in_reasoning,
            item.parameters,
            changes,
        )
        said = f"{label}\n{item.key.replace('_', ' ')}" + (" another" if item.is_later_item else "")
        return _Candidate(query, said, best.undeclared, best.is_fragment, part.turn)

    def _in_text(self, part: Part, label: str) -> Iterator[_Candidate]:
        original = self.reply[part.start : part.end]
        text, changes, found = self._find(original, is_code=part.is_code)
        setting: Setting = "fence" if part.is_code else "text"
        stops = [] if part.is_code else later_questions(text.text)
        before = 0
        for one in found:
            start, end = text.span(one.start, one.end)
            query = CandidateQuery(
                text.text[one.start : one.end],
                Span(part.start + start, part.start + end),
                one.state,
                setting,
                part.in_reasoning,
                changes=changes,
            )
            own = text.text[before : one.start]
            said = own if own.strip() or before else label
            turn = part.turn + sum(1 for stop in stops if stop <= one.start)
            yield _Candidate(query, said, one.undeclared, one.is_fragment, turn)
            before = one.end

    def _find(self, text: str, *, is_code: bool) -> tuple[CleanedText, tuple[str, ...], list[Found]]:
        """The queries of a text; where none can be read, of the text as it was before it was dressed up."""
        plain = CleanedText(text, range(len(text) + 1))
        found = find_queries(text, self.language, self.work, is_code=is_code)
        has_faults = any(one.state == "faulty" and not one.is_fragment for one in found)
        if _whole(found) and not has_faults:
            return plain, (), found
        for cleaned in cleaned_texts(text, self.language):
            again = find_queries(cleaned.text, self.language, self.work, is_code=is_code)
            if len(_whole(again)) > len(_whole(found)):
                return cleaned, cleaned.changes, again
        return plain, (), found

    def _of_first_turn(self, found: Sequence[_Candidate]) -> list[_Candidate]:
        """Without what the model answered to questions that it had asked itself."""
        answered = [item.turn for item in found if not item.query.in_reasoning and not item.is_fragment]
        first = min(answered, default=None)
        return [item for item in found if first is None or item.turn <= first]

    def _foreign(self, parts: Sequence[Part]) -> Iterator[_Candidate]:
        """Queries in another language: what is wrong with them can be said, and put right."""
        for part in parts:
            text = self.reply[part.start : part.end]
            start = len(text) - len(text.lstrip())
            found = [Found(start, len(text.rstrip()), "faulty")] if _SQL.match(text) and part.is_code else []
            if not found:
                other = "cypher" if self.language == "sparql" else "sparql"
                whole = _whole(find_queries(text, other, self.work, is_code=part.is_code))
                found = [replace(one, state="faulty") for one in whole[-1:]]
            for one in found:
                span = Span(part.start + one.start, part.start + one.end)
                setting: Setting = "fence" if part.is_code else "text"
                query = CandidateQuery(
                    self.reply[span.start : span.end], span, "faulty", setting, part.in_reasoning
                )
                yield _Candidate(query, "", turn=part.turn)

    # Finishing

    def _with_prefixes(self, item: _Candidate) -> CandidateQuery:
        """The query with what the reply says elsewhere about the prefixes that it uses."""
        query = self._without_explain(item.query)
        if not item.undeclared:
            return query
        declared = {found[1]: found[2] for found in _PREFIX.finditer(self.reply)}
        lines = [f"PREFIX {name}: {declared[name]}" for name in item.undeclared if name in declared]
        if not lines:
            return query
        return replace(
            query,
            text="\n".join([*lines, query.text]),
            changes=(*query.changes, "prefixes were taken from another place of the reply"),
        )

    def _without_explain(self, query: CandidateQuery) -> CandidateQuery:
        before = self.reply[max(0, query.span.start - 20) : query.span.start]
        if self.language == "cypher" and re.search(r"(?i)\b(?:EXPLAIN|PROFILE)\s+$", before):
            return replace(query, changes=(*query.changes, *_WITHOUT_EXPLAIN))
        return query

    def _said(self, parts: Sequence[Part]) -> str:
        """What was answered, without reasoning."""
        return "\n".join(self.reply[part.start : part.end].strip() for part in parts if not part.in_reasoning)


_WITHOUT_EXPLAIN = ("EXPLAIN or PROFILE was left out",)


def _whole(found: Sequence[Found]) -> list[Found]:
    return [one for one in found if one.state == "whole"]


def _shown(said: str) -> str:
    return shortened(printable(said), _LONGEST_SAID)
