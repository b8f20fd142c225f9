"""Where queries stand in a stretch of text: each begins with a word of its language, and ends where the parser says.

A parser alone takes too much: in "RETURN n.name. This query…" it reads a property ``This``, in "…\\nLimit the results
to ten" a clause. So where it stops within a line, ends are tried that a writer would choose: those of lines and
sentences. And it may take too little: of a query with a fault the part before the fault may be a query as well, one
that the model did not mean. Where the text goes on as a query does, it is all of it that is meant, faults and all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .extracted import State
from .probing import Probe, Work
from .words import SENTENCE_ENDS, SENTENCE_WORDS, QueryWords, holds, words_of

_WINDOWS = (1_024, 8_192, 65_536)
# So near the end of a window, what does not fit may only be cut.
_BORDER = 80
_MOST_CUTS = 10
_MOST_LINES_BACK = 6
_MOST_TOKENS_BACK = 12
_EXPLAIN = re.compile(r"\s*(?:(?:EXPLAIN|PROFILE)\b\s*)+", re.IGNORECASE)
_TOKEN_END = re.compile(r"(?<=\w)(?=\W)|(?<=[^\w\s])")
_FIRST_WORD = re.compile(r"\W*?([A-Za-z]+)")
_NO_CLAUSE = re.compile(r"\s*(?:limit|skip|offset)\s+[A-Za-z]", re.IGNORECASE)
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]")
_SENTENCE_END = re.compile(r"[.;!?:](?=\s|$)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_CLOSERS = "`\"'”’»)]}>*_|~;,.:!?…/\\"
_BLANKS_AND_CLOSERS = " \t\r`\"'”’»)]}*_;.:!?…/\\>|"
_WORD = re.compile(r"[A-Za-z]+")
# The name of a property, that of a variable read without it.
_GLUED = re.compile(r"\.\w")
_REMARK = re.compile(r"[–—#→]|--|//|=>|->")
# What must stand before a query that begins with an everyday word, in running text.
_OPENS_A_QUERY = re.compile(r"(?:^|[\n:`>\"“'(|])[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?$")


@dataclass(frozen=True, slots=True)
class Found:
    """A query in a stretch of text; ``is_fragment``: the beginning of one, as explanations quote it."""

    start: int
    end: int
    state: State
    undeclared: tuple[str, ...] = ()
    is_fragment: bool = False


def find_queries(text: str, language: str, work: Work, *, is_code: bool) -> list[Found]:
    """The queries of a stretch of text, in their order.

    Args:
        text: the stretch.
        language: ``"cypher"`` or ``"sparql"``.
        work: how much may be read.
        is_code: whether the text was set apart as code, so that what does not read is a fault and no sentence.
    """
    begin = len(text) - len(text.lstrip())
    explained = _EXPLAIN.match(text)
    if explained is not None and language == "cypher":
        begin = explained.end()
    end = len(text.rstrip())
    probe = work.probe(text[begin:end], language)
    if probe.finding == "whole" and (is_code or probe.touches_graph):
        return [Found(begin, end, "whole", probe.undeclared)]
    return list(_Search(text, language, work, is_code=is_code).queries())


class _Search:
    def __init__(self, text: str, language: str, work: Work, *, is_code: bool) -> None:
        self.text = text
        self.language = language
        self.words: QueryWords = words_of(language)
        self.work = work
        self.is_code = is_code

    def queries(self) -> Iterator[Found]:
        """What is found from each place on at which a query may begin."""
        position = 0
        for start, is_command in self._starts():
            if self.work.is_used_up:
                return
            if start < position:
                continue
            found = self._command(start) if is_command else self._query(start)
            if found is not None:
                yield found
                position = found.end

    def _starts(self) -> Iterator[tuple[int, bool]]:
        """The places where a query may begin, in their order, and whether a command that does not read begins there."""
        reading = ((match.start(), False) for match in self.words.start.finditer(self.text))
        unsafe = ((match.start(), True) for match in self.words.unsafe.finditer(self.text))
        yield from sorted([*reading, *unsafe])

    def _command(self, start: int) -> Found | None:
        """What would change the graph, where it stands as a command does and is not only spoken of."""
        if not self._is_opened(start):
            return None
        return Found(start, self._extent(start), "unsafe")

    def _query(self, start: int) -> Found | None:
        is_weak = self.words.weak.match(self.text, start) is not None
        if is_weak and not self.is_code and not self._is_opened(start):
            return None
        finding = self._read(start)
        if finding is None or finding.state == "whole":
            return None if finding is None else self._meant(finding, is_weak)
        if finding.is_fragment:
            is_pattern = any(bracket in self.text[start : finding.end] for bracket in "({")
            return finding if is_pattern and (self.is_code or not is_weak) else None
        if is_weak and not self.is_code:
            return None
        return Found(start, max(self._extent(start), finding.end), finding.state)

    def _meant(self, found: Found, is_weak: bool) -> Found | None:
        """A query that begins with an everyday word, if it is one, and not "Return the names". One that asks nothing of
        a graph is more likely to be part of an explanation."""
        if not is_weak or self.is_code:
            return found
        text = self.text[found.start : found.end]
        if self.work.probe(text, self.language).touches_graph:
            return found
        return replace(found, is_fragment=True) if text.split(None, 1)[0].isupper() else None

    def _is_opened(self, start: int) -> bool:
        """Whether what begins here stands by itself: in a line of its own, after a colon, or in quotes."""
        before = self.text[max(0, start - 40) : start]
        return self.is_code or _OPENS_A_QUERY.search(before) is not None

    # Reading from one place on

    def _read(self, start: int) -> Found | None:
        """The query that begins at a place: whole, unsafe, faulty or a fragment; ``None``: there is none."""
        for size in _WINDOWS:
            is_last = start + size >= len(self.text)
            window = _Window(self, self.text[start : start + size])
            window.decide()
            if is_last or max(window.end, window.reach) < size - _BORDER:
                break
        return window.result(start)

    def _extent(self, start: int) -> int:
        """Where a query that cannot be read ends: with its block of code, or with its paragraph."""
        if self.is_code:
            return len(self.text.rstrip())
        last = min(len(self.text.rstrip()), start + _WINDOWS[-1])
        open_brackets = [0, 0, 0]
        position = start
        while (blank := _BLANK_LINE.search(self.text, position, last)) is not None:
            piece = self.text[position : blank.end()]
            for place, (one, other) in enumerate(_BRACKETS):
                open_brackets[place] += piece.count(one) - piece.count(other)
            if max(open_brackets) <= 0:
                return blank.start()
            position = blank.end()
        return last


class _Window:
    """The text from one place on, and how much of it is a query."""

    def __init__(self, search: _Search, text: str) -> None:
        self.search = search
        self.text = text
        self.end = 0
        self.finding: State = "faulty"
        self.undeclared: tuple[str, ...] = ()
        # How far the parser got before anything was cut.
        self.reach = 0

    def decide(self) -> None:
        """Find out."""
        end = len(self.text.rstrip())
        for _ in range(_MOST_CUTS):
            probe = self._probe(end)
            self.reach = self.reach or probe.stop
            if probe.finding == "unsafe" and self._is_command(probe.stop):
                self.finding, self.end = "unsafe", probe.stop
                return
            if probe.finding in ("whole", "unfinished") or probe.stop <= 0:
                break
            end = len(self.text[: probe.stop].rstrip())
        ends = [self._settled(end)] if probe.finding == "whole" else self._earlier_ends(end)
        for chosen in ends:
            if self._is_whole(chosen):
                if self._goes_on(chosen):
                    break  # and whatever is shorter does all the more
                self.finding, self.end = "whole", chosen
                self.undeclared = self._probe(chosen).undeclared
                return
        self.finding, self.end = "faulty", end

    def result(self, start: int) -> Found | None:
        """What was found, its places counted from the beginning of the text."""
        if self.end <= 0:
            return None
        if self.finding == "whole":
            return Found(start, start + self.end, "whole", self.undeclared)
        if self.finding == "unsafe":
            return Found(start, start + self.end, "unsafe")
        return Found(start, start + self.end, "faulty", is_fragment=not self._is_meant_as_query())

    def _is_meant_as_query(self) -> bool:
        """Whether a query was meant in full, though it cannot be read, and not only a part of one quoted."""
        meant = self.text[: self._paragraph_end()]
        if not self.search.is_code:
            if self.text[self.end :].lstrip(" ")[:1] in ("`", '"', "”"):
                return False
            sentence = _SENTENCE_END.search(meant, self.reach)
            meant = meant[: sentence.start()] if sentence else meant
        return holds(meant, self.search.words.essential)

    def _paragraph_end(self) -> int:
        blank = None if self.search.is_code else _BLANK_LINE.search(self.text, self.reach)
        return len(self.text) if blank is None else blank.start()

    def _probe(self, end: int) -> Probe:
        return self.search.work.probe(self.text[:end], self.search.language)

    def _is_whole(self, end: int) -> bool:
        return self._probe(end).finding == "whole"

    def _is_command(self, place: int) -> bool:
        """Whether a clause that changes something is meant, and not a sentence such as "Set the limit as you like"."""
        word = _FIRST_WORD.match(self.text, place)
        if word is None or place == 0:
            return True
        return word[1].isupper() or self.search.words.unsafe.match(self.text, word.start(1)) is not None

    # Ends

    def _settled(self, end: int) -> int:
        """The end of a query that reads up to here, without the words of a sentence that happen to read on."""
        if not self.text[end:].strip():
            return end
        for _ in range(_MOST_LINES_BACK):
            line = self.text.rfind("\n", 0, end) + 1
            earlier = len(self.text[:line].rstrip())
            if not line or not self._is_sentence(line) or not self._is_whole(earlier):
                break
            end = earlier
        if self.text[end:].lstrip(" \t\r")[:1] in ("\n", ""):
            return end
        for place in self._sentence_ends(line, end + 1):
            if self._is_whole(place):
                return place
        return self._without_sentence_words(end)

    def _sentence_ends(self, start: int, end: int) -> list[int]:
        """Where sentences may begin in a line, the last first."""
        places = [mark.start() for mark in SENTENCE_ENDS.finditer(self.text, start, end)]
        return places[: -_MOST_TOKENS_BACK - 1 : -1]

    def _without_sentence_words(self, end: int) -> int:
        """ "RETURN n.name, and" without the "and"."""
        shorter = end
        while (
            word := re.search(r"[\s,]*([A-Za-z]+)\s*$", self.text[max(0, shorter - 40) : shorter])
        ) is not None:
            if word[1].lower() not in SENTENCE_WORDS:
                break
            shorter -= len(word[0])
        return shorter if shorter != end and self._is_whole(shorter) else end

    def _is_sentence(self, line: int) -> bool:
        """Whether a line begins as a sentence: its first word is a word of the language, but not written as one."""
        if _LIST_ITEM.match(self.text, line):
            return True
        first, own = _FIRST_WORD.match(self.text), _FIRST_WORD.match(self.text, line)
        if own is None or first is None:
            return False
        return (first[1].isupper() and not own[1].isupper()) or _NO_CLAUSE.match(self.text, line) is not None

    def _earlier_ends(self, end: int) -> Iterator[int]:
        """Ends to try where the text up to the fault lacks something: of lines, of sentences, of words."""
        line = end
        for _ in range(_MOST_LINES_BACK):
            line = self.text.rfind("\n", 0, line)
            if line <= 0:
                break
            yield len(self.text[:line].rstrip())
        start = self.text.rfind("\n", 0, end) + 1
        yield from self._sentence_ends(start, end)
        near = max(start, end - 200)
        places = [match.start() + near for match in _TOKEN_END.finditer(self.text[near:end])]
        for place in reversed(places[-_MOST_TOKENS_BACK:]):
            yield len(self.text[:place].rstrip())

    def _goes_on(self, end: int) -> bool:
        """Whether what follows a query belongs to it after all, so that it was not whole."""
        line, _, below = self.text[end:].partition("\n")
        following = line.strip() or below.lstrip()
        word = _WORD.match(following)
        if word is not None and word[0].isupper() and word[0] in self.search.words.goes_on:
            return True
        if not line.strip() or _REMARK.match(following):
            return False
        if self.search.is_code:
            rest = line.lstrip(_BLANKS_AND_CLOSERS)
            return following[0] == "," or not (
                not rest or _REMARK.match(rest) or self._is_start(end, line, rest)
            )
        if _GLUED.match(line):
            return True
        return (
            word is None
            and following[0] not in _CLOSERS
            and following[0] not in "(["
            and following[0].isascii()
        )

    def _is_start(self, end: int, line: str, rest: str) -> bool:
        place = end + len(line) - len(rest)
        return self.search.words.start.match(self.text, place) is not None
