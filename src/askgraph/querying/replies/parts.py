"""A reply taken apart: what was thought and what was answered, blocks of code, and the text between them.

Chat templates, reasoning tags and harmony channels are those of the models of 2024 to 2026; an unknown mark of the form
``<|…|>`` separates, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..tokens import words

_THINK = (
    r"think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratch_?pad|inner_monologue|plan(?:ning)?"
)
_MARK = re.compile(
    rf"""(?ix)
      (?P<channel> <\|channel\|>\s*(?P<channel_name>[a-z]+)[^<\n]{{0,80}}(?:<\|message\|>)? )
    | (?P<role> (?:<\|(?:im_start|start_header_id|start|turn)\|>|<start_of_turn>) [ \t]* (?P<role_name>[a-z]+)?
        (?:[ \t]*<\|end_header_id\|>)? )
    | (?P<speaker> <\|(?P<speaker_name>user|system|assistant|human|observation|tool)\|> )
    | (?P<open> <\s*(?:{_THINK})\s*> | <\|(?:begin_of_thought|START_THINKING)\|> | \[THINK\] | ◁think▷ | <seed:think> )
    | (?P<close> <\s*/\s*(?:{_THINK})\s*> | <\|(?:end_of_thought|END_THINKING)\|> | \[/THINK\] | ◁/think▷
        | </seed:think> | assistantfinal | <\|(?:START_RESPONSE|begin_of_solution)\|> )
    | (?P<stop> <\|(?:im_end|eot_id|end|endoftext|end_of_text|return|eom_id|END_OF_TURN_TOKEN|END_RESPONSE
        |end_of_solution|call)\|> | <end_of_turn> | <eos> | </s> | <｜end▁of▁sentence｜> | \[INST\] )
    | (?P<other> <\|[A-Za-z0-9_/]{{1,40}}\|> | <｜[^｜<>\n]{{1,40}}｜> | <s> | \[/INST\] | <</?SYS>> | <(?:pad|bos|unk)>
        | </?(?:cypher|sparql|query|answer|code|pre|result|response|output|final|final_answer|solution|tool_call|sql
        |cypher_query|sparql_query)\s*(?:\s[^<>\n]{{0,80}})?> | \[/?(?:CYPHER|SPARQL|QUERY|ANSWER)\] )
    """
)
_REASONING_CHANNELS = ("analysis", "commentary")
_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})(?P<info>[^\n`~]{0,100})")
_INFO = re.compile(r"[ \t]*\{?[.]?(?P<name>[A-Za-z][\w+#-]*)?\}?[ \t]*(?P<rest>.*)", re.DOTALL)
_NEXT_QUESTION = re.compile(
    r"""(?mx) ^[ \t>]*(?:\#+[ \t]*|\*\*)?
        (?:Question|User(?:[ ]question)?|Human|Instruction|Input|Example|Pregunta|Frage|Q)
        [ \t]*+\d*+[ \t]*+(?:\*\*)?[ \t]*+:"""
)
_FENCE_NAMES = frozenset(
    words(
        """cypher opencypher neo4j sparql sparql-query rq sql graphql gql json yaml text txt plaintext plain python py
        bash sh javascript js xml html markdown md query console output memgraph neptune kuzu code"""
    )
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a reply: its places, and whether it is a block of code and stands in reasoning.

    ``turn`` counts what the model went on to say after its own answer had ended.
    """

    start: int
    end: int
    is_code: bool = False
    in_reasoning: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class _Fence:
    """A block of code: the places of its content, and of the block with its fences."""

    start: int
    end: int
    outer_start: int
    outer_end: int


def parts_of(reply: str, is_query: Callable[[str], bool]) -> list[Part]:
    """The stretches of a reply, in their order.

    Args:
        reply: what the model said.
        is_query: whether a text is a query as it stands: what looks like a mark in a block that is one is none.
    """
    safe = [fence for fence in _fences(reply, 0, len(reply)) if is_query(reply[fence.start : fence.end])]
    parts: list[Part] = []
    for segment in _segments(reply, safe):
        parts += _with_fences(reply, segment)
    return [part for part in parts if reply[part.start : part.end].strip()]


# --- what was thought, and what was answered


def _segments(reply: str, safe: list[_Fence]) -> Iterator[Part]:
    """The stretches between marks."""
    start, depth, turn, has_answer = 0, 0, 0, False
    pending: list[Part] = []
    for mark in _marks(reply, safe):
        if mark.start() > start:
            pending.append(Part(start, mark.start(), in_reasoning=depth > 0, turn=turn))
            has_answer = has_answer or (depth == 0 and bool(reply[start : mark.start()].strip()))
        start = mark.end()
        kind = mark.lastgroup
        if kind == "open":
            depth = 1
        elif kind == "close":
            if depth == 0:
                # The chat template had opened the tag: all that came before was thought.
                pending = [Part(part.start, part.end, in_reasoning=True, turn=part.turn) for part in pending]
                has_answer = False
            depth = 0
        elif kind == "channel":
            depth = int(mark["channel_name"].lower() in _REASONING_CHANNELS)
        elif kind in ("stop", "role", "speaker"):
            depth = 0
            name = (mark["role_name"] or mark["speaker_name"] or "").lower()
            turn += int(has_answer and (kind == "stop" or name not in ("", "assistant", "model", "gpt")))
    pending.append(Part(start, len(reply), in_reasoning=depth > 0, turn=turn))
    yield from pending


def _marks(reply: str, safe: list[_Fence]) -> Iterator[re.Match[str]]:
    """The marks of a reply, without those that stand in a query."""
    waiting = iter(safe)
    fence = next(waiting, None)
    for mark in _MARK.finditer(reply):
        while fence is not None and fence.end <= mark.start():
            fence = next(waiting, None)
        if fence is None or mark.end() <= fence.start:
            yield mark


# --- blocks of code


def _with_fences(reply: str, segment: Part) -> Iterator[Part]:
    """A stretch as blocks of code and the text between them."""
    place = segment.start
    for fence in _fences(reply, segment.start, segment.end):
        yield replace(segment, start=place, end=fence.outer_start)
        yield from _inner(reply, fence, segment)
        place = fence.outer_end
    yield replace(segment, start=place)


def _inner(reply: str, fence: _Fence, segment: Part) -> Iterator[Part]:
    """A block that may hold blocks: a longer fence round others, or one that was never closed before the next."""
    place = fence.start
    for inner in _fences(reply, fence.start, fence.end):
        yield replace(segment, start=place, end=inner.outer_start, is_code=True)
        yield replace(segment, start=inner.start, end=inner.end, is_code=True)
        place = inner.outer_end
    yield replace(segment, start=place, end=fence.end, is_code=True)


def _fences(reply: str, start: int, end: int) -> list[_Fence]:
    """The blocks between fences; one that is never closed goes to the end."""
    found: list[_Fence] = []
    position = start
    while (opening := _FENCE.search(reply, position, end)) is not None:
        content = _content_start(opening)
        closing = _closing(reply, opening["mark"], content, end)
        found.append(_Fence(content, closing[0], opening.start(), closing[1]))
        position = closing[1]
    return found


def _content_start(opening: re.Match[str]) -> int:
    """Where the content of a block begins, behind the name of its language. In a block on one line both stand side by
    side: ```` ```cypher MATCH … ``` ````."""
    info = _INFO.match(opening["info"])
    name = info["name"] if info is not None else None
    if info is None or not name or (info["rest"].strip() and name.lower() not in _FENCE_NAMES):
        return opening.end("mark")
    return opening.start("info") + info.start("rest")


def _closing(reply: str, mark: str, start: int, end: int) -> tuple[int, int]:
    """Where the content of a block ends, and where what follows its fence begins.

    A fence with the name of a language behind it does not close one; a longer block may hold shorter fences.
    """
    closing = re.compile(rf"{re.escape(mark[0])}{{{len(mark)},}}+(?![ \t]*[A-Za-z]+[ \t]*\n)")
    for found in closing.finditer(reply, start, end):
        return found.start(), found.end()
    return end, end


def later_questions(text: str) -> list[int]:
    """Where a model goes on with questions of its own, as one does that only completes text."""
    return [match.start() for match in _NEXT_QUESTION.finditer(text)]
