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
