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
