"""How names are printed: bare where no reader could take them for a word of the language, else in back-ticks."""

from __future__ import annotations

import re

from ..tokens import words

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

RESERVED = frozenset(
    words(
        """ALL ALTER ANALYZE AND ANY AS ASC ASCENDING ATTACH BEGIN BY CALL CASE CHECKPOINT COMMENT COMMIT
        CONSTRAINT CONTAINS COPY CREATE CSV CYPHER DEALLOCATE DEFINE DELETE DENY DESC DESCENDING DETACH
        DIFFERENT DISABLE DISTINCT DROP DRYRUN DUMP ELSE ENABLE END ENDS EXISTS EXPLAIN EXPORT FALSE
        FILTER FINISH FOR FOREACH FREE GRANT HAVING IMPORT IN INF INFINITY INSERT INSTALL IS ISOLATION LET
        LIMIT LOAD LOCK MATCH MERGE NAN NEXT NODETACH NOT NULL OFFSET ON OPTIONAL OR ORDER PROFILE
        REALLOCATE RECOVER REGISTER REMOVE RENAME REPEATABLE RETURN REVOKE ROLLBACK SEARCH SET SHORTEST
        SHOW SKIP START STARTS STOP STORAGE TERMINATE THEN TRUE UNINSTALL UNION UNLOCK UNWIND UPDATE USE
        USING WHEN WHERE WITH XOR YIELD"""
    )
)
"""Words that begin or join something in at least one dialect."""


def print_name(name: str) -> str:
    """A variable, label, relationship type, property key, parameter or alias."""
    return f"`{name}`" if name.upper() in RESERVED else print_plain(name)


def print_plain(name: str) -> str:
    """A name where a word of the language does no harm: a part of a function's or procedure's name."""
    return name if _BARE.fullmatch(name) else "`" + name.replace("`", "``") + "`"
