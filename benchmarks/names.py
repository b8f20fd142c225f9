"""How well and how fast the name index finds what people write, beside a look at every name with RapidFuzz.

    python benchmarks/names.py --names 1000000 --seed 1

Makes that many names of people, organisations, places, works and compounds, with homonyms and with words that many
names share; writes some of them wrongly in ten ways; and prints for each way how often the right name comes first.

A query counts for "first" only where one name is right. Where several are just as right (a dropped word that is the
only difference between two names, a typo that leads from one name to another), it counts for "all given": whether
they are among the ten that come back. The baseline compares every query with every name, and so it is run on a part
of them (``--baseline-names``), where the index is run again for comparison. Times are CPU time on one core.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from askgraph.core.words import normalize
from askgraph.indexes.names import NameEntry, NameIndex
from askgraph.linking.name_updates import NamedThing, write_names

LIMIT = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz"


# --- names


class NameMaker:
    """Names such as graphs have. Words are drawn by Zipf's law, so that some are in thousands of names."""

    def __init__(self, seed: int, names: int) -> None:
        self._random = random.Random(seed)
        share = max(1.0, (names / 1_000_000) ** 0.5)
        self._first = self._words(int(3_000 * share), 2, 3)
        self._last = self._words(int(60_000 * share), 2, 3)
        self._common = self._words(8_000, 1, 3)
        self._places = self._words(int(40_000 * share), 2, 3)
        self._stems = self._words(int(20_000 * share), 2, 4)
        self._suffixes = [
            "Inc",
            "GmbH",
            "Ltd",
            "AG",
            "Group",
            "Holdings",
            "Systems",
            "Institute",
            "University",
            "Society",
        ]
        self._kinds = ["Street", "Bridge", "County", "River", "Lake", "Park", "Station", "Old Town"]

    def make(self) -> str:
        """One name."""
        kind = self._random.random()
        if kind < 0.45:
            return self._person()
        if kind < 0.6:
            return self._organisation()
        if kind < 0.72:
            return f"{self._pick(self._places)} {self._random.choice(self._kinds)}"
        if kind < 0.87:
            return self._work()
        if kind < 0.95:
            return self._compound()
        return self._part()

    def _person(self) -> str:
        parts = [self._pick(self._first)]
        if self._random.random() < 0.25:
            parts.append(self._pick(self._first))
        parts.append(self._pick(self._last))
        if self._random.random() < 0.06:
            parts[-1] += "-" + self._pick(self._last)
        return " ".join(parts)

    def _organisation(self) -> str:
        words = [self._pick(self._common if self._random.random() < 0.5 else self._last)]
        if self._random.random() < 0.6:
            words.append(self._pick(self._common))
        return " ".join([*words, self._random.choice(self._suffixes)])

    def _work(self) -> str:
        words = [self._pick(self._common) for _ in range(self._random.randint(1, 3))]
        joint = self._random.choice([" of the ", " and ", " in ", " "])
        return ("The " if self._random.random() < 0.4 else "") + joint.join(
            [" ".join(words), self._pick(self._common)]
        )

    def _compound(self) -> str:
        number = f"{self._random.randint(1, 12)}-" if self._random.random() < 0.6 else ""
        tail = self._random.choice(["", " acid", " chloride", " sodium", " hydrochloride"])
        return number + self._pick(self._stems).lower() + self._pick(self._stems).lower() + tail

    def _part(self) -> str:
        letters = "".join(self._random.choices("ABCDEFGHKLMNPRSTVX", k=self._random.randint(2, 3)))
        return f"{self._pick(self._common)} {letters}{self._random.randint(10, 9999)}"

    def _pick(self, words: Sequence[str]) -> str:
        # Zipf-like: the logarithm of the rank is about uniform for the head, the tail is flat.
        rank = (
            int(len(words) ** self._random.random())
            if self._random.random() < 0.6
            else self._random.randrange(len(words))
        )
        return words[min(rank, len(words) - 1)]

    def _words(self, count: int, least: int, most: int) -> list[str]:
        onsets = [
            "b",
            "br",
            "ch",
            "d",
            "dr",
            "f",
            "g",
            "gr",
            "h",
            "j",
            "k",
            "kl",
            "l",
            "m",
            "n",
            "p",
            "pr",
            "r",
            "s",
            "sch",
        ]
        onsets += ["st", "t", "tr", "v", "w", "z", "sh", "fl"]
        vowels = ["a", "e", "i", "o", "u", "ei", "au", "ie", "ä", "ö", "ü", "é", "oo", "ea"]
        codas = ["", "", "", "n", "r", "l", "s", "t", "nd", "rt", "ck", "m", "ng", "ll"]
        weights = [10, 12, 9, 9, 6, 3, 2, 3, 0.6, 0.5, 0.5, 0.5, 1, 1]
        made: dict[str, None] = {}
        while len(made) < count:
            syllables = [
                self._random.choice(onsets)
                + self._random.choices(vowels, weights)[0]
                + self._random.choice(codas)
                for _ in range(self._random.randint(least, most))
            ]
            made["".join(syllables).capitalize()] = None
        return list(made)


