"""What a vendor of language models is to us: a name, what must be installed, where its key is, how to connect."""

from __future__ import annotations

import importlib.util
import os
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import SecretStr

from ..core.errors import MissingPackageError, ModelAuthenticationError, SettingsError
from ..core.suggestions import did_you_mean
from . import vendors
from .connection import Access

if TYPE_CHECKING:
    from .provider import Connection
    from .provider_embedder import EmbeddingConnection


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor.

    Attributes:
        title: what people call it.
        packages: modules that must be there, and what to install where they are not.
        install: the words after ``pip install``.
        key_variables: environment variables with its key, as its own tools read them; the first that is set counts.
        needs_key: whether it lets nobody in without one.
        url_variables: environment variables with its address.
        default_url: its address where none is given and its library knows none.
        prices: its name in the table of prices, ``None`` where nothing is paid.
        is_free: whether its models run on the user's own machine.
        connect: a connection to the model of a name.
        connect_embedder: one to an embedding model, where that has a protocol of the vendor's own.
        has_openai_embeddings: whether its embedding models speak OpenAI's.
    """

    title: str
    packages: tuple[str, ...]
    install: str
    connect: Callable[[str, Access], Connection]
    key_variables: tuple[str, ...] = ()
    needs_key: bool = True
    url_variables: tuple[str, ...] = ()
    default_url: str | None = None
    prices: str | None = None
    is_free: bool = False
    connect_embedder: Callable[[str, Access], EmbeddingConnection] | None = None
    has_openai_embeddings: bool = False

    def insist_on_packages(self) -> None:
        """Raises :class:`MissingPackageError` where a package is missing."""
        for package in self.packages:
            if not _is_installed(package):
                raise MissingPackageError(
                    f"models of {self.title} need the package {package}, which is not installed",
                    advice=f'Install it with: pip install "{self.install}"',
                )

    def completed(self, access: Access) -> Access:
        """The access with key and address from the environment where they are not given.

        Raises:
            ModelAuthenticationError: it needs a key, and there is none.
        """
        if access.key is None and (key := _first(self.key_variables)) is not None:
            access = replace(access, key=SecretStr(key))
        if access.url is None:
            url = _first(self.url_variables) or self.default_url
            access = replace(access, url=url)
        if self.needs_key and access.key is None:
            raise ModelAuthenticationError(
                f"there is no key for {self.title}",
                advice=f"Set the variable {' or '.join(self.key_variables)}, or the setting model_key "
                "(ASKGRAPH_MODEL_KEY).",
            )
        return access


@cache
def vendor_names() -> tuple[str, ...]:
    """The vendors that there are, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(vendors.__path__)))


def vendor(name: str) -> Vendor:
    """The vendor of this name. Raises :class:`SettingsError` if there is none."""
    if name not in vendor_names():
        known = ", ".join(vendor_names())
        raise SettingsError(
            f"there is no vendor {name!r} of language models",
            advice=did_you_mean(name, vendor_names()) or f"There are: {known}, and addresses (http://…/v1).",
        )
    found = import_module(f"{vendors.__name__}.{name}").VENDOR
    assert isinstance(found, Vendor)
    return found


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _first(variables: tuple[str, ...]) -> str | None:
    return next((value for name in variables if (value := os.environ.get(name))), None)
