"""``python -m askgraph`` is the command ``askgraph``, for where scripts are not on the path."""

from .cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
