"""Replies kept: in a cache, so that the same question is not paid twice, and in a file that tests are replayed from.

All of these stand in front of another model and behave as it does. What makes two requests the same is everything that
the reply depends on: model, messages, schema, temperature, seed, stops.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator
from pathlib import Path
from threading import Lock
from typing import Any

from ..core.budget import Budget
from ..core.errors import ModelForbiddenError, ReplyNotRecordedError, SettingsError
from ..core.model_call import Usage
from .cache_file import CacheFile
from .estimates import estimated_tokens
from .language_model import LanguageModel, Reply, Request, loaded, prepared
from .prices import cost_of

_MOST_REPLIES = 50_000


class _InFront:
    """A model that stands in front of another."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """As the model behind."""
        return self._model.context_window

    def tokens(self, text: str) -> int:
        """As the model behind."""
        return self._model.tokens(text)

    def prepare(self, budget: Budget) -> None:
        """As the model behind, if it has anything to prepare."""
        prepared(self._model, budget)

    def load(self) -> None:
        """As the model behind, if it has anything to load."""
        loaded(self._model)

    def cost(self, usage: Usage) -> float | None:
        """US dollars for a usage, ``None`` where the model behind does not know its price."""
        return cost_of(self._model, usage)


class CachedModel(_InFront):
    """A model that is asked only what it was not asked before. A reply from the cache costs nothing, and says so.

    Replies that were cut or refused are not kept.
    """

    def __init__(self, model: LanguageModel, path: Path) -> None:
        """``path``: the file, made when missing, which any number of processes may share."""
        super().__init__(model)
        self._file = CacheFile(path, table="replies", column="reply", row_limit=_MOST_REPLIES)
        self._lock = Lock()

    def reply(self, request: Request, budget: Budget) -> Reply:
        """The reply that is kept, or else the model's."""
        return self._kept(request) or self._keep(request, self._model.reply(request, budget))

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """As :meth:`reply`; one that is kept comes in one piece."""
        kept = self._kept(request)
        if kept is not None:
            yield kept.text
            yield kept
            return
        yield from _watched(self._model.stream(request, budget), lambda reply: self._keep(request, reply))

    def _kept(self, request: Request) -> Reply | None:
        key = _key(self.name, request)
        with self._lock:
            found = self._file.read([key]).get(key)
        if found is None:
            return None
        kept = json.loads(found.decode("utf-8"))
        return Reply(kept["text"], Usage(cost=0.0), kept["finish"])

    def _keep(self, request: Request, reply: Reply) -> Reply:
        if reply.finish in ("stop", "unknown") and reply.text.strip():
            value = json.dumps({"text": reply.text, "finish": reply.finish}).encode("utf-8")
            with self._lock:
                self._file.write({_key(self.name, request): value})
        return reply


class RecordingModel(_InFront):
    """A model whose replies are written into a file, one a line, from which :class:`ReplayingModel` gives them."""

    def __init__(self, model: LanguageModel, path: Path) -> None:
        """``path``: a JSON Lines file; what it has already stays."""
        super().__init__(model)
        self._path = path
        self._lock = Lock()

    def reply(self, request: Request, budget: Budget) -> Reply:
        """The model's reply, recorded."""
        return self._record(request, self._model.reply(request, budget))

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """The model's stream; its whole reply is recorded."""
        yield from _watched(self._model.stream(request, budget), lambda reply: self._record(request, reply))

    def _record(self, request: Request, reply: Reply) -> Reply:
        record = {
            "model": self.name,
            "request": _content(request),
            "purpose": request.purpose,
            "reply": reply.text,
            "finish": reply.finish,
            "usage": reply.usage.to_dict(),
        }
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # One write a line, in append mode: two processes do not mix theirs.
            with self._lock, self._path.open("ab") as file:
                file.write(_line(record))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SettingsError(f"replies cannot be recorded in {self._path}: {error.strerror}") from error
        return reply


