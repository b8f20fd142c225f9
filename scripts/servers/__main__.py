"""Installs the servers that tests talk to into ``.servers`` of this checkout, and nowhere else.

    python -m scripts.servers              install what is not there yet
    python -m scripts.servers fuseki       only this (python, neo4j-5, neo4j-2026, fuseki, virtuoso, model-server,
                                           text2sparql-client, graphrag)
    python -m scripts.servers --check      only say what is there
    python -m scripts.servers --lock       record the jars that Maven gives today, after a change of versions

Python packages and jars are checked against digests in ``requirements``; addresses of registries come from the user's
own settings of pip, uv, Maven and apt. `make servers` does the same.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts import tasks
from scripts.servers import debian, jars, places, training
from scripts.tasks import SetUpError

_JAR_SETS = tuple(jars.ARTIFACTS)
_TRAINED = (places.NEO4J_5, places.NEO4J_2026)


def install(part: str) -> None:
    """Installs one part anew. Its record is written last, so that half an installation is never taken for a whole one.

    Raises:
        SetUpError: something is missing on this machine, could not be fetched, or is not what was recorded.
    """
    target = places.folder(part)
    shutil.rmtree(target, ignore_errors=True)
    if part in places.ENVIRONMENTS:
        target.parent.mkdir(exist_ok=True)
        command = tasks.make_environment(target)
        options = ["--no-deps"] if part in places.WITHOUT_DEPENDENCIES else []
        if part == places.GRAPHRAG and tasks.find_uv():
            # It is started anew for each search, from a thousand files; pip compiles them by itself.
            options.append("--compile-bytecode")
        tasks.run_quietly(
            [*command, *options, "--require-hashes", "--requirement", str(places.locks(part)[0])]
        )
    elif part == places.VIRTUOSO:
        target.mkdir(parents=True)
        debian.install_virtuoso(target)
    else:
        jars.fetch(part, target / "lib")
        jars.verify(part, target / "lib")
        if part in _TRAINED:
            training.make_initial_user(part)
            training.train(part)
    places.write_record(part, target)


def install_missing(parts: list[str]) -> int:
    """Installs what is not there, says how each went, and gives the number of failures."""
    failures = 0
    for part in parts:
        if places.is_installed(part):
            print(f"{part:18} is there", flush=True)
            continue
        started = time.monotonic()
        try:
            install(part)
        except SetUpError as error:
            failures += 1
            print(f"{part:18} FAILED: {error}", flush=True)
        else:
            print(f"{part:18} installed in {time.monotonic() - started:.0f} s", flush=True)
    return failures


def check(parts: list[str]) -> int:
    """Says what is there, and gives the number of parts that are not."""
    for part in parts:
        print(f"{part:18} {'is there' if places.is_installed(part) else 'is missing: make servers'}")
    return sum(not places.is_installed(part) for part in parts)


def lock(parts: list[str]) -> int:
    """Records the digests of the jars that come today. Python packages are locked by `make lock`."""
    for part in parts:
        if part in _JAR_SETS:
            with tempfile.TemporaryDirectory(prefix="askgraph-lock-") as scratch:
                jars.fetch(part, Path(scratch))
                jars.record(part, Path(scratch))
    return 0


@contextmanager
def _alone() -> Iterator[None]:
    """Two installations into the same folder wait for each other."""
    places.SERVERS.mkdir(exist_ok=True)
    with (places.SERVERS / "lock").open("w", encoding="utf-8") as file:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main(words: list[str]) -> int:
    """Does what the words say; 0 if everything is there afterwards."""
    options = {word for word in words if word.startswith("-")}
    parts = [word for word in words if word not in options] or list(places.PARTS)
    unknown = sorted(set(parts) - set(places.PARTS)) + sorted(options - {"--check", "--lock"})
    if unknown:
        print(__doc__)
        print(f"Not known: {' '.join(unknown)}", file=sys.stderr)
        return 2
    if "--check" in options:
        return check(parts)
    try:
        with _alone():
            return lock(parts) if "--lock" in options else install_missing(parts)
    except SetUpError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
