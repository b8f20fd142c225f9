"""What holds for every test: no network but loopback, no trace in the user's folders, the example graphs at hand."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_GUARD = Path(__file__).resolve().parent / "network_guard"

# Not settings of askgraph, which a developer's own must not reach the tests, but of the tests themselves.
_FOR_THE_TESTS = (
    "ASKGRAPH_CONFORMANCE",
    "ASKGRAPH_FUZZ",
    "ASKGRAPH_GATE_CASES",
    "ASKGRAPH_REQUIRE_SERVERS",
)

# Ends of variables in which vendors of models look for keys and addresses.
_OF_VENDORS = ("_API_KEY", "_BASE_URL")

sys.path.insert(0, str(_GUARD))
import network_guard  # noqa: E402

network_guard.start()

pytest_plugins = ["tests.servers.fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option by which outputs shown in the documentation are brought up to date."""
    parser.addoption(
        "--update-docs",
        action="store_true",
        help="write what commands print into the pages that show it differently",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Sets the environment that this process and its children see, before any test module is imported."""
    scratch = tempfile.TemporaryDirectory(prefix="askgraph-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(scratch.cleanup)
    own = Path(scratch.name)
    for variable in [name for name in os.environ if name.startswith("ASKGRAPH_")]:
        if variable not in _FOR_THE_TESTS:
            del os.environ[variable]
    os.environ["XDG_CONFIG_HOME"] = str(own / "config")
    os.environ["ASKGRAPH_CACHE_DIR"] = str(own / "cache")
    os.environ["ASKGRAPH_DATA_DIR"] = str(own / "data")
    # Nobody's key is used, and nobody's money spent, by a test; one that has a model server of its own allows it.
    os.environ["ASKGRAPH_ALLOW_MODEL_CALLS"] = "false"
    for variable in [name for name in os.environ if name.endswith(_OF_VENDORS) or name.startswith("AWS_")]:
        del os.environ[variable]
    os.environ[network_guard.LOG_VARIABLE] = str(own / "network.log")
    _put_first_on_python_path(_GUARD)
    _use_hypothesis_profile()


def _put_first_on_python_path(folder: Path) -> None:
    others = [
        entry
        for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep)
        if entry not in ("", str(folder))
    ]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *others])


def _use_hypothesis_profile() -> None:
    from hypothesis import settings

    # A busy machine is no fault of the code; and the same commit gives the same verdict twice. Who wants to find new
    # faults sets ASKGRAPH_FUZZ: other examples at every run, and more of them.
    settings.register_profile("repeatable", deadline=None, print_blob=True, derandomize=True, database=None)
    settings.register_profile("exploring", deadline=None, print_blob=True)
    settings.load_profile("exploring" if os.environ.get("ASKGRAPH_FUZZ") else "repeatable")


@pytest.fixture(autouse=True)
def _no_attempt_to_leave_this_machine() -> Iterator[None]:
    """Fails a test that tried to, even where the code under test swallowed the refusal or a child did it."""
    log = Path(os.environ[network_guard.LOG_VARIABLE])
    yield
    if log.exists():
        attempts = log.read_text(encoding="utf-8")
        log.unlink()
        pytest.fail(attempts.strip(), pytrace=False)


@pytest.fixture
def forgive_network_attempts() -> Iterator[None]:
    """For the tests of the guard itself, which try on purpose."""
    yield
    Path(os.environ[network_guard.LOG_VARIABLE]).unlink(missing_ok=True)


@pytest.fixture
def data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder that is empty and of this test alone."""
    folder = tmp_path / "data"
    monkeypatch.setenv("ASKGRAPH_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def cache_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache folder that is empty and of this test alone; without it tests of one process share one."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ASKGRAPH_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(scope="session")
def ck25_turtle() -> Path:
    """The company graph, one Turtle file."""
    return ROOT / "examples" / "ck25" / "graph" / "prod-inst.ttl"


@pytest.fixture(scope="session")
def ck25_questions() -> Path:
    """Fifty questions on the company graph, each with a SPARQL query that answers it."""
    return ROOT / "examples" / "ck25" / "questions.yml"


@pytest.fixture(scope="session")
def hetionet_nodes() -> Path:
    """The node table of the biomedical graph."""
    return ROOT / "examples" / "hetionet" / "nodes.csv"


@pytest.fixture(scope="session")
def hetionet_edges() -> Path:
    """The edge table of the biomedical graph."""
    return ROOT / "examples" / "hetionet" / "edges.csv"
