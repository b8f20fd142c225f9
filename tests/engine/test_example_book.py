"""Solved examples are added from a program: all or none, and what is no text is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askgraph import Settings, open_graph
from askgraph.core.errors import ExamplesError
from askgraph.engine.example_book import NewExample

from .conftest import company

_QUERY = "MATCH (e:Employee) RETURN e.name"


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (None, _QUERY),
        ("Who?", None),
        ("Who \ud800?", _QUERY),
        ("Who?", "MATCH (e {name: '\udfff'}) RETURN e"),
    ],
)
def test_what_is_no_text_is_a_typed_error_and_nothing_is_added(
    settings: Settings, tmp_path: Path, question: Any, query: Any
) -> None:
    with open_graph(company(), settings=settings.model_copy(update={"data_dir": tmp_path})) as graph:
        good = NewExample("Who works here?", _QUERY)
        with pytest.raises(ExamplesError):
            graph.examples.add([good, NewExample(question, query)])
        assert graph.examples.all() == ()
        assert not list(tmp_path.rglob("*.tmp*"))