def make_entries(count: int, seed: int) -> list[NameEntry]:
    """Entries with distinct ids; about one in thirty has the name of an earlier one."""
    maker, choose = NameMaker(seed, count), random.Random(seed + 1)
    names: list[str] = []
    for _ in range(count):
        names.append(choose.choice(names) if names and choose.random() < 0.03 else maker.make())
    types = [("Person",), ("Organisation",), ("Place",), ("Work",), ("Substance",)]
    return [
        NameEntry(f"http://example.org/node/{row}", name, types[row % 5]) for row, name in enumerate(names)
    ]


# --- what people write


@dataclass(frozen=True)
class Query:
    """A name as somebody wrote it, and the normalised names that are right."""

    text: str
    target: str
    right: frozenset[str]


def typo(text: str, choose: random.Random) -> str:
    """One letter added, dropped, changed or swapped with its neighbour; the text is different afterwards."""
    while True:
        place = choose.randrange(len(text))
        kind = choose.choice(["add", "drop", "change", "swap"])
        letter = choose.choice(LETTERS)
        if kind == "add":
            changed = text[:place] + letter + text[place:]
        elif kind == "drop":
            changed = text[:place] + text[place + 1 :]
        elif kind == "change":
            changed = text[:place] + letter + text[place + 1 :]
        else:
            changed = text[:place] + text[place + 1 : place + 2] + text[place] + text[place + 2 :]
        if normalize(changed) not in (normalize(text), ""):
            return changed


def reordered(text: str, choose: random.Random) -> str | None:
    """The words in another order."""
    words = text.split()
    if len(set(words)) < 2:
        return None
    changed = words[:]
    while changed == words:
        choose.shuffle(changed)
    return " ".join(changed) if choose.random() < 0.5 else f"{changed[0]}, {' '.join(changed[1:])}"


def without_word(text: str, choose: random.Random) -> str | None:
    """One word left out."""
    words = normalize(text).split()
    if len(words) < 2:
        return None
    place = choose.randrange(len(words))
    return " ".join(words[:place] + words[place + 1 :])


def with_initial(text: str, choose: random.Random) -> str | None:
    """The first word cut to its initial."""
    words = normalize(text).split()
    return f"{words[0][0].upper()}. {' '.join(words[1:])}" if len(words) > 1 and words[0].isalpha() else None


