"""Any object with ``generate(prompt, system_prompt)`` as a language model: a model of the user's own making."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator, Mapping
from typing import Any

from ..core.budget import Budget
from ..core.errors import AskgraphError, ModelBusyError, ModelError, ModelReplyError, SettingsError
from ..core.model_call import Message, Usage
from . import background
from .estimates import estimated_tokens
from .language_model import Reply, Request
from .replies import without_reasoning
from .scrubbing import scrubbed
from .structured import schema_instruction

_SYSTEM_NAMES = ("system_prompt", "system", "system_message", "instructions")
_PROMPT_NAMES = ("prompt", "user_prompt", "text", "message", "input")
_OPTIONS = ("max_tokens", "temperature", "seed", "stop")
_BUSY_WORDS = ("throttl", "429", "rate limit", "too many requests", "overloaded")


class GeneratingModel:
    """A :class:`~askgraph.models.language_model.LanguageModel` made of an object with ``generate``.

    ``generate`` gets the prompt and, if it takes one, the system prompt (by the names ``prompt`` and ``system_prompt``,
    or those that it has instead), and of ``max_tokens``, ``temperature``, ``seed`` and ``stop`` what it names. It
    returns a text, and may be a coroutine function. One that is stuck is left behind at the deadline.
    """

    def __init__(self, generator: object, *, name: str | None = None, context_window: int = 32_768) -> None:
        """Raises :class:`SettingsError` where the object has no ``generate`` that takes a prompt."""
        generate = getattr(generator, "generate", None)
        if not callable(generate):
            raise SettingsError(
                f"a {type(generator).__name__} is no language model",
                advice="Give a name such as openai:gpt-4o-mini, or an object with generate(prompt, system_prompt).",
            )
        self._generate: Callable[..., Any] = generate
        self._parameters, self._insisted = _parameters(generate)
        self._name = name or _name_of(generator)
        self._context_window = context_window

    @property
    def name(self) -> str:
        """As given, or the object's model name or class."""
        return self._name

    @property
    def context_window(self) -> int:
        """As given."""
        return self._context_window

    def tokens(self, text: str) -> int:
        """An upper estimate."""
        return estimated_tokens(text)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """What ``generate`` returns. Whatever it raises becomes a :class:`ModelError`."""
        doing = f"waiting for {self._name}"
        budget.check(doing)
        system, prompt = _as_two(request)
        arguments, named = self._arguments(system, prompt, request)
        failure = None
        try:
            said = background.in_thread(lambda: _called(self._generate, arguments, named), budget, doing)
        except AskgraphError:
            raise
        except Exception as error:  # noqa: BLE001 (anything may come out of an object of the user's)
            failure = self._failure(error)
        if failure is not None:
            raise failure
        if not isinstance(said, str):
            raise ModelReplyError(f"{self._name}.generate returned a {type(said).__name__}, not a text")
        text = said if request.schema is not None else without_reasoning(said)
        usage = Usage(self.tokens(system) + self.tokens(prompt), self.tokens(said), estimated=True)
        return Reply(text, usage, "unknown")

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """The reply in one piece, and whole."""
        reply = self.reply(request, budget)
        yield reply.text
        yield reply

    def _failure(self, error: Exception) -> ModelError:
        said = f"{self._name} failed: {type(error).__name__}: {scrubbed(str(error))}"
        if any(word in said.lower() for word in _BUSY_WORDS):
            return ModelBusyError(said)
        return ModelError(said)

    def _arguments(self, system: str, prompt: str, request: Request) -> tuple[list[str], dict[str, Any]]:
        taken = self._parameters
        named: dict[str, Any] = {}
        for option in _OPTIONS:
            value = getattr(request, option)
            if option in taken and value not in (None, ()):
                named[option] = list(value) if option == "stop" else value
        system_name = next((name for name in _SYSTEM_NAMES if name in taken), None)
        prompt_name = next((name for name in _PROMPT_NAMES if name in taken), None)
        if system_name is None and "**" in taken:
            system_name = "system_prompt"
        if system_name is None:
            prompt = f"{system}\n\n{prompt}" if system else prompt
        elif system or system_name in self._insisted:
            named[system_name] = system
        if prompt_name is None:
            return [prompt], named
        named[prompt_name] = prompt
        return [], named


def _called(generate: Callable[..., Any], arguments: list[str], named: Mapping[str, Any]) -> Any:
    said = generate(*arguments, **named)
    return asyncio.run(_awaited(said)) if inspect.isawaitable(said) else said


async def _awaited(said: Any) -> Any:
    return await said


def _parameters(generate: Callable[..., Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The names that it takes, ``**`` among them if it takes any; and those that it must be given."""
    try:
        parameters = inspect.signature(generate).parameters.values()
    except (TypeError, ValueError):
        return frozenset(("prompt", "system_prompt")), frozenset()
    by_name = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    named = {each.name for each in by_name}
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        named.add("**")
    return frozenset(named), frozenset(each.name for each in by_name if each.default is each.empty)


def _name_of(generator: object) -> str:
    for attribute in ("model_name", "model_id", "model"):
        value = getattr(generator, attribute, None)
        if isinstance(value, str) and value:
            return scrubbed(value)
    return type(generator).__name__


def _as_two(request: Request) -> tuple[str, str]:
    """The system prompt, and the rest of the conversation as one prompt."""
    system = "\n\n".join(message.text for message in request.messages if message.role == "system")
    if request.schema is not None:
        system = f"{system}\n\n{schema_instruction(request.schema)}".strip()
    others = [message for message in request.messages if message.role != "system"]
    if len(others) == 1:
        return system, others[0].text
    return system, "\n\n".join(_spoken(message) for message in others)


def _spoken(message: Message) -> str:
    return f"{'Assistant' if message.role == 'assistant' else 'User'}:\n{message.text}"
