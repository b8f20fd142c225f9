"""Virtuoso from Debian's packages, unpacked into ``.servers`` beside the system, so that no root is needed.

apt checks the signatures of what it fetches; which version has to come stands in ``requirements/virtuoso.packages``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from scripts.servers import places
from scripts.tasks import SetUpError


def install_virtuoso(target: Path) -> None:
    """Unpacks Virtuoso and the libraries that this machine lacks into a folder.

    Raises:
        SetUpError: this is no Debian, or the packages are not to be had.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise SetUpError("Virtuoso is taken from Debian's packages; here are no apt-get and dpkg-deb.")
    wanted = _wanted()
    _refresh_lists_if_unknown(sorted(wanted))
    _unpack(sorted(wanted), target)
    _insist_on_versions(wanted, target)
    if missing_libraries(target):
        _unpack(_libraries_needed_by(sorted(wanted)), target)
    missing = missing_libraries(target)
    if missing:
        raise SetUpError(f"Virtuoso lacks these libraries here: {', '.join(missing)}")


def program(target: Path, name: str) -> Path:
    """The path of a program in a folder of unpacked packages."""
    return target / "usr" / "bin" / name


def libraries(target: Path) -> str:
    """The search path for shared libraries under which its programs run."""
    folders = sorted({str(path.parent) for path in target.glob("**/*.so*")})
    inherited = os.environ.get("LD_LIBRARY_PATH", "")
    return os.pathsep.join([*folders, inherited] if inherited else folders)


def missing_libraries(target: Path) -> list[str]:
    """The shared libraries that the server needs and that are neither on this machine nor in the folder."""
    environment = {**os.environ, "LD_LIBRARY_PATH": libraries(target)}
    command = ["ldd", str(program(target, "virtuoso-t")), str(program(target, "isql-vt"))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return sorted(set(re.findall(r"(\S+) => not found", done.stdout)))


def _wanted() -> dict[str, str]:
    """The names of the packages and how their versions begin."""
    lines = places.locks(places.VIRTUOSO)[0].read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def _run(command: list[str], cwd: Path | None = None) -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    said = done.stdout.decode(errors="replace")
    if done.returncode:
        raise SetUpError(f"`{' '.join(command[:3])} …` failed. It said:\n{said.strip()}")
    return said


def _refresh_lists_if_unknown(packages: list[str]) -> None:
    """On a machine that is new, apt knows no package before its lists were fetched, which only root may do."""
    known = subprocess.run(["apt-cache", "show", *packages], capture_output=True, check=False).returncode == 0
    if known:
        return
    if os.geteuid() != 0:
        raise SetUpError(f"apt does not know {' '.join(packages)}. Try: sudo apt update")
    _run(["apt-get", "update"])


def _unpack(packages: list[str], target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="askgraph-debian-") as scratch:
        # As root, apt fetches as a user of its own, who has to be let in.
        Path(scratch).chmod(0o755)
        _run(["apt-get", "download", *packages], Path(scratch))
        for package in sorted(Path(scratch).glob("*.deb")):
            _run(["dpkg-deb", "--extract", str(package), str(target)])
            (target / package.name).write_text("unpacked\n", encoding="utf-8")


def _insist_on_versions(wanted: dict[str, str], target: Path) -> None:
    for package, version in wanted.items():
        if not list(target.glob(f"{package}_{version}*.deb")):
            came = ", ".join(path.name for path in target.glob(f"{package}_*.deb"))
            raise SetUpError(f"The tests know {package} {version}; this system has {came}")


def _libraries_needed_by(packages: list[str]) -> list[str]:
    said = _run(["apt-cache", "depends", "--no-recommends", "--no-suggests", *packages])
    named = set(re.findall(r"Depends: ([\w.+-]+)", said))
    # The C library has to be the system's own.
    return sorted(named - {"libc6"} - set(packages))
