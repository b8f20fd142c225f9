from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.core.errors import CorruptIndexError
from askgraph.core.words import normalize
from askgraph.indexes.names import NameEntry, NameIndex, NameMatch

COMPANY = [
    NameEntry("p1", "Karen Brant", ("Employee",)),
    NameEntry("p2", "Heinrich Hoch", ("Employee",)),
    NameEntry("p3", "Hannah Hoch", ("Employee", "Manager")),
    NameEntry("p4", "Karen Brand", ("Employee",)),
    NameEntry("h1", "Hinge", ("Product",)),
    NameEntry("h2", "HINGE", ("Product",)),
    NameEntry("d1", "Data-Base Systems", ("Department",)),
    NameEntry("d2", "Müller & Söhne GmbH", ("Company",)),
    NameEntry("d3", "Research and Development", ("Department",)),
    NameEntry("s1", "Sensor 1012", ("Product",)),
    NameEntry("s2", "Sensor 1047", ("Product",)),
    NameEntry("e1", "🙂", ()),
    NameEntry("j1", "東京都", ("Place",)),
]


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    return NameIndex.build(COMPANY, tmp_path_factory.mktemp("company") / "names", fingerprint="v1")


def ids(matches):
    return [match.id for match in matches]


def found(index, name, **options):
    return ids(index.search([name], **options)[0])


# --- what people write


@pytest.mark.parametrize(
    ("written", "score"),
    [
        ("Karen Brant", 1.0),
        ("KAREN BRANT", 0.99),
        ("karen  brant.", 0.99),
        ("Káren Brånt", 0.99),
        ("Karen Brant's", 0.97),
        ("karen brant’s", 0.97),
        ("Brant, Karen", 0.97),
        ("KarenBrant", 0.97),
        ("Brant Karen's", 0.97),
    ],
)
def test_a_name_written_another_way_is_found_and_the_score_says_how(company, written, score):
    assert company.search([written])[0][0] == NameMatch(
        "p1", "Karen Brant", score, "exact" if score >= 0.99 else "variant", ("Employee",)
    )


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ("Karn Brant", "p1"),
        ("Karne Brant", "p1"),
        ("Kaaren Brant", "p1"),
        ("Kxrem Brant", "p1"),
        ("Hienrcih Hoch", "p2"),
        ("Hoch Heinrch", "p2"),
        ("Heinrich", "p2"),
        ("Hein Rich Hohc", "p2"),
        ("HeinrichxHoch", "p2"),
        ("HienrichHoch", "p2"),
        ("Han. Hoch", "p3"),
        ("hinges", "h1"),
        ("hinge's", "h1"),
        ("database system", "d1"),
        ("data base systmes", "d1"),
        ("Mueller und Soehne", "d2"),
        ("Muller Sohne", "d2"),
        ("Development", "d3"),
        ("reserach developmnet", "d3"),
        ("Sensor1012", "s1"),
        ("東京", "j1"),
    ],
)
def test_a_name_written_wrongly_or_in_part_is_found(company, written, id):
    first = company.search([written], cutoff=0.5)[0][0]
    assert first.id in (id, {"h1": "h2"}.get(id))
    assert first.score < 0.99


def test_an_initial_finds_everybody_whom_it_fits_and_nobody_else(company):
    for written in ("H. Hoch", "Hoch, H."):
        matches = company.search([written])[0]
        assert ids(matches) == ["p3", "p2"]  # a tie, so by name
        assert matches.total == 2
    assert found(company, "K. Hoch", cutoff=0.8) == []


def test_a_name_that_is_only_initials_is_found_by_the_whole_name(tmp_path):
    index = NameIndex.build([NameEntry("1", "H. Hoch"), NameEntry("2", "K. Hoch")], tmp_path / "names")
    assert found(index, "Heinrich Hoch")[0] == "1"


