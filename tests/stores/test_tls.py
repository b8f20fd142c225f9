"""TLS with real servers: whom it trusts, how the user says so, and what is said of a certificate that is refused."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.servers.certificates import Authority, Certificate
from tests.servers.fixtures import started
from tests.servers.tls_proxy import TlsProxy

from askgraph.core.errors import AskgraphError, SettingsError, UnreachableError
from askgraph.core.settings import Settings
from askgraph.doctor import examine
from askgraph.engine import access_of
from askgraph.querying.gate import check
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.store import open_bolt
from askgraph.stores.opening import open_store
from askgraph.stores.sparql.store import open_endpoint
from askgraph.stores.tls import trusting_context

HOST = "127.0.0.1"
PATIENCE = 10.0
NEO4J = [pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026")]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority that this machine does not know."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Another one."""
    return Authority(tmp_path_factory.mktemp("stranger"))


@pytest.fixture(scope="module", params=NEO4J)
def neo4j_with_tls(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, authority: Authority
) -> Iterator[Any]:
    """A Neo4j that speaks nothing but TLS."""
    server = started(request.param, tmp_path_factory.mktemp("tls"), {"certificate": authority.signed(HOST)})
    yield server
    server.kill()


@pytest.fixture(autouse=True)
def _no_other_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


# --- Bolt


def reach(server: Any, scheme: str, *, host: str = HOST, port: int = 0, ca_file: Path | None = None) -> None:
    """Asks the server something over a scheme."""
    address = parse_address(f"{scheme}://{host}:{port or server.port}", Credentials(*server.auth), ca_file)
    with open_bolt(address, timeout=PATIENCE) as store:
        assert store.query(check("RETURN 1 AS one")).rows == [(1,)]
    # A connection that was left open is an error when it is found.
    gc.collect()


