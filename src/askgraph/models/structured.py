"""Replies that are data: the JSON Schema that a model gets, and the object found in what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..core.errors import ModelReplyError
from .replies import without_reasoning

Shape = TypeVar("Shape", bound=BaseModel)

# What a model is shown of its own faults: enough to mend them, no more.
_MOST_PROBLEMS = 8
_LONGEST_PROBLEM = 300
# Places at which an object may begin; a text of braces must not take for ever.
_MOST_ATTEMPTS = 300
_FENCED = re.compile(r"(?:```|~~~)[ \t]*\w*[ \t]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


class UnfitReplyError(ModelReplyError):
    """A reply in which there is no object of the asked shape. ``problems``: what is wrong with it, a line each."""

    def __init__(self, message: str, problems: tuple[str, ...], *, reply: str) -> None:
        super().__init__(message, reply=reply)
        self.problems = problems


def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a shape, in the form that providers take: no references, no further properties."""
    schema = shape.model_json_schema()
    definitions = schema.pop("$defs", {})
    resolved: dict[str, Any] = _resolved(schema, definitions, ())
    return resolved


def schema_instruction(schema: Mapping[str, Any]) -> str:
    """What a model is told that takes no schema."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{text}"


def read_object(text: str, shape: type[Shape]) -> Shape:
    """The object of the asked shape in a reply: alone, in a fence, among prose, after reasoning, before afterthoughts.

    Where several objects fit, the last one in a fence counts, else the last one: models correct themselves.

    Raises:
        UnfitReplyError: there is none; its problems say what is wrong with the one that comes nearest.
    """
    best: tuple[str, ...] | None = None
    for candidate in _candidates(without_reasoning(text)):
        try:
            return shape.model_validate(candidate, strict=False)
        except ValidationError as error:
            problems = _problems(error)
            if best is None or len(problems) < len(best):
                best = problems
    if best is None:
        raise UnfitReplyError(
            "the model replied without a JSON object", ("there is no JSON object",), reply=text
        )
    raise UnfitReplyError(
        f"the model's JSON is not what was asked for: {best[0]}", best[:_MOST_PROBLEMS], reply=text
    )


def _candidates(text: str) -> Iterator[Any]:
    """Every JSON object in the text that is in no other one, the likeliest first."""
    fenced = [match[1] for match in _FENCED.finditer(text)]
    for part in [*reversed(fenced), text]:
        yield from reversed(list(_objects(part)))


def _objects(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    for _ in range(_MOST_ATTEMPTS):
        if at < 0:
            return
        for attempt in (text[at:], _TRAILING_COMMA.sub(r"\1", text[at:])):
            try:
                found, length = decoder.raw_decode(attempt)
            except (ValueError, RecursionError):
                continue
            yield found
            # After a repaired text the length is a little short; what is skipped too little begins no object.
            at += length - 1
            break
        at = text.find("{", at + 1)


def _problems(error: ValidationError) -> tuple[str, ...]:
    problems = []
    for problem in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in problem["loc"]) or "the object"
        text = f"{place}: {problem['msg']}"
        if problem["type"] != "missing":
            text += f", not {json.dumps(problem['input'], ensure_ascii=False, default=str)}"
        problems.append(text[:_LONGEST_PROBLEM])
    return tuple(problems)


def _resolved(node: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_resolved(item, definitions, within) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        if name in within:
            raise TypeError(f"a shape that contains itself ({name}) cannot be asked of a model")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_resolved(definitions[name], definitions, (*within, name)), **rest}
    found = {key: _resolved(value, definitions, within) for key, value in node.items()}
    if found.get("type") == "object" and "properties" in found:
        found.setdefault("additionalProperties", False)
    return found
