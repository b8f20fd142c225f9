"""The nearest thing that exists to what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from ..core.suggestions import nearest_names

MOST_NAMES_LOOKED_AT = 2_000


def nearest_paths(path: str, *, most: int = 3) -> list[str]:
    """Existing paths that a path which does not exist may have been meant for.

    The first part of it that is missing is compared with what lies beside it, without endings (`.graph` makes no two
    names alike); where something is to lie within it, only folders count, and where some of them have it, only those.
    """
    wanted = Path(path)
    try:
        missing = next((part for part in (*reversed(wanted.parents), wanted) if not part.exists()), None)
        if missing is None:
            return []
        beside = sorted(islice(missing.parent.iterdir(), MOST_NAMES_LOOKED_AT))
        stems = nearest_names(missing.stem, (entry.stem for entry in beside), most=most)
        rest = wanted.relative_to(missing)
        candidates = [entry for stem in stems for entry in beside if entry.stem == stem][:most]
        if rest.parts:
            candidates = [candidate for candidate in candidates if candidate.is_dir()]
        whole = [candidate / rest for candidate in candidates if (candidate / rest).exists()]
    except (OSError, ValueError):  # a folder that cannot be listed, or a path that cannot be one
        return []
    return [str(candidate) for candidate in whole or candidates]


def did_you_mean(candidates: Sequence[str]) -> str:
    """``"Did you mean a or b?"``; nothing for no candidates."""
    if not candidates:
        return ""
    *others, last = candidates
    return f"Did you mean {', '.join(others) + ' or ' if others else ''}{last}?"
