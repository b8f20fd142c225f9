"""The scripted model says what it was told to, in the ways that tests need."""

from __future__ import annotations

import pytest

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, ModelBusyError, ModelReplyError
from askgraph.core.model_call import Message, Usage
from askgraph.models.language_model import LanguageModel, Reply, Request
from askgraph.models.scripted import ScriptedModel


def request(text: str, purpose: str = "") -> Request:
    return Request((Message("user", text),), purpose=purpose)


def said(model: ScriptedModel, text: str = "x", purpose: str = "") -> str:
    return model.reply(request(text, purpose), Budget()).text


def test_it_is_a_language_model():
    assert isinstance(ScriptedModel(["a"]), LanguageModel)


def test_a_list_is_said_in_order_and_then_ends():
    model = ScriptedModel(["one", {"two": 2}])
    assert [said(model), said(model)] == ["one", '{"two": 2}']
    with pytest.raises(ModelReplyError, match="no more replies than its 2"):
        said(model)


def test_a_mapping_goes_by_purpose_and_then_by_what_is_asked():
    model = ScriptedModel({"Ada": "by text", "answer": ["first", "second"]})
    assert said(model, "about Ada", "answer") == "first"
    assert said(model, "about Ada", "answer") == "second"
    assert said(model, "about Ada") == "by text"
    with pytest.raises(ModelReplyError, match="no reply for 'other'"):
        said(model, "Bob", "other")


def test_a_function_sees_the_request():
    assert said(ScriptedModel(lambda asked: asked.messages[-1].text.upper()), "abc") == "ABC"


def test_an_error_is_raised():
    with pytest.raises(ModelBusyError):
        said(ScriptedModel([ModelBusyError("busy")]))


def test_a_stream_is_the_reply_in_pieces_and_then_whole():
    *pieces, whole = ScriptedModel(["  two words\n"]).stream(request("x"), Budget())
    assert pieces == ["  ", "two ", "words\n"]
    assert isinstance(whole, Reply)
    assert whole.text == "  two words\n"


def test_it_counts_unless_the_reply_does():
    model = ScriptedModel(["some words", Reply("x", Usage(5, 7, cost=0.25), "length")])
    usage = model.reply(request("a question"), Budget()).usage
    assert usage.estimated
    assert usage.output_tokens >= 2
    assert model.reply(request("x"), Budget()) == Reply("x", Usage(5, 7, cost=0.25), "length")


def test_it_remembers_what_it_was_asked_and_keeps_the_deadline():
    model = ScriptedModel(["a"])
    said(model, "hello")
    assert model.requests == [request("hello")]
    with pytest.raises(DeadlineExceededError):
        model.reply(request("x"), Budget(seconds=0))
