"""The set-up that a newcomer meets first: what it says when something is missing, and when it does its work again.

That it really installs is shown by every fresh clone in which `make test` runs; here is what such a run does not show.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "tasks.py"


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with a project folder of its own so that it never touches the real .venv."""
    spec = importlib.util.spec_from_file_location("tasks", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    project = tmp_path / "project"
    (project / "requirements").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    locks = {name: project / "requirements" / f"{name}.txt" for name in module.LOCKS}
    for lock in locks.values():
        lock.write_text("# empty\n", encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", project)
    monkeypatch.setattr(module, "LOCKS", locks)
    monkeypatch.setattr(module, "ENVIRONMENT", project / ".venv")
    monkeypatch.setattr(module, "RECORD", project / ".venv" / "installed.json")
    monkeypatch.setattr(module, "ENVIRONMENT_PYTHON", Path(sys.executable))
    return module


def _without_words() -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)


def test_without_a_word_the_tasks_are_listed() -> None:
    shown = _without_words()
    assert shown.returncode == 2
    for word in ("try", "test", "servers", "lint", "format", "docs", "lock", "setup"):
        assert f"tasks.py {word}" in shown.stdout


def test_an_old_python_is_told_what_to_install(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "OLDEST_PYTHON", (99, 0))
    with pytest.raises(
        tasks.SetUpError, match=r"needs Python 99\.0 or newer; this is 3\.\d+.*\n.*Install one"
    ):
        tasks.insist_on_new_python()


def test_a_newer_python_on_the_path_is_found(
    tasks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"python3.{minor}" for minor in range(20)] + ["python3", "python"]
    for name in names:
        # Like a shim with nothing behind it.
        broken = tmp_path / name
        broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
        broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tasks.find_newer_python() == ""
    (tmp_path / "python3.12").unlink()
    (tmp_path / "python3.12").symlink_to(sys.executable)
    assert tasks.find_newer_python() == str(tmp_path / "python3.12")


def test_a_python_without_ensurepip_and_pip_says_what_to_install(
    tasks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "find_uv", lambda: "")
    monkeypatch.setattr(tasks, "outer_pip_can_install_for_us", lambda: False)
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(tasks.SetUpError, match=r"sudo apt install python3\.\d+-venv"):
        tasks.make_environment()


def _record(tasks: ModuleType, locks: list[str]) -> None:
    tasks.ENVIRONMENT.mkdir(exist_ok=True)
    tasks.RECORD.write_text(json.dumps({"digest": tasks.wanted_digest(), "locks": locks}), encoding="utf-8")


@pytest.fixture
def installs(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands by which the script would install, in place of running them."""
    commands: list[list[str]] = []
    monkeypatch.setattr(tasks, "find_uv", lambda: "")
    monkeypatch.setattr(tasks, "run_quietly", commands.append)
    return commands


def test_nothing_is_installed_again_while_the_locks_are_the_same(
    tasks: ModuleType, installs: list[list[str]]
) -> None:
    _record(tasks, ["run", "build", "dev"])
    tasks.set_up(["run", "build"])
    assert installs == []


@pytest.mark.parametrize("change", ["lock", "project", "more locks", "broken record"])
def test_everything_is_installed_anew_when_something_changed(
    change: str, tasks: ModuleType, installs: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _record(tasks, ["run", "build"])
    if change == "lock":
        tasks.LOCKS["run"].write_text("numpy==9\n", encoding="utf-8")
    elif change == "project":
        (tasks.ROOT / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    elif change == "broken record":
        tasks.RECORD.write_text("{", encoding="utf-8")
    wanted = ["run", "build", "dev"] if change == "more locks" else ["run", "build"]
    # The commands are only noted, so the folder that they would make has to be made.
    made = tasks.make_environment

    def make_environment() -> list[str]:
        command: list[str] = made()
        tasks.ENVIRONMENT.mkdir()
        return command

    monkeypatch.setattr(tasks, "make_environment", make_environment)
    tasks.set_up(wanted)
    assert [str(tasks.LOCKS[name]) for name in wanted] == [
        line[-1] for line in installs if "--require-hashes" in line
    ]
    assert installs[-1][-2:] == ["--editable", str(tasks.ROOT)]
    assert "--no-build-isolation" in installs[-1]
    assert json.loads(tasks.RECORD.read_text(encoding="utf-8"))["locks"] == wanted


def test_a_step_that_fails_leaves_no_record(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _record(tasks, ["run"])
    tasks.LOCKS["run"].write_text("numpy==9\n", encoding="utf-8")
    monkeypatch.setattr(
        tasks, "make_environment", lambda: [sys.executable, "-c", "raise SystemExit('no network')"]
    )
    tasks.RECORD.unlink()
    with pytest.raises(tasks.SetUpError, match="This step of the set-up failed"):
        tasks.set_up(["run"])
    assert not tasks.RECORD.exists()


def test_a_failing_step_shows_its_own_words(tasks: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(tasks.SetUpError, match="is there a network"):
        tasks.run_quietly([sys.executable, "-c", "print('no such package'); raise SystemExit(3)"])
    assert "no such package" in capfd.readouterr().out


def test_nothing_is_installed_outside_the_environment(
    tasks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("PIP_TARGET", "PIP_PREFIX", "PIP_USER", "UV_TARGET", "PYTHONHOME"):
        monkeypatch.setenv(variable, "/elsewhere")
    variables = tasks.environment_variables()
    assert "/elsewhere" not in variables.values()
    assert variables["PATH"].split(os.pathsep)[0] == str(tasks.BINARIES)
