"""What tests of models leave behind is swept up at once."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def sweep(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect the connections of calls that were given up, in the test that gave them up.

    A provider's client may drop a connection in the middle of a cancelled call. asyncio closes it when it is collected,
    and warns; an arbitrary later test would fail for that.
    """
    yield
    if "server" not in request.node.nodeid and not request.node.nodeid.startswith(_SPEAKING):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


_SPEAKING = tuple(
    f"tests/models/test_{name}.py" for name in ("vendors", "faults", "served", "calls", "interruption")
)
