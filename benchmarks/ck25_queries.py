"""The SPARQL texts that language models wrote for CK25: how many pass the gate, the schema check and the engine.

    python benchmarks/ck25_queries.py --data ../shared/data/ck25

The texts are read where they lie; each that passes the gate runs on the embedded engine, in its killable worker.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from askgraph.core.budget import Budget
from askgraph.core.errors import AskgraphError, QueryError
from askgraph.querying import check
from askgraph.querying.schema_check import check_schema
from askgraph.stores.rdf.store import RdfStore


def recorded(data: Path) -> dict[str, list[str]]:
    """The texts by where they come from, without those that are missing."""
    found: dict[str, list[str]] = {"recorded_predictions": [], "challenge": []}
    for file in sorted((data / "recorded_predictions").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            found["recorded_predictions"].append(json.loads(line)["sparql"] or "")
    for file in sorted((data / "challenge2025_cc_by_sa").glob("answers_*.json")):
        for record in json.loads(file.read_text(encoding="utf-8")):
            found["challenge"].append(record["query"] or "")
    return found


def judged(text: str, store: RdfStore) -> list[str]:
    """What is to be counted for one text."""
    try:
        checked = check(text, language="sparql")
    except QueryError as error:
        return [f"gate: {error.code}"]
    counts = ["gate: passes"]
    problems = check_schema(checked, store.schema())
    counts += [f"schema: {code}" for code in sorted({problem.code for problem in problems})]
    counts += [] if any(problem.severity == "error" for problem in problems) else ["schema: passes"]
    try:
        result = store.query(checked, budget=Budget(seconds=20))
    except AskgraphError as error:
        return [*counts, f"engine: {type(error).__name__}"]
    return [*counts, "engine: runs", "engine: gives rows" if len(result) else "engine: gives no rows"]


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="the folder of CK25 with the recorded texts")
    data = parser.parse_args().data
    with RdfStore.from_files(data / "graph" / "prod-inst.ttl") as store:
        figures = {
            origin: {"texts": len(texts)}
            | dict(sorted(Counter(item for text in texts for item in judged(text, store)).items()))
            for origin, texts in recorded(data).items()
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
