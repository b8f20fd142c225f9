"""How many nodes DIAMOnD deserves to add, for each pair of types: measured on the graph itself.

For nodes of one type their neighbours of another are the seeds in that other type's layer. A share of the seeds is
hidden, and the rest is grown: what of the hidden ones comes back, beside what comes back of seeds drawn by lot with the
same degrees, is what the growth is worth; and a module that hangs together more than one of random seeds (uniform, and
of like degrees) is no chance. The steps chosen are the fewest that bring nearly all of the gain in recall.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...algorithms import degree_matched_seeds, diamond, largest_component_size, uniform_seeds
from ...core.budget import Budget
from ...core.errors import CorruptGraphError, SettingsError
from ...core.progress import SILENT, Progress
from .options import SubgraphOptions
from .typed_graph import NodeLayer, TypedGraph

Integers = NDArray[np.int64]

CHECKPOINTS: Final = (0, 5, 10, 20, 30, 50, 75, 100)
"""Numbers of steps that are compared."""

SHARES_HIDDEN: Final = (0.1, 0.2, 0.3)
"""How much of the seeds is hidden, one trial each."""

_FORMAT: Final = 2
_FILE: Final = "subgraph_calibration.json"
_FEWEST_SEEDS, _MOST_SEEDS = 10, 500
_NEARLY_ALL: Final = 0.95


@dataclass(frozen=True, slots=True)
class PairCalibration:
    """What was measured for one pair of types; figures are means over the sampled nodes, one for each checkpoint.

    Attributes:
        origin: the type whose nodes are asked about.
        layer: the type whose layer is grown.
        samples: nodes sampled.
        seeds: seeds of a sample, in the mean.
        recall: the share of hidden seeds that came back.
        recall_by_chance: the same for seeds of like degrees.
        largest: the size of the module's largest component.
        largest_uniform: the same from uniform random seeds.
        largest_matched: the same from random seeds of like degrees.
        steps: what was chosen.
    """

    origin: str
    layer: str
    samples: int
    seeds: float
    recall: tuple[float, ...]
    recall_by_chance: tuple[float, ...]
    largest: tuple[float, ...]
    largest_uniform: tuple[float, ...]
    largest_matched: tuple[float, ...]
    steps: int

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured on one version of a graph, in layers of these edge types (see :class:`SubgraphOptions`)."""

    graph_version: str
    pairs: tuple[PairCalibration, ...]
    seed: int
    notes: tuple[str, ...] = ()
    layer_edge_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def options(self, options: SubgraphOptions) -> SubgraphOptions:
        """Options with the steps that were chosen; what they say themselves of a pair stays.

        Where their layers are not those that were measured, they stay as they are.
        """
        if dict(options.layer_edge_types) != dict(self.layer_edge_types):
            return options
        given = dict(options.diamond_steps_by_types)
        found = {(pair.origin, pair.layer): pair.steps for pair in self.pairs}
        measured = frozenset(found.keys() - given.keys())
        return replace(options, diamond_steps_by_types=found | given, measured_steps=measured)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "format": _FORMAT,
            "graph_version": self.graph_version,
            "checkpoints": list(CHECKPOINTS),
            "seed": self.seed,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "notes": list(self.notes),
            "layer_edge_types": {kind: list(types) for kind, types in sorted(self.layer_edge_types.items())},
        }


def calibrate(
    graph: TypedGraph,
    graph_version: str,
    *,
    samples: int = 10,
    seed: int = 0,
    budget: Budget | None = None,
    progress: Progress = SILENT,
) -> Calibration:
    """Measure every pair of types of a graph that can be measured.

    Args:
        graph: its networks.
        graph_version: of its content.
        samples: nodes sampled for each pair.
        seed: of what is drawn by lot.
        budget: when its time is up, the pairs measured so far are given, and the rest is noted.
        progress: told of the pairs.

    Raises:
        SettingsError: fewer than one node is to be sampled.
    """
    if samples < 1:
        raise SettingsError(
            f"samples is 1 or more, not {samples}", advice="10 are taken unless you say otherwise."
        )
    pairs, notes = [], []
    wanted = list(_pairs_of(graph))
    progress.start("pairs of types", len(wanted))
    for done, (origin, layer, harvests) in enumerate(wanted):
        if budget is not None and budget.remaining <= 0:
            notes.append(
                f"The time was up: {len(wanted) - done} of {len(wanted)} pairs of types were not measured."
            )
            break
        lot = np.random.default_rng([seed, done])
        chosen = [harvests[place] for place in _sampled(lot, len(harvests), samples)]
        pairs.append(_measure(graph.in_rows.node_types[origin], layer, chosen, lot))
        progress.advance()
    progress.finish()
    return Calibration(graph_version, tuple(pairs), seed, tuple(notes), graph.layer_edge_types)


