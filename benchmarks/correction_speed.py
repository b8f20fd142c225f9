"""How long the correction of a query takes, without look-ups and with, on small graphs and on a million names.

    python benchmarks/correction_speed.py [--names 1000000]

CPU-seconds of this process, the best of three; one query has one value to look up.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from corrected_cypher import GRAPHS, opened, spoilt

from askgraph import Graph
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.indexes.names import NameEntry, NameIndex
from askgraph.linking.property_values import value_id
from askgraph.retrievers.querying.query_correction import QueryCorrector


def milliseconds(work: Callable[[str], object], texts: Sequence[str]) -> str:
    """Median and 95th percentile of the CPU time of one text each."""
    times = []
    for text in texts:
        best = float("inf")
        for _ in range(3):
            began = time.process_time()
            work(text)
            best = min(best, time.process_time() - began)
        times.append(1_000 * best)
    return f"{np.median(times):.1f} / {np.percentile(times, 95):.1f} / {max(times):.1f}"


def corrector(graph: Graph) -> QueryCorrector:
    """What corrects queries on a graph, and may be given another index."""
    index = graph._index_keeper.open(Run("", graph="", graph_version=""), SILENT)
    return QueryCorrector(graph.schema(), index=index, store=graph.store)


def many_names(count: int, folder: Path) -> NameIndex:
    """An index of made names of genes and people."""
    draw = random.Random(5)
    consonants = "bcdfghklmnprstvz"
    syllables = [a + b for a in consonants for b in ("a", "e", "i", "o", "u", "an", "er", "is")]

    def word() -> str:
        return "".join(draw.choice(syllables) for _ in range(draw.choice((2, 3, 3, 4)))).capitalize()

    made = (f"{word()} {word()}" for _ in range(count))
    entries = (NameEntry(value_id("name", name), name, ("Disease",)) for name in made)
    return NameIndex.build(entries, folder / "names")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--names", type=int, default=1_000_000, help="names of the big index")
    count = parser.parse_args().names
    print("milliseconds: median / 95th percentile / most")
    with tempfile.TemporaryDirectory() as folder:
        for name in GRAPHS:
            with opened(name, Path(folder)) as graph:
                texts = [found.text for _, found in spoilt(name, "odd")][::4]
                whole = corrector(graph)
                alone = QueryCorrector(graph.schema())
                print(f"{name}, {len(texts)} spoilt queries, without look-ups:", end=" ")
                print(milliseconds(lambda text, one=alone: one.correct(text, language="cypher"), texts))
                print(f"{name}, with look-ups:", milliseconds(whole.correct, texts))
                if name == "hetionet":
                    _big(whole, count, Path(folder))


def _big(whole: QueryCorrector, count: int, folder: Path) -> None:
    names = many_names(count, folder)
    assert whole.index is not None
    big = QueryCorrector(whole.schema, index=replace(whole.index, names=names, values=names), store=None)
    draw = random.Random(9)
    entries = [entry.name for number, entry in enumerate(names.entries()) if number % (count // 40) == 7][:40]
    ways = {
        "as it is": lambda text: text,
        "in small letters": str.lower,
        "with a slip": lambda text: text[:3] + text[4] + text[3] + text[5:],
        "without a word": lambda text: text.split()[draw.randrange(2)],
        "that nobody has": lambda text: f"Xq{text[::-1]} wyv",
    }
    for way, change in ways.items():
        texts = [
            f"MATCH (d:Disease {{name: '{change(text)}'}})-[:associates]->(g:Gene) RETURN g.name"
            for text in entries
        ]
        print(f"{count:,} names, a name {way}:", milliseconds(big.correct, texts))


if __name__ == "__main__":
    main()