class ReplayingModel:
    """A :class:`~askgraph.models.language_model.LanguageModel` that replies from a recording, and nothing else.

    Of several records of one request they are given in their order, the last one again and again.
    """

    def __init__(self, path: Path, *, context_window: int = 128_000) -> None:
        """Raises :class:`SettingsError` where the file is no recording."""
        self._path = path
        self._context_window = context_window
        self._replies: dict[bytes, list[Reply]] = {}
        self._given: dict[bytes, int] = {}
        self._lock = Lock()
        self._name = "replay"
        self._read()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    @property
    def context_window(self) -> int:
        """As given."""
        return self._context_window

    def tokens(self, text: str) -> int:
        """An upper estimate."""
        return estimated_tokens(text)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """The recorded reply. Raises :class:`ReplyNotRecordedError` where there is none."""
        budget.check("replaying a reply")
        key = _key("", request)
        with self._lock:
            replies = self._replies.get(key)
            if replies is None:
                asked = request.messages[-1].text if request.messages else ""
                raise ReplyNotRecordedError(
                    f"{self._path} has no reply to this request ({request.purpose or 'no purpose'}): {asked[-300:]!r}",
                    advice="Record it: run once with the setting record_replies and the real model.",
                )
            given = self._given.get(key, 0)
            self._given[key] = given + 1
            return replies[min(given, len(replies) - 1)]

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """The recorded reply in one piece, and whole."""
        reply = self.reply(request, budget)
        yield reply.text
        yield reply

    def _read(self) -> None:
        try:
            lines = self._path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            why = (error.strerror or str(error)) if isinstance(error, OSError) else "it is no UTF-8 text"
            raise SettingsError(
                f"the recorded replies {self._path} cannot be read: {why}",
                advice="A run with the setting record_replies and a real model makes such a file.",
            ) from error
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                key = _digest("", record["request"])
                usage = Usage(**record.get("usage", {}))
                self._replies.setdefault(key, []).append(
                    Reply(record["reply"], usage, record.get("finish", "stop"))
                )
                self._name = str(record["model"])
            except (ValueError, KeyError, TypeError) as error:
                raise SettingsError(
                    f"{self._path}, line {number}: this is no recorded reply ({type(error).__name__}: {error})"
                ) from error


class ForbiddenModel(_InFront):
    """A model that may not be called: every call is an error that says what it would have been."""

    def reply(self, request: Request, budget: Budget) -> Reply:
        """Raises :class:`ModelForbiddenError`."""
        size = sum(self.tokens(message.text) for message in request.messages)
        cost = self.cost(Usage(size, request.max_tokens or 0, estimated=True))
        price = f", at most {cost:.4f} dollars" if cost is not None else ", at a price that is not known"
        raise ModelForbiddenError(
            f"{self.name} would have been called for {request.purpose or 'a reply'} with about {size:,} tokens{price}; "
            "calls are forbidden",
            advice="Allow them with the setting allow_model_calls (ASKGRAPH_ALLOW_MODEL_CALLS=true).",
        )

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """Raises :class:`ModelForbiddenError`."""
        yield self.reply(request, budget)


def _line(record: dict[str, Any]) -> bytes:
    try:
        return json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        # Half a surrogate pair has no UTF-8.
        return json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"


def _watched(
    source: Generator[str | Reply, None, None], whole: Callable[[Reply], object]
) -> Generator[str | Reply, None, None]:
    """The stream as it is; ``whole`` gets the reply at its end."""
    try:
        for piece in source:
            if isinstance(piece, Reply):
                whole(piece)
            yield piece
    finally:
        source.close()


def _content(request: Request) -> dict[str, Any]:
    """What a reply depends on, as JSON data."""
    return {
        "messages": [message.to_dict() for message in request.messages],
        "schema": request.schema,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
        "stop": list(request.stop),
    }


def _key(model: str, request: Request) -> bytes:
    return _digest(model, _content(request))


def _digest(model: str, content: dict[str, Any]) -> bytes:
    # Not the length: what a budget has left changes from run to run, and a reply that was cut is not kept.
    counted = {name: value for name, value in content.items() if name != "max_tokens"}
    text = json.dumps([model, counted], sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode("ascii"), digest_size=20).digest()