def save_calibration(calibration: Calibration, folder: Path) -> Path:
    """Keep a calibration beside the graph, in place of an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / _FILE
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps(calibration.to_dict(), ensure_ascii=False, allow_nan=False), encoding="utf-8")
    draft.replace(file)
    return file


def read_calibration(folder: Path, graph_version: str) -> Calibration | None:
    """The calibration of this version of the graph, if there is one.

    Raises:
        CorruptGraphError: its file is damaged.
    """
    file = folder / _FILE
    if not file.is_file():
        return None
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != _FORMAT or data["graph_version"] != graph_version:
            return None
        pairs = tuple(map(_pair, data["pairs"]))
        layers = {kind: tuple(types) for kind, types in data["layer_edge_types"].items()}
        return Calibration(data["graph_version"], pairs, data["seed"], tuple(data["notes"]), layers)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptGraphError(
            f"{file} cannot be read: {error}", advice="Measure again: askgraph subgraph GRAPH --calibrate"
        ) from error


def _pair(data: dict[str, Any]) -> PairCalibration:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    return PairCalibration(**values)


def _pairs_of(graph: TypedGraph) -> Iterator[tuple[int, NodeLayer, list[Integers]]]:
    """Each (type, layer) that has nodes with enough neighbours, and these neighbours as places in the layer."""
    network, types = graph.network, graph.in_rows.types_of_rows
    for kind in range(len(graph.in_rows.node_types)):
        layer = graph.layer(kind)
        if not layer.network.edge_count:
            continue
        inside = np.zeros(network.node_count, dtype=np.int64)
        inside[layer.rows] = 1
        # How many neighbours of this type each node has.
        counts = np.add.reduceat(np.append(inside[network.neighbors], 0), network.offsets[:-1])
        counts[np.diff(network.offsets) == 0] = 0
        fits = (counts >= _FEWEST_SEEDS) & (counts <= min(_MOST_SEEDS, len(layer.rows) // 2))
        for origin in np.unique(types[fits]).tolist():
            if origin >= 0:
                rows = np.flatnonzero(fits & (types == origin))
                harvests = [layer.places(_neighbours(graph, row, kind)) for row in rows.tolist()]
                yield origin, layer, harvests


def _neighbours(graph: TypedGraph, row: int, kind: int) -> Integers:
    around = graph.network.neighbors_of(row)
    rows: Integers = around[graph.in_rows.types_of_rows[around] == kind]
    return rows


def _sampled(lot: np.random.Generator, count: int, samples: int) -> list[int]:
    chosen = lot.choice(count, min(samples, count), replace=False)
    return sorted(chosen.tolist())


def _measure(
    origin: str, layer: NodeLayer, harvests: Sequence[Integers], lot: np.random.Generator
) -> PairCalibration:
    recall, by_chance, largest, uniform, matched = [], [], [], [], []
    for seeds in harvests:
        number = int(lot.integers(2**31))
        like = degree_matched_seeds(layer.network, seeds, 1, seed=number)[0]
        unlike = uniform_seeds(layer.network, seeds, 1, seed=number)[0]
        for share in SHARES_HIDDEN:
            recall.append(_recall(layer, seeds, share, lot))
            by_chance.append(_recall(layer, like, share, lot))
        largest.append(_growth(layer, seeds))
        uniform.append(_growth(layer, unlike))
        matched.append(_growth(layer, like))
    recalls, chances = _means(recall), _means(by_chance)
    return PairCalibration(
        origin=origin,
        layer=layer.name,
        samples=len(harvests),
        seeds=round(sum(map(len, harvests)) / len(harvests), 2),
        recall=recalls,
        recall_by_chance=chances,
        largest=_means(largest),
        largest_uniform=_means(uniform),
        largest_matched=_means(matched),
        steps=_chosen(recalls, chances),
    )


def _recall(layer: NodeLayer, seeds: Integers, share: float, lot: np.random.Generator) -> list[float]:
    """The share of the hidden seeds that have come back, at each checkpoint."""
    hidden = lot.choice(seeds, max(1, round(share * len(seeds))), replace=False)
    left = np.setdiff1d(seeds, hidden)
    found = np.isin(diamond(layer.network, left, steps=CHECKPOINTS[-1]).nodes, hidden)
    return [float(found[:steps].sum()) / len(hidden) for steps in CHECKPOINTS]


def _growth(layer: NodeLayer, seeds: Integers) -> list[float]:
    """The size of the largest component at each checkpoint."""
    added = diamond(layer.network, seeds, steps=CHECKPOINTS[-1]).nodes
    return [
        float(largest_component_size(layer.network, np.union1d(seeds, added[:steps])))
        for steps in CHECKPOINTS
    ]


def _means(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(round(math.fsum(column) / len(column), 6) for column in zip(*rows, strict=True))


def _chosen(recall: Sequence[float], by_chance: Sequence[float]) -> int:
    """The fewest steps that bring nearly all of what is gained over chance; 0 where nothing is."""
    gains = [own - chance for own, chance in zip(recall, by_chance, strict=True)]
    best = max(gains)
    if best <= 0:
        return 0
    return next(steps for steps, gain in zip(CHECKPOINTS, gains, strict=True) if gain >= _NEARLY_ALL * best)
