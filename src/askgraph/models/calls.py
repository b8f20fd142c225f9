"""The model calls of one run: prompts filled, limits kept, failures tried again, everything recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread, local
from typing import TYPE_CHECKING, TypeVar

from ..core.budget import Budget
from ..core.errors import (
    AskgraphError,
    CapExceededError,
    DeadlineExceededError,
    ModelError,
    ModelReplyError,
    ModelRequestError,
)
from ..core.model_call import Message, ModelCall, Usage
from ..core.run import Run, without_credentials
from .estimates import TOKENS_PER_MESSAGE, TOKENS_PER_REQUEST
from .language_model import LanguageModel, Reply, Request, prepared
from .prompts.prompts import Prompts
from .prompts.quoting import quoted_block
from .waiting import Patience

if TYPE_CHECKING:
    from .structured import Shape

REPLY_TOKENS = 4_096
"""Tokens that a reply may have where the caller does not say: a model that does not end is ended."""
_FEWEST_REPLY_TOKENS = 16

OnText = Callable[[str], None]
Result = TypeVar("Result")


@dataclass(slots=True)
class _Attempts:
    """What became of one call so far."""

    request: Request
    number: int
    made: int = 0
    heard: list[str] = field(default_factory=list)
    reply: Reply | None = None

    @property
    def text(self) -> str:
        return "".join(self.heard)


@dataclass(slots=True)
class _Spent:
    """What all calls of a run took so far: calls begun, tokens taken and those that calls under way may still take."""

    calls: int = 0
    tokens: int = 0


class ModelCalls:
    """The calls that one run makes of one model. Safe to use from several threads at a time.

    Each call has a purpose, which is the name of its prompt. The budget's calls and tokens are checked before a call by
    an estimate, and after it by what it took; its deadline ends every call and every wait. Whatever happened, the run
    has a record of it.
    """

    def __init__(
        self,
        model: LanguageModel,
        budget: Budget,
        run: Run,
        prompts: Prompts,
        *,
        temperature: float = 0.0,
        seed: int | None = None,
        patience: Patience | None = None,
    ) -> None:
        """``seed`` goes to models that sample by one; ``patience`` says how often a failed call is made again."""
        self._model = model
        self._budget = budget
        self._run = run
        self._prompts = prompts
        self._temperature = temperature
        self._seed = seed
        self._patience = patience or Patience()
        self._lock = Lock()
        # In a thread of `together`: where the calls of its task are recorded.
        self._task = local()
        # Tokens that were taken, and those that calls under way may still take.
        self._spent = _Spent()

    @property
    def model(self) -> LanguageModel:
        """The model that is called."""
        return self._model

    @property
    def budget(self) -> Budget:
        """What all calls together may take."""
        return self._budget

    @property
    def temperature(self) -> float:
        """What the model samples by."""
        return self._temperature

    def part(self, share: float) -> ModelCalls:
        """The same calls with so much of the time that is left: what one step of several may take, lest a model that
        does not end leaves none for the others. Calls and tokens are counted together."""
        part = copy(self)
        part._budget = self._budget.within(share * self._budget.remaining)
        return part

    @property
    def calls_left(self) -> int:
        """How many calls the budget still allows."""
        with self._lock:
            return max(0, self._budget.model_calls - self._spent.calls)

    @property
    def budget_tokens_left(self) -> int:
        """How many tokens, in and out, the budget still allows for all further calls together."""
        with self._lock:
            return max(0, self._budget.tokens - self._spent.tokens)

    # --- calls

    def text(
        self,
        purpose: str,
        data: Mapping[str, str],
        *,
        earlier: Sequence[Message] = (),
        max_tokens: int | None = None,
        stop: Sequence[str] = (),
        on_text: OnText | None = None,
    ) -> Reply:
        """Ask for text.

        Args:
            purpose: the name of the prompt.
            data: a text for each of its placeholders; it enters the prompt as quoted data.
            earlier: messages between the system message and the prompt's own.
            max_tokens: tokens that the reply may have; 4,096 otherwise. Fewer where the budget has no more.
            stop: texts before which the reply ends.
            on_text: called with each piece of the reply as it comes. A reply that broke off after a piece was shown
                is not asked for again.

        Returns:
            The reply. ``finish`` is ``"length"`` where it was cut.

        Raises:
            CapExceededError, DeadlineExceededError: the budget does not allow the call, or its time was up.
            ModelRequestError: prompt and reply do not fit the model's context window; the message has the sizes.
            ModelError: another of its kinds: the model failed, also when asked again, or said nothing.
            SettingsError: the prompt cannot be used.
        """
        messages = self._prompts.get(purpose).messages(data, earlier)
        request = self._request(purpose, messages, max_tokens, stop=tuple(stop))
        return self._call(request, on_text)

    def structured(
        self,
        purpose: str,
        data: Mapping[str, str],
        shape: type[Shape],
        *,
        earlier: Sequence[Message] = (),
        max_tokens: int | None = None,
        repairs: int = 1,
    ) -> Shape:
        """Ask for data of a shape.

        The model gets the shape's JSON Schema. A reply that does not fit is shown to it with what is wrong, ``repairs``
        times, each of which is a call.

        Args:
            purpose: as for :meth:`text`.
            data: as for :meth:`text`.
            shape: a pydantic model.
            earlier: as for :meth:`text`.
            max_tokens: as for :meth:`text`.
            repairs: how often it may correct itself.

        Raises:
            ModelReplyError: no object of the shape, the last time too (:class:`~.structured.UnfitReplyError`).
            AskgraphError: as :meth:`text`.
        """
        from .structured import UnfitReplyError, read_object, schema_of

        messages = self._prompts.get(purpose).messages(data, earlier)
        schema = schema_of(shape)
        while True:
            reply = self._call(replace(self._request(purpose, messages, max_tokens), schema=schema))
            try:
                return read_object(reply.text, shape)
            except UnfitReplyError as error:
                if repairs <= 0:
                    raise
                repairs -= 1
                problems = error.problems
                if reply.finish == "length":
                    problems = ("the reply was too long and was cut off: say less", *problems)
            correction = self._prompts.get("repair_structure").messages({"problems": "\n".join(problems)})[-1]
            messages = (*messages, Message("assistant", reply.text), correction)

    # --- calls at the same time

    def together(
        self, tasks: Sequence[Callable[[], Result]], *, at_once: int = 4
    ) -> list[Result | AskgraphError]:
        """Do tasks that call the model, several at a time, as the parts of a map and reduce.

        The run records their calls task by task in the order of the tasks, whichever ended first.

        Args:
            tasks: functions that use this object.
            at_once: how many are done at a time.

        Returns:
            What each task returned, or the error of ours that it raised. Other errors are raised.
        """
        records: list[list[ModelCall]] = [[] for _ in tasks]
        outcomes: list[Future[Result | AskgraphError]] = [Future() for _ in tasks]
        waiting = iter(list(zip(tasks, records, outcomes, strict=True)))
        over = Event()

        def work() -> None:
            while not over.is_set():
                with self._lock:
                    task, own, outcome = next(waiting, (None, [], None))
                if task is None or outcome is None:
                    return
                self._task.records = own
                try:
                    outcome.set_result(task())
                except AskgraphError as error:
                    outcome.set_result(error)
                except BaseException as error:  # noqa: BLE001 (it is raised where the outcomes are waited for)
                    outcome.set_exception(error)

        # Not a pool's threads: those are waited for, also when the user interrupts, however long a model takes.
        for _ in range(min(max(1, at_once), len(tasks))):
            Thread(target=work, name="askgraph-model-task", daemon=True).start()
        try:
            return [outcome.result() for outcome in outcomes]
        finally:
            over.set()
            with self._lock:
                self._run.calls.extend(call for own in records for call in own)

    # --- room

    def tokens(self, text: str) -> int:
        """Tokens that a text takes as a quoted block."""
        return self._model.tokens(quoted_block(text))

    def tokens_left(
        self,
        purpose: str,
        data: Mapping[str, str],
        *,
        earlier: Sequence[Message] = (),
        max_tokens: int | None = None,
    ) -> int:
        """Tokens that can still be put into a prompt (as :meth:`tokens` counts them) beside ``data`` and the reply.

        The model's context window and the budget both count; never below zero.
        """
        # Not empty, lest a paragraph that will be there is left out.
        filled = {name: text or "…" for name, text in data.items()}
        prompt = self._prompts.get(purpose).messages(filled, earlier)
        wanted = REPLY_TOKENS if max_tokens is None else max_tokens
        # Of a small window a reply that was not asked to be long takes a quarter at most.
        reply = min(wanted, self._model.context_window // 4) if max_tokens is None else wanted
        with self._lock:
            left = min(self._model.context_window, self._budget.tokens - self._spent.tokens)
        return max(0, left - self._size(prompt) - reply)

    def _size(self, messages: Sequence[Message]) -> int:
        texts = sum(self._model.tokens(message.text) + TOKENS_PER_MESSAGE for message in messages)
        return texts + TOKENS_PER_REQUEST

    # --- one call

    def _request(
        self,
        purpose: str,
        messages: tuple[Message, ...],
        max_tokens: int | None,
        *,
        stop: tuple[str, ...] = (),
    ) -> Request:
        """The request, with as long a reply as the context window has room for."""
        self._budget.check(f"asking the model {self._model.name}")
        prepared(self._model, self._budget)
        size, window = self._size(messages), self._model.context_window
        needed = _FEWEST_REPLY_TOKENS if max_tokens is None else max_tokens
        if size + needed > window:
            raise ModelRequestError(
                f"the prompt {purpose!r} has about {size:,} tokens and its reply may have {needed:,}; "
                f"{self._model.name} takes {window:,} together",
                advice="Give it less evidence (--max-facts), or use a model that reads more.",
            )
        return Request(
            messages,
            max_tokens=min(REPLY_TOKENS if max_tokens is None else max_tokens, window - size),
            temperature=self._temperature,
            seed=self._seed,
            stop=stop,
            purpose=purpose,
        )

    def _call(self, request: Request, on_text: OnText | None = None) -> Reply:
        size = self._size(request.messages)
        attempts = self._begin(request, size)
        began = time.perf_counter()
        error: BaseException | None = None
        try:
            reply = self._answered(attempts, on_text)
        except BaseException as failure:
            error = failure
            raise
        finally:
            usage = self._usage(attempts, size, error)
            self._end(attempts, size, usage, time.perf_counter() - began, error)
        return replace(reply, usage=usage)

    def _answered(self, attempts: _Attempts, on_text: OnText | None) -> Reply:
        """The reply of the first attempt that gives one."""
        while True:
            attempts.made += 1
            attempts.heard.clear()
            try:
                reply = attempts.reply = self._attempt(attempts, on_text)
            except ModelError as error:
                if on_text is not None and attempts.heard:
                    raise
                self._patience.wait(error, attempts.made, attempts.number, self._budget)
                continue
            if not reply.text.strip():
                raise _empty(reply, self._model.name)
            return reply

    def _attempt(self, attempts: _Attempts, on_text: OnText | None) -> Reply:
        if on_text is None:
            reply = self._model.reply(attempts.request, self._budget)
            attempts.heard.append(reply.text)
            return reply
        # Closed also where on_text fails or the user interrupts: the provider then stops writing.
        with closing(self._model.stream(attempts.request, self._budget)) as stream:
            for piece in stream:
                if isinstance(piece, Reply):
                    return piece
                attempts.heard.append(piece)
                on_text(piece)
        raise ModelReplyError(f"the reply of {self._model.name} broke off", reply=attempts.text)

    # --- limits and records

    def _begin(self, request: Request, size: int) -> _Attempts:
        """Count a call, and hold the tokens that it may take, so that parallel calls do not overspend together."""
        with self._lock:
            if self._spent.calls >= self._budget.model_calls:
                raise CapExceededError(
                    f"the budget of {self._budget.model_calls} model calls is used up",
                    advice="Allow more with the setting model_calls.",
                )
            left = self._budget.tokens - self._spent.tokens - size
            wanted = request.max_tokens or REPLY_TOKENS
            if left < min(wanted, _FEWEST_REPLY_TOKENS):
                raise CapExceededError(
                    f"the prompt {request.purpose!r} has about {size:,} tokens; of the {self._budget.tokens:,} of the "
                    f"budget {max(0, self._budget.tokens - self._spent.tokens):,} are left",
                    advice="Allow more with the setting tokens, or give the model less evidence.",
                )
            self._spent.calls += 1
            held = min(wanted, left)
            self._spent.tokens += size + held
            return _Attempts(replace(request, max_tokens=held), number=self._spent.calls)

    def _end(
        self, attempts: _Attempts, size: int, usage: Usage, seconds: float, error: BaseException | None
    ) -> None:
        reply = attempts.reply.text if attempts.reply is not None else attempts.text
        if not reply and isinstance(error, ModelReplyError):
            reply = error.reply
        call = ModelCall(
            purpose=attempts.request.purpose,
            model=self._model.name,
            messages=attempts.request.messages,
            reply=reply,
            usage=usage,
            seconds=seconds,
            attempts=attempts.made,
            error=without_credentials(f"{type(error).__name__}: {error}") if error is not None else None,
        )
        with self._lock:
            self._spent.tokens += usage.tokens - size - (attempts.request.max_tokens or 0)
            getattr(self._task, "records", self._run.calls).append(call)

    def _usage(self, attempts: _Attempts, size: int, error: BaseException | None) -> Usage:
        """What a call took, by the provider's word or else by our estimate."""
        if attempts.reply is not None and attempts.reply.usage.tokens:
            return attempts.reply.usage
        text = attempts.reply.text if attempts.reply is not None else attempts.text
        if error is not None and not text and not isinstance(error, ModelReplyError | DeadlineExceededError):
            return Usage(cost=0.0)
        return Usage(size, self._model.tokens(text) if text else 0, estimated=True)


def _empty(reply: Reply, name: str) -> ModelReplyError:
    if reply.finish == "refused":
        return ModelReplyError(f"{name} or its provider refused to reply")
    if reply.finish == "length":
        return ModelReplyError(
            f"{name} used up all tokens of its reply without a word of it",
            advice="It reasons at length: allow longer replies, or use another model.",
        )
    return ModelReplyError(f"{name} said nothing")