@pytest.fixture(scope="module")
def illnesses(tmp_path_factory):
    names = (
        "attention deficit hyperactivity disorder", "Alzheimer's disease", "Alzheimer", "Crohn's disease", "BPPV",
        "transient ischemic attack", "total iron assay", "deep vein thrombosis", "World Health Organization",
        "Bureau of Land Management", "tic", "who",
    )  # fmt: skip
    entries = [NameEntry(name, name) for name in names]
    return NameIndex.build(entries, tmp_path_factory.mktemp("illnesses") / "names")


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("ADHD", ["attention deficit hyperactivity disorder"]),
        ("adhd", ["attention deficit hyperactivity disorder"]),
        ("DVT", ["deep vein thrombosis"]),
        ("BLM", ["Bureau of Land Management"]),
        ("BOLM", ["Bureau of Land Management"]),
        ("benign paroxysmal positional vertigo", ["BPPV"]),
        ("crohns", ["Crohn's disease"]),
        ("Crohn's", ["Crohn's disease"]),
        ("alzheimer", ["Alzheimer"]),
    ],
)
def test_acronyms_and_what_they_stand_for_and_owners_are_found(illnesses, written, right):
    matches = illnesses.search([written], cutoff=0.8)[0]
    assert ids(matches) == right
    assert matches[0].score >= 0.9


def test_an_acronym_of_several_names_gives_them_all_and_is_less_sure(illnesses):
    matches = illnesses.search(["TIA"], cutoff=0.8)[0]
    assert ids(matches) == ["total iron assay", "transient ischemic attack"]
    assert {match.kind for match in matches} == {"acronym"}
    assert matches.total == 2
    assert matches[0].score < 0.9


@pytest.mark.parametrize("written", ["dvt", "blm", "wholly", "with him on", "total income cut"])
def test_short_words_in_small_letters_and_words_by_chance_are_no_acronyms(illnesses, written):
    assert all(match.kind != "acronym" for match in illnesses.search([written], cutoff=0.8)[0])


def test_acronyms_respect_types_removal_and_addition(tmp_path):
    first = NameIndex.build([NameEntry("1", "deep vein thrombosis", ("Illness",))], tmp_path / "names")
    assert found(first, "DVT", types=["Person"], cutoff=0.8) == []
    second = first.updated([NameEntry("2", "delayed vocal tic", ("Illness",))], ["1"], tmp_path / "names")
    assert found(second, "DVT", types=["Illness"], cutoff=0.8) == ["2"]


def test_one_number_is_not_another(company):
    exact, other = company.search(["sensor 1012", "sensor 1013"], cutoff=0.0)
    assert ids(exact) == ["s1"]
    assert all(match.score < 0.75 for match in other)


@pytest.mark.parametrize("written", ["", "   ", "?!", "zzzz qqqq", "🙃", "of", "x", "\0", "-" * 10_000])
def test_what_nobody_is_called_finds_nothing(company, written):
    assert list(company.search([written])[0]) == []
    assert company.search([written])[0].total == 0


def test_a_name_without_letters_is_found_as_written(company):
    assert found(company, "🙂") == ["e1"]
    assert found(company, " 🙂\n") == ["e1"]


def test_results_come_in_the_order_of_the_names_asked_for(company):
    results = company.search(["hinge", "nobody at all", "Hoch, Hannah"])
    assert [ids(matches) for matches in results] == [["h2", "h1"], [], ["p3"]]
    assert company.search([]) == []


def test_a_name_like_another_is_not_taken_for_it_when_both_are_there(company):
    assert found(company, "karen brant") == ["p1"]
    assert found(company, "karen brand") == ["p4"]
    assert found(company, "karen bran")[:2] == ["p4", "p1"]


# --- homonyms, limits, types


