"""What vectors over names find that spelling does not, and what they cost.

    python benchmarks/name_meanings.py                  things asked for by other names than the graph has
    python benchmarks/name_meanings.py --cost 100000    so many made titles: the cost said, the cost met, a search

The things stand among the names of the Hetionet excerpt. Each is asked for by a synonym that shares no name with it;
asked for as well are things that the graph does not have, which must find nothing.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

import networkx
import numpy as np

from askgraph import Graph, Settings, open_graph
from askgraph.core.run import Run
from askgraph.indexes.name_vectors import NameVectors
from askgraph.linking.name_meanings import NameEmbedding
from askgraph.models.minilm import MiniLM
from askgraph.retrievers.seed_discovery.discovery import SeedDiscovery
from askgraph.retrievers.seed_discovery.entities import NamedEntity

_NODES = Path(__file__).resolve().parent.parent / "examples" / "hetionet"
# What the graph calls a thing, and what people do.
SYNONYMS = {
    "myocardial infarction": "heart attack", "hypertension": "high blood pressure", "neoplasm": "tumor",
    "cerebrovascular accident": "stroke", "pyrexia": "fever", "pruritus": "itching", "alopecia": "hair loss",
    "varicella": "chickenpox", "pertussis": "whooping cough", "rubella": "German measles", "myopia": "nearsightedness",
    "epistaxis": "nosebleed", "dyspnea": "shortness of breath", "hepatitis": "liver inflammation",
    "cutaneous melanoma": "skin cancer", "renal calculus": "kidney stone", "insomnia": "sleeplessness",
    "influenza": "flu", "nephritis": "kidney inflammation", "cephalalgia": "headache", "infertility": "sterility",
    "deglutition disorder": "swallowing problems", "arthralgia": "joint pain", "gastritis": "stomach inflammation",
    "hypoglycemia": "low blood sugar", "leukemia": "blood cancer", "xerostomia": "dry mouth", "tinnitus":
    "ringing in the ears", "physician": "doctor", "attorney": "lawyer", "automobile": "car", "motion picture": "movie",
    "aircraft": "airplane", "bicycle": "bike", "refrigerator": "fridge", "infant": "baby", "vessel": "ship",
    "dwelling": "house", "remuneration": "salary", "vendor": "seller", "footwear": "shoes", "spectacles": "glasses",
    "photovoltaic module": "solar panel", "cellular telephone": "mobile phone", "notebook computer": "laptop",
    "aviator": "pilot", "feline": "cat", "canine": "dog", "educator": "teacher", "petroleum": "oil",
    "precipitation": "rain", "sodium chloride": "salt", "acetylsalicylic acid": "aspirin", "ethanol": "alcohol",
    "ascorbic acid": "vitamin C", "United Kingdom": "Great Britain", "Netherlands": "Holland", "Myanmar": "Burma",
    "The Hague": "Den Haag", "Deutsche Bahn": "German railways",
}  # fmt: skip
ABSENT = (
    "volcano", "guitar", "Mount Everest", "chess", "quantum computer", "tomato soup", "Roman Empire", "umbrella",
    "basketball", "Ludwig van Beethoven", "parking lot", "tax return", "elevator", "wedding", "dinosaur", "snowboard",
    "passport", "poker", "pyramid", "keyboard layout", "bank holiday", "football club", "Eiffel Tower", "photo album",
    "coffee machine", "river delta", "space shuttle", "beer garden", "haircut", "birthday cake",
)  # fmt: skip


def synonym_graph() -> networkx.Graph:
    """The things, and the names of the Hetionet excerpt among which they stand."""
    import csv

    made = networkx.Graph()
    for place, name in enumerate(SYNONYMS):
        made.add_node(f"thing-{place}", name=name, type="Thing")
    with (_NODES / "nodes.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["name"] not in SYNONYMS:
                made.add_node(row["id"], name=row["name"], type=row["type"])
    return made


def measure_gain(folder: Path) -> None:
    """How many things are found by a synonym, and how many that are not there are not."""
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache")
    with open_graph(synonym_graph(), settings=settings) as graph:
        graph.build_index()
        _print_found(graph, "by spelling")
        graph.embed_names(graph.name_embedding())
        _print_found(graph, "by spelling and meaning")


def _print_found(graph: Graph, how: str) -> None:
    run = Run("names", graph="synonyms", graph_version="")
    parts = graph.parts()
    by_meaning = parts.index.by_meaning(parts.embedder)
    semantic = None if by_meaning is None else by_meaning.search
    discovery = SeedDiscovery(parts.store, parts.schema, parts.index.names, semantic)
    first, among, wrong = 0, 0, 0
    ids = {name: f"thing-{place}" for place, name in enumerate(SYNONYMS)}
    for name, asked in SYNONYMS.items():
        seeds = [seed.node for seed in discovery.discover([NamedEntity(asked)])]
        first += seeds[:1] == [ids[name]]
        among += ids[name] in seeds
        linked = [link.id for link in graph.linked(f"What do we know of {asked}?", run).things]
        wrong += bool(linked) and ids[name] not in linked
    linked_right = sum(
        ids[name] in [link.id for link in graph.linked(f"What do we know of {asked}?", run).things]
        for name, asked in SYNONYMS.items()
    )
    invented = [
        (asked, link.name)
        for asked in ABSENT
        for link in graph.linked(f"What do we know of {asked}?", run).things
    ]
    seeds_of_absent = sum(bool(discovery.discover([NamedEntity(asked)])) for asked in ABSENT)
    print(
        f"{how}: of {len(SYNONYMS)} synonyms {first} find their thing first, {among} among the seeds; "
        f"a question links {linked_right} rightly and {wrong} wrongly; of {len(ABSENT)} things that are not there "
        f"{seeds_of_absent} have seeds and {len(invented)} are linked: {invented}"
    )


# --- cost

# The words of which titles are made.
_WORDS = (
    "graph", "query", "neural", "secure", "fast", "learning", "robust", "parallel", "index", "stream", "logic", "model",
    "data", "search", "energy", "protein", "market", "climate", "vision", "language", "robot", "planning", "network",
    "privacy", "theory", "optimal", "adaptive", "causal", "visual", "medical",
)  # fmt: skip


def measure_cost(folder: Path, names: int) -> None:
    """The cost that is said, the cost that is met, and what a search costs then."""
    made = random.Random(7)
    titles = [f"{' '.join(made.sample(_WORDS, 4))} {number:06d}" for number in range(names)]
    embedder = MiniLM()
    file = folder / "names.vectors"
    spent = time.process_time()
    embedding = NameEmbedding(titles, file, embedder, fingerprint="1")
    cost = embedding.cost()
    print(
        f"said: {cost.new:,} names, {cost.seconds:.0f} s at {cost.per_second:.0f} a second, {cost.bytes / 1e6:.0f} MB"
    )
    done = embedding.run()
    cpu = time.process_time() - spent
    print(
        f"met: {done.seconds:.0f} s, {cpu:.0f} CPU-s ({done.names / cpu:.0f} names a CPU-s), "
        f"{file.stat().st_size / 1e6:.0f} MB on disk"
    )
    began = time.process_time()
    again = NameEmbedding([*titles, "one more title"], file, embedder, fingerprint="2")
    print(f"one new name: {again.run().embedded} embedded, {time.process_time() - began:.1f} CPU-s")
    vectors = NameVectors.open(file)
    print(f"resident memory: at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    _print_search(vectors, embedder, made.sample(titles, 100))


def _print_search(vectors: NameVectors, embedder: MiniLM, names: list[str]) -> None:
    """Milliseconds of a search, and how many of the ten nearest names it finds."""
    asked = embedder.embed([f"a paper on {name.rsplit(' ', 1)[0]}" for name in names])
    taken, found = [], []
    for query in asked:
        began = time.process_time()
        found.append([match.key for match in vectors.search(query[None, :], 10)[0]])
        taken.append(1000 * (time.process_time() - began))
    every = np.array([vectors.vector(name) for name in vectors.names], dtype=np.float32)
    recalls = []
    for query, own in zip(asked, found, strict=True):
        scores = every @ query
        least = np.sort(scores)[-10] - 1e-3
        recalls.append(
            sum(scores[list(vectors.names).index(name)] >= least for name in own[:10]) / 10
        ) if len(recalls) < 20 else None
    print(
        f"search: {statistics.median(taken):.1f} CPU-ms, {statistics.fmean(recalls):.2f} of the ten nearest found"
    )


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cost", type=int, metavar="NAMES")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        if arguments.cost:
            measure_cost(Path(scratch), arguments.cost)
        else:
            measure_gain(Path(scratch))


if __name__ == "__main__":
    main()
