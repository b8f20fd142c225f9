"""Draws a command and what it prints as an SVG picture, for the README.

    python scripts/draw_terminal.py docs/images/answer.svg 'askgraph ask …'

The picture is text: it scales, can be searched, and a test compares it with what the command prints today.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

COLUMNS = 80
CHARACTER_WIDTH = 8.4
LINE_HEIGHT = 20
MARGIN = 20
BAR = 34
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
STYLE = """
  .window { fill: #1b1f27 } .bar { fill: #2a303b } .dot { fill: #566073 }
  text { fill: #d7dce5; font: 14px FONT; white-space: pre }
  .command { fill: #8fd694 } .citation { fill: #f2c572 }
"""


def printed_by(command: str) -> str:
    """What a command prints to a terminal of 80 columns without colours.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def picture(command: str, output: str) -> str:
    """The SVG text of a terminal window with this command and its output."""
    typed = f"$ {command}".splitlines()
    lines = [*typed, *output.strip("\n").splitlines()]
    width = round(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN)
    height = BAR + len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = [
        _row(line, BAR + MARGIN + (number + 0.75) * LINE_HEIGHT, command=number < len(typed))
        for number, line in enumerate(lines)
        if line.strip()
    ]
    dots = [
        f'<circle class="dot" cx="{MARGIN + 18 * number}" cy="{BAR / 2:g}" r="5"/>' for number in range(3)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
            f"<title>{escape(command)}</title>",
            f"<style>{STYLE.replace('FONT', FONT)}</style>",
            f'<rect class="window" width="{width}" height="{height}" rx="8"/>',
            f'<path class="bar" d="M0 {BAR}V8a8 8 0 0 1 8-8h{width - 16}a8 8 0 0 1 8 8v{BAR - 8}z"/>',
            *dots,
            *rows,
            "</svg>",
            "",
        ]
    )


def _row(line: str, y: float, *, command: bool) -> str:
    """One line of text. Its length is fixed, so that a font that is a little wider breaks no column."""
    indent = len(line) - len(line.lstrip())
    text = line.strip()
    shown = escape(text)
    if not command:
        shown = re.sub(r"(\[\d+(?:-\d+)?\])", r'<tspan class="citation">\1</tspan>', shown)
    kind = ' class="command"' if command else ""
    place = f'x="{MARGIN + indent * CHARACTER_WIDTH:g}" y="{y:g}"'
    length = f'textLength="{len(text) * CHARACTER_WIDTH:g}"'
    return f'<text{kind} xml:space="preserve" {place} {length}>{shown}</text>'


def main() -> None:
    """Runs the command and writes the picture."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, command = Path(sys.argv[1]), sys.argv[2]
    target.write_text(picture(command, printed_by(command)), encoding="utf-8")


if __name__ == "__main__":
    main()
