"""What a model wraps round its reply, taken off: reasoning shown in tags, marks of chat templates."""

from __future__ import annotations

import re

_REASONING_TAG = re.compile(
    r"<(?P<end>/)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|internal_monologue)"
    r"(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
# The channels of gpt-oss: only what follows the last such mark is the reply.
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>")
_CHAT_TOKENS = re.compile(
    r"<[|\uff5c][\w\u2581 .-]{1,40}[|\uff5c]>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad)>",
    re.IGNORECASE,
)


def without_reasoning(text: str) -> str:
    """The reply without reasoning in tags and without marks of a chat template; ``""`` where nothing else was said.

    A tag that is opened and never closed leaves what stands before it; an end without a beginning (some templates put
    that into the prompt) leaves what comes after it.
    """
    text = _FINAL_CHANNEL.split(text)[-1]
    kept: list[str] = []
    at, depth = 0, 0
    for tag in _REASONING_TAG.finditer(text):
        if tag["end"] is None:
            if depth == 0:
                kept.append(text[at : tag.start()])
            depth += 1
        elif depth > 0:
            depth -= 1
        else:
            # Everything up to here was reasoning.
            kept.clear()
        at = tag.end()
    if depth == 0:
        kept.append(text[at:])
    return _CHAT_TOKENS.sub("", "".join(kept)).strip()


class ReasoningFilter:
    """Takes reasoning in tags out of a reply that comes in pieces, wherever the pieces are cut.

    What stands before an end without a beginning was let through before that could be known.
    """

    # A tag is no longer than this; what is held back is the beginning of one at most.
    _LONGEST_TAG = 60

    def __init__(self) -> None:
        self._held = ""
        self._depth = 0
        self._has_begun = False

    def passed(self, piece: str) -> str:
        """What of the text so far can be shown now."""
        self._held += piece
        shown: list[str] = []
        while (tag := _REASONING_TAG.search(self._held)) is not None:
            self._let_through(self._held[: tag.start()], shown)
            self._depth = max(0, self._depth + (1 if tag["end"] is None else -1))
            self._held = self._held[tag.end() :]
        start = self._held.rfind("<")
        is_beginning = start >= 0 and len(self._held) - start < self._LONGEST_TAG
        cut = start if is_beginning else len(self._held)
        self._let_through(self._held[:cut], shown)
        self._held = self._held[cut:]
        return "".join(shown)

    def rest(self) -> str:
        """What was held back and is no tag."""
        shown: list[str] = []
        self._let_through(self._held, shown)
        self._held = ""
        return "".join(shown)

    def _let_through(self, text: str, shown: list[str]) -> None:
        if self._depth > 0:
            return
        # Models put blank lines between reasoning and reply.
        text = text if self._has_begun else text.lstrip()
        self._has_begun = self._has_begun or bool(text)
        shown.append(text)
