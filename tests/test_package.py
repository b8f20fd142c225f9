"""What an installed askgraph promises, and what the repository must not hold."""

from __future__ import annotations

import ast
import importlib
import importlib.resources
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

IMPORT_SECONDS = 0.3
HEAVY = {
    "numpy",
    "duckdb",
    "pyoxigraph",
    "onnxruntime",
    "tokenizers",
    "pydantic",
    "typer",
    "rich",
    "networkx",
    "rapidfuzz",
}


def _fresh(code: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
    }
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )


def _cpu_seconds(code: str) -> float:
    """Processor time of a fresh process, the best of three."""
    resource = pytest.importorskip("resource")

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _fresh(code)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    return min(once() for _ in range(3))


def test_importing_askgraph_costs_little() -> None:
    assert _cpu_seconds("import askgraph") - _cpu_seconds("pass") < IMPORT_SECONDS


@pytest.mark.parametrize("module", ["askgraph", "askgraph.core"])
def test_importing_askgraph_loads_nothing_heavy(module: str) -> None:
    loaded = set(_fresh(f"import sys, {module}; print(*sys.modules)").stdout.split())
    assert module in loaded
    assert not HEAVY & loaded


def test_every_public_name_is_there() -> None:
    askgraph = importlib.import_module("askgraph")
    assert askgraph.__all__, "askgraph has no public list"
    assert [name for name in askgraph.__all__ if not hasattr(askgraph, name)] == []
    assert set(askgraph.__all__) <= set(dir(askgraph)), "dir(askgraph) hides public names"


def test_an_unknown_name_is_an_attribute_error() -> None:
    askgraph = importlib.import_module("askgraph")
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = askgraph.no_such_thing


def test_the_package_tells_type_checkers_that_it_is_typed() -> None:
    assert importlib.resources.files("askgraph").joinpath("py.typed").is_file()


def _locked(lock: Path) -> dict[str, list[str]]:
    """Package name to the versions that a lock pins (for different Pythons there may be several)."""
    pins: dict[str, list[str]] = {}
    for line in lock.read_text(encoding="utf-8").splitlines():
        pin = re.match(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)", line)
        if pin:
            pins.setdefault(canonicalize_name(pin["name"]), []).append(pin["version"])
    return pins


def _wanted() -> list[tuple[str, Requirement]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"].values()
    dev = [*run, *(line for extra in extras for line in extra), *project["dependency-groups"]["dev"]]
    build = project["build-system"]["requires"]
    lists = {"run.txt": run, "dev.txt": dev, "build.txt": build}
    return [(lock, Requirement(line)) for lock, lines in lists.items() for line in lines]


@pytest.mark.parametrize(("lock", "wanted"), _wanted(), ids=str)
def test_the_lock_holds_what_the_project_asks_for(lock: str, wanted: Requirement) -> None:
    versions = _locked(ROOT / "requirements" / lock).get(canonicalize_name(wanted.name))
    assert versions, f"`make lock` was not run after {wanted} was added"
    assert all(version in wanted.specifier for version in versions)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_line_of_a_lock_is_pinned_with_a_hash_and_names_no_host(lock: Path) -> None:
    text = re.sub(r"^ *#.*\n?", "", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)
    entries = text.replace("\\\n", " ").splitlines()
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+==\S+ ", entry), entry
        assert "--hash=sha256:" in entry, entry
        assert "://" not in entry, entry


def test_the_locks_agree_on_versions() -> None:
    run, dev = (_locked(ROOT / "requirements" / name) for name in ("run.txt", "dev.txt"))
    assert {name: dev.get(name) for name in run} == run


def test_the_changelog_tells_of_the_version_to_install() -> None:
    askgraph = importlib.import_module("askgraph")
    assert f"## [{askgraph.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# Put together from parts, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile("|".join(["(?<![A-Za-z0-9._-])/" + "work/", "/" + "root/", "/tmp/" + "venv"]))
REGISTRY_HOSTS = re.compile(
    "|".join(
        re.escape(stem + ending)
        for stem, ending in [
            ("pypi", ".org"),
            ("files.pythonhosted", ".org"),
            ("registry.npmjs", ".org"),
            ("repo1.maven", ".org"),
            ("static.crates", ".io"),
            ("deb.debian", ".org"),
        ]
    )
)


def _tracked_texts() -> list[tuple[str, str]]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    texts = []
    for name in filter(None, listing.split("\0")):
        try:
            texts.append((name, (ROOT / name).read_text(encoding="utf-8")))
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # Not text, or deleted and not yet committed.
    return texts


def test_no_file_names_a_path_of_some_machine_or_the_host_of_a_registry() -> None:
    texts = _tracked_texts()
    assert len(texts) > 20
    found = [
        f"{name}: {match[0]}"
        for name, text in texts
        for pattern in (MACHINE_PATHS, REGISTRY_HOSTS)
        if (match := pattern.search(text))
    ]
    assert found == []


def test_the_set_up_script_can_be_read_by_an_old_python_and_needs_the_standard_library_alone() -> None:
    tree = ast.parse((ROOT / "scripts" / "tasks.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    modules = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "__future__" not in modules, "annotations from the future are unknown to Python 3.6"
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names


def test_the_command_can_be_run_as_a_module_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "askgraph", "load", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: askgraph load ")
