"""Settings for graphs on servers: where they come from, and that secrets stay secret."""

from __future__ import annotations

import pytest

from askgraph.core.errors import SettingsError
from askgraph.core.hidden import Hidden
from askgraph.core.settings import Settings


def test_credentials_come_from_the_environment_and_are_never_shown(monkeypatch):
    monkeypatch.setenv("ASKGRAPH_USER", "ada")
    monkeypatch.setenv("ASKGRAPH_PASSWORD", "s3cret")
    settings = Settings.load()
    assert settings.user == "ada"
    assert settings.password is not None
    assert settings.password.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in str(settings.model_dump())


def test_no_secret_of_a_model_is_shown(monkeypatch):
    for name in ("MODEL_KEY", "EMBEDDER_KEY", "RERANKER_KEY"):
        monkeypatch.setenv(f"ASKGRAPH_{name}", "s3cret")
    address = "http://ada:s3cret@localhost:8080/v1"
    settings = Settings.load(model=address, model_url=address, embedder=address, reranker=f"{address}|m")
    assert settings.model == address
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in str(settings)
    assert "localhost:8080" in repr(settings)


def test_a_key_of_the_wrong_kind_is_refused_without_being_repeated(tmp_path, monkeypatch):
    file = tmp_path / "askgraph.toml"
    file.write_text("model_key = 31415926\n", encoding="utf-8")
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(file))
    with pytest.raises(SettingsError, match="model_key") as caught:
        Settings.load()
    assert "31415926" not in str(caught.value)


def test_a_budget_has_the_calls_and_tokens_of_the_settings():
    budget = Settings.load(model_calls=3, tokens=1_000).budget()
    assert (budget.model_calls, budget.tokens) == (3, 1_000)


def test_deny_lists_come_from_the_settings_file(monkeypatch, tmp_path):
    file = tmp_path / "askgraph.toml"
    file.write_text(
        'hidden_types = ["Salary"]\nhidden_properties = ["email", "Person.born"]\n[gate]\nrows = 10\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(file))
    settings = Settings.load()
    hidden = settings.hidden
    assert settings.gate == {"rows": 10}
    assert hidden.hides_type("Salary")
    assert hidden.hides_property("email", ["Company"])
    assert hidden.hides_property("born", ["Person"])
    assert not hidden.hides_property("born", ["City"])
    assert hidden.hides_property_somewhere("born")
    assert not hidden.hides_property_somewhere("orn")


def test_nothing_hidden_is_falsy():
    assert not Hidden()
    assert Hidden(types=("A",))


def test_an_unknown_setting_is_refused(monkeypatch, tmp_path):
    file = tmp_path / "askgraph.toml"
    file.write_text('hiden_types = ["Salary"]\n', encoding="utf-8")
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(file))
    with pytest.raises(SettingsError, match="hiden_types"):
        Settings.load()
