"""Sentences labelled by hand, read from ``benchmarks/sentences``; its README says how they are written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askgraph.core.evidence import Fact, FactKind
from askgraph.core.graph import Hop
from askgraph.core.graph import Path as GraphPath
from askgraph.core.values import Value

FOLDER = Path(__file__).resolve().parent / "sentences"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with its citations, as a model wrote it; what may support it; and what a careful reader says.

    ``label`` is ``"yes"``, ``"no"`` or ``"none"`` for a sentence without a claim.
    """

    graph: str
    half: str
    question: str
    facts: tuple[Fact, ...]
    types: Mapping[str, tuple[str, ...]]
    text: str
    label: str
    kind: str


def read_labelled(half: str | None = None) -> list[Labelled]:
    """All labelled sentences, or those of one half."""
    found = [item for file in sorted(FOLDER.glob("*.toml")) for item in _read(file)]
    return [item for item in found if half in (None, item.half)]


def _read(file: Path) -> Iterator[Labelled]:
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    for group in data["groups"]:
        types = {name: (kind,) for kind, names in group["types"].items() for name in names}
        facts = tuple(_fact(text) for text in group["facts"])
        for label, kind, text in group["pairs"]:
            yield Labelled(data["graph"], group["half"], group["question"], facts, types, text, label, kind)


def _fact(text: str) -> Fact:
    if text.startswith("text: "):
        return Fact(text.removeprefix("text: "), "statement", 1.0, "labelled")
    if text.startswith("row: "):
        columns, _, read = text.removeprefix("row: ").partition(" | ")
        row = {
            name.strip(): _value(value)
            for name, _, value in (item.partition("=") for item in columns.split("; "))
        }
        subject = row.get("answer")
        shown = "; ".join(f"{name}: {value}" for name, value in row.items() if name != "answer")
        return _row(f"{subject} — {shown}" if subject else shown, "row", read, row)
    if text.startswith("count: "):
        what, _, number = text.removeprefix("count: ").rpartition(" = ")
        return _row(f"{what}: {number}", "count", what, {"count": int(number)})
    return _path(text)


def _row(text: str, kind: FactKind, read: str, row: Mapping[str, Value]) -> Fact:
    return Fact(text, kind, 1.0, "labelled", step=read, row=row)


def _path(text: str) -> Fact:
    hops: list[Hop] = []
    start = ""
    statements: list[str] = []
    for part in text.split("; "):
        subject, label, object = (item.strip() for item in part.split("|"))
        start = start or subject
        statements.append(f"{subject} {label} {object.removeprefix('= ')}")
        if object.startswith("= "):
            hops.append(Hop(label, label, value=_value(object.removeprefix("= "))))
        else:
            hops.append(Hop(label, label, True, f"edge {len(hops)}", object, object))
    path = GraphPath(start, start, tuple(hops))
    return Fact("; ".join(statements), "path", 1.0, "labelled", path=path, elements=path.node_ids)


def _value(text: str) -> Any:
    text = text.strip()
    if text in ("yes", "no"):
        return text == "yes"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def groups_of(items: Sequence[Labelled]) -> Iterator[tuple[tuple[str, str], list[Labelled]]]:
    """The sentences of each group, by graph and question."""
    groups: dict[tuple[str, str], list[Labelled]] = {}
    for item in items:
        groups.setdefault((item.graph, item.question), []).append(item)
    yield from groups.items()
