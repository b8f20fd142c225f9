"""kgnode 0.3.0 on a SPARQL endpoint, as ``traversal.py --dblp N --kgnode PYTHON`` runs it beside askgraph.

Run by an interpreter that has kgnode (in an environment of its own: it brings torch). No language
model is asked: the template and the relations are given. Where the model all-MiniLM-L6-v2 cannot be downloaded, its
8-bit file that askgraph comes with takes its place (``--onnx``, ``--tokenizer``), which is faster than torch.

Reads tasks as JSON on standard input: ``[[name, template, [relation, …], [seed, …]], …]``. Writes a line of JSON for
each task: milliseconds, CPU milliseconds and SPARQL calls of each seed, and how many reached all relations.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


class PackagedMiniLM:
    """What kgnode uses of a SentenceTransformer, on an ONNX file."""

    network: Any = None
    tokenizer: Any = None

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, texts: Any, **options: Any) -> Any:
        """A vector of length 1 for a text, or a row for each of several."""
        several = [texts] if isinstance(texts, str) else list(texts)
        rows = [self._one(text) for text in several]
        return rows[0] if isinstance(texts, str) else np.array(rows)

    def _one(self, text: str) -> Any:
        ids = np.array([self.tokenizer.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = self.network.run(["last_hidden_state"], given)[0][0].mean(axis=0)
        return mean / np.linalg.norm(mean)


def use_packaged_model(onnx: Path, tokenizer: Path) -> None:
    """Let kgnode embed with a model from files."""
    import onnxruntime
    import sentence_transformers
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    PackagedMiniLM.network = onnxruntime.InferenceSession(str(onnx), options)
    PackagedMiniLM.tokenizer = Tokenizer.from_file(str(tokenizer))
    sentence_transformers.SentenceTransformer = PackagedMiniLM


def main() -> None:
    """Run the tasks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("endpoint")
    parser.add_argument("--onnx", type=Path)
    parser.add_argument("--tokenizer", type=Path)
    arguments = parser.parse_args()
    if arguments.onnx:
        use_packaged_model(arguments.onnx, arguments.tokenizer)
    from kgnode import KGConfig
    from kgnode import subgraph_extraction as extraction
    from kgnode.core.sparql_query import execute_sparql_query

    config = KGConfig(sparql_endpoint=arguments.endpoint, openai_model="openai/none", lm_api_key="none")
    for name, template, relations, seeds in json.load(sys.stdin):
        extraction._get_allowed_relations = lambda *_, **__: set()
        taken: list[float] = []
        cpu: list[float] = []
        calls: list[int] = []
        right = 0
        for seed, label in seeds:
            text = template.format(label)
            extraction.create_template = lambda *given, said=text, **__: (given[2].encode(said), said)
            asked = [0]

            def counting(query: str, asked: list[int] = asked) -> Any:
                asked[0] += 1
                return execute_sparql_query(query, config=config)

            began, spent = time.perf_counter(), time.process_time()
            subgraphs, _ = extraction.get_subgraphs(
                seed,
                text,
                config=config,
                kg_connection=counting,
                relation_nodes=[{"relation_uri": relation} for relation in relations],
            )
            taken.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - spent))
            calls.append(asked[0])
            there = json.dumps(subgraphs, default=str)
            right += all(relation in there for relation in relations)
        print(json.dumps({"name": name, "ms": taken, "cpu": cpu, "calls": calls, "right": right}), flush=True)


if __name__ == "__main__":
    main()
