"""Dictionaries of names and synonyms: files that say what else things with known identifiers are called."""

from .entries import DictionaryEntry, NodeDictionary, dictionary_fingerprint
from .reading import LAYOUTS, read_dictionary

__all__ = ["LAYOUTS", "DictionaryEntry", "NodeDictionary", "dictionary_fingerprint", "read_dictionary"]
