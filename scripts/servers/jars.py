"""Jars by Maven, from wherever the user's own settings point, checked against the digests in ``requirements/jars``."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from scripts.servers import places
from scripts.tasks import SetUpError

_DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"

# What each Java server is made of; everything else comes with these.
_NEO4J = ("org.neo4j:neo4j:{0}", "org.neo4j.app:neo4j-server:{0}")
ARTIFACTS = {
    places.NEO4J_5: tuple(artifact.format("5.26.30") for artifact in _NEO4J),
    places.NEO4J_2026: tuple(artifact.format("2026.08.1") for artifact in _NEO4J),
    places.FUSEKI: (
        "org.apache.jena:jena-fuseki-main:5.6.0",
        "org.apache.logging.log4j:log4j-slf4j2-impl:2.25.1",
    ),
}

_POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>{name}</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY = """
    <dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"""


def fetch(part: str, target: Path) -> None:
    """Fetches the jars of a server into a folder, unchecked.

    Raises:
        SetUpError: there is no Maven here, or it could not fetch them.
    """
    maven = shutil.which("mvn")
    if not maven:
        raise SetUpError("Maven is missing. On Debian or Ubuntu: sudo apt install maven")
    dependencies = "".join(_DEPENDENCY.format(*map(escape, name.split(":"))) for name in ARTIFACTS[part])
    with tempfile.TemporaryDirectory(prefix="askgraph-jars-") as scratch:
        pom = Path(scratch) / "pom.xml"
        pom.write_text(_POM.format(name=part, dependencies=dependencies), encoding="utf-8")
        goal = f"{_DEPENDENCY_PLUGIN}:copy-dependencies"
        options = ["-DincludeScope=runtime", f"-DoutputDirectory={target}"]
        command = [maven, "--batch-mode", "--quiet", "--file", str(pom), goal, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip()
        raise SetUpError(f"Maven could not fetch the jars of {part} (is there a network?). It said:\n{said}")


def verify(part: str, folder: Path) -> None:
    """Compares the jars in a folder with the recorded digests.

    Raises:
        SetUpError: one is missing, not known, or not the same.
    """
    wanted, found = _recorded(part), _digests(folder)
    faults = [f"{name} is missing" for name in wanted if name not in found]
    faults += [f"{name} is not in the lock" for name in found if name not in wanted]
    faults += [
        f"{name} is not the same file" for name in wanted if name in found and wanted[name] != found[name]
    ]
    if faults:
        shown = "\n".join(f"  {fault}" for fault in faults[:5])
        more = f"\n  and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise SetUpError(f"What came for {part} is not what {_lock(part).name} records:\n{shown}{more}")


def record(part: str, folder: Path) -> None:
    """Writes the lock of a server anew from the jars in a folder."""
    lines = [f"{digest}  {name}\n" for name, digest in _digests(folder).items()]
    _lock(part).write_text("".join(lines), encoding="utf-8")


def _lock(part: str) -> Path:
    return places.locks(part)[0]


def _recorded(part: str) -> dict[str, str]:
    lines = _lock(part).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def _digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.jar"))}
