"""A language model of a provider, through pydantic-ai. Which provider, a file in :mod:`.vendors` says.

pydantic-ai takes 1.7 s to import: this module is imported when a model is asked for the first time.
"""

from __future__ import annotations

import weakref
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic_ai import direct
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.settings import ModelSettings

from ..core.budget import Budget
from ..core.errors import ModelReplyError, ModelRequestError
from ..core.model_call import Message, Usage
from . import background
from .faults import as_ours
from .language_model import Finish, Reply, Request
from .replies import ReasoningFilter, without_reasoning
from .structured import schema_instruction

if TYPE_CHECKING:
    from pydantic_ai.usage import RequestUsage

STRICT: Final = OpenAIModelProfile(
    openai_chat_streaming_requires_finish_reason=True, thinking_tags=("<no such tag>", "</no such tag>")
)
"""For those who speak OpenAI's protocol: a stream that ends without saying so was cut, and is no reply; and reasoning
in tags is left to :mod:`.replies`, which knows more tags, and those that never end."""

_FINISHES: Final[dict[str, Finish]] = {"stop": "stop", "length": "length", "content_filter": "refused"}
T = TypeVar("T")


class Connection:
    """One model at one provider, ready to be asked. Safe to use from several threads at a time.

    Attributes:
        model: pydantic-ai's model.
        name: what errors call it.
    """

    def __init__(
        self,
        model: Model[Any],
        *,
        name: str,
        secrets: Sequence[str] = (),
        close: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """``close`` ends the connections to the provider; it is called when this object is no longer used."""
        self.model = model
        self.name = name
        self._secrets = tuple(secrets)
        self._takes_schema = bool(model.profile.get("supports_json_schema_output", False))
        if close is not None:
            weakref.finalize(self, _finish, close).atexit = False

    def reply(self, request: Request, budget: Budget) -> Reply:
        """As :meth:`LanguageModel.reply`."""
        doing = f"waiting for {self.name}"
        try:
            return background.run(self._reply(request, budget), budget, doing)
        except ModelRequestError as error:
            if not self._is_about_the_schema(request, error):
                raise
        self._takes_schema = False
        return background.run(self._reply(request, budget), budget, doing)

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """As :meth:`LanguageModel.stream`."""
        yield from background.iterate(self._stream(request, budget), budget, f"waiting for {self.name}")

    def _is_about_the_schema(self, request: Request, error: ModelRequestError) -> bool:
        """Whether a server that should take a schema, as most do, says that it does not."""
        said = error.message.lower()
        return (
            request.schema is not None
            and self._takes_schema
            and any(word in said for word in ("response_format", "json_schema", "schema", "output_config"))
        )

    async def _reply(self, request: Request, budget: Budget) -> Reply:
        failure = None
        try:
            response = await direct.model_request(
                self.model,
                _messages(request, with_schema=not self._takes_schema),
                model_settings=self._settings(request, budget),
                model_request_parameters=self._parameters(request),
            )
            return _whole(response, request)
        except Exception as error:  # noqa: BLE001 (providers' libraries share no base class)
            failure = as_ours(error, self.name, self._secrets)
        raise failure

    async def _stream(self, request: Request, budget: Budget) -> AsyncGenerator[str | Reply, None]:
        failure = None
        reasoning, held = ReasoningFilter(), _UntilStop(request.stop)
        shown: list[str] = []
        try:
            async with direct.model_request_stream(
                self.model,
                _messages(request, with_schema=not self._takes_schema),
                model_settings=self._settings(request, budget),
                model_request_parameters=self._parameters(request),
            ) as response:
                async for event in response:
                    if (piece := held.passed(reasoning.passed(_text(event)))) != "":
                        shown.append(piece)
                        yield piece
                    if held.stopped:
                        break
                whole = response.get()
            if whole.finish_reason is None and not held.stopped:
                # It ended without saying so: a connection that was cut, a proxy that gave up.
                raise ModelReplyError(f"the reply of {self.name} broke off", reply=whole.text or "")
            if (rest := held.passed(reasoning.rest()) + held.rest()) != "":
                shown.append(rest)
                yield rest
            yield replace(_whole(whole, request), text="".join(shown))
        except Exception as error:  # noqa: BLE001
            failure = as_ours(error, self.name, self._secrets)
        if failure is not None:
            raise failure

    def _parameters(self, request: Request) -> ModelRequestParameters:
        if request.schema is None or not self._takes_schema:
            return ModelRequestParameters()
        schema = dict(request.schema)
        name = str(schema.get("title", "reply"))
        return ModelRequestParameters(
            output_mode="native", output_object=OutputObjectDefinition(json_schema=schema, name=name)
        )

    def _settings(self, request: Request, budget: Budget) -> ModelSettings:
        """What is set for one request. Stop texts go to those who know them; we cut at them in any case."""
        # A second more than is left: our own deadline comes first, so that no library's time-out is told in its place.
        settings = ModelSettings(temperature=request.temperature, timeout=budget.remaining + 1.0)
        if request.max_tokens is not None:
            settings["max_tokens"] = request.max_tokens
        if request.seed is not None:
            settings["seed"] = request.seed
        if request.stop and "stop_sequences" not in self.model.unsupported_settings:
            settings["stop_sequences"] = list(request.stop)
        if "max_retries" not in self.model.unsupported_settings:
            # Trying again is done above, where the budget is known.
            settings["max_retries"] = 0
        if "timeout" in self.model.unsupported_settings:
            del settings["timeout"]
        return settings


class _UntilStop:
    """Lets text pass up to a stop text, holding back what may be the beginning of one.

    Not every provider knows stop texts; for one that does, this finds none.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._longest = max((len(stop) for stop in self._stops), default=1)
        self._held = ""
        self.stopped = False

    def passed(self, text: str) -> str:
        if self.stopped:
            return ""
        self._held += text
        at = _stop_at(self._held, self._stops)
        if at is not None:
            self.stopped = True
            passed, self._held = self._held[:at], ""
            return passed
        keep = self._longest - 1
        passed, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return passed

    def rest(self) -> str:
        rest, self._held = self._held, ""
        return rest


def _stop_at(text: str, stops: Sequence[str]) -> int | None:
    return min((at for stop in stops if stop and (at := text.find(stop)) >= 0), default=None)


def _finish(close: Callable[[], Coroutine[Any, Any, None]]) -> None:
    background.begin(close())


def _messages(request: Request, *, with_schema: bool) -> list[ModelMessage]:
    messages = list(request.messages)
    if with_schema and request.schema is not None:
        messages = _told_of_schema(messages, schema_instruction(request.schema))
    made: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            made.append(ModelResponse(parts=[TextPart(message.text)]))
            continue
        part = SystemPromptPart(message.text) if message.role == "system" else UserPromptPart(message.text)
        if made and isinstance(last := made[-1], ModelRequest):
            made[-1] = ModelRequest(parts=[*last.parts, part])
        else:
            made.append(ModelRequest(parts=[part]))
    return made


def _told_of_schema(messages: list[Message], instruction: str) -> list[Message]:
    for at, message in enumerate(messages):
        if message.role == "system":
            return [
                *messages[:at],
                replace(message, text=f"{message.text}\n\n{instruction}"),
                *messages[at + 1 :],
            ]
    return [Message("system", instruction), *messages]


def _text(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _whole(response: ModelResponse, request: Request) -> Reply:
    text = without_reasoning("".join(part.content for part in response.parts if isinstance(part, TextPart)))
    finish = _FINISHES.get(response.finish_reason or "", "unknown")
    at = _stop_at(text, request.stop)
    if at is not None:
        text, finish = text[:at], "stop"
    return Reply(text, _usage(response.usage), finish)


def _usage(usage: RequestUsage) -> Usage:
    return Usage(usage.input_tokens or 0, usage.output_tokens or 0)