def refusal_over(server: Any, scheme: str, **options: Any) -> AskgraphError:
    """Why there is no way to the server, which is said in time and without the password."""
    began = time.monotonic()
    with pytest.raises(UnreachableError) as caught:
        reach(server, scheme, **options)
    assert time.monotonic() - began < PATIENCE
    assert caught.value.advice
    assert server.password not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_neo4j_is_reached_by_an_authority_that_the_user_names(
    scheme: str, neo4j_with_tls: Any, authority: Authority
) -> None:
    reach(neo4j_with_tls, scheme, ca_file=authority.file)


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_or_that_the_environment_names(
    scheme: str, neo4j_with_tls: Any, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    reach(neo4j_with_tls, scheme)


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_an_authority_that_nobody_named_is_refused(
    scheme: str, neo4j_with_tls: Any, stranger: Authority
) -> None:
    for ca_file in (None, stranger.file):
        text = str(refusal_over(neo4j_with_tls, scheme, ca_file=ca_file))
        assert "no authority that is known here signed it" in text
        assert "ASKGRAPH_CA_FILE" in text


@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc"])
def test_any_certificate_is_taken_where_that_is_asked_for(scheme: str, neo4j_with_tls: Any) -> None:
    reach(neo4j_with_tls, scheme)


def test_a_name_that_is_not_in_the_certificate_is_refused(neo4j_with_tls: Any, authority: Authority) -> None:
    error = refusal_over(neo4j_with_tls, "bolt+s", host="localhost", ca_file=authority.file)
    assert "made out to another name" in str(error)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_who_speaks_plain_text_to_a_server_that_wants_tls_is_told(scheme: str, neo4j_with_tls: Any) -> None:
    assert f"{scheme}+s://" in str(refusal_over(neo4j_with_tls, scheme))


def test_certificates_that_are_no_good_are_told_apart(neo4j: Any, authority: Authority) -> None:
    own = refusal_behind(neo4j, authority.own())
    assert "it signed it itself" in str(own)
    assert "bolt+ssc://" in str(own)
    expired = refusal_behind(neo4j, authority.signed(HOST, expired=True), ca_file=authority.file)
    assert "has expired" in str(expired)


def refusal_behind(server: Any, certificate: Certificate, **options: Any) -> AskgraphError:
    """Why there is no way to a server by something before it that shows this certificate."""
    with TlsProxy(server.port, certificate.context()) as proxy:
        return refusal_over(server, "bolt+s", port=proxy.port, **options)


def test_a_self_signed_certificate_is_taken_where_that_is_asked_for(neo4j: Any, authority: Authority) -> None:
    with TlsProxy(neo4j.port, authority.own().context()) as proxy:
        reach(neo4j, "bolt+ssc", port=proxy.port)


# --- SPARQL


def asked_behind(
    server: Any, certificate: Certificate, ca_file: Path | None = None, host: str = HOST
) -> bool:
    with TlsProxy(server.port, certificate.context()) as proxy:
        address = parse_address(f"sparql+https://{host}:{proxy.port}/query", ca_file=ca_file)
        with open_endpoint(address) as store:
            return next(iter(store.nodes()), None) is not None


@pytest.fixture(scope="module")
def loaded(oxigraph: Any) -> Any:
    oxigraph.load("<http://e/a> <http://e/p> <http://e/b> .")
    return oxigraph


def test_an_endpoint_is_reached_by_an_authority_that_the_user_names(
    loaded: Any, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = authority.signed(HOST)
    assert asked_behind(loaded, certificate, authority.file)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    assert asked_behind(loaded, certificate)


@pytest.mark.parametrize(
    ("kind", "host", "words"),
    [
        ("signed", HOST, "no authority that is known here signed it"),
        ("own", HOST, "it signed it itself"),
        ("trusted", "localhost", "made out to another name"),
        ("expired", HOST, "has expired"),
    ],
)
def test_an_endpoint_whose_certificate_is_no_good_is_refused(
    kind: str, host: str, words: str, loaded: Any, authority: Authority
) -> None:
    certificate = authority.own() if kind == "own" else authority.signed(HOST, expired=kind == "expired")
    ca_file = authority.file if kind in ("trusted", "expired") else None
    began = time.monotonic()
    with pytest.raises(UnreachableError, match=words) as caught:
        asked_behind(loaded, certificate, ca_file, host)
    assert caught.value.advice
    assert time.monotonic() - began < PATIENCE


def test_an_endpoint_that_speaks_no_tls_is_told(loaded: Any) -> None:
    with pytest.raises(UnreachableError, match=r"does not speak TLS[\s\S]*sparql\+http://"):
        open_endpoint(parse_address(f"sparql+https://{HOST}:{loaded.port}/query"))


# --- settings


def test_the_setting_holds_for_every_way_in(
    loaded: Any, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKGRAPH_CA_FILE", str(authority.file))
    settings = Settings.load()
    with TlsProxy(loaded.port, authority.signed(HOST).context()) as proxy:
        location = f"sparql+https://{HOST}:{proxy.port}/query"
        open_store(location, access=access_of(settings)).store.close()
        findings = examine(location, settings=settings, self_test=False)
    assert [finding.what for finding in findings if finding.severity == "problem"] == []
    assert any(finding.about == "content" for finding in findings)


@pytest.mark.parametrize(
    ("content", "words"), [(None, "it is not there"), ("no certificate\n", "it holds no certificates in PEM")]
)
def test_a_file_without_certificates_is_a_wrong_setting(
    content: str | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "authorities.pem"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    for location in (f"bolt+s://{HOST}:1", f"https://{HOST}:1/query"):
        with pytest.raises(SettingsError, match=f"authorities.pem, which the setting ca_file names.*{words}"):
            open_store(location, access=access_of(Settings.load(ca_file=file)))


def test_a_file_that_the_environment_names_and_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    with pytest.raises(SettingsError, match=r"gone.pem, which SSL_CERT_FILE names.*it is not there"):
        trusting_context()
