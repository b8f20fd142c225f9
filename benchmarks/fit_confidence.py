"""Fits the confidence: what each thing that speaks against an answer weighs.

    python benchmarks/fit_confidence.py [--strategy paths] [--made N] [--rows FILE] [--dry-run]

Asks the questions of ``confidence_rows.py``, fits a logistic regression (no weight above 0; a small ridge; coordinate
descent, so that the same rows give the same weights), and writes it to ``src/askgraph/answering/confidence.toml``, or
for ``--strategy paths`` to ``path_confidence.toml``. What is printed is by cross-validation over graphs: each answer is
judged by weights that were fitted without its graph. Run it again whenever readings have become better. With ``--rows``
the answers are kept in a file, or taken from it if it is there; ``--dry-run`` writes no weights.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from confidence_rows import Row, rows

from askgraph.answering.features import NEVER_RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ANSWERING = Path(__file__).resolve().parent.parent / "src" / "askgraph" / "answering"
MODELS = {"reading": _ANSWERING / "confidence.toml", "paths": _ANSWERING / "path_confidence.toml"}
RIDGE = 8.0
# What people wrote counts for more than what was made by lot, and what a graph has lost for less: there is much of it.
WEIGHTS = {
    "written": 4.0,
    "published": 1.5,
    "unanswerable": 2.0,
    "published unanswerable": 2.0,
    "made": 1.0,
    "written lost": 0.8,
    "published lost": 0.5,
    "made lost": 0.4,
}
_SWEEPS = 500
_SMALLEST_STEP = 1e-6


class Fit:
    """A logistic regression whose weights are at most 0.

    Args:
        table: the features, shape ``(rows, features)``.
        right: 1 for right answers, 0 for wrong ones.
        weights: of the rows.
    """

    def __init__(self, table: Array, right: Array, weights: Array) -> None:
        self._scale = np.sqrt(np.average(table**2, axis=0, weights=weights)) + 1e-9
        self._table = table / self._scale
        self._right, self._weights = right, weights
        self.intercept = 0.0
        self._logits = np.zeros(len(table))
        self._by_column = np.zeros(table.shape[1])
        for _ in range(_SWEEPS):
            if self._sweep() < _SMALLEST_STEP:
                break

    @property
    def by_feature(self) -> Array:
        """The weights of the features."""
        weights: Array = self._by_column / self._scale
        return weights

    def confidence(self, table: Array) -> Array:
        """The chance of being right, shape ``(rows,)``."""
        chances: Array = _chance(self.intercept + table @ self.by_feature)
        return chances

    def _sweep(self) -> float:
        """A Newton step along each coordinate in turn; how long the longest was."""
        residuals, curvature = self._slopes()
        step = residuals.sum() / curvature.sum()
        self.intercept += step
        self._logits += step
        longest = abs(step)
        for place in range(len(self._by_column)):
            column, old = self._table[:, place], self._by_column[place]
            residuals, curvature = self._slopes()
            slope = column @ residuals - RIDGE * old
            new = min(0.0, old + slope / (column**2 @ curvature + RIDGE))
            if new != old:
                self._by_column[place] = new
                self._logits += (new - old) * column
                longest = max(longest, abs(new - old))
        return float(longest)

    def _slopes(self) -> tuple[Array, Array]:
        chances = _chance(self._logits)
        return self._weights * (self._right - chances), self._weights * chances * (1 - chances)


def _chance(logits: Array) -> Array:
    chances: Array = 1.0 / (1.0 + np.exp(-logits))
    return chances


class Data:
    """Answers as arrays."""

    def __init__(self, answers: Sequence[Row]) -> None:
        self.names = sorted({name for row in answers for name in row.features})
        self.table = np.array([[row.features.get(name, 0.0) for name in self.names] for row in answers])
        self.right = np.array([float(row.is_right) for row in answers])
        self.sets = np.array([row.set for row in answers])
        self.graphs = np.array([row.graph for row in answers])
        self.weights = np.array([WEIGHTS[row.set] for row in answers])
        never = [self.names.index(name) for name in NEVER_RIGHT if name in self.names]
        self.is_judged = ~self.table[:, never].any(axis=1)

    def fit(self, chosen: NDArray[np.bool_] | None = None) -> Fit:
        """Fit to all answers, or to some; not to those that have no confidence whatever else is true of them."""
        rows = self.is_judged if chosen is None else chosen & self.is_judged
        return Fit(self.table[rows], self.right[rows], self.weights[rows])

    def cross_validated(self) -> Array:
        """The confidence of each answer by what the answers of the other graphs teach."""
        confidence = np.zeros(len(self.right))
        for graph in sorted(set(self.graphs.tolist())):
            own = self.graphs == graph
            confidence[own] = self.fit(~own).confidence(self.table[own]) * self.is_judged[own]
        return confidence


def show(data: Data, confidence: Array, least: float) -> None:
    """Print what the confidence is worth."""
    print(f"\nanswered from a confidence of {least} on (cross-validated over graphs)")
    print(f"{'':<24}{'answers':>9}{'right':>7}{'given':>7}{'right':>7}{'precision':>11}{'lost':>7}")
    for set in dict.fromkeys([*WEIGHTS, *data.sets.tolist()]):
        own = data.sets == set
        if own.any():
            given, right = own & (confidence >= least), data.right > 0
            counts = [own.sum(), (own & right).sum(), given.sum(), (given & right).sum()]
            precision = f"{counts[3] / counts[2]:.2f}" if counts[2] else "-"
            lost = f"{1 - counts[3] / counts[1]:.2f}" if counts[1] else "-"
            print(
                f"{set:<24}{counts[0]:>9}{counts[1]:>7}{counts[2]:>7}{counts[3]:>7}{precision:>11}{lost:>7}"
            )
    print("\nconfidence, and share of right answers (weighted)")
    for low in np.arange(10) / 10:
        band = (confidence >= low) & (confidence < low + 0.1)
        if band.any():
            said = np.average(confidence[band], weights=data.weights[band])
            right = np.average(data.right[band], weights=data.weights[band])
            print(f"{low:.1f}-{low + 0.1:.1f}{band.sum():>7}{said:>7.2f}{right:>7.2f}")


def write(data: Data, fit: Fit, file: Path) -> None:
    """Write the weights that are not 0, the heaviest by what they usually cost first."""
    cost = fit.by_feature * data.table.mean(axis=0)
    lines = [
        "# Written by benchmarks/fit_confidence.py: what features weigh in the logit of the confidence.",
        f"# From {len(data.right)} answers to questions of {len(set(data.graphs.tolist()))} graphs.",
        f"intercept = {fit.intercept:.4f}",
        "",
        "[weights]",
    ]
    for place in np.argsort(cost, kind="stable"):
        if round(float(fit.by_feature[place]), 4) < 0 and data.names[place] not in NEVER_RIGHT:
            lines.append(f'"{data.names[place]}" = {fit.by_feature[place]:.4f}')
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def gathered(arguments: argparse.Namespace) -> list[Row]:
    """The answers, from the file where they are kept or by asking."""
    kept: Path | None = arguments.rows
    if kept is not None and kept.exists():
        return [Row(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory(prefix="askgraph-confidence-") as scratch:
        answers = rows(arguments.embedder, arguments.made, Path(scratch), arguments.only, arguments.strategy)
        if kept is None:
            return list(answers)
        found = []
        unfinished = kept.with_suffix(".unfinished")
        with unfinished.open("w", encoding="utf-8") as opened:
            for row in answers:
                found.append(row)
                opened.write(json.dumps(row.to_dict()) + "\n")
                opened.flush()
    unfinished.replace(kept)
    return found


def main() -> None:
    """Fit, show and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--made", type=int, default=80, metavar="N", help="questions made from each graph (80)"
    )
    parser.add_argument("--strategy", default="reading", choices=list(MODELS), help="whose answers (reading)")
    parser.add_argument("--embedder", default="minilm", help="minilm or none")
    parser.add_argument(
        "--rows", type=Path, metavar="FILE", help="keep the answers here, or take them from here"
    )
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only the graphs whose name has this in it"
    )
    parser.add_argument("--least", type=float, default=0.5, help="the least confidence of the table (0.5)")
    parser.add_argument("--dry-run", action="store_true", help="write no weights")
    arguments = parser.parse_args()
    data = Data(gathered(arguments))
    show(data, data.cross_validated(), arguments.least)
    if not arguments.dry_run:
        write(data, data.fit(), MODELS[arguments.strategy])


if __name__ == "__main__":
    main()
