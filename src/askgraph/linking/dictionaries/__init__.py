"""Dictionaries of names and synonyms: files that say what else things with known identifiers are called."""

from .entries import DictionaryEntry, NodeDictionary, dictionary_fingerprint, entries_with_name
from .kept_entries import read_entries, save_entries
from .reading import LAYOUTS, read_dictionary

__all__ = [
    "LAYOUTS",
    "DictionaryEntry",
    "NodeDictionary",
    "dictionary_fingerprint",
    "entries_with_name",
    "read_dictionary",
    "read_entries",
    "save_entries",
]