def test_homonyms_are_all_found_the_one_written_so_first_and_counted_beyond_the_limit(tmp_path):
    entries = [NameEntry(f"{number:03}", "HOCH" if number % 2 else "Hoch") for number in range(100)]
    index = NameIndex.build(entries, tmp_path / "names")
    matches = index.search(["Hoch"], limit=3)[0]
    assert ids(matches) == ["000", "002", "004"]
    assert [match.score for match in matches] == [1.0] * 3
    assert matches.total == 100
    everyone = index.search(["hoch"], limit=1000)[0]
    assert sorted(ids(everyone)) == [f"{number:03}" for number in range(100)]
    assert [(match.score, match.name, match.id) for match in everyone] == sorted(
        (match.score, match.name, match.id) for match in everyone
    )


def test_a_node_comes_once_under_its_best_name(tmp_path):
    entries = [NameEntry("1", name) for name in ("Müller", "Muller", "MULLER AG", "muller")]
    index = NameIndex.build(entries, tmp_path / "names")
    matches = index.search(["muller"])[0]
    assert [(match.id, match.name, match.score) for match in matches] == [("1", "muller", 1.0)]
    assert matches.total == 1


def test_only_nodes_of_an_asked_type_are_found(company):
    assert found(company, "Hoch", types=["Manager"]) == ["p3"]
    assert found(company, "hinge", types=["Employee"]) == []
    assert found(company, "hinge", types={"Employee", "Product"}) == ["h2", "h1"]
    assert found(company, "hinge", types=[]) == []
    assert company.exact(["hinge"], types=["Manager"])[0].total == 0


def test_a_rare_type_is_found_among_many_of_the_same_name(tmp_path):
    entries = [NameEntry(f"{number:04}", f"Hoch {number % 7}", ("Employee",)) for number in range(3000)]
    entries.append(NameEntry("m", "Hoch 5", ("Manager",)))
    index = NameIndex.build(entries, tmp_path / "names")
    assert found(index, "Hoch 5", types=["Manager"]) == ["m"]
    assert found(index, "Hcoh 5", types=["Manager"]) == ["m"]


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_never_more_than_the_limit(company, limit):
    assert len(company.search(["Hoch"], limit=limit)[0]) == min(limit, 2)


# --- many names at once


