"""The documented rule by which a traversal ends, with its four parameters and its presets."""

from __future__ import annotations

import pytest

from askgraph.core.errors import SettingsError
from askgraph.retrievers.traversal.stopping import (
    AGGRESSIVE,
    BALANCED,
    CONSERVATIVE,
    AdaptiveStopping,
    hard_limit,
)


def test_the_presets_are_those_of_the_document():
    assert AdaptiveStopping(3, 15, 0.65, 1.5) == BALANCED
    assert AdaptiveStopping(2, 10, 0.75, 2.0) == AGGRESSIVE
    assert AdaptiveStopping(5, 20, 0.4, 1.0) == CONSERVATIVE


def test_below_the_minimum_nothing_ends_it():
    assert BALANCED.reason_to_stop([2.7, 2.7], 0.4) == ""


def test_an_improbable_next_path_ends_it_above_the_minimum():
    assert "below 1.5" in BALANCED.reason_to_stop([1.6, 1.6, 1.6], 1.49)
    assert BALANCED.reason_to_stop([1.6, 1.6, 1.6], 1.5) == ""


def test_a_next_path_far_below_the_median_ends_it():
    assert "median" in BALANCED.reason_to_stop([2.7, 2.6, 1.7], 1.68)
    assert BALANCED.reason_to_stop([2.7, 2.6, 1.7], 1.70) == ""


def test_the_maximum_ends_it_however_good_the_next_path_is():
    assert "15" in BALANCED.reason_to_stop([2.0] * 15, 2.7)


def test_a_hard_limit_never_stops_before():
    rule = hard_limit(25)
    assert (rule.min_subgraphs, rule.max_subgraphs) == (25, 25)
    assert rule.reason_to_stop([2.0] * 24, 0.4) == ""
    assert rule.reason_to_stop([2.0] * 25, 2.7) != ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"min_subgraphs": 0}, "min_subgraphs"),
        ({"max_subgraphs": 2.5}, "max_subgraphs"),
        ({"min_subgraphs": 5, "max_subgraphs": 4}, "more than max_subgraphs"),
        ({"quality_threshold_ratio": -0.1}, "quality_threshold_ratio"),
        ({"absolute_prob_threshold": float("nan")}, "absolute_prob_threshold"),
        ({"min_subgraphs": True}, "min_subgraphs"),
    ],
)
def test_numbers_that_make_no_rule_are_told(given, said):
    with pytest.raises(SettingsError, match=said):
        AdaptiveStopping(**given)
