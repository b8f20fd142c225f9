"""How often a name that is written wrongly is found, and a name that is not there is not, on the example graphs.

The limits are those that the index is to hold on any graph; ``benchmarks/names.py`` measures them on a million names.
"""

from __future__ import annotations

import csv
import random

import pyoxigraph
import pytest
from rapidfuzz.distance import OSA

from askgraph.core.words import normalize
from askgraph.indexes.names import NameEntry, NameIndex

QUERIES = 150


@pytest.fixture(scope="module")
def names(ck25_turtle, hetionet_nodes):
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    triples = pyoxigraph.parse(path=str(ck25_turtle), format=pyoxigraph.RdfFormat.TURTLE)
    company = {triple.object.value for triple in triples if triple.predicate.value == label}
    with hetionet_nodes.open(encoding="utf-8", newline="") as file:
        biology = {row["name"] for row in csv.DictReader(file)}
    return {"company": sorted(company), "biology": sorted(biology)}


@pytest.fixture(scope="module")
def indexes(names, tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    return {
        graph: NameIndex.build((NameEntry(name, name) for name in texts), folder / graph)
        for graph, texts in names.items()
    }


def typo(text, choose):
    place, letter = choose.randrange(len(text)), choose.choice("abcdefghijklmnopqrstuvwxyz")
    changes = [
        text[:place] + letter + text[place:],
        text[:place] + text[place + 1 :],
        text[:place] + letter + text[place + 1 :],
        text[:place] + text[place + 1 : place + 2] + text[place] + text[place + 2 :],
    ]
    changed = choose.choice(changes)
    return changed if normalize(changed) not in ("", normalize(text)) else typo(text, choose)


def without_a_word(text, choose):
    words = normalize(text).split()
    words.pop(choose.randrange(len(words)))
    return " ".join(words)


def initial(text, choose):
    first, *others = normalize(text).split()
    return f"{first[0].upper()}. {' '.join(others)}"


def reordered(text, choose):
    first, *others = text.split()
    return f"{' '.join(others)}, {first}"


WAYS = {
    "one typo": (typo, 1, 0.97),
    "two typos": (lambda text, choose: typo(typo(text, choose), choose), 1, 0.93),
    "another order": (reordered, 2, 0.97),
    "a word dropped": (without_a_word, 2, 0.93),
    "an initial": (initial, 2, 0.75),
}


@pytest.mark.parametrize("graph", ["company", "biology"])
@pytest.mark.parametrize("way", WAYS)
def test_a_name_that_is_written_wrongly_comes_first_where_one_name_is_right(graph, way, names, indexes):
    write, least_words, wanted = WAYS[way]
    choose = random.Random(f"{graph} {way}")
    # A code with a typo is another code: nobody can know which was meant.
    words = [name for name in names[graph] if not any(letter.isdigit() for letter in name) and len(name) > 5]
    usable = [name for name in words if len(set(normalize(name).split())) >= least_words]
    right = total = 0
    while total < QUERIES:
        name = choose.choice(usable)
        written = write(name, choose)
        if not is_the_only_right_one(normalize(written), normalize(name), names[graph], write):
            continue
        matches = indexes[graph].search([written])[0]
        total += 1
        right += bool(matches) and normalize(matches[0].name) == normalize(name)
    assert right / total >= wanted


def is_the_only_right_one(written, name, all_names, write):
    """Whether no other name explains what was written as well as the one that it was made from."""
    others = {normalize(other) for other in all_names} - {name}
    words = written.split()
    if written in others:
        return False
    if write is initial:
        return not any(other.split()[1:] == words[1:] and other.startswith(words[0]) for other in others)
    if write is without_a_word:
        return not any(is_one_word_less(words, other.split()) for other in others)
    if write is reordered:
        return not any(sorted(other.split()) == sorted(words) for other in others)
    distance = OSA.distance(written, name)
    return not any(OSA.distance(written, other, score_cutoff=distance) <= distance for other in others)


def is_one_word_less(words, others):
    return len(words) + 1 == len(others) and any(
        others[:place] + others[place + 1 :] == words for place in range(len(others))
    )


@pytest.mark.parametrize(("graph", "stranger"), [("company", "biology"), ("biology", "company")])
def test_a_name_that_is_not_there_is_not_found(graph, stranger, names, indexes):
    known = {normalize(name) for name in names[graph]}
    asked = [
        name for name in random.Random(3).sample(names[stranger], QUERIES) if normalize(name) not in known
    ]
    found = [matches[0] for matches in indexes[graph].search(asked, cutoff=0.75) if matches]
    assert len(found) / len(asked) <= 0.025