def without_accents(text: str, choose: random.Random) -> str | None:
    """Accents left out."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return plain if plain != text else None


WAYS: dict[str, Callable[[str, random.Random], str | None]] = {
    "as written": lambda text, choose: text,
    "other case": lambda text, choose: text.upper() if choose.random() < 0.5 else text.lower(),
    "without accents": without_accents,
    "possessive": lambda text, choose: text + ("'" if text.endswith("s") else choose.choice(["'s", "’s"])),
    "one typo": typo,
    "two typos": lambda text, choose: typo(typo(text, choose), choose),
    "reordered": reordered,
    "reordered, one typo": lambda text, choose: (
        typo(mixed, choose) if (mixed := reordered(text, choose)) else None
    ),
    "a word dropped": without_word,
    "first name as initial": with_initial,
}


def make_queries(way: str, names: Sequence[str], count: int, seed: int) -> list[tuple[str, str]]:
    """``count`` pairs of a name as written in this way and the name itself."""
    choose = random.Random(f"{way} {seed}")
    pairs: list[tuple[str, str]] = []
    while len(pairs) < count:
        name = choose.choice(names)
        text = WAYS[way](name, choose)
        # A word or two of one or two letters, or a code that is one letter off, says nothing about the index.
        if text is not None and len(normalize(text)) > 3:
            pairs.append((text, name))
    return pairs


def find_right(way: str, pairs: Sequence[tuple[str, str]], forms: Sequence[str]) -> list[Query]:
    """For each query every name that explains it as well as the one that it was made from."""
    if way == "a word dropped":
        right = _explained(pairs, forms, _each_without_a_word)
    elif way == "first name as initial":
        right = _explained(pairs, forms, _with_initials)
    elif "typo" in way:
        right = [_as_near(text, name, forms) for text, name in pairs]
    else:
        right = [{normalize(name)} for _, name in pairs]
    return [
        Query(text, normalize(name), frozenset(names))
        for (text, name), names in zip(pairs, right, strict=True)
    ]


def _each_without_a_word(form: str) -> Iterator[str]:
    words = form.split()
    for place in range(len(words) if len(words) > 1 else 0):
        yield " ".join(words[:place] + words[place + 1 :])


def _with_initials(form: str) -> Iterator[str]:
    words = form.split()
    if len(words) > 1:
        yield " ".join([words[0][0], *words[1:]])


def _explained(
    pairs: Sequence[tuple[str, str]], forms: Sequence[str], explain: Callable[[str], Iterator[str]]
) -> list[set[str]]:
    right: dict[str, set[str]] = {normalize(text): set() for text, _ in pairs}
    for form in forms:
        # A name that is written just like the query is right before any that would have to be changed.
        if form in right:
            right[form].add(form)
        for text in explain(form):
            if text in right:
                right[text].add(form)
    return [right[normalize(text)] for text, _ in pairs]


def _as_near(text: str, name: str, forms: Sequence[str]) -> set[str]:
    """The name, and every other that is no more edits away from what was written."""
    query, target = normalize(text), normalize(name)
    distance = OSA.distance(query, target)
    if distance > 4:  # reordered as well: edits say nothing then
        return {target}
    distances = process.cdist([query], forms, scorer=OSA.distance, score_cutoff=distance, dtype=np.uint8)[0]
    return {target, *(forms[row] for row in np.flatnonzero(distances <= distance).tolist())}


# --- measuring

Finder = Callable[[str], list[str]]


@dataclass(frozen=True)
class Line:
    """What came out for one way of writing."""

    way: str
    one_right: int
    first: float
    among_ten: float
    all_given: float
    p50_ms: float
    p95_ms: float


def measure(way: str, queries: Sequence[Query], find: Finder) -> tuple[Line, list[tuple[Query, list[str]]]]:
    """Ask each query; ``find`` gives normalised names, the best first."""
    times, first, among, given = [], [], [], []
    missed = []
    for query in queries:
        began = time.process_time()
        found = find(query.text)
        times.append(1000 * (time.process_time() - began))
        if len(query.right) == 1:
            first.append(found[:1] == [query.target])
            among.append(query.target in found)
            if not first[-1]:
                missed.append((query, found))
        else:
            given.append(len(query.right.intersection(found)) >= min(len(query.right), LIMIT))
    p50, p95 = np.percentile(times, [50, 95])
    return Line(way, len(first), _mean(first), _mean(among), _mean(given), float(p50), float(p95)), missed


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")


def by_index(index: NameIndex) -> Finder:
    """The index, each name once however many nodes have it."""

    def find(text: str) -> list[str]:
        # Homonyms are one name here, and there may be many.
        matches = index.search([text], limit=5 * LIMIT, cutoff=0.0)[0]
        return list(dict.fromkeys(normalize(match.name) for match in matches))[:LIMIT]

    return find


def by_comparing_all(forms: Sequence[str]) -> Finder:
    """RapidFuzz's WRatio against every name."""

    def find(text: str) -> list[str]:
        return [
            form for form, _, _ in process.extract(normalize(text), forms, scorer=fuzz.WRatio, limit=LIMIT)
        ]

    return find


def print_table(title: str, lines: Sequence[Line]) -> None:
    """One line for each way of writing, 80 columns."""
    print(
        f"\n{title}\n{'':24}{'one right':>10}{'first':>8}{'in ten':>8}{'several: all':>14}{'p50 ms':>8}{'p95 ms':>8}"
    )
    for line in lines:
        print(
            f"{line.way:24}{line.one_right:>10}{line.first:>8.3f}{line.among_ten:>8.3f}"
            f"{line.all_given:>14.3f}{line.p50_ms:>8.2f}{line.p95_ms:>8.2f}"
        )


