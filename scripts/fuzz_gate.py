"""Throws many texts at the gate, by hand: ``python scripts/fuzz_gate.py --examples 100000``.

Runs the fuzzing tests of both languages with as many examples as asked for, spread over them as in every test run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

_IN_A_TEST_RUN = 5_000
_TESTS = {"cypher": "tests/querying/test_fuzzing.py", "sparql": "tests/querying/sparql/test_fuzzing.py"}


def main() -> int:
    """Run the tests; the exit code is theirs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--examples", type=int, default=100_000, help="for each language")
    parser.add_argument("--language", choices=sorted(_TESTS), help="only one of them")
    arguments = parser.parse_args()
    factor = max(1, round(arguments.examples / _IN_A_TEST_RUN))
    tests = [_TESTS[arguments.language]] if arguments.language else list(_TESTS.values())
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=0", *tests]
    return subprocess.call(command, env=os.environ | {"ASKGRAPH_FUZZ": str(factor)})


if __name__ == "__main__":
    sys.exit(main())
