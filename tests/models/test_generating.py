"""Any object with generate() is a language model."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pydantic import BaseModel

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    DeadlineExceededError,
    ModelBusyError,
    ModelError,
    ModelReplyError,
    ModelUnreachableError,
    SettingsError,
)
from askgraph.core.model_call import Message
from askgraph.core.run import Run
from askgraph.core.settings import Settings
from askgraph.models.calls import ModelCalls
from askgraph.models.generating import GeneratingModel
from askgraph.models.language_model import LanguageModel, Request
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.registry import make_model

REQUEST = Request((Message("system", "Be brief."), Message("user", "Who?")), max_tokens=9)


class BedrockLike:
    """As the generators of the graph toolkits for Bedrock are called."""

    model_name = "some.model-v1"

    def generate(self, prompt: str, system_prompt: str = "You are helpful.", **kwargs: Any) -> str:
        return f"{system_prompt}/{prompt}/{sorted(kwargs)}"


class Positional:
    def generate(self, question: str, /) -> str:
        return question


class Named:
    def generate(self, *, text: str, system: str, max_tokens: int, temperature: float) -> str:
        return f"{system}/{text}/{max_tokens}/{temperature}"


class Asynchronous:
    async def generate(self, prompt: str, system_prompt: str) -> str:
        return f"{system_prompt}/{prompt}"


class OnlyOptions:
    def generate(self, prompt: str, **kwargs: Any) -> str:
        return f"{kwargs['system_prompt']}/{prompt}"


@pytest.mark.parametrize(
    ("generator", "said"),
    [
        (BedrockLike(), "Be brief./Who?/[]"),
        (Positional(), "Be brief.\n\nWho?"),
        (Named(), "Be brief./Who?/9/0.0"),
        (Asynchronous(), "Be brief./Who?"),
        (OnlyOptions(), "Be brief./Who?"),
    ],
)
def test_it_is_called_as_it_wants_to_be(generator, said):
    model = make_model(Settings.load(), generator)
    assert isinstance(model, LanguageModel)
    reply = model.reply(REQUEST, Budget())
    assert reply.text == said
    assert reply.usage.estimated
    assert reply.usage.input_tokens > 0
    assert list(model.stream(REQUEST, Budget())) == [said, reply]


@pytest.mark.parametrize(
    ("generator", "said"), [(BedrockLike(), "You are helpful./Who?/[]"), (Asynchronous(), "/Who?")]
)
def test_without_a_system_message_it_gets_its_own_default_or_none(generator, said):
    assert GeneratingModel(generator).reply(Request((Message("user", "Who?"),)), Budget()).text == said


def test_its_name_is_the_models_or_the_class():
    assert GeneratingModel(BedrockLike()).name == "some.model-v1"
    assert GeneratingModel(Positional()).name == "Positional"
    assert GeneratingModel(Positional(), name="mine").name == "mine"


def test_a_conversation_becomes_one_prompt():
    messages = (Message("user", "one"), Message("assistant", "two"), Message("user", "three"))
    said = GeneratingModel(Positional()).reply(Request(messages), Budget()).text
    assert said == "User:\none\n\nAssistant:\ntwo\n\nUser:\nthree"


def test_a_language_model_is_taken_as_it_is():
    model = GeneratingModel(Positional())
    assert make_model(Settings.load(), model) is model


@pytest.mark.parametrize("thing", [object(), 3, type("X", (), {"generate": 5})()])
def test_what_cannot_generate_is_refused(thing):
    with pytest.raises(SettingsError, match="is no language model"):
        make_model(Settings.load(), thing)


class Saying:
    def __init__(self, said: Any) -> None:
        self.said = said

    def generate(self, prompt: str, system_prompt: str) -> Any:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (RuntimeError("ThrottlingException: slow down"), ModelBusyError),
        (RuntimeError("broken"), ModelError),
        (ModelUnreachableError("ours"), ModelUnreachableError),
        (TimeoutError("theirs"), ModelError),
    ],
)
def test_what_it_raises_is_an_error_of_ours(raised, expected):
    with pytest.raises(expected) as caught:
        GeneratingModel(Saying(raised)).reply(REQUEST, Budget())
    assert type(caught.value) is expected


def test_a_secret_in_what_it_raises_is_not_shown():
    error = RuntimeError("401 for https://me:sesame@host with Authorization: Bearer sk-abcdefghijklmnop")
    with pytest.raises(ModelError) as caught:
        GeneratingModel(Saying(error)).reply(REQUEST, Budget())
    assert "sesame" not in str(caught.value)
    assert "abcdefgh" not in str(caught.value)
    assert caught.value.__context__ is None


def test_what_is_no_text_is_no_reply():
    with pytest.raises(ModelReplyError, match="returned a dict"):
        GeneratingModel(Saying({"text": "x"})).reply(REQUEST, Budget())


def test_one_that_hangs_is_left_behind_at_the_deadline():
    class Hanging:
        def generate(self, prompt: str) -> str:
            time.sleep(60)
            return "late"

    began = time.monotonic()
    with pytest.raises(DeadlineExceededError):
        GeneratingModel(Hanging()).reply(REQUEST, Budget(seconds=0.3))
    assert time.monotonic() - began < 30


def test_reasoning_in_tags_is_not_part_of_the_reply():
    assert GeneratingModel(Saying("<think>hm</think>Ada")).reply(REQUEST, Budget()).text == "Ada"


def test_it_is_told_of_a_shape_in_words():
    class Shape(BaseModel):
        word: str

    seen = []

    class Obedient:
        def generate(self, prompt: str, system_prompt: str) -> str:
            seen.append(system_prompt)
            return 'Sure!\n```json\n{"word": "yes"}\n```'

    run = Run("question", graph="graph", graph_version="1")
    calls = ModelCalls(GeneratingModel(Obedient()), Budget(), run, Prompts())
    assert calls.structured("repair_structure", {"problems": "x"}, Shape).word == "yes"
    assert '"required":["word"]' in seen[0]