def memory_of_searching(path: Path, texts: Sequence[str]) -> dict[str, float]:
    """Open the index in a new process, search, and say what that took. Megabytes and seconds."""
    done = subprocess.run(
        [sys.executable, __file__, "--child", str(path)],
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    report: dict[str, float] = json.loads(done.stdout)
    return report


def child(path: Path) -> None:
    """See :func:`memory_of_searching`."""
    texts = json.loads(sys.stdin.read())
    before = _resident_megabytes()
    began = time.perf_counter()
    index = NameIndex.open(path)
    opened = time.perf_counter() - began
    index.search(texts, limit=LIMIT)
    print(json.dumps({"open_s": opened, "resident_mb": _resident_megabytes() - before}))


def _resident_megabytes() -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS")


def build(entries: Sequence[NameEntry], path: Path) -> NameIndex:
    """Build the index and print what that took."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    index = NameIndex.build(entries, path)
    seconds = time.process_time() - began
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    text = sum(len(entry.name.encode()) + len(entry.id.encode()) for entry in entries) / 1e6
    disk = sum(file.stat().st_size for file in path.iterdir()) / 1e6
    print(
        f"{len(entries):,} names: built in {seconds:.1f} CPU-s, {peak:.0f} MB more at the peak; "
        f"{disk:.0f} MB on disk, of which {text:.0f} MB are the names and ids themselves"
    )
    return index


def update(entries: Sequence[NameEntry], before: Path, path: Path) -> None:
    """Bring an index up to date where one node in a hundred is called otherwise, and print what that took."""
    renamed = {entry.id for entry in entries[::100]}
    now = [
        replace(entry, name=f"{entry.name} {entry.id[-3:]}") if entry.id in renamed else entry
        for entry in entries
    ]
    things = [NamedThing(entry.id, (entry.name,), entry.types) for entry in now]
    write_names(
        (NamedThing(entry.id, (entry.name,), entry.types) for entry in entries), before, fingerprint="1"
    )
    began = time.process_time()
    changed = write_names(things, path, fingerprint="2", before=before)
    print(f"brought up to date in {time.process_time() - began:.1f} CPU-s, {changed:,} nodes having changed")


def run(
    folder: Path,
    names: int,
    baseline_names: int,
    queries: int,
    seed: int,
    ways: Sequence[str],
    show_missed: int,
) -> None:
    """Everything, in a folder that is empty."""
    entries = make_entries(names, seed)
    index = build(entries, folder / "all")
    update(entries, folder / "before", folder / "updated")
    texts: list[str] = []
    for title, part in (("index", entries), ("both", entries[:baseline_names])):
        forms = list(dict.fromkeys(normalize(entry.name) for entry in part))
        asked = {
            way: find_right(way, make_queries(way, [entry.name for entry in part], queries, seed), forms)
            for way in ways
        }
        texts = texts or [query.text for way in ways for query in asked[way]]
        finders: dict[str, Finder] = {f"name index, {len(part):,} names": by_index(index)}
        if title == "both":
            smaller = build(part, folder / "part")
            finders = {
                f"name index, {len(part):,} names": by_index(smaller),
                f"RapidFuzz WRatio against all, {len(part):,} names": by_comparing_all(forms),
            }
        for name, find in finders.items():
            results = {way: measure(way, asked[way], find) for way in ways}
            print_table(name, [line for line, _ in results.values()])
            for way in ways:
                for query, found in results[way][1][:show_missed]:
                    print(f"  missed ({way}): {query.text!r} should be {query.target!r}; found {found[:3]}")
    report = memory_of_searching(folder / "all", texts)
    print(
        f"\nopened in {report['open_s']:.3f} s; {report['resident_mb']:.0f} MB resident after {len(texts):,} searches"
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--baseline-names", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=200, help="for each way of writing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--missed", type=int, default=0, help="show so many misses for each way")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    with tempfile.TemporaryDirectory(prefix="askgraph-names-") as folder:
        run(
            Path(folder),
            options.names,
            options.baseline_names,
            options.queries,
            options.seed,
            options.ways,
            options.missed,
        )


if __name__ == "__main__":
    main()
