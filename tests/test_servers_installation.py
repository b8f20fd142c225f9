"""`make servers`: what it takes for installed, what it refuses, and what it says. That it installs is shown by CI."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.servers import __main__ as command
from scripts.servers import debian, jars, places
from scripts.tasks import SetUpError

ROOT = places.ROOT


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation and locks of this test alone: Fuseki is one jar, ``a.jar``."""
    requirements = tmp_path / "requirements"
    (requirements / "jars").mkdir(parents=True)
    digest = hashlib.sha256(b"a").hexdigest()
    (requirements / "jars" / "fuseki.sha256").write_text(f"{digest}  a.jar\n", encoding="utf-8")
    (requirements / "servers.txt").write_text("# nothing\n", encoding="utf-8")
    (requirements / "virtuoso.packages").write_text("# Debian\nvirtuoso==7.2.5\n", encoding="utf-8")
    monkeypatch.setattr(places, "REQUIREMENTS", requirements)
    monkeypatch.setattr(places, "SERVERS", tmp_path / "servers")
    return tmp_path


def jar_folder(elsewhere: Path, **files: bytes) -> Path:
    folder = elsewhere / "jars"
    folder.mkdir()
    for name, content in files.items():
        (folder / f"{name}.jar").write_bytes(content)
    return folder


def fetching(monkeypatch: pytest.MonkeyPatch, **files: bytes) -> None:
    """In place of Maven."""

    def fetch(part: str, target: Path) -> None:
        target.mkdir(parents=True)
        for name, content in files.items():
            (target / f"{name}.jar").write_bytes(content)

    monkeypatch.setattr(jars, "fetch", fetch)


# What arrives is checked


def test_jars_as_recorded_are_taken(elsewhere: Path) -> None:
    jars.verify(places.FUSEKI, jar_folder(elsewhere, a=b"a"))


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({}, r"a\.jar is missing"),
        ({"a": b"other"}, r"a\.jar is not the same file"),
        ({"a": b"a", "b": b"b"}, r"b\.jar is not in the lock"),
    ],
)
def test_other_jars_are_refused_by_name(elsewhere: Path, files: dict[str, bytes], fault: str) -> None:
    with pytest.raises(SetUpError, match=fault):
        jars.verify(places.FUSEKI, jar_folder(elsewhere, **files))


def test_a_lock_is_written_from_what_came(elsewhere: Path) -> None:
    folder = jar_folder(elsewhere, a=b"1", b=b"2")
    jars.record(places.FUSEKI, folder)
    jars.verify(places.FUSEKI, folder)


def test_no_lock_names_a_place_on_the_network() -> None:
    for part in places.PARTS:
        for lock in places.locks(part):
            assert "://" not in lock.read_text(encoding="utf-8").replace('"bolt://', ""), lock


def test_every_artifact_has_a_version_of_its_own() -> None:
    for artifacts in jars.ARTIFACTS.values():
        for artifact in artifacts:
            group, name, version = artifact.split(":")
            assert group
            assert name
            assert version[0].isdigit()


# What is there is not installed again


def test_what_is_there_is_left_alone(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fetching(monkeypatch, a=b"a")
    assert command.main([places.FUSEKI]) == 0
    monkeypatch.setattr(jars, "fetch", lambda *_: pytest.fail("it was there"))
    assert command.main([places.FUSEKI]) == 0
    shown = capsys.readouterr().out
    assert "fuseki             installed in" in shown
    assert "fuseki             is there" in shown


@pytest.mark.parametrize("change", ["jars", "java", "record"])
def test_a_change_of_what_is_wanted_installs_anew(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    fetching(monkeypatch, a=b"a")
    command.main([places.FUSEKI])
    assert places.is_installed(places.FUSEKI)
    if change == "record":
        (places.folder(places.FUSEKI) / "installed.json").write_text("{", encoding="utf-8")
    else:
        lock = places.locks(places.FUSEKI)[0 if change == "jars" else 1]
        lock.write_text(lock.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert not places.is_installed(places.FUSEKI)


def test_a_failure_leaves_nothing_that_counts_as_installed(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fetching(monkeypatch, a=b"tampered")
    assert command.main([places.FUSEKI]) == 1
    assert (
        "fuseki             FAILED: What came for fuseki is not what fuseki.sha256 records"
        in capsys.readouterr().out
    )
    assert not places.is_installed(places.FUSEKI)
    assert command.main(["--check", places.FUSEKI]) == 1
    assert "fuseki             is missing: make servers" in capsys.readouterr().out


def test_one_failure_does_not_keep_the_others_from_being_installed(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fetching(monkeypatch, a=b"a")
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert command.main([places.VIRTUOSO, places.FUSEKI]) == 1
    shown = capsys.readouterr().out
    assert "virtuoso           FAILED: Virtuoso is taken from Debian's packages" in shown
    assert "fuseki             installed" in shown


def test_without_maven_it_says_how_to_get_it(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SetUpError, match="sudo apt install maven"):
        jars.fetch(places.FUSEKI, elsewhere / "lib")


def test_a_maven_that_fails_is_quoted(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven = elsewhere / "mvn"
    maven.write_text("#!/bin/sh\necho no such artifact; exit 1\n", encoding="utf-8")
    maven.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(maven))
    with pytest.raises(SetUpError, match=r"could not fetch the jars of fuseki(?s:.*)no such artifact"):
        jars.fetch(places.FUSEKI, elsewhere / "lib")


def test_another_version_of_a_debian_package_is_refused(elsewhere: Path) -> None:
    target = elsewhere / "unpacked"
    target.mkdir()
    (target / "virtuoso_7.9_amd64.deb").touch()
    with pytest.raises(SetUpError, match=r"virtuoso 7\.2\.5; this system has virtuoso_7\.9_amd64\.deb"):
        debian._insist_on_versions({"virtuoso": "7.2.5"}, target)


def test_unknown_words_are_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.servers", "oracle"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Not known: oracle" in done.stderr
