"""An answer read back from its strict JSON form, as it stands in a stored run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import BadValueError
from .evidence import Answer, Fact, Link, Mention, Sentence, ShortAnswer
from .graph import Hop, Path
from .plan import Table
from .values import from_json_value


def answer_from_dict(data: Mapping[str, Any]) -> Answer:
    """The inverse of :meth:`Answer.to_dict` (scores are as rounded there).

    Raises:
        BadValueError: this is not the JSON form of an answer.
    """
    try:
        return Answer(
            question=data["question"],
            sentences=tuple(_sentence(item) for item in data["sentences"]),
            answers=tuple(
                ShortAnswer(item["text"], item["node"], from_json_value(item["value"]))
                for item in data["answers"]
            ),
            facts=tuple(_fact(item) for item in data["facts"]),
            confidence=data["confidence"],
            abstained=data["abstained"],
            nearest=tuple(data["nearest"]),
            links=tuple(_link(item) for item in data["links"]),
            interpretation=data["interpretation"],
            table=None if data["table"] is None else _table(data["table"]),
            notes=tuple(data["notes"]),
            run=data["run"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise BadValueError(f"not the JSON form of an answer: {error!r}") from error


def _sentence(data: Mapping[str, Any]) -> Sentence:
    # Runs stored before sentences were checked have no verdicts.
    return Sentence(
        data["text"],
        tuple(data["facts"]),
        data.get("unsupported_because", ""),
        data.get("own_knowledge", False),
        data.get("begins_line", False),
    )


def _fact(data: Mapping[str, Any]) -> Fact:
    row = data["row"]
    return Fact(
        text=data["text"],
        kind=data["kind"],
        score=data["score"],
        retriever=data["retriever"],
        step=data["step"],
        path=None if data["path"] is None else _path(data["path"]),
        elements=tuple(data["elements"]),
        provenance={key: from_json_value(value) for key, value in data["provenance"].items()},
        row=None if row is None else {key: from_json_value(value) for key, value in row.items()},
    )


def _path(data: Mapping[str, Any]) -> Path:
    return Path(data["start"], data["start_name"], tuple(_hop(item) for item in data["hops"]))


def _hop(data: Mapping[str, Any]) -> Hop:
    return Hop(
        type=data["type"],
        label=data["label"],
        forward=data["forward"],
        edge=data.get("edge"),
        target=data.get("target"),
        target_name=data.get("target_name", ""),
        value=from_json_value(data.get("value")),
    )


def _link(data: Mapping[str, Any]) -> Link:
    mention = data["mention"]
    return Link(
        mention=Mention(mention["text"], mention["start"], mention["end"]),
        kind=data["kind"],
        id=data["id"],
        name=data["name"],
        score=data["score"],
        method=data["method"],
        types=tuple(data["types"]),
        alternatives=data["alternatives"],
    )


def _table(data: Mapping[str, Any]) -> Table:
    return Table(
        columns=tuple(data["columns"]),
        kinds=tuple(data["kinds"]),
        rows=[tuple(from_json_value(value) for value in row) for row in data["rows"]],
        truncated=data["truncated"],
        notes=tuple(data["notes"]),
    )
