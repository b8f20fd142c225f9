"""Reads the outputs of the published reference programs, where they lie beside the repository."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from askgraph.algorithms import Network

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "diamond"

NETWORK_FILES = {
    "example": "network.csv",
    "synth_small": "network.tsv",
    "synth_medium": "network.tsv",
    "synth_interactome": "network.tsv",
    "edge_cases": "network.tsv",
}


@dataclass(frozen=True)
class Published:
    """A network of the references with its seeds; names are numbered in their own order."""

    network: Network
    names: list[str]
    seeds: list[int]

    def number(self, name: str) -> int:
        return self.names.index(name)

    def numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


def folder(name: str) -> Path:
    """The folder of this name; the test is skipped where the data are not there."""
    path = FOLDER / name
    if not path.is_dir():
        pytest.skip(f"the reference data of {name} are not beside this repository")
    return path


def pairs(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = (line.replace(",", "\t").split("\t") for line in lines if line and not line.startswith("#"))
    return [(first.strip(), second.strip()) for first, second, *_ in cells]


def published(name: str) -> Published:
    edges = pairs(folder(name) / NETWORK_FILES[name])
    names = sorted({end for edge in edges for end in edge})
    numbers = {text: number for number, text in enumerate(names)}
    network = Network.from_edges(
        len(names), [numbers[one] for one, _ in edges], [numbers[other] for _, other in edges]
    )
    seeds = (folder(name) / "seeds.txt").read_text(encoding="utf-8").split()
    return Published(network, names, [numbers[seed] for seed in seeds if seed in numbers])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
