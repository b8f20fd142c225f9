"""A reply as it is written: split into sentences, each judged as soon as it is complete, and shown with its mark.

What is shown is the answer's text to the letter: each sentence as the model writes it, behind it the numbers of the
facts that it rests on, or a mark that says why it rests on none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..core.evidence import Sentence, with_citations
from .citations import Citations
from .reply_text import answer_text, looks_like_json, may_be_short_answer, split_short_answer
from .sentences import Piece, split_sentences
from .support.checker import Verdict
from .support.judge import Citing, Judge

# Text that was added before a reply is looked at again: a share of it, so that long replies cost no more than their
# length.
_FEWEST_NEW, _NEW_SHARE = 12, 0.01
_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "|")
# Words that may lead to a citation, which is no part of the text: "according to fact 3", "as facts 1 and 2 show".
_LEADS_TO_A_CITATION = re.compile(
    r"(?:,?\s*\b(?:as|according|based|to|on|from|per|see|stated|shown|given|in|by|the|facts?|sources?|\d+|and)\b,?)+\s*$",
    re.IGNORECASE,
)
_LONGEST_LEAD = 80
_CLOSING = " \t\"'”’»)*_`]"


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence with its verdict, the facts behind it by their numbers in the context, and what the model cited."""

    sentence: Sentence
    verdict: Verdict
    citing: Citing
    cited: tuple[int, ...]


@dataclass
class JudgedReply:
    """Judges a reply while it is written.

    Attributes:
        judge: of the sentences.
        facts: how many facts the context has.
        keeps_own_knowledge: whether what the model says without citing is kept as its own knowledge.
        on_text: called with each piece of the answer's text; ``None``: nobody watches.
        sentences: what was judged so far.
        numbers: for each number of the context its number in the answer, in the order in which they were first cited.
        short: what the line of the short answer says.
        strange: numbers cited that no fact has.
    """

    judge: Judge
    facts: int
    keeps_own_knowledge: bool = False
    on_text: Callable[[str], None] | None = None
    sentences: list[JudgedSentence] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    short: tuple[str, ...] = ()
    strange: set[int] = field(default_factory=set)
    _raw: str = ""
    _looked_at: int = 0
    _shown: str = ""
    _settled: str = ""
    _settled_sentences: int = 0

    def feed(self, piece: str) -> None:
        """Take a further piece of the reply."""
        self._raw += piece
        new = len(self._raw) - self._looked_at
        if new >= max(_FEWEST_NEW, _NEW_SHARE * len(self._raw)) and not looks_like_json(self._raw):
            self._look(is_whole=False)

    def replace(self, text: str) -> None:
        """Take the whole reply, where it did not come in pieces."""
        if not self._raw:
            self._raw = text

    def finish(self, *, was_cut: bool) -> None:
        """The reply is over. A sentence that was cut off within is no sentence."""
        self._look(is_whole=True, was_cut=was_cut)

    @property
    def text(self) -> str:
        """The reply so far."""
        return self._raw

    def _look(self, *, is_whole: bool, was_cut: bool = False) -> None:
        self._looked_at = len(self._raw)
        text, self.short = split_short_answer(answer_text(self._raw))
        if not text.startswith(self._settled):
            if not is_whole:
                return
            self._settled, self._settled_sentences = "", 0
        rest = text[len(self._settled) :]
        citations = Citations(self.facts)
        pieces = split_sentences(citations.marked(rest))
        if is_whole and was_cut and pieces and not _is_ended(citations.taken_from(pieces[-1].text).text):
            cut = pieces.pop()
            self._show_cut(citations.taken_from(cut.text).text)
        complete = pieces if is_whole else pieces[:-1]
        done = len(self.sentences) - self._settled_sentences
        for piece in complete[done:]:
            self._take(piece, citations)
        if not is_whole and len(pieces) > len(self.sentences) - self._settled_sentences:
            self._show_begun(pieces[-1], citations)
            self._settle(rest, pieces[-1])

    def _settle(self, rest: str, last: Piece) -> None:
        """Leave the lines before the one that is being written: their sentences are all taken."""
        end = rest.rfind("\n") + 1
        is_row = rest[end:].lstrip().startswith("|") or not rest[end:].strip()
        if end and last.begins_line and not is_row and len(split_sentences(rest[end:])) == 1:
            self._settled += rest[:end]
            self._settled_sentences = len(self.sentences)

    def _take(self, piece: Piece, citations: Citations) -> None:
        cited = citations.taken_from(piece.text)
        claim = citations.taken_from(piece.claim).text
        self.strange.update(number for number in cited.numbers if not 1 <= number <= self.facts)
        judged = self.judge.judge(claim, cited.numbers)
        sentence = self._sentence(cited.text, judged.verdict, cited.numbers, piece.begins_line)
        self.sentences.append(JudgedSentence(sentence, judged.verdict, judged.citing, cited.numbers))
        self._show_whole(sentence)

    def _sentence(self, text: str, verdict: Verdict, cited: Sequence[int], begins_line: bool) -> Sentence:
        if verdict.kind == "supported":
            numbers = tuple(
                sorted(self.numbers.setdefault(fact, len(self.numbers) + 1) for fact in verdict.facts)
            )
            return Sentence(text, numbers, begins_line=begins_line)
        if verdict.kind == "no claim":
            return Sentence(text, begins_line=begins_line)
        if self.keeps_own_knowledge and not cited:
            return Sentence(text, own_knowledge=True, begins_line=begins_line)
        return Sentence(text, unsupported_because=verdict.reason, begins_line=begins_line)

    # --- what a reader sees meanwhile

    def _show(self, text: str) -> None:
        if self.on_text is not None and text:
            self.on_text(text)

    def _gap(self, begins_line: bool, count: int) -> str:
        if not count:
            return ""
        return "\n" if begins_line else " "

    def _show_begun(self, piece: Piece, citations: Citations) -> None:
        """The words of a sentence that is being written, but for the last one: that may become anything."""
        text = citations.taken_from(piece.text).text
        safe = text[: max(text.rfind(" "), 0)]
        safe = safe[:-_LONGEST_LEAD] + _LEADS_TO_A_CITATION.sub("", safe[-_LONGEST_LEAD:])
        if text.lstrip().startswith("|"):
            return  # The headings of a table are known by the line below them.
        if not safe or may_be_short_answer(safe) or not safe.startswith(self._shown):
            return
        gap = self._gap(piece.begins_line, len(self.sentences)) if not self._shown else ""
        self._show(gap + safe[len(self._shown) :])
        self._shown = safe

    def _show_whole(self, sentence: Sentence) -> None:
        whole = with_citations(sentence)
        if self._shown and whole.startswith(self._shown):
            self._show(whole[len(self._shown) :])
        else:
            lead = "\n" if self._shown else self._gap(sentence.begins_line, len(self.sentences) - 1)
            self._show(lead + whole)
        self._shown = ""

    def _show_cut(self, text: str) -> None:
        if self._shown:
            self._show(" …")
            self._shown = ""


def _is_ended(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith(_ENDS)
