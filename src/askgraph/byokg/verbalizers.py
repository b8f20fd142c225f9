"""Triples and paths as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.graph import Hop, Path
from ..core.values import display


class Triplet(tuple[str, str, str]):
    """A triple in words, ``(head, relation, tail)``, in the direction of its edge. ``path``: the same with ids."""

    path: Path

    def __new__(cls, path: Path) -> Triplet:
        """The triple that a path of one hop is."""
        (hop,) = path.hops
        there = _end(hop)
        ends = (path.start_name, there) if hop.forward else (there, path.start_name)
        triplet = super().__new__(cls, (ends[0], hop.label, ends[1]))
        triplet.path = path
        return triplet


class TripletGVerbalizer:
    """Triples as text: ``Ada -> works in -> Engines``; those of one head and relation together.

    Args:
        delimiter: stands between head, relation and tail.
        merge_delimiter: stands between the tails of one head and relation.
    """

    def __init__(self, delimiter: str = "->", merge_delimiter: str = "|") -> None:
        self.delimiter = f" {delimiter.strip()} "
        self.merge_delimiter = merge_delimiter

    def verbalize(self, triplets: Iterable[Sequence[Any]]) -> list[str]:
        """Each triple as a line. Values of any kind are written as they are."""
        return [self.delimiter.join(display_item(part) for part in triplet) for triplet in triplets]

    def verbalize_relations(self, triplets: Iterable[Sequence[Any]]) -> list[str]:
        """The relations, each once, in their order."""
        return list(dict.fromkeys(display_item(triplet[1]) for triplet in triplets))

    def verbalize_head_relations(self, triplets: Iterable[Sequence[Any]]) -> list[str]:
        """Head and relation of each triple, each pair once."""
        return list(dict.fromkeys(self.verbalize(triplet[:2] for triplet in triplets)))

    def verbalize_merge_triplets(
        self, triplets: Iterable[Sequence[Any]], max_retain_num: int = -1
    ) -> list[str]:
        """The triples with the tails of one head and relation on one line.

        ``max_retain_num``: at most so many tails on a line, the first ones; how many more there are is said.
        """
        merged: dict[tuple[str, str], dict[str, None]] = {}
        for head, relation, tail in triplets:
            merged.setdefault((display_item(head), display_item(relation)), {})[display_item(tail)] = None
        return [
            self.delimiter.join((*pair, self._joined(list(tails), max_retain_num)))
            for pair, tails in merged.items()
        ]

    def _joined(self, tails: Sequence[str], most: int) -> str:
        shown = tails if most < 0 else tails[:most]
        left = len(tails) - len(shown)
        return self.merge_delimiter.join(shown) + (f" (and {left} more)" if left else "")


class PathVerbalizer:
    """Paths as text: ``Ada -> works in -> Engines -> located in -> Turin``; against an edge ``<-`` for ``->``.

    Args:
        graph_verbalizer: writes paths of one hop; by itself otherwise.
        delimiter: stands between the parts.
        merge_delimiter: stands between the ends of paths that are the same but for their ends.
    """

    def __init__(
        self,
        graph_verbalizer: TripletGVerbalizer | None = None,
        delimiter: str = "->",
        merge_delimiter: str = "|",
    ) -> None:
        self.graph_verbalizer = graph_verbalizer
        self.delimiter = delimiter.strip()
        self.merge_delimiter = merge_delimiter

    def verbalize(self, paths: Iterable[Path]) -> list[str]:
        """Each path as a line, those that differ in their ends alone on one."""
        merged: dict[str, dict[str, None]] = {}
        for path in paths:
            if path.hops:
                merged.setdefault(self._before_end(path), {})[_end(path.hops[-1])] = None
        return [before + self.merge_delimiter.join(ends) for before, ends in merged.items()]

    def _before_end(self, path: Path) -> str:
        if len(path.hops) == 1 and self.graph_verbalizer is not None and path.hops[0].forward:
            (line,) = self.graph_verbalizer.verbalize([(path.start_name, path.hops[0].label, "")])
            return line
        text = path.start_name
        for place, hop in enumerate(path.hops):
            text += f" {self._arrow(hop)} {hop.label} {self._arrow(hop)} "
            if place < len(path.hops) - 1:
                text += _end(hop)
        return text

    def _arrow(self, hop: Hop) -> str:
        if hop.forward:
            return self.delimiter
        return "<-" if self.delimiter == "->" else f"inverse {self.delimiter}"


def display_item(part: Any) -> str:
    """A part of a triple as text; texts as they are."""
    return part if isinstance(part, str) else display(part)


def _end(hop: Hop) -> str:
    return display(hop.value) if hop.is_property else hop.target_name
