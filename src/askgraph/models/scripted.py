"""A language model that says what it is told to: for tests, demonstrations and examples. It costs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from ..core.budget import Budget
from ..core.errors import ModelReplyError
from ..core.model_call import Usage
from .estimates import estimated_tokens
from .language_model import Reply, Request

Line = str | Reply | Mapping[str, Any] | BaseException
"""What can be said in reply: a text, a whole reply, data (said as JSON), or an error to raise."""
Lines = Line | Sequence[Line]
Script = Sequence[Line] | Mapping[str, Lines] | Callable[[Request], Line]

_PIECES = re.compile(r"\S+\s*|\s+")


class ScriptedModel:
    """A :class:`~askgraph.models.language_model.LanguageModel` that replies by a script.

    The script is one of:

    - a list: the replies in their order, one for each request;
    - a mapping: to a purpose (the name of a prompt), or else to a text that the request contains, the reply or a list
      of them, the first key that fits;
    - a function of the request.

    A reply is a text, a :class:`Reply`, a mapping (said as JSON), or an exception, which is raised. A script with
    nothing (more) to say raises :class:`~askgraph.core.errors.ModelReplyError`.

    Attributes:
        requests: what it was asked so far.
    """

    def __init__(self, script: Script, *, name: str = "scripted", context_window: int = 128_000) -> None:
        self._name = name
        self._context_window = context_window
        self._script = script
        self._said: dict[str, int] = {}
        self._lock = Lock()
        self.requests: list[Request] = []

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def context_window(self) -> int:
        """As given."""
        return self._context_window

    def tokens(self, text: str) -> int:
        """An upper estimate."""
        return estimated_tokens(text)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """The next reply of the script."""
        budget.check("asking the scripted model")
        with self._lock:
            self.requests.append(request)
            line = self._next(request) if not callable(self._script) else None
        if callable(self._script):
            line = self._script(request)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, Mapping):
            line = json.dumps(line, ensure_ascii=False)
        return self._whole(line if isinstance(line, Reply) else Reply(str(line)), request)

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """The next reply word by word, then whole."""
        reply = self.reply(request, budget)
        yield from _PIECES.findall(reply.text)
        yield reply

    def _whole(self, reply: Reply, request: Request) -> Reply:
        if reply.usage.tokens:
            return reply
        read = sum(self.tokens(message.text) for message in request.messages)
        usage = Usage(read, self.tokens(reply.text), estimated=True, cost=0.0)
        return replace(reply, usage=usage)

    def _next(self, request: Request) -> Line:
        assert not callable(self._script)
        if not isinstance(self._script, Mapping):
            return self._following("", self._script)
        asked = "\n".join(message.text for message in request.messages)
        keys = [key for key in self._script if key == request.purpose]
        keys += [key for key in self._script if key in asked]
        if not keys:
            raise ModelReplyError(f"the script has no reply for {request.purpose!r}: {asked[-200:]!r}")
        lines = self._script[keys[0]]
        if isinstance(lines, Sequence) and not isinstance(lines, str):
            return self._following(keys[0], lines)
        return lines

    def _following(self, key: str, lines: Sequence[Line]) -> Line:
        said = self._said.get(key, 0)
        if said >= len(lines):
            raise ModelReplyError(f"the script has no more replies than its {len(lines)}")
        self._said[key] = said + 1
        return lines[said]
