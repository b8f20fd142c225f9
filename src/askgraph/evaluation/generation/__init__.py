"""Questions with gold plans, made from any graph."""

from .making import generate_questions, write_questions

__all__ = ["generate_questions", "write_questions"]
