"""Precision and recall of the checker of sentences, on sentences labelled by hand.

    python benchmarks/support.py [--half dev] [--embedder minilm] [--show]

A sentence is checked with the citations that it has, as an answer's is: with another number behind it or none, it may
still be supported by some fact. ``--show`` prints every sentence that was judged wrongly.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field

from labelled_sentences import Labelled, groups_of, read_labelled

from askgraph.answering.citations import parse_citations
from askgraph.answering.support.judge import Judge
from askgraph.models.base import Embedder

_VERDICTS = {"supported": "yes", "unsupported": "no", "no claim": "none"}


@dataclass
class Result:
    """What the checker said of some sentences: (label, said, kind) counts, and seconds of the processor."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[tuple[Labelled, str, str]] = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0

    def share(self, said: str, label: str, *, of: str, kind: str | None = None) -> tuple[int, int]:
        """How many of the sentences with one label or verdict have the other too."""
        wanted = {key: count for key, count in self.counts.items() if kind in (None, key[2])}
        both = sum(count for key, count in wanted.items() if key[0] == label and key[1] == said)
        of_said = of == "said"
        every = sum(
            count for key, count in wanted.items() if (key[1] == said if of_said else key[0] == label)
        )
        return both, every


def check(items: list[Labelled], embedder: Embedder | None) -> Result:
    """Let the checker judge sentences."""
    result = Result()
    for _, group in groups_of(items):
        for item in group:
            judge = Judge(item.facts, item.question, types=item.types, embedder=embedder)
            cited = parse_citations(item.text)
            began = time.process_time()
            judged = judge.judge(cited.text, cited.numbers)
            took = time.process_time() - began
            result.seconds += took
            result.slowest = max(result.slowest, took)
            said = _VERDICTS[judged.verdict.kind]
            result.counts[item.label, said, item.kind] += 1
            if said != item.label:
                result.wrong.append((item, said, judged.verdict.reason))
    return result


def show(result: Result) -> None:
    """Print precision and recall, in all and by kind."""
    total = sum(result.counts.values())
    precision, recall = result.share("yes", "yes", of="said"), result.share("yes", "yes", of="label")
    caught = result.share("no", "no", of="label")
    print(
        f"{total} sentences, {1000 * result.seconds / total:.2f} ms each, the slowest {1000 * result.slowest:.1f} ms"
    )
    print(f"supported: precision {_percent(*precision)}, recall {_percent(*recall)}")
    print(f"unsupported: caught {_percent(*caught)}")
    for kind in sorted({key[2] for key in result.counts}):
        right = sum(count for key, count in result.counts.items() if key[2] == kind and key[0] == key[1])
        every = sum(count for key, count in result.counts.items() if key[2] == kind)
        false = sum(
            count for key, count in result.counts.items() if key[2] == kind and key[1] == "yes" != key[0]
        )
        print(f"  {kind:<16} {right:>3} of {every:<3} right, {false} let through")


def _percent(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def main() -> None:
    """Measure one half, or both."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--half", choices=["dev", "held out", "later"])
    arguments.add_argument("--embedder", choices=["minilm", "none"], default="none")
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    embedder: Embedder | None = None
    if options.embedder == "minilm":
        from askgraph.models.minilm import MiniLM

        embedder = MiniLM()
    for half in [options.half] if options.half else ["dev", "held out", "later"]:
        print(f"--- {half}")
        result = check(read_labelled(half), embedder)
        show(result)
        if options.show:
            for item, said, reason in result.wrong:
                print(f"{item.label} judged {said} ({item.graph}, {item.kind}): {item.text}\n    {reason}")


if __name__ == "__main__":
    main()
