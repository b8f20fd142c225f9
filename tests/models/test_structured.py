"""The object is found in whatever a model wraps it."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from askgraph.models.replies import ReasoningFilter, without_reasoning
from askgraph.models.structured import UnfitReplyError, read_object, schema_instruction, schema_of


class Part(BaseModel):
    name: str
    kind: Literal["a", "b"] = "a"


class Whole(BaseModel):
    title: str
    parts: list[Part] = Field(default_factory=list)


GOOD = '{"title": "T", "parts": [{"name": "n"}]}'
EXPECTED = Whole(title="T", parts=[Part(name="n")])

SHAPES = {
    "alone": GOOD,
    "with blanks": f"\n\n  {GOOD}\n ",
    "fence": f"```json\n{GOOD}\n```",
    "fence without a language": f"```\n{GOOD}\n```",
    "tildes": f"~~~json\n{GOOD}\n~~~",
    "unfinished fence": f"```json\n{GOOD}",
    "prose before": f"Here you are: {GOOD}",
    "prose after": f"{GOOD}\n\nI hope this helps! {{smile}}",
    "prose around a fence": f"Sure.\n```json\n{GOOD}\n```\nLet me know.",
    "reasoning": f"<think>Maybe {{\"title\": \"wrong\"}}?</think>{GOOD}",
    "reasoning begun in the template": f'so {{"title": "wrong"}} it is</think>\n{GOOD}',
    "chat tokens": f"<|im_start|>assistant\n{GOOD}<|im_end|>",
    "final channel": '<|channel|>analysis<|message|>{"title": "wrong"}<|end|>'
    f"<|start|>assistant<|channel|>final<|message|>{GOOD}",
    "a draft first": f'{{"title": "draft"}}\nNo, rather:\n{GOOD}',
    "an unfit draft after": f'{GOOD}\nor {{"titel": "T"}}',
    "trailing commas": '{"title": "T", "parts": [{"name": "n",},],}',
    "line breaks in strings": '{"title": "T", "parts": [{"name": "n"}], "note": "a\nb"}',
    "braces before": "Use {curly} braces: " + GOOD,
    "further properties": GOOD[:-1] + ', "confidence": 0.9}',
}  # fmt: skip


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES.keys())
def test_the_object_is_found(text):
    assert read_object(text, Whole) == EXPECTED


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", '"title"', "{", "<think>{}", "null"])
def test_where_there_is_none_it_is_said(text):
    with pytest.raises(UnfitReplyError) as caught:
        read_object(text, Whole)
    assert caught.value.reply == text
    assert caught.value.problems == ("there is no JSON object",)


def test_the_problems_are_those_of_the_object_that_comes_nearest():
    with pytest.raises(UnfitReplyError) as caught:
        read_object('{"x": 1, "parts": 5} {"title": "T", "parts": [{"name": "n", "kind": "c"}]}', Whole)
    assert caught.value.problems == ("parts.0.kind: Input should be 'a' or 'b', not \"c\"",)


def test_problems_are_few_and_short():
    parts = [{"name": "x" * 10_000, "kind": "y" * 10_000}] * 50
    with pytest.raises(UnfitReplyError) as caught:
        read_object(json.dumps({"title": "T", "parts": parts}), Whole)
    assert len(caught.value.problems) <= 8
    assert all(len(problem) <= 300 for problem in caught.value.problems)


@pytest.mark.parametrize(
    "text", ["{" * 100_000, '{"a":' * 50_000, "```" * 50_000, "<think>" * 50_000, "[" * 100_000]
)
def test_a_hopeless_text_does_not_take_for_ever(text):
    began = time.process_time()
    with pytest.raises(UnfitReplyError):
        read_object(text, Whole)
    assert time.process_time() - began < 5


@given(st.text(max_size=40), st.text(max_size=40))
def test_nothing_but_our_error_comes_out(before, after):
    with contextlib.suppress(UnfitReplyError):
        assert isinstance(read_object(f"{before}{GOOD}{after}", Whole), Whole)


def test_a_schema_has_no_references_and_admits_nothing_further():
    schema = schema_of(Whole)
    text = json.dumps(schema)
    assert "$ref" not in text
    assert "$defs" not in text
    assert text.count('"additionalProperties": false') == 2
    assert schema_instruction(schema).endswith(json.dumps(schema, separators=(",", ":")))


def test_a_shape_that_contains_itself_is_refused():
    with pytest.raises(TypeError, match="contains itself"):
        schema_of(Tree)


class Tree(BaseModel):
    branches: list[Tree]


THOUGHTS = (
    "<think>so <b>1 < 2</b></think>\n\nx < y <i>and</i> <thinker> <Reasoning kind='x'>hm</reasoning>the end <"
)


@given(st.lists(st.integers(0, len(THOUGHTS)), max_size=12))
def test_reasoning_is_taken_out_of_a_stream_wherever_it_is_cut(cuts):
    reasoning = ReasoningFilter()
    edges = [0, *sorted(cuts), len(THOUGHTS)]
    shown = [reasoning.passed(THOUGHTS[start:end]) for start, end in itertools.pairwise(edges)]
    assert "".join([*shown, reasoning.rest()]) == "x < y <i>and</i> <thinker> the end <"


def test_a_stream_is_not_held_back_for_long():
    reasoning = ReasoningFilter()
    assert reasoning.passed("a < b and ") == "a "
    assert reasoning.passed("c" * 100) == "< b and " + "c" * 100
    assert reasoning.passed("<think>") + reasoning.passed("x" * 100) + reasoning.rest() == ""


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<THINK>a</THINK>\n\nb<thinking>c</thinking>", "b"),
        ("a</think>b", "b"),
        ("<think>never ends", ""),
        ("<reasoning effort='high'>a</reasoning>b", "b"),
        ("b</s>", "b"),
        ("<b>bold</b> and <thinker>", "<b>bold</b> and <thinker>"),
        ("[INST] x [/INST] y", "x  y"),
    ],
)
def test_reasoning_and_marks_of_templates_are_taken_off(reply, left):
    assert without_reasoning(reply) == left
