"""What an operator can set, and what is said of a setting that makes no sense."""

from __future__ import annotations

import pytest

from askgraph.core.errors import SettingsError
from askgraph.querying import GatePolicy
from askgraph.querying.policy import is_listed


def test_nothing_beyond_reading_the_graph_is_allowed_by_default() -> None:
    policy = GatePolicy()
    assert (
        policy.allow_procedures
        == policy.allow_functions
        == policy.allow_graphs
        == policy.allow_services
        == ()
    )
    assert policy.rows == 1_000


def test_settings_are_changed_by_name() -> None:
    policy = GatePolicy().updated({"allow_procedures": ["db.labels"], "rows": 5})
    assert policy.allow_procedures == ("db.labels",)
    assert policy.rows == 5
    assert GatePolicy(rows=None).rows is None


@pytest.mark.parametrize(
    "settings",
    [
        {"allow_everything": True},
        {"allow_procedures": "db.labels"},
        {"allow_procedures": 5},
        {"allow_graphs": [1]},
        {"rows": -1},
        {"rows": "many"},
        {"rows": True},
        {"longest_path": None},
        {"unbounded_paths": "perhaps"},
    ],
)
def test_a_setting_that_makes_no_sense_is_an_error(settings) -> None:
    with pytest.raises(SettingsError):
        GatePolicy().updated(settings)


def test_names_are_listed_exactly_or_by_namespace() -> None:
    assert is_listed("db.labels", ["db.labels"])
    assert not is_listed("DB.labels", ["db.labels"])
    assert is_listed("db.index.vector.queryNodes", ["db.index.*"])
    assert not is_listed("db.indexes", ["db.index.*"])
    assert not is_listed("anything", ["*"])
