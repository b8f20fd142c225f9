"""Relative IRIs resolved against a base, as RFC 3986 has it (section 5.2)."""

from __future__ import annotations

import re

# Appendix B of the RFC. It matches every text.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)


def is_absolute(iri: str) -> bool:
    """Whether an IRI names its scheme."""
    return _parts(iri)[0] is not None


def resolve(base: str, reference: str) -> str:
    """What a reference means where ``base`` holds. Without a base it stays as it is, and below a relative one."""
    if not base:
        return reference
    scheme, authority, path, query, fragment = _parts(reference)
    base_scheme, base_authority, base_path, base_query, _ = _parts(base)
    if scheme is not None or base_scheme is None:
        return reference
    if authority is None:
        authority = base_authority
        if not path:
            path = base_path
            query = base_query if query is None else query
        elif path.startswith("/"):
            path = _without_dots(path)
        else:
            path = _without_dots(_merged(base_authority, base_path, path))
    else:
        path = _without_dots(path)
    return _joined(base_scheme, authority, path, query, fragment)


def _parts(iri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    """Scheme, authority, path, query and fragment; ``None`` is less than empty."""
    found = _PARTS.fullmatch(iri)
    assert found is not None
    return found[1], found[2], found[3], found[4], found[5]


def _merged(base_authority: str | None, base_path: str, path: str) -> str:
    if base_authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """A path without ``.`` and ``..``."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            # The first segment of an absolute path is empty and stays.
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    if path.startswith("/") and kept[:1] != [""]:
        kept.insert(0, "")
    return "/".join(kept)


def _joined(scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    return "".join(
        (
            scheme,
            ":",
            "" if authority is None else f"//{authority}",
            path,
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )
