"""Looks at this installation: its packages, the settings in force, the embedding model."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from .. import __version__
from ..core.run import without_credentials
from ..core.settings import Settings, settings_file
from .finding import Finding, megabytes

PACKAGES = (
    "duckdb",
    "httpcore2",
    "kglite",
    "neo4j",
    "numpy",
    "onnxruntime",
    "pydantic",
    "pyoxigraph",
    "rapidfuzz",
    "tokenizers",
)
"""Packages whose versions are told; all of them must be there."""


def packages() -> Iterator[Finding]:
    """The versions of the packages that everything rests on."""
    found = {package: _version(package) for package in PACKAGES}
    listed = ", ".join(f"{package} {version}" for package, version in found.items() if version)
    yield Finding("ok", "packages", f"askgraph {__version__}, Python {platform.python_version()}, {listed}")
    missing = [package for package, version in found.items() if not version]
    if missing:
        yield Finding(
            "problem",
            "packages",
            f"not installed: {', '.join(missing)}",
            f"pip install {' '.join(missing)}",
        )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def settings_in_force(settings: Settings) -> Iterator[Finding]:
    """Where the settings come from (never their values), and whether the user's folders can be written to."""
    file = settings_file()
    variables = sorted(name for name in os.environ if name.startswith("ASKGRAPH_"))
    sources = [f"the file {file}"] if file is not None else []
    if variables:
        sources.append(f"the environment ({', '.join(variables)})")
    yield Finding(
        "ok",
        "settings",
        f"from {' and '.join(sources)}" if sources else "the defaults: no file, no ASKGRAPH_…",
    )
    for about, folder in (("cache", settings.cache_dir), ("run records", settings.runs_dir)):
        if _is_writable(folder):
            yield Finding("ok", about, f"in {folder}")
        elif about == "run records" and not settings.save_runs:
            yield Finding("note", about, f"{folder} cannot be written to; runs are not stored anyway")
        else:
            variable = "ASKGRAPH_CACHE_DIR" if about == "cache" else "ASKGRAPH_DATA_DIR"
            yield Finding(
                "problem", about, f"{folder} cannot be written to", f"Make it writable, or set {variable}."
            )


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where it is not there yet."""
    existing = next((part for part in (folder, *folder.parents) if part.exists()), None)
    if existing is None or not existing.is_dir():
        return False
    try:
        # Permissions do not tell all (a file system may be mounted read-only): only trying does.
        with tempfile.TemporaryFile(dir=existing):
            return True
    except OSError:
        return False


def embedder(settings: Settings) -> Iterator[Finding]:
    """The embedding model, read whole and compared with its known content."""
    if settings.embedder == "none":
        yield Finding(
            "note",
            "embedder",
            "switched off: relations are found by their words alone, not by meaning",
            "Set embedder to minilm for better answers.",
        )
        return
    if settings.embedder not in ("minilm", "multilingual"):
        place = without_credentials(settings.embedder)
        yield Finding("note", "embedder", f"{place}: on a server, which is not asked here")
        return
    from ..models.minilm import MODEL_FILE, TOKENIZER_FILE, MiniLM
    from ..models.multilingual import MODEL_FILE as MULTILINGUAL_FILE
    from ..models.multilingual import MultilingualE5

    name, files = MiniLM.name, [MODEL_FILE, TOKENIZER_FILE]
    if settings.embedder == "multilingual":
        name, files = MultilingualE5.name, [MULTILINGUAL_FILE]
    size = sum(len(file.read()) for file in files)
    yield Finding("ok", "embedder", f"{name}: {megabytes(size)}, the known content")


def language_model(settings: Settings) -> Iterator[Finding]:
    """The language model, if one is set: whether its package and its key are there, what is known of it.

    It is not called; a server of the user's own is asked for its list of models.
    """
    if not settings.model:
        return
    from ..core.model_call import Usage
    from ..models.prices import cost_of, table_version
    from ..models.registry import make_model

    model = make_model(settings)
    window = model.context_window
    if not settings.allow_model_calls:
        yield Finding(
            "warning",
            "language model",
            f"{model.name}: calls are forbidden by the setting allow_model_calls",
            "Set ASKGRAPH_ALLOW_MODEL_CALLS=true, or use what is cached or recorded.",
        )
        return
    cost = cost_of(model, Usage(1_000, 1_000))
    price = (
        f"{cost:.4g} dollars for 1,000 tokens in and 1,000 out"
        if cost is not None
        else "its price is not known"
    )
    table = table_version()
    yield Finding(
        "ok",
        "language model",
        f"{model.name}: takes {window:,} tokens; {price}" + (f" ({table})" if table and cost else ""),
    )
