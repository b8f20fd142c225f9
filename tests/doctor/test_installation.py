from __future__ import annotations

from pathlib import Path

import pytest
from tests.doctor.support import found, only

from askgraph.core.settings import Settings
from askgraph.doctor import examine, installation


def test_without_a_graph_the_installation_is_examined():
    abouts = {finding.about for finding in examine(None, Settings.load())}
    assert abouts == {"packages", "settings", "cache", "run records", "embedder"}


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(installation, "PACKAGES", ("numpy", "no-such-package"))
    told, missing = found(None, "packages")
    assert "numpy 2" in told.what
    assert (missing.severity, missing.advice) == ("problem", "pip install no-such-package")


def test_folders_that_cannot_be_written_to(tmp_path: Path):
    (tmp_path / "file").touch()
    cache = only(None, "cache", cache_dir=tmp_path / "file" / "cache")
    assert (cache.severity, "ASKGRAPH_CACHE_DIR" in cache.advice) == ("problem", True)
    records = {"data_dir": tmp_path / "file"}
    assert only(None, "run records", **records).severity == "problem"
    assert only(None, "run records", **records, save_runs=False).severity == "note"


def test_the_settings_in_force_are_named_without_their_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "askgraph.toml"
    file.write_text("timeout = 5\n", encoding="utf-8")
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(file))
    monkeypatch.setenv("ASKGRAPH_ROWS", "1234567")
    what = only(None, "settings").what
    assert str(file) in what
    assert "ASKGRAPH_ROWS" in what
    assert "1234567" not in what


def test_an_embedder_that_is_off_and_one_that_was_changed(monkeypatch: pytest.MonkeyPatch):
    assert only(None, "embedder").severity == "ok"
    assert only(None, "embedder", embedder="none").severity == "note"
    from dataclasses import replace

    from askgraph.models import minilm

    monkeypatch.setattr(minilm, "MODEL_FILE", replace(minilm.MODEL_FILE, sha256="0" * 64))
    changed = only(None, "embedder")
    assert (changed.severity, "pip install" in changed.advice) == ("problem", True)


def test_an_embedder_on_a_server_is_named_without_its_password():
    told = only(None, "embedder", embedder="http://ada:sesame@localhost:8080/v1|m")
    assert told.severity == "note"
    assert "localhost:8080" in told.what
    assert "sesame" not in told.what


class TestLanguageModel:
    def test_nothing_is_said_where_none_is_set(self):
        assert found(None, "language model") == []

    def test_what_is_known_of_one(self):
        told = only(
            None, "language model", model="openai:gpt-4o-mini", model_key="key", allow_model_calls=True
        )
        assert told.severity == "ok"
        assert told.what.startswith(
            "openai:gpt-4o-mini: takes 128,000 tokens; 0.00075 dollars for 1,000 tokens"
        )

    def test_one_whose_price_nobody_knows(self):
        options = {"model": "openai:unheard-of", "model_key": "key", "allow_model_calls": True}
        assert "its price is not known" in only(None, "language model", **options).what

    def test_one_that_cannot_be_used(self):
        told = only(None, "language model", model="openai:gpt-4o-mini")
        assert (told.severity, "OPENAI_API_KEY" in told.advice) == ("problem", True)
        assert only(None, "language model", model="opnai:x").severity == "problem"

    def test_one_that_may_not_be_called(self):
        told = only(None, "language model", model="ollama:llama3.2")
        assert (told.severity, "ASKGRAPH_ALLOW_MODEL_CALLS" in told.advice) == ("warning", True)
