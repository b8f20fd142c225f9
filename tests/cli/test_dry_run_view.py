"""What a dry run says of its price."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askgraph.cli.page import Page
from askgraph.cli.views.dry_run import show_dry_run
from askgraph.core.dry_run import DryRun
from askgraph.core.model_call import Message

DRY = DryRun("Who?", "query", "http://localhost:8080/v1", (Message("user", "Who?"),), 1264, 4096, 0.0, 20)


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (0.0, "4,096: free of charge."),
        (0.0026, "4,096: at most $0.0026."),
        (None, "4,096: no price is known for it."),
    ],
)
def test_a_dry_run_says_what_the_call_would_cost(cost: float | None, said: str) -> None:
    lines = show_dry_run(replace(DRY, cost=cost), Page(200))
    assert said in " ".join(line.plain for line in lines)
