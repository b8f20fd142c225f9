"""What is lost where a graph gives no labels: CK25 as it is, without labels, with codes for predicates too, and what
a file of its owner's words for these codes brings back.

    python benchmarks/label_poor.py [--embedder minilm|none] [--json FILE] [--keep FOLDER]

The questions are the same four times, and so are their gold queries, but for the predicates that are called otherwise.
Names of things are then in what is left: other texts of theirs, and the ends of their IRIs; names of classes in their
IRIs; and of relations nothing is left but what they join.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyoxigraph
from answers import CK25, Measured, measure, show

from askgraph import Settings, load_graph, open_graph
from askgraph.core.words import human_label, local_name
from askgraph.evaluation import read_questions

VOCABULARY = "http://ld.company.org/prod-vocab/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
# These say what a graph is made of, whatever it is about.
KEPT = ("http://www.w3.org/", "http://purl.org/dc/")

Triples = Sequence[pyoxigraph.Quad]


def read_graph(file: Path) -> Triples:
    """The triples of a Turtle file, in its order."""
    return list(pyoxigraph.parse(path=str(file), format=pyoxigraph.RdfFormat.TURTLE))


def without_labels(triples: Triples) -> Triples:
    """Without any ``rdfs:label``, be it of a thing, a class or a predicate."""
    return [triple for triple in triples if triple.predicate.value != LABEL]


def codes_for(triples: Triples) -> dict[str, str]:
    """A code for each predicate of the graph's own vocabulary: ``…/P1`` and so on, in the order of their IRIs."""
    own = sorted(
        {triple.predicate.value for triple in triples if not triple.predicate.value.startswith(KEPT)}
    )
    return {iri: f"{VOCABULARY}P{number}" for number, iri in enumerate(own, start=1)}


def with_codes(triples: Triples, codes: Mapping[str, str]) -> Triples:
    """With these predicates called by their codes, wherever they stand."""

    def coded(term: object) -> object:
        if isinstance(term, pyoxigraph.NamedNode) and term.value in codes:
            return pyoxigraph.NamedNode(codes[term.value])
        return term

    return [
        pyoxigraph.Quad(*map(coded, (triple.subject, triple.predicate, triple.object)))  # type: ignore[arg-type]  # terms stay of their kind
        for triple in triples
    ]


def questions_with_codes(text: str, codes: Mapping[str, str]) -> str:
    """The file of questions with the predicates of its queries called by their codes."""
    names = {iri.removeprefix(VOCABULARY): code.removeprefix(VOCABULARY) for iri, code in codes.items()}
    by_prefix = re.compile(r"(?<=\bpv:)(\w+)")
    by_iri = re.compile(rf"(?<=<{re.escape(VOCABULARY)})(\w+)(?=>)")
    for pattern in (by_prefix, by_iri):
        text = pattern.sub(lambda found: names.get(found[1], found[1]), text)
    return text


def write_own_words(graph_folder: Path, codes: Mapping[str, str], file: Path) -> Path:
    """A file of descriptions that says of each code what the predicate was called: ``hasManager`` as "has manager"."""
    meant = {code: human_label(local_name(iri)) for iri, code in codes.items()}
    with open_graph(graph_folder, settings=Settings.load(save_runs=False, embedder="none")) as graph:
        schema = graph.schema()
    sections = {
        "edge_types": [item.id for item in schema.edge_types],
        "properties": list(dict.fromkeys(item.key for item in schema.properties)),
    }
    words = {
        section: {key: {"label": meant[key]} for key in keys if key in meant}
        for section, keys in sections.items()
    }
    file.write_text(json.dumps(words, indent=1), encoding="utf-8")
    return file


def write_variants(folder: Path) -> dict[str, tuple[Path, Path]]:
    """For each variant its graph and its questions, as files in ``folder``."""
    whole, questions = CK25 / "graph" / "prod-inst.ttl", CK25 / "questions.yml"
    triples = read_graph(whole)
    bare = without_labels(triples)
    codes = codes_for(triples)
    graphs = {"no labels": bare, "no labels, codes": with_codes(bare, codes)}
    variants = {"as it is": (whole, questions)}
    for name, content in graphs.items():
        file = folder / f"{name.replace(', ', '_').replace(' ', '_')}.nt"
        file.write_bytes(pyoxigraph.serialize(content, format=pyoxigraph.RdfFormat.N_TRIPLES))
        variants[name] = (file, questions)
    coded = folder / "questions.yml"
    coded.write_text(questions_with_codes(questions.read_text(encoding="utf-8"), codes), encoding="utf-8")
    variants["no labels, codes"] = (variants["no labels, codes"][0], coded)
    return variants


def measure_all(folder: Path, embedder: str) -> list[Measured]:
    """Put the questions to each variant, and to the last with its owner's words."""
    settings = Settings.load(save_runs=False, embedder=embedder, cache_dir=folder / "cache")
    results = []
    for name, (file, questions) in write_variants(folder).items():
        graph_folder = folder / f"{name}.graph"
        load_graph(file, graph_folder)
        with open_graph(graph_folder, settings=settings) as graph:
            results.append(measure(graph, name, read_questions(questions)))
    coded = folder / "no labels, codes.graph"
    words = write_own_words(
        coded, codes_for(read_graph(CK25 / "graph" / "prod-inst.ttl")), folder / "words.json"
    )
    with open_graph(coded, settings=settings, descriptions=words) as graph:
        results.append(measure(graph, "codes, own words", read_questions(folder / "questions.yml")))
    return results


def main() -> None:
    """Measure the four variants and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedder", default="minilm", help="minilm or none")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to a file")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the graphs and questions there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-label-poor-") as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        results = measure_all(folder, arguments.embedder)
    show(results)
    if arguments.json is not None:
        data = {measured.name: measured.evaluation.to_dict() for measured in results}
        arguments.json.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