def test_exact_finds_the_few_of_many_word_sequences_that_are_names(company):
    words = [
        "who",
        "is",
        "the",
        "manager",
        "of",
        "Karen",
        "Brant",
        "and",
        "which",
        "hinge",
        "does",
        "she",
        "like",
    ]
    sequences = [" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1)]
    hits = {
        text: ids(matches)
        for text, matches in zip(sequences, company.exact(sequences), strict=True)
        if matches
    }
    assert hits == {"Karen Brant": ["p1"], "hinge": ["h2", "h1"]}


# --- any string at all

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
WORD_LIKE = st.lists(
    st.sampled_from(["Hoch", "hoch", "HÖCH", "von", "12", "🙂", "e\u0301", "\u202eשלום", "ﬁ", "''"]),
    max_size=5,
)
NAMES = ANY_TEXT | WORD_LIKE.map(" ".join) | st.sampled_from(["", "\0", "x" * 5000, "a b " * 300, "\ud83d"])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), NAMES), max_size=12))
def test_any_name_is_saved_and_finds_its_node(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("any") / "names"
    entries = [NameEntry(id, name, (id, "all")) for id, name in pairs]
    NameIndex.build(entries, path, fingerprint="\ud83d 1").close()
    with NameIndex.open(path) as index:
        assert len(index) == len(entries)
        assert sorted(map(repr, index.entries())) == sorted(map(repr, entries))
        for search in (index.exact, index.search):
            for entry, matches in zip(
                entries, search([entry.name for entry in entries], limit=50), strict=True
            ):
                best = next(match for match in matches if match.id == entry.id)
                assert best.score == 1.0
                assert best.types == entry.types
                assert matches.total >= 1
        for entry in entries:
            spelt = index.exact([entry.name.upper()], limit=50)[0]
            if normalize(entry.name.upper()) == normalize(entry.name) != "":
                assert entry.id in ids(spelt)
        index.verify()


@settings(max_examples=60)
@given(st.lists(NAMES, max_size=8), st.lists(NAMES, max_size=5))
def test_any_string_may_be_searched(tmp_path_factory, names, queries):
    path = tmp_path_factory.mktemp("any") / "names"
    index = NameIndex.build([NameEntry(str(row), name) for row, name in enumerate(names)], path)
    for matches in index.search(queries, limit=5, cutoff=0.0):
        assert len(matches) <= 5
        keys = [(-match.score, match.name, match.id) for match in matches]
        assert keys == sorted(keys)
        assert all(0.0 <= match.score <= 1.0 for match in matches)


def test_very_long_names_with_many_words_do_not_break_their_neighbours(tmp_path):
    essay = " ".join(f"word{number}" for number in range(5000))
    index = NameIndex.build([NameEntry("essay", essay), NameEntry("p", "Karen Brant")], tmp_path / "names")
    assert found(index, essay.upper()) == ["essay"]
    assert found(index, "Karn Brant") == ["p"]


# --- adding, removing, renaming


def test_a_node_is_renamed_added_and_removed_without_writing_the_rest_again(tmp_path):
    entries = [NameEntry(f"n{number}", f"Person {number}") for number in range(500)]
    old = NameIndex.build(entries, tmp_path / "1", fingerprint="1")
    new = old.updated(
        [NameEntry("n7", "Karen Brant"), NameEntry("x", "Heinrich Hoch")],
        ["n7", "n8", "never there"],
        tmp_path / "2",
        fingerprint="2",
    )
    assert (old.fingerprint, new.fingerprint) == ("1", "2")
    assert found(new, "Karn Brant") == ["n7"]
    assert found(new, "Hoch, Heinrich") == ["x"]
    assert found(new, "person 8", cutoff=0.9) == []
    assert found(new, "person 7", cutoff=0.9) == []
    assert found(new, "person 9") == ["n9"]
    assert len(new) == 500
    assert found(old, "person 8") == ["n8"]
    shared = {file.name: file.stat().st_ino for file in (tmp_path / "1").glob("*.names")}
    assert all((tmp_path / "2" / name).stat().st_ino == inode for name, inode in shared.items())


def test_homonyms_in_several_parts_are_counted_together(tmp_path):
    index = NameIndex.build([NameEntry(f"{number}", "Hoch") for number in range(50)], tmp_path / "names")
    index = index.updated([NameEntry("new", "hoch"), NameEntry("3", "Hoch")], [], tmp_path / "names")
    matches = index.search(["Hoch"], limit=100)[0]
    assert matches.total == len(matches) == 51
    assert index.search(["Hoch"], limit=5)[0].total >= 51


ENTRIES = st.lists(st.tuples(st.sampled_from("abcdefgh"), NAMES), max_size=10)


@settings(max_examples=40)
@given(ENTRIES, st.lists(st.tuples(st.lists(st.sampled_from("abcdefgh"), max_size=3), ENTRIES), max_size=4))
def test_an_updated_index_finds_what_one_made_anew_finds(tmp_path_factory, first, updates):
    folder = tmp_path_factory.mktemp("updates")
    expected = [NameEntry(id, name, (id,)) for id, name in first]
    index = NameIndex.build(expected, folder / "updated")
    for removed, added in updates:
        new = [NameEntry(id, name, (id,)) for id, name in added]
        index = index.updated(new, removed, folder / "updated")
        expected = [entry for entry in expected if entry.id not in removed] + new
    anew = NameIndex.build(expected, folder / "anew")
    assert sorted(map(repr, index.entries())) == sorted(map(repr, expected))
    queries = sorted({name for _, name in first} | {entry.name for entry in expected})
    assert index.exact(queries, limit=100) == anew.exact(queries, limit=100)


def test_many_small_updates_are_put_together(tmp_path):
    index = NameIndex.build(
        [NameEntry(f"{number}", f"first {number}") for number in range(40)], tmp_path / "names"
    )
    for number in range(30):
        index = index.updated([NameEntry(f"u{number}", f"later {number}")], [f"{number}"], tmp_path / "names")
    assert len(index) == 40
    assert found(index, "later 29") == ["u29"]
    assert found(index, "first 39") == ["39"]
    assert found(index, "first 3", cutoff=0.9) == []
    # No more files than the header names: old states are swept away.
    assert len(list((tmp_path / "names").iterdir())) <= 2 * 8 + 1


def test_everything_removed_leaves_an_index_that_finds_nothing(company, tmp_path):
    index = company.updated([], [entry.id for entry in COMPANY], tmp_path / "names")
    assert (len(index), found(index, "Karen Brant")) == (0, [])


# --- files


def test_the_same_names_give_the_same_files_whatever_the_hash_seed(tmp_path):
    program = """
import sys
from pathlib import Path
from askgraph.indexes.names import NameEntry, NameIndex
names = [f"{a} {b}" for a in ("Karen", "Heinrich", "Ada") for b in ("Brant", "Hoch", "Hoch", "hoch")]
entries = [NameEntry(str(row), name, ("T%d" % (row % 3), "all")) for row, name in enumerate(names)]
index = NameIndex.build(entries, Path(sys.argv[1]))
print([[(m.id, m.score) for m in found] for found in index.search(["hohc", "Karn Hoch", "Ada", "heinrich hoch"])])
"""
    printed, files = set(), set()
    for seed in ("0", "1", "424242"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        path = tmp_path / seed
        printed.add(subprocess.check_output([sys.executable, "-c", program, str(path)], env=environment))
        files.add(tuple(sorted((file.name, file.read_bytes()) for file in path.iterdir())))
    assert len(printed) == len(files) == 1


def failing_entries():
    yield from COMPANY
    raise RuntimeError("the database went away")


def test_a_build_that_fails_leaves_the_old_index_or_nothing(tmp_path):
    with pytest.raises(RuntimeError, match="went away"):
        NameIndex.build(failing_entries(), tmp_path / "new")
    assert not (tmp_path / "new").exists()
    path = tmp_path / "names"
    old = NameIndex.build(COMPANY[:3], path)
    before = sorted((file.name, file.read_bytes()) for file in path.iterdir())
    with pytest.raises(RuntimeError, match="went away"):
        NameIndex.build(failing_entries(), path)
    with pytest.raises(RuntimeError, match="went away"):
        old.updated(failing_entries(), [], path)
    assert sorted((file.name, file.read_bytes()) for file in path.iterdir()) == before


def test_a_full_disk_leaves_the_old_index_and_no_rubbish(tmp_path, monkeypatch):
    path = tmp_path / "names"
    NameIndex.build(COMPANY[:3], path)
    before = sorted((file.name, file.read_bytes()) for file in path.iterdir())

    def refuse(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        NameIndex.build(COMPANY, path)
    assert sorted((file.name, file.read_bytes()) for file in path.iterdir()) == before


def test_a_reader_is_not_disturbed_by_an_index_that_takes_the_place_of_its_own(tmp_path):
    path = tmp_path / "names"
    reader = NameIndex.build(COMPANY, path)
    NameIndex.build([NameEntry("other", "Someone Else")], path)
    assert found(reader, "Karn Brant")[0] == "p1"
    assert found(NameIndex.open(path), "Karn Brant") == []


def test_an_index_is_always_whole_for_those_who_open_it_while_it_is_replaced(tmp_path):
    path = tmp_path / "names"
    NameIndex.build(COMPANY, path)
    done = threading.Event()

    def replace_often():
        for number in range(15):
            NameIndex.build([*COMPANY, NameEntry(f"new {number}", f"New {number}")], path)
        done.set()

    writer = threading.Thread(target=replace_often)
    writer.start()
    opened = 0
    while not done.is_set():
        assert found(NameIndex.open(path), "Karn Brant")[0] == "p1"
        opened += 1
    writer.join()
    assert opened > 0


def test_several_threads_may_search_at_once(company):
    queries = [entry.name + "x" for entry in COMPANY] + ["Karn Brant", "Hoch", "Hcoh", "reserach"] * 5
    expected = [company.search([query]) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: company.search([query]), queries)) == expected


def test_a_missing_index_says_what_to_do(tmp_path):
    with pytest.raises(CorruptIndexError, match="askgraph index"):
        NameIndex.open(tmp_path / "nothing")


def test_every_way_to_cut_or_break_a_file_is_an_index_error_that_says_what_to_do(tmp_path):
    path = tmp_path / "names"
    NameIndex.build(COMPANY, path).updated([NameEntry("x", "X Y")], ["p1"], path).close()
    for file in sorted(path.iterdir()):
        whole = file.read_bytes()
        damages = [whole[:cut] for cut in (0, 5, 15, 60, len(whole) // 2, len(whole) - 1)]
        damages += [
            b"\xff" * len(whole),
            b"{}" + whole[2:],
            whole + b"\0",
            whole.replace(b"format", b"tamrof"),
        ]
        for damage in damages:
            file.write_bytes(damage)
            with pytest.raises(CorruptIndexError, match="askgraph index"):
                NameIndex.open(path)
        file.unlink()
        with pytest.raises(CorruptIndexError, match="askgraph index"):
            NameIndex.open(path)
        file.write_bytes(whole)
    assert found(NameIndex.open(path), "x y") == ["x"]


def test_a_flipped_bit_is_found_when_the_index_is_verified(tmp_path):
    path = tmp_path / "names"
    NameIndex.build(COMPANY, path).verify()
    (segment,) = path.glob("*.names")
    content = bytearray(segment.read_bytes())
    content[-500] ^= 1
    segment.write_bytes(content)
    with pytest.raises(CorruptIndexError, match="checksum"):
        NameIndex.open(path).verify()


def test_searching_a_damaged_file_finds_something_or_says_that_it_is_damaged(tmp_path):
    path = tmp_path / "names"
    NameIndex.build(COMPANY, path)
    (segment,) = path.glob("*.names")
    whole = segment.read_bytes()
    queries = [entry.name for entry in COMPANY] + ["Karn Brant", "H. Hoch", "Hoch", "hingse"]
    choose, messages = random.Random(5), []
    for _ in range(150):
        content = bytearray(whole)
        for _ in range(choose.choice([1, 20])):
            content[choose.randrange(len(content))] = choose.randrange(256)
        segment.write_bytes(content)
        try:
            index = NameIndex.open(path)
            index.search(queries, types=choose.choice([None, ["Employee"]]))
            index.exact(queries)
        except CorruptIndexError as error:
            messages.append(str(error))
    assert len(messages) > 10
    assert all("askgraph index" in message for message in messages)


def test_a_header_that_leads_out_of_its_folder_is_not_followed(tmp_path):
    path = tmp_path / "names"
    NameIndex.build(COMPANY, path)
    header = path / "index.json"
    (segment,) = path.glob("*.names")
    segment.rename(tmp_path / segment.name)
    header.write_text(
        header.read_text(encoding="utf-8").replace(segment.name, f"../{segment.name}"), encoding="utf-8"
    )
    with pytest.raises(CorruptIndexError, match="not a file of the index"):
        NameIndex.open(path)


def test_an_index_of_nothing_is_an_index(tmp_path):
    index = NameIndex.build([], tmp_path / "names")
    assert (len(index), list(index.entries()), found(index, "x")) == (0, [], [])
    grown = index.updated([NameEntry("1", "Karen Brant")], [], tmp_path / "names")
    assert found(grown, "Karn Brant") == ["1"]


def test_progress_is_told(tmp_path):
    told: list[str] = []

    class Listener:
        def start(self, label: str, total: int | None = None) -> None:
            told.append(label)

        def advance(self, amount: int = 1) -> None:
            pass

        def finish(self) -> None:
            told.append("done")

    NameIndex.build(COMPANY, Path(tmp_path / "names"), progress=Listener())
    assert told == ["reading names", "done", "ordering names", "done"]
