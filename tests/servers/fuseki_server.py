"""Apache Jena Fuseki: an in-memory and a TDB2 data set, and one whose queries may call out by SERVICE."""

from __future__ import annotations

import urllib.request
from pathlib import Path

from scripts.servers import launching, places
from tests.servers.sparql import Reply, SparqlServer, post, turtle_file

_CONFIGURATION = """PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX ja:     <http://jena.hpl.hp.com/2005/11/Assembler#>
PREFIX tdb2:   <http://jena.apache.org/2016/tdb#>
[] a fuseki:Server ;
   ja:context [ ja:cxtName "arq:queryTimeout" ; ja:cxtValue "{milliseconds}" ] ;
   fuseki:services ( <#mem> <#tdb> <#calling> <#mem-hand> <#tdb-hand> ) .
{services}
<#in-memory> a ja:MemoryDataset .
<#on-disk> a tdb2:DatasetTDB2 ; tdb2:location "{location}" .
"""
_QUERY_SERVICE = """<#{name}> a fuseki:Service ; fuseki:name "{name}" ; fuseki:dataset <#{data}> ;
   fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "sparql" ;
      ja:context [ ja:cxtName "arq:httpServiceAllowed" ; ja:cxtValue "{calling}" ] ] .
"""
# The test's own hand on the same data; what clients are given has no endpoint that writes.
_WRITE_SERVICE = """<#{name}> a fuseki:Service ; fuseki:name "{name}" ; fuseki:dataset <#{data}> ;
   fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ] ;
   fuseki:endpoint [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] .
"""


class FusekiServer(SparqlServer):
    """A Fuseki. ``url`` is the in-memory data set; ``tdb_url`` one in TDB2; ``calling_url`` lets SERVICE out."""

    kind = "fuseki"

    def __init__(self, folder: Path, *, timeout: int = 1) -> None:
        """``timeout`` is the server's own, in seconds."""
        super().__init__(folder)
        self.timeout = timeout

    @property
    def url(self) -> str:
        return self._endpoint("mem/sparql")

    @property
    def tdb_url(self) -> str:
        """The query endpoint of the data set that lies in TDB2."""
        return self._endpoint("tdb/sparql")

    @property
    def calling_url(self) -> str:
        """The in-memory data set again, as a stock configuration serves it: SERVICE calls out."""
        return self._endpoint("calling/sparql")

    @property
    def update_url(self) -> str:
        """Where a test itself may update the in-memory data set."""
        return self._endpoint("mem-hand/update")

    def _endpoint(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def command(self) -> list[str]:
        configuration = self.folder / "configuration.ttl"
        configuration.write_text(self._configuration(), encoding="utf-8")
        flags = ["-Xms32m", "-Xmx512m", "-XX:TieredStopAtLevel=1"]
        java = launching.java_command(places.FUSEKI, flags)
        words = ["--localhost", "--port", str(self.port), "--config", str(configuration)]
        return [*java, "org.apache.jena.fuseki.main.cmds.FusekiMainCmd", *words]

    def _configuration(self) -> str:
        services = [
            _QUERY_SERVICE.format(name="mem", data="in-memory", calling="false"),
            _QUERY_SERVICE.format(name="calling", data="in-memory", calling="true"),
            _QUERY_SERVICE.format(name="tdb", data="on-disk", calling="false"),
            _WRITE_SERVICE.format(name="mem-hand", data="in-memory"),
            _WRITE_SERVICE.format(name="tdb-hand", data="on-disk"),
        ]
        return _CONFIGURATION.format(
            milliseconds=self.timeout * 1000, services="".join(services), location=self.folder / "tdb2"
        )

    def load(self, turtle: str | Path) -> None:
        """Replaces the default graph of all the data sets."""
        text = turtle_file(self.folder, turtle).read_bytes()
        for hand in ("mem-hand", "tdb-hand"):
            put = urllib.request.Request(
                self._endpoint(f"{hand}/data?default"),
                data=text,
                method="PUT",
                headers={"Content-Type": "text/turtle; charset=utf-8"},
            )
            with urllib.request.urlopen(put, timeout=120):
                pass

    def update(self, text: str) -> Reply:
        """Runs an update on the in-memory data set, by the test's own hand."""
        return post(self.update_url, {"update": text})
