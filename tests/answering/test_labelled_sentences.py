"""The checker on sentences labelled by hand: what gets through, what does not, and how quickly."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package")


@pytest.mark.parametrize("half", ["dev", "held out", "later"])
def test_what_is_called_supported_is_and_most_of_what_is_supported_is_called_so(half):
    from labelled_sentences import read_labelled  # type: ignore[import-not-found, unused-ignore]
    from support import check  # type: ignore[import-not-found, unused-ignore]

    items = read_labelled(half)
    assert len(items) >= 60
    result = check(items, None)
    right, said = result.share("yes", "yes", of="said")
    found, every = result.share("yes", "yes", of="label")
    assert right / said >= 0.97, [item.text for item, verdict, _ in result.wrong if verdict == "yes"]
    assert found / every >= 0.87
    assert result.seconds / len(items) < 0.02


def test_every_kind_of_claim_is_among_the_labelled_sentences():
    from labelled_sentences import read_labelled  # type: ignore[import-not-found, unused-ignore]

    kinds = {item.kind for item in read_labelled()}
    assert {
        "paraphrase", "direction", "number", "negation", "invented name", "not cited", "wrong citation",
        "aggregation", "date", "comparative", "pairing", "relation", "unit", "rounding", "quantifier", "multi-hop",
        "hedged", "embellished", "no claim",
    } <= kinds  # fmt: skip


def test_an_unsupported_sentence_has_a_reason_in_words():
    from labelled_sentences import read_labelled  # type: ignore[import-not-found, unused-ignore]
    from support import check  # type: ignore[import-not-found, unused-ignore]

    result = check([item for item in read_labelled("dev") if item.label == "no"], None)
    assert all(verdict != "no" for _, verdict, _ in result.wrong)
    assert not any("{" in reason for _, _, reason in result.wrong)
