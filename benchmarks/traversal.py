"""What path-aware traversal reaches and what it costs.

    python benchmarks/traversal.py                    CK25: how much of what its gold queries need lies in the subgraphs
    python benchmarks/traversal.py --servers          the same through Fuseki, Virtuoso and Oxigraph (`make servers`)
    python benchmarks/traversal.py --dblp 100000      seeds, subgraphs and the index on a made graph like DBLP's, with
                                                      so many entities, embedded and on an Oxigraph server;
                                                      with --kgnode PYTHON kgnode itself does the same there

CK25: paths begin at the nodes that the gold query names; the template is what a perfect model would say (their names
and the gold relations), or the question alone. Counted is the share of the query's predicates among the triples of at
most 15 subgraphs, and the share of its answers among their ends. Questions whose query names no node are left out, and
for answers those that ask for a count, a figure or a yes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from answers import CK25

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.evidence import Mention
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.core.values import display
from askgraph.evaluation import read_questions
from askgraph.evaluation.gold import GoldQuestion
from askgraph.evaluation.gold_answers import gold_of
from askgraph.evaluation.sparql_content import content_of_sparql
from askgraph.models.minilm import MODEL_FILE, TOKENIZER_FILE
from askgraph.retrievers.seed_discovery.discovery import SeedDiscovery
from askgraph.retrievers.seed_discovery.entities import NamedEntity
from askgraph.retrievers.seeds import Seed
from askgraph.retrievers.traversal.retriever import MAX_HOPS
from askgraph.retrievers.traversal.template import Template
from askgraph.retrievers.traversal.traversal import PathTraversal, Traversed

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

_SEED = 25
_SHOWN = 3
_SERVERS = {
    "fuseki": ("fuseki_server", "FusekiServer"),
    "virtuoso": ("virtuoso_server", "VirtuosoServer"),
    "oxigraph": ("oxigraph_server", "OxigraphServer"),
}


def seeds_at(graph: Graph, nodes: Sequence[str]) -> list[Seed]:
    """Seeds at nodes, by their ids."""
    return [
        Seed(Mention("", 0, 0), node.name, 1.0, (node.id,), node.types) for node in graph.store.nodes(nodes)
    ]


def traversal_of(graph: Graph) -> PathTraversal:
    """The traversal of a graph, with the embedder of its settings."""
    return PathTraversal(graph.store, graph.schema(), graph._ready_embedder(), max_hops=MAX_HOPS)


# --- CK25


@dataclass
class Reached:
    """What was reached, question by question: shares, triples, milliseconds for a seed, and everything found."""

    predicates: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    triples: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    found: list[frozenset[tuple[str, str, str]]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)

    def line(self) -> str:
        """In one line."""
        return (
            f"{len(self.predicates)} questions, {len(self.answers)} with answers: "
            f"predicates {statistics.fmean(self.predicates):.3f}, answers {statistics.fmean(self.answers):.3f}, "
            f"triples p50 {statistics.median(self.triples):.0f} max {max(self.triples)}, "
            f"{statistics.median(self.milliseconds):.0f} ms ({statistics.median(self.cpu):.0f} CPU) a seed"
        )


def template_of(
    gold: GoldQuestion, seeds: Sequence[Seed], relations: Sequence[str], graph: Graph
) -> Template:
    """What a perfect model would say."""
    labels = [graph.schema().label_of(relation) for relation in relations]
    return Template(" ".join([*(seed.name for seed in seeds), *labels]), tuple(relations), "gold")


def ck25(graph: Graph, gold_graph: Graph, *, use_gold: bool) -> Reached:
    """Follow the gold paths of CK25 in one graph; what is gold is read from another, which is embedded."""
    reached = Reached()
    traversal = traversal_of(graph)
    for gold in read_questions(CK25 / "questions.yml").questions:
        assert gold.query is not None
        content = content_of_sparql(gold.query.text, gold_graph.schema())
        if not content.things:
            continue
        seeds = seeds_at(graph, list(content.things))
        template = template_of(gold, seeds, content.relations, graph) if use_gold else Template(gold.text)
        began, spent = time.perf_counter(), time.process_time()
        found = traversal.subgraphs(seeds, template, Budget())
        reached.milliseconds.append(1000 * (time.perf_counter() - began) / len(seeds))
        reached.cpu.append(1000 * (time.process_time() - spent) / len(seeds))
        _note(reached, found, gold, content, gold_graph)
    return reached


def _note(reached: Reached, found: Traversed, gold: GoldQuestion, content: Any, gold_graph: Graph) -> None:
    triples = {triple.key: triple for item in found.subgraphs for triple in item.triples}
    reached.found.append(frozenset(triples))
    reached.questions.append(gold.text)
    reached.triples.append(len(triples))
    predicates = set(content.relations)
    there = {triple.relation for triple in triples.values()}
    reached.predicates.append(len(predicates & there) / len(predicates) if predicates else 1.0)
    ends = {end for item in triples.values() for end in (item.source, item.target or display(item.value))}
    if content.forms & {"count", "yes/no", "figure"}:
        return
    items = gold_of(gold, gold_graph.store, 60.0).items
    held = [bool(ends.intersection((item.node or "", *map(display, item.forms)))) for item in items]
    if held:
        reached.answers.append(sum(held) / len(held))


def run_ck25(folder: Path, servers: Sequence[str]) -> None:
    """Print the shares, embedded and through servers, and whether these find the same."""
    turtle = CK25 / "graph" / "prod-inst.ttl"
    load_graph([turtle], folder / "ck25.graph")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache")
    with open_graph(folder / "ck25.graph", settings=settings) as embedded:
        ck25(embedded, embedded, use_gold=True)  # vectors of relations are made once
        by_gold = ck25(embedded, embedded, use_gold=True)
        print("gold template, embedded:", by_gold.line())
        print("question alone, embedded:", ck25(embedded, embedded, use_gold=False).line())
        for name in servers:
            with (
                Serving(name, folder / name, turtle) as address,
                open_graph(address, settings=settings) as graph,
            ):
                ck25(graph, embedded, use_gold=True)
                through = ck25(graph, embedded, use_gold=True)
                print(f"gold template, {name}:", through.line())
                _print_differences(by_gold, through)


def _print_differences(embedded: Reached, served: Reached) -> None:
    """For how many questions a server gave other triples than the embedded graph, and which they were."""
    differing = [
        (question, one, other)
        for question, one, other in zip(embedded.questions, embedded.found, served.found, strict=True)
        if one != other
    ]
    same = len(embedded.found) - len(differing)
    print(f"  the same triples as embedded for {same} of {len(embedded.found)} questions")
    for question, one, other in differing:
        print(
            f"  {question}: {len(one - other)} of {len(one)} triples embedded only, {len(other - one)} served only"
        )
        for where, triples in (("embedded", one - other), ("served", other - one)):
            for triple in sorted(triples)[:_SHOWN]:
                print(f"    {where} only: {' '.join(triple)}")


def _servers(named: Sequence[str] | None) -> Sequence[str]:
    """None without the option, those named, or all where none is named."""
    return () if named is None else named or list(_SERVERS)


class Serving:
    """A server with one file loaded, for as long as the block lasts; gives its address."""

    def __init__(self, name: str, folder: Path, turtle: Path) -> None:
        from importlib import import_module

        module, kind = _SERVERS[name]
        folder.mkdir(parents=True)
        # Virtuoso's own cap is 10,000 rows where nobody sets another.
        options = {"row_cap": 10_000} if name == "virtuoso" else {}
        self._server: Any = getattr(import_module(f"tests.servers.{module}"), kind)(
            folder, timeout=60, **options
        )
        self._turtle = turtle

    def __enter__(self) -> str:
        self._server.start()
        self._server.load(self._turtle)
        graph = getattr(self._server, "graph", None)
        return f"sparql+{self._server.url}" + (f"?default-graph-uri={graph}" if graph else "")

    def __exit__(self, *error: object) -> None:
        self._server.stop()


# --- a graph like DBLP's

_FIRST = "Ada Ben Cho Dana Elif Finn Gita Hugo Ines Jan Kira Liu Mona Nils Olga Pia Quin Rosa Sven Tara"
_LAST = "Abel Berg Chen Diaz Egger Fuchs Gupta Holm Ito Jung Kaya Lund Meyer Novak Okoro Park Quist Rossi"
_WORDS = "graph query neural secure fast learning robust parallel index stream logic model data search"


def dblp_like(entities: int) -> Iterator[str]:
    """Lines of N-Triples: two fifths of the entities are persons, the others papers by three of them on average."""
    made = random.Random(_SEED)
    first = _FIRST.split()
    last = _LAST.split()
    words = _WORDS.split()
    persons, papers = entities * 2 // 5, entities - entities * 2 // 5
    schema, types = "https://dblp.org/rdf/schema#", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"

    def literal(subject: str, predicate: str, text: str) -> str:
        return f'<{subject}> <{schema}{predicate}> "{text}" .\n'

    for number in range(persons):
        person = f"https://dblp.org/pid/{number}"
        name = f"{made.choice(first)} {made.choice(last)} {number:05d}"
        yield f'<{person}> {types} <{schema}Person> .\n<{person}> {label} "{name}" .\n'
        yield literal(person, "primaryCreatorName", name)
        yield literal(person, "primaryAffiliation", f"University of {made.choice(last)}")
        yield f"<{person}> <{schema}orcid> <https://orcid.org/{number:08d}> .\n"
        yield f"<{person}> <{schema}wikidata> <http://www.wikidata.org/entity/Q{number}> .\n"
    for number in range(papers):
        paper = f"https://dblp.org/rec/{number}"
        title = f"{' '.join(made.sample(words, 4))} {number:05d}"
        yield f'<{paper}> {types} <{schema}Publication> .\n<{paper}> {label} "{title}" .\n'
        yield literal(paper, "title", title)
        yield f'<{paper}> <{schema}yearOfPublication> "{made.randint(1980, 2024)}"^^'
        yield "<http://www.w3.org/2001/XMLSchema#gYear> .\n"
        yield literal(paper, "publishedIn", f"Journal of {made.choice(words)}")
        yield literal(paper, "bibtexType", made.choice(("Article", "Inproceedings")))
        yield f"<{paper}> <{schema}doi> <https://doi.org/10.1/{number}> .\n"
        yield f"<{paper}> <{schema}publishedInStream> <https://dblp.org/streams/{made.randrange(200)}> .\n"
        for author in made.sample(range(persons), made.randint(1, 5)):
            yield f"<{paper}> <{schema}authoredBy> <https://dblp.org/pid/{author}> .\n"


_TASKS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("person to Wikidata", "pid", "What is the Wikidata entry of {}?", ("wikidata",)),
    ("person to papers, year", "pid", "In which years did {} publish?", ("authoredBy", "yearOfPublication")),
    ("paper to authors", "rec", "Who wrote {}?", ("authoredBy",)),
)


def run_dblp(folder: Path, entities: int, sample: int, kgnode: str | None = None) -> None:
    """Print what the index, seeds and subgraphs cost."""
    file = folder / "dblp.nt"
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(dblp_like(entities))
    report = load_graph([file], folder / "dblp.graph")
    print(f"{entities:,} entities; {report}")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache")
    with open_graph(folder / "dblp.graph", settings=settings) as graph:
        began = time.process_time()
        index = graph.build_index()
        print(f"index of {index.names:,} names: {time.process_time() - began:.1f} CPU-s")
        measure_seeds(graph, sample)
        measure_traversal(graph, sample, "embedded", lambda: 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"resident memory, embedded: at most {peak:.0f} MB")
    with (
        Serving("oxigraph", folder / "oxigraph", file) as address,
        open_graph(address, settings=settings) as graph,
    ):
        graph.schema()
        asked = _counted_requests(graph)
        measure_traversal(graph, sample, "Oxigraph", asked)
        if kgnode:
            run_kgnode(kgnode, address.removeprefix("sparql+"), graph, sample)


def run_kgnode(python: str, endpoint: str, graph: Graph, sample: int) -> None:
    """The same tasks by kgnode, with the interpreter that has it; see ``kgnode_beside.py``."""
    tasks = []
    for name, place, question, relations in _TASKS:
        chosen = random.Random(_SEED).sample(range(10_000), sample)
        ids = [f"https://dblp.org/{place}/{number}" for number in chosen]
        seeds = [(node.id, node.name) for node in graph.store.nodes(ids)]
        tasks.append((name, question, [f"https://dblp.org/rdf/schema#{item}" for item in relations], seeds))
    files = [
        str(Path(next(iter(find_spec(file.package).submodule_search_locations))) / file.path)  # type: ignore[union-attr,arg-type]
        for file in (MODEL_FILE, TOKENIZER_FILE)
    ]
    script = str(Path(__file__).with_name("kgnode_beside.py"))
    done = subprocess.run(
        [python, script, endpoint, "--onnx", files[0], "--tokenizer", files[1]],
        input=json.dumps(tasks),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for line in filter(lambda text: text.startswith("{"), done.stdout.splitlines()):
        found = json.loads(line)
        print(
            f"kgnode, {found['name']}: {_quantiles(found['ms'])}, CPU p50 {statistics.median(found['cpu']):.0f} ms, "
            f"{statistics.fmean(found['calls']):.1f} SPARQL calls, "
            f"gold relations reached {found['right'] / len(found['ms']):.2f}"
        )


def _counted_requests(graph: Graph) -> Callable[[], int]:
    """Counts the requests that a store sends from now on."""
    client: Any = graph.store.client  # type: ignore[attr-defined]
    send, count = client._send, [0]

    def counting(*arguments: Any, **options: Any) -> Any:
        count[0] += 1
        return send(*arguments, **options)

    client._send = counting
    return lambda: count[0]


def measure_seeds(graph: Graph, sample: int) -> None:
    """Exact names, names with a typing error, and inverted names of entities chosen by lot."""
    index = graph._open_index(Run("seeds", graph="dblp", graph_version=""), SILENT)
    discovery = SeedDiscovery(graph.store, graph.schema(), index.names)
    chosen = random.Random(_SEED).sample(range(graph.schema().node_count // 4), sample)
    nodes = list(graph.store.nodes([f"https://dblp.org/pid/{number}" for number in chosen]))
    ways: dict[str, Callable[[str], str]] = {
        "exact": lambda name: name,
        "one letter wrong": lambda name: name[:2] + "x" + name[3:],
        "inverted": lambda name: ", ".join(reversed(name.split(" ", 1))),
    }
    for way, written in ways.items():
        taken, right = [], 0
        for node in nodes:
            began = time.perf_counter()
            seeds = discovery.discover([NamedEntity(written(node.name))])
            taken.append(1000 * (time.perf_counter() - began))
            right += any(seed.node == node.id for seed in seeds)
        print(f"seeds, {way}: {_quantiles(taken)}, right in top 3: {right / len(nodes):.2f}")


def measure_traversal(graph: Graph, sample: int, where: str, asked: Callable[[], int]) -> None:
    """The three kinds of questions, each from nodes chosen by lot."""
    traversal = traversal_of(graph)
    schema = "https://dblp.org/rdf/schema#"
    for name, place, question, relations in _TASKS:
        chosen = random.Random(_SEED).sample(range(10_000), sample)
        taken, cpu, calls, trips, right = [], [], [], [], 0
        for seed in seeds_at(graph, [f"https://dblp.org/{place}/{number}" for number in chosen]):
            template = Template(question.format(seed.name), tuple(schema + item for item in relations))
            before, began, spent = asked(), time.perf_counter(), time.process_time()
            found = traversal.subgraphs([seed], template, Budget())
            taken.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - spent))
            calls.append(asked() - before)
            trips.append((found.round_trips - 1) / max(1, found.hops))
            there = {triple.relation for item in found.subgraphs for triple in item.triples}
            right += {schema + item for item in relations} <= there
        requests = f", {statistics.fmean(calls):.0f} requests in all" if any(calls) else ""
        print(
            f"{where}, {name}: {_quantiles(taken)}, CPU p50 {statistics.median(cpu):.0f} ms, "
            f"{statistics.fmean(trips):.1f} questions a hop{requests}, "
            f"gold relations reached {right / len(taken):.2f}"
        )


def _quantiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"p50 {statistics.median(ordered):.1f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.1f} ms"


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--servers", nargs="*", choices=list(_SERVERS), help="all, or those named")
    parser.add_argument("--dblp", type=int, metavar="ENTITIES")
    parser.add_argument("--sample", type=int, default=25)
    parser.add_argument("--kgnode", metavar="PYTHON", help="an interpreter that has kgnode, to run it beside")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        if arguments.dblp:
            run_dblp(Path(scratch), arguments.dblp, arguments.sample, arguments.kgnode)
        else:
            run_ck25(Path(scratch), _servers(arguments.servers))


if __name__ == "__main__":
    main()
