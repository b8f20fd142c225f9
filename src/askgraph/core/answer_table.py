"""The rows of an answer in words: nodes by their names where the answer has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .evidence import Answer
from .plan import Table
from .values import Value, display
from .words import local_name


def node_names(answer: Answer) -> dict[str, str]:
    """Names of nodes by id, as far as the short answers and the paths of the facts tell them."""
    names = {item.node: item.text for item in answer.answers if item.node is not None}
    for fact in answer.facts:
        if fact.path is not None:
            names.setdefault(fact.path.start, fact.path.start_name)
            for hop in fact.path.hops:
                if hop.target is not None:
                    names.setdefault(hop.target, hop.target_name)
    return names


def rows_in_words(
    table: Table, rows: Sequence[tuple[Value, ...]], names: Mapping[str, str]
) -> Iterator[list[str]]:
    """These rows of the table as texts: a node by its name, else by the last part of its id; null as nothing."""
    for row in rows:
        yield [
            _cell(value, is_node=kind == "node", names=names)
            for value, kind in zip(row, table.kinds, strict=True)
        ]


def _cell(value: Value, *, is_node: bool, names: Mapping[str, str]) -> str:
    if value is None:
        return ""
    return names.get(str(value)) or local_name(str(value)) if is_node else display(value)
