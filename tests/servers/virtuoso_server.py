"""OpenLink Virtuoso 7, with a text index over all literals, a short time-out and a low cap of rows."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scripts.servers import debian, places
from scripts.servers.launching import free_port
from tests.servers.sparql import Reply, SparqlServer, post, turtle_file

_CONFIGURATION = """[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
ErrorLogLevel = 7
FileExtend = 200
Striping = 0
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
Striping = 0
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
ServerThreads = 20
CheckpointInterval = 0
CaseMode = 2
AllowOSCalls = 0
SchedulerInterval = 10
DirsAllowed = {folder}
ThreadsPerQuery = {threads}
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = {folder}
ServerThreads = 10
MaxClientConnections = 10
EnabledDavVSP = 0
[SPARQL]
ResultSetMaxRows = {row_cap}
MaxQueryExecutionTime = {timeout}
DefaultQuery = SELECT * WHERE {{?s ?p ?o}} LIMIT 10
DeferInferenceRulesInit = 0
[Plugins]
LoadPath = {folder}
"""


class VirtuosoServer(SparqlServer):
    """A Virtuoso. Its data lies in the named graph ``graph``.

    A client has to name that graph by ``default-graph-uri``, as ``ask`` does: without it a query sees every graph at
    once, the server's own ones included.
    """

    kind = "virtuoso"
    graph = "http://example.org/graph"

    def __init__(
        self, folder: Path, *, timeout: int = 2, row_cap: int = 1000, threads_per_query: int = 1
    ) -> None:
        """``timeout`` in seconds, ``row_cap`` and ``threads_per_query`` are the server's own."""
        super().__init__(folder)
        self.timeout = timeout
        self.row_cap = row_cap
        self._threads = threads_per_query
        self._sql_port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"

    def environment(self) -> dict[str, str]:
        installed = places.folder(places.VIRTUOSO)
        return {**super().environment(), "LD_LIBRARY_PATH": debian.libraries(installed)}

    def command(self) -> list[str]:
        self._sql_port = free_port()
        # A lock file that a killed server left would stop the next one.
        (self.folder / "virtuoso.lck").unlink(missing_ok=True)
        configuration = self.folder / "virtuoso.ini"
        text = _CONFIGURATION.format(
            folder=self.folder,
            port=self.port,
            sql_port=self._sql_port,
            row_cap=self.row_cap,
            timeout=self.timeout,
            threads=self._threads,
        )
        configuration.write_text(text, encoding="utf-8")
        program = debian.program(places.folder(places.VIRTUOSO), "virtuoso-t")
        return [str(program), "+foreground", "+configfile", str(configuration)]

    def ask(
        self,
        query: str,
        *,
        accept: str = "application/sparql-results+json",
        patience: float = 30,
        **parameters: str,
    ) -> Reply:
        """As for the others, on ``graph``; further parameters of the protocol or of Virtuoso may follow."""
        form = {"query": query, "default-graph-uri": self.graph, **parameters}
        return post(self.url, form, accept=accept, patience=patience)

    def load(self, turtle: str | Path) -> None:
        file = turtle_file(self.folder, turtle)
        # It opens no file outside of its folders.
        inside = self.folder / "loaded.ttl"
        if file != inside:
            inside.write_bytes(file.read_bytes())
        self.sql(
            "log_enable (2, 1);",
            f"SPARQL CLEAR GRAPH <{self.graph}>;",
            f"DB.DBA.TTLP_MT (file_to_string_output ('{inside}'), '', '{self.graph}', 0, 2);",
            "DB.DBA.RDF_OBJ_FT_RULE_ADD (null, null, 'All');",
            "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ();",
            "checkpoint;",
        )

    def sql(self, *statements: str) -> None:
        """Runs statements as the owner of the database.

        Raises:
            RuntimeError: one failed; the message has what the server said.
        """
        program = debian.program(places.folder(places.VIRTUOSO), "isql-vt")
        script = self.folder / "statements.sql"
        script.write_text("\n".join(statements) + "\n", encoding="utf-8")
        where = [f"127.0.0.1:{self._sql_port}", "dba", "dba", "ERRORS=STDOUT", "VERBOSE=OFF"]
        done = subprocess.run(
            [str(program), *where, str(script)],
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or "\n*** Error" in f"\n{done.stdout}":
            raise RuntimeError(f"Virtuoso said:\n{done.stdout[-2000:]}{done.stderr[-500:]}")
